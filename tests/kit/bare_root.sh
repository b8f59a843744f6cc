# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A bare Debian root for the scripts beside it, which read this: nothing but apt and what apt needs. `root` is the folder to take, or
# empty for one that goes when the script ends. As root; needs debootstrap and the network.
is_kept=$root
[ -n "$root" ] || root=$(mktemp -d)
chmod 755 "$root" # mktemp's is for its owner alone, and its users are others
leave() {
  umount "$root/proc" 2>/dev/null || true
  [ -n "$is_kept" ] || rm -rf --one-file-system "$root"
}
trap leave EXIT
mirror=http://deb.debian.org/debian
[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase bookworm "$root" $mirror >/dev/null
for suite in "$mirror bookworm" "$mirror bookworm-updates" "$mirror-security bookworm-security"; do
  echo "deb $suite main"
done >"$root/etc/apt/sources.list"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"

passed=0 failed=0
check() { # NAME COMMAND...
  name=$1
  shift
  if "$@" >"$root/tmp/check.log" 2>&1; then
    passed=$((passed + 1))
    echo "passed: $name"
  else
    failed=$((failed + 1))
    echo "failed: $name"
    tail -n 20 "$root/tmp/check.log"
  fi
}
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
closing() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}
