#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The README's two commands in a bare Debian root: sh tests/kit/commands.sh [ROOT]
#
# A clone of the last commit is all that the root gets. The second command takes an hour: it is run where BUDDY_BARE_TESTS is set.
# Not in /root, which nobody else may enter: some tests run the command as another user.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
root=${1:-}
. "$source/tests/kit/bare_root.sh"
rm -rf "$root/srv/buddy"
git clone -q "$source" "$root/srv/buddy"
readme() { inside sh -c "cd /srv/buddy && { sh $1 >log 2>&1 || { tail -n 20 log; exit 1; }; } && tail -n 1 log | grep '$2'"; }
check 'the root has certificates' inside sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates'
check 'the first command sees a 7' readme examples/first_run.sh 'the largest of 10 numbers is number 7'
[ -z "${BUDDY_BARE_TESTS:-}" ] || check 'the second command passes' readme tests/run.sh ', 0 failed'
check 'neither needs make' test ! -e "$root/usr/bin/make"
closing
