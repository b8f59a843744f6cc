# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What models of files are called with: arrays of NumPy however they lie, and arguments that nest."""

import collections
import math
import subprocess
import sys
import threading

import numpy
import pytest
import torch
from conftest import close, shared_runtime
from torch.fx.experimental.proxy_tensor import make_fx

import buddy
from buddy.compiler.frontend import DynamoCompiler


class Adding(torch.nn.Module):
    def forward(self, x):
        return x + 1


class Writing(torch.nn.Module):
    def forward(self, x):
        return x.add_(1) * 2


class Nested(torch.nn.Module):
    """No two of its arguments may change places."""

    def forward(self, table, pair, *, named=None):
        first = table["b"] - 2 * table["a"] + 4 * pair[0] - 8 * pair[1]["k"]
        return first if named is None else first + 16 * named["y"] - 32 * named["x"]


@pytest.fixture(scope="module")
def load(tmp_path_factory):
    """A model by the way to it: an archive, a library, and a library with a runtime of its own."""
    folder, loaded = tmp_path_factory.mktemp("arguments"), {}

    def load(way, module, *args, **kwargs):
        first = torch.utils._pytree.tree_leaves(args)[0]
        key = f"{type(module).__name__}_{len(kwargs)}_{first.dim()}_{str(first.dtype).removeprefix('torch.')}"
        path = folder / f"{key}.pt2"
        if not path.exists():
            torch.export.save(torch.export.export(module, args, kwargs), path)
        if way != "archive" and (way, key) not in loaded:
            library = folder / f"{key}_{way}.so"
            options = ["--runtime", shared_runtime()] if way == "library" else []
            subprocess.run([sys.executable, "-m", "buddy", "compile", path, "-o", library, *options], check=True, timeout=200)
            loaded[way, key] = library
        return buddy.load(path if way == "archive" else loaded[way, key])

    return load


WAYS = ("archive", "library", "own")
LAYOUTS = {  # of [3, 4]
    "dense": lambda a: a,
    "transposed": lambda a: numpy.asfortranarray(a),
    "reversed": lambda a: a[::-1].copy()[::-1],
    "all reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "every second": lambda a: numpy.repeat(a, 2, axis=1)[:, ::2],
    "reversed columns": lambda a: numpy.repeat(a, 3, axis=1)[:, ::-3][:, ::-1],
    "other bytes first": lambda a: a.astype(a.dtype.newbyteorder()),
    "unaligned": lambda a: numpy.frombuffer(bytearray(b"x" + a.tobytes()), a.dtype, offset=1).reshape(a.shape),
    "in a record": lambda a: numpy.rec.fromarrays([a, a.astype("i1")], names="a,b")["a"],
}


def array():
    return numpy.arange(12, dtype=numpy.float32).reshape(3, 4)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("way", WAYS)
def test_arrays_lie_as_they_like(load, way, layout):
    """PyTorch's own reader of a reversed array ends the process."""
    given = LAYOUTS[layout](array())
    assert numpy.array_equal(given, array())
    close(load(way, Adding(), torch.zeros(3, 4))(given), torch.from_numpy(array() + 1))
    assert numpy.array_equal(given, array())
    given.flags.writeable = False
    close(load(way, Adding(), torch.zeros(3, 4))(given), torch.from_numpy(array() + 1))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("way", WAYS)
def test_what_is_written_is_in_the_array(load, way, layout):
    given = LAYOUTS[layout](array())
    close(load(way, Writing(), torch.zeros(3, 4))(given), torch.from_numpy(2 * array() + 2))
    assert numpy.array_equal(given, array() + 1)
    given = LAYOUTS[layout](array())
    given.flags.writeable = False
    with pytest.raises(buddy.InvalidArgumentError, match="x: the program writes to it, and this array is read-only"):
        load(way, Writing(), torch.zeros(3, 4))(given)
    assert numpy.array_equal(given, array())


@pytest.mark.parametrize("way", WAYS)
def test_what_is_written_is_in_the_tensor(load, way):
    """Where the program gets a copy: a conjugate, and one with its sign in a bit."""
    for view in (torch.conj, lambda x: x.conj().imag):
        given, expected = (view(torch.ones(3, dtype=torch.complex64)) for _ in range(2))
        close(load(way, Writing(), torch.zeros(3, dtype=given.dtype))(given), Writing()(expected))
        close(given, expected)


def test_importers_write_into_arrays():
    compiler = DynamoCompiler()
    compiler.importer_by_export(Writing(), torch.zeros(3, 4))
    given = array()[::-1]
    compiler.compiled()(torch.zeros(3, 4))
    executable = compiler.imported_graphs[0].compile()
    close(executable([given])[0], torch.from_numpy(2 * array()[::-1].copy() + 2))
    assert numpy.array_equal(given, (array() + 1)[::-1])


@pytest.mark.parametrize("way", WAYS)
def test_scalars_and_what_is_no_array(load, way):
    model = load(way, Adding(), torch.tensor(1.0))
    for two in (numpy.float32(2), numpy.array(2, numpy.float32), numpy.array(2, ">f4"), torch.tensor(2.0)):
        assert model(two).item() == 3
    for wrong in (numpy.array("x"), numpy.array(None), numpy.zeros((), "f4,f4"), numpy.datetime64("2020-01-01")):
        with pytest.raises(buddy.InvalidArgumentError, match=r"^x: an array of .* is no tensor"):
            model(wrong)
    for wrong in ("x", object()):
        with pytest.raises(buddy.InvalidArgumentError, match="x: a tensor is needed"):
            model(wrong)


def nested():
    a, b, c, d, x, y = (torch.full((3,), float(i)) for i in range(1, 7))
    return ({"b": b, "a": a}, (c, {"k": d})), {"named": {"y": y, "x": x}}


@pytest.mark.parametrize("has_names", [False, True])
def test_keys_may_come_in_any_order(load, has_names, tmp_path):
    args, kwargs = nested()
    kwargs = kwargs if has_names else {}
    model = load("archive", Nested(), *args, **kwargs)
    expected = Nested()(*args, **kwargs)
    turned = {name: dict(reversed(one.items())) for name, one in kwargs.items()}
    flat = torch.utils._pytree.tree_leaves((args, kwargs))
    compiler = DynamoCompiler()
    compiler.importer_by_export(model.path)
    for run in (model, compiler.compiled()):
        for table in (args[0], dict(reversed(args[0].items())), collections.OrderedDict(reversed(args[0].items()))):
            for pair in (args[1], [*args[1]]):
                close(run(table, pair, **kwargs), expected)
                close(run(table, pair, **turned), expected)
        close(run(*flat), expected)
        close(run(flat), expected)
        for wrong in ({"b": args[0]["b"]}, {"b": args[0]["b"], "c": args[0]["a"]}, {**args[0], "c": args[0]["a"]}):
            with pytest.raises(buddy.InvalidArgumentError, match="a dictionary is given, but the arguments do not nest"):
                run(wrong, args[1], **kwargs)


class Table(torch.nn.Module):
    def forward(self, table: dict[str, torch.Tensor], x: torch.Tensor):
        return table["b"] - 2 * table["a"] + 4 * x


def test_keys_may_come_in_any_order_on_every_road():
    (table, (x, _)), _ = nested()
    turned, expected = dict(reversed(table.items())), Table()(table, x)
    compiler = DynamoCompiler()
    roads = {
        "dynamo": lambda: compiler.importer(Table(), table, x),
        "export": lambda: compiler.importer_by_export(Table(), table, x),
        "named": lambda: compiler.importer_by_export(Table(), table=table, x=x),
        "make_fx": lambda: compiler.importer_by_fx(make_fx(lambda table, x: Table()(table, x))(table, x), table, x),
    }
    for name, road in roads.items():
        road()
        run = compiler.compiled()
        for one in (table, turned):
            results = run(x=x, table=one) if name == "named" else run(one, x)
            close(torch.utils._pytree.tree_leaves(results), [expected])
    compiled = torch.compile(Table(), backend="buddy")
    close([compiled(table, x), compiled(turned, x)], [expected, expected])


@pytest.mark.parametrize("way", WAYS[1:])
def test_a_library_knows_no_keys(load, way):
    args, _ = nested()
    model = load(way, Nested(), *args)
    close(model(*torch.utils._pytree.tree_leaves(args)), Nested()(*args))
    with pytest.raises(buddy.InvalidArgumentError, match="give tensors, flat or by name"):
        model(*args)


class Clamping(torch.nn.Module):
    def forward(self, x, low, high=math.inf, unused=math.nan):
        return x.clamp(min=low, max=high), high


def test_constants_that_are_not_finite(tmp_path):
    """JSON has them as texts."""
    x, path = torch.randn(3), tmp_path / "clamping.pt2"
    exported = torch.export.export(Clamping(), (x, -math.inf), {"high": math.inf, "unused": math.nan})
    torch.export.save(exported, path)
    compiler = DynamoCompiler()
    compiler.importer_by_export(exported)
    for run in (buddy.load(path), compiler.compiled()):
        close(run(x, -math.inf, high=math.inf, unused=float("nan"))[0], x)
        for low, high, unused in ((math.inf, math.inf, math.nan), (-math.inf, math.nan, math.nan), (-math.inf, math.inf, 0.0), (None, math.inf, math.nan)):
            with pytest.raises((buddy.InvalidArgumentError, RuntimeError), match="exported for|Expected input"):
                run(x, low, high=high, unused=unused)


class Said(torch.nn.Module):
    def forward(self, table, n):
        return table["b"] - n * table["a"], "text", None


class Unsaid(torch.nn.Module):
    def forward(self, table, n):
        return table["b"] - n * table["a"], table["a"] + 1


class Other(torch.nn.Module):
    def forward(self, table, n):
        return table["a"] - n * table["b"], "other"


@pytest.mark.parametrize("module", [Said(), Unsaid()])
def test_the_file_may_go(module, tmp_path, monkeypatch):
    """Texts among the results stay what they are; arguments are refused, and not mixed up, where another file has come to its name."""
    table = {"b": torch.ones(3), "a": torch.zeros(3)}
    turned, expected = {"a": table["a"], "b": table["b"]}, module(table, 2)
    monkeypatch.chdir(tmp_path)
    for name in ("stays", "goes", "changes"):
        torch.export.save(torch.export.export(module, (table, 2)), f"{name}.pt2")
    models = [buddy.load(f"{name}.pt2") for name in ("stays", "goes", "changes")]
    (tmp_path / "goes.pt2").unlink()
    torch.export.save(torch.export.export(Other(), (turned, 3)), "new.pt2")
    (tmp_path / "new.pt2").rename(tmp_path / "changes.pt2")
    monkeypatch.chdir("/")
    for i, model in enumerate(models):
        nested = [(turned, 2)] if i == 0 or isinstance(module, Said) else []
        for args in [(table["b"], table["a"]), *nested]:
            result = model(*args)
            close(result[0], expected[0])
            assert len(result) == len(expected) and (isinstance(module, Unsaid) or result[1:] == expected[1:])
        if not nested:
            with pytest.raises(buddy.InvalidArgumentError, match="the file does not tell"):
                model(turned, 2)


def test_parameters_whose_tensors_are_laid_out_anew():
    """At the same address: transposed, cut, or of another type."""
    linear, x = torch.nn.Linear(4, 4, bias=False).requires_grad_(False), torch.randn(2, 4)
    compiler = DynamoCompiler()
    compiler.importer_by_export(linear, x)
    run = compiler.compiled()
    with torch.no_grad():
        for change in (lambda w: w, torch.t, torch.t, lambda w: w.flip(0), lambda w: w[:, :1].expand(4, 4), lambda w: w.clone()):
            linear.weight.data = change(linear.weight.data)
            close(run(x), linear(x))
        weight = linear.weight.data
        for wrong, said in ((weight[:2], r"got f32\[2,4\]"), (weight.view(torch.int32), r"got i32\[4,4\]"), (weight[:, :3], r"got f32\[4,3\]")):
            linear.weight.data = wrong
            with pytest.raises(buddy.InvalidArgumentError, match=said):
                run(x)
        linear.weight.data = weight
        close(run(x), linear(x))


def test_a_library_is_what_it_was_compiled_as(load, tmp_path):
    """Whose options would be left out without a word."""
    path = load("library", Adding(), torch.zeros(3, 4)).path
    for options in ({"weights": tmp_path / "other.safetensors"}, {"weight_names": {"a": "b"}}, {"sizes": {"x": (3, 4)}},
                    {"tensor_parallel": 2}, {"pairs_in_place": True}):  # fmt: skip
        for way in ("library", "own"):
            with pytest.raises(buddy.InvalidArgumentError, match="cannot be had of a library"):
                buddy.load(load(way, Adding(), torch.zeros(3, 4)).path, **options)
    done = subprocess.run([sys.executable, "-m", "buddy", "run", path, "--sizes", "x=3x4"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "chosen sizes cannot be had of a library" in done.stderr


@pytest.mark.parametrize("wrong", [ValueError, KeyboardInterrupt])
def test_what_progress_raises_is_raised(load, wrong):
    """Once, and not before the compilation is through; Ctrl-C while a function of Python runs is one."""
    path, told = load("archive", Adding(), torch.zeros(3, 4)).path, []

    def progress(stage, fraction):
        told.append(stage)
        raise wrong("enough")

    with pytest.raises(wrong, match="enough"):
        buddy.load(path, cache=False, progress=progress)
    compiler = DynamoCompiler()
    compiler.importer_by_export(path)
    with pytest.raises(wrong, match="enough"):
        compiler.imported_graphs[0].compile(progress=progress)
    assert len(told) == 2
    close(compiler.compiled()(torch.zeros(3, 4)), torch.ones(3, 4))
    with pytest.raises(buddy.InvalidArgumentError, match="progress=5: a function"):
        buddy.load(path, progress=5)


@pytest.mark.parametrize("options", [{"fallback": "eagre"}, {"cache": "no"}, {"registries": 5}, {"opt_level": "3"}, {"collectives": []}])
def test_options_of_the_backend_are_checked(options):
    (name,) = options
    with pytest.raises(Exception, match=f"{name}=.*(known are|is needed)"):
        torch.compile(Adding(), backend="buddy", options=options)(torch.zeros(3))


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(100000))

    def forward(self, x):
        self.total.add_(x)
        return self.total.sum()


def test_sessions_that_are_gone_back_to_take_their_turn(tmp_path):
    """A fork is stepped on one thread, gone back to on another, and the other way round."""
    path = tmp_path / "counting.pt2"
    torch.export.save(torch.export.export(Counting(), (torch.ones(100000),)), path)
    first = buddy.Session(buddy.load(path))
    second, failures = first.fork(), []
    assert first.rewind(first) is None
    with second._lock:  # as while a step goes on
        waiting = threading.Thread(target=first.rewind, args=(second,), daemon=True)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
    waiting.join(60)
    assert not waiting.is_alive()

    def work(mine, other):
        try:
            for _ in range(200):
                mine.step(torch.ones(100000))
                mine.rewind(other)
                assert mine["total"].unique().numel() == 1  # of one step, and not of half of it
                assert mine.n_bytes == 400000
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=pair) for pair in ((first, second), (second, first))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not failures and not any(thread.is_alive() for thread in threads)
