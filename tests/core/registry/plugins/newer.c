// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/plugins/newer.c: a registry built with the headers of 1.9: longer rows, a
 * longer descriptor. */
#include "buddy/registry.h"

typedef struct newer_op {
  buddy_op op;
  const void *since_1_9[3];
} newer_op;

typedef struct newer_registry {
  buddy_registry registry;
  uint64_t since_1_9[5];
} newer_registry;

static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)call;
  /* The host must hand in the row as the plugin made it. */
  const newer_op *row = (const newer_op *)(const void *)self;
  return row->since_1_9[2] == row ? BUDDY_DECLINED : BUDDY_INTERNAL;
}

static const newer_op ops[] = {
    {{.name = "newer.one.default", .args = "self", .emit = emit}, {0, 0, &ops[0]}},
    {{.name = "newer.two.default", .args = "self", .emit = emit}, {0, 0, &ops[1]}},
    {{.name = "newer.three.default", .args = "self", .emit = emit, .benefit = 7}, {0, 0, &ops[2]}},
};

static const char *const schemas[] = {"newer::one(Tensor self) -> Tensor",
                                      "newer::two(Tensor self) -> Tensor",
                                      "newer::three(Tensor self) -> Tensor", NULL};

#define ABI_1_9 BUDDY_VERSION(1, 9)
__attribute__((section(BUDDY_NOTE_SECTION), used, aligned(4))) static const struct {
  buddy_elf_note note;
  uint32_t since_1_9[4];
} note = {{8u,
           BUDDY_NOTE_DESC_SIZE + 16u,
           BUDDY_NOTE_TYPE,
           {'b', 'u', 'd', 'd', 'y', 0, 0, 0},
           ABI_1_9,
           0u,
           (uint32_t)sizeof(newer_registry),
           (uint32_t)sizeof(newer_op),
           (uint32_t)sizeof(buddy_host) + 8u,
           3u,
           BUDDY_SANITIZER,
           0u,
           "newer",
           "9.0.0",
           "buddy tests",
           "MIT"},
          {0}};

static const newer_registry registry = {{.struct_size = (uint32_t)sizeof(newer_registry),
                                         .abi_version = ABI_1_9,
                                         .name = "newer",
                                         .version = "9.0.0",
                                         .vendor = "buddy tests",
                                         .license = "MIT",
                                         .schemas = schemas,
                                         .ops = &ops[0].op,
                                         .n_ops = 3u,
                                         .op_stride = (uint32_t)sizeof(newer_op)},
                                        {1, 2, 3, 4, 5}};

const buddy_registry *buddy_registry_query(uint32_t host_abi) {
  return host_abi >> 16 == BUDDY_ABI_MAJOR ? &registry.registry : NULL;
}
