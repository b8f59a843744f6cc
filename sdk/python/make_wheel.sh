#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One command from the sources to a wheel that carries every library it needs, LLVM and MLIR included:
#   sh sdk/python/make_wheel.sh [FOLDER]      FOLDER/*.whl and *.tar.gz; FOLDER is sdk/python/dist if none is given
# Needs what examples/packages.sh installs, and a Python 3.11 or newer with its headers (PYTHON names another than python3).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-$here/dist}"
out=$(cd "${1:-$here/dist}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${PYTHON:-python3}" -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --disable-pip-version-check -r "$here/wheel_requirements.txt"
# The wheel is built from the sdist, which so shows that it is whole. Of LLVM and MLIR it has what buddy uses.
"$work/tools/bin/python" -m build --outdir "$work/plain" --config-setting cmake.define.BUDDY_LLVM_INSIDE=ON "$here"
PATH="$work/tools/bin:$PATH"
auditwheel repair --strip --wheel-dir "$work/repaired" "$work"/plain/*.whl
# LLVM brings a RUNPATH of its own, which auditwheel leaves: the libraries lie beside one another.
wheel unpack --dest "$work/tree" "$work"/repaired/*.whl
for library in "$work"/tree/*/*.libs/*.so*; do patchelf --force-rpath --set-rpath '$ORIGIN' "$library"; done
wheel pack --dest-dir "$out" "$work"/tree/*
cp "$work"/plain/*.tar.gz "$out"
ls -l "$out"
