# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with collectives, as several processes: values, bits, order, failures.

    python tests/dist/run_dist.py --build build [--cases FOLDER] [--only PATTERN] [--kills N]

Needs PyTorch, which exports the programs (export_dist.py; export_cut.py those that buddy cuts), unless --cases names what it has written. Each MPI whose compiler and
launcher are there is tried (mpicc.openmpi and mpirun.openmpi, mpicc.mpich and mpirun.mpich, as Debian calls them, else mpicc and
mpirun); a missing one is said to be skipped. What needs no second process runs over echo.c. The last line is
`N passed, N failed`.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

MARK = "BUDDY_TEST_RANKS"  # in the environment of all processes of a launch, so that they can be found
HEAD = 40  # bytes before each message, which say what it is (plugins/dist/call.c)
LIMIT, GRACE = 2, 5  # seconds that a rank may be silent, and until all others have ended then
OTHERS_SHARED = ("mpich_shar_tmp", "ucx_shm_posix_")  # names in /dev/shm by MPICH, and by UCX below it
WORDS = ["-std=c17", "-O2", "-fPIC", "-shared", f"-I{ROOT / 'include'}"]
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith(("BUDDY_", "OMPI_", "PMI"))}
# Ranks share the processors of a small machine, and tests may run as root in a container.
CLEAN |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
          "BUDDY_THREADS": "1"}


class Failure(Exception):
    pass


def expect(holds: object, text: str) -> None:
    if not holds:
        raise Failure(text)


def heed() -> None:
    """No signal is ignored, as nohup and shells have it."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Mpi:
    """A transport compiled by this MPI's compiler, and its launcher."""

    def __init__(self, name: str, compiler: str, launcher: str, folder: Path) -> None:
        self.name, self.launcher, self.folder = name, launcher, folder
        folder.mkdir(parents=True)
        subprocess.run([compiler, *WORDS, ROOT / "plugins" / "mpi" / "mpi.c", "-o", folder / "libbuddy_mpi.so"], check=True,
                       stderr=subprocess.DEVNULL)

    def environment(self, **more: str) -> dict[str, str]:
        return CLEAN | {"BUDDY_PLUGIN_PATH": str(self.folder)} | more


def find_mpis(folder: Path) -> list[Mpi]:
    found = []
    for name in ("openmpi", "mpich"):
        compiler, launcher = shutil.which(f"mpicc.{name}"), shutil.which(f"mpirun.{name}")
        if compiler and launcher:
            found.append(Mpi(name, compiler, launcher, folder / name))
        else:
            print(f"SKIPPED: {name} is not installed (mpicc.{name}, mpirun.{name})")
    compiler, launcher = shutil.which("mpicc"), shutil.which("mpirun")
    if not found and compiler and launcher:
        found.append(Mpi("mpi", compiler, launcher, folder / "mpi"))
    return found


class Suite:
    def __init__(self, build: Path, cases: Path, folder: Path) -> None:
        self.buddy, self.build, self.cases, self.folder = build / "bin" / "buddy", build, cases, folder
        self.echo = folder / "libbuddy_echo.so"
        subprocess.run(["cc", *WORDS, HERE / "echo.c", "-o", self.echo], check=True)
        self.n = 0
        self.cut_cases = cases / "cut"

    def out(self) -> Path:
        self.n += 1
        return self.folder / f"out{self.n}"

    # ---- Values ----
    def launch(self, mpi: Mpi, *words: object, n: int = 2, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [mpi.launcher, "-n", str(n), self.buddy, "run", *words]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=120,
                              env=mpi.environment(**environment))

    def values(self, mpi: Mpi, case: Path) -> None:
        out = self.out()
        out.mkdir()
        model = case / ("model.pt2" if (case / "model.pt2").exists() else "model%r.pt2")
        inputs = [word for i in range(len(list(case.glob("r0/in_*.npy")))) for word in ("-i", case / "r%r" / f"in_{i}.npy")]
        ranks = range(len(list(case.glob("r*"))))
        done = self.launch(mpi, model, *inputs, "-o", out / "r%r", "--repeat", 2, "--group", "turned=2,0,1", n=len(ranks))
        expect(done.returncode == 0, done.stdout + done.stderr)
        expect(done.stdout.count("ready in") == 1, "rank 0 alone reports")
        for rank in ranks:
            for i in range(len(list(case.glob(f"r{rank}/out_*.npy")))):
                got, wanted = (numpy.load(path) for path in (out / f"r{rank}" / f"output_{i}.npy", case / f"r{rank}" / f"out_{i}.npy"))
                self.compare(got, wanted, f"rank {rank}, output {i}", exactly=not case.name.startswith("decoder"))
        if case.name.startswith(("decoder", "reductions", "sixteen", "plain")):
            for path in sorted((out / "r0").iterdir()):
                expect(path.read_bytes() == (out / "r1" / path.name).read_bytes(), f"{path.name}: the ranks have other bits")

    @staticmethod
    def compare(got: numpy.ndarray, wanted: numpy.ndarray, what: str, exactly: bool) -> None:
        expect(got.shape == wanted.shape and got.dtype == wanted.dtype, f"{what}: {got.dtype}{got.shape}, not {wanted.dtype}{wanted.shape}")
        if not exactly:
            scale = abs(wanted).max()
            expect(abs(got - wanted).max() <= 1e-5 * scale, f"{what}: off by {abs(got - wanted).max() / scale:.2e} of the largest")
            return
        if got.dtype == numpy.uint16:  # bfloat16: its NaNs are alike
            nan = [(x & 0x7FFF) > 0x7F80 for x in (got, wanted)]
            expect((nan[0] == nan[1]).all() and (got[~nan[0]] == wanted[~nan[1]]).all(), f"{what}: other numbers")
        elif got.dtype.kind == "c":  # a product may be fused
            expect(numpy.allclose(got, wanted, rtol=1e-6, atol=1e-6), f"{what}: other numbers")
        else:
            expect(numpy.array_equal(got, wanted, equal_nan=got.dtype.kind == "f"), f"{what}: other numbers")

    # ---- Programs that are cut ----
    def cut(self, mpi: Mpi, case: Path) -> None:
        about = json.loads((case / "cut.json").read_text())
        plan = ["--plan", case / "plan.json"] if (case / "plan.json").exists() else []
        sets = sorted({int(path.stem.split("_")[1]) for path in case.glob("r0/in_*.npy")})
        inputs = [word for k in sets for i in range(len(list(case.glob(f"r0/in_{k}_*.npy")))) for word in ("-i", case / "r0" / f"in_{k}_{i}.npy")]
        for n in about["ranks"]:
            out = self.out()
            out.mkdir()
            done = self.launch(mpi, case / "model.pt2", "--tensor-parallel", n, *plan, *inputs, "-o", out / "r%r", n=n)
            expect(done.returncode == 0, done.stdout + done.stderr)
            for path in sorted(case.glob("r0/out_*.npy")):
                _, k, i = path.stem.split("_")
                name = Path(f"run_{k}" if int(k) else "", f"output_{i}.npy")
                self.near(numpy.load(out / "r0" / name), numpy.load(path), f"{n} ranks, set {k}, output {i}")
                for rank in range(1, n):
                    expect((out / f"r{rank}" / name).read_bytes() == (out / "r0" / name).read_bytes(), f"{name}: rank {rank} has other bits")
        n = max(about["ranks"][0], 2)
        done = subprocess.run([str(w) for w in (self.buddy, "explain", case / "model.pt2", "--tensor-parallel", n, *plan)], capture_output=True,
                              text=True, check=False, timeout=120, env=CLEAN)
        wanted = "{} products by columns, {} by rows, {} by columns and gathered".format(*about["products"])
        expect(done.returncode == 0 and wanted in done.stdout, f"not '{wanted}': {done.stdout[:600]} {done.stderr}")

    @staticmethod
    def near(got: numpy.ndarray, wanted: numpy.ndarray, what: str) -> None:
        expect(got.shape == wanted.shape and got.dtype == wanted.dtype, f"{what}: {got.dtype}{got.shape}, not {wanted.dtype}{wanted.shape}")
        most = 1e-5
        if got.dtype == numpy.uint16:  # bfloat16
            got, wanted = ((x.astype(numpy.uint32) << 16).view(numpy.float32) for x in (got, wanted))
            most = 1e-2
        if wanted.size == 0:
            return
        scale = abs(wanted).max()
        expect(abs(got - wanted).max() <= most * scale, f"{what}: off by {abs(got - wanted).max() / scale:.2e} of the largest")

    def cut_ahead(self, mpi: Mpi) -> None:
        """A library for each rank; another number of ranks, or another rank, is an error."""
        case, folder = self.cut_cases / "llama", self.out()
        folder.mkdir()
        inputs = ["-i", case / "r0" / "in_0_0.npy"]
        for rank in range(2):
            subprocess.run([str(w) for w in (self.buddy, "compile", case / "model.pt2", "-o", folder / f"model{rank}.so", "--tensor-parallel", 2, "--rank",
                                             rank, "--runtime", next((self.build / "lib").glob("libbuddy_runtime.so")))], check=True, capture_output=True, env=CLEAN)
        done = self.launch(mpi, folder / "model%r.so", *inputs, "-o", folder / "r%r")
        expect(done.returncode == 0, done.stdout + done.stderr)
        for rank in range(2):
            self.near(numpy.load(folder / f"r{rank}" / "output_0.npy"), numpy.load(case / "r0" / "out_0_0.npy"), f"rank {rank}")
        self.fails(self.launch(mpi, folder / "model0.so", *inputs, "--rank-limit", 20), "was cut for rank 0 of 2, and this is rank 1 of 2")

    def cut_words(self, mpi: Mpi) -> None:
        model, plan = self.cut_cases / "mlp" / "model.pt2", self.out()
        def explain(*words: object) -> subprocess.CompletedProcess[str]:
            return subprocess.run([str(w) for w in (self.buddy, "explain", model, *words)], capture_output=True, text=True, check=False,
                                  timeout=120, env=CLEAN)
        self.fails(self.launch(mpi, model, "--tensor-parallel", 3), "cut for 3 ranks, and runs on 2")
        for text, message in (('{"up": "colwise", "sideways": "rowwise"}', "sideways: the plan names a module of which no product"),
                              ('{"up": "packed_colwise"}', "cannot be cut 'packed_colwise'"), ('["up"]', "write an object of names"),
                              ('{"up": 3}', "$.up"), ("", "is empty"), ("{", "write an object of names")):
            plan.write_text(text)
            done = explain("--tensor-parallel", 2, "--plan", plan)
            self.fails(done, message)
            expect("save it again" not in done.stderr, done.stderr)
        self.fails(explain("--plan", plan), "--plan is for --tensor-parallel N")
        self.fails(explain("--tensor-parallel", 2, "--plan", self.folder / "none.json"), "none.json")
        done = self.launch(mpi, self.cut_cases / "mlp" / "model.pt2", "--tensor-parallel", 7, n=7)
        expect(done.returncode == 0 and "nothing is cut" in done.stderr, done.stdout + done.stderr)

    def cut_profile(self, mpi: Mpi) -> None:
        """The steps of one rank, or of all; each writes what has its number in its name."""
        out = self.out()
        out.mkdir()
        words = [self.buddy, "profile", self.cut_cases / "mlp" / "model.pt2", "--tensor-parallel", 2, "--steps"]
        def profile(*more: object) -> subprocess.CompletedProcess[str]:
            return subprocess.run([str(w) for w in (*words, *more)], capture_output=True, text=True, check=False, timeout=120,
                                  env=mpi.environment(BUDDY_MPIEXEC=mpi.launcher))
        done = profile("-o", out / "trace%r.json", "--node-data", out / "data.json")
        expect(done.returncode == 0 and done.stdout.count("SHARE") == 1 and "all_reduce" in done.stdout, done.stdout + done.stderr)
        expect(sorted(path.name for path in out.iterdir()) == ["data.json", "trace0.json", "trace1.json"], str(list(out.iterdir())))
        for rank in range(2):
            expect("all_reduce" in (out / f"trace{rank}.json").read_text(), f"rank {rank} has no sum in its trace")
        done = profile("--all-ranks")
        expect(done.returncode == 0 and "rank 0 of 2" in done.stdout and "rank 1 of 2" in done.stdout, done.stdout + done.stderr)

    # ---- Messages ----
    def fails(self, done: subprocess.CompletedProcess[str], *texts: str) -> None:
        output = done.stdout + done.stderr
        expect(done.returncode != 0, "it did not fail: " + output)
        for text in texts:
            expect(text in output, f"'{text}' is not in: {output}")

    def other_programs(self, mpi: Mpi) -> None:
        odd = self.cases / "odd"
        for a, b in (("sum", "gather"), ("sum", "max")):
            for rank, name in enumerate((a, b)):
                shutil.copy(odd / f"{name}.pt2", odd / f"{a}_{b}_{rank}.pt2")
            done = self.launch(mpi, odd / f"{a}_{b}_%r.pt2", "--rank-limit", 20)
            self.fails(done, "run different programs")

    def one_fails(self, mpi: Mpi) -> None:
        """A check of one rank's program: the other one does not wait for its time to be over."""
        start = time.monotonic()
        odd = self.cases / "odd"
        done = self.launch(mpi, odd / "checked.pt2", "-i", odd / "x%r.npy", "--rank-limit", 60)
        # MPICH's launcher may end the other one before it can say what it was told
        self.fails(done, ": x is to be positive" if mpi.name == "mpich" else "has failed in its run: x is to be positive")
        expect(time.monotonic() - start < 30, "the other rank waited")

    def groups(self, mpi: Mpi) -> None:
        pair = self.cases / "odd" / "pair.pt2"
        self.fails(self.launch(mpi, pair), "which ranks are in group 'pair' is not in the archive")
        for ranks in ("0,2", "0,0", "1,", ","):
            self.fails(self.launch(mpi, pair, "--group", f"pair={ranks}"), "group 'pair' is no list of ranks")
        self.fails(self.launch(mpi, pair, "--group", "pair=1"), "rank 0 is not in group 'pair'")
        done = self.launch(mpi, pair, "--group", "other=0", "--group", "pair=1,0")
        expect(done.returncode == 0, done.stdout + done.stderr)

    def launching(self, mpi: Mpi) -> None:
        model, environment = self.cases / "odd" / "sum.pt2", mpi.environment(BUDDY_MPIEXEC=mpi.launcher)
        def run(*words: object) -> subprocess.CompletedProcess[str]:
            return subprocess.run([str(w) for w in (self.buddy, "run", model, *words)], capture_output=True, text=True,
                                  check=False, timeout=120, env=environment)
        done = run("--ranks", 2, "--all-ranks")
        expect(done.returncode == 0 and "rank 0 of 2" in done.stdout and "rank 1 of 2" in done.stdout, done.stdout + done.stderr)
        expect(run("--ranks", 1).returncode == 0, "one rank is a world of its own")
        self.fails(run(), "was started alone")
        self.fails(run("--ranks", 0), "ranks")
        self.fails(self.launch(mpi, model, "--ranks", 3), "3 ranks are wanted, and 2 were started")
        environment["BUDDY_MPIEXEC"] = "no-such-launcher"
        self.fails(run("--ranks", 2), "no-such-launcher: cannot be started")

    def other_mpi(self, mpi: Mpi, other: Mpi) -> None:
        done = self.launch(mpi, self.cases / "odd" / "sum.pt2", BUDDY_PLUGIN_PATH=str(other.folder))
        self.fails(done, "of that mpirun")

    # ---- Ahead of time ----
    def compile(self, model: Path, *words: object) -> Path:
        out = self.out().with_suffix(".so")
        runtime = next((self.build / "lib").glob("libbuddy_runtime.so"))
        done = subprocess.run([self.buddy, "compile", model, "-o", out, "--runtime", runtime, *words], capture_output=True,
                              text=True, check=False, timeout=120, env=CLEAN)
        expect(done.returncode == 0, done.stderr)
        return out

    def ahead(self, mpi: Mpi) -> None:
        case = self.cases / "reductions_3x5"
        library, out = self.compile(case / "model.pt2"), self.out()
        out.mkdir()
        inputs = [word for i in range(len(list(case.glob("r0/in_*.npy")))) for word in ("-i", case / "r%r" / f"in_{i}.npy")]
        done = self.launch(mpi, library, *inputs, "-o", out / "r%r")
        expect(done.returncode == 0, done.stdout + done.stderr)
        for path in sorted(case.glob("r1/out_*.npy")):
            got = numpy.load(out / "r1" / path.name.replace("out_", "output_"))
            self.compare(got, numpy.load(path), path.name, exactly=True)

    # ---- torch.compile ----
    def torch_compile(self, launch: list[object], collectives: str, environment: dict[str, str]) -> None:
        """Programs of torch.distributed whose models go through torch.compile(backend="buddy")."""
        package = self.build / "python"
        if not package.exists():
            print("SKIPPED: the Python package was not built")
            return
        done = subprocess.run([str(w) for w in (*launch, HERE / "torchrun_program.py", collectives)], capture_output=True, text=True, check=False,
                              timeout=240, env=environment | {"PYTHONPATH": str(package), "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1"})
        expect(done.returncode == 0, done.stdout + done.stderr[-3000:])
        for rank in range(2):
            for name in ("functional", "in place", *(["several"] if collectives == "torch" else [])):
                expect(f"{rank} {name}: ok" in done.stdout, done.stdout)

    def torchrun(self) -> None:
        """The collectives are left to gloo."""
        self.torch_compile([sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", 2], "torch", CLEAN)

    def torch_by_mpi(self, mpi: Mpi) -> None:
        self.torch_compile([mpi.launcher, "-n", 2, sys.executable], "dist", mpi.environment())

    # ---- Ranks that die, or stop ----
    def marked(self, mark: str) -> dict[int, dict[str, str]]:
        found = {}
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit() or int(folder.name) == os.getpid():
                continue
            try:
                text = (folder / "environ").read_bytes().decode(errors="replace")
                state = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            variables = dict(item.split("=", 1) for item in text.split("\0") if "=" in item)
            if variables.get(MARK) == mark and state != "Z":
                found[int(folder.name)] = variables
        return found

    @staticmethod
    def shared() -> set[str]:
        with os.scandir("/dev/shm") as found:
            return {entry.name for entry in found if entry.is_file()}

    @staticmethod
    def is_mapped(name: str) -> bool:
        """By anybody: then it is of another program of this machine."""
        for path in Path("/proc").glob("[0-9]*/maps"):
            try:
                if name in path.read_text():
                    return True
            except OSError:
                continue
        return False

    @staticmethod
    def about(pid: int) -> str:
        """Its words, and where each of its threads waits."""
        try:
            words = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
            threads = [(task / "wchan").read_text() + (task / "stat").read_text().rsplit(")", 1)[1][:2] for task in Path(f"/proc/{pid}/task").iterdir()]
        except OSError as error:
            return str(error)
        return f"{pid}: {words} {threads}"

    def kill(self, mpi: Mpi, how: signal.Signals, by_buddy: bool) -> str:
        """Does so to rank 1 at a random moment of an endless run, which the launcher or `buddy run --ranks` started; gives what was said."""
        mark, before = f"{os.getpid()}-{random.random()}", self.shared()
        words = [str(self.buddy), "run", str(self.cases / "odd" / "long.pt2"), "--repeat", "1000000", "--rank-limit", str(LIMIT)]
        words = [*words, "--ranks", "2"] if by_buddy else [mpi.launcher, "-n", "2", *words]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env=mpi.environment(**{MARK: mark, "BUDDY_MPIEXEC": mpi.launcher}))
        try:
            victim, until = None, time.monotonic() + 20
            while victim is None and time.monotonic() < until:
                victim = next((pid for pid, variables in self.marked(mark).items()
                               if "1" in (variables.get("OMPI_COMM_WORLD_RANK"), variables.get("PMI_RANK"))), None)
            expect(victim is not None, "rank 1 did not start")
            time.sleep(random.uniform(0, 1.5))
            expect(process.poll() is None, "the run ended by itself")
            os.kill(victim, how)
            left, until = self.marked(mark).keys() - {process.pid, victim}, time.monotonic() + LIMIT + GRACE
            while left and time.monotonic() < until:
                left = self.marked(mark).keys() - {process.pid, victim}
            expect(not left, f"the other rank goes on: {[self.about(pid) for pid in left]}")
            output = self.end_launcher(process)
            expect(not self.marked(mark), f"processes are left: {self.marked(mark).keys()}")
        finally:
            for pid in self.marked(mark):
                os.kill(pid, signal.SIGKILL)
        shared = {name for name in self.shared() - before if not self.is_mapped(name)} & self.shared()
        others = [] if by_buddy else [name for name in shared if name.startswith(OTHERS_SHARED)]
        for name in others:  # made, and had not been unlinked yet
            print(f"NOTE the killed rank left its MPI's {name}")
            Path("/dev/shm", name).unlink(missing_ok=True)
            shared.remove(name)
        expect(not shared, f"shared files are left: {shared}")
        expect(process.returncode != 0, "it ended well: " + output)
        expect(output.strip(), "nobody said anything")
        return output

    @staticmethod
    def end_launcher(process: subprocess.Popen[str]) -> str:
        """What it said. Open MPI 4.1's may wait for ever for a lock of its own (PMIx_server_finalize) after a rank has died while
        it started; by then all ranks are gone."""
        try:
            return process.communicate(timeout=LIMIT + GRACE)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            print("NOTE mpirun itself did not end, after all ranks had")
            return process.communicate()[0] or "nothing"

    def killed(self, mpi: Mpi, by_buddy: bool) -> None:
        start = time.monotonic()
        self.kill(mpi, signal.SIGKILL, by_buddy)
        expect(time.monotonic() - start < 20 + LIMIT + GRACE, "it took too long")

    def stopped(self, mpi: Mpi, by_buddy: bool) -> None:
        output = self.kill(mpi, signal.SIGSTOP, by_buddy)
        expect("rank 1 did not answer within 2 s" in output or "have not all arrived" in output, output)

    def launch_by(self, script: str, then: Callable[[subprocess.Popen[str]], None] = lambda process: None) -> int:
        """What `buddy run --ranks 2` exits with, where this is what launches ranks."""
        launcher = self.out()
        launcher.write_text("#!/bin/sh\n" + script)
        launcher.chmod(0o755)
        words = [self.buddy, "run", self.cases / "odd" / "sum.pt2", "--ranks", "2"]
        process = subprocess.Popen(words, text=True, env=CLEAN | {"BUDDY_MPIEXEC": str(launcher)}, preexec_fn=heed)
        try:
            then(process)
            return process.wait(timeout=30)
        finally:
            process.kill()

    def cleaned(self) -> None:
        """What ranks leave in shared memory goes with a launch that fails; what others have, or had before, stays."""
        tag = f"{os.getpid()}{random.randrange(10**6)}"
        left, ucx, held, older, foreign = (Path("/dev/shm", name + tag) for name in ("mpich_shar_tmpa", "ucx_shm_posix_b", "mpich_shar_tmpc", "mpich_shar_tmpd", "foreign"))
        try:
            older.touch()
            os.utime(older, (time.time() - 100,) * 2)
            with held.open("w"):
                status = self.launch_by(f"touch {left} {ucx} {held} {foreign}; exit 3")
                expect(status == 3, f"the launcher's status is 3, and not {status}")
                expect([path.exists() for path in (left, ucx, held, older, foreign)] == [False, False, True, True, True], str(list(Path("/dev/shm").iterdir())))
            status = self.launch_by(f"touch {left}; kill -9 $$")
            expect(status == -signal.SIGKILL and not left.exists(), f"status {status}")
        finally:
            for path in (left, ucx, held, older, foreign):
                path.unlink(missing_ok=True)

    def passed_on(self) -> None:
        """Signals come to the launcher; it goes, too, where `buddy` is killed."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
            about = self.out()

            def then(process: subprocess.Popen[str], number: int = number, about: Path = about) -> None:
                while not about.exists() or not about.read_text().strip():
                    time.sleep(0.01)
                time.sleep(0.1)
                process.send_signal(number)
            status, until = self.launch_by(f"echo $$ > {about}; exec sleep 60", then), time.monotonic() + 5
            expect(status == -number, f"{number}: {status}")
            while Path("/proc", about.read_text().strip()).exists() and time.monotonic() < until:
                time.sleep(0.01)
            expect(not Path("/proc", about.read_text().strip()).exists(), f"{number}: the launcher goes on")

    # ---- Over the echo ----
    def run_echo(self, name: str, *words: object, **environment: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        log = self.out()
        done = subprocess.run([str(w) for w in (self.buddy, "run", self.cases / "odd" / f"{name}.pt2", "--transport", self.echo, *words)],
                              capture_output=True, text=True, check=False, timeout=120, env=CLEAN | {"ECHO_LOG": str(log)} | environment)
        return done, log.read_text().split("\n")[:-1] if log.exists() else []

    def kept(self) -> None:
        """Calls are neither dropped, merged, moved, nor made in the first run alone."""
        once = [f"exchange {HEAD + 4 * n}" for n in (3, 5, 7, 7)]
        for words in ((), ("--no-cache",), ("--no-cache", "-O0"), ("--no-cache", "-O3"), ("--no-cache", "--registries", "linalg:*")):
            done, log = self.run_echo("kept", "--repeat", 3, *words)
            expect(done.returncode == 0, done.stdout + done.stderr)
            expect(log == 3 * once, f"{words}: {log}")

    def kept_ahead(self) -> None:
        library, log = self.compile(self.cases / "odd" / "kept.pt2"), self.out()
        done = subprocess.run([self.buddy, "run", library, "--transport", self.echo, "--repeat", "2"], capture_output=True, text=True,
                              check=False, timeout=120, env=CLEAN | {"ECHO_LOG": str(log)})
        expect(done.returncode == 0, done.stdout + done.stderr)
        expect(log.read_text().split("\n")[:-1] == 2 * [f"exchange {HEAD + 4 * n}" for n in (3, 5, 7, 7)], log.read_text())

    def ahead_in_c(self) -> None:
        """A library with a runtime of its own, called by a program that has nothing else of buddy's."""
        folder = self.out()
        folder.mkdir()
        subprocess.run([self.buddy, "compile", self.cases / "odd" / "sum.pt2", "-o", folder / "libsummed.so", "--name", "summed"],
                       check=True, capture_output=True, env=CLEAN)
        header = next(folder.glob("*.h")).name
        (folder / "main.c").write_text(f"""#include <stdio.h>
#include "{header}"
int main(void) {{
  char why[512] = "";
  float x[9], y[9] = {{0}};
  for (int i = 0; i < 9; i++) x[i] = (float)i;
  summed *model = summed_load(NULL, why, sizeof why);
  const int code = model ? (int)summed_run(model, x, y, why, sizeof why) : -1;
  printf("%d %s %g", code, why, y[8]);
  if (model) summed_destroy(model);
  return code != 0;
}}
""")
        subprocess.run(["cc", "main.c", "-o", "main", "-L.", "-lsummed", "-Wl,-rpath,."], cwd=folder, check=True)
        run = lambda **more: subprocess.run(["./main"], cwd=folder, capture_output=True, text=True, check=False, timeout=60,
                                            env=CLEAN | more)
        expect(run(BUDDY_DIST_TRANSPORT=str(self.echo)).stdout == "0  16", "the sum of two is 16")
        self.fails(run(), "was started alone")
        self.fails(run(BUDDY_DIST_TRANSPORT=str(self.echo), BUDDY_DIST_LIMIT="3", ECHO_FAILS="1"), "rank 1 did not answer within 3 s")

    def echo_fails(self) -> None:
        for at in (1, 2, 4, 7):
            done, log = self.run_echo("kept", "--repeat", 2, "--rank-limit", 9, ECHO_FAILS=str(at))
            self.fails(done, "export_dist.py:", "rank 1 did not answer within 9 s")
            expect(len(log) == at + 1 and log[-1].startswith("rank 1 did not answer"), str(log))
        done, log = self.run_echo("sum", ECHO_REFUSES="1")
        self.fails(done, "rank 1 is not at home")
        expect(log == [], str(log))

    def checked(self) -> None:
        done, log = self.run_echo("checked", "-i", self.cases / "odd" / "x1.npy")
        self.fails(done, "x is to be positive")
        expect(log == [f"exchange {HEAD + 4 * 9}", "rank 0 has failed in its run: x is to be positive 0"], str(log))

    def costs(self) -> None:
        """Messages and bytes of sums over 2 to 1,024 ranks are those of the model of sdk/docs/ranks_scale.md."""
        done = subprocess.run([sys.executable, HERE / "scale.py", "--build", self.build, "--check"], capture_output=True, text=True, check=False,
                              timeout=300)
        expect(done.returncode == 0, done.stdout + done.stderr)

    def bad_transports(self) -> None:
        run = [self.buddy, "run", self.cases / "odd" / "sum.pt2", "--transport"]
        writable = self.folder / "libbuddy_writable.so"
        shutil.copy(self.echo, writable)
        writable.chmod(0o777)
        empty = self.folder / "libbuddy_empty.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "/dev/null", "-o", empty], check=True)
        for name, text in ((writable, "is not loaded"), (empty, "has no buddy_collective_query"), ("../echo", "is not loaded"),
                           ("Echo", "neither a name"), ("absent", "libbuddy_absent.so is neither in a folder"), ("", "neither")):
            done = subprocess.run([*run, name], capture_output=True, text=True, check=False, timeout=60, env=CLEAN)
            self.fails(done, "all_reduce", text)

    def threads(self) -> None:
        """Models of one process take turns, and each gets its own numbers."""
        import capi
        os.environ |= {"BUDDY_DIST_TRANSPORT": str(self.echo)}
        library = capi.Library(self.build)
        models = [capi.Model(library, self.cases / "odd" / f"{name}.pt2", "tosa:*") for name in ("long", "long", "sum", "sum")]
        wrong: list[str] = []

        def work(model: capi.Model, i: int) -> None:
            shape = (9, 1000) if i < 2 else (9,)
            x = numpy.full(shape, i + 1.0, numpy.float32)
            memory = capi.Memory(x, x.ctypes.data, "float32", shape, capi.dense_strides(shape))
            wanted = 2 * numpy.sin(x.cumsum(0)) if i < 2 else 2 * x
            for _ in range(100):
                results = model.run([memory])
                size = int(numpy.prod(shape))
                got = numpy.ctypeslib.as_array((capi.ctypes.c_float * size).from_address(results.tensors[0].bytes)).reshape(shape)
                if not numpy.allclose(got, wanted, atol=1e-5):
                    wrong.append(f"thread {i}")
                results.release()

        crew = [threading.Thread(target=work, args=(model, i)) for i, model in enumerate(models)]
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
        for model in models:
            model.close()
        expect(not wrong, f"{len(wrong)} wrong: {wrong[:3]}")


def collect(suite: Suite, mpis: list[Mpi], kills: int) -> list[tuple[str, Callable[[], None]]]:
    tests: list[tuple[str, Callable[[], None]]] = [
        (f"echo/{test.__name__}", test)
        for test in (suite.kept, suite.kept_ahead, suite.ahead_in_c, suite.echo_fails, suite.checked, suite.costs, suite.bad_transports, suite.threads, suite.cleaned, suite.passed_on, suite.torchrun)]
    for mpi in mpis:
        for case in sorted(suite.cases.iterdir()):
            if case.name not in ("odd", "cut"):
                tests.append((f"{mpi.name}/{case.name}", lambda mpi=mpi, case=case: suite.values(mpi, case)))
        for case in sorted(suite.cut_cases.iterdir()):
            tests.append((f"{mpi.name}/cut_{case.name}", lambda mpi=mpi, case=case: suite.cut(mpi, case)))
        for test in (suite.cut_ahead, suite.cut_words, suite.cut_profile, suite.torch_by_mpi, suite.other_programs, suite.one_fails, suite.groups, suite.launching, suite.ahead):
            tests.append((f"{mpi.name}/{test.__name__}", lambda mpi=mpi, test=test: test(mpi)))
        for other in mpis:
            if other is not mpi:
                tests.append((f"{mpi.name}/other_mpi", lambda mpi=mpi, other=other: suite.other_mpi(mpi, other)))
        for i in range(kills):
            test, by_buddy = suite.killed if i % 2 == 0 else suite.stopped, i % 4 >= 2
            tests.append((f"{mpi.name}/{test.__name__}_{i}", lambda mpi=mpi, test=test, by_buddy=by_buddy: test(mpi, by_buddy)))
    return tests


def export(folder: Path) -> Path:
    for script, into in (("export_dist.py", folder), ("export_cut.py", folder / "cut")):
        done = subprocess.run([sys.executable, HERE / script, into], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--cases", type=Path, help="what export_dist.py has written")
    parser.add_argument("--only", default="*", help="names of tests, like 'mpich/*'")
    parser.add_argument("--kills", type=int, default=4, help="how many runs a rank of which is killed or stopped, by each MPI")
    args = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = args.cases.resolve() if args.cases else export(folder / "cases")
        suite = Suite(args.build.resolve(), cases, folder)
        mpis = find_mpis(folder)
        if not mpis:
            print("SKIPPED: no MPI is installed: programs of several processes were not run")
        for title, test in collect(suite, mpis, args.kills):
            if not fnmatch.fnmatch(title, args.only):
                continue
            start = time.monotonic()
            try:
                test()
                passed += 1
                print(f"PASS {title} ({time.monotonic() - start:.1f} s)", flush=True)
            except (Failure, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"FAIL {title}: {error}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
