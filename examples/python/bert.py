# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A BERT of transformers: imported by TorchDynamo and by torch.export, run on its own parameters.

python examples/python/bert.py [--base] [--mlir FILE]

--base builds the size of bert-base-uncased (110 M parameters). There is no model hub here, so the weights are random;
with one, BertModel.from_pretrained("bert-base-uncased") takes the place of BertModel(config).
"""

import argparse
from typing import Any

import torch
from transformers import BertConfig, BertModel

from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.ops import tosa

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--base", action="store_true", help="12 layers of 768 instead of 2 of 128")
parser.add_argument("--mlir", metavar="FILE", help="write the module there: .mlir text, .mlirbc bytecode")
arguments = parser.parse_args()

torch.manual_seed(0)
small: dict[str, Any] = {"num_hidden_layers": 2, "hidden_size": 128, "num_attention_heads": 2, "intermediate_size": 512}
model = BertModel(BertConfig(**({} if arguments.base else small))).eval()
ids = torch.randint(0, model.config.vocab_size, (1, 24))
encoded: dict[str, Any] = {"input_ids": ids, "token_type_ids": torch.zeros_like(ids), "attention_mask": torch.ones_like(ids)}

compiler = DynamoCompiler(primary_registry=tosa.ops_registry)
for road in (compiler.importer, compiler.importer_by_export):
    graph = road(model, **encoded)[0]
    params = compiler.imported_params[graph]
    run = compiler.compiled()
    with torch.no_grad():
        theirs = model(**encoded).last_hidden_state
    ours = run(**encoded).last_hidden_state
    same = all(tensor.data_ptr() in {p.data_ptr() for p in [*model.parameters(), *model.buffers()]} for tensor in params)
    print(f"{road.__name__}: {len(graph.body)} ops, {len(params)} parameters, the model's own tensors: {same}; "
          f"largest difference {(ours - theirs).abs().max().item():.2g}")

if arguments.mlir:
    graph.module.save(arguments.mlir)
    print("wrote", arguments.mlir)
