// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/descriptor_fuzz.c: descriptors as hostile code could lay them out in its memory.
 *
 * The input is that memory: 4 KiB of which a descriptor is the beginning. Pointers would never hit
 * by chance, so each 8 bytes whose top is POINTER mean the place that their low bits say, FUNCTION
 * our function. After the memory lies a page that cannot be read: a reader who goes too far dies.
 * What is accepted must be whole. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/registry/descriptor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE = 4096, POINTER = 0x5050, FUNCTION = 0x4646 };

static buddy_code callback(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self, (void)call;
  return BUDDY_OK;
}

static char *map_memory(void) {
  char *memory = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + SIZE, SIZE, PROT_NONE)) abort();
  return memory;
}

static void lay_out(char *memory, const uint8_t *data, size_t size) {
  memset(memory, 0, SIZE);
  memcpy(memory, data, size < SIZE ? size : SIZE);
  for (size_t at = 0; at < SIZE; at += 8) {
    uint64_t word;
    memcpy(&word, memory + at, 8);
    if (word >> 48 == POINTER) word = (uintptr_t)memory + (word & 0x1FFF);
    if (word >> 48 == FUNCTION) word = (uintptr_t)&callback;
    memcpy(memory + at, &word, 8);
  }
}

static void check_whole(const bd_descriptor *descriptor) {
  const buddy_registry *r = &descriptor->registry;
  if (!r->name || !r->version || !r->vendor || !r->license || r->n_ops > BD_MAX_OPS) abort();
  for (uint32_t i = 0; i < r->n_ops; ++i) {
    if (!r->ops[i].name[0] || strlen(r->ops[i].args) >= SIZE) abort();
    if (!r->ops[i].emit == !r->ops[i].expand) abort();
  }
  for (size_t i = 0; r->schemas && r->schemas[i]; ++i) {
    if (strlen(r->schemas[i]) >= SIZE) abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char *memory;
  if (!memory) memory = map_memory();
  lay_out(memory, data, size);
  const buddy_registry *given = (const buddy_registry *)(const void *)memory;
  bd_segment items[] = {{(uintptr_t)memory, (uintptr_t)memory + SIZE, 1, true, false},
                        {(uintptr_t)&callback, (uintptr_t)&callback + 16, 2, true, true}};
  if (items[0].start > items[1].start) {
    const bd_segment first = items[0];
    items[0] = items[1];
    items[1] = first;
  }
  const bd_segments segments = {.items = items, .n = 2};
  /* The note says what the descriptor says, as far as it can be read: else nothing would get by. */
  buddy_elf_note note = {.abi_version = given->abi_version,
                         .llvm_version = given->llvm_version,
                         .n_ops = given->n_ops};
  memcpy(note.registry_name, "a", 2);
  memcpy(note.version, "a", 2);
  memcpy(note.vendor, "a", 2);
  memcpy(note.license, "a", 2);
  bd_arena arena = {0};
  bd_descriptor descriptor;
  char why[BD_REFUSAL_SIZE];
  const buddy_code code = bd_descriptor_read(given, &segments, 2, &note, &arena, why, &descriptor);
  if ((code == BUDDY_OK) != (why[0] == 0)) abort();
  if (code == BUDDY_OK) check_whole(&descriptor);
  bd_arena_deinit(&arena);
  return 0;
}
