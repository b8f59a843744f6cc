// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/lower.h: a planned graph becomes a verified MLIR module. Part of libbuddy_mlir; no MLIR
 * type appears here. */
#ifndef BUDDY_LOWER_H
#define BUDDY_LOWER_H

#include "buddy/resolve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum buddy_params {
  BUDDY_PARAMS_ARGS, /* each parameter is an argument of the function, where the program has it */
  BUDDY_PARAMS_RESOURCE, /* each is a dense_resource over the mapped bytes */
  BUDDY_PARAMS_PACK      /* one 1-d argument per dtype, in order of first appearance, before the
                       user inputs */
} buddy_params;

typedef struct buddy_lower_options {
  size_t struct_size;
  buddy_params params;
  const char *function;  /* null: "forward" */
  int fallback_on_error; /* a row that fails (rather than declines) is passed over, with a
                          * warning */
} buddy_lower_options;

typedef struct buddy_module buddy_module;
/* Emits every node by the row that the plan chose; a row that declines while emitting, or whose ops
 * do not verify or do not have the graph's types, is undone and the next one asked; the plan's
 * trail tells. options may be null. The module keeps what it needs of the graph; with
 * BUDDY_PARAMS_RESOURCE the archive must outlive it. */
BUDDY_EXPORT buddy_code buddy_lower(buddy_plan *plan, const buddy_lower_options *options,
                                    buddy_diags *diags, buddy_module **out_module);
/* Reads MLIR text or bytecode, for compiling modules that came from elsewhere. */
BUDDY_EXPORT buddy_code buddy_module_parse(buddy_sv text, buddy_diags *diags,
                                           buddy_module **out_module);
BUDDY_EXPORT void buddy_module_destroy(buddy_module *module);

typedef enum buddy_format {
  BUDDY_FORMAT_MLIR,
  BUDDY_FORMAT_GENERIC,
  BUDDY_FORMAT_BYTECODE
} buddy_format;
/* locations: print them (bytecode always has them). */
BUDDY_EXPORT buddy_code buddy_module_print(const buddy_module *module, buddy_format format,
                                           int locations, const buddy_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
