# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of images whose sizes only a run knows, or all: eager's numbers, whatever the order of the sizes and on any number of threads."""

import copy
from pathlib import Path

import pytest
import torch
from torch import nn

import buddy

AUTO = torch.export.Dim.AUTO


class Residual(nn.Module):
    """What is added lies where the sum is stored, or elsewhere."""

    def __init__(self, width: int, stride: int = 1, groups: int = 1) -> None:
        super().__init__()
        self.first = nn.Conv2d(8, width, 1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, stride, 1, groups=groups)
        self.around = nn.Conv2d(width, width, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.norm(self.first(x)))
        return torch.relu(self.second(y) + (y if self.around.stride == (1, 1) else self.around(y)))


class Branches(nn.Module):
    """A net that goes down and up again."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Conv2d(8, 32, 3, 2, 1)
        self.deep = nn.Conv2d(32, 32, 3, 1, 1)
        self.up = nn.ConvTranspose2d(32, 16, 2, 2)
        self.end = nn.Conv2d(16, 5, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.end(self.up(nn.functional.silu(self.deep(torch.relu(self.down(x))))))


class Frames(nn.Module):
    """What lies in the middle of a frame is added later, too."""

    def __init__(self, width: int, last: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(8, width, 1)
        self.whole = nn.Conv2d(width, width, 3, 1, 1)
        self.each = nn.Conv2d(width, width, 3, 1, 1, groups=width)
        self.last = nn.Conv2d(width, 8, last, 1, last // 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.first(x)
        z = self.whole(y) + y
        for _ in range(2):
            z = torch.relu(self.each(z)) + z
        return self.last(z * y)


class Tokens(nn.Module):
    """Tokens that become an image, and tokens again."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.before, self.after = nn.Linear(8, width), nn.Linear(width, 8)
        self.each, self.whole = nn.Conv2d(width, width, 3, 1, 1, groups=width), nn.Conv2d(8, 8, 3, 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.before(x.flatten(2).transpose(1, 2)).transpose(1, 2)
        y = self.each(y.view(y.shape[0], y.shape[1], x.shape[2], x.shape[3])).flatten(2).transpose(1, 2)
        y = self.after(nn.functional.gelu(y)).transpose(1, 2)
        return self.whole(y.view(x.shape)) + x


class Gated(nn.Module):
    """Channels, and then places, by what is in all of them: means and maxima that keep the axes they are over."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.last = nn.Conv2d(8, width, 3, 1, 1), nn.Conv2d(width, 8, 1)
        self.less, self.more = nn.Conv2d(width, 4, 1), nn.Conv2d(4, width, 1)
        self.places = nn.Conv2d(2, 1, 5, 1, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = nn.functional.silu(self.first(x))
        y = y * torch.sigmoid(self.more(torch.relu(self.less(y.mean((2, 3), keepdim=True)))))
        y = y * nn.functional.hardsigmoid(y.amax((2, 3), keepdim=True)) / (1 + y.square().mean(3, keepdim=True).sqrt())
        places = torch.cat([y.mean(1, keepdim=True), y.amax(1, keepdim=True)], 1)
        return self.last(y * torch.sigmoid(self.places(places)) + y.softmax(1))


class Functions(nn.Module):
    """Of every kind of convolution, what follows has functions: of what was stored before, too, and of several things."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.deep = nn.Conv2d(8, width, 1), nn.Conv2d(width, 2 * width, 1)
        self.each = nn.Conv2d(2 * width, 2 * width, 3, 1, 1, groups=2 * width)
        self.groups, self.whole = nn.Conv2d(2 * width, width, 3, 2, 1, groups=2 - width % 2), nn.Conv2d(width, width, 3, 1, 1)
        self.last = nn.ConvTranspose2d(width, 8, 2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        f = nn.functional
        y = f.silu(self.first(x))
        z = f.gelu(self.each(torch.sigmoid(self.deep(y)) + 1))
        z = f.silu(self.groups(z))
        z = f.gelu(self.whole(z)) + z
        return torch.erf(self.last(z * torch.exp(-self.whole(z).square())))


def chain(*layers: nn.Module) -> nn.Module:
    return nn.Sequential(*layers)


# By name: the module, how many axes its images have, and their least size.
MODULES = {
    "1x1": (lambda: chain(nn.Conv2d(8, 24, 1), nn.ReLU(), nn.Conv2d(24, 8, 1)), 2, 1),
    "3x3": (lambda: chain(nn.Conv2d(8, 20, 3), nn.GELU(), nn.Conv2d(20, 20, 3, padding=1)), 2, 3),
    "fewer multiplications": (lambda: chain(nn.Conv2d(8, 48, 1), nn.ReLU(), nn.Conv2d(48, 64, 3, 1, 1), nn.ReLU(),
                                            nn.Conv2d(64, 40, 3, 1, 1)), 2, 1),
    "steps": (lambda: chain(nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 16, 5, 3, 2)), 2, 1),
    "steps of one axis": (lambda: nn.Conv2d(8, 16, (3, 1), (2, 1), (1, 0)), 2, 1),
    "holes": (lambda: nn.Conv2d(8, 16, 3, 1, 2, 2), 2, 1),
    "groups": (lambda: Residual(32, 1, 4), 2, 1),
    "groups in fewer multiplications": (lambda: Residual(128, 1, 2), 2, 1),
    "small groups": (lambda: Residual(32, 2, 8), 2, 1),
    "depthwise": (lambda: chain(nn.Conv2d(8, 20, 1), nn.SiLU(), nn.Conv2d(20, 20, 3, 1, 1, groups=20), nn.ReLU(),
                                nn.Conv2d(20, 20, 5, 2, 2, groups=20), nn.Conv2d(20, 8, 1)), 2, 1),
    "residual": (lambda: Residual(40), 2, 1),
    "residual of steps": (lambda: Residual(40, 2), 2, 1),
    "branches": (Branches, 2, 2),
    "frames": (lambda: Frames(16, 1), 2, 1),
    "frames of many": (lambda: Frames(36, 3), 2, 1),
    "tokens": (lambda: Tokens(32), 2, 1),
    "gated": (lambda: Gated(24), 2, 1),
    "gated in odd numbers": (lambda: Gated(19), 2, 1),
    "functions": (lambda: Functions(24), 2, 1),
    "functions of many": (lambda: Functions(72), 2, 1),
    "functions of odd numbers": (lambda: Functions(19), 2, 1),
    "pools": (lambda: chain(nn.Conv2d(8, 16, 3, 1, 1), nn.MaxPool2d(3, 2, 1), nn.Conv2d(16, 16, 1), nn.AvgPool2d(2, 1)), 2, 3),
    "many": (lambda: chain(nn.Conv2d(8, 520, 1), nn.ReLU(), nn.Conv2d(520, 70, 3, 1, 1)), 2, 1),
    "lines": (lambda: chain(nn.Conv1d(8, 32, 3, 1, 1), nn.GELU(), nn.Conv1d(32, 16, 4, 2), nn.Conv1d(16, 16, 3, 1, 1, groups=4),
                            nn.Conv1d(16, 16, 3, 1, 1, groups=16)), 1, 8),
    "volumes": (lambda: chain(nn.Conv3d(8, 16, 3, 1, 1), nn.ReLU(), nn.Conv3d(16, 12, (1, 3, 3), (1, 2, 2))), 3, 3),
    "transposed": (lambda: chain(nn.ConvTranspose2d(8, 24, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(24, 8, 3, 1, 1)), 2, 1),
}
SIZES = ((9, 12, 11), (3, 3, 5), (33, 8, 10), (16, 57, 3), (8, 9, 31), (14, 14, 14))


def runs_of(axes: int, least: int) -> list[tuple[int, ...]]:
    """Among them the least sizes that there are, and one axis alone at its least."""
    ends = [(least,) * axes, (least, *(10,) * (axes - 1)), (*(10,) * (axes - 1), least)]
    return [*(tuple(max(n, least) for n in sizes[:axes]) for sizes in SIZES), *ends]


def unknown(axes: int, of: str) -> dict[int, object]:
    known = {"all": range(axes + 2), "places": range(2, axes + 2), "last": (axes + 1,), "first": (2,), "batch": (0,), "none": ()}
    return {k: AUTO for k in known[of] if k != 1}


@pytest.mark.parametrize("of", ["all", "places", "last", "first", "none"])
@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_images_of_any_size(name: str, of: str, tmp_path: Path) -> None:
    make, axes, least = MODULES[name]
    torch.manual_seed(0)
    module = make().eval()
    dims = unknown(axes, of)
    like = torch.randn(2, 8, *(12, 14, 10)[:axes])
    program = torch.export.export(module, (like,), dynamic_shapes=(dims,) if dims else None)
    torch.export.save(program, tmp_path / "model.pt2")
    model = buddy.load(tmp_path / "model.pt2", cache=False)
    for k, sizes in enumerate(runs_of(axes, least)):
        batch = (k % 3 if 0 in dims else 2,)
        shape = [n if i in dims else m for i, (n, m) in enumerate(zip((*batch, 8, *sizes), like.shape, strict=True))]
        x = torch.randn(shape)
        with torch.no_grad():
            try:
                program.module()(x)
            except AssertionError:  # a size that the archive itself refuses
                continue
            expected = module(x)
        model.set_threads(1 + k % 2)
        for _ in range(2):
            got = model(x)
            assert got.shape == expected.shape, shape
            if got.numel():
                error = (got - expected).abs().max() / expected.abs().max()
                assert error < 1e-5, (shape, float(error))


@pytest.mark.parametrize("of", ["all", "batch", "none"])
@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_images_of_bf16(name: str, of: str, tmp_path: Path) -> None:
    """As near to float64 as eager: what follows a convolution is rounded at the same places."""
    make, axes, least = MODULES[name]
    torch.manual_seed(0)
    exact = make().eval().bfloat16().double()
    module = copy.deepcopy(exact).bfloat16()
    dims = unknown(axes, of)
    like = torch.randn(2, 8, *(12, 14, 10)[:axes]).bfloat16()
    program = torch.export.export(module, (like,), dynamic_shapes=(dims,) if dims else None)
    torch.export.save(program, tmp_path / "model.pt2")
    model = buddy.load(tmp_path / "model.pt2", cache=False)
    for k, sizes in enumerate(runs_of(axes, least)):
        shape = [n if i in dims else m for i, (n, m) in enumerate(zip((k % 3, 8, *sizes), like.shape, strict=True))]
        x = torch.randn(shape).bfloat16()
        with torch.no_grad():
            try:
                program.module()(x)
            except AssertionError:  # a size that the archive itself refuses
                continue
            expected, true = module(x), exact(x.double())
        model.set_threads(1 + k % 2)
        got = model(x)
        assert got.shape == expected.shape, shape
        if got.numel():
            of_ours, of_eager = ((y.double() - true).abs().max() for y in (got, expected))
            assert of_ours <= 2 * of_eager + 1e-6 * true.abs().max(), (shape, float(of_ours), float(of_eager))


class Cropped(nn.Module):
    """A part of known size of an image of any size is added to what is of known size."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.padded, self.beside = nn.Conv2d(8, 16, 1), nn.Conv2d(16, 16, 3, 1, 1), nn.Conv2d(8, 16, 1)

    def forward(self, x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        y = self.first(x)
        return torch.relu(self.beside(z) + y[:, :, 2:10, 1:9]) + self.padded(y).mean()


def test_parts_of_known_size(tmp_path: Path) -> None:
    torch.manual_seed(0)
    module, z = Cropped().eval(), torch.randn(1, 8, 8, 8)
    program = torch.export.export(module, (torch.randn(1, 8, 14, 15), z), dynamic_shapes=({2: AUTO, 3: AUTO}, None))
    torch.export.save(program, tmp_path / "model.pt2")
    model = buddy.load(tmp_path / "model.pt2", cache=False)
    for sizes in ((14, 15), (20, 12), (33, 40), (14, 15)):
        x = torch.randn(1, 8, *sizes)
        with torch.no_grad():
            assert (model(x, z) - module(x, z)).abs().max() < 1e-5, sizes
