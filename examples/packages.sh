#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what buddy is built from, where it is missing. Debian 12 has all of it; run by first_run.sh and tests/run.sh.
#   LLVM and MLIR 22   the IR, its passes, the JIT        uthash      hash tables of the core
#   minizip            .pt2 archives are zip files        simdjson    their programs are JSON
#   jansson            JSON output of the command         oneDNN      kernels of the vendor registry
#   lld                links models compiled ahead        sodium      BLAKE2b hashes
#   LAPACKE, OpenBLAS  kernels of the lapack registry (examples/lapack)
set -eu
packages="gcc g++ cmake ninja-build pkg-config libmlir-22-dev mlir-22-tools llvm-22-dev liblld-22-dev uthash-dev libminizip-dev zlib1g-dev
libsimdjson-dev libjansson-dev libtomlplusplus-dev libsodium-dev libdnnl-dev liblapacke-dev libopenblas-dev ${*:-}"
missing=
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing" >&2
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
