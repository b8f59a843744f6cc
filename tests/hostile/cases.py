# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every test of a hostile or failing plugin, and writes the table of cases and outcomes.

    python3 tests/hostile/cases.py --build build [-o tests/hostile/CASES.md]

Each of the 39 cases names the tests that hold it. The exit status is 1 if one of them fails, or is not there any more.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# Case; what the host does; tests: GoogleTest names (hostile_test, registry_test, lower_test), or kit:<way> of test_check.py.
B, M = "Hostile/BrokenTest.IsRefusedAndSaysWhy/", "Hostile/MisuseTest.FailsTheCallAlone/"
CASES = [
    ("the name is unknown", "NOT_FOUND; lists what was searched and what is there", ["LoadTest.AnUnknownNameTellsWhereItWasLookedFor"]),
    ("no ELF file, text, empty, a directory, a FIFO, 32 bits, another machine, an executable",
     "CORRUPT or INCOMPATIBLE; dlopen is never called", ["ElfTest.Headers", "PluginFileTest.WhatIsNoFile"]),
    ("a truncated file, cut at every 64th byte", "CORRUPT, with the sizes", ["TruncatedTest.*"]),
    ("an unresolved symbol", "INCOMPATIBLE, with the dynamic linker's sentence", [B + "unresolved"]),
    ("no query, or one of a library it needs", "INCOMPATIBLE", [B + "no_query", B + "foreign_query"]),
    ("no note", "INCOMPATIBLE", [B + "no_note", B + "two_notes"]),
    ("another major ABI; the query gives null", "INCOMPATIBLE, with both versions", [B + "other_major", B + "query_null"]),
    ("note and descriptor disagree", "CORRUPT", [B + "note_count", B + "note_version", B + "minor_lies"]),
    ("built for another LLVM", "INCOMPATIBLE, with both versions", [B + "other_llvm", "ElfTest.Llvm"]),
    ("brings another LLVM along", "INCOMPATIBLE, with its name", [B + "needs_llvm"]),
    ("built with a sanitizer that the host lacks", "INCOMPATIBLE", [B + "sanitizer"]),
    ("sizes of structs and strides that cannot be", "CORRUPT", [B + "small_struct", B + "huge_struct", B + "stride_*"]),
    ("null names, tables, functions; text that is no UTF-8", "CORRUPT, with the number of the op",
     [B + "null_*", B + "no_function", B + "both_functions", B + "not_utf8", B + "op_name"]),
    ("pointers to memory that is not mapped, or is no code", "CORRUPT",
     [B + "unmapped_*", B + "data_function", B + "query_unmapped", B + "transforms_*", B + "pipeline_*", B + "ahead_*"]),
    ("another name than the file's", "CORRUPT", [B + "wrong_name", B + "note_name"]),
    ("one op twice, with different benefit", "asked in order of benefit", ["RegistriesTest.RowsInTheOrderOfAsking"]),
    ("one op twice, with the same benefit", "INVALID_ARGUMENT, names both rows", [B + "twins"]),
    ("one name in two folders; one file twice", "the first wins, the others are listed as shadowed",
     ["SearchTest.FirstHitOfANameWinsAndTheListIsSorted", "SearchTest.TheSameFileOnce"]),
    ("needs a registry that is not there", "NOT_FOUND, says who needs whom", [B + "needs_missing", B + "needs_failing"]),
    ("registries that need each other in a circle", "CYCLE, prints it", [B + "circle_a", B + "needs_itself", B + "needs_circle"]),
    ("expansions in a circle", "CYCLE, prints it; growth ends at a limit",
     ["ExpandTest.ACircleIsFoundAndShown", "ExpandTest.GrowthEndsAtALimit"]),
    ("open() fails, without end, or with an unknown code", "its code and sentence; close() is not called",
     [B + "open_fails", B + "open_silent", B + "open_code"]),
    ("emit says OK but sets no result, or one of another type", "VERIFY_FAILED; undone",
     [M + "no_result", M + "wrong_type", M + "wrong_dims", "Rows/Spoiled.LeavesNoResidue/*"]),
    ("emits what the verifier rejects, or an unknown dialect", "VERIFY_FAILED, with MLIR's sentence; undone",
     ["EmitTest.ARowWhoseOpsDoNotVerifyIsUndoneAndSaid", "Rows/Spoiled.LeavesNoResidue/unknown_op", "Texts/BadTextTest.*"]),
    ("hands in null or foreign handles", "INVALID_ARGUMENT; nothing null reaches MLIR",
     [M + "null_*", "Misuse.HandsInAValueOfAnotherGraph", "Rows/Spoiled.LeavesNoResidue/foreign"]),
    ("keeps a call beyond its end", "INVALID_ARGUMENT", ["Misuse.KeepsACall*"]),
    ("uses a call on another thread", "INVALID_ARGUMENT", [M + "other_thread"]),
    ("match builds", "INTERNAL; undone", [M + "match_builds", M + "match_expands"]),
    ("builds without end", "LIMIT", [M + "endless_ops", M + "endless_nodes"]),
    ("returns an unknown code", "INTERNAL, shows the code", [M + "unknown_code", M + "negative_code"]),
    ("throws a C++ exception", "the guard makes it a failure; without it, `plugin check` finds it", ["kit:guarded", "kit:throws"]),
    ("crashes, hangs, exits: in a constructor, a callback, close()", "`plugin check` survives and says where",
     [f"kit:{way}" for way in ("constructor_exits", "constructor_crashes", "constructor_hangs", "match_crashes", "match_hangs",
                               "emit_exits", "emit_aborts", "close_crashes", "needs_open")]),
    ("longjmp across the host", "forbidden by rule 12 of the author's guide; `plugin check` survives and says where",
     ["kit:match_jumps", "kit:emit_jumps"]),
    ("memory runs out in a service", "OUT_OF_MEMORY; null is returned; `plugin check` finds who trusts it",
     ["Misuse.AsksForTooMuchMemory", "*MemoryOut*", "kit:trusts_memory"]),
    ("an order or a path with ../, /, newlines, too many items", "INVALID_ARGUMENT, shows the item escaped",
     ["OrderTest.*", "SearchTest.BadItemsOfThePath"]),
    ("a setuid program", "variables and the user's folder are ignored, and that is said",
     ["SearchTest.ASetuidProcessIgnoresTheEnvironment"]),
    ("a file or folder that everybody may write to", "PERMISSION",
     ["PluginFileTest.EverybodyMayWriteIt", "PluginFileTest.EverybodyMayWriteItsFolder", "PluginFileTest.AnotherUsersFile"]),
    ("an LLVM linked into the plugin", "INCOMPATIBLE", [B + "own_llvm"]),
    ("changes locale, folder, signals, environment, floats, descriptors", "`plugin check` compares before and after",
     [f"kit:{way}" for way in ("changes_locale", "changes_folder", "changes_signals", "catches_signals", "changes_environment",
                               "flushes_to_zero", "leaves_files", "prints", "leaks")]),
]


def google_tests(build: Path, name: str, patterns: list[str]) -> dict[str, bool]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        command = [build / "bin" / name, f"--gtest_filter={':'.join(patterns)}", f"--gtest_output=json:{out}"]
        status = subprocess.run([str(word) for word in command], env=clean, capture_output=True, check=False,
                                timeout=500).returncode
        if not out.exists():
            raise SystemExit(f"{name} ended with {status} before it was through")
        suites = json.loads(out.read_text())["testsuites"]
    return {f"{suite['name']}.{test['name']}": not test.get("failures") for suite in suites for test in suite["testsuite"]}


def check_tests(build: Path, ways: list[str]) -> dict[str, bool]:
    command = [sys.executable, ROOT / "tests" / "kit" / "test_check.py", "--build", build, *[f"CheckTest.test_{w}" for w in ways]]
    output = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=900).stderr
    return {f"kit:{name}": state == "ok" for name, state in re.findall(r"^test_(\w+) .*\.\.\. (\w+)$", output, re.MULTILINE)}


def matches(pattern: str, name: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), name) is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    build = args.build.resolve()
    patterns = sorted({test for _, _, tests in CASES for test in tests if not test.startswith("kit:")})
    results: dict[str, bool] = {}
    for name in ("hostile_test", "registry_test", "lower_test"):
        results |= google_tests(build, name, patterns)
    results |= check_tests(build, sorted({test[4:] for _, _, tests in CASES for test in tests if test.startswith("kit:")}))
    lines = ["# Hostile and failing plugins: what the host does", "",
             "Written by `python3 tests/hostile/cases.py`, which runs the tests. All of a file's bytes are judged before any of its",
             "code runs; `buddy plugin check` runs code in children.", "",
             "| # | case | what the host does | tests | outcome |", "| --- | --- | --- | --- | --- |"]
    failed = 0
    for number, (case, does, tests) in enumerate(CASES, 1):
        found = {name: ok for test in tests for name, ok in results.items() if matches(test, name)}
        missing = [test for test in tests if not any(matches(test, name) for name in results)]
        bad = missing + [name for name, ok in found.items() if not ok]
        failed += bool(bad)
        outcome = f"failed: {', '.join(bad)}" if bad else "holds"
        lines.append(f"| {number} | {case} | {does} | {len(found)} | {outcome} |")
    text = "\n".join(lines) + "\n"
    if args.output:
        args.output.write_text(text)
    print(text)
    print(f"{len(results)} tests; {len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
