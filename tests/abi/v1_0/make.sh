#!/bin/sh
# How buddy_v1fixture.so was made, with gcc 12.2 of Debian 12 on x86-64; the same compiler makes the same bytes.
# It is kept as it was when 1.0 was frozen; run this only to see that it is what it says: sh make.sh /tmp/buddy_v1fixture.so
set -eu
cd "$(dirname "$0")"
exec gcc -std=c11 -O2 -fPIC -shared -nostdlib -fvisibility=hidden -fno-asynchronous-unwind-tables -fno-ident -s \
  -Wl,--build-id=none,-z,noseparate-code,-z,relro,--hash-style=gnu -I. fixture.c -o "${1:?where to}"
