#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A newcomer's path, in a clean Debian root: sh tests/kit/newcomer.sh BUILD [ROOT]
#
# The root gets what a machine with buddy on it has: buddy, the libraries that it needs, a compiler and CMake. Then a user
# without rights types what GUIDE.md says under "From nothing to a shipped file", and nothing else. As root; needs
# debootstrap and the network. ROOT is kept if it is named.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
root=${2:-}
. "$source/tests/kit/bare_root.sh"

DESTDIR=$root cmake --install "$build" --prefix /usr/local >/dev/null
libraries=$(find "$root/usr/local" -name '*.so*' -o -path '*/bin/buddy' | xargs ldd 2>/dev/null |
  sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | grep -v "^$root\|^$build" | sort -u | xargs -n 1 realpath | xargs dpkg -S | cut -d: -f1 | sort -u)
chroot "$root" apt-get update -qq
DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -y -qq --no-install-recommends gcc g++ cmake ninja-build binutils $libraries \
  >/dev/null 2>&1
chroot "$root" ldconfig
chroot "$root" id newcomer >/dev/null 2>&1 || chroot "$root" useradd -m -s /bin/sh newcomer
rm -rf "$root/home/newcomer/buddy_mine" "$root/home/newcomer/.local"
cp "$source/examples/models/lenet5.pt2" "$root/home/newcomer/model.pt2"

# The indented lines of the section, without what is said about them.
commands=$(sed -n '/^## From nothing to a shipped file/,/^## /s/^    \([^#]*[^# ]\) *\(#.*\)\?$/\1/p' "$root/usr/local/share/buddy/GUIDE.md")
n=$(printf '%s\n' "$commands" | wc -l)
printf '%s\n' "$commands" | sed 's/.*/echo "\$ &"\n&/' >"$root/home/newcomer/path.sh"
start=$(date +%s)
out=$root/home/newcomer/path.log
if ! chroot --userspec=newcomer:newcomer "$root" env -i HOME=/home/newcomer USER=newcomer LANG=C PATH=/usr/local/bin:/usr/bin:/bin \
  sh -c 'cd && set -e && . ./path.sh' >"$out" 2>&1; then
  cat "$out"
  echo "0 passed, 1 failed"
  exit 1
fi
cat "$out"
for text in 'Test #1: check_mine .* *Passed' '^mine ' 'taken by mine'; do
  check "it says $text" grep "$text" "$out"
done
check "$n commands, at most 10, in $(($(date +%s) - start)) seconds" test "$n" -le 10
closing
