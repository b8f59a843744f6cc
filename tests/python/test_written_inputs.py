# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs that a program writes to: in place where they lie, and as eager leaves them whatever they share memory with."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from conftest import close
from torch.export import Dim, export

import buddy

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from archive import rewrite  # noqa: E402


class Writing(torch.nn.Module):
    """Writes a row of a cache, and reads another tensor afterwards."""

    def forward(self, cache, rows, x, other):
        cache[rows] = x
        return other.sum(0) + cache[rows].sum(0)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    n = Dim("n", min=1, max=1 << 20)
    example = (torch.randn(5, 64), torch.tensor([1, 3]), torch.randn(2, 64), torch.randn(3, 64))
    exported = export(Writing(), example, dynamic_shapes=({0: n}, None, None, None))
    path = tmp_path_factory.mktemp("written") / "writing.pt2"
    torch.export.save(exported, path)
    return buddy.load(path, threads=1)


def both(model, make):
    """Results and inputs of ours, and of eager where no input shares memory with another."""
    ours, alone = make(), [tensor.clone() for tensor in make()]
    expected = Writing()(*alone)
    close(model(*ours), expected)
    close(ours[0], alone[0])
    return ours


@pytest.mark.parametrize("rows", [4, 5, 33])
def test_written_as_eager(model, rows):
    torch.manual_seed(rows)
    seed = torch.randn(rows, 64), torch.tensor([rows - 1, 0]), torch.randn(2, 64), torch.randn(3, 64)
    both(model, lambda: [tensor.clone() for tensor in seed])
    both(model, lambda: [seed[0].t().contiguous().t(), *(tensor.clone() for tensor in seed[1:])])  # columns lie together


@pytest.mark.parametrize("begin", [0, 1, 3])
def test_what_shares_memory_is_read_as_it_was(model, begin):
    """`other` and `x` are rows of the cache itself."""
    torch.manual_seed(begin)
    memory = torch.randn(6, 64)

    def make():
        cache = memory.clone()
        return [cache, torch.tensor([1, 4]), cache[begin : begin + 2], cache[begin : begin + 3]]

    ours = both(model, make)
    assert not torch.equal(ours[0], memory)


def test_what_is_refused_writes_nothing(model):
    cache = torch.zeros(4, 64)
    for arguments in [(torch.tensor([0, 1]), torch.ones(2, 63), torch.ones(3, 64)), (torch.tensor([0, 1]), torch.ones(2, 64))]:
        with pytest.raises(buddy.InvalidArgumentError):
            model(cache, *arguments)
    assert not cache.any()


def kibibytes(name):
    return int(next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name)).split()[1])


def test_nothing_is_copied(model):
    cache, others = torch.ones(1 << 18, 64), (torch.randn(2, 64), torch.randn(3, 64))  # 64 MiB
    Path("/proc/self/clear_refs").write_text("5")  # the largest size so far is that of now
    before = kibibytes("VmRSS")
    for row in range(3):
        model(cache, torch.tensor([row, (1 << 18) - 1 - row]), *others)
    assert kibibytes("VmHWM") - before < (64 << 10) / 8
    assert torch.equal(cache[2], others[0][0]) and torch.equal(cache[-3], others[0][1])


# What an archive says of a new value is checked against what it goes into: nothing of another shape or dtype is copied there.
class Writes(torch.nn.Module):
    def __init__(self, dtype=torch.float32):
        super().__init__()
        self.register_buffer("kept", torch.zeros(4))
        self.dtype = dtype

    def forward(self, x, y):
        self.kept.add_(1)
        x.add_(1)
        return (y * 2).to(self.dtype)


def forged(path, kind, dtype, is_dynamic):
    """The output that is to be the new value of an input or buffer, and the user's, trade places."""
    dims = {"x": {0: Dim("n", max=4096)}, "y": {0: Dim("m", max=4096)}} if is_dynamic else None
    exported = export(Writes(dtype=dtype), (torch.zeros(4), torch.zeros(1000)), dynamic_shapes=dims)
    torch.export.save(exported.run_decompositions({}), path)  # which says the writes as outputs

    def edit(name, data):
        if not name.endswith("models/model.json"):
            return data
        program = json.loads(data)
        module = program["graph_module"]
        new, mine = (next(i for i, one in enumerate(module["signature"]["output_specs"]) if name in one) for name in (kind, "user_output"))
        names = [json.dumps(module["graph"]["outputs"][i]["as_tensor"]["name"]) for i in (new, mine)]
        for part in (module["signature"]["output_specs"], module["graph"]["outputs"]):
            text = [json.dumps(part[i]) for i in (new, mine)]
            assert names[0] in text[0] and names[1] in text[1]
            part[new], part[mine] = json.loads(text[0].replace(*names)), json.loads(text[1].replace(*names[::-1]))
        return json.dumps(program).encode()

    rewrite(path, path.with_suffix(".forged.pt2"), edit)
    return path.with_suffix(".forged.pt2")


@pytest.mark.parametrize("is_ahead", [False, True])
@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int8])
@pytest.mark.parametrize("kind", ["user_input_mutation", "buffer_mutation"])
def test_a_new_value_of_another_type_is_refused(tmp_path, kind, dtype, is_dynamic, is_ahead):
    path = forged(tmp_path / "written.pt2", kind, dtype, is_dynamic)
    x, y = torch.zeros(4), torch.ones(1000)
    with pytest.raises((buddy.BuddyError, subprocess.CalledProcessError)) as refused:
        if is_ahead:
            library = tmp_path / "written.so"
            subprocess.run([sys.executable, "-m", "buddy", "compile", path, "-o", library], check=True, capture_output=True, text=True)
            path = library
        model = buddy.load(path)
        for _ in range(3):
            model(x, y)
    text = getattr(refused.value, "stderr", None) or str(refused.value)
    assert "kept" in text or "x" in text
    assert x.equal(torch.zeros(4)) and len(text.strip().splitlines()) < 4


@pytest.mark.parametrize("is_ahead", [False, True])
def test_new_values_of_the_same_type_go_on(tmp_path, is_ahead):
    """The same archive where the sizes happen to agree: the values trade places, and nothing else."""
    path = forged(tmp_path / "written.pt2", "user_input_mutation", torch.float32, True)
    if is_ahead:
        subprocess.run([sys.executable, "-m", "buddy", "compile", path, "-o", tmp_path / "written.so"], check=True)
        path = tmp_path / "written.so"
    x, y = torch.zeros(6), torch.arange(6.0)
    close(buddy.load(path)(x, y), torch.ones(6))
    close(x, y * 2)


class Unit(torch.nn.Module):
    def forward(self, x):
        return x / x.norm()

    def right_inverse(self, x):
        return x * 2


class Iterating(torch.nn.Module):
    """An assignment to what is parametrized: set_() of a parameter or a buffer."""

    def __init__(self, is_buffer):
        super().__init__()
        self.w, start = torch.nn.Parameter(torch.rand(4, 4)), torch.rand(4, 1)
        if is_buffer:
            self.register_buffer("u", start)
        else:
            self.u = torch.nn.Parameter(start, requires_grad=False)
        torch.nn.utils.parametrize.register_parametrization(self, "u", Unit())

    def forward(self, x):
        for _ in range(2):
            self.u = self.w @ self.u
        return x @ self.u


class Setting(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.register_buffer("state", torch.rand(4, 4))
        self.function = function

    def forward(self, x, y):
        return self.function(self.state, x, y)


def what_was_taken_before_stays(state, x, y):
    made, other = x + 1, y * 2
    row, same = made[0], made.detach()
    made.set_(other)
    other.mul_(3)  # seen through `made`
    row.add_(1)  # seen through `same` alone
    made[1].sub_(5)
    return made, other, row, same


def of_another_shape(state, x, y):
    made = x + 1
    made.set_(y[:2].t())
    made.mul_(2)
    return made, made.t() + 1, y


def of_a_view(state, x, y):
    product = state @ x
    state.set_(product.t())
    product.add_(1)
    return state + y


def of_an_input(state, x, y):
    x.add_(1)
    x.set_(y * 2)
    x.add_(state)
    return x + y


@pytest.mark.parametrize("make", [lambda: Iterating(False), lambda: Iterating(True), *(
    lambda one=one: Setting(one) for one in (what_was_taken_before_stays, of_another_shape, of_a_view, of_an_input))])
def test_set_as_eager(make, tmp_path):
    torch.manual_seed(0)
    module, inputs = make(), [torch.rand(4, 4), torch.rand(4, 4)]
    inputs = inputs[:1] if isinstance(module, Iterating) else inputs
    torch.export.save(export(module, tuple(inputs)), tmp_path / "set.pt2")
    ours = buddy.load(tmp_path / "set.pt2", threads=1)
    for _ in range(3):
        given, alone = [one.clone() for one in inputs], [one.clone() for one in inputs]
        close(ours(*given), module(*alone))
        for a, b in zip(given, alone):
            close(a, b)


@pytest.mark.parametrize("function,words", [
    (lambda state, x, y: state.set_(y).sum() + x, "the memory of another input"),
    (lambda state, x, y: state.set_(x[0]).sum() + y, "a tensor of another type")])
def test_set_that_the_next_run_would_have_to_know_is_refused(function, words, tmp_path):
    torch.export.save(export(Setting(function), (torch.rand(4, 4), torch.rand(4, 4))), tmp_path / "set.pt2")
    with pytest.raises(buddy.UnsupportedError, match=words):
        buddy.load(tmp_path / "set.pt2")(torch.rand(4, 4), torch.rand(4, 4))
