# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that runs out, at places spread over what the command does; malloc_sweep.py goes through all of them."""

from __future__ import annotations

import os
import subprocess

from harness import Build, CommandTest
from malloc_sweep import SOURCE, Sweep, scenarios, sweep


class Memory(CommandTest):
    def test_an_allocation_that_fails_is_told(self) -> None:
        preload = self.folder / "fail_nth.so"
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", preload, SOURCE, "-ldl"], check=True)
        swept = Sweep(Build.folder, self.folder, preload)
        for name, at_most in {"registries": 6, "config": 6, "explain": 6, "import": 9, "check": 6, "cached": 15}.items():
            scenario = scenarios(self.folder)[name]
            with self.subTest(name=name):
                self.assertEqual(sweep(name, scenario, swept, at_most)[1], 0)
