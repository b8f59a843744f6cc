# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Archives with several programs: each verb takes one by its name."""

from __future__ import annotations

import zipfile
from pathlib import Path

from archive import stored
from harness import INPUT, MODEL, CommandTest, buddy, floats


class Programs(CommandTest):
    def several(self, *names: str, extra: dict[str, bytes] | None = None) -> Path:
        """The example's program under each of the names."""
        path = self.folder / "several.pt2"
        with zipfile.ZipFile(MODEL) as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                is_named = "/models/" in name or name.endswith("_config.json")
                for other in names if is_named else ["model"]:
                    stored(new, name.replace("model.json", f"{other}.json").replace("model_", f"{other}_"), old.read(name))
            for name, data in (extra or {}).items():
                stored(new, f"lenet5/extra/{name}", data)
        return path

    def test_the_names_are_told_where_none_is_chosen(self) -> None:
        path = self.several("prefill", "decode")
        compile_one = ("compile", "-o", self.folder / "m.so")  # which takes all of them where none is named
        for words in (("run",), ("import",), ("explain",), ("profile",), compile_one):
            if words is not compile_one:
                self.check(buddy(*words, path), 1, "holds 2 programs: 'prefill', 'decode'", "--program NAME")
            self.check(buddy(*words, path, "--program", "encode"), 1, "no program 'encode'; it holds 'prefill', 'decode'")
        self.assertFalse((self.folder / "m.so").exists())

    def test_a_library_has_all_of_them(self) -> None:
        library = self.folder / "m.so"
        self.check(buddy("compile", self.several("prefill", "decode"), "-o", library, "-O0"), 0)
        header = library.with_suffix(".h").read_text()
        for name in ("m_prefill_run", "m_decode_run"):
            self.assertIn(name, header)

    def test_each_verb_takes_one_by_its_name(self) -> None:
        path = self.several("prefill", "decode")
        expected = self.folder / "expected"
        self.check(buddy("run", MODEL, "--input", INPUT, "--output-dir", expected), 0)
        for run in range(2):  # the second from the cache
            for name in ("decode", "prefill"):
                out = self.folder / f"{name}{run}"
                self.check(buddy("run", path, "--program", name, "--input", INPUT, "--output-dir", out), 0, "linear_2")
                self.assertEqual(floats(out / "output_0.npy"), floats(expected / "output_0.npy"))
        for verb in ("import", "explain"):
            alone = buddy(verb, MODEL).stdout
            self.assertEqual(buddy(verb, path, "--program", "decode").stdout, alone)
        self.check(buddy("profile", path, "--program", "decode", "--repeat", "1"), 0, "steps")
        self.check(buddy("compile", path, "--program", "decode", "-o", self.folder / "m.so", "-O0"), 0)
        self.check(buddy("run", path, "--program=model", "--no-cache"), 1, "no program 'model'")
        self.check(buddy("run", MODEL, "--program", "model", "--input", INPUT), 0)

    def test_check_lists_programs_and_files(self) -> None:
        path = self.several("prefill", "decode", extra={"tokenizer.json": b"{}", "a/b\x1b[2J": b""})
        result = buddy("check", path)
        self.check(result, 0, "every checksum", "program prefill: imports", "program decode: imports",
                   "file extra/tokenizer.json", r"file extra/a/b\\x1B\[2J")
        self.assertNotIn("\x1b", result.stdout)

    def test_hostile_names(self) -> None:
        path = self.several("\x1b[2Jred", "%s%n%x", "model")
        result = buddy("run", path, "--program", "\x1b]0;x")
        self.check(result, 1, "no program", "x1B")
        self.assertNotIn("\x1b", result.stderr)
        self.check(buddy("check", path), 0, "program %s%n%x: imports")
        self.check(buddy("run", path, "--program", "%s%n%x", "--input", INPUT), 0)
        self.check(buddy("run", path, "--input", INPUT), 0)  # the one called model
