# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buddy calibrate`: what it measures is kept, shown, gone by and forgotten; and no run is wrong for it."""

from __future__ import annotations

from pathlib import Path

from harness import INPUT, MODEL, CommandTest, buddy, floats


class Calibrating(CommandTest):
    def setUp(self) -> None:
        super().setUp()
        self.env = {"BUDDY_CACHE_DIR": str(self.folder / "cache"), "OMP_NUM_THREADS": "1"}

    def run_model(self, *options: object, status: int = 0, words: tuple[str, ...] = ()) -> list[float]:
        out = self.folder / "out"
        self.check(buddy("run", MODEL, "--input", INPUT, "--output-dir", out, *options, env=self.env), status, *words)
        return floats(out / "output_0.npy")

    def entries(self) -> list[Path]:
        return sorted((self.folder / "cache").iterdir())

    def test_the_models_cases_are_measured_once(self) -> None:
        right = self.run_model("--no-cache")
        first = buddy("calibrate", MODEL, env=self.env)
        self.check(first, 0, "microseconds", r"convolution f32 1x28x28x1x6x1x5x5x1x2 +linalg +1 +\d", r"row f32 .* linalg",
                   r"\d+ samples are kept")
        n = first.stdout.split("\n")[-2].split()[0]
        (entry,) = self.entries()
        self.check(buddy("calibrate", "--list", env=self.env), 0, f"\n{n} samples")
        again = buddy("calibrate", MODEL, env=self.env)
        self.check(again, 0, f"{n} samples are kept")
        self.assertNotIn("linalg", again.stdout)
        for _ in range(2):  # compiled, and out of the cache
            for a, b in zip(self.run_model(), right):
                self.assertAlmostEqual(a, b, delta=1e-4)
        self.assertIn(entry, self.entries())
        self.check(buddy("calibrate", "--clear", env=self.env), 0, "forgotten")
        self.check(buddy("calibrate", "--clear", env=self.env), 0, "there was none")
        self.check(buddy("calibrate", "--list", env=self.env), 0, "^0 samples")
        self.assertNotIn(entry, self.entries())

    def test_a_damaged_one_is_told_and_passed_over(self) -> None:
        right = self.run_model("--no-cache")
        self.check(buddy("calibrate", MODEL, env=self.env), 0, "samples are kept")
        (entry,) = self.entries()
        entry.write_bytes(entry.read_bytes()[:-7])
        self.assertEqual(self.run_model(words=("damaged",)), right)
        self.assertFalse(entry.exists())

    def test_misuse(self) -> None:
        self.check(buddy("calibrate", "--help"), 0, "usage: buddy calibrate")
        self.check(buddy("calibrate", "--seconds", "0", env=self.env), 2, "seconds")
        self.check(buddy("calibrate", self.folder / "no.pt2", env=self.env), 1, "no.pt2")
        self.check(buddy("calibrate", "--list", env=self.env), 0, "^0 samples")
