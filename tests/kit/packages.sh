#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Debian packages in a clean Debian root: sh tests/kit/packages.sh BUILD [ROOT]
#
# They are made (cpack), installed, used by the command, by a C program through pkg-config and by one through CMake, and
# removed, and leave nothing. As root; needs debootstrap, dpkg-dev and the network. ROOT is kept if it is named.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
root=${2:-}
. "$source/tests/kit/bare_root.sh"
as_user() { chroot --userspec=nobody "$root" env -i HOME=/tmp/home PATH=/usr/bin:/bin sh -c "cd /tmp/home && $1"; }
ours() { (cd "$root" && find usr -path 'usr/share/doc' -prune -o -name '*buddy*' -print | sort); }

rm -rf "$root/tmp/packages" "$root/tmp/home"
mkdir -p "$root/tmp/packages" "$root/tmp/home"
check 'cpack writes the packages' cpack --config "$build/CPackConfig.cmake" -B "$root/tmp/packages"
cp "$source/examples/models/lenet5.pt2" "$source/examples/models/lenet5_input.npy" "$source/examples/run_model.c" "$root/tmp/home"
cat >"$root/tmp/home/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(Buddy REQUIRED)
add_executable(run_model run_model.c)
target_link_libraries(run_model PRIVATE Buddy::model)
END
chown -R nobody "$root/tmp/home"

inside apt-get update -qq
check 'apt installs what a program needs to run' inside sh -c 'apt-get install -y -qq --no-install-recommends /tmp/packages/libbuddy1_*.deb'
check 'apt installs the command' inside sh -c 'apt-get install -y -qq --no-install-recommends /tmp/packages/buddy_*.deb'
check 'the command runs a model' as_user 'buddy run lenet5.pt2 --input lenet5_input.npy --output-dir out && test -s out/output_0.npy'
check 'the command compiles a model' as_user 'buddy compile lenet5.pt2 -o lenet5.so && test -s lenet5.so'
check 'it has manual pages' test -s "$root/usr/share/man/man1/buddy-run.1"
check 'apt installs the headers' inside sh -c 'apt-get install -y -qq --no-install-recommends /tmp/packages/libbuddy-dev_*.deb gcc libc6-dev pkg-config cmake ninja-build'
check 'a C program by pkg-config' as_user 'cc run_model.c $(pkg-config --cflags --libs buddy) -o by_pkg_config && ./by_pkg_config lenet5.pt2 lenet5_input.npy | grep "number 7"'
check 'a C program by CMake' as_user 'cmake -S . -B b -G Ninja && cmake --build b && b/run_model lenet5.pt2 lenet5_input.npy | grep "number 7"'
check 'apt removes them' inside sh -c 'apt-get purge -y -qq buddy libbuddy-dev libbuddy1'
check 'nothing is left' sh -c "test -z \"$(ours)\""
closing
