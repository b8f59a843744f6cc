# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that mislead, and outputs that fail: what reaches the terminal, and what the exit code says of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

from harness import CACHE, INPUT, MODEL, Build, CommandTest, buddy

# What moves a cursor, sets a title, ends a line, rings, turns the direction of writing; C1 as UTF-8.
NASTY = "\x1b]0;owned\x07\x1b[2J\r\nbuddy: error: forged\x7f\x9b2J\u202egnp\u2066\u200f"
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]")


def shell(command: str, *words: object) -> subprocess.CompletedProcess[str]:
    """A line of sh in which $0 is the command, and $1 onward are the words."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
    return subprocess.run(["sh", "-c", command, str(Build.folder / "bin" / "buddy"), *map(str, words)], check=False,
                          capture_output=True, text=True, env=clean | {"BUDDY_CACHE_DIR": CACHE.name}, timeout=120)


class Hostile(CommandTest):
    def check_harmless(self, *words: object, env: dict[str, str] | None = None) -> str:
        result = buddy(*words, env=env)
        text = result.stdout + result.stderr
        self.assertNotRegex(text, HIDDEN, words)
        self.assertNotIn("\nbuddy: error: forged", text, words)
        self.assertGreaterEqual(result.returncode, 0, words)
        return text

    def with_name(self, old: str) -> Path:
        """The example with a name of its program, wherever it stands, made nasty."""
        nasty = json.dumps(NASTY)[1:-1].encode()
        return self.rewrite(lambda data: data.replace(f'"{old}"'.encode(), b'"' + old.encode() + nasty + b'"'))

    def test_names_of_an_archive_do_not_reach_the_terminal_raw(self) -> None:
        for name in ("torch.ops.aten.relu.default", "x", "relu", "linear_2", "conv1.weight", "nn_module_stack",
                     "stack_trace", "p_conv1_weight"):
            model = self.with_name(name)
            for words in (["explain"], ["explain", "--json"], ["import"], ["import", "--locations"],
                          ["import", "--params", "resource"], ["import", "--emit", "graph"], ["run", "--no-cache", "-O0"],
                          ["profile", "-O0"]):
                with self.subTest(name=name, words=words):
                    self.check_harmless(words[0], model, *words[1:])

    def test_json_stays_json(self) -> None:
        model = self.with_name("relu")
        result = buddy("explain", model, "--json")
        self.check(result, 0)
        self.assertTrue(any("\u202e" in str(node["name"]) for node in json.loads(result.stdout)["nodes"])
                        or "relu" in result.stdout)
        folder = os.fsdecode(str(self.folder).encode() + b"/\x80\x1b[2J\xe2\x80\xae")
        os.mkdir(folder)
        for words in (["registries", "--json"], ["config", "--json"]):
            result = buddy(*words, env={"BUDDY_PLUGIN_PATH": folder})
            self.check(result, 0)
            json.loads(result.stdout)
            self.assertNotRegex(result.stdout, HIDDEN)
        for words in (["registries"], ["config"]):
            self.assertIn("\\x80\\x1B[2J\\u202E", self.check_harmless(*words, env={"BUDDY_PLUGIN_PATH": folder}))

    def test_names_of_files_entries_and_words(self) -> None:
        nasty = os.fsdecode(NASTY.encode() + b"\x80")
        path = self.folder / (nasty + ".pt2")
        for content in (b"", b"no zip", MODEL.read_bytes().replace(b"/models/model.json", b"/models/m\x1b[2J.json"),
                        MODEL.read_bytes().replace(b"data/weights/weight_0", b"data/weights/w\x1b]\x07\x80t_0")):
            path.write_bytes(content)
            for verb in ("run", "explain", "import"):
                self.check_harmless(verb, path)
        self.check_harmless("run", path, path)
        self.check_harmless(nasty)
        self.check_harmless("cache", nasty)
        self.check_harmless("run", MODEL, "--threads", nasty)
        self.check_harmless("run", MODEL, "--input", path)
        self.check_harmless("run", MODEL, "--registries", nasty)
        self.check_harmless("run", MODEL, "--pin", nasty + "=tosa")
        self.check_harmless("explain", MODEL, env={"BUDDY_REGISTRIES": nasty})
        self.check_harmless("explain", MODEL, env={"BUDDY_PINS": nasty})
        self.check_harmless("plugin", "check", path)
        for variable in ("BUDDY_CACHE_DIR", "BUDDY_CONFIG", "BUDDY_PLUGIN_PATH"):
            self.check_harmless("run", MODEL, env={variable: str(self.folder / nasty / "none")})
        toml = self.folder / "buddy.toml"
        toml.write_text('"a\\u001B[2J\\u202E" = 1\n[pins]\n"a\\u009B.b" = "tosa"\n')
        self.check_harmless("config", env={"BUDDY_CONFIG": str(toml)})

    def test_names_in_new_projects(self) -> None:
        self.check_harmless("new-registry", "mine", "-o", os.fsdecode(str(self.folder).encode() + b"/" + NASTY.encode() + b"\x80"))
        for number, user in enumerate(("u" * 64, "a\tb", "a\x1b[2J", "\udcff", 'a"b', "a\\", "", "@name@", "Ünal & Söhne")):
            with self.subTest(user=user):
                project = self.folder / str(number)
                self.check_harmless("new-registry", "mine", "-o", project, env={"USER": user})
                (line,) = [line for line in (project / "src" / "registry.c").read_text().splitlines() if line.startswith("BUDDY_REGISTRY(")]
                self.assertIn('"Ünal & Söhne"' if "Ü" in user else '"me"', line)
                words = ("new-registry", "mine", "--vendor", user, "-o", self.folder / "other")
                self.check(buddy(*words), 0 if "Ü" in user else 2)

    def test_a_key_that_is_there_twice_is_refused(self) -> None:
        for old in (b'"graph_module"', b'"sizes"', b'"target"'):
            model = self.rewrite(lambda data, old=old: data.replace(old + b":", old + b": 0, " + old + b":", 1))
            for verb in ("run", "explain", "import"):
                self.check(buddy(verb, model), 1, r"has the key '\w+' twice")


class Outputs(CommandTest):
    """What was printed and did not arrive is a failure."""

    VERBS = (["--help"], ["--version"], ["run", MODEL, "--input", INPUT], ["explain", MODEL], ["explain", MODEL, "--json"],
             ["import", MODEL], ["import", MODEL, "--emit", "graph"], ["registries"], ["registries", "--json"], ["ops"],
             ["config"], ["cache"], ["cache", "path"], ["completion", "bash"], ["run", "--help"], ["calibrate", "--list"])

    def test_a_full_disk(self) -> None:
        for words in self.VERBS:
            with self.subTest(words=words):
                self.check(shell('exec "$0" "$@" > /dev/full', *words), 1, "standard output.*no space left on device")

    def test_no_standard_output(self) -> None:
        for words in self.VERBS:
            with self.subTest(words=words):
                self.check(shell('exec "$0" "$@" >&-', *words), 1, "standard output.*bad file descriptor")

    def test_a_pipe_that_nobody_reads(self) -> None:
        for words in (["explain", MODEL], ["import", MODEL]):
            result = shell('trap "" PIPE; { "$0" "$@"; echo "status $?" >&2; } | true', *words)
            self.assertRegex(result.stderr, "(?s)standard output.*[Bb]roken pipe.*status 1|status 0")

    def test_what_is_not_printed_needs_no_output(self) -> None:
        out = self.folder / "model.mlir"
        self.check(shell('exec "$0" "$@" >&- <&-', "import", MODEL, "-o", out), 0)
        self.assertIn("func.func", out.read_text())
