# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples in C, as somebody starts them who has not read them: what is wrong is one line, and a status."""

from __future__ import annotations

import subprocess
import unittest

from harness import CACHE, INPUT, MODEL, Build, CommandTest


class Examples(CommandTest):
    def start(self, name: str, *words: object) -> subprocess.CompletedProcess[str]:
        program = Build.folder / "examples" / name
        if not program.exists():
            raise unittest.SkipTest(f"{name} is not built")
        return subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120, check=False,
                              env={"BUDDY_CACHE_DIR": CACHE.name})

    def test_what_is_right(self) -> None:
        self.check(self.start("run_model", MODEL, INPUT), 0, "^the largest of 10 numbers is number 7")
        self.check(self.start("build_graph"), 0, "func.func")
        self.check(self.start("threads", MODEL, 2, 20), 0, "20 requests on 2 threads.*0 wrong")

    def test_what_is_wrong_is_one_line(self) -> None:
        """And no note of what went well before."""
        none, text = self.folder / "none", self.folder / "text"
        text.write_text("no numbers")
        for words, status, said in ((("run_model",), 2, "usage"), (("run_model", none, INPUT), 1, "none: .*No such file"),
                                    (("run_model", MODEL, none), 1, "none: .*No such file"), (("run_model", MODEL, text), 1, "not a .npy file"),
                                    (("threads",), 2, "usage"), (("threads", none), 1, "none: .*No such file"),
                                    (("threads", MODEL, "two"), 2, "usage"), (("generate",), 2, "usage"),
                                    (("generate", none, "1,2"), 1, "none: .*No such file"), (("generate", MODEL, "1,2"), 1, "prefill")):
            with self.subTest(words=words):
                result = self.start(*words)
                self.check(result, status, said)
                self.assertEqual((result.stdout, result.stderr.count("\n")), ("", 1), result.stderr)


if __name__ == "__main__":
    raise SystemExit("run test_command.py")
