# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What finds code in the cache: every value that the code was made from, whatever checksums an archive claims."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import zipfile
from pathlib import Path

import quantized
from harness import MODEL, CommandTest, buddy, floats


def npy(path: Path, dtype: str, shape: tuple[int, ...], data: bytes) -> Path:
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data)
    return path


class Keys(CommandTest):
    def setUp(self) -> None:
        super().setUp()
        self.cache = self.folder / "cache"
        self.input = npy(self.folder / "x.npy", "<f4", (3, 4), struct.pack("<12f", *[1.0] * 12))

    def run_model(self, model: Path, *options: object) -> list[float]:
        out = self.folder / "out"
        self.check(buddy("run", model, "--input", self.input, "--output-dir", out, *options, env={"BUDDY_CACHE_DIR": str(self.cache)}), 0)
        return floats(out / "output_0.npy")

    def n_entries(self) -> int:
        return len(list(self.cache.iterdir()))

    def test_values_that_are_folded_are_in_the_key(self) -> None:
        zeros = quantized.write(self.folder / "zeros.pt2", [0, 0, 0])
        others = quantized.forge(zeros, self.folder / "others.pt2", "weight_2", struct.pack("<3q", 1, -2, 3))
        last = quantized.forge(zeros, self.folder / "last.pt2", "weight_2", struct.pack("<3q", 0, 0, 7))
        wanted = [(zeros, [0, 0, 0]), (others, [1, -2, 3]), (last, [0, 0, 7])]
        for _ in range(2):
            for model, points in wanted:
                self.assertEqual(self.run_model(model), quantized.expected(points), (model, points))
                self.assertEqual(self.run_model(model, "--no-cache"), quantized.expected(points), (model, points))

    def test_values_that_are_not_read_share_code(self) -> None:
        zeros = quantized.write(self.folder / "zeros.pt2", [0, 0, 0])
        self.assertEqual(self.run_model(zeros), quantized.expected([0, 0, 0]))
        n = self.n_entries()
        other = quantized.forge(zeros, self.folder / "other.pt2", "weight_1", struct.pack("<3f", 1, 1, 1))
        self.assertEqual(self.run_model(other)[:4], [-6, -5, -4, -3])
        self.assertEqual(self.n_entries(), n)

    def test_no_weight_is_read_on_the_way_to_a_module(self) -> None:
        """What is not read cannot be folded: the pages of the largest weight are taken away meanwhile."""
        hide = self.folder / "hide_pages.so"
        source = Path(__file__).with_name("hide_pages.c")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", hide, source, "-ldl"], check=True)
        with zipfile.ZipFile(MODEL) as archive:
            info = max(archive.infolist(), key=lambda one: one.file_size)
        at = info.header_offset + 30 + len(info.filename)
        env = {"LD_PRELOAD": str(hide), "BUDDY_HIDE": f"{MODEL.stat().st_size} {at + 64} {at + info.file_size}"}
        for words in (["import", MODEL], ["import", MODEL, "--registries", "vendor:tosa:*"], ["explain", MODEL]):
            self.check(buddy(*words, env=env), 0)
        self.assertLess(buddy("check", MODEL, env=env).returncode, 0, "nothing was hidden")

    def test_a_program_may_call_its_description_of_weights_a_weight(self) -> None:
        """models/weight_x.json has data/weights/weight_x_weights_config.json, which is no weight."""
        path = quantized.write(self.folder / "a.pt2", [0, 0, 0], model="weight_x")
        self.assertEqual(self.run_model(path), quantized.expected([0, 0, 0]))
        with zipfile.ZipFile(path) as archive:
            config = archive.read("q/data/weights/weight_x_weights_config.json")
        edited = json.loads(config)
        edited["config"]["s"]["path_name"] = "weight_9"
        forged = quantized.forge(path, self.folder / "b.pt2", "weight_x_weights_config.json", json.dumps(edited).encode())
        result = buddy("run", forged, "--input", self.input, env={"BUDDY_CACHE_DIR": str(self.cache)})
        self.check(result, 1, "does not match its checksum")
