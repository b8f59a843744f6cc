# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command reads and writes: links, FIFOs, devices, full disks, other people's umask, and libraries that are code."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

from harness import CACHE, INPUT, MODEL, Build, CommandTest, buddy

RUNTIME = ("--runtime", "libbuddy_runtime.so")
NOBODY = 65534


def need_somebody_else(test: CommandTest) -> None:
    """Skips where nobody else can run the build's command."""
    if os.geteuid() != 0:
        test.skipTest("only root can become somebody else")
    closed = [folder for folder in Build.folder.resolve().parents if not folder.stat().st_mode & 0o001]
    if closed:
        test.skipTest(f"the build lies in {closed[0]}, which its owner alone may enter")


def child(*words: object, env: dict[str, str] | None = None, timeout: float = 120, **how) -> subprocess.CompletedProcess[str]:
    """The command in a process that `how` prepares; standard output and error together."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
    return subprocess.run([str(Build.folder.resolve() / "bin" / "buddy"), *map(str, words)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout, check=False,
                          env=clean | {"BUDDY_CACHE_DIR": CACHE.name} | (env or {}), **how)


def limited(size: int):
    """Files may have that many bytes, and the signal that tells of more is as it is by default."""

    def prepare() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

    return prepare


class FileTest(CommandTest):
    def names(self, folder: Path | None = None) -> set[str]:
        return {path.name for path in (folder or self.folder).iterdir()}

    def good(self, result: subprocess.CompletedProcess[str], *patterns: str) -> None:
        result.stderr = ""
        self.check(result, 0, *patterns)

    def bad(self, result: subprocess.CompletedProcess[str], *patterns: str) -> None:
        result.stderr = ""
        self.check(result, 1, *patterns)


class Writing(FileTest):
    def outputs(self, path: Path) -> list[tuple[object, ...]]:
        """Verbs that write the file."""
        return [("import", MODEL, "-o", path), ("import", MODEL, "--emit", "bytecode", "-o", path),
                ("profile", MODEL, "--repeat", 1, "--output", path)]

    def test_links_stay(self) -> None:
        for n, words in enumerate(self.outputs(self.folder / "link")):
            target = self.folder / "there" / f"target{n}"
            target.parent.mkdir(exist_ok=True)
            (self.folder / "link").unlink(missing_ok=True)
            (self.folder / "link").symlink_to(target)
            for _ in range(2):  # dangling, then not
                self.good(child(*words))
                self.assertTrue((self.folder / "link").is_symlink())
                self.assertGreater(target.stat().st_size, 100)
        self.assertEqual(self.names(), {"link", "there"})

    def test_devices_stay(self) -> None:
        null = self.folder / "null"
        try:
            os.mknod(null, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        except PermissionError:
            self.skipTest("only root makes devices")
        for words in self.outputs(null):
            self.good(child(*words))
            self.assertTrue(null.is_char_device())
        self.assertEqual(self.names(), {"null"})
        for words in self.outputs(Path("/dev/full")):
            self.bad(child(*words), "/dev/full: cannot be written: No space left on device", "help: make room")

    def test_standard_output_by_its_names(self) -> None:
        whole = child("import", MODEL).stdout
        for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            self.assertEqual(child("import", MODEL, "-o", name).stdout, whole)
            log = self.folder / "log"
            log.write_text("before\n")
            with log.open("a") as file:
                subprocess.run([str(Build.folder / "bin" / "buddy"), "import", str(MODEL), "-o", name], stdout=file, check=True, timeout=60)
            self.assertEqual(log.read_text(), "before\n" + whole)

    def test_a_fifo_that_nobody_reads(self) -> None:
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for words in self.outputs(fifo):
            self.bad(child(*words, timeout=60), "is a FIFO that nobody reads")
        got: list[str] = []
        reader = threading.Thread(target=lambda: got.append(fifo.read_text()))
        reader.start()
        deadline = time.monotonic() + 60
        while child("import", MODEL, "-o", fifo).returncode != 0 and time.monotonic() < deadline:
            time.sleep(0.05)  # until the reader has opened it
        reader.join(60)
        self.assertEqual(got, [child("import", MODEL).stdout])
        self.assertTrue(fifo.is_fifo())

    def test_the_umask(self) -> None:
        for mask in (0o000, 0o002, 0o007, 0o022, 0o077):
            for name, words in (("a.mlir", ("import", MODEL, "-o")), ("a.so", ("compile", MODEL, "-o"))):
                folder = self.folder / f"{mask:o}{name}"
                folder.mkdir()
                self.good(child(*words, folder / name, umask=mask))
                for path in folder.iterdir():
                    self.assertEqual(path.stat().st_mode & 0o777, 0o666 & ~mask, path)
            out = self.folder / f"{mask:o}out"
            self.good(child("run", MODEL, "-o", out, umask=mask))
            self.assertEqual((out / "output_0.npy").stat().st_mode & 0o777, 0o666 & ~mask)

    def test_at_every_limit_on_sizes_compile_writes_all_or_nothing(self) -> None:
        """A limit is a full disk, with a signal."""
        self.good(child("compile", MODEL, "-o", self.folder / "whole.so"))
        most = max(path.stat().st_size for path in self.folder.iterdir())
        code = (self.folder / "whole.so").stat().st_size
        out = self.folder / "out"
        for size in sorted({*range(0, 65536, 4096), code - 1, code, code + 1, most - 1, most, most + 4096}):
            out.mkdir()
            result = child("compile", MODEL, "-o", out / "model.so", preexec_fn=limited(size))
            self.assertEqual(result.returncode, int(size < most), f"{size}: {result.stdout}")
            self.assertEqual(self.names(out), set() if size < most else {"model.so", "model.h", "model.weights"})
            if size < most:
                self.assertRegex(result.stdout, "File too large")
            shutil.rmtree(out)

    def test_a_refused_compile_leaves_what_was_there(self) -> None:
        out = self.folder / "model.so"
        self.good(child("compile", MODEL, "-o", out))
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        self.bad(child("compile", MODEL, "-o", out, preexec_fn=limited(30000)), "File too large")
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_results_at_every_limit(self) -> None:
        for size in (0, 64, 167, 168, 4096):
            out = self.folder / f"out{size}"
            result = child("run", MODEL, "--no-cache", "-o", out, preexec_fn=limited(size))
            self.assertEqual(result.returncode, int(size < 168), result.stdout)
            self.assertEqual(self.names(out), {"output_0.npy"} if size >= 168 else set())

    def test_somebody_elses_folder(self) -> None:
        need_somebody_else(self)
        self.folder.chmod(0o755)
        self.bad(child("import", MODEL, "-o", self.folder / "a.mlir", user=NOBODY),
                 r"a\.mlir: cannot be created: Permission denied", "help: name a file of a folder that you may write to")
        self.assertEqual(self.names(), set())


class Reading(FileTest):
    def test_what_is_no_file_is_refused_at_once(self) -> None:
        fifo = self.folder / "fifo.pt2"
        os.mkfifo(fifo)
        kinds = ((fifo, "is a FIFO, and no regular file"), (self.folder, "is a folder, and no regular file"),
                 (Path("/dev/zero"), "is a device, and no regular file"), (self.folder / "none", "No such file"))
        for path, words in kinds:
            for verb in (("import",), ("explain",), ("run",), ("profile",), ("compile", "-o", self.folder / "a.so")):
                self.bad(child(verb[0], path, *verb[1:], timeout=20), words)
            self.bad(child("run", path, "--library", timeout=20), words)
            self.bad(child("run", MODEL, "--input", path, timeout=20), words)
            self.bad(child("run", MODEL, "--pipeline", path, timeout=20), words)
        self.assertEqual(self.names(), {"fifo.pt2"})

    def test_weights_that_are_a_fifo(self) -> None:
        library = self.folder / "model.so"
        self.good(child("compile", MODEL, "-o", library, "--runtime", Build.folder / "lib" / RUNTIME[1]))
        (self.folder / "model.weights").unlink()
        os.mkfifo(self.folder / "model.weights")
        self.bad(child("run", library, timeout=20), "weights: is a FIFO")

    def test_shapes_are_compared_before_elements_are_read(self) -> None:
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1073741824,), }"
        header += b" " * (117 - len(header)) + b"\n"
        path = self.folder / "huge.npy"
        path.write_bytes(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header)
        os.truncate(path, path.stat().st_size + (1 << 32))
        limit = 1 << 31  # of memory, less than the file

        def prepare() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        self.bad(child("run", MODEL, "--input", path, timeout=30, preexec_fn=prepare),
                 r"huge\.npy: it holds f32\[1073741824\], but f32\[1,1,28,28\] is expected")


class Libraries(FileTest):
    def setUp(self) -> None:
        super().setUp()
        self.library = self.folder / "model.so"
        self.good(child("compile", MODEL, "-o", self.library, "--runtime", Build.folder / "lib" / RUNTIME[1]))

    def test_an_archives_name_is_no_library(self) -> None:
        """What a file holds does not make it code."""
        evil = self.folder / "evil.pt2"
        shutil.copy(self.library, evil)
        for verb in (("run",), ("explain",), ("import",), ("profile",), ("compile", "-o", self.folder / "b.so")):
            self.bad(child(verb[0], evil, *verb[1:]), "this is a shared library or a program, and no archive")
        self.good(child("run", evil, "--library"), "output 0")
        self.good(child("run", self.library), "output 0")
        shutil.copy(MODEL, self.folder / "archive.so")
        self.bad(child("run", self.folder / "archive.so"), "is no ELF file")

    def test_cut_libraries(self) -> None:
        data = self.library.read_bytes()
        cut = self.folder / "cut.so"
        for n in (0, 1, 4, 63, 64, 1000, 4096, 5000, len(data) // 2, 20000):
            cut.write_bytes(data[:n])
            self.bad(child("run", cut), r"cut\.so: the library is not loaded: ")

    def test_whose_it_is(self) -> None:
        for path, mode in ((self.library, 0o666), (self.library, 0o646), (self.folder, 0o777)):
            before = path.stat().st_mode
            path.chmod(mode)
            self.bad(child("run", self.library), "may be written by everybody")
            path.chmod(before)
        self.library.chmod(0o664)  # as umask 002 leaves it, in a private group
        os.chown(self.library, -1, os.geteuid() if os.geteuid() == 0 else -1)
        if self.library.stat().st_gid == os.geteuid():
            self.good(child("run", self.library))
        if os.geteuid() == 0:
            os.chown(self.library, -1, 12345)
            self.bad(child("run", self.library), "may be written by group 12345")
            os.chown(self.library, 12345, 0)
            self.bad(child("run", self.library), "belongs to user 12345")


class CacheFiles(FileTest):
    def setUp(self) -> None:
        super().setUp()
        self.cache = self.folder / "cache"
        self.env = {"BUDDY_CACHE_DIR": str(self.cache)}

    def entry(self) -> Path:
        (only,) = self.cache.iterdir()
        return only

    def test_the_umask(self) -> None:
        for mask in (0o000, 0o002, 0o007, 0o022, 0o027, 0o077):
            for _ in range(2):
                result = child("run", MODEL, env=self.env, umask=mask)
                self.good(result)
                self.assertNotIn("warning", result.stdout)
            self.assertEqual(self.entry().stat().st_mode & 0o777, 0o600)
            shutil.rmtree(self.cache)

    def test_at_every_limit_on_sizes_a_run_goes_on(self) -> None:
        self.good(child("run", MODEL, env=self.env))
        whole = self.entry().stat().st_size
        for size in sorted({*range(0, whole + 4096, 4096), whole - 1, whole, 1 << 20}):
            shutil.rmtree(self.cache)
            result = child("run", MODEL, env=self.env, preexec_fn=limited(size))
            self.good(result, "output 0")
            self.assertEqual("warning" in result.stdout, size < whole, f"{size}: {result.stdout}")
            self.assertEqual(len(self.names(self.cache)), int(size >= whole), size)
            if size < whole:
                self.assertIn("File too large", result.stdout)

    def test_a_folder_that_cannot_be_written_to(self) -> None:
        need_somebody_else(self)
        self.folder.chmod(0o755)
        self.cache.mkdir(mode=0o500)
        os.chown(self.cache, NOBODY, NOBODY)
        self.good(child("run", MODEL, env=self.env, user=NOBODY, group=NOBODY, extra_groups=[]),
                  "warning: .*cache: cannot be written to: Permission denied", "output 0")
        self.assertEqual(self.names(self.cache), set())
        os.chown(self.cache, 0, 0)  # root's is believed, and cannot be written to
        self.cache.chmod(0o755)
        self.good(child("run", MODEL, env=self.env, user=NOBODY, group=NOBODY, extra_groups=[]), "warning", "output 0")

    def test_something_else_in_the_place_of_an_entry(self) -> None:
        self.good(child("run", MODEL, env=self.env))
        entry = self.entry()
        entry.unlink()
        os.mkfifo(entry)
        self.good(child("run", MODEL, env=self.env, timeout=60), "warning: .* is a FIFO, .* made again")
        self.assertTrue(entry.is_file())
        entry.unlink()
        entry.mkdir()
        self.good(child("run", MODEL, env=self.env), "warning: .* is a folder, .* made again")
        self.assertTrue(entry.is_file())
        entry.unlink()
        entry.mkdir()
        (entry / "kept").write_text("")
        for _ in range(2):
            self.good(child("run", MODEL, env=self.env), "warning: .* is a folder, .* cannot be removed: Directory not empty", "output 0")
        self.bad(child("cache", "clear", env=self.env), "cannot be removed")
        (entry / "kept").unlink()
        self.good(child("cache", "clear", env=self.env), "1 entries removed")
        self.assertEqual(self.names(self.cache), set())

    def test_what_killed_writers_leave_is_cleared(self) -> None:
        self.good(child("run", MODEL, env=self.env))
        (self.cache / ".buddy-writing-1-2-3").write_text("half an entry")
        self.good(child("cache", "clear", env=self.env))
        self.assertEqual(self.names(self.cache), set())
        for delay in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4):
            process = subprocess.Popen([str(Build.folder / "bin" / "buddy"), "run", str(MODEL)], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env=dict(os.environ) | self.env)
            time.sleep(delay)
            process.kill()
            process.wait()
        self.good(child("cache", "clear", env=self.env))
        self.assertEqual(self.names(self.cache), set())


class ManyRegistries(FileTest):
    def test_all_of_a_full_folder_are_seen_and_one_cause_is_few_lines(self) -> None:
        for n in range(10000):
            (self.folder / f"buddy_p{n}.so").touch()
        env = {"BUDDY_PLUGIN_PATH": str(self.folder)}
        result = child("explain", MODEL, env=env)
        self.good(result, r"\d+ more registries are refused")
        self.assertLess(result.stdout.count("warning"), 80)
        listed = child("registries", env=env).stdout
        self.assertEqual(sum(line.startswith("p") and "empty" in line for line in listed.splitlines()), 10000)
        for n in range(10000, 16385):
            (self.folder / f"buddy_p{n}.so").touch()
        self.bad(child("explain", MODEL, env=env), "holds more than 16384 registries", "help: put those")


if __name__ == "__main__":
    sys.exit("run test_command.py")
