// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/symbols/contracts.c: the table of contracts, sorted by strcmp, and the search in it. */
#include "core/symbols/contracts.h"

#include <stdlib.h>
#include <string.h>

#define OPEN BD_SHAPE_OPEN
#define BROADCAST BD_SHAPE_BROADCAST
#define REDUCE BD_SHAPE_REDUCE
#define SAME BD_SHAPE_SAME
#define LOSS BD_SHAPE_LOSS
#define SHAPE(name) BD_SHAPE_##name
#define PROMOTED BD_DTYPE_PROMOTED
#define PROMOTED_REAL BD_DTYPE_PROMOTED_REAL
#define PROMOTED_FLOAT BD_DTYPE_PROMOTED_FLOAT
#define REAL BD_DTYPE_REAL
#define DISTANCE BD_DTYPE_DISTANCE
#define PAIR BD_DTYPE_PAIR
#define DIFFERENCE BD_DTYPE_DIFFERENCE
#define COMPLEX BD_DTYPE_COMPLEX
#define FIRST BD_DTYPE_FIRST
#define SECOND BD_DTYPE_SECOND
#define STATISTIC BD_DTYPE_STATISTIC
#define RUNNING_MEAN BD_DTYPE_RUNNING_MEAN
#define RUNNING_VAR BD_DTYPE_RUNNING_VAR
#define COUNTED BD_DTYPE_COUNTED
#define EACH BD_DTYPE_EACH
#define FIRST_OR_ARG BD_DTYPE_FIRST_OR_ARG
#define SUMMED BD_DTYPE_SUMMED
#define MAGNITUDE BD_DTYPE_MAGNITUDE
#define ARG BD_DTYPE_ARG
#define IS_BOOL BD_DTYPE_IS_BOOL
#define IS_TRUTH BD_DTYPE_IS_TRUTH
#define IS_INDEX BD_DTYPE_IS_INDEX
#define DOUBLE BD_DTYPE_DOUBLE
#define IS_F32 BD_DTYPE_IS_F32
#define IS_C32 BD_DTYPE_IS_C32
#define IS_I32 BD_DTYPE_IS_I32
#define IS_I64 BD_DTYPE_IS_I64
#define IS_U64 BD_DTYPE_IS_U64

static const bd_contract contracts[] = {
#include "core/symbols/contracts.inc"
};

typedef struct op_name {
  const char *text;
  size_t size;
} op_name;

static int compare_op(const void *key, const void *element) {
  const op_name *name = key;
  const char *op = ((const bd_contract *)element)->op;
  const int order = strncmp(name->text, op, name->size);
  return order ? order : -(op[name->size] != 0);
}

static const bd_contract *search(const char *text, size_t size) {
  const op_name key = {text, size};
  return bsearch(&key, contracts, sizeof contracts / sizeof *contracts, sizeof *contracts,
                 compare_op);
}

static const bd_contract *find_base(const char *op, size_t size) {
  static const char copy[] = "_copy";
  const size_t n = sizeof copy - 1;
  const bd_contract *found = search(op, size);
  if (!found && size > 1 && op[size - 1] == '_') found = search(op, size - 1);
  if (!found && size > n && !memcmp(op + size - n, copy, n)) found = search(op, size - n);
  return found;
}

/* "aten.squeeze_copy.dim" has the row of "aten.squeeze.dim", "aten.div.Scalar_mode_out" that of
 * "aten.div.Scalar_mode". */
static const bd_contract *find_overload(const char *op, const char *overload) {
  char name[128];
  const size_t size = (size_t)(overload - op);
  const size_t n = size > 5 && !memcmp(overload - 5, "_copy", 5) ? 5
                   : size > 1 && overload[-1] == '_'             ? 1
                                                                 : 0;
  const size_t whole = strlen(overload);
  const size_t n_out = whole > 5 && !strcmp(overload + whole - 4, "_out") ? 4 : 0;
  if ((n == 0 && n_out == 0) || size + whole >= sizeof name) return NULL;
  memcpy(name, op, size - n);
  memcpy(name + size - n, overload, whole - n_out);
  return search(name, size - n + whole - n_out);
}

const bd_contract *bd_contract_find(const char *op, buddy_op_kind kind) {
  static const bd_contract elementwise = {"", BROADCAST, {PROMOTED}, NULL},
                           reduce = {"", REDUCE, {FIRST, 0}, NULL};
  const char *overload = strrchr(op, '.');
  const bd_contract *found = search(op, strlen(op));
  if (!found && overload) found = find_overload(op, overload);
  if (!found && overload) found = find_base(op, (size_t)(overload - op));
  if (found) return found;
  if (kind == BUDDY_KIND_ELEMENTWISE) return &elementwise;
  return kind == BUDDY_KIND_REDUCE && !strncmp(op, "aten.", 5) ? &reduce : NULL;
}

const bd_contract *bd_contracts(size_t *out_n) {
  *out_n = sizeof contracts / sizeof *contracts;
  return contracts;
}
