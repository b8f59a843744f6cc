# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs imported graphs with PyTorch, node by node, and compares with what the exported programs gave.

    python tests/sdk/import/evaluate.py LIBRARY_FOLDER MODELS_FOLDER [NAME …]

Reads each archive of MODELS_FOLDER (tests/models/export.py wrote it) through libbuddy_import, prints the graph, and calls
PyTorch's op for each node. Every result has to have the type that the graph declares, and elementwise ops have to find
operands of one dtype: so this checks functionalisation, normalisation and the bytes of weights against PyTorch itself.
"""

from __future__ import annotations

import ctypes
import json
import operator
import re
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "models"))
from compare import compare  # noqa: E402

DTYPES = {
    "i1": torch.bool, "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
    "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64, "f16": torch.float16, "bf16": torch.bfloat16,
    "f32": torch.float32, "f64": torch.float64, "c32": torch.complex32, "c64": torch.complex64, "c128": torch.complex128,
}  # fmt: skip
NUMBERS = [None, torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32,
           torch.uint64, torch.float16, torch.bfloat16, torch.float32, torch.float64]  # fmt: skip
COMPARISONS = {"eq", "ne", "lt", "le", "gt", "ge"}
SAME_OPERANDS = {"add", "sub", "mul", "div", "pow", "maximum", "minimum", "remainder", "fmod", "floor_divide", "atan2",
                 "bitwise_and", "bitwise_or", "bitwise_xor", "where", "logical_and", "logical_or"} | COMPARISONS  # fmt: skip


# ---- The library ----


class TensorType(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int32), ("rank", ctypes.c_uint32), ("dims", ctypes.POINTER(ctypes.c_int64))]


class Data(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("n_bytes", ctypes.c_size_t), ("offset", ctypes.c_int64),
                ("strides", ctypes.POINTER(ctypes.c_int64))]  # fmt: skip


class Diag(ctypes.Structure):
    _fields_ = [("severity", ctypes.c_int32), ("code", ctypes.c_int32), ("where", ctypes.c_char_p),
                ("what", ctypes.c_char_p), ("todo", ctypes.c_char_p)]  # fmt: skip


WRITE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class Writer(ctypes.Structure):
    _fields_ = [("write", WRITE), ("user", ctypes.c_void_p)]


class Library:
    def __init__(self, folder: Path):
        ctypes.CDLL(str(folder / "libbuddy.so"), mode=ctypes.RTLD_GLOBAL)
        self.c = ctypes.CDLL(str(folder / "libbuddy_import.so"), mode=ctypes.RTLD_GLOBAL)
        pointers = ["buddy_graph_input", "buddy_graph_input_data", "buddy_value_name", "buddy_value_type", "buddy_diags_get"]
        for name in pointers:
            getattr(self.c, name).restype = ctypes.c_void_p
        self.opset = ctypes.c_void_p()
        assert self.c.buddy_aten_opset_create(ctypes.byref(self.opset)) == 0

    def load(self, path: Path):
        """(text of the graph, {input: tensor}) or raises with the diagnostics."""
        archive, graph, diags = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.c.buddy_diags_create(ctypes.byref(diags))
        code = self.c.buddy_archive_open(str(path).encode(), diags, ctypes.byref(archive))
        code = code or self.c.buddy_archive_import(archive, self.opset, diags, ctypes.byref(graph))
        if code:
            found = [ctypes.cast(self.c.buddy_diags_get(diags, ctypes.c_size_t(i)), ctypes.POINTER(Diag)).contents
                     for i in range(self.c.buddy_diags_count(diags))]  # fmt: skip
            self.c.buddy_archive_close(archive)
            raise ValueError("; ".join(f"{d.where.decode()}: {d.what.decode()}" for d in found) or f"code {code}")
        chunks: list[bytes] = []

        def write(_user, data, size):
            chunks.append(ctypes.string_at(data, size))
            return 0

        writer = Writer(WRITE(write), None)
        assert self.c.buddy_graph_print(graph, ctypes.byref(writer)) == 0
        weights = self.weights(graph)
        self.c.buddy_graph_destroy(graph)
        self.c.buddy_archive_close(archive)
        self.c.buddy_diags_destroy(diags)
        return b"".join(chunks).decode(), weights

    def weights(self, graph) -> dict[str, torch.Tensor]:
        tensors = {}
        for i in range(self.c.buddy_graph_n_inputs(graph)):
            value = ctypes.c_void_p(self.c.buddy_graph_input(graph, ctypes.c_size_t(i)))
            data = ctypes.cast(self.c.buddy_graph_input_data(graph, ctypes.c_size_t(i)), ctypes.POINTER(Data)).contents
            kind = self.c.buddy_graph_input_kind(graph, ctypes.c_size_t(i))
            if kind == 0:
                continue
            type_ = ctypes.cast(self.c.buddy_value_type(value), ctypes.POINTER(TensorType)).contents
            name = ctypes.string_at(self.c.buddy_value_name(value)).decode()
            dims = [type_.dims[k] for k in range(type_.rank)]
            storage = torch.frombuffer(bytearray(ctypes.string_at(data.bytes, data.n_bytes)), dtype=NUMBERS[type_.dtype]) if data.n_bytes else torch.empty(0, dtype=NUMBERS[type_.dtype])
            strides = [data.strides[k] for k in range(type_.rank)] if data.strides else torch.empty(dims, device="meta").stride()
            tensors[name] = storage.as_strided(dims, strides, data.offset).clone()
        return tensors


# ---- The text form ----

TOKEN = re.compile(r'\s*("(?:\\.|[^"\\])*"|\{[^}]*\}|[%@]"(?:\\.|[^"\\])*"|[%@][\w.]+|-?[0-9.]+e[-+]?\d+|-?[\w.]+|[()\[\],=:])')


def tokens_of(text: str) -> list[str]:
    return TOKEN.findall(text)


class Values:
    """Parses the value of an argument."""

    def __init__(self, tokens: list[str], frame: "Frame"):
        self.tokens, self.at, self.frame = tokens, 0, frame

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def items(self, close: str) -> list:
        found = []
        while self.peek() != close:
            found.append(self.value())
            if self.peek() == ",":
                self.take()
        self.take()
        return found

    def value(self):
        token = self.take()
        if token == "[":
            return self.items("]")
        if token[0] in "%@":
            return self.frame.named(token)
        if token[0] == "{":
            return self.frame.dim(token[1:-1])
        if token[0] == '"':
            return json.loads(token)
        if token in ("none", "true", "false"):
            return {"none": None, "true": True, "false": False}[token]
        if self.peek() == "[":  # tensors[]
            self.take()
            return self.items("]")
        if self.peek() == "(":
            self.take()
            return self.tagged(token)
        return self.number(token)

    @staticmethod
    def number(token: str):
        try:
            return int(token)
        except ValueError:
            return float(token)

    def tagged(self, tag: str):
        if tag == "dtype":
            found = DTYPES[self.take()]
            assert self.take() == ")"
            return found
        parts = self.items(")")
        if tag == "complex":
            return complex(*parts)
        if tag == "memory_format":
            return {"preserve": torch.preserve_format, "contiguous": torch.contiguous_format}[parts[0]]
        return parts[0]


# ---- Running ----


class Frame:
    def __init__(self, graphs: dict[str, list[str]], symbols: dict[str, int], weights: dict[str, torch.Tensor]):
        self.graphs, self.symbols, self.weights = graphs, symbols, weights
        self.values: dict[str, torch.Tensor] = {}
        self.mutated: dict[str, torch.Tensor] = {}

    def named(self, token: str):
        name = json.loads(token[1:]) if token[1] == '"' else token[1:]
        return ("graph", name) if token[0] == "@" else self.values[name]

    def dim(self, text: str):
        names = {**self.symbols, "max": max, "min": min, "floordiv": operator.floordiv, "mod": operator.mod}
        return eval(text, {"__builtins__": {}}, names)  # noqa: S307: the printer's own arithmetic

    def check(self, name: str, declared: str, value: torch.Tensor) -> None:
        dtype, _, dims = declared.strip().partition("[")
        sizes = [d for d in dims.rstrip("]").split(",") if d]
        assert value.dtype == DTYPES[dtype], f"%{name} is {value.dtype}, declared {declared}"
        assert value.dim() == len(sizes), f"%{name} has shape {tuple(value.shape)}, declared {declared}"
        for size, text in zip(value.shape, sizes):
            if re.fullmatch(r"\w+", text) and not text.isdigit() and text not in self.symbols:
                self.symbols[text] = size
            assert size == self.dim(text), f"%{name} has shape {tuple(value.shape)}, declared {declared}"

    def call(self, op: str, args: dict):
        namespace, base, overload = op.split(".")
        if namespace == "higher_order":
            return self.control(base, args)
        self.check_operands(base, args)
        function = getattr(getattr(getattr(torch.ops, namespace), base), overload)
        names = {a.name: a for a in function._schema.arguments}
        for name, value in args.items():  # a number may stand for a tensor, a 0-d tensor for a number
            kind = str(names[name].type)
            if "Tensor" in kind and "List" not in kind and isinstance(value, (int, float, bool, complex)):
                args[name] = torch.tensor(value, dtype=self.number_dtype(value, args))
            elif "Tensor" not in kind and isinstance(value, torch.Tensor):
                args[name] = value.item()
        if op == "aten.view.default":  # of values, which have no strides
            function = torch.ops.aten.reshape.default
            args["shape"] = args.pop("size")
        return function(**args)

    @staticmethod
    def number_dtype(value, args: dict):
        tensors = [a for a in args.values() if isinstance(a, torch.Tensor) and a.dtype != torch.bool]
        if tensors and not isinstance(value, complex):
            return tensors[0].dtype
        return torch.int64 if type(value) is int else None

    @staticmethod
    def check_operands(base: str, args: dict) -> None:
        if base not in SAME_OPERANDS:
            return
        found = {a.dtype for n, a in args.items() if isinstance(a, torch.Tensor) and n != "condition"}
        assert len(found) <= 1, f"{base} gets operands of {found}"
        for value in args.values():
            if found and isinstance(value, float):
                assert next(iter(found)).is_floating_point, f"{base} of {found} gets the number {value}"

    def control(self, op: str, args: dict):
        def run(graph, operands):
            inner = Frame(self.graphs, dict(self.symbols), {})
            return inner.run(self.graphs[graph[1]], list(operands))

        if op == "cond":
            return run(args["true_fn"] if bool(args["pred"]) else args["false_fn"], args["operands"])
        assert op == "while_loop", op
        carried, extra = args["carried_inputs"], args["additional_inputs"]
        while bool(run(args["cond_fn"], carried + extra)[0]):
            carried = run(args["body_fn"], carried + extra)
        return carried

    def run(self, lines: list[str], inputs: list) -> list:
        outputs, given, bound = [], iter(inputs), {}
        for line in lines:
            if found := re.fullmatch(r"bind (\w+) = %(\S+)", line):
                bound[found[2]] = found[1]
        for line in lines:
            if found := re.fullmatch(r'(input|parameter|buffer|constant) %(\S+)(?: "(?:[^"\\]|\\.)*")? : (.*)', line):
                kind, name, type_ = found.groups()
                value = next(given) if kind == "input" else self.weights[name]
                self.define(name, value, type_, bound)
            elif found := re.fullmatch(r"output (?:(\w+) (\"(?:[^\"\\]|\\.)*\") = )?(.*)", line):
                value = Values(tokens_of(found[3]), self).value()
                if found[1]:
                    self.mutated[json.loads(found[2])] = value
                else:
                    outputs.append(value)
            elif found := re.fullmatch(r"%(\S+?)(?::(\d+))? = ([\w.]+)\((.*)\)(?: : (.*))?", line):
                self.node(*found.groups(), bound)
            else:
                assert re.match(r"(symbol|bind) ", line), line
        return outputs

    def node(self, name: str, n: str | None, op: str, text: str, types: str, bound: dict) -> None:
        parser, args = Values(tokens_of(text), self), {}
        while parser.at < len(parser.tokens):
            key = parser.take()
            assert parser.take() == "="
            args[key] = parser.value()
            if parser.peek() == ",":
                parser.take()
        result = self.call(op, args)
        results = list(result) if isinstance(result, (list, tuple)) else [result]
        declared = re.findall(r"\w+\[[^\]]*\]", types or "")
        assert len(declared) == len(results), f"{name}: {len(results)} results, {len(declared)} declared"
        for i, (value, type_) in enumerate(zip(results, declared)):
            self.define(name if n is None else f"{name}.{i}", value, type_, bound)

    def define(self, name: str, value, declared: str, bound: dict) -> None:
        if not isinstance(value, torch.Tensor):
            value = torch.tensor(value, dtype=DTYPES[declared.split("[")[0]])
        if name in bound:
            self.symbols[bound[name]] = int(value)
        self.values[name] = value
        self.check(name, declared, value)


def split_graphs(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """Lines of the top graph, and of each subgraph, without locations."""
    graphs: dict[str, list[str]] = {}
    stack: list[str] = []
    for raw in text.splitlines():
        line = re.sub(r" loc\((?:[^()\"]|\"(?:\\.|[^\"\\])*\")*\)$", "", raw.strip())
        if found := re.fullmatch(r"graph @(\S+) \{", line):
            stack.append(found[1])
            graphs[found[1]] = []
        elif line == "}":
            stack.pop()
        elif line:
            graphs[stack[-1]].append(line)
    return graphs["forward"], graphs


# ---- Models ----


def read_tensor(path: Path, dtype: str) -> torch.Tensor:
    array = np.load(path)
    if dtype == "bfloat16":
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(np.array(array))


def as_array(value) -> np.ndarray:
    if isinstance(value, torch.Tensor) and value.dtype == torch.bfloat16:
        return value.contiguous().view(torch.int16).numpy().view(np.uint16)
    return value.detach().resolve_conj().resolve_neg().numpy() if isinstance(value, torch.Tensor) else np.array(value)


def check_output(what: str, expected: dict, folder: Path, actual) -> None:
    kind = expected["kind"]
    if kind in ("none", "constant"):
        assert kind != "none" or actual is None, f"{what} should be None"
        return
    dtype = expected.get("dtype", {"int": "int64", "float": "float64", "bool": "bool"}.get(kind))
    array = np.load(folder / expected["file"])
    actual = as_array(actual)
    if kind != "tensor":
        actual = actual.astype(array.dtype)
    result = compare(array, actual, dtype=dtype)
    assert result.ok, f"{what}: {result.problem or result.error}"


def evaluate(library: Library, models: Path, name: str) -> str:
    entry = json.loads((models / name / "entry.json").read_text())
    try:
        text, weights = library.load(models / entry["archive"])
    except ValueError as problem:
        return f"refused: {problem}" if entry["may_refuse"] else f"FAILED: {problem}"
    top, graphs = split_graphs(text)
    for size in entry["sizes"]:
        folder = models / name / size["folder"]
        inputs = [read_tensor(folder / i["file"], i.get("dtype", "")) for i in size["inputs"] if "file" in i]
        frame = Frame(graphs, {}, weights)
        try:
            outputs = frame.run(top, inputs)
            assert len(outputs) == len(size["outputs"]), f"{len(outputs)} outputs, expected {len(size['outputs'])}"
            for i, (expected, actual) in enumerate(zip(size["outputs"], outputs)):
                check_output(f"output {i}", expected, folder, actual)
            for kind in ("mutated_inputs", "mutated_buffers"):
                for target, expected in size[kind].items():
                    target = size["inputs"][int(target)]["name"] if kind == "mutated_inputs" else target
                    check_output(f"{kind} {target}", expected, folder, frame.mutated[target])
        except Exception as problem:  # noqa: BLE001: whatever PyTorch says about a wrong graph
            return f"FAILED {size['folder']}: {type(problem).__name__}: {str(problem).splitlines()[0]}"
    return "ok"


def main() -> int:
    library, models = Library(Path(sys.argv[1])), Path(sys.argv[2])
    names = sys.argv[3:] or sorted(p.parent.name for p in models.glob("*/entry.json"))
    n_failed = 0
    for name in names:
        with torch.no_grad():
            result = evaluate(library, models, name)
        n_failed += result.startswith("FAILED")
        if result != "ok":
            print(f"{name}: {result}", flush=True)
    print(f"{len(names) - n_failed} of {len(names)} archives are as PyTorch has them")
    return n_failed > 0


if __name__ == "__main__":
    sys.exit(main())
