# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buddy check` and `run --verify`: whether a file is what was written."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path

import quantized
from harness import INPUT, MODEL, Build, CommandTest, buddy


class Checking(CommandTest):
    def changed(self, entry: str, at: int) -> Path:
        """The example with one bit of an entry's bytes changed."""
        with zipfile.ZipFile(MODEL) as archive:
            data = bytearray(archive.read(next(name for name in archive.namelist() if name.endswith(entry))))
        data[at] ^= 0x10
        return quantized.forge(MODEL, self.folder / "changed.pt2", entry, bytes(data))

    def test_a_good_archive(self) -> None:
        self.check(buddy("check", MODEL), 0, "every checksum matches", "program model: imports, 12 nodes")
        self.check(buddy("run", MODEL, "--input", INPUT, "--verify"), 0, "linear_2")
        self.check(buddy("run", MODEL, "--input", INPUT, "--verify", "--no-cache", "-O0"), 0, "linear_2")

    def test_one_bit_anywhere_is_found(self) -> None:
        with zipfile.ZipFile(MODEL) as archive:
            entries = {name.split("/", 1)[1]: archive.getinfo(name).file_size for name in archive.namelist()}
        for entry, size in entries.items():
            for at in {0, size // 2, size - 1}:
                path = self.changed(entry, at)
                with self.subTest(entry=entry, at=at):
                    result = buddy("check", path)
                    # What says that this is an archive of PyTorch is looked at before.
                    words = "" if entry in ("archive_format", "archive_version", "byteorder") else f"'lenet5/{entry}' .*does not match its checksum"
                    self.check(result, 1, words)

    def test_weights_that_were_changed_do_not_run(self) -> None:
        path = self.changed("weight_4", 100_000)
        for options in ((), ("--no-cache", "-O0")):
            self.check(buddy("run", path, "--input", INPUT, *options), 0)
            self.check(buddy("run", path, "--input", INPUT, "--verify", *options), 1, "lenet5/data/weights/weight_4' .*does not match its checksum: that is [0-9a-f]{8}")

    def test_all_problems_are_told(self) -> None:
        path = self.changed("weight_4", 5)
        path = quantized.forge(path, self.folder / "two.pt2", "weight_9", bytes(40))
        self.check(buddy("check", path), 1, "weight_4(?s:.*)weight_9")

    def test_deflated_entries(self) -> None:
        path = self.folder / "deflated.pt2"
        with zipfile.ZipFile(MODEL) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                stored = name.endswith(("archive_format", "archive_version", "byteorder")) or "weight_" in name
                new.writestr(name, old.read(name), zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED)
        self.assertNotIn("checksum:", buddy("check", path).stderr)
        with zipfile.ZipFile(path) as archive:
            info = archive.getinfo("lenet5/data/sample_inputs/model.pt")
        content = bytearray(path.read_bytes())
        at = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
        content[at] ^= 0xFF
        path.write_bytes(content)
        self.check(buddy("check", path), 1, "sample_inputs/model.pt' .*(cannot be inflated|does not match)")

    def test_what_compile_wrote(self) -> None:
        library = self.folder / "model.so"
        runtime = Build.folder / "lib" / "libbuddy_runtime.so"
        self.check(buddy("compile", MODEL, "-o", library, "-O0", "--runtime", runtime), 0)
        weights = self.folder / "model.weights"
        self.check(buddy("check", library), 0, "is whole")
        self.check(buddy("check", weights), 0, "the checksum matches")
        good = weights.read_bytes()
        self.assertEqual(struct.unpack_from("<II", good, 24), (zlib.crc32(good[64:]), 1))
        for at in (64, len(good) // 2, len(good) - 1):
            weights.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
            self.check(buddy("check", weights), 1, "do not match their checksum")
        weights.write_bytes(good[:-64])
        self.check(buddy("check", weights), 1, f"has {len(good) - 64} bytes, and its header says {len(good)}")
        old = good[:24] + bytes(8) + good[32:]
        weights.write_bytes(old)
        self.check(buddy("check", weights), 1, "no checksum: an older buddy wrote it")
        self.check(buddy("run", library, "--input", INPUT), 0, "linear_2")
        library.write_bytes(library.read_bytes()[:20_000])
        self.check(buddy("check", library), 1, "truncated")

    def test_other_files(self) -> None:
        self.check(buddy("check"), 2, "which file")
        self.check(buddy("check", self.folder), 1, "no regular file")
        self.check(buddy("check", self.folder / "none"), 1, "no such file")
        empty = self.folder / "empty"
        empty.write_bytes(b"")
        self.check(buddy("check", empty), 1, "empty")
        empty.write_bytes(b"PK\x03\x04 no zip")
        self.check(buddy("check", empty), 1, "no zip archive")
