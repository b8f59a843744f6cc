# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Archives with several programs: chosen by name, loaded together, with their extra files."""

import gc
import threading

import pytest
import torch
from conftest import close
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
