// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/signature.h: what a compiled function takes and gives, in words that outlive graph
 * and IR.
 *
 * The lowering fills one while it builds the function; the compiler hands it on to the program,
 * which checks its inputs by it. A size is a number, any number, or an expression over shape
 * symbols in postfix form:
 *
 *   2*s0+1   is   NUMBER 2, SYMBOL 0, PRODUCT 2, NUMBER 1, SUM 2
 *
 * All strings and arrays belong to the signature. */
#ifndef BUDDY_SDK_RUNTIME_SIGNATURE_H
#define BUDDY_SDK_RUNTIME_SIGNATURE_H

#include "buddy/compile.h"

typedef struct bd_step {
  buddy_dim_kind kind;
  int64_t operand; /* NUMBER: the number; SYMBOL: which one; others: how many operands are on the
                      stack */
} bd_step;

typedef struct bd_size {
  int64_t number;       /* the size; -1: see below */
  const bd_step *steps; /* null: any size */
  size_t n_steps;
  const char *text; /* "2*s0+1", "4", "?" */
} bd_size;

typedef struct bd_symbol {
  const char *name;
  int64_t min, max;
} bd_symbol;

/* What must hold of the symbols: a dim that is not negative (core/graph/guards.h). */
typedef struct bd_size_guard {
  bd_size predicate; /* its text: the condition as people write it */
  const char *where; /* the node that asks for it, or "" */
} bd_size_guard;

typedef struct bd_input {
  buddy_port port;
  const bd_size *sizes; /* port.rank of them */
} bd_input;

/* Where an output comes from. Constants are 0-d tensors of i64, f64 or i1; None has dtype
 * BUDDY_DTYPE_NONE and stays a zeroed tensor. */
typedef enum bd_source {
  BD_SOURCE_RESULT,
  BD_SOURCE_NONE,
  BD_SOURCE_INT,
  BD_SOURCE_FLOAT,
  BD_SOURCE_BOOL
} bd_source;

typedef struct bd_output {
  buddy_port port;
  bd_source source;
  size_t result;        /* RESULT: number among the function's results */
  bd_size value;        /* INT, which may be symbolic, and BOOL */
  double number;        /* FLOAT */
  const bd_size *sizes; /* port.rank of them */
} bd_output;

/* Whether the program works on the rows of its inputs one by one (sdk/import/shard.h). */
typedef struct bd_batch_note {
  uint64_t symbol;        /* their number, among the symbols, plus one; 0: it is not known to */
  uint64_t is_repeatable; /* a run that failed in the middle may be done again on the same inputs */
  const char *why;        /* it is not known to, if sizes let hope for it; else "", or null */
} bd_batch_note;

/* An input that a run writes new rows to, after those that it has (sdk/import/growing.h). Its dim 0 is
 * the one that grows. */
typedef struct bd_growth {
  uint64_t input;
  uint64_t dim; /* where that dim is for the user: at this place, after those that follow it here */
  uint64_t symbol; /* the number of rows before the run */
} bd_growth;

typedef struct bd_signature {
  bd_symbol *symbols;
  size_t n_symbols;
  bd_input *inputs; /* one per argument of the function, in order */
  size_t n_inputs;
  bd_output *outputs; /* one per output of the program, in order */
  size_t n_outputs;
  void *memory; /* list of all allocations */
  /* Of artifacts from format 3 on: whoever may have an older one asks the program instead. */
  bd_size_guard *guards;
  size_t n_guards;
  /* Likewise, of format 5. */
  bd_batch_note rows;
  /* Likewise, of format 6. */
  bd_growth *growths;
  size_t n_growths;
  /* Likewise, of format 7: inputs that the program neither reads nor writes to. */
  uint64_t *unread;
  size_t n_unread;
} bd_signature;

/* Whether an output becomes the parameter, buffer, constant or input of the user that input i is. */
int bd_signature_replaces(const bd_signature *signature, size_t i);

/* The value of a size for given values of the symbols; INT64_MIN stands for a symbol without a
 * value and makes it BUDDY_NOT_FOUND. BUDDY_LIMIT: overflow or division by 0. */
buddy_code bd_size_eval(const bd_size *size, const int64_t *symbols, int64_t *out_number);

#endif
