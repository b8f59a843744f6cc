# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Archives that are cut for several ranks, as one of them sees it; tests/dist/run_dist.py runs all of them together."""

import pytest
import torch
from conftest import close

import buddy


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """(the module, the path of its archive)"""
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 16)).eval()
    path = tmp_path_factory.mktemp("cut") / "model.pt2"
    torch.export.save(torch.export.export(module, (torch.randn(3, 16),)), path)
    return module, path


@pytest.mark.parametrize("cache", [False, True])
def test_one_rank_is_not_cut(archive, cache):
    module, path = archive
    for _ in range(2):
        x = torch.randn(3, 16)
        close(buddy.load(path, tensor_parallel=1, cache=cache)(x), module(x))


@pytest.mark.parametrize("plan", [None, {"0": "colwise", "2": "rowwise"}])
def test_one_of_two_needs_the_other(archive, plan):
    model = buddy.load(archive[1], tensor_parallel=2, rank=1, plan=plan)
    assert [port.sizes for port in (*model.inputs, *model.outputs)] == [(3, 16), (3, 16)]
    with pytest.raises(buddy.BuddyError, match="was started alone"):
        model(torch.randn(3, 16))


def test_the_cache_keeps_whole_and_cut_apart(archive):
    module, path = archive
    x = torch.randn(3, 16)
    buddy.load(path, tensor_parallel=2)
    close(buddy.load(path)(x), module(x))
    with pytest.raises(buddy.BuddyError, match="was started alone"):
        buddy.load(path, tensor_parallel=2)(x)


def test_what_cannot_be(archive):
    buddy.load(archive[1])  # its code is in the cache, where no rank may find it
    for n_ranks in (0, 1):
        with pytest.raises(buddy.InvalidArgumentError, match="no rank 1"):
            buddy.load(archive[1], tensor_parallel=n_ranks, rank=1)
    with pytest.raises(buddy.InvalidArgumentError, match="no rank 2 of 2"):
        buddy.load(archive[1], tensor_parallel=2, rank=2)
    for options in ({"rank": -1}, {"rank": "0"}, {"tensor_parallel": -2}, {"tensor_parallel": 2.0}, {"rank": None}):
        (name, value), = options.items()
        with pytest.raises(buddy.InvalidArgumentError, match=f"{name}={value!r}: a whole number from 0"):
            buddy.load(archive[1], **{"tensor_parallel": 2} | options)
    with pytest.raises(buddy.InvalidArgumentError, match="names a module"):
        buddy.load(archive[1], tensor_parallel=2, plan={"1": "colwise"})
    with pytest.raises(buddy.BuddyError, match="cannot be cut 'sideways'"):
        buddy.load(archive[1], tensor_parallel=2, plan={"0": "sideways"})
