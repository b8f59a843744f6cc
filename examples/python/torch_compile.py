# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile with buddy as its backend: inference, sizes that change, and training.

python examples/python/torch_compile.py
"""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 1))
compiled = torch.compile(model, backend="buddy", dynamic=True)

with torch.no_grad():
    for n in (2, 5, 9):
        x = torch.randn(n, 16)
        print(f"batch of {n}: largest difference to eager {(compiled(x) - model(x)).abs().max().item():.2g}")

# Forward and backward graphs both run in buddy; the parameters are the model's own.
target = torch.randn(16, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
losses = []
for step in range(100):
    x = torch.randn(32, 16)
    loss = (compiled(x) - x @ target).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print(f"loss: {losses[0]:.3f} at first, {losses[-1]:.3f} after 100 steps")
assert losses[-1] < losses[0] / 2
