// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// node netron.mjs FOLDER FILE…: opens MLIR modules as Netron does, by its own parser in FOLDER; a line for each.
import * as fs from 'fs';
import * as path from 'path';
import { pathToFileURL } from 'url';

const [folder, ...files] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(path.resolve(folder), name)).href);
const [base, text, mlir] = await Promise.all(['base.js', 'text.js', 'mlir.js'].map(load));

const open = async (file) => {
    const bytes = new Uint8Array(fs.readFileSync(file));
    let type = null;
    const context = {
        identifier: path.basename(file),
        stream: { length: bytes.length, peek: (n) => bytes.subarray(0, n) },
        set: (name) => { type = name; return name; },
        read: async (kind) => kind === 'binary' ? base.BinaryReader.open(bytes)
            : kind === 'text' ? text.Reader.open(bytes.subarray(0, 0x10000)) : text.Decoder.open(bytes),
        asset: async (name) => fs.readFileSync(path.join(folder, name), 'utf-8'),
        get type() { return type; }
    };
    const factory = new mlir.ModelFactory();
    await factory.match(context);
    const model = await factory.open(context);
    const nodes = [...model.modules, ...model.functions].map((graph) => graph.nodes.length);
    return `${model.format}, ${nodes.reduce((a, b) => a + b, 0)} nodes`;
};

let failed = 0;
for (const file of files) {
    try {
        console.log(`${path.basename(file)}: ${await open(file)}`);
    } catch (error) {
        ++failed;
        console.log(`${path.basename(file)}: refused: ${error.message}`);
    }
}
process.exit(failed ? 1 : 0);
