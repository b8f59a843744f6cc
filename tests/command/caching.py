# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache of compiled code: that it is used, and that nothing wrong ever comes out of it."""

from __future__ import annotations

import os
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import INPUT, MODEL, Build, CommandTest, buddy, floats


class Caching(CommandTest):
    def setUp(self) -> None:
        super().setUp()
        self.cache = self.folder / "cache"
        self.runs = 0

    def env(self, **more: str) -> dict[str, str]:
        return {"BUDDY_CACHE_DIR": str(self.cache)} | more

    def run_model(self, *options: object, model: Path = MODEL, status: int = 0, env: dict[str, str] | None = None,
                  words: tuple[str, ...] = ()) -> bytes:
        """The first output's file; the command's own words must match `words`."""
        self.runs += 1
        out = self.folder / f"out{self.runs}"
        self.check(buddy("run", model, "--input", INPUT, "--output-dir", out, *options, env=env or self.env()), status,
                   *words)
        return (out / "output_0.npy").read_bytes() if status == 0 else b""

    def read(self, output: bytes) -> list[float]:
        path = self.folder / "numbers.npy"
        path.write_bytes(output)
        return floats(path)

    def numbers(self, *options: object, words: tuple[str, ...] = ()) -> list[float]:
        return self.read(self.run_model(*options, words=words))

    def assert_near(self, some: list[float], others: list[float]) -> None:
        self.assertEqual(len(some), len(others))
        for a, b in zip(some, others):
            self.assertAlmostEqual(a, b, delta=1e-4)

    def entries(self) -> list[Path]:
        self.assertEqual([path.name for path in self.cache.iterdir() if path.suffix != ".code"], [])
        return sorted(self.cache.iterdir())

    def entry(self) -> Path:
        (only,) = self.entries()
        return only

    def test_the_second_start_has_no_compiler(self) -> None:
        loaded = []
        outputs = [self.run_model("--no-cache")]
        for k in range(2):
            text, output = self.libraries_of_a_run(f"log{k}")
            outputs.append(output)
            loaded.append(("libLLVM" in text, "libMLIR" in text, "libbuddy_mlir" in text))
        self.assertEqual(loaded, [(True,) * 3, (False,) * 3])
        self.assertEqual(outputs, outputs[:1] * 3)
        self.entry()

    def test_later_runs_of_a_process_are_like_the_first(self) -> None:
        """Weights are packed in passing the first time, and kept from the second run on."""
        self.assertEqual([self.run_model("--repeat", n) for n in (2, 4)], [self.run_model()] * 2)

    def test_what_code_depends_on_is_told_apart(self) -> None:
        plugins = self.folder / "plugins"
        plugins.mkdir()
        shutil.copy(Build.folder / "lib" / "buddy" / "plugins-1" / "buddy_math.so", plugins)
        edited = self.rewrite_json(lambda program: program.update(torch_version="0.0"))
        variants: list[tuple[tuple[object, ...], Path]] = [
            ((), MODEL), (("-O", "1"), MODEL), (("--registries", "linalg:*"), MODEL), (("--pin", "aten.relu.default=linalg"), MODEL),
            (("--plugin-dir", plugins), MODEL), ((), edited), (("--winograd", "never"), MODEL),
            (("--fusion", "never"), MODEL), (("--folding", "never"), MODEL)]
        if platform.machine() == "x86_64":
            variants += [(("--without", "avx"), MODEL), (("--without", "fma"), MODEL)]
        for n, (options, model) in enumerate(variants, 1):
            for _ in range(2):
                self.run_model(*options, model=model)
                self.assertEqual(len(self.entries()), n)
        os.utime(plugins / "buddy_math.so", (1, 1))
        self.run_model("--plugin-dir", plugins)
        self.assertEqual(len(self.entries()), len(variants) + 1)
        self.run_model(env=self.env(BUDDY_REGISTRIES="linalg:*"))
        self.assertEqual(len(self.entries()), len(variants) + 1)

    def test_a_program_finds_what_the_command_left(self) -> None:
        self.run_model("--registries", "tosa:*")
        entry = self.entry()
        code = ("import sys; from pathlib import Path; import capi\n"
                "capi.Model(capi.Library(Path(sys.argv[1])), Path(sys.argv[2]), 'tosa:*', use_cache=True).close()")
        subprocess.run([sys.executable, "-c", code, Build.folder.resolve(), MODEL], check=True, timeout=120,
                       cwd=Path(__file__).resolve().parent.parent, env=os.environ | self.env())
        self.assertEqual(self.entry(), entry)

    def test_a_registry_s_functions(self) -> None:
        """That registry is loaded for them, and none that would bring LLVM."""
        plain = self.run_model("--registries", "vendor:tosa:*", "--no-cache")
        for k in range(2):
            loaded, output = self.libraries_of_a_run(f"log{k}", "--registries", "vendor:tosa:*")
            self.assertEqual(output, plain)
            self.assertIn("buddy_vendor", loaded)
            self.assertEqual("libLLVM" in loaded, k == 0)
        # Where `*` stands for it, others are looked into first.
        for _ in range(2):
            output = self.run_model("--registries", "tosa:*", "--pin", "aten.linear.default=vendor")
        self.assertEqual(output, self.run_model("--registries", "tosa:*", "--pin", "aten.linear.default=vendor", "--no-cache"))

    def libraries_of_a_run(self, name: str, *options: object) -> tuple[str, bytes]:
        """What the dynamic linker says of a run, and its output."""
        log = self.folder / name
        output = self.run_model(*options, env=self.env(LD_DEBUG="files", LD_DEBUG_OUTPUT=str(log)))
        return "".join(path.read_text() for path in self.folder.glob(f"{name}.*")), output

    def test_damaged_entries(self) -> None:
        good = self.run_model()
        entry = self.entry()
        data = entry.read_bytes()
        generator = random.Random(0)
        damages = [data[:n] for n in (0, 127, 128, len(data) - 1)] + [data + b"x", b"\0" * len(data)]
        for _ in range(5):
            at = generator.randrange(len(data) - 32 if generator.random() < 0.5 else 96)  # not the header's room
            damages.append(data[:at] + bytes([data[at] ^ 1 << generator.randrange(8)]) + data[at + 1:])
        for damage in damages:
            if damage[:96] + damage[128:] == data[:96] + data[128:]:
                continue
            entry.write_bytes(damage)
            self.assertEqual(self.run_model(words=("damaged",)), good)
            self.assertEqual(self.entry().stat().st_size, len(data))
            self.assertEqual(self.run_model(), good)

    def test_another_entry_s_bytes(self) -> None:
        good = self.run_model()
        first = self.entry()
        self.run_model("--registries", "linalg:*")
        (second,) = set(self.entries()) - {first}
        shutil.copy(second, first)
        self.assertEqual(self.run_model(words=("damaged",)), good)

    def test_links_and_modes_are_not_trusted(self) -> None:
        good = self.run_model()
        entry = self.entry()
        kept = self.folder / "kept"
        entry.rename(kept)
        entry.symlink_to(kept)
        self.assertEqual(self.run_model(), good)
        self.assertFalse(entry.is_symlink())
        entry.chmod(0o666)
        self.assertEqual(self.run_model(words=("damaged",)), good)
        self.assertEqual(entry.stat().st_mode & 0o777, 0o600)

    def test_folders_that_cannot_be_used(self) -> None:
        (self.folder / "file").write_text("")
        self.run_model(env={"BUDDY_CACHE_DIR": str(self.folder / "file" / "cache")}, words=("warning", "cache"))
        self.cache.mkdir()
        self.cache.chmod(0o777)
        self.run_model(words=("warning", "may be written by everybody"))
        self.cache.chmod(0o700)
        if os.geteuid() == 0:
            os.chown(self.cache, 12345, 12345)
            self.run_model(words=("warning", "belongs to user"))
            os.chown(self.cache, 0, 0)
        else:
            self.cache.chmod(0o500)
            self.run_model(words=("cache",))
            self.cache.chmod(0o700)
        self.assertEqual(self.entries(), [])

    def test_starts_at_once(self) -> None:
        with ThreadPoolExecutor(5) as threads:
            outs = [self.folder / f"at_once{k}" for k in range(5)]
            done = list(threads.map(lambda out: buddy("run", MODEL, "--input", INPUT, "--output-dir", out, env=self.env()),
                                    outs))
        for result in done:
            self.check(result, 0)
        self.assertEqual(len({(out / "output_0.npy").read_bytes() for out in outs}), 1)
        self.entry()

    def test_killed_writers(self) -> None:
        generator = random.Random(0)
        for _ in range(3):
            process = subprocess.Popen([str(Build.folder / "bin" / "buddy"), "run", str(MODEL)], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env=dict(os.environ) | self.env())
            time.sleep(generator.uniform(0.1, 2.5))
            process.send_signal(signal.SIGKILL)
            process.wait()
            for path in list(self.cache.glob("*.code")) if self.cache.exists() else []:
                path.unlink()
        good = self.run_model("--no-cache")
        for path in self.cache.iterdir():  # as if it had been written yesterday
            os.utime(path, (time.time() - 86400,) * 2)
        self.assertEqual(self.run_model(), good)
        self.entry()

    def test_the_limit_is_kept(self) -> None:
        env = self.env(BUDDY_CACHE_SIZE="0")
        for options in ((), ("-O", "1"), ("-O", "3")):
            self.run_model(*options, env=env)
            self.entry()

    def test_variables_that_say_nothing_are_told(self) -> None:
        for name, good, bad, what in (("BUDDY_THREADS", ("", "0", "2", "999999"), ("two", "-1", "1.5", "2x"), "is no number of threads"),
                                      ("BUDDY_CACHE_SIZE", ("", "0", "2048"), ("10G", "-1", "1e3", "9" * 30), "is no size")):
            for text in good:
                result = buddy("run", MODEL, env=self.env(**{name: text}))
                self.check(result, 0)
                self.assertEqual(result.stderr, "", text)
            for text in bad:
                self.check(buddy("run", MODEL, env=self.env(**{name: text})), 0, f"warning: {name}: '{re.escape(text)}' {what}, and is passed over")
        result = buddy("run", MODEL, "--threads", "1", env=self.env(BUDDY_THREADS="two"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_the_verb(self) -> None:
        self.check(buddy("cache", "path", env=self.env()), 0, str(self.cache))
        self.check(buddy("cache", env=self.env()), 0, "0 entries")
        self.run_model()
        self.check(buddy("cache", "list", env=self.env()), 0, "last used", self.entry().stem, "1 entries")
        self.check(buddy("cache", "clear", env=self.env()), 0, "1 entries removed")
        self.assertEqual(self.entries(), [])
        self.check(buddy("cache", "burn", env=self.env()), 2, "burn")

    def test_a_search_finds_the_faster_registry_and_is_remembered(self) -> None:
        slow = self.folder / "plugins"
        slow.mkdir()
        shutil.copy(Build.folder / "tests" / "kit" / "plugins" / "buddy_slow.so", slow)
        order = ("--plugin-dir", slow, "--registries", "slow:*")
        right = self.numbers("--no-cache")
        self.assert_near(self.numbers(*order), right)
        found = r"autotune: .*aten\.relu\.default=(tosa|linalg|composite)"
        searched = self.numbers(*order, "--autotune=20", words=(r"aten\.relu\.default +linalg .* kept", found))
        self.assert_near(searched, right)  # another registry may add up in another order
        again = buddy("run", MODEL, *order, "--autotune", env=self.env())
        self.check(again, 0, found)
        self.assertNotIn("->", again.stdout)
        self.check(buddy("explain", MODEL, *order, env=self.env()), 0, "Pins of .*aten.relu.default=[^s]", r"aten\.relu\.default +[^s]")
        text, output = self.libraries_of_a_run("log", *order)
        self.assertNotIn("buddy_slow", text)  # the code that is used calls nothing of it
        self.assert_near(self.read(output), right)
        self.check(buddy("explain", MODEL, "--registries", "linalg:*", env=self.env()), 0, "Order: linalg")
        untouched = buddy("explain", MODEL, *order, env=self.env(BUDDY_CACHE_DIR=str(self.folder / "other")))
        self.check(untouched, 0, r"aten\.relu\.default +slow")
        self.assertFalse((self.folder / "other").exists())  # to ask makes no cache
