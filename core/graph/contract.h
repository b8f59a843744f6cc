// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/contract.h: the text of a contract, read against the arguments of a node. */
#ifndef BUDDY_CORE_GRAPH_CONTRACT_H
#define BUDDY_CORE_GRAPH_CONTRACT_H

#include "core/graph/shapes.h"

/* What the dtypes of a form's tensors have in common: "kin", "alike". */
typedef enum bd_kinship { BD_NO_KINSHIP, BD_KIN, BD_ALIKE, BD_ALIKE_IF_ANY } bd_kinship;

/* The form that holds, with what its letters mean for this node. */
typedef struct bd_form {
  bd_question *q;
  const char *results; /* after "->"; null: the rule gives them */
  uint32_t known_dims; /* by letter */
  uint64_t known_runs; /* upper-case letters, then those with "?" */
  bd_kinship kinship;
  bool has_empty;         /* a tensor that is to be alike has no elements */
  buddy_dtype first;      /* of the tensors with a kinship; 0: none yet */
  const char *wrong_axis; /* the argument that names a dim which is not there; null: none does */
  uint32_t wrong_rank;
  int64_t axis_dim; /* "@" */
  int64_t dims[26];
  struct {
    const int64_t *dims;
    uint32_t n;
  } runs[52];
} bd_form;

/* Finds the form of a text that the arguments fit. BUDDY_INVALID_ARGUMENT if there is none. */
buddy_code bd_form_find(bd_question *q, const char *text, bd_form *out_form);
/* The bracket of a result; null if any shape will do. */
const char *bd_form_result(const bd_form *form, uint32_t result);
/* Whether dims are what the bracket says. */
bool bd_form_fits(bd_form *form, const char *bracket, const int64_t *dims, uint32_t n);
/* The shape that the bracket says; BD_ANY_DIM and BD_ANY_RANK where it does not. */
void bd_form_shape(const bd_form *form, const char *bracket, bd_shape *out);

#endif
