// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/symbols/opdef.h: an op definition, and the parser that makes one from a schema. */
#ifndef BUDDY_CORE_SYMBOLS_OPDEF_H
#define BUDDY_CORE_SYMBOLS_OPDEF_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "core/base/arena.h"
#include "core/symbols/contracts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lives in the arena of its opset and never changes once it is found. */
struct buddy_opdef {
  const char *name;   /* "aten.add.Tensor" */
  const char *schema; /* as it was given */
  const buddy_schema_arg *args;
  const buddy_schema_arg *results;
  uint32_t n_args, n_results;
  buddy_op_kind kind;
  const bd_contract *contract; /* of bd_opdef_contract alone: it is found when first asked for */
  bool has_more_args;          /* "..." after the arguments */
  /* "..." as result, or a list among the results: nodes may have any number. */
  bool has_more_results;
};

/* Parses `schema` into *out_def, whose kind stays as it is. Everything is copied into the arena. */
BUDDY_EXPORT buddy_code bd_schema_parse(bd_arena *arena, const char *schema, buddy_diags *diags,
                                        buddy_opdef *out_def);

/* The contract of an op; null: it has none. [any-thread] */
const bd_contract *bd_opdef_contract(const buddy_opdef *def);

/* As buddy_opset_find, but tells a missing op (BUDDY_NOT_FOUND) from one whose row does not parse
 * (BUDDY_CORRUPT) and from the want of memory. [any-thread] */
BUDDY_EXPORT buddy_code bd_opset_find(const buddy_opset *opset, const char *name,
                                      const buddy_opdef **out_def);

/* For those who go on without a definition: null if there is none or its row does not parse, which is no
 * error. The want of memory is, and is never taken for a missing op. [any-thread] */
BUDDY_EXPORT buddy_code bd_opset_look_up(const buddy_opset *opset, const char *name,
                                         const buddy_opdef **out_def);

#ifdef __cplusplus
}
#endif
#endif
