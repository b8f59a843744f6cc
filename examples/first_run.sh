#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The main job on a fresh machine: installs what is missing, builds, and runs a real model: LeNet-5, trained on drawn
# digits, looks at a 7. No PyTorch is needed; export_model.py is how the archive was made.
set -eu
cd "$(dirname "$0")/.."
sh examples/packages.sh
cmake -S . -B build -G Ninja -DBUDDY_TESTS=OFF >/dev/null
cmake --build build
model=examples/models/lenet5.pt2 input=examples/models/lenet5_input.npy
set -x
build/bin/buddy explain $model
build/bin/buddy import $model -o build/lenet5.mlir
build/bin/buddy run $model --input $input --output-dir build/lenet5
build/examples/run_model $model $input
