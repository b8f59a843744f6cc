# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""buddy.load: archives, and what `buddy compile` writes, called from Python."""

import ctypes
import gc
import shutil
import subprocess
import sys

import numpy
import pytest
import torch
from conftest import buddy_libraries, close, shared_runtime

import buddy


class Several(torch.nn.Module):
    """Sizes that change, a result whose size only the run tells, None, and a number."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x, y):
        return self.linear(x), torch.nonzero(y), None, x.shape[0] + 1


INPUTS = torch.tensor([1.0, 0.0, 3.0])


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """(the module, the path of its archive)"""
    torch.manual_seed(0)
    model, path = Several().eval(), tmp_path_factory.mktemp("model") / "several.pt2"
    shapes = {"x": {0: torch.export.Dim("n", min=1, max=64)}, "y": None}
    torch.export.save(torch.export.export(model, (torch.randn(5, 4), INPUTS), dynamic_shapes=shapes), path)
    return model, path


def built(archive, folder, name, *options):
    command = [sys.executable, "-m", "buddy", "compile", archive, "-o", folder / name, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return folder / name


def check(model, loaded):
    assert [port.name for port in loaded.inputs] == ["x", "y"] and loaded.inputs[0].sizes == (-1, 4)
    assert [port.dtype for port in loaded.outputs] == [torch.float32, torch.int64, None, torch.int64]
    with torch.no_grad():
        for n in (1, 7):
            x = torch.randn(4, n).t()  # strided
            expected = model(x, INPUTS)
            ours = loaded(x, INPUTS)
            close(ours[:2], expected[:2])
            assert ours[2] is None and ours[3].item() == n + 1
        close(loaded(x, y=INPUTS.numpy())[0], expected[0])
    with pytest.raises(buddy.InvalidArgumentError, match=r"f32\[.*4\]"):
        loaded(torch.randn(3, 5), INPUTS)
    with pytest.raises(buddy.InvalidArgumentError, match="takes 2 inputs"):
        loaded(x)
    with pytest.raises(buddy.InvalidArgumentError, match="no inputs are called"):
        loaded(x, INPUTS, z=x)


def test_archive(archive):
    model, path = archive
    check(model, buddy.load(path))
    check(model, buddy.load(path, registries="linalg:*", opt_level=1, cache=False))


@pytest.mark.parametrize("options", [(), ("--weights", "inside")])
def test_library(archive, tmp_path, options):
    model, path = archive
    loaded = buddy.load(built(path, tmp_path, "several.so", *options))
    check(model, loaded)
    result = loaded(torch.randn(2, 4), INPUTS)[1]
    del loaded
    gc.collect()
    assert result.tolist() == [[0], [2]]  # memory of its own, which outlives the model


class Writing(torch.nn.Module):
    def forward(self, x, y):
        y.select(0, -1).fill_(x.sum())
        return x + y


@pytest.mark.parametrize("suffix", ["so", "pt2"])
def test_written_inputs(suffix, tmp_path):
    """What a run writes into an input is in the caller's tensor, however that lies in memory."""
    path = tmp_path / "writing.pt2"
    torch.export.save(torch.export.export(Writing(), (torch.randn(3, 4), torch.randn(3, 4))), path)
    model = buddy.load(built(path, tmp_path, "writing.so") if suffix == "so" else path)
    for lay_out in (torch.clone, lambda t: torch.zeros(3, 4, 2)[..., 1].copy_(t), lambda t: t.t().contiguous().t()):
        given = [lay_out(torch.randn(3, 4)) for _ in range(2)]
        theirs = [one.clone() for one in given]
        close([model(*given)], [Writing()(*theirs)])
        close(given, theirs)


class Scaled(torch.nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.full((3,), float(factor)))

    def forward(self, x):
        return x * self.factor + self.factor.sum() if self.factor.numel() == 3 else x


@pytest.mark.parametrize("weights", ["beside", "inside"])
@pytest.mark.parametrize("runtime", ["own", "shared"])
@pytest.mark.parametrize("is_kept", [True, False])
def test_a_library_that_is_compiled_again(weights, runtime, is_kept, tmp_path, monkeypatch):
    """The dynamic linker takes a name that it has loaded for the file that it was then; a second load gives the new file's model."""
    monkeypatch.chdir(tmp_path)
    options = ["--weights", weights, *(["--runtime", shared_runtime()] if runtime == "shared" else [])]
    kept, x = [], torch.ones(3)
    for factor in (1, 2, 3):
        torch.export.save(torch.export.export(Scaled(factor), (x,)), tmp_path / "scaled.pt2")
        built(tmp_path / "scaled.pt2", tmp_path, "again.so", *options)
        for path in (tmp_path / "again.so", "again.so"):
            model = buddy.load(path)
            close(model(x), Scaled(factor)(x).detach())
        if is_kept:
            kept.append(model)
    for factor, model in enumerate(kept, 1):
        close(model(x), Scaled(factor)(x).detach())
    if weights == "beside":
        (tmp_path / "again.weights").unlink()
        with pytest.raises(buddy.BuddyError, match=f"^({tmp_path}/again.so: )?{tmp_path}/again.weights: cannot be opened"):
            buddy.load(tmp_path / "again.so")


HELPERS = """if True:
    import os, sys, torch, buddy
    x = torch.randn(700, 700)
    for threads in (1, 3):
        model = buddy.load(sys.argv[1], threads=threads)
        before = set(os.listdir("/proc/self/task"))
        model(x)
        print(len(set(os.listdir("/proc/self/task")) - before))
"""


def test_time_limit(tmp_path):
    """A loop that nobody ends."""

    class Counting(torch.nn.Module):
        def forward(self, n, x):
            def is_less(i, n, x):
                return i < n

            def step(i, n, x):
                return i + 1, n.clone(), x + 1

            return torch._higher_order_ops.while_loop(is_less, step, (torch.zeros((), dtype=torch.int64), n, x))[2]

    def count(n):
        return model(torch.tensor(n), torch.zeros(3)).tolist()

    path = tmp_path / "counting.pt2"
    torch.export.save(torch.export.export(Counting(), (torch.tensor(3), torch.zeros(3))), path)
    model = buddy.load(path)
    model.set_time_limit(0.2)
    for _ in range(2):
        with pytest.raises(buddy.LimitError, match="longer than its time limit"):
            count(2**62)
        assert count(5) == [5] * 3
    model.set_time_limit(0)
    assert count(100_000) == [100_000] * 3
    for limit in (-1, "1", float("nan")):
        with pytest.raises(buddy.InvalidArgumentError, match="a time limit of"):
            model.set_time_limit(limit)


@pytest.mark.parametrize("suffix", ["so", "pt2"])
def test_threads(suffix, tmp_path):
    class Product(torch.nn.Module):
        def forward(self, x):
            return torch.tanh(x @ x)

    path = tmp_path / "product.pt2"
    torch.export.save(torch.export.export(Product(), (torch.randn(700, 700),)), path)
    model = built(path, tmp_path, "product.so") if suffix == "so" else path
    if suffix == "pt2":
        buddy.load(path)  # into the cache: what compiles has threads of its own
    with pytest.raises(buddy.InvalidArgumentError, match="threads=-1"):
        buddy.load(model, threads=-1)
    done = subprocess.run([sys.executable, "-c", HELPERS, model], capture_output=True, text=True, timeout=200)
    assert done.stdout.split() == ["0", "2"], done.stderr


def test_object(archive, tmp_path):
    """A .o becomes part of a library of one's own, whose functions are called as its header declares them."""
    compiler = shutil.which("cc")
    runtime = next(iter(buddy_libraries("libbuddy_runtime.a")), None)
    if not compiler or not runtime:
        pytest.skip("needs a C compiler, and libbuddy_runtime.a")
    model, path = archive
    built(path, tmp_path, "several.o")
    subprocess.run([compiler, "-shared", "-o", tmp_path / "own.so", tmp_path / "several.o", runtime, "-lm"], check=True)
    functions = ctypes.CDLL(str(tmp_path / "own.so"))
    functions.several_load.restype = ctypes.c_void_p
    why = ctypes.create_string_buffer(300)
    weights = str(tmp_path / "several.weights").encode()
    handle = functions.several_load(weights, why, ctypes.c_size_t(300))
    assert handle, why.value
    x, scores, number = torch.randn(2, 4), numpy.empty((2, 3), numpy.float32), ctypes.c_int64()
    found, sizes = ctypes.c_void_p(), (ctypes.c_int64 * 2)()
    code = functions.several_run(ctypes.c_void_p(handle), ctypes.c_int64(2), ctypes.c_void_p(x.data_ptr()),
                                 ctypes.c_void_p(INPUTS.data_ptr()), ctypes.c_void_p(scores.ctypes.data),
                                 ctypes.byref(found), sizes, ctypes.byref(number), why, ctypes.c_size_t(300))  # fmt: skip
    assert code == 0, why.value
    close(torch.from_numpy(scores), model(x, INPUTS)[0].detach())
    assert tuple(sizes) == (2, 1) and number.value == 3
    functions.several_destroy(ctypes.c_void_p(handle))


def test_what_is_no_model(tmp_path):
    with pytest.raises(FileNotFoundError):
        buddy.load(tmp_path / "nothing.so")
    other = next(line.split()[-1] for line in open("/proc/self/maps") if "libm.so" in line or "libm-" in line)
    shutil.copy(other, tmp_path / "other.so")
    with pytest.raises(buddy.InvalidArgumentError, match="holds no model"):
        buddy.load(tmp_path / "other.so")
    shutil.copy(other, tmp_path / "other.pt2")  # its name says what it is
    with pytest.raises(buddy.CorruptError, match="no archive"):
        buddy.load(tmp_path / "other.pt2")
    (tmp_path / "broken.so").write_bytes(b"\x7fELF and nothing after it")
    with pytest.raises(buddy.CorruptError, match="is not loaded"):
        buddy.load(tmp_path / "broken.so")
    (tmp_path / "text.pt2").write_text("no archive")
    with pytest.raises(buddy.BuddyError):
        buddy.load(tmp_path / "text.pt2")


def test_two_models_of_the_cache(tmp_path):
    """The code of each, though both come through descriptors that have the same number."""

    class Scaled(torch.nn.Module):
        def __init__(self, factor):
            super().__init__()
            self.factor = factor

        def forward(self, x):
            return x * self.factor

    x = torch.randn(3)
    for factor in (2.0, 3.0):
        torch.export.save(torch.export.export(Scaled(factor), (x,)), tmp_path / f"{factor}.pt2")
    models = [buddy.load(tmp_path / f"{factor}.pt2") for factor in (2.0, 3.0)]
    for model, factor in zip(models, (2.0, 3.0)):
        close(model(x), x * factor)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-4), (torch.bfloat16, 0.2)])
def test_any_number_of_rows(dtype, tolerance, tmp_path):
    """Few rows read the weights where they are; for many they are packed, and from the second time on kept."""

    class Layers(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.columns = torch.nn.Linear(300, 70)
            self.rows = torch.nn.Parameter(torch.randn(70, 133))

        def forward(self, x):
            return torch.relu(self.columns(x)) @ self.rows

    path, model = tmp_path / "layers.pt2", Layers().eval().to(dtype)
    shapes = ({0: torch.export.Dim("rows", max=512)},)
    x = torch.randn(300, 300).to(dtype)
    torch.export.save(torch.export.export(model, (x[:5],), dynamic_shapes=shapes), path)
    first = {}
    for threads in (1, 2):
        loaded = buddy.load(path, threads=threads)
        for n in (40, 8, 40, 9, 1, 300, 40, 8, 0):
            ours = loaded(x[:n])
            exact = model.double()(x[:n].double()).detach()
            model.to(dtype)
            torch.testing.assert_close(ours.double(), exact, rtol=0, atol=tolerance)
            assert torch.equal(ours, first.setdefault(n, ours))


class Constants(torch.nn.Module):
    def forward(self, x, n, s=None, *, flag=True, y=None, mode="abc"):
        return (x * n if flag else x) + y, mode, None, n, s


def test_constants_are_all_given_or_none(tmp_path):
    x, y = torch.rand(3), torch.rand(3)
    path = tmp_path / "constants.pt2"
    torch.export.save(torch.export.export(Constants(), (x, 3), {"flag": True, "y": y, "mode": "text"}), path)
    model = buddy.load(path)
    for args, kwargs in (((x, y), {}), ((x,), {"y": y}), ((x, 3), {"flag": True, "y": y, "mode": "text"}), ((x, 3, True, y, "text"), {})):
        result, mode, nothing, n, s = model(*args, **kwargs)
        close(result, x * 3 + y)
        assert (mode, nothing, int(n), s) == ("text", None, 3, None)
    for args, kwargs, why in (((x, 4, True, y, "text"), {}, "exported for n=3"), ((x, 3), {"flag": False, "y": y, "mode": "text"}, "flag=True"),
                              ((x, 3, True, y, None), {}, "mode='text'"), ((x, y, True, y, "text"), {}, "exported for n=3"),
                              ((x, 3), {"flag": True, "z": y, "mode": "text"}, r"no inputs are called \['z'\]"),
                              ((x, 3, y), {}, "all given, or none")):  # fmt: skip
        with pytest.raises(buddy.InvalidArgumentError, match=why):
            model(*args, **kwargs)
