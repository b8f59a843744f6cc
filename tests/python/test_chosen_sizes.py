# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes that are chosen for inputs of symbolic programs (``--sizes``, ``buddy.load(sizes=)``): the numbers of every choice are those of
eager, and the code is that of a program that was exported with them."""

import subprocess
import sys

import pytest
import torch
from torch.export import Dim, export, save

import buddy


class Images(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv2d(3, 16, 3, padding=1)
        self.norm = torch.nn.GroupNorm(4, 16)
        self.last = torch.nn.Linear(16, 10)

    def forward(self, x, scale):
        return self.last(torch.relu(self.norm(self.first(x))).mean((2, 3))) * scale.sum(1, keepdim=True)


class Text(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(50, 32)
        self.layer = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)

    def forward(self, ids, lengths):
        seen = torch.arange(ids.shape[1]) < lengths[:, None]
        x = self.layer(self.words(ids), src_key_padding_mask=~seen)
        return x.masked_fill(~seen[:, :, None], 0), x[:, -1] * ids.shape[0], seen.sum() + ids.shape[1] // 2


class Even(torch.nn.Module):
    def forward(self, x, y):
        return torch.cat([x, y]) * (2 if x.shape[0] % 2 == 0 else 3)


def images(n, height, width):
    return torch.randn(n, 3, height, width), torch.randn(n, 5)


def text(n, length):
    return torch.randint(0, 50, (n, length)), torch.randint(1, length + 1, (n,))


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    batch, height, width, length = Dim("batch", max=64), Dim("height"), Dim("width"), Dim("length", max=128)
    programs = {
        "images": (Images(), images(4, 8, 12), ({0: batch, 2: 2 * height, 3: width}, {0: batch})),
        "text": (Text(), text(2, 9), ({0: batch, 1: length}, {0: batch})),
        "even": (Even(), (torch.randn(4, 3), torch.randn(5, 3)), ({0: Dim.AUTO}, {0: Dim.AUTO})),
    }
    paths = {}
    for name, (module, inputs, dims) in programs.items():
        paths[name] = folder / f"{name}.pt2"
        save(export(module.eval(), inputs, dynamic_shapes=dims), paths[name])
    return paths


def same(model, eager, inputs):
    results, wanted = model(*inputs), eager(*inputs)
    for result, want in zip(results if isinstance(results, tuple) else (results,), wanted if isinstance(wanted, tuple) else (wanted,)):
        assert result.dtype == want.dtype
        torch.testing.assert_close(result, want, rtol=2e-5, atol=2e-5)


CHOICES = [
    ("images", {"x": (1, 3, 8, 8)}, images, [(1, 8, 8)]),
    ("images", {"x": (7, 3, None, 31)}, images, [(7, 2, 31), (7, 30, 31)]),
    ("images", {"x": (None, 3, 16, 16), "scale": (None, 5)}, images, [(1, 16, 16), (3, 16, 16)]),
    ("images", {"x": (None, None, None, None)}, images, [(2, 4, 5)]),
    ("images", {"scale": (0, 5)}, images, [(0, 8, 8)]),
    ("text", {"ids": (1, 1)}, text, [(1, 1)]),
    ("text", {"ids": (None, 33)}, text, [(1, 33), (5, 33)]),
    ("text", {"lengths": (3,)}, text, [(3, 1), (3, 17), (3, 64)]),
    ("text", {"ids": (16, 128)}, text, [(16, 128)]),
]


@pytest.mark.parametrize(("name", "sizes", "make", "runs"), CHOICES, ids=[f"{name}-{sizes}" for name, sizes, _, _ in CHOICES])
def test_numbers_are_those_of_eager_in_every_run(archives, name, sizes, make, runs):
    eager = torch.export.load(archives[name]).module()
    model = buddy.load(archives[name], sizes=sizes, cache=False)
    with torch.no_grad():
        for shape in runs * 2:
            same(model, eager, make(*shape))


def test_other_inputs_are_refused(archives):
    model = buddy.load(archives["text"], sizes={"ids": (2, 7)})
    assert [port.sizes for port in model.inputs] == [(2, 7), (2,)]
    with pytest.raises(buddy.BuddyError, match=r"ids: .*expected i64\[2,7\]"):
        model(*text(2, 8))


def test_code_of_each_choice_is_kept_for_itself(archives, tmp_path, monkeypatch):
    monkeypatch.setenv("BUDDY_CACHE_DIR", str(tmp_path / "cache"))
    for _ in range(2):
        for sizes in ({"ids": (1, 5)}, {"ids": (2, 5)}, None):
            model = buddy.load(archives["text"], sizes=sizes)
            shape = (sizes or {"ids": (3, 5)})["ids"]
            same(model, torch.export.load(archives["text"]).module(), text(*shape))


def test_choices_share_weights(archives):
    eager = torch.export.load(archives["images"]).module()
    models = [buddy.load(archives["images"], sizes={"x": (n, 3, 16, 16)}) for n in (1, 4)] + [buddy.load(archives["images"])]
    buddy._buddy.share_models([model._runner.program for model in models])
    with torch.no_grad():
        for model, n in zip(models, (1, 4, 2)):
            same(model, eager, images(n, 16, 16))


def test_conditions_that_the_sizes_break_are_told(archives):
    eager = torch.export.load(archives["even"]).module()
    for n in (0, 2, 8):
        model = buddy.load(archives["even"], sizes={"x": (n, 3)})
        for rows in (0, 1, 5):
            same(model, eager, (torch.randn(n, 3), torch.randn(rows, 3)))
    with pytest.raises(buddy.BuddyError, match=r"never holds: \(x.size\(\)\[0\] % 2\) == 0"):
        buddy.load(archives["even"], sizes={"x": (7, 3)})


@pytest.mark.parametrize("sizes", [3, "x=3", {"x": 3}, {"x": ("a",)}, {"x": (1.5, 3)}])
def test_what_is_no_choice_is_refused(archives, sizes):
    with pytest.raises(buddy.InvalidArgumentError, match="sizes"):
        buddy.load(archives["even"], sizes=sizes)


def test_a_number_that_is_an_input_is_not_chosen_beside(tmp_path):
    class Counted(torch.nn.Module):
        def forward(self, x, n):
            return x + n

    save(export(Counted(), (torch.randn(4), 4), dynamic_shapes=({0: Dim.AUTO}, Dim.AUTO)), tmp_path / "n.pt2")
    model = buddy.load(tmp_path / "n.pt2", sizes={"x": (3,)})
    assert torch.equal(model(torch.zeros(3), 2), torch.full((3,), 2.0))
    assert torch.equal(model(torch.zeros(3), 5), torch.full((3,), 5.0))


def buddy_command(*words):
    return subprocess.run([sys.executable, "-m", "buddy", *map(str, words)], capture_output=True, text=True, check=False)


def test_a_choice_becomes_tosa_alone(archives, tmp_path):
    module, sizes = tmp_path / "text.mlir", ("--sizes", "x=2x3x8x8")
    done = buddy_command("import", archives["images"], *sizes, "--registries", "tosa:composite:func", "-o", module)
    assert done.returncode == 0, done.stderr
    assert "tosa.conv2d" in module.read_text() and "linalg." not in module.read_text()


def test_a_choice_becomes_a_library(archives, tmp_path):
    library = tmp_path / "images.so"
    done = buddy_command("compile", archives["images"], "--sizes", "x=2x3x8x8", "-o", library)
    assert done.returncode == 0, done.stderr
    with torch.no_grad():
        same(buddy.load(library), torch.export.load(archives["images"]).module(), images(2, 8, 8))


@pytest.mark.parametrize("verb", ["import", "explain", "profile"])
def test_verbs_tell_what_cannot_be_chosen(archives, verb):
    done = buddy_command(verb, archives["images"], "--sizes", "z=3")
    assert done.returncode == 1 and "it takes x, scale" in done.stderr, done.stderr


COPIES = {  # of an image of 4, and views of an image of 1
    "contiguous": lambda x: x[:, 1].contiguous(),
    "contiguous part": lambda x: x.unbind(1)[-1].contiguous(),
    "flatten": lambda x: x[:, 1].flatten(),
    "ravel": lambda x: x[:, 2].ravel(),
    "reshape": lambda x: x.transpose(0, 1).reshape(-1),
    "squeeze": lambda x: x[:, 1:2].squeeze(1).contiguous(),
    "channels last": lambda x: x[None, :, 1:].contiguous(memory_format=torch.channels_last),
}
PLACES = {
    "read": lambda v: v.as_strided((2, 2), (2, 1), 0) * 1,
    "read from where it begins": lambda v: v.as_strided((3,), (1,)) * 1,
    "scatter": lambda v: v.as_strided_scatter(torch.ones(2), (2,), (1,)),
    "write": lambda v: v.as_strided((2,), (1,)).add_(1) * 1,
    "move": lambda v: v.as_strided_((2, 2), (2, 1), 1) * 1,
    "add": lambda v: v.add_(1) * 1,
}


class Places(torch.nn.Module):
    def __init__(self, copy, place):
        super().__init__()
        self.copy, self.place = copy, place

    def forward(self, x):
        y = self.copy(x)
        return self.place(y), y * 1, x * 1


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("copy", COPIES)
def test_copies_that_a_choice_makes_views(copy, place, tmp_path):
    """Where sizes are not chosen, those that make one of them a view are refused if that can be told from the results."""
    example = torch.arange(60.0).reshape(4, 3, 5)
    program = export(Places(COPIES[copy], PLACES[place]), (example,), dynamic_shapes={"x": {0: Dim("images")}})
    save(program, tmp_path / "model.pt2")
    anyone = buddy.load(tmp_path / "model.pt2", opt_level=0)
    for n in (1, 2, 4):
        x = torch.arange(15.0 * n).reshape(n, 3, 5)
        expected = program.module()(x.clone())
        chosen = buddy.load(tmp_path / "model.pt2", opt_level=0, sizes={"x": tuple(x.shape)})
        torch.testing.assert_close(tuple(chosen(x.clone())), tuple(expected), rtol=0, atol=0)
        try:
            got = anyone(x.clone())
        except buddy.BuddyError as error:
            assert n == 1 and "so that it is a copy" in str(error), error
        else:
            torch.testing.assert_close(tuple(got), tuple(expected), rtol=0, atol=0)
