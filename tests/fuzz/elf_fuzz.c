// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/elf_fuzz.c: the preflight of plugin files on any bytes. Whatever it accepts must be
 * well-formed enough to be listed. */
#include <stdlib.h>
#include <string.h>

#include "core/registry/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const bd_elf_host host = {BUDDY_ABI_VERSION, BUDDY_VERSION(22, 1), 0};
  bd_elf_info info;
  bd_elf_inspect(data, size, &host, &info);
  const int is_told = (info.code == BUDDY_OK) == (info.refusal[0] == 0);
  const int is_listed = info.code != BUDDY_OK || info.has_note;
  const buddy_elf_note *note = &info.note;
  const int is_terminated = !memchr(note->registry_name, 0, sizeof note->registry_name) ||
                            !memchr(note->version, 0, sizeof note->version) ||
                            !memchr(note->vendor, 0, sizeof note->vendor) ||
                            !memchr(note->license, 0, sizeof note->license);
  if (!is_told || !is_listed || (info.has_note && is_terminated)) abort();
  return 0;
}
