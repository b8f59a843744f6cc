# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms: every form, norm and kind of length, and short-time transforms."""

import torch

from case import Family, short

FAMILY = Family("fft")
t = FAMILY.tensor
f = torch.fft
C = torch.complex64

NORMS = ["backward", "ortho", "forward"]
for name in ("fft", "ifft", "hfft", "irfft"):
    op = getattr(f, name)
    FAMILY.add(f"{name} norms", lambda x, op=op: tuple(op(x, norm=n) for n in NORMS), t(3, 7, dtype=C))
    FAMILY.add(f"{name} sizes", lambda x, op=op: (op(x, 4), op(x, 9), op(x, 5, dim=0), op(x, dim=-2)), t(6, 7, dtype=C))
for name in ("fft", "ifft", "rfft", "ihfft"):
    op = getattr(f, name)
    FAMILY.add(f"{name} of reals", lambda x, op=op: (*(op(x, norm=n) for n in NORMS), op(x, 4), op(x, 9), op(x, dim=0)), t(6, 7))
    FAMILY.add(f"{name} of integers", lambda x, op=op: op(x), t(6, dtype=torch.int64))
LENGTHS = [1, 2, 3, 8, 17, 32, 33, 37, 60, 64, 127, 128, 97 * 4, 257, 400, 512, 1000, 1024, 1031]
for n in LENGTHS:
    FAMILY.add(f"length {n}", lambda x, r: (f.fft(x), f.ifft(x), f.rfft(r), f.irfft(x, n=x.shape[-1]), f.ihfft(r)),
               t(2, n, dtype=C), t(2, n), tolerance=(1e-4, 1e-4))
for name in ("fft2", "ifft2", "hfft2", "irfft2", "fftn", "ifftn", "hfftn", "irfftn"):
    op = getattr(f, name)
    FAMILY.add(f"{name}", lambda x, op=op: (*(op(x, norm=n) for n in NORMS), op(x, s=(3, 6)), op(x, dim=(0, 1)),
                                            op(x, s=(4, 5), dim=(2, 0))), t(3, 4, 5, dtype=C), tolerance=(1e-4, 1e-4))
for name in ("fft2", "ifft2", "rfft2", "ihfft2", "fftn", "ifftn", "rfftn", "ihfftn"):
    op = getattr(f, name)
    FAMILY.add(f"{name} of reals", lambda x, op=op: (*(op(x, norm=n) for n in NORMS), op(x, s=(3, 6)), op(x, dim=(0, 1)),
                                                     op(x, s=(4, 5), dim=(2, 0))), t(3, 4, 5), tolerance=(1e-4, 1e-4))
FAMILY.add("doubles", lambda x, r: (f.fft(x), f.rfft(r), f.irfft(x), f.fft2(x)), t(6, 10, dtype=torch.complex128),
           t(6, 10, dtype=torch.float64), tolerance=(1e-12, 1e-11))
FAMILY.add("shifts", lambda x: (f.fftshift(x), f.ifftshift(x), f.fftshift(x, dim=1), f.ifftshift(x, dim=(0, -1))), t(4, 5, 3))
for n in (1, 4, 6, 8, 12, 32, 60, 64, 1024):  # mean and highest frequency of reals: the imaginary part is 0, not 1e-16
    FAMILY.add(f"what is real {n}", lambda r: (f.rfft(r)[..., 0].imag == 0, f.rfft(r)[..., -1].imag == 0, f.fft(r)[..., 0].imag == 0), t(3, n))
FAMILY.add("one length known, one not", lambda x, r: (f.ifft2(x), f.rfft2(r), f.irfft2(x)), t(2, 6, 5, dtype=C), t(2, 6, 5),
           others=(t(2, 6, 9, dtype=C), t(2, 6, 9)))
FAMILY.add("what is real, dynamic", lambda r: (f.rfft(r)[..., 0].imag == 0, f.rfft(torch.cat([r, r], 1))[..., -1].imag == 0), t(3, 5),
           others=(t(2, 8),))
FAMILY.add("frequencies", lambda x: (f.fftfreq(7, 0.5) + x, f.rfftfreq(8) + x[:5]), t(7))
FAMILY.add("dynamic", lambda x, r: (f.fft(x), f.ifft(x, norm="ortho"), f.rfft(r), f.fft2(x)), t(4, 6, dtype=C), t(4, 6),
           others=(t(5, 9, dtype=C), t(5, 9)), tolerance=(1e-4, 1e-4))
for n in (1021, 1024):
    FAMILY.add(f"dynamic, {n}", lambda x: (
        f.irfft(f.rfft(x), n=x.shape[-1]), f.fft(x, dim=0), f.ifft(x - 3).angle(), f.rfft(x - 3).angle()), t(4, 6), others=(t(3, n),),
        tolerance=(1e-4, 1e-4))  # fmt: skip
FAMILY.add("dynamic sizes", lambda x: (f.fft(x, 8), f.irfft(x, 10)), t(4, 6, dtype=C), others=(t(5, 6, dtype=C),), tolerance=(1e-4, 1e-4))

for center in (True, False):
    for options in ({}, {"normalized": True}, {"onesided": False}, {"win_length": 12}, {"hop_length": 5}):
        def both(x, w, o=options, c=center):
            window = w[:o.get("win_length", 16)]
            y = torch.stft(x, 16, window=window, center=c, return_complex=True, **o)
            return y, torch.istft(y, 16, window=window, center=c, **o) if c else y

        FAMILY.add(f"stft {center} {options}", both, t(2, 60), t(16, low=0.5, high=1), tolerance=(1e-4, 1e-4))
FAMILY.add("stft without window", lambda x: (torch.stft(x, 16, return_complex=True, pad_mode="constant"),
                                             torch.view_as_real(torch.stft(x, 20, 4, return_complex=True))), t(70), tolerance=(1e-4, 1e-4))
FAMILY.add("istft, complex window", lambda y, w: (torch.istft(y, 16, window=w, onesided=False, return_complex=True),
                                                  torch.istft(y, 16, 5, window=w, length=40, onesided=False, return_complex=True)),
           t(16, 9, dtype=torch.complex64), t(16, dtype=torch.complex64) + 3)
FAMILY.add("istft lengths", lambda y, w: (torch.istft(y, 16, window=w, length=40), torch.istft(y, 16, window=w, length=47)),
           t(2, 9, 11, dtype=C), t(16, low=0.5, high=1), tolerance=(1e-4, 1e-4))
FAMILY.add("stft, dynamic", lambda x, w=t(16, low=0.5, high=1): torch.stft(x, 16, window=w, return_complex=True), t(2, 60),
           others=(t(3, 100),), tolerance=(1e-4, 1e-4))
FAMILY.add("through a spectrum", lambda x: f.irfft(f.rfft(x) * 2, n=x.shape[-1]), t(3, 50), tolerance=(1e-5, 1e-5))
# Where a number has no imaginary part, the sign of that 0 says on which side of the cut of angles and powers it lies.
FAMILY.add("phases of inverses of real numbers", lambda x, y: (
    f.ifft(x).angle(), f.ihfft(x).angle(), f.ifft(y, n=5).log(), f.ifft(y, norm="ortho") ** torch.full((3, 6), 0.5), f.fft(x).angle(), f.rfft(y).angle()),
    t(3, 5), t(3, 6))  # fmt: skip
