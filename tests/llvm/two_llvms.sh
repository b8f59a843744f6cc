#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One file of a registry of the portable tier, on LLVM 22 and on LLVM 19: sh tests/llvm/two_llvms.sh BUILD
#
# BUILD is a build tree on LLVM 22. The development packages of two LLVMs exclude one another, so those of LLVM 19 are not
# installed but unpacked, below BUILD. What is there already is not made again.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
packages=$build/llvm-19-packages
if [ ! -e "$packages/usr/lib/llvm-19/lib/liblldELF.a" ]; then
  mkdir -p "$packages/files"
  (cd "$packages/files" && apt-get download -qq libmlir-19-dev libmlir-19 llvm-19-dev libllvm19 liblld-19-dev liblld-19)
  for file in "$packages"/files/*.deb; do dpkg -x "$file" "$packages"; done
  rm -r "$packages/files"
fi
cmake -S "$root" -B "$build/llvm-19" -G Ninja -DBUDDY_TESTS=OFF -DLLVM_ROOT="$packages/usr/lib/llvm-19" \
  -DCMAKE_C_COMPILER_LAUNCHER="${BUDDY_COMPILER_LAUNCHER:-}" -DCMAKE_CXX_COMPILER_LAUNCHER="${BUDDY_COMPILER_LAUNCHER:-}"
cmake --build "$build/llvm-19" --target buddy_command buddy_verbs
exec python3 "$root/tests/llvm/two_llvms.py" --build "$build" --other "$build/llvm-19"
