# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""buddy.Session: state of programs, kept by sessions: in place, forked, rewound, saved, on several threads."""

import random
import struct
import subprocess
import sys
import threading

import pytest
import torch
from conftest import close, shared_runtime
from test_programs import private_dirty
from torch.export import Dim, export
from torch.export.pt2_archive._package import package_pt2

import buddy

LENGTH, WIDTH = 32, 8


class Cached(torch.nn.Module):
    """Sums what it has seen, row by row, and counts."""

    def __init__(self, length=LENGTH, width=WIDTH):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)
        self.register_buffer("cache", torch.zeros(1, length, width))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x, position):
        rows = torch.arange(x.shape[1]) + position
        self.cache.index_copy_(1, rows, self.linear(x))
        self.count.add_(1)
        seen = torch.arange(self.cache.shape[1]) <= rows[-1]
        return (self.cache * seen[None, :, None]).sum(1) + self.count


class Growing(torch.nn.Module):
    """Two caches in and out, which grow by what is new."""

    def forward(self, x, past_key_values_0, past_key_values_1):
        first, second = torch.cat([past_key_values_0, x], 1), torch.cat([past_key_values_1, 2 * x], 1)
        return first.sum(1) + second.sum(1), first, second


class Starting(torch.nn.Module):
    def forward(self, x):
        return 3 * x.sum(1), x + 0, 2 * x


def position(number):
    return torch.tensor(number)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """(the module, the path of its archive, which has two programs)"""
    torch.manual_seed(0)
    module, path = Cached().eval(), tmp_path_factory.mktemp("session") / "cached.pt2"
    exported = {name: export(module, (torch.randn(1, n, WIDTH), position(0))) for name, n in (("prefill", 4), ("decode", 1))}
    package_pt2(str(path), exported_programs=exported)
    return module, path


@pytest.fixture(scope="module", params=[True, False], ids=["cache", "jit"])
def models(archive, request):
    return buddy.load_programs(archive[1], cache=request.param)


@pytest.fixture(scope="module")
def growing(tmp_path_factory):
    path = tmp_path_factory.mktemp("session") / "growing.pt2"
    x, n, past = torch.randn(1, 2, WIDTH), Dim("n", min=1, max=64), Dim("past", min=0, max=64)
    cache = torch.randn(1, 3, WIDTH)
    package_pt2(str(path), exported_programs={
        "prefill": export(Starting(), (x,), dynamic_shapes=({1: n},)),
        "decode": export(Growing(), (x, cache, cache.clone()), dynamic_shapes=({1: n}, {1: past}, {1: past})),
    })  # fmt: skip
    return buddy.load_programs(path)


class Eager:
    """The same steps in PyTorch."""

    def __init__(self, module):
        self.module = module
        self.state = {name: torch.zeros_like(buffer) for name, buffer in module.named_buffers()}

    def step(self, x, at):
        with torch.no_grad():
            return torch.func.functional_call(self.module, self.state, (x, at))


def steps(session, inputs):
    """Prefill and decode, all results."""
    results = [session.step(inputs[0], position(0), model="prefill")]
    return results + [session.step(x, position(4 + i), model="decode") for i, x in enumerate(inputs[1:])]


def drawn(n, seed):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(1, 4, WIDTH, generator=generator)] + [torch.randn(1, 1, WIDTH, generator=generator) for _ in range(n)]


def same(ours, theirs):
    assert all(torch.equal(a, b) for a, b in zip(ours, theirs, strict=True))


def test_two_programs_share_one_state(archive, models):
    inputs, eager = drawn(12, 1), Eager(archive[0])
    expected = [eager.step(inputs[0], position(0))]
    expected += [eager.step(x, position(4 + i)) for i, x in enumerate(inputs[1:])]
    session = buddy.Session(models)
    assert session.states == ["cache", "count"] and session.n_bytes == 0
    assert [port.name for port in session.inputs("decode")] == ["x", "position"]
    close(steps(session, inputs), expected)
    close(session["cache"], eager.state["cache"])
    assert session["count"].item() == 13 and session.n_bytes == 4 * LENGTH * WIDTH + 8
    session.rewind()
    assert not session["cache"].any() and session["count"] == 0
    close(steps(session, inputs), expected)
    # The models' own state is another.
    close(models["decode"](inputs[1], position(0)), Eager(archive[0]).step(inputs[1], position(0)))


class Read(torch.nn.Module):
    """One program writes to a tensor of the module; others do with it what `way` says."""

    def __init__(self, way, kind):
        super().__init__()
        self.register_buffer("total", torch.zeros(3)) if kind == "buffer" else setattr(
            self, "total", torch.nn.Parameter(torch.zeros(3)) if kind == "parameter" else torch.zeros(3))
        self.way = way

    def forward(self, x):
        with torch.no_grad():
            if self.way == "written":
                self.total.add_(x)
            if self.way == "kept":
                self.total.copy_(self.total)
        return {"read": self.total + x, "given": self.total, "kept": self.total + x}.get(self.way, 2 * x)


@pytest.mark.parametrize("way", ["read", "given", "kept", "neither"])
@pytest.mark.parametrize("kind", ["buffer", "parameter", "attribute"])
def test_a_tensor_that_another_program_reads(tmp_path, kind, way):
    path, x = tmp_path / "read.pt2", torch.ones(3)
    package_pt2(str(path), exported_programs={name: export(Read(name, kind), (x,)) for name in ("written", way)})
    words = [sys.executable, "-m", "buddy", "compile", path, "-o", tmp_path / "both.so", "--runtime", shared_runtime()]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 0
    for models in (buddy.load_programs(path), buddy.load_programs(tmp_path / "both.so", names=("written", way))):
        if way in ("read", "given"):
            with pytest.raises(buddy.InvalidArgumentError, match="total.*model 1.*as a constant"):
                buddy.Session(models)
            assert torch.equal(models[way](x), Read(way, kind)(x))
            continue
        session = buddy.Session(models)
        session.step(x, model="written")
        assert torch.equal(session.step(x, model=way), 2 * x)


def test_a_cache_stays_where_it_is(models):
    session = buddy.Session(models)
    x = drawn(1, 2)
    steps(session, x)
    before = session.address("cache")
    steps(session, x)
    assert session.address("cache") == before


def test_a_step_moves_no_cache(tmp_path):
    class Writing(Cached):
        def forward(self, x, position):
            self.cache.index_copy_(1, position[None], self.linear(x))
            return self.cache[:, :4].sum(1)

    width, length = 64, 1 << 18  # 64 MiB
    module = Writing(length, width).eval()
    path = tmp_path / "large.pt2"
    torch.export.save(export(module, (torch.randn(1, 1, width), position(0))), path)
    session = buddy.Session(buddy.load(path, threads=1))
    address, before = session.address("cache"), private_dirty()
    for i in range(3):
        session.step(torch.randn(1, 1, width), position(i))
    assert session.address("cache") == address
    assert private_dirty() - before < 4 * length * width / 8


def test_interleaved_sessions_are_as_alone(models):
    alone = {seed: steps(buddy.Session(models), drawn(9, seed)) for seed in range(3)}
    sessions = {seed: buddy.Session(models) for seed in range(3)}
    results = {seed: [session.step(drawn(9, seed)[0], position(0), model="prefill")] for seed, session in sessions.items()}
    for i in range(9):
        for seed, session in sessions.items():
            results[seed].append(session.step(drawn(9, seed)[1 + i], position(4 + i), model="decode"))
    for seed in alone:
        same(results[seed], alone[seed])


def test_fork_diverges_and_rewinds(models):
    inputs, others = drawn(6, 3), drawn(6, 4)
    straight = buddy.Session(models)
    expected = steps(straight, inputs)
    session = buddy.Session(models)
    session.step(inputs[0], position(0), model="prefill")
    fork = session.fork()
    assert fork.address("cache") == session.address("cache"), "nothing is copied before it is written"
    kept = fork["cache"]
    for i, x in enumerate(others[1:]):
        session.step(x, position(4 + i), model="decode")
    assert torch.equal(fork["cache"], kept)
    assert fork.address("cache") != session.address("cache")
    for _ in range(2):
        session.rewind(fork)
        same([session.step(x, position(4 + i), model="decode") for i, x in enumerate(inputs[1:])], expected[1:])
    same([fork.step(x, position(4 + i), model="decode") for i, x in enumerate(inputs[1:])], expected[1:])
    del session, straight
    assert torch.isfinite(fork.fork()["cache"]).all()
    with pytest.raises(buddy.InvalidArgumentError, match="forked"):
        fork.rewind(buddy.Session(models))


def test_what_is_refused_changes_nothing(models):
    session = buddy.Session(models)
    steps(session, drawn(2, 5))
    before = session["cache"], session["count"]
    for arguments in [(torch.randn(1, 2, WIDTH), position(0)), (torch.randn(1, 1, WIDTH + 1), position(0)),
                      (torch.randn(1, 1, WIDTH).double(), position(0)), (torch.randn(1, 1, WIDTH),)]:  # fmt: skip
        with pytest.raises(buddy.InvalidArgumentError):
            session.step(*arguments, model="decode")
    with pytest.raises(buddy.InvalidArgumentError, match="'prefill', 'decode'"):
        session.step(torch.randn(1, 1, WIDTH), position(0))
    same((session["cache"], session["count"]), before)
    with pytest.raises(buddy.InvalidArgumentError):
        session.step(torch.randn(1, 1, WIDTH), position(LENGTH), model="decode")  # found in the middle
    session.step(torch.randn(1, 1, WIDTH), position(LENGTH - 1), model="decode")


def test_files(models, tmp_path):
    session, path = buddy.Session(models), tmp_path / "state"
    steps(session, drawn(3, 6))
    session.save(path)
    other = buddy.Session(models)
    other.load(path)
    x = torch.randn(1, 1, WIDTH)
    assert torch.equal(other.step(x, position(7), model="decode"), session.step(x, position(7), model="decode"))
    buddy.Session(models).save(tmp_path / "empty")
    other.load(tmp_path / "empty")
    assert not other["cache"].any()


def test_files_of_others_are_refused_whole(models, tmp_path):
    session, path = buddy.Session(models), tmp_path / "state"
    steps(session, drawn(3, 7))
    session.save(path)
    good, before = path.read_bytes(), session["cache"]
    draw = random.Random(0)
    hostile = [good[:n] for n in (0, 1, 39, 40, len(good) - 8)] + [good + bytes(8), b"\x7fELF" + good[4:]]
    for _ in range(60):
        changed = bytearray(good)
        changed[draw.randrange(len(good))] ^= 1 << draw.randrange(8)
        hostile.append(bytes(changed))
    for data in hostile:
        path.write_bytes(data)
        with pytest.raises((buddy.CorruptError, buddy.IncompatibleError)):
            session.load(path)
        assert torch.equal(session["cache"], before)
    with pytest.raises(buddy.NotFoundError):
        session.load(tmp_path / "none")


def _hash(data):
    """As sdk/runtime/common.c computes it: what a forger would do, too."""
    odd, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
    lanes, n = [len(data), 1, 2, 3], len(data) // 32 * 32
    for at in range(0, n, 32):
        for i, word in enumerate(struct.unpack_from("<4Q", data, at)):
            lanes[i] = (lanes[i] ^ word) * odd & mask
            lanes[i] ^= lanes[i] >> 29
    result = 0
    for lane, word in zip(lanes, struct.unpack("<4Q", data[n:].ljust(32, b"\0"))):
        result = (result ^ lane ^ word) * odd & mask
        result ^= result >> 32
    return result


def test_forged_files_are_refused(models, tmp_path):
    """The checksum is right, and the numbers lie."""
    session, path = buddy.Session(models), tmp_path / "state"
    steps(session, drawn(3, 8))
    session.save(path)
    good, before = path.read_bytes(), session["cache"]
    assert struct.unpack_from("<Q", good, 24)[0] == _hash(good[40:])
    for number in (0, 1, 3, 255, 1 << 31, 1 << 62, (1 << 63) + 5, (1 << 64) - 1, (1 << 64) - 8):
        for at in [32, 40, 56, 64, 72, 80, 88]:  # values; bytes of a name; dtype, rank, sizes
            if struct.unpack_from("<Q", good, at)[0] == number:
                continue
            body = bytearray(good)
            struct.pack_into("<Q", body, at, number)
            struct.pack_into("<Q", body, 24, _hash(bytes(body[40:])))
            path.write_bytes(body)
            with pytest.raises((buddy.CorruptError, buddy.IncompatibleError)):
                session.load(path)
            assert torch.equal(session["cache"], before)


def test_threads_with_a_session_each(models):
    alone = {seed: steps(buddy.Session(models), drawn(20, seed)) for seed in range(4)}
    root = buddy.Session(models)
    results = {}

    def work(seed):
        session = root.fork()
        for _ in range(5):
            results[seed] = steps(session, drawn(20, seed))
            session.rewind(root)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in alone]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in alone:
        same(results[seed], alone[seed])


def test_a_tree_of_forks(models):
    """Joins, forks and drops at random: each is what the same steps are alone."""
    draw = random.Random(1)
    alive = [(buddy.Session(models), ())]
    for _ in range(200):
        session, history = alive[draw.randrange(len(alive))]
        choice = draw.random()
        if choice < 0.2 and len(alive) < 12:
            alive.append((session.fork(), history))
        elif choice < 0.3 and len(alive) > 1:
            alive.remove((session, history))
        elif len(history) < 20:
            seed = draw.randrange(1000)
            alive[alive.index((session, history))] = (session, (*history, seed))
            session.step(drawn(1, seed)[1], position(len(history)), model="decode")
    for session, history in alive:
        straight = buddy.Session(models)
        for i, seed in enumerate(history):
            straight.step(drawn(1, seed)[1], position(i), model="decode")
        assert torch.equal(session["cache"], straight["cache"]) and session["count"] == len(history)


def test_pairs_are_found_and_named(growing):
    named = [("prefill", 1, "past_key_values_0"), ("prefill", 2, "past_key_values_1"),
             ("decode", 1, "past_key_values_0"), ("decode", 2, "past_key_values_1")]  # fmt: skip
    for pairs in (None, named):
        session = buddy.Session(growing, pairs)
        assert session.states == ["past_key_values_0", "past_key_values_1"]
        assert [port.name for port in session.inputs("decode")] == ["x"] and len(session.outputs("decode")) == 1
        assert session["past_key_values_0"] is None
        with pytest.raises(buddy.InvalidArgumentError, match="no value yet"):
            session.step(torch.randn(1, 1, WIDTH), model="decode")
        rows = torch.randn(1, 5, WIDTH)
        close(session.step(rows, model="prefill"), 3 * rows.sum(1))
        for i in range(6):
            fork = session.fork() if i == 2 else None
            x = torch.randn(1, 1 + i % 2, WIDTH)
            rows = torch.cat([rows, x], 1)
            close(session.step(x, model="decode"), 3 * rows.sum(1), 1e-4)
            if fork:
                close(fork.step(x, model="decode"), 3 * rows.sum(1), 1e-4)
        close(session["past_key_values_1"], 2 * rows)
        for name in session.states:
            session[name] = torch.empty(1, 0, WIDTH)
        x = torch.randn(1, 1, WIDTH)
        close(session.step(x, model="decode"), 3 * x.sum(1))


def test_a_cache_that_the_model_reaches_by_another_name(tmp_path):
    """torch.export lists the buffer, which nothing reads, and a constant over the same memory (transformers' caches)."""

    class Twice(Cached):
        def __init__(self):
            super().__init__()
            self.layers = [self.cache]

        def forward(self, x, position):
            self.layers[0].index_copy_(1, position[None], x)
            return self.layers[0].sum(1)

    exported = export(Twice(), (torch.randn(1, 1, WIDTH), position(0)), strict=False)
    torch.export.save(exported, tmp_path / "twice.pt2")
    session = buddy.Session(buddy.load(tmp_path / "twice.pt2"))
    assert len(session.states) == 1
    x = torch.randn(1, 1, WIDTH)
    session.step(x, position(1))
    close(session.step(x, position(2)), 2 * x.sum(1))


def test_libraries(archive, models, tmp_path):
    """A program that was compiled ahead of time shares a state with one of the archive."""
    paths = {"own": tmp_path / "own.so", "shared": tmp_path / "shared.so"}
    for name, path in paths.items():
        words = [sys.executable, "-m", "buddy", "compile", archive[1], "--program", "decode", "-O0", "-o", path]
        words += ["--runtime", shared_runtime()] if name == "shared" else []
        subprocess.run(list(map(str, words)), check=True, timeout=200)
    inputs = drawn(5, 9)
    expected = steps(buddy.Session(models), inputs)
    close(steps(buddy.Session({**models, "decode": buddy.load(paths["shared"])}), inputs), expected)
    own, eager = buddy.load(paths["own"]), Eager(archive[0])
    for i, x in enumerate(inputs[1:]):
        close(own(x, position(i)), eager.step(x, position(i)))
    with pytest.raises(buddy.InvalidArgumentError, match="a runtime of its own"):
        buddy.Session(own)


def test_one_library_of_both_programs(archive, tmp_path):
    """State that the programs of one library share, as those of the archive do."""
    _, path = archive
    words = [sys.executable, "-m", "buddy", "compile", path, "-o", tmp_path / "both.so", "--runtime", shared_runtime()]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names, inputs = buddy.programs(path), drawn(5, 9)
    assert len(names) == 2
    ours, theirs = (steps(buddy.Session(buddy.load_programs(file, names)), inputs) for file in (tmp_path / "both.so", path))
    close(ours, theirs)


def test_no_pairs(growing):
    session = buddy.Session(growing, [])
    assert session.states == [] and len(session.inputs("decode")) == 3


@pytest.mark.parametrize("pairs", [[("decode", 9, "past_key_values_0")], [("decode", 1, "nobody")], [("decode", 0, "x")]])
def test_wrong_pairs(growing, pairs):
    with pytest.raises(buddy.InvalidArgumentError):
        buddy.Session(growing, pairs)


def test_wrong_states(models, growing):
    session = buddy.Session(models)
    with pytest.raises(KeyError):
        session["nobody"]
    with pytest.raises(KeyError):
        session["nobody"] = torch.zeros(1)
    with pytest.raises(buddy.InvalidArgumentError, match="another type"):
        session["cache"] = torch.zeros(1, LENGTH, WIDTH + 1)
    session["cache"] = torch.ones(LENGTH, 1, WIDTH).transpose(0, 1)
    assert session["cache"].all()
    assert buddy.Session([*models.values(), *growing.values()]).states[:2] == ["cache", "count"]
    assert buddy.Session([]).states == []


class Rows(torch.nn.Module):
    """A conversation a row, each at its own position: sums what it has seen."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(WIDTH, WIDTH)

    def forward(self, x, position, past_key_values):
        cache = past_key_values[0]
        cache[torch.arange(x.shape[0]), position] = self.linear(x)
        seen = torch.arange(cache.shape[1]) <= position[:, None]
        return (cache * seen[:, :, None]).sum(1)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """(the module, its model): the batch is a symbol, and the cache an input that the program writes to."""
    torch.manual_seed(1)
    module, path, b = Rows().eval(), tmp_path_factory.mktemp("session") / "rows.pt2", Dim("b", min=1, max=16)
    inputs = torch.randn(3, WIDTH), torch.zeros(3, dtype=torch.int64), [torch.zeros(3, LENGTH, WIDTH)]
    with torch.no_grad():
        exported = export(module, inputs, dynamic_shapes=({0: b}, {0: b}, [{0: b}]), strict=False)
    torch.export.save(exported, path)
    return module, buddy.load(path, threads=1)


@pytest.mark.parametrize("batches", [True, False])
def test_a_batch_of_conversations(rows, batches):
    """Of different lengths, which join, fork and leave: each is as it is in PyTorch alone."""
    module, model = rows
    draw, generator = random.Random(2), torch.Generator().manual_seed(2)
    talks = []
    for _ in range(120):
        if len(talks) < 2 or (draw.random() < 0.2 and len(talks) < 20):
            talks.append([buddy.Session(model, batches=batches), torch.zeros(1, LENGTH, WIDTH), 0])
        elif draw.random() < 0.15:
            session, cache, at = draw.choice(talks)
            talks.append([session.fork(), cache.clone(), at])
        elif draw.random() < 0.1:
            talks.pop(draw.randrange(len(talks)))
        some = [talk for talk in talks if draw.random() < 0.8 and talk[2] < LENGTH]
        inputs = [(torch.randn(1, WIDTH, generator=generator), torch.tensor([at])) for _, _, at in some]
        results = buddy.step_all([session for session, _, _ in some], inputs)
        for talk, (x, at), result in zip(some, inputs, results, strict=True):
            with torch.no_grad():
                close(result, module(x, at, [talk[1]]))
            close(talk[0]["past_key_values_0"], talk[1])
            talk[2] += 1
    assert buddy.step_all([], []) == []


def test_a_batch_stays_where_it_is(rows):
    sessions = [buddy.Session(rows[1]) for _ in range(5)]
    for position in range(3):
        inputs = [(torch.randn(1, WIDTH), torch.tensor([position])) for _ in sessions]
        buddy.step_all(sessions, inputs)
        addresses = [session.address("past_key_values_0") for session in sessions]
        if position:
            assert addresses == before
        before = addresses
    gaps = {b - a for a, b in zip(sorted(before), sorted(before)[1:])}
    assert gaps == {4 * LENGTH * WIDTH}, "one after the other"


def test_batches_that_are_refused(rows, models):
    good, bad = buddy.Session(rows[1]), buddy.Session(rows[1])
    x, at = torch.randn(1, WIDTH), torch.tensor([0])
    with pytest.raises(buddy.InvalidArgumentError):
        buddy.step_all([good, bad], [(x, at), (x, torch.tensor([LENGTH]))])
    assert good["past_key_values_0"].any() and not bad["past_key_values_0"].any()
    with pytest.raises(buddy.InvalidArgumentError, match="2 inputs"):
        buddy.step_all([good], [(x,)])
    with pytest.raises(buddy.InvalidArgumentError, match="inputs for 1"):
        buddy.step_all([good, bad], [(x, at)])
    with pytest.raises(buddy.InvalidArgumentError, match="writes to no input"):
        buddy.Session(rows[1], [(0, None, "x")])
    results = buddy.step_all([buddy.Session(models), buddy.Session(models)], [(torch.randn(1, 1, WIDTH), position(0))] * 2, "decode")
    same(results[:1], results[1:])  # in turn: buffers are of one conversation


class Noting(torch.nn.Module):
    """Writes to an input that is no state, and to one that is another's."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x, notes):
        self.count.add_(1)
        notes.add_(x)
        return notes.sum() + self.count


def byte_swapped(array):
    return array.astype(array.dtype.newbyteorder())


FORMS = {
    "as it is": lambda x: x.clone(),
    "strided": lambda x: torch.stack([x, x], 1)[:, 0],
    "conjugate": lambda x: x.conj().clone().conj(),
    "negative": lambda x: (x * -1j).conj().imag if x.dtype == torch.float64 else x.clone(),
    "array": lambda x: x.numpy().copy(),
    "reversed array": lambda x: x.numpy()[::-1].copy()[::-1],
    "bytes swapped": lambda x: byte_swapped(x.numpy()),
}


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex64])
@pytest.mark.parametrize("way", ["step", "step_all", "model"])
def test_what_a_step_writes_comes_back(way, dtype, tmp_path):
    """Into an input in whatever form it came, where that is no state."""
    x, path = torch.arange(4).to(dtype) + 1j if dtype.is_complex else torch.arange(4).to(dtype), tmp_path / "noting.pt2"
    torch.export.save(export(Noting(), (x, x.clone())), path)
    model = buddy.load(path)
    session = buddy.Session(model, pairs=[])
    call = {"step": session.step, "step_all": lambda *given: buddy.step_all([session], [given])[0], "model": model}[way]
    for count, (name, make) in enumerate(FORMS.items(), 1):
        notes = make(x)
        close(call(x, notes), (2 * x).sum() + count)
        assert (notes == (2 * x if isinstance(notes, torch.Tensor) else 2 * x.numpy())).all(), name
    notes = x.numpy().copy()
    notes.flags.writeable = False
    with pytest.raises(buddy.InvalidArgumentError, match="notes: the program writes to it, and this array is read-only"):
        call(x, notes)


def test_pairs_of_outputs_that_are_none(archive):
    models = buddy.load_programs(archive[1])
    for output in (-1, -7, 1 << 64, 1.0, "0"):
        with pytest.raises(buddy.InvalidArgumentError, match=f"a number from 0 on, or None, and not {output!r}"):
            buddy.Session(models, pairs=[("decode", output, "x")])
    with pytest.raises(buddy.InvalidArgumentError, match="99"):
        buddy.Session(models, pairs=[("decode", 99, "x")])
    with pytest.raises(buddy.InvalidArgumentError):
        buddy.Session(models, pairs=[("decode", None, "x")])  # the model does not write to it
