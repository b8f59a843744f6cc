# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""buddy.toml: which file wins, who may say what, and what becomes of a file that is wrong."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from harness import MODEL, ROOT, Build, CommandTest

WHOLE = """registries = ["linalg", "*"]
plugin_path = ["plugins"]
[pins]
aten.relu.default = "tosa"
[cache]
size = 12
"""


class ConfigTest(CommandTest):
    def setUp(self) -> None:
        super().setUp()
        self.project, self.home = self.folder / "project", self.folder / "home"
        self.users = self.home / ".config" / "buddy" / "buddy.toml"
        self.inner = self.project / "a" / "b"
        self.inner.mkdir(parents=True)
        self.users.parent.mkdir(parents=True)
        self.file = self.project / "buddy.toml"

    def buddy(self, *words: object, **variables: str) -> subprocess.CompletedProcess[str]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("BUDDY_", "XDG_"))}
        return subprocess.run([Build.folder / "bin" / "buddy", *map(str, words)], capture_output=True, text=True, check=False,
                              cwd=self.inner, env=clean | {"HOME": str(self.home)} | variables, timeout=120)

    def settings(self, **variables: str) -> dict[str, tuple[str, str]]:
        result = self.buddy("config", "--json", **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {name: (one["value"], one["from"]) for name, one in json.loads(result.stdout).items()}


class Configuring(ConfigTest):
    def test_without_a_file(self) -> None:
        found = self.settings()
        self.assertEqual(found["registries"], ("tosa:*", "default"))
        self.assertEqual({source for _, source in found.values()}, {"default"})

    def test_first_wins(self) -> None:
        self.file.write_text(WHOLE)
        self.users.write_text('registries = "math:*"\n[cache]\ndir = "kept"\nsize = 13\n')
        found = self.settings(BUDDY_CACHE_SIZE="14")
        self.assertEqual(found["cache.size"], ("14", "BUDDY_CACHE_SIZE"))
        self.assertEqual(found["registries"], ("linalg:*", f"{self.file}:1"))
        self.assertEqual(found["pins"], ("aten.relu.default=tosa", f"{self.file}:4"))
        self.assertEqual(found["cache.dir"], (str(self.users.parent / "kept"), f"{self.users}:3"))
        self.assertEqual(self.settings(BUDDY_CONFIG="")["registries"], ("tosa:*", "default"))
        other = self.folder / "other.toml"
        other.write_text('registries = "func"\nplugin_path = "p"\n')
        found = self.settings(BUDDY_CONFIG=str(other))
        self.assertEqual(found["registries"], ("func", f"{other}:1"))
        self.assertEqual(found["plugin_path"], (str(self.folder / "p"), f"{other}:2"))
        self.assertEqual(found["cache.size"], ("13", f"{self.users}:4"))

    def test_it_counts(self) -> None:
        self.file.write_text(WHOLE)
        self.check(self.buddy("explain", MODEL), 0, "aten.conv2d.default +linalg", "aten.relu.default +tosa", "order: linalg:")
        self.check(self.buddy("explain", MODEL, "--registries", "tosa:linalg"), 0, "aten.max_pool2d.default +tosa")
        self.check(self.buddy("explain", MODEL, "--pin", "aten.relu.default=linalg"), 0, "aten.relu.default +linalg")
        self.check(self.buddy("explain", MODEL, BUDDY_PINS="aten.relu.default=linalg"), 0, "aten.relu.default +linalg")

    def test_the_cache_knows(self) -> None:
        self.file.write_text('[pins]\naten.relu.default = "linalg"\n')
        cache = {"BUDDY_CACHE_DIR": str(self.folder / "cache")}
        for variables in ({}, {"BUDDY_CONFIG": ""}):
            self.check(self.buddy("run", MODEL, **cache, **variables), 0)
        self.assertEqual(len(list((self.folder / "cache").glob("*.code"))), 2)

    def test_a_project_names_code_if_the_user_trusts_it(self) -> None:
        self.file.write_text(WHOLE)
        result = self.buddy("config", "--json")
        self.assertEqual(json.loads(result.stdout)["plugin_path"]["value"], "")
        self.assertRegex(result.stderr, f"{self.file}:2: plugin_path is ignored: it names code to run")
        self.users.write_text(f'trusted = ["/nowhere", "{self.project}"]\n')
        result = self.buddy("config", "--json")
        self.assertEqual(json.loads(result.stdout)["plugin_path"]["value"], str(self.project / "plugins"))
        self.assertEqual(result.stderr, "")
        self.file.write_text(f'trusted = ["{self.project}"]\n')
        self.check(self.buddy("config"), 1, "buddy.toml:1: trusted is for the user's own file alone")

    def test_what_others_could_have_written(self) -> None:
        self.file.write_text(WHOLE)
        self.file.chmod(0o646)
        self.check(self.buddy("config"), 0, "buddy.toml: is ignored: it may be written by everybody", r"tosa:\* +default")
        self.file.chmod(0o644)
        self.project.chmod(0o777)
        self.check(self.buddy("config"), 0, "is ignored: its folder may be written by everybody", r"tosa:\* +default")
        self.project.chmod(0o1777)
        self.check(self.buddy("config"), 0, r"linalg:\* ")
        self.project.chmod(0o755)
        self.file.unlink()
        os.mkfifo(self.file)
        self.check(self.buddy("config"), 0, "is ignored: it is a F")
        self.file.unlink()
        self.file.write_text("#" * 70000)
        self.check(self.buddy("config"), 0, "is ignored: it is larger than 64 KiB")

    def test_somebody_elses(self) -> None:
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        self.file.write_text(WHOLE)
        os.chown(self.file, 12345, 12345)
        self.check(self.buddy("config"), 0, "is ignored: it belongs to user", r"tosa:\* +default")

    def test_all_that_is_wrong_is_said_together(self) -> None:
        self.file.write_text('registries = ["a", 3]\nregistrys = "a"\nplugin_path = ["", "a:b"]\n[pins]\nx = 2\n'
                             '"a b" = "c"\n[cache]\nsize = -1\ndir = []\n')
        self.users.write_text(f'trusted = ["{self.project}", "relative"]\n')
        self.check(self.buddy("config"), 1, "buddy/buddy.toml:1: a trusted folder is absolute")
        self.users.write_text(f'trusted = ["{self.project}"]\n')
        self.check(self.buddy("config"), 1, "toml:1: registries is no list", "toml:2: there is no setting 'registrys'",
                   "toml:3: a folder of plugin_path is empty", "toml:5: a pin is", "toml:6: a pin is",
                   "toml:8: cache.size is no size", "toml:9: cache.dir is no folder")
        self.file.write_text('registries = ["tosa", "../tosa", "tosa"]\n')
        self.check(self.buddy("config"), 1, r"toml:1: item 2, '\.\./tosa', is no name", "toml:1: item 3, 'tosa', is there twice")
        for text, where in (("a = [\n", "1:7"), ("[\nx = 1\n", "1:2"), ("a = 1\na = 2\n", "2:"), ("a = \x01", "1:5")):
            self.file.write_text(text)
            self.check(self.buddy("config"), 1, f"{self.file}:{where}\\d*: is no TOML")
        self.check(self.buddy("run", "--help"), 0)
        self.check(self.buddy("config", BUDDY_CONFIG=""), 0)

    def test_pins_that_fit_nothing_are_passed_over(self) -> None:
        self.file.write_text('[pins]\naten.relu.default = "nobody"\n')
        self.check(self.buddy("explain", MODEL), 0, "BUDDY_PINS: aten.relu.default=nobody: this registry is not loaded")


EMBEDS = r"""
#include <buddy/config.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  buddy_diags *diags;
  if (buddy_diags_create(&diags) != BUDDY_OK) return 3;
  const buddy_code code = argc > 1 ? buddy_config_load(*argv[1] ? argv[1] : NULL, diags) : BUDDY_OK;
  for (size_t i = 0; i < buddy_diags_count(diags); ++i)
    printf("%s: %s\n", buddy_diags_get(diags, i)->where, buddy_diags_get(diags, i)->what);
  const char *order = getenv("BUDDY_REGISTRIES"), *size = getenv("BUDDY_CACHE_SIZE");
  printf("%s %s %d\n", order ? order : "-", size ? size : "-", (int)code);
  buddy_diags_destroy(diags);
  return 0;
}
"""


class Embedding(ConfigTest):
    """Programs that embed buddy read such a file when they ask for it, and only then."""

    def setUp(self) -> None:
        super().setUp()
        source, lib = self.folder / "embeds.c", Build.folder / "lib"
        source.write_text(EMBEDS)
        self.program = self.folder / "embeds"
        subprocess.run(["cc", "-Wall", "-Werror", "-I", ROOT / "include", source, "-L", lib, "-lbuddy_model", "-lbuddy",
                        f"-Wl,-rpath,{lib}", "-o", self.program], check=True)
        self.file.write_text(WHOLE)
        self.users.write_text("[cache]\nsize = 13\n")

    def embedded(self, *words: object, **variables: str) -> str:
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("BUDDY_", "XDG_"))}
        return subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, check=True, cwd=self.inner,
                              env=clean | {"HOME": str(self.home)} | variables, timeout=60).stdout

    def test_a_program_asks(self) -> None:
        self.assertEqual(self.embedded(), "- - 0\n")
        self.file.write_text('registries = ["linalg", "*"]\n')
        self.assertEqual(self.embedded(""), "linalg:* 13 0\n")
        self.assertEqual(self.embedded("", BUDDY_REGISTRIES="func"), "func 13 0\n")
        self.assertEqual(self.embedded("", BUDDY_CONFIG=""), "- - 0\n")

    def test_a_program_names_the_file(self) -> None:
        other = self.folder / "other.toml"
        other.write_text('registries = "math"\nplugin_path = ["p"]\n')
        self.assertEqual(self.embedded(other), "math 13 0\n")
        other.write_text("registries = 7\n")
        self.assertRegex(self.embedded(other), r"other.toml:1: .*\n- - [1-9]")
        self.assertRegex(self.embedded(self.folder / "none.toml"), r"none.toml: cannot be found: No such file.*\n- - [1-9]")

    def test_a_project_s_file_names_no_code(self) -> None:
        self.assertRegex(self.embedded(""), "plugin_path.*trust")

    def test_a_file_that_was_named_is_never_passed_over(self) -> None:
        named = self.folder / "named.toml"
        for make, why in ((lambda: None, "cannot be found"), (named.mkdir, "is a folder, and no regular file"), (lambda: os.mkfifo(named), "is a FIFO"),
                          (lambda: named.write_text("#" * 70000), "it is larger than 64 KiB"),
                          (lambda: (named.write_text(""), named.chmod(0o646)), "it may be written by everybody")):
            make()
            self.check(self.buddy("config", BUDDY_CONFIG=str(named)), 1, f"named.toml: {why}", "it is the value of BUDDY_CONFIG")
            self.assertRegex(self.embedded(named), f"named.toml: {why}.*\n- - [1-9]")
            if named.exists():
                named.rmdir() if named.is_dir() else named.unlink()
