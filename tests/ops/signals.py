# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Windows of signal processing, sequences as padded tensors, bits as other numbers, ops under their kernels' names."""

import torch

from case import Family

FAMILY = Family("signals")
t = FAMILY.tensor
aten = torch.ops.aten

for length in (0, 1, 2, 9, 16):
    FAMILY.add(f"windows of {length}", lambda x, n=length: (
        torch.hann_window(n), torch.hann_window(n, False), torch.hamming_window(n), torch.hamming_window(n, False, 0.6),
        torch.hamming_window(n, True, 0.6, 0.3), torch.blackman_window(n), torch.blackman_window(n, False),
        torch.bartlett_window(n), torch.bartlett_window(n, False), torch.kaiser_window(n), torch.kaiser_window(n, False),
        torch.kaiser_window(n, True, 5.0), torch.hann_window(n, dtype=torch.float64), x), t(2), tolerance=(1e-5, 1e-5))
FAMILY.add("ranges", lambda x: (torch.range(1, 4), torch.range(0.5, 3.2, 0.7), torch.range(5, -2, -2), x), t(2))
FAMILY.add("padded sequences", lambda a, b, c: (
    torch.nn.utils.rnn.pad_sequence([a, b, c]), torch.nn.utils.rnn.pad_sequence([a, b, c], batch_first=True, padding_value=2.5),
    torch.nn.utils.rnn.pad_sequence([a, b, c], padding_side="left")), t(4, 3), t(2, 3), t(5, 3))
FAMILY.add("padded sequences of one dim", lambda a, b: torch.nn.utils.rnn.pad_sequence([a, b], True, -1), t(4), t(1))
FAMILY.add("one vector of all", lambda a, b, c: aten.flatten_dense_tensors([a, b, c]), t(4, 3), t(2), t(1, 2, 3))
for wide, narrow in ((torch.float32, torch.int32), (torch.float32, torch.int8), (torch.float32, torch.int16), (torch.float64, torch.int32),
                     (torch.int64, torch.uint8), (torch.float16, torch.int16), (torch.bfloat16, torch.int8), (torch.float64, torch.float32),
                     (torch.int32, torch.bfloat16), (torch.uint8, torch.int8)):
    name = f"{wide} as {narrow}".replace("torch.", "")
    FAMILY.add(f"bits of {name}", lambda x, n=narrow, w=wide: (x.view(n).view(w), x.view(n).to(torch.float32).nan_to_num(0, 0, 0)),
               t(2, 3, 8, dtype=wide))
FAMILY.add("bits of a vector, dynamic", lambda x: x.view(torch.int8), t(6), others=(t(9),))
FAMILY.add("convolutions of TorchScript", lambda x, w, b: (
    aten._convolution(x, w, b, [1, 2], [1, 0], [1, 1], False, [0, 0], 1, False, False, True, True),
    aten._convolution.deprecated(x, w.transpose(0, 1), None, [2, 1], [0, 1], [1, 1], True, [1, 0], 1, False, False, True),
    aten._convolution_mode(x, w, b, [1, 1], "same", [1, 1], 1)), t(2, 3, 7, 8), t(4, 3, 3, 3), t(4), tolerance=(1e-4, 1e-4))
FAMILY.add("convolution, time first", lambda x, w, b: (aten.conv_tbc(x, w, b), aten.conv_tbc(x, w, b, 2)),
           t(9, 2, 4), t(3, 4, 5), t(5), tolerance=(1e-4, 1e-4))
FAMILY.add("attention by the CPU's kernel", lambda q, k, v, m: (
    aten._scaled_dot_product_flash_attention_for_cpu(q, k, v)[0],
    aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, True)[0],
    aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, attn_mask=m, scale=0.3)[0]),
    t(2, 3, 4, 8), t(2, 3, 4, 8), t(2, 3, 4, 8), t(2, 1, 4, 4), tolerance=(1e-4, 1e-4))
FAMILY.add("nuclear norm", lambda x: (torch.nuclear_norm(x), torch.nuclear_norm(x, True)), t(4, 5), tolerance=(1e-4, 1e-4))
