# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recurrent layers and cells."""

import torch

from case import Family, short

FAMILY = Family("recurrent")
t = FAMILY.tensor
torch.manual_seed(3)


def layer(kind, *args, dtype=torch.float32, **options):
    module = getattr(torch.nn, kind)(*args, **options).to(dtype).eval()
    weights = {name: w.detach() for name, w in module.named_parameters()}

    def run(x, *states):
        hx = tuple(states) if kind == "LSTM" else states[0] if states else None
        return torch.func.functional_call(module, weights, (x, hx) if states else (x,))
    return run


def states(kind, rows, batch, width, hidden=None, dtype=torch.float32):
    h = t(rows, batch, width, low=-1, high=1, dtype=dtype)
    return (h, t(rows, batch, hidden or width, low=-1, high=1, dtype=dtype)) if kind == "LSTM" else (h,)


for kind in ("LSTM", "GRU", "RNN"):
    FAMILY.add(f"{kind}", layer(kind, 3, 5), t(4, 2, 3), *states(kind, 1, 2, 5))
    FAMILY.add(f"{kind} from zeros", layer(kind, 3, 5), t(4, 2, 3))
    FAMILY.add(f"{kind} without batch", layer(kind, 3, 5), t(4, 3))
    FAMILY.add(f"{kind} without biases", layer(kind, 3, 5, bias=False), t(4, 2, 3), *states(kind, 1, 2, 5))
    FAMILY.add(f"{kind} in both directions", layer(kind, 3, 5, 2, bidirectional=True, batch_first=True), t(2, 6, 3),
               *states(kind, 4, 2, 5), tolerance=(1e-5, 1e-5))
    FAMILY.add(f"{kind} of one step", layer(kind, 3, 5, 3), t(1, 1, 3), *states(kind, 3, 1, 5))
    FAMILY.add(f"{kind} of doubles", layer(kind, 3, 5, dtype=torch.float64), t(4, 2, 3, dtype=torch.float64))
    FAMILY.add(f"{kind} of many steps", layer(kind, 8, 16), t(30, 2, 8), tolerance=(1e-4, 1e-4))
FAMILY.add("RNN with relu", layer("RNN", 3, 5, 2, nonlinearity="relu"), t(4, 2, 3), *states("RNN", 2, 2, 5))
FAMILY.add("LSTM with projections", layer("LSTM", 3, 5, 2, proj_size=4, bidirectional=True), t(4, 2, 3),
           *states("LSTM", 4, 2, 4, 5), tolerance=(1e-5, 1e-5))
FAMILY.add("LSTM, dynamic", layer("LSTM", 3, 5, 2, bidirectional=True), t(4, 2, 3), *states("LSTM", 4, 2, 5),
           others=(t(4, 3, 3), *states("LSTM", 4, 3, 5)), tolerance=(1e-5, 1e-5))
FAMILY.add("LSTM of bf16", layer("LSTM", 3, 5, dtype=torch.bfloat16), t(4, 2, 3, dtype=torch.bfloat16), tolerance=(3e-2, 3e-2))
cell = [t(12, 3), t(12, 4), t(12), t(12)]
for reverse, biased, batch_first in ((False, True, False), (True, True, True), (False, False, True)):
    FAMILY.add(f"LSTM kernel {reverse} {biased} {batch_first}", lambda x, h, c, a, b, d, e, r=reverse, s=biased, f=batch_first:
               torch.ops.aten.mkldnn_rnn_layer(x, a, b, *((d, e) if s else (a, b)), h, c, r, [], 2, 2, 1 + f, s, f, f, False)[:3],
               t(5, 2, 3), t(2, 2), t(2, 2), t(8, 3), t(8, 2), t(8), t(8))
FAMILY.add("LSTM cell", lambda x, h, c, *w: torch.lstm_cell(x, (h, c), *w), t(2, 3), t(2, 3), t(2, 3), t(12, 3), t(12, 3), t(12), t(12))
FAMILY.add("GRU cell", lambda x, h, *w: torch.gru_cell(x, h, *w), t(2, 3), t(2, 4), *cell, tolerance=(1e-5, 1e-5))
FAMILY.add("RNN cells", lambda x, h, *w: (torch.rnn_tanh_cell(x, h, *w), torch.rnn_relu_cell(x, h, *w)), t(2, 3), t(2, 4),
           t(4, 3), t(4, 4), t(4), t(4), tolerance=(1e-5, 1e-5))

# Wide enough for the kernels of products: rows few and many, kept panels and none, each step onto what lies there.
for kind in ("LSTM", "GRU", "RNN"):
    for batch in (1, 3, 12):
        FAMILY.add(f"{kind} of width 72, batch {batch}", layer(kind, 40, 72, 2, bidirectional=True), t(5, batch, 40, low=-1, high=1),
                   *states(kind, 4, batch, 72), tolerance=(1e-5, 1e-5))
    FAMILY.add(f"{kind}, sizes of the run", layer(kind, 40, 72, batch_first=True), t(3, 5, 40, low=-1, high=1), *states(kind, 1, 3, 72),
               others=(t(7, 5, 40, low=-1, high=1), *states(kind, 1, 7, 72)), tolerance=(1e-5, 1e-5))
FAMILY.add("LSTM with wide projections", layer("LSTM", 40, 72, proj_size=24), t(5, 6, 40, low=-1, high=1),
           *states("LSTM", 1, 6, 24, 72), tolerance=(1e-5, 1e-5))
FAMILY.add("GRU cell of joined sizes", lambda x, h, *w: torch.gru_cell(x.flatten(0, 1), h.flatten(0, 1), *w), t(2, 3, 3), t(3, 2, 4), *cell,
           others=(t(4, 3, 3), t(2, 6, 4), *cell), tolerance=(1e-5, 1e-5))
