// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/search.c: looking values up among others: bucketize, searchsorted, isin. Each is a
 * reduction over the values searched, which are read in order and compared without branches: is
 * there an equal one, or where is the first that is not below? None is not below a NaN. */
#include "plugins/linalg/nest.h"

#include <stdbool.h>
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

typedef struct searching {
  buddy_dtype dtypes[2]; /* of what is searched, and of what is looked for; NONE: a number */
  buddy_dtype wide;      /* compared in */
  const char *predicate;
  bool is_place; /* where the first match is, else is there one? */
  uint32_t axis; /* of the loops: over what is searched */
  size_t number_arg;
} searching;

/* elements: of what is searched, [what is looked for,] the accumulator. */
static MlirValue match(const be_body *body, const MlirValue *elements, void *user) {
  const searching *s = user;
  const bool has_tensor = s->dtypes[1] != BUDDY_DTYPE_NONE;
  const la_scalars scalars = {body, s->wide, NULL};
  const MlirValue a = be_in_cast(body, elements[0], s->dtypes[0], s->wide);
  const MlirValue b = has_tensor ? be_in_cast(body, elements[1], s->dtypes[1], s->wide)
                                 : la_number(&scalars, s->number_arg, 0);
  const MlirValue found = be_in_compare(body, s->predicate, a, b, s->wide),
                  so_far = elements[has_tensor ? 2 : 1];
  if (!s->is_place) return BE_IN(body, "arith.ori", same, so_far, found);
  const MlirType i64 = buddy_mlir_element_type(body->call, BUDDY_I64);
  const MlirValue place = BE_IN(body, "arith.index_cast", i64, be_in_loop(body, s->axis));
  const MlirValue first = BE_IN(body, "arith.minsi", same, so_far, place);
  return be_in_select(body, found, first, so_far);
}

/* The wider of two element types that are compared. */
static buddy_dtype common_dtype(buddy_dtype a, buddy_dtype b) {
  if (b == BUDDY_DTYPE_NONE || a == b) return la_opmath(a);
  if (be_is_float(a) != be_is_float(b)) return la_opmath(be_is_float(a) ? a : b);
  return be_is_float(a) ? (a == BUDDY_F64 || b == BUDDY_F64 ? BUDDY_F64 : BUDDY_F32) : BUDDY_I64;
}

/* Loops: the dims of `keys` (what is looked for; null type: a number), then the values searched:
 * all of the last dim of `values`, whose dims in front are those of the keys. */
static MlirValue search(buddy_call *call, searching *s, MlirValue values,
                        const buddy_tensor_type *values_type, MlirValue keys,
                        const buddy_tensor_type *keys_type) {
  const uint32_t rank = keys_type ? keys_type->rank : 0;
  const int64_t *dims = keys_type ? keys_type->dims : NULL;
  const buddy_tensor_type *to = be_type(call, s->is_place ? BUDDY_I64 : BUDDY_BOOL, rank, dims);
  if (!to || rank + 1 > BE_MAX_RANK) {
    be_decline(call, "more than %d dims", BE_MAX_RANK - 1);
    return no_value;
  }
  s->dtypes[0] = values_type->dtype;
  s->dtypes[1] = keys_type ? keys_type->dtype : BUDDY_DTYPE_NONE;
  s->wide = common_dtype(s->dtypes[0], s->dtypes[1]);
  s->axis = rank;
  const be_body block = la_block(call);
  const MlirValue begin =
      s->is_place ? BE_IN(&block, "arith.index_cast", buddy_mlir_element_type(call, BUDDY_I64),
                          be_index(call, values_type->dims[values_type->rank - 1]))
                  : be_scalar_int(call, BUDDY_BOOL, 0);
  be_map maps[2] = {be_map_identity(values_type->rank), be_map_identity(rank)};
  maps[0].loops[values_type->rank - 1] = (int8_t)rank;
  const MlirValue inputs[2] = {values, keys};
  const buddy_tensor_type *types[2] = {values_type, keys_type};
  const be_generic spec = {.n_loops = rank + 1,
                           .reductions = 1u << rank,
                           .n_inputs = keys_type ? 2 : 1,
                           .inputs = inputs,
                           .input_types = types,
                           .input_maps = maps,
                           .init = be_filled(call, to, begin),
                           .output_type = to,
                           .output_map = be_map_identity(rank),
                           .body = match,
                           .user = s};
  return be_linalg_generic(call, &spec);
}

static buddy_code placed(buddy_call *call, size_t values, size_t keys, bool is_right) {
  const buddy_tensor_type *values_type = be_arg_type(call, values),
                          *keys_type = be_arg_type(call, keys);
  const buddy_tensor_type *to = be_result_type(call, 0);
  searching s = {.predicate = is_right ? "gt" : "ge", .is_place = true, .number_arg = keys};
  const MlirValue found = search(call, &s, be_tensor(call, values), values_type,
                                 keys_type ? be_tensor(call, keys) : no_value, keys_type);
  return be_result(call, 0, la_cast(call, found, be_with_dtype(call, to, BUDDY_I64), to->dtype));
}

/* self, boundaries, out_int32, right: the first boundary that is not below (right: above) each
 * value */
buddy_code la_emit_bucketize(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  la_ignore(call, 2, 1);
  return placed(call, 1, 0, be_bool(call, 3));
}

/* sorted_sequence, self, out_int32, right, side */
buddy_code la_emit_searchsorted(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *values = be_arg_type(call, 0), *keys = be_arg_type(call, 1);
  const buddy_arg *side = be_arg(call, 4);
  la_ignore(call, 2, 1);
  if (values->rank == 0) return be_decline(call, "a sequence without dims");
  if (values->rank > 1 && (!keys || keys->rank != values->rank)) {
    return be_decline(call, "a sequence and values of different ranks");
  }
  const bool is_right = side->kind == BUDDY_ARG_STRING && side->as.string[0] == 'r';
  return placed(call, 0, 1, is_right || be_bool(call, 3));
}

static MlirValue inverted(const la_scalars *s, const void *user) {
  const int *inverts = user;
  const MlirValue bit = be_in_scalar_int(s->body, BUDDY_BOOL, *inverts);
  return BE_IN(s->body, "arith.xori", same, s->at[0], bit);
}

/* elements, test_elements, assume_unique, invert */
buddy_code la_emit_isin(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *keys = be_arg_type(call, 0), *tests = be_arg_type(call, 1);
  const buddy_tensor_type *to = be_result_type(call, 0);
  la_ignore(call, 2, 1);
  int inverts = be_bool(call, 3);
  if (be_is_complex(keys->dtype)) return be_decline(call, "complex numbers");
  const int64_t n = be_n_elements(call, tests);
  const buddy_tensor_type *flat = be_type(call, tests->dtype, 1, &n);
  if (!flat) return be_result(call, 0, no_value);
  searching s = {.predicate = "eq"};
  const MlirValue values = be_reshape(call, be_tensor(call, 1), tests, flat);
  const MlirValue found = search(call, &s, values, flat, be_tensor(call, 0), keys);
  return be_result(call, 0, la_finished(call, found, to, to, inverts ? inverted : NULL, &inverts));
}
