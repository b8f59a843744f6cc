# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buddy compile`: what it writes, what a C program makes of it, and what it refuses."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path

from harness import INPUT, MODEL, ROOT, Build, CommandTest, buddy, floats

PROGRAM = ROOT / "examples" / "compiled_model.c"
ANSWER = "the largest of 10 numbers is number 7: 11.86"


class AheadTest(CommandTest):
    def compile(self, name: str, *options: object) -> Path:
        out = self.folder / name
        self.check(buddy("compile", MODEL, "-o", out, *options), 0)
        return out

    def link(self, compiler: str, *words: object) -> Path:
        """The example's program with the model in it."""
        program = self.folder / "look"
        done = subprocess.run([compiler, "-Wall", "-Werror", "-I", self.folder, PROGRAM, *words, "-o", program],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def look(self, *words: object, status: int = 0) -> str:
        done = subprocess.run([*map(str, words), str(INPUT)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr


BOTH = """
#include "%(first)s.h"
#include "%(second)s.h"
#include "%(first)s.h"
#include <stdio.h>

static const float *read_image(const char *path) {
  static float image[784];
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 128, SEEK_SET) || fread(image, 4, 784, file) != 784) return NULL;
  fclose(file);
  return image;
}

int main(int argc, char **argv) {
  char why[200] = "";
  float a[10], b[10];
  const float *image = read_image(argv[argc - 1]);
  %(first)s *first = %(first)s_load(NULL, why, sizeof why);
  %(second)s *second = %(second)s_load(NULL, why, sizeof why);
  if (!first || !second || %(first)s_run(first, image, a, why, sizeof why) || %(second)s_run(second, image, b, why, sizeof why)) {
    puts(why);
    return 1;
  }
  for (int i = 0; i < 10; ++i) printf("%%.3f %%.3f\\n", a[i], b[i]);
  %(first)s_destroy(first);
  %(second)s_destroy(second);
  return 0;
}
"""


class Ahead(AheadTest):
    def test_two_models_in_one_program(self) -> None:
        """Each finds what is its own, in whatever order they are linked, and whatever file it is."""
        def edit(program) -> None:
            for node in program["graph_module"]["graph"]["nodes"]:
                node["target"] = node["target"].replace("relu", "tanh")

        models = {"one": MODEL, "two": self.rewrite_json(edit)}
        expected = {}
        for name, model in models.items():
            self.check(buddy("run", model, "-i", INPUT, "-o", self.folder / f"out_{name}"), 0)
            expected[name] = floats(self.folder / f"out_{name}" / "output_0.npy")
        shared, static = (Build.folder / "lib" / f"libbuddy_runtime.{end}" for end in ("so", "a"))
        kinds = {"own": (".so", (), ()), "shared": (".so", ("--runtime", shared), (shared, f"-Wl,-rpath,{shared.parent},--disable-new-dtags")),
                 "object": (".o", (), (static, "-lm", "-lpthread")), "archive": (".a", (), (static, "-lm", "-lpthread"))}
        for kind, (end, options, runtime) in kinds.items():
            for name, model in models.items():
                self.check(buddy("compile", model, "-o", self.folder / f"{kind}_{name}{end}", "--name", f"{kind}_{name}", *options), 0)
        pairs = [(kind, kind) for kind in kinds] + [("own", "object"), ("own", "archive"), ("shared", "own")]
        for (first, second), turned in itertools.product(pairs, (False, True)):
            with self.subTest(first=first, second=second, turned=turned):
                names = [f"{first}_one", f"{second}_two"]
                source = self.folder / "both.c"
                source.write_text(BOTH % {"first": names[0], "second": names[1]})
                files = [self.folder / f"{name}{kinds[kind][0]}" for name, kind in zip(names, (first, second))]
                runtimes = [word for kind in dict.fromkeys((first, second)) for word in kinds[kind][2]]
                program = self.folder / "both"
                for compiler in (["cc"], ["c++", "-x", "c++"]):
                    subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", "-I", self.folder, source, "-x", "none",
                                    *(files[::-1] if turned else files), *runtimes, "-Wl,-rpath,$ORIGIN", "-o", program], check=True)
                    said = self.look(program)
                    numbers = [[float(word) for word in line.split()] for line in said.splitlines()]
                    for (a, b), one, two in zip(numbers, expected["one"], expected["two"], strict=True):
                        self.assertAlmostEqual(a, one, 2)
                        self.assertAlmostEqual(b, two, 2)

    def test_library(self) -> None:
        library = self.compile("liblenet5.so")
        names = sorted(path.name for path in self.folder.iterdir())
        self.assertEqual(names, ["lenet5.h", "lenet5.weights", "liblenet5.so"])
        self.assertIn(ANSWER, self.look(self.link("cc", library, "-Wl,-rpath,$ORIGIN")))
        needed = subprocess.run(["ldd", str(library)], capture_output=True, text=True, check=True).stdout
        self.assertNotRegex(needed, "LLVM|MLIR|buddy")

    def test_objects_link_with_either_runtime(self) -> None:
        folder = Build.folder / "lib"
        for name, runtime in (("lenet5.o", "-l:libbuddy_runtime.a"), ("lenet5.a", "-lbuddy_runtime")):
            file = self.compile(name, "--weights", "inside")
            self.assertFalse((self.folder / "lenet5.weights").exists())
            words = (file, "-L", folder, runtime, "-lm", "-lpthread", f"-Wl,-rpath,{folder}")
            self.assertIn(ANSWER, self.look(self.link("cc", *words)))

    def test_the_same_input_gives_the_same_bytes(self) -> None:
        for name in ("lenet5.so", "lenet5.a", "lenet5.o"):
            first = self.compile(name).read_bytes()
            weights = (self.folder / "lenet5.weights").read_bytes()
            (self.folder / name).unlink()
            self.assertEqual(self.compile(name).read_bytes(), first)
            self.assertEqual((self.folder / "lenet5.weights").read_bytes(), weights)
            self.assertNotIn(os.fsencode(self.folder), first)

    def test_a_library_runs_as_an_archive_does(self) -> None:
        own = self.compile("own.so")
        self.check(buddy("run", own, "--input", INPUT), 1, "runtime of its own")
        library = self.compile("lenet5.so", "--runtime", Build.folder / "lib" / "libbuddy_runtime.so")
        for model in (MODEL, library):
            self.check(buddy("run", model, "--input", INPUT, "--output-dir", self.folder / model.suffix[1:]), 0)
        written = [(self.folder / kind / "output_0.npy").read_bytes() for kind in ("pt2", "so")]
        self.assertEqual(*written)

    def test_wrong_weights_are_refused(self) -> None:
        library = self.compile("liblenet5.so")
        program = self.link("cc", library, "-Wl,-rpath,$ORIGIN")
        weights = self.folder / "lenet5.weights"
        data = weights.read_bytes()
        for bad, words in ((data[:-1], "bytes"), (data[:40], "no file of weights"), (b"", "no file of weights"), (b"x" + data[1:], "no file of weights"),
                           (data[:40] + b"????" + data[44:], "another model")):
            weights.write_bytes(bad)
            self.assertIn(words, self.look(program, status=1))
        weights.unlink()
        self.assertIn("cannot be opened", self.look(program, status=1))

    def test_names(self) -> None:
        self.compile("1-tiny.so")
        self.assertIn("model_1_tiny_run(", (self.folder / "model_1_tiny.h").read_text())
        self.compile("x.so", "--name", "other")
        self.assertIn("other_run(", (self.folder / "other.h").read_text())
        for name in ("while", "random", "math"):
            self.compile(name + ".so")
            self.assertIn(f"model_{name}_run(", (self.folder / f"model_{name}.h").read_text())
        for name in ("not a name", "struct", "xor", ""):
            self.check(buddy("compile", MODEL, "-o", self.folder / "y.so", "--name", name), 1, "C identifier")
        for name in ("random", "math", "mtx"):  # a function, a header, and mtx_destroy
            self.check(buddy("compile", MODEL, "-o", self.folder / "y.so", "--name", name), 1, name, "C library")

    def test_sizes_beside_an_output_have_a_name_of_their_own(self) -> None:
        """An output that the call allocates has NAME_sizes beside it, which an input may be called."""
        def edit(program) -> None:
            graph = program["graph_module"]["graph"]
            nodes, values = graph["nodes"], graph["tensor_values"]
            values["found"] = values["x"] | {"dtype": 5, "sizes": [{"as_expr": {"expr_str": "Symbol('u0', integer=True)", "hint": None}}, {"as_int": 2}],
                                             "strides": [{"as_int": 2}, {"as_int": 1}]}
            nodes.append({"target": "torch.ops.aten.nonzero.default", "name": "found", "outputs": [{"as_tensor": {"name": "found"}}],
                          "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "linear_2"}}, "kind": 1}], "metadata": {}})
            result = {"as_tensor": {"name": "found"}}
            graph["outputs"].append(result)
            program["graph_module"]["signature"]["output_specs"].append({"user_output": {"arg": result}})
            program["range_constraints"]["u0"] = {"min_val": 0, "max_val": 10}

        def rename(data: bytes) -> bytes:
            program = json.loads(data)
            edit(program)
            return json.dumps(program).encode().replace(b'"x"', b'"found_sizes"').replace(b'"linear_2"', b'"found_2_sizes"')

        self.check(buddy("compile", self.rewrite(rename), "-o", self.folder / "both.so"), 0)
        header = (self.folder / "both.h").read_text()
        self.assertRegex(header, r"float \*found_sizes,\s+float \*found_2_sizes,\s+int64_t \*\*found_3, .* int64_t found_3_sizes\[2\]")
        for language in ("c", "c++"):
            subprocess.run(["cc", "-fsyntax-only", "-Wall", "-Werror", "-x", language, self.folder / "both.h"], check=True)

    def test_refusals_leave_nothing_behind(self) -> None:
        out = self.folder / "lenet5.so"
        for words, status, *patterns in (
            (("-o", self.folder / "lenet5"), 1, r"\.so, \.a or \.o"),
            (("-o", self.folder / ".so"), 1, r"\.so, \.a or \.o"),
            (("-o", self.folder / "none" / "lenet5.so"), 1, "cannot be created"),
            (("-o", out, "--target-cpu", "pentagon"), 1, "pentagon"),
            (("-o", out, "--target-triple", "vax-dec-bsd"), 1, "vax"),
            (("-o", out, "--target-triple", "armv7-linux-gnueabihf"), 1, "64-bit"),
            (("-o", out, "--target-triple", "aarch64-linux-gnu", "--target-cpu", "native"), 1, "native"),
            (("-o", out, "--target-triple", "aarch64-linux-gnu", "--sysroot", self.folder), 1, "--sysroot"),
            (("-o", out, "--runtime", self.folder / "no.a"), 1, "runtime library"),
            (("-o", out, "--weights", "elsewhere"), 2, "elsewhere"),
            ((), 2, "what to write"),
        ):
            self.check(buddy("compile", MODEL, *words), status, *patterns)
            self.assertEqual(list(self.folder.iterdir()), [])
        self.check(buddy("compile", self.folder / "no.pt2", "-o", out), 1, "no.pt2")

    def test_another_processor_is_told(self) -> None:
        flags = Path("/proc/cpuinfo").read_text()
        if "avx512f" in flags:
            self.skipTest("this processor has what the test wants it to lack")
        library = self.compile("liblenet5.so", "--target-cpu", "skylake-avx512")
        self.assertIn("avx512f", self.look(self.link("cc", library, "-Wl,-rpath,$ORIGIN"), status=1))

    def test_an_older_processor_will_do(self) -> None:
        library = self.compile("liblenet5.so", "--target-cpu", "x86-64")
        self.assertIn(ANSWER, self.look(self.link("cc", library, "-Wl,-rpath,$ORIGIN")))

    def test_features_can_be_left_out(self) -> None:
        """Of a processor that has what this one may lack: the code, and what it says that it needs."""
        library = self.compile("liblenet5.so", "--target-cpu", "skylake-avx512", "--without", "avx512")
        self.assertIn(ANSWER, self.look(self.link("cc", library, "-Wl,-rpath,$ORIGIN")))


SILENT = """#include <buddy/extensions.h>
#include <string.h>
static void nothing(void) {}
static const buddy_runtime_symbol symbols[] = {{"_mlir_ciface_buddy_vendor_other", nothing}};
static const buddy_runtime runtime = {sizeof runtime, 1, symbols};
static const void *extension(void *state, const char *id) {
  (void)state;
  return strcmp(id, ANSWERS) == 0 ? &runtime : NULL;
}
static buddy_code never(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self, (void)call;
  return BUDDY_DECLINED;
}
static const buddy_op ops[] = {{.name = "aten.relu.default", .args = "self", .emit = never}};
BUDDY_REGISTRY(vendor, "9.9.9", "test", "MIT", 0, ops, .extension = extension);
"""


class AheadOfRegistries(AheadTest):
    """Models that call functions of a registry: its file is loaded with them, and judged before."""

    def setUp(self) -> None:
        super().setUp()
        own = Build.folder / "lib" / "buddy" / "plugins-1" / "buddy_vendor.so"
        if not own.exists():
            self.skipTest("the vendor registry was not built")
        self.plugins = self.folder / "plugins"
        self.plugins.mkdir()
        shutil.copy(own, self.plugins)
        self.vendor = Path(shutil.copy(own.parent / "libbuddy_vendor.so", self.plugins))  # its functions
        self.library = self.compile("liblenet5.so", "--plugin-dir", self.plugins, "--registries", "vendor:tosa:*")
        self.program = self.link("cc", self.library, "-Wl,-rpath,$ORIGIN")

    def test_it_runs_with_the_file_where_it_was(self) -> None:
        self.assertIn(ANSWER, self.look(self.program))
        header = (self.folder / "lenet5.h").read_text()
        self.assertRegex(header, r"libbuddy_vendor.so  of registry vendor [0-9.]+\n \* for the functions:\n \*   buddy_vendor_")
        needed = subprocess.run(["ldd", str(self.library)], capture_output=True, text=True, check=True).stdout
        self.assertNotRegex(needed, "LLVM|MLIR|buddy")

    def test_the_file_is_looked_for_beside_and_in_the_variable(self) -> None:
        elsewhere = self.folder / "elsewhere"
        self.plugins.rename(elsewhere)
        text = self.look(self.program, status=1)
        self.assertRegex(text, "registry 'vendor' [0-9.]+, and libbuddy_vendor.so is nowhere")
        self.assertIn(ANSWER, self.look("env", f"BUDDY_PLUGIN_PATH=relative:{elsewhere}", self.program))
        shutil.copy(elsewhere / "libbuddy_vendor.so", self.folder)
        self.assertIn(ANSWER, self.look(self.program))

    def test_the_file_is_judged(self) -> None:
        whole = self.vendor.read_bytes()
        self.vendor.chmod(0o666)
        self.assertIn("may be written by everybody", self.look(self.program, status=1))
        self.vendor.chmod(0o644)
        for n in (0, 40, 4096, len(whole) // 2):
            self.vendor.write_bytes(whole[:n])
            self.assertRegex(self.look(self.program, status=1), "is empty|truncated|less than an ELF header")

    def replace(self, answers: str) -> None:
        source = self.folder / "silent.c"
        source.write_text(SILENT)
        subprocess.run(["cc", "-shared", "-fPIC", f"-DANSWERS={answers}", "-I", ROOT / "include", source, "-o", self.vendor],
                       check=True)

    def test_another_version_is_told(self) -> None:
        self.replace("BUDDY_RUNTIME_ID")
        self.assertRegex(self.look(self.program, status=1), "no function buddy_vendor_.* compiled with registry 'vendor' 0")

    def test_objects_load_it_as_well(self) -> None:
        runtime = Build.folder / "lib" / "libbuddy_runtime.a"
        file = self.compile("lenet5.o", "--plugin-dir", self.plugins, "--registries", "vendor:tosa:*")
        program = self.link("cc", file, runtime, "-lm", "-lpthread", "-ldl")
        self.assertIn(ANSWER, self.look(program))

    def test_another_machine_s_model_names_no_folder(self) -> None:
        out = self.compile("lenet5.o", "--plugin-dir", self.plugins, "--registries", "vendor:tosa:*",
                           "--target-triple", "aarch64-linux-gnu")
        self.assertIn(b"libbuddy_vendor.so", out.read_bytes())
        self.assertNotIn(str(self.plugins).encode(), out.read_bytes())


class Crossing(AheadTest):
    """Other processors, by emulation; needs Debian's gcc-ARCH-linux-gnu, libc6-dev-ARCH-cross and qemu-user."""

    def cross(self, arch: str) -> None:
        compiler, emulator, root = f"{arch}-linux-gnu-gcc", f"qemu-{arch}", f"/usr/{arch}-linux-gnu"
        if not shutil.which(compiler) or not shutil.which(emulator):
            self.skipTest(f"no {compiler} or no {emulator}")
        runtime = self.folder / "runtime"
        for words in (["-S", ROOT / "sdk" / "runtime", "-B", runtime, f"-DCMAKE_C_COMPILER={compiler}"],
                      ["--build", runtime]):
            subprocess.run(["cmake", *words], check=True, stdout=subprocess.DEVNULL, timeout=300)
        archive = runtime / "libbuddy_runtime.a"
        triple = f"{arch}-linux-gnu"
        object_file = self.compile("lenet5.o", "--target-triple", triple)
        program = self.link(compiler, object_file, archive, "-lm", "-lpthread")
        self.assertIn(ANSWER, self.look(emulator, "-L", root, program))
        library = self.compile("liblenet5.so", "--target-triple", triple, "--runtime", archive)
        program = self.link(compiler, library, "-Wl,-rpath,$ORIGIN")
        self.assertIn(ANSWER, self.look(emulator, "-L", root, program))

    def test_aarch64(self) -> None:
        self.cross("aarch64")

    def test_riscv64(self) -> None:
        self.cross("riscv64")


