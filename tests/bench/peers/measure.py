# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures buddy beside PyTorch eager, TorchInductor, OpenVINO and ONNX Runtime, in one interleaved run.

    python3 tests/bench/peers/measure.py --build build [--out build/peers] [--models NAME…] [--peers NAME…]
                                         [--threads 1 2] [--repeats 9] [--starts 3]

Of each model and number of threads it takes

  starts     a fresh process with empty caches, from its start to the first result; the same once more with what the
             first one left behind; private memory while loading and running; and whether the numbers are PyTorch's
  latency    all contenders loaded, each in a process of its own; in every round, in an order drawn anew, each runs for
             a while as the others sleep. What counts is the ratio to eager in the same round, so load hits all alike.

Artifacts on disk (.pt2, .onnx, .xml) are made beforehand and are not counted; files are in the page cache for all. The
packages come from requirements.txt into a virtual environment OUT/venv over that of BUDDY_PYTHON, which has PyTorch.
Results go to OUT/results.jsonl line by line: what is there is not measured again (--again: anew); OUT/summary.json and
OUT/index.html sum up. Times of a machine under load are good as ratios only.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
MODELS = ("resnet18", "mobilenetv2", "bert_base", "gpt2_small", "vit_base", "llama")
CLASSES = ("lstm", "lstm_batch", "gru", "transposed", "groups", "volumes", "lines", "softmax", "layer_norm", "perceptron")
STARTED = "BUDDY_PEERS_STARTED"


def site_packages(python: Path) -> str:
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def environment_python(out: Path) -> Path:
    """The interpreter of OUT/venv, made or brought up to date: the packages on top of those of BUDDY_PYTHON."""
    home = out / "venv"
    python = home / "bin" / "python"
    stamp, wanted = home / "requirements.txt", (HERE / "requirements.txt").read_bytes()
    if not stamp.exists() or stamp.read_bytes() != wanted:
        venv.create(home, with_pip=True, clear=True)
        if "BUDDY_PYTHON" in os.environ:
            below = site_packages(Path(os.environ["BUDDY_PYTHON"]))
            Path(site_packages(python), "below.pth").write_text(below + "\n", encoding="utf-8")
        else:
            install(python, ROOT / "tests" / "requirements.txt")
        install(python, HERE / "requirements.txt")
        stamp.write_bytes(wanted)
    return python


def install(python: Path, requirements: Path) -> None:
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]
    subprocess.run(command, check=True)


def prepare(out: Path, model: str) -> dict[str, dict] | None:
    """The artifacts of a model, by their form: how large, or why not made; none if there is no such model."""
    report = out / "models" / model / "prepared.json"
    if not report.exists():
        print(f"{model}: artifacts", file=sys.stderr, flush=True)
        with (out / "prepare.log").open("a") as log:
            command = [sys.executable, HERE / "prepare.py", out / "models", model]
            if subprocess.run(command, stdout=log, stderr=log, check=False).returncode != 0:
                return None
    return json.loads(report.read_text(encoding="utf-8"))


def run(args: argparse.Namespace) -> None:
    import latency
    import report
    import starts
    from contenders import CONTENDERS
    from results import Case, Results, digest_of, say

    results = Results(args.out / "results.jsonl", args.again)
    build = args.build.resolve()
    digest, unprepared = digest_of(build), []
    for model in args.models:
        forms = prepare(args.out, model)
        if forms is None:
            unprepared.append(model)
            continue
        names = [name for name in args.peers if "error" not in forms[CONTENDERS[name].artifact]]
        for form, made in forms.items():
            if "error" in made:
                say(f"{model}: no {form}: {made['error']}")
        for threads in args.threads:
            say(f"{model}, {threads} thread{'s' if threads > 1 else ''}")
            case = Case(model, threads, args.out, build, digest, args.timeout)
            if not args.no_starts and args.starts > 0:
                real = [name for name in names if CONTENDERS[name].role != "floor"]
                starts.measure(case, real, results, args.starts, args.start_seconds)
            if not args.no_latency:
                latency.measure(case, names, results, forms[".pt2"]["bytes"], args.repeats, args.seconds)
            summary = report.write(args.out, list(results.records.values()), build)
    if len(unprepared) < len(args.models):
        print(report.text_of(summary))
    if unprepared:
        raise SystemExit(f"no artifacts, see {args.out / 'prepare.log'}: {' '.join(unprepared)}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="buddy's build tree")
    parser.add_argument("--out", type=Path, help="default: BUILD/peers")
    parser.add_argument("--models", nargs="+", metavar="NAME",
                        help="default: whole models and classes of them; of tests/models/zoo.py, of classes.py, transformers:TYPE, timm:NAME or library:NAME, with options (classes.py)")
    parser.add_argument("--peers", nargs="+", metavar="NAME", help="contenders (default: all); always with eager")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2], metavar="N")
    parser.add_argument("--repeats", type=int, default=9, metavar="N", help="rounds of latency")
    parser.add_argument("--seconds", type=float, default=0.4, help="of each contender in each round, or three runs")
    parser.add_argument("--starts", type=int, default=3, metavar="N", help="cold and warm starts")
    parser.add_argument("--start-seconds", type=float, default=20, help="no more starts of a contender after so long")
    parser.add_argument("--timeout", type=float, default=1200, help="seconds for one answer")
    parser.add_argument("--again", action="store_true", help="measure what was measured already, too")
    parser.add_argument("--no-starts", action="store_true")
    parser.add_argument("--no-latency", action="store_true")
    args = parser.parse_args()
    args.out = (args.out or args.build / "peers").resolve()
    return args


def main() -> None:
    args = parse_arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    if STARTED not in os.environ:
        python = environment_python(args.out)
        os.environ[STARTED] = "1"
        os.execv(python, [str(python), str(HERE / "measure.py"), *sys.argv[1:]])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # workers are ended with it
    sys.path.insert(0, str(ROOT / "tests" / "models"))
    from classes import WHOLE
    from contenders import ANCHOR, CONTENDERS

    args.models = args.models or [*MODELS, *CLASSES, *WHOLE]
    args.peers = args.peers or list(CONTENDERS)
    if unknown := [name for name in args.peers if name not in CONTENDERS]:
        raise SystemExit(f"no such contender: {' '.join(unknown)} (there are: {' '.join(CONTENDERS)})")
    args.peers = [ANCHOR, *(name for name in args.peers if name != ANCHOR)]
    run(args)


if __name__ == "__main__":
    main()
