# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Archives with several programs: chosen by name, loaded together, with their extra files."""

import gc
import shutil
import subprocess
import sys
import threading

import pytest
import torch
from conftest import close, shared_runtime
from torch.export.pt2_archive._package import package_pt2

import buddy


class Wide(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(*(torch.nn.Linear(512, 512) for _ in range(12)))

    def forward(self, x):
        return self.layers(x)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """(the module, the path of its archive)"""
    torch.manual_seed(0)
    module, path = Wide().eval(), tmp_path_factory.mktemp("programs") / "several.pt2"
    exported = {f"rows{n}": torch.export.export(module, (torch.randn(n, 512),)) for n in (16, 1, 32)}
    package_pt2(str(path), exported_programs=exported, extra_files={"tokenizer.json": "{\"\u00e9\": 1}", "a/b.txt": ""})
    return module, path


def test_lists_what_is_there(archive):
    assert buddy.programs(archive[1]) == ["rows16", "rows1", "rows32"]
    assert buddy.extra_files(archive[1]) == {"tokenizer.json": "{\"\u00e9\": 1}".encode(), "a/b.txt": b""}


def test_one_by_name(archive):
    module, path = archive
    with pytest.raises(buddy.InvalidArgumentError, match="'rows16', 'rows1', 'rows32'"):
        buddy.load(path)
    with pytest.raises(buddy.NotFoundError, match="no program 'rows2'"):
        buddy.load(path, program="rows2")
    x = torch.randn(1, 512)
    close(buddy.load(path, program="rows1")(x), module(x))


def private_dirty():
    """Bytes of memory that are this process's own."""
    gc.collect()
    with open("/proc/self/smaps_rollup") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("Private_Dirty"))


@pytest.mark.parametrize("cache", [True, False])
def test_together_with_weights_once(archive, cache):
    module, path = archive

    def grown_by(models):
        before = private_dirty()
        for _ in range(3):  # packed in the first, kept from the second
            for name, model in models.items():
                x = torch.randn(int(name[4:]), 512)
                close(model(x), module(x))
        return private_dirty() - before

    many = ["rows16", "rows32"]
    alone = {name: buddy.load(path, program=name, cache=cache, threads=1) for name in many}
    apart = grown_by(alone)
    del alone
    gc.collect()
    together = grown_by(buddy.load_programs(path, many, cache=cache, threads=1))
    weights = 4 * 12 * 512 * 512
    assert apart > 1.7 * weights, "the programs keep packed weights, or this test says nothing"
    assert together < 1.3 * weights


def test_goes_one_by_one(archive):
    module, path = archive
    models = buddy.load_programs(path)
    assert list(models) == ["rows16", "rows1", "rows32"]
    for name in list(models):
        x = torch.randn(int(name[4:]), 512)
        for _ in range(3):
            close(models[name](x), module(x))
        del models[name]
        gc.collect()


def test_two_threads(archive):
    module, path = archive
    models = buddy.load_programs(path)
    wrong = []

    def work(name):
        for _ in range(10):
            x = torch.randn(int(name[4:]), 512)
            if not torch.allclose(models[name](x), module(x), atol=1e-4):
                wrong.append(name)

    threads = [threading.Thread(target=work, args=(name,)) for name in [*models, *models]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


CALLS = """
#include <stdio.h>
#include "net.h"
int main(void) {
  static float x[16 * 512], y[16 * 512];
  char why[256] = "";
  for (int i = 0; i < 16 * 512; ++i) x[i] = (float)(i % 7) - 3;
  net_rows16 *many = net_rows16_load(NULL, why, sizeof why);
  net_rows1 *one = net_rows1_load(NULL, why, sizeof why);
  if (!many || !one || net_rows16_run(many, x, y, why, sizeof why)) return puts(why), 1;
  for (int i = 0; i < 512; ++i) printf("%a ", y[i]);
  if (net_rows1_run(one, x, y, why, sizeof why)) return puts(why), 1;
  for (int i = 0; i < 512; ++i) printf("%a ", y[i]);
  net_rows16_destroy(many);
  net_rows1_destroy(one);
  return 0;
}
"""


def compiled(*words):
    return subprocess.run([sys.executable, "-m", "buddy", "compile", *map(str, words)], capture_output=True, text=True, check=False)


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_one_library_with_a_function_per_program(archive, tmp_path):
    module, path = archive
    done = compiled(path, "-o", tmp_path / "net.so")
    assert done.returncode == 0, done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["net.h", "net.so", "net.weights"]
    n_bytes = sum(4 * parameter.numel() for parameter in module.parameters())
    assert (tmp_path / "net.weights").stat().st_size < 1.001 * n_bytes  # the archive has them three times
    (tmp_path / "calls.c").write_text(CALLS)
    subprocess.run(["cc", "-std=c17", "-Wall", "-Werror", "-o", tmp_path / "calls", tmp_path / "calls.c", tmp_path / "net.so", f"-Wl,-rpath,{tmp_path}"],
                   check=True)
    done = subprocess.run([tmp_path / "calls"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    x = (torch.arange(16 * 512) % 7 - 3.0).view(16, 512)
    for row in torch.tensor([float.fromhex(word) for word in done.stdout.split()]).view(2, 1, 512):
        close(row, module(x[:1]))
    for name, n in (("rows16", 16), ("rows1", 1), ("rows32", 32)):
        x = torch.randn(n, 512)
        close(buddy.load(tmp_path / "net.so", program=name)(x), module(x))
    with pytest.raises(buddy.InvalidArgumentError, match="programs rows16, rows1, rows32"):
        buddy.load(tmp_path / "net.so")
    with pytest.raises(buddy.NotFoundError, match="no program 'rows2'; it holds rows16, rows1, rows32"):
        buddy.load(tmp_path / "net.so", program="rows2")


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
@pytest.mark.parametrize("runtime", [[], ["--runtime", "libbuddy_runtime.so"]])
@pytest.mark.parametrize("words,name", [(["--program", "rows1"], "rows1"), ([], "only"), ([], "model")])
def test_a_library_of_one_program_knows_its_name(archive, tmp_path, words, name, runtime):
    module, path = archive
    if not words:
        path = tmp_path / "one.pt2"
        programs = {name: torch.export.export(module, (torch.randn(1, 512),))}
        if name == "model":
            programs["other"] = programs[name]
        package_pt2(str(path), exported_programs=programs)
    runtime = runtime and ["--runtime", shared_runtime()]
    done = compiled(path, "-o", tmp_path / "net.so", *words, *runtime)
    assert done.returncode == 0, done.stderr
    x = torch.randn(1, 512)
    for program in (None, name):
        close(buddy.load(tmp_path / "net.so", program=program)(x), module(x))
    for program in ("", "other", name + "s", name[:-1]):
        with pytest.raises(buddy.NotFoundError, match=f"no program '{program}'; it holds {name}"):
            buddy.load(tmp_path / "net.so", program=program)


def test_what_cannot_be_one_file_is_refused(archive, tmp_path):
    for words, why in ((("-o", tmp_path / "net.o"), "an object file has one"),
                       (("-o", tmp_path / "net.so", "--weights", "inside"), "cannot be part of it"),
                       (("-o", tmp_path / "net.so", "--name", "n" * 96), "too long")):
        done = compiled(archive[1], *words)
        assert done.returncode == 1 and why in done.stderr, done.stderr
    assert not list(tmp_path.iterdir())
    done = compiled(archive[1], "-o", tmp_path / "one.o", "--program", "rows1")
    assert done.returncode == 0 and "one_run(" in (tmp_path / "one.h").read_text(), done.stderr
    linear = torch.export.export(torch.nn.Linear(4, 4).eval(), (torch.randn(1, 4),))
    package_pt2(str(tmp_path / "like.pt2"), exported_programs={"a-b": linear, "a.b": linear})
    done = compiled(tmp_path / "like.pt2", "-o", tmp_path / "like.so")
    assert done.returncode == 1 and "the same name" in done.stderr, done.stderr
