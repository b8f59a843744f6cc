/* buddy/extensions.h: what host and registries may offer beyond registry.h, each a table of its own
 * with a version in its name. A side that does not know a table answers null, and both go on.
 *
 *   1  buddy.text/1        host      IR given as text, with regions and calls of runtime functions
 *   2  buddy.graph/1       host      looking at the nodes around the one that a callback is about
 *
 * buddy.runtime/1, functions that emitted code calls, is in registry.h. Tables grow by appended
 * fields; struct_size says which are there (BUDDY_HAS). Standalone like registry.h. */
#ifndef BUDDY_EXTENSIONS_H
#define BUDDY_EXTENSIONS_H

#include "buddy/registry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. buddy.text/1, of the host ---------------------------------------------------------------
 * One function for whatever IR a portable row cannot build op by op: regions, affine maps, calls.
 *
 * `text` is a module in MLIR's syntax: exactly one public func.func with a body of one block, and
 * any number of private declarations of functions, which are those that a buddy.runtime/1 brings.
 * Attribute aliases may stand in front. The function's arguments take the operands' place, and what
 * it returns is written to out_results. The ops join the call's block as if ir_op had built them:
 * they are verified, and undone with the call.
 *
 * A text that does not parse, or whose types are not the operands', makes the call fail with
 * MLIR's message. How ops are spelled may differ between versions of LLVM: host->llvm_version.
 * Inside emit() only. [call-thread] */
#define BUDDY_TEXT_ID "buddy.text/1"
typedef struct buddy_text_services {
  uint32_t struct_size;
  uint32_t flags;
  buddy_code (*ir_text)(buddy_call *call, buddy_sv text, const buddy_ir_value *operands,
                        size_t n_operands, buddy_ir_value *out_results, size_t n_results);
} buddy_text_services;

/* ---- 2. buddy.graph/1, of the host --------------------------------------------------------------
 * Reading the graph around a value, inside match(), expand() and emit().
 * Nodes are lent until the callback returns. Null or 0, and the call fails, on a null or foreign
 * value. [call-thread] */
#define BUDDY_GRAPH_ID "buddy.graph/1"
typedef struct buddy_graph_services {
  uint32_t struct_size;
  uint32_t flags;
  /* "aten.mm.default": the op that makes the value; "" for an input of the graph. */
  buddy_sv (*producer)(buddy_call *call, const buddy_value *value);
  /* Which of the producer's results the value is. */
  size_t (*result_index)(buddy_call *call, const buddy_value *value);
  /* An argument of the producer by its schema name; null if there is no producer, or it has no such
   * argument. Every argument is there, defaults filled in. */
  const buddy_arg *(*producer_arg)(buddy_call *call, const buddy_value *value, const char *name);
  /* How many arguments and outputs name the value. */
  size_t (*n_uses)(buddy_call *call, const buddy_value *value);
} buddy_graph_services;

#ifdef __cplusplus
}
#endif
#endif
