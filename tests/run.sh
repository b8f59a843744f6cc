#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# All tests on a fresh machine: installs what is missing, builds, exports the models from PyTorch into build/models, and
# runs every suite. The last line says how many passed. BUDDY_TEST_MODELS=tiny (the default) or full chooses the models.
set -eu
cd "$(dirname "$0")/.."
sh examples/packages.sh libgtest-dev llvm-22-tools python3 python3-dev python3-venv binutils unzip help2man openmpi-bin libopenmpi-dev mpich libmpich-dev \
  ${BUDDY_TEST_ALL:+clang-22 libclang-rt-22-dev clang-format-22 clang-tidy-22 doxygen}
build=${BUDDY_BUILD_DIR:-build}
cmake -S . -B "$build" -G Ninja -DBUDDY_TESTS=ON
cmake --build "$build"
# With BUDDY_TEST_ALL=1 also what takes long or needs other systems: fuzzers, LLVM 19, a newcomer's path, the code generator
# under the sanitizers, and the long part of the Python package's.
skip="--skip llvm --skip newcomer --skip tidy --skip fuzzers"
[ -z "${BUDDY_TEST_ALL:-}" ] || skip=
exec python3 tests/suites.py --build "$build" --models "${BUDDY_TEST_MODELS:-tiny}" $skip
