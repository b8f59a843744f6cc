// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* registry.c: Acme's op table: linear layers and attention go to the device; everything else is
 * left to the registries after. */
#include <string.h>

#include "acme.h"

#define F32 BUDDY_DTYPE_BIT(BUDDY_F32)
static const buddy_op ops[] = {
    {.name = "aten.linear.default",
     .args = "input, weight, bias",
     .in_dtypes = F32,
     .out_dtypes = F32,
     .match = acme_match,
     .emit = acme_emit_linear},
    {.name = "aten.scaled_dot_product_attention.default",
     .args = "query, key, value, is_causal, scale",
     .in_dtypes = F32,
     .out_dtypes = F32,
     .expand = acme_expand_sdpa},
    {.name = "acme.attention.default",
     .args = "q, k, v, scale, causal",
     .in_dtypes = F32,
     .out_dtypes = F32,
     .match = acme_match_attention,
     .emit = acme_emit_attention},
};

static const char *const schemas[] = {
    "acme::attention(Tensor q, Tensor k, Tensor v, float scale=1.0, bool causal=False) -> Tensor",
    NULL};
static const char *const dialects[] = {"arith", "bufferization", "func", "memref", "tensor", NULL};

/* Models that were compiled ahead of time load this file, and with it the runtime. */
static const buddy_ahead ahead = {.struct_size = sizeof(ahead)};

static const void *extension(void *state, const char *id) {
  (void)state;
  if (strcmp(id, BUDDY_RUNTIME_ID) == 0) return &acme_runtime;
  if (strcmp(id, BUDDY_TRANSFORMS_ID) == 0) return &acme_transforms;
  if (strcmp(id, BUDDY_AHEAD_ID) == 0) return &ahead;
  return NULL;
}

BUDDY_REGISTRY(acme, "1.2.0", "Acme Accelerators", "LicenseRef-Acme", 0, ops, .dialects = dialects,
               .schemas = schemas, .open = be_open, .extension = extension);
