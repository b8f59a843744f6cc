# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every suite of the tests against a build, and sums up what passed.

    python3 tests/suites.py --build build [--models tiny|full|none] [--only SUITE]… [--skip SUITE]…

  unit        GoogleTest and FileCheck tests, through ctest
  command     the `buddy` command as a person uses and misuses it
  ops         one op at a time, in every dtype, compared with eager PyTorch: a quarter of the cases (run_ops.py --all: all;
              --sizes: at 0, 1 and odd sizes, which finds what is not mended)
  conformance PyTorch's OpInfo database: a few samples of every entry (run_conformance.py without --fast: all)
  dist        programs with collectives as several processes, by each MPI that is installed; ranks that are killed
  serve       models behind Triton's server, the one in PyPI's nvidia-pytriton, which is loaded once (75 MB; says that it is
              skipped where it cannot be)
  ahead       programs compiled ahead of time, called from C, compared with eager
  models      whole models from PyTorch, both export dialects, several registry orders, compared with eager
  elsewhere   models that other compilers take: IREE, MLIR's own passes and runner, TOSA's validator (each says that it is
              skipped where what it needs is not installed)
  python      the Python package of the build tree, with pytest (BUDDY_TEST_ALL=1: every architecture, every module);
              left out where it was not built
  peer        the original's own tests and example scripts on the package (BUDDY_PEER_TESTS: the folder that has them; without
              it, the suite says that it is skipped)
  programs    random programs from PyTorch, each run several times at several sizes (BUDDY_RANDOM_PROGRAMS: how many)
  sizes       calls of PyTorch's OpInfo database at other sizes, and with numbers that sizes make (BUDDY_SIZED: how many)
  sanitizers  the unit tests again, built with ASan and UBSan
  forged      forged archives through import, plan, lower, compile and run of that build (BUDDY_FORGED_ARCHIVES: how many)
  types       archives of one op each, of OpInfo, with results declared as what they are not (BUDDY_FALSE_TYPES: of how many ops)
  racing      threads that share a compiled model, the runtime built with TSan
  tidy        clang-tidy and gcc -fanalyzer over the sources
  fuzzers     each fuzzer for a few seconds, from its corpus

The last line is `N passed, N failed`; the exit status is 1 if any failed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORDERS = ["tosa:*", "linalg:*", "vendor:tosa:*"]
PEER_LEAST = {"files": 255, "filecheck": 157, "examples": 21, "overloads": 1320}
# What is to come out as TOSA alone, and what others are to run; each in both dialects.
ELSEWHERE = {
    "tosa": ["bert_tiny", "gpt2_tiny", "lenet5", "llama_tiny", "mlp", "mobilenetv2_tiny", "mobilenetv3_tiny", "resnet18_tiny",
             "t5_tiny_encoder", "unet_block_tiny", "vit_tiny", "whisper_tiny_encoder_tiny"],
    "mlir": ["bert_tiny", "lenet5", "mlp", "resnet18_tiny"],
    "iree": ["bert_tiny", "gpt2_tiny", "lenet5", "llama_tiny", "mobilenetv3_tiny", "resnet18_tiny"],
}
FAILING = re.compile(r"(?<!\b0 )\b(fail(ed)?|error|wrong|crashed|timeout)\b", re.IGNORECASE)  # lines on what has failed
# What is freed is overwritten: libraries that were not built with ASan read it, too.
ASAN = "detect_leaks=1:max_free_fill_size=4096:free_fill_byte=165"
FUZZ_SECONDS = int(os.environ.get("BUDDY_FUZZ_SECONDS", "10"))


@dataclass
class Count:
    passed: int = 0
    failed: int = 0


said: list[str] = []  # by the suite that runs, on what has failed


def run(command: list[str | Path], **options) -> tuple[int, str]:
    """Runs a command, shows its output as it comes, and returns the exit status and the output."""
    print("+", " ".join(str(word) for word in command), flush=True)
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", **options)
    lines = []
    assert process.stdout is not None
    for line in process.stdout:
        sys.stdout.write(line)
        lines.append(line)
        if FAILING.search(line):
            said.append(line[:300].rstrip())
    sys.stdout.flush()
    return process.wait(), "".join(lines)


def closing_line(status: int, output: str) -> Count:
    """Reads `N passed, N failed`; a suite that dies without one is one failure."""
    found = re.findall(r"^(\d+) passed, (\d+) failed", output, re.MULTILINE)
    count = Count(int(found[-1][0]), int(found[-1][1])) if found else Count()
    if status != 0 and count.failed == 0:
        count.failed = 1
    return count


def ctest(build: Path, *options: str) -> Count:
    status, output = run(["ctest", "--test-dir", build, "--output-on-failure", "-j2", "--timeout", "300", *options],
                         env=os.environ | {"ASAN_OPTIONS": ASAN})
    found = re.search(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)", output)
    if not found:
        return Count(0, 1)
    failed, total = int(found[2]), int(found[3])
    return Count(total - failed, failed + (1 if status and not failed else 0))


def python_with_torch(build: Path) -> Path:
    """A virtual environment with PyTorch, made once; BUDDY_PYTHON names one that exists already."""
    if "BUDDY_PYTHON" in os.environ:
        return Path(os.environ["BUDDY_PYTHON"])
    home = build / "venv"
    python = home / "bin" / "python"
    requirements = ROOT / "tests" / "requirements.txt"
    stamp = home / "requirements.txt"
    if not stamp.exists() or stamp.read_bytes() != requirements.read_bytes():
        venv.create(home, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
                       check=True)
        shutil.copy(requirements, stamp)
    return python


def packages_of(build: Path, tests: str) -> Path | None:
    """A folder with what a folder of tests asks for beside tests/requirements.txt, filled once; None where it cannot be loaded."""
    folder, requirements = build / tests / "packages", ROOT / "tests" / tests / "requirements.txt"
    stamp = folder / "requirements.txt"
    if not stamp.exists() or stamp.read_bytes() != requirements.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        status, _ = run([python_with_torch(build), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                         "--target", folder, "-r", requirements])
        if status != 0:
            return None
        shutil.copy(requirements, stamp)
    return folder


def with_viewers(build: Path, *folders: Path) -> dict[str, str]:
    """Where Python finds what opens pictures, behind other folders; tests that need what is not there are skipped."""
    has_pip = "BUDDY_PYTHON" in os.environ or (build / "venv").exists()
    found = packages_of(build, "command") if has_pip else None
    return {"PYTHONPATH": ":".join(map(str, filter(None, (*folders, found))))}


def suite_unit(build: Path, models: str) -> Count:
    return ctest(build)


def suite_command(build: Path, models: str) -> Count:
    status, output = run([sys.executable, ROOT / "tests" / "command" / "test_command.py", "--build", build],
                         env=os.environ | with_viewers(build))
    return closing_line(status, output)


def suite_models(build: Path, models: str) -> Count:
    if models == "none":
        return Count()
    python, out = python_with_torch(build), build / "models"
    size = ["--tiny"] if models == "tiny" else []
    status, _ = run([python, ROOT / "tests" / "models" / "export.py", "--out", out, *size])
    if status != 0:
        return Count(0, 1)
    orders = [word for order in ORDERS for word in ("--registries", order)]
    status, output = run([python, ROOT / "tests" / "models" / "run_models.py", "--buddy", build / "bin" / "buddy",
                          "--models", out, "-j", "2", *orders])
    return closing_line(status, output)


def suite_elsewhere(build: Path, models: str) -> Count:
    """After the models, whose archives it takes."""
    total, script = Count(), ROOT / "tests" / "models" / "run_elsewhere.py"
    for config, names in ELSEWHERE.items() if models != "none" else ():
        status, output = run([python_with_torch(build), script, "--config", config, "--buddy", build / "bin" / "buddy",
                              "--models", build / "models", "--only", *(f"{name}.*" for name in names)])
        count = closing_line(status, output) if "SKIPPED" not in output else Count()
        if count.passed + count.failed not in (0, 2 * len(names)):
            count.failed += 1  # an archive is missing
        total = Count(total.passed + count.passed, total.failed + count.failed)
    return total


def suite_ops(build: Path, models: str) -> Count:
    status, output = run([python_with_torch(build), ROOT / "tests" / "ops" / "run_ops.py", "--build", build, "-j", "2"])
    return closing_line(status, output)


def suite_ahead(build: Path, models: str) -> Count:
    others = []
    if os.uname().machine == "x86_64":
        others = ["--cpu", "x86-64", *(["--host", "Nehalem"] if shutil.which("qemu-x86_64") else [])]
    status, output = run([python_with_torch(build), ROOT / "tests" / "ahead" / "run_ahead.py", "--build", build, *others])
    return closing_line(status, output)


def suite_dist(build: Path, models: str) -> Count:
    kills = os.environ.get("BUDDY_TEST_KILLS", "4")
    status, output = run([python_with_torch(build), ROOT / "tests" / "dist" / "run_dist.py", "--build", build, "--kills", kills])
    return closing_line(status, output)


def suite_serve(build: Path, models: str) -> Count:
    packages = packages_of(build, "serve")
    if packages is None:
        print("SKIPPED: the packages of tests/serve/requirements.txt cannot be installed")
        return Count()
    return pytest(build, ROOT / "tests" / "serve", {"PYTHONPATH": str(packages), "BUDDY_BUILD": str(build)})


def suite_python(build: Path, models: str) -> Count:
    package = build / "python"
    if not (package / "buddy" / "_buddy.abi3.so").exists():
        print("the Python package was not built: python3-dev, or BUDDY_PYTHON with its headers, is missing")
        return Count()
    if "BUDDY_REFERENCE" not in os.environ:
        print("SKIPPED: the code blocks of the importer's reference documents: BUDDY_REFERENCE does not say where they are")
    folders = filter(None, (package, packages_of(build, "python")))
    return pytest(build, ROOT / "tests" / "python", with_viewers(build, *folders))


def pytest(build: Path, tests: Path, environment: dict[str, str]) -> Count:
    status, output = run([python_with_torch(build), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--show-capture=no", tests],
                         env=os.environ | environment)
    counts = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|errors?)", output.splitlines()[-1])}
    count = Count(counts.pop("passed", 0), sum(counts.values()))
    return count if status == 0 or count.failed else Count(count.passed, 1)


def suite_peer(build: Path, models: str) -> Count:
    least = [word for kind, n in PEER_LEAST.items() for word in ("--least", f"{kind}={n}")]
    status, output = run([python_with_torch(build), ROOT / "tests" / "python" / "peer.py", *least],
                         env=os.environ | {"PYTHONPATH": str(build / "python")})
    return closing_line(status, output) if "SKIPPED" not in output else Count()


def suite_conformance(build: Path, models: str) -> Count:
    script = ROOT / "tests" / "conformance" / "run_conformance.py"
    status, output = run([python_with_torch(build), script, "--build", build, "-j", "2", "--fast"])
    return closing_line(status, output)


def build_again(build: Path, preset: str, target: str) -> Path:
    other, first = build / preset, ROOT / "tests" / "presets" / f"{preset}.cmake"
    for command in (["cmake", "-C", first, "-S", ROOT, "-B", other, "-G", "Ninja"], ["cmake", "--build", other, "--target", target]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return other


def suite_programs(build: Path, models: str) -> Count:
    folder = ROOT / "tests" / "fuzz" / "programs"
    told = closing_line(*run([python_with_torch(build), folder / "check_judge.py", "--build", build, "--programs", "45", "--seed", "3000"]))
    # The same ones each time, of which none is a finding known and open; by hand, others: see the folder's README.
    count = closing_line(*run([python_with_torch(build), folder / "run_programs.py", "--build", build, "-j", "2", "--seed", "121",
                               "--programs", os.environ.get("BUDDY_RANDOM_PROGRAMS", "344")]))
    return Count(count.passed + told.passed, count.failed + told.failed)


def suite_sizes(build: Path, models: str) -> Count:
    """The same ones each time, those at the head of the source's own order; by hand, all of them."""
    log = build / "sized.jsonl"
    log.unlink(missing_ok=True)
    status, output = run([python_with_torch(build), ROOT / "tests" / "conformance" / "foreign" / "run_foreign.py", "--build", build, "-j", "2",
                          "--source", "sized", "--mode", "dynamic", "--limit", os.environ.get("BUDDY_SIZED", "120"), "--log", log])
    return closing_line(status, output)


def suite_racing(build: Path, models: str) -> Count:
    status, output = run([python_with_torch(build), ROOT / "tests" / "ahead" / "run_racing.py", "--build", build])
    return closing_line(status, output)


def suite_sanitizers(build: Path, models: str) -> Count:
    other = build_again(build, "sanitizers", "all")
    # What misbehaves on purpose is ended by the sanitizers, and dlopen through them knows no run path of the command.
    # Faults are counted by a test of memory, and the sanitizers make some of their own; the generated code's tests take long.
    slow = "" if os.environ.get("BUDDY_TEST_ALL") else "|compile$|vendor_kernels|make_kernels"
    return ctest(other, "-E", f"^(kit|check_|abi$|bisect$|reduce$|core.MemoryTest.Populated{slow})", "--timeout", "2400")


def suite_forged(build: Path, models: str) -> Count:
    """After the sanitizers, whose build it takes."""
    status, output = run([python_with_torch(build), ROOT / "tests" / "fuzz" / "archives" / "forge.py", "--build",
                          build / "sanitizers", "-j", "2", "--archives", os.environ.get("BUDDY_FORGED_ARCHIVES", "1000")])
    return closing_line(status, output)


def suite_types(build: Path, models: str) -> Count:
    status, output = run([python_with_torch(build), ROOT / "tests" / "fuzz" / "archives" / "false_types.py", "--build", build,
                          "--ops", os.environ.get("BUDDY_FALSE_TYPES", "120")])
    return closing_line(status, output)


def suite_fuzzers(build: Path, models: str) -> Count:
    if not shutil.which("clang-22"):
        print("clang-22 is not installed: the fuzzers are not run")
        return Count()
    other = build_again(build, "fuzz", "fuzzers")
    count = Count()
    for fuzzer in sorted((other / "fuzz").glob("*_fuzz")):
        corpus = ROOT / "tests" / "fuzz" / "corpus" / fuzzer.name
        scratch = other / "fuzz" / f"{fuzzer.name}.found"
        scratch.mkdir(exist_ok=True)
        seeds = [corpus] if corpus.is_dir() else []
        status, _ = run([fuzzer, f"-max_total_time={FUZZ_SECONDS}", "-verbosity=0", "-print_final_stats=0", scratch,
                         *seeds], cwd=other / "fuzz")
        count.passed += status == 0
        count.failed += status != 0
    return count


def suite_tidy(build: Path, models: str) -> Count:
    script = ROOT / "tests" / "docs" / "run_tidy.py"
    one, other = (closing_line(*run([sys.executable, script, "--build", build, *flag])) for flag in ([], ["--gcc"]))
    return Count(one.passed + other.passed, one.failed + other.failed)


def suite_llvm(build: Path, models: str) -> Count:
    status, output = run(["sh", ROOT / "tests" / "llvm" / "two_llvms.sh", build])
    return closing_line(status, output)


def suite_newcomer(build: Path, models: str) -> Count:
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("only root makes a clean system, with debootstrap: neither the newcomer's path nor the packages are tried")
        return Count()
    count = Count()
    for script, *words in (("commands.sh",), ("newcomer.sh", build), ("packages.sh", build)):
        one = closing_line(*run(["sh", ROOT / "tests" / "kit" / script, *words]))
        count = Count(count.passed + one.passed, count.failed + one.failed)
    return count


SUITES: dict[str, Callable[[Path, str], Count]] = {
    "unit": suite_unit,
    "command": suite_command,
    "ops": suite_ops,
    "conformance": suite_conformance,
    "ahead": suite_ahead,
    "dist": suite_dist,
    "serve": suite_serve,
    "models": suite_models,
    "elsewhere": suite_elsewhere,
    "python": suite_python,
    "peer": suite_peer,
    "llvm": suite_llvm,
    "newcomer": suite_newcomer,
    "programs": suite_programs,
    "sizes": suite_sizes,
    "sanitizers": suite_sanitizers,
    "forged": suite_forged,
    "types": suite_types,
    "racing": suite_racing,
    "tidy": suite_tidy,
    "fuzzers": suite_fuzzers,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--models", choices=["tiny", "full", "none"], default="tiny")
    parser.add_argument("--only", action="append", default=[], choices=list(SUITES))
    parser.add_argument("--skip", action="append", default=[], choices=list(SUITES))
    args = parser.parse_args()
    # glibc overwrites memory that is freed, at once and small pieces too: what reads it afterwards fails always, and not
    # once in some hundred runs.
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0")
    total, rows, failures = Count(), [], []
    for name, suite in SUITES.items():
        if name in args.skip or (args.only and name not in args.only):
            continue
        print(f"\n==== {name}", flush=True)
        start = time.monotonic()
        said.clear()
        try:
            count = suite(args.build.resolve(), args.models)
        except subprocess.CalledProcessError as error:
            print(error)
            count = Count(0, 1)
        rows.append((name, count, time.monotonic() - start))
        failures += [f"{name}: {line}" for line in said[-20:]] if count.failed else []
        total.passed += count.passed
        total.failed += count.failed
    print("\n==== summary", *failures, sep="\n")
    for name, count, seconds in rows:
        print(f"{name:12} {count.passed:6} passed {count.failed:4} failed {seconds:7.0f} s")
    print(f"{total.passed} passed, {total.failed} failed")
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())
