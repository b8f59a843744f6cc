# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all tests of the package share."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import torch


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory):
    """Compiled code goes to a folder of this run, for the examples' processes too."""
    os.environ["BUDDY_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def nobodys():
    """An op that no registry takes, called as a function."""
    library = torch.library.Library("buddy_tests", "FRAGMENT")
    library.define("nobodys(Tensor x) -> Tensor")
    library.impl("nobodys", lambda x: x + 1, "CompositeExplicitAutograd")
    torch.library.register_fake("buddy_tests::nobodys", torch.empty_like, lib=library)
    yield torch.ops.buddy_tests.nobodys
    library._destroy()


@pytest.fixture(autouse=True)
def seed(record_property):
    """The same random numbers in every run; BUDDY_TEST_SEED chooses others. pytest shows it with a failure."""
    number = int(os.environ.get("BUDDY_TEST_SEED", "0"))
    record_property("seed", number)
    print(f"BUDDY_TEST_SEED={number}")
    torch.manual_seed(number)
    torch._dynamo.reset()


def package():
    """Where the package's own files are: a build's folder, or where a wheel put them."""
    from buddy._paths import command

    return Path(command()).parent.parent


def buddy_libraries(name):
    return sorted(package().glob(f"lib/{name}"))


def shared_runtime():
    """What --runtime names, for libraries that share it with this process."""
    return buddy_libraries("libbuddy_runtime.so*")[0]


def example(name, folder):
    """An example in C: a build's folder has it; with an installed package it is compiled as its user would do."""
    built = package() / "examples" / name
    if built.exists():
        return built
    compiler, tool = shutil.which("cc"), shutil.which("pkg-config")
    if not compiler or not tool:
        pytest.skip("needs a C compiler and pkg-config")
    source, lib = next((Path(__file__).parents[2] / "examples").rglob(f"{name}.c")), package() / "lib"
    told = subprocess.run([tool, "--cflags", "--libs", "buddy"], env=os.environ | {"PKG_CONFIG_PATH": str(lib / "pkgconfig")},
                          capture_output=True, text=True, check=True)  # fmt: skip
    subprocess.run([compiler, source, "-o", folder / name, *told.stdout.split(), f"-Wl,-rpath,{lib}", "-lm"], check=True)
    return folder / name


def close(ours, theirs, tolerance=2e-5):
    """Compares two results, tensors and what holds tensors, relative to the largest number of theirs."""
    ours, theirs = torch.utils._pytree.tree_leaves(ours), torch.utils._pytree.tree_leaves(theirs)
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        if not isinstance(b, torch.Tensor):
            assert a == b
            continue
        assert a.dtype == b.dtype and a.shape == b.shape
        if not b.is_floating_point():
            assert torch.equal(a, b)
        elif b.numel():
            same = (a == b) | (a.isnan() & b.isnan())  # infinities, and what is no number
            largest = float(b.detach().abs().nan_to_num(0.0, 0.0).max())
            assert torch.where(same, 0, a - b).abs().max() <= tolerance * max(1.0, largest)


@pytest.fixture
def mlir_opt():
    """LLVM's own tool, where it is installed."""
    found = next(filter(None, map(shutil.which, ("mlir-opt-22", "mlir-opt"))), None)
    return found or pytest.skip("there is no mlir-opt")
