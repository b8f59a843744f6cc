#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures the CPU libraries that the vendor registry could stand on, so that the choice can be repeated; and beside them
# the products that buddy generates, if $BUDDY_BUILD names a build of it.
#
# Usage: [BUDDY_BUILD=build] [ONLY=1024x1024x1024] measure.sh [BUILD_DIR] [ROUNDS]
# Takes what it finds: Debian's libdnnl-dev, libopenblas-dev (pthread or openmp) and libblis-dev; and from PyPI, when
# their wheels are unpacked (unzip) under $WHEELS: onednn-cpu-gomp with onednn-devel-cpu-gomp, mkl, scipy-openblas32.
# Runs once with one thread and once with two. A ratio above 1 is faster than the first line of its case.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$(mktemp -d)}
rounds=${2:-9}
wheels=${WHEELS:-/nonexistent}
cc="${CC:-cc} -std=gnu17 -O2 -march=native -fopenmp -Wall -Wextra"
mkdir -p "$build"
contenders=

# wrap NAME SOURCE FLAGS...: adds a contender if it builds.
wrap() {
  name=$1 source=$2
  shift 2
  if $cc -fPIC -shared -o "$build/$name.so" "$@" "$here/$source" $libraries 2>"$build/$name.log"; then
    contenders="$contenders $name=$build/$name.so"
  else
    echo "without $name"
  fi
}
found() { find "$wheels" -name "$1" 2>/dev/null | head -n 1; }
wheel_library() {
  file=$(found "$1")
  libraries="${file:-/nonexistent/$1} -Wl,-rpath,$(dirname "${file:-/}")"
}

libraries=-ldnnl && wrap onednn2 onednn.c
wheel_library libdnnl.so.3.2
wrap onednn3 onednn.c -I"$wheels/onednn_devel_cpu_gomp-2023.2.0.data/data/include"
wheel_library libmkl_rt.so.3 && wrap mkl blas.c -DBENCH_CBLAS_SGEMM=cblas_sgemm
triplet=$(${CC:-cc} -print-multiarch)
for flavour in openblas-openmp openblas-pthread; do
  libraries="-Wl,-rpath,/usr/lib/$triplet/$flavour /usr/lib/$triplet/$flavour/libopenblas.so"
  [ -e "/usr/lib/$triplet/$flavour/libopenblas.so" ] || continue
  wrap $flavour blas.c -DBENCH_CBLAS_SGEMM=cblas_sgemm
done
wheel_library libscipy_openblas.so && wrap openblas-new blas.c -DBENCH_CBLAS_SGEMM=scipy_cblas_sgemm
libraries=-l:blis-openmp/libblis.so
wrap blis blas.c -DBENCH_CBLAS_SGEMM=cblas_sgemm "-Wl,-rpath,/usr/lib/$triplet/blis-openmp"
if [ -n "${BUDDY_BUILD:-}" ]; then
  lib=$(cd "$BUDDY_BUILD/lib" && pwd)
  libraries="-L$lib -lbuddy_mlir -lbuddy_runtime -lbuddy -Wl,-rpath,$lib"
  wrap buddy buddy.c -I"$here/../../../include"
fi

$cc -o "$build/vendor_libraries" "$here/main.c" -ldl -lm
for threads in 1 2; do
  echo "== threads: $threads"
  # shellcheck disable=SC2086
  OMP_NUM_THREADS=$threads MKL_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads \
    BLIS_NUM_THREADS=$threads BUDDY_THREADS=$threads MKL_THREADING_LAYER=GNU \
    "$build/vendor_libraries" "$rounds" $contenders
done
