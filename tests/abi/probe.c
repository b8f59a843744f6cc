// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/abi/probe.c: one function for each type of the ABI, so that abidiff can compare the header
 * of a release with today's: it reads types from debug information. */
#include "buddy/registry.h"

#define PROBE(type)                        \
  BUDDY_EXPORT void probe_##type(type *p); \
  void probe_##type(type *p) { (void)p; }

PROBE(buddy_code)
PROBE(buddy_sv)
PROBE(buddy_dtype)
PROBE(buddy_tensor_type)
PROBE(buddy_arg)
PROBE(buddy_named_arg)
PROBE(buddy_dim_op)
PROBE(buddy_ir_type)
PROBE(buddy_ir_attr)
PROBE(buddy_ir_value)
PROBE(buddy_ir_named_attr)
PROBE(buddy_ir_spec)
PROBE(buddy_host)
PROBE(buddy_op)
PROBE(buddy_registry)
PROBE(buddy_runtime)
PROBE(buddy_elf_note)
PROBE(buddy_registry_query_fn)
