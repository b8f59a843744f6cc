// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/extensions.h: what host and registries may offer beyond registry.h, each a table of its own
 * with a version in its name. A side that does not know a table answers null, and both go on.
 *
 *   1  buddy.text/1        host      IR given as text, with regions and calls of runtime functions
 *   2  buddy.graph/1       host      looking at the nodes around the one that a callback is about
 *   3  buddy.transforms/1  registry  rewrites of several nodes at once, before rows are asked
 *   4  buddy.pipeline/1    registry  passes for the dialects that its rows emit
 *   5  buddy.ahead/1       registry  where its functions are when a compiled model runs without
 *                                    buddy
 *   6  buddy.collective/1  library   how the processes of one program send each other bytes
 *   7  buddy.runtime/1     registry  functions that emitted code calls: threads, effects, weights
 *                                    (runtime.h)
 *
 * Tables grow by appended fields; struct_size says which are there (BUDDY_HAS). Standalone like
 * registry.h. */
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
 * Attribute aliases may come first. The function's arguments take the operands' place, and what
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
 * Reading the graph around a value, inside match(), expand() and the rewrite() of a transform.
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
  /* Name of the registry whose row takes the producer, as things are now, to emit it; "" for an
   * input, and where nobody takes it or it is expanded. So a transform that adds to what its own
   * registry computes leaves alone what the user gave to others, by the order or by a pin. It asks
   * rows, whose match() runs. */
  buddy_sv (*taker)(buddy_call *call, const buddy_value *value);
} buddy_graph_services;

/* ---- 3. buddy.transforms/1, of a registry -------------------------------------------------------
 * A transform replaces a node, and what leads to it, by other nodes: convolution, bias and
 * activation by one op of a vendor's, say. Transforms run before any row is asked, registry by
 * registry in their order; for each, over the nodes from the last to the first, those of a node by
 * benefit and then in the table's order. What a rewrite brings is decided at once: if no row of the
 * order takes all of it, the rewrite is undone, and nothing has happened.
 *
 * rewrite() is asked about each node whose op is `root`. It looks back through host->arg and
 * buddy.graph/1, and then declines with a reason, or replaces the root's results by host->node and
 * host->replace, as expand() does, and returns BUDDY_OK. The other nodes of the pattern go when
 * nothing uses them any more; one that is used elsewhere stays. host->arg numbers the root's
 * arguments as `args` lists them, and no argument of the root may be dropped: the host declines for
 * an argument that is neither listed nor at its default. */
#define BUDDY_TRANSFORMS_ID "buddy.transforms/1"
typedef struct buddy_transform buddy_transform;
struct buddy_transform {
  const char *name; /* "conv_bias_relu": [a-z][a-z0-9_]*; for messages and `buddy explain` */
  const char *root; /* "aten.relu.default" */
  const char *args; /* of the root, like those of a row */
  uint32_t benefit;
  uint32_t flags; /* 0 */
  buddy_code (*rewrite)(void *state, const buddy_transform *self, buddy_call *call);
  const void *user;
};
typedef struct buddy_transforms {
  uint32_t struct_size;
  uint32_t n_transforms;
  uint32_t stride; /* sizeof(buddy_transform) as compiled */
  uint32_t flags;  /* 0 */
  const buddy_transform *transforms;
} buddy_transforms;

/* ---- 4. buddy.pipeline/1, of a registry ---------------------------------------------------------
 * Passes that turn the dialects which the registry's rows emit into those that buddy compiles, as
 * MLIR's pipeline syntax: "builtin.module(func.func(tosa-to-linalg))". Each runs where its stage
 * says, registries in their order, before buddy's own passes of that stage, over every module that
 * is compiled with the registry loaded. A stage that this host does not know is an error when the
 * registry is loaded; a text that MLIR does not understand, when something is compiled. */
#define BUDDY_PIPELINE_ID "buddy.pipeline/1"
#define BUDDY_STAGE_TENSORS ((int32_t)0) /* on tensors, as the rows emitted it */
#define BUDDY_STAGE_BUFFERS ((int32_t)1) /* on memrefs, after bufferization */
#define BUDDY_STAGE_LLVM ((int32_t)2)    /* before the conversion to the llvm dialect */
typedef struct buddy_pass_fragment {
  int32_t stage;  /* BUDDY_STAGE_… */
  uint32_t flags; /* 0 */
  const char *pipeline;
} buddy_pass_fragment;
typedef struct buddy_pipeline {
  uint32_t struct_size;
  uint32_t n_fragments;
  uint32_t stride; /* sizeof(buddy_pass_fragment) as compiled */
  uint32_t flags;  /* 0 */
  const buddy_pass_fragment *fragments;
} buddy_pipeline;

/* ---- 5. buddy.ahead/1, of a registry ------------------------------------------------------------
 * Where the functions of its buddy.runtime/1 are for a model that `buddy compile` wrote, and that
 * runs where there is no buddy. Without this table such a model is not compiled. What the file
 * needs in turn is neither LLVM nor a library of buddy's.
 *
 *   null          the registry's own file, of the portable tier. The model loads it, and asks it by
 *                 buddy_registry_query() and extension(NULL, "buddy.runtime/1"), without open() and
 *                 close() before and after
 *   "libNAME.so"  a library beside the registry that exports them under the names of that table;
 *                 the model loads it. Functions whose pointers in the table are null are looked for
 *                 in it by the host, too
 *   "libNAME.a"   an archive beside the registry that defines them under these names; it becomes
 *                 part of the model. For another machine it lies beside that one's
 * libbuddy_runtime.a */
#define BUDDY_AHEAD_ID "buddy.ahead/1"
typedef struct buddy_ahead {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  const char *file;
} buddy_ahead;

/* ---- 6. buddy.collective/1, of a transport ------------------------------------------------------
 * A transport is a library, libbuddy_NAME.so, that carries bytes between the processes (ranks) of
 * one program. The dist registry makes all collectives of it: what is summed, in which order, and
 * which ranks form a group, is its affair. The library exports one function,
 *
 *   const buddy_collective *buddy_collective_query(uint32_t host_abi);
 *
 * pure, like buddy_registry_query. It needs this header alone, and nothing of buddy's to link with.
 *
 * Threads. The functions are called by one thread at a time, not always the same. [any-thread]
 * Errors. A code, and a NUL-terminated sentence in `why` that names the rank it is about. After one
 * nothing but give_up() is called.
 * Ownership. Messages and their bytes are the caller's, and the transport's until exchange() has
 * returned. The state lives as long as the process, and the library stays loaded. */
#define BUDDY_COLLECTIVE_ID "buddy.collective/1"
#define BUDDY_COLLECTIVE_QUERY "buddy_collective_query"
typedef struct buddy_message {
  int32_t rank;     /* to or from whom: never the own one */
  uint32_t flags;   /* 0 */
  void *bytes;      /* a sent message's are not written to */
  uint64_t n_bytes; /* both sides give the same; may be 0 */
} buddy_message;
typedef struct buddy_collective {
  uint32_t struct_size;
  uint32_t flags;   /* 0 */
  const char *name; /* "MPI (Open MPI 4.1.4)": for messages */
  /* Meets the other ranks, once in a process: after `seconds` at most it is an error. */
  buddy_code (*connect)(double seconds, void **out_state, char *why, size_t why_size);
  int32_t (*rank)(void *state); /* 0 to size - 1 */
  int32_t (*size)(void *state);
  /* Sends and receives all of these at once, and returns when that is done: no order of ranks may
   * make it wait for ever. Messages between two ranks arrive in the order in which they were given.
   * A rank that has died, or is silent for `seconds`, is an error that names it. */
  buddy_code (*exchange)(void *state, const buddy_message *sends, size_t n_sends,
                         const buddy_message *receives, size_t n_receives, double seconds,
                         char *why, size_t why_size);
  /* Tells all others that this rank makes no more exchanges, and why: theirs then fail with that
   * sentence rather than at the end of their time. Waits for nobody. */
  void (*give_up)(void *state, const char *why);
} buddy_collective;
typedef const buddy_collective *(*buddy_collective_query_fn)(uint32_t host_abi);

#ifdef __cplusplus
}
#endif
#endif
