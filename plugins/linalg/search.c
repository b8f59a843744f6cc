// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/search.c: looking values up among others. bucketize and searchsorted halve what is
 * searched, in PyTorch's steps: where it is not in order, or has NaN, they end where its steps end.
 * isin halves what it puts in order first; of few elements it is a reduction over them. */
#include "plugins/linalg/nest.h"

#include <stdbool.h>
#include "plugins/linalg/rows.h"
#include "plugins/linalg/slices.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

typedef struct searching {
  buddy_dtype dtypes[2]; /* of what is searched, and of what is looked for; NONE: a number */
  buddy_dtype wide;      /* compared in */
  size_t number_arg;
  /* places: */
  MlirValue sequence;
  const buddy_tensor_type *type; /* of the sequence: all but the last dim are those of the keys */
  const char *predicate;         /* holds of the element that is found, and of those behind it; */
  bool is_negated;               /* or does not hold, of NaN neither */
  MlirValue order;               /* the positions of the sequence's elements; null: as they stand */
} searching;

/* The wider of two element types that are compared. */
static buddy_dtype common_dtype(buddy_dtype a, buddy_dtype b) {
  if (b == BUDDY_DTYPE_NONE || a == b) return la_opmath(a);
  if (be_is_float(a) != be_is_float(b)) return la_opmath(be_is_float(a) ? a : b);
  return be_is_float(a) ? (a == BUDDY_F64 || b == BUDDY_F64 ? BUDDY_F64 : BUDDY_F32) : BUDDY_I64;
}

/* keys: null for a number, argument number_arg */
static searching searching_in(const buddy_tensor_type *values, const buddy_tensor_type *keys,
                              size_t number_arg) {
  const buddy_dtype key = keys ? keys->dtype : BUDDY_DTYPE_NONE;
  return (searching){.dtypes = {values->dtype, key},
                     .wide = common_dtype(values->dtype, key),
                     .number_arg = number_arg};
}

/* What is looked for, in the dtype that is compared in. */
static MlirValue key_of(const be_body *body, const searching *s, MlirValue element) {
  const la_scalars scalars = {body, s->wide, NULL};
  if (s->dtypes[1] == BUDDY_DTYPE_NONE) return la_number(&scalars, s->number_arg, 0);
  return be_in_cast(body, element, s->dtypes[1], s->wide);
}

/* ---- Places ---- */

typedef struct halving {
  const searching *s;
  MlirValue key, size;
  MlirValue row[BE_MAX_RANK]; /* where what is searched lies: the loops of the keys' dims */
} halving;

/* carried: where the part that is left begins, and where it ends. Once nothing is left, the last
 * element is read and nothing changes. */
static void halve(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  (void)at;
  const halving *h = user;
  const searching *s = h->s;
  const MlirValue one = be_in_index(body, 1);
  const MlirValue left = la_index_sub(body, carried[1], carried[0]);
  const MlirValue middle =
      la_index_add(body, carried[0], BE_IN(body, "arith.shrui", same, left, one));
  MlirValue position[BE_MAX_RANK];
  const uint32_t last = s->type->rank - 1;
  for (uint32_t d = 0; d < last; ++d) position[d] = h->row[d];
  position[last] = BE_IN(body, "arith.minsi", same, middle, la_index_sub(body, h->size, one));
  if (s->order.ptr) {
    const MlirValue index = la_element(body, s->order, BUDDY_I64, &position[last], 1);
    position[last] = la_as_index(body, index);
  }
  const MlirValue element =
      be_in_cast(body, la_element(body, s->sequence, s->dtypes[0], position, s->type->rank),
                 s->dtypes[0], s->wide);
  MlirValue is_before = be_in_compare(body, s->predicate, element, h->key, s->wide);
  if (s->is_negated)
    is_before = BE_IN(body, "arith.xori", same, is_before, be_in_scalar_int(body, BUDDY_BOOL, 1));
  const MlirValue some = be_in_compare(body, "lt", carried[0], carried[1], BUDDY_I64);
  const MlirValue begin =
      be_in_select(body, is_before, carried[0], la_index_add(body, middle, one));
  const MlirValue end = be_in_select(body, is_before, middle, carried[1]);
  carried[0] = be_in_select(body, some, begin, carried[0]);
  carried[1] = be_in_select(body, some, end, carried[1]);
}

/* How many bits the size has: as many halves are left of it until there is none. */
static MlirValue n_halves(const be_body *body, int64_t size) {
  if (!BUDDY_IS_SYMBOLIC(size)) {
    int64_t n = 0;
    for (; size >> n; ++n) continue;
    return be_in_index(body, n);
  }
  const MlirValue number = la_as_i64(body, be_in_index(body, size));
  const MlirValue zeros = BE_IN(body, "math.ctlz", same, number);
  const MlirValue bits =
      BE_IN(body, "arith.subi", same, be_in_scalar_int(body, BUDDY_I64, 64), zeros);
  return la_as_index(body, bits);
}

static MlirValue place(const be_body *body, const MlirValue *elements, void *user) {
  const searching *s = user;
  const int64_t size = s->type->dims[s->type->rank - 1];
  halving h = {s, key_of(body, s, elements[0]), be_in_index(body, size), {no_value}};
  for (uint32_t d = 0; d + 1 < s->type->rank; ++d) h.row[d] = be_in_loop(body, d);
  MlirValue carried[2] = {be_in_index(body, 0), h.size};
  const MlirValue ends[1] = {n_halves(body, size)};
  const la_nest nest = {.n_loops = 1, .ends = ends, .n_carried = 2, .step = halve, .user = &h};
  la_run_nest(body, &nest, carried);
  return la_as_i64(body, carried[0]);
}

static buddy_code placed(buddy_call *call, size_t values, size_t keys, bool is_right) {
  const buddy_tensor_type *type = be_arg_type(call, values), *keys_type = be_arg_type(call, keys);
  const buddy_tensor_type *to = be_result_type(call, 0), *wide = be_with_dtype(call, to, BUDDY_I64);
  if (!wide) return BUDDY_OUT_OF_MEMORY;
  searching s = searching_in(type, keys_type, keys);
  s.sequence = be_tensor(call, values);
  s.type = type;
  s.predicate = is_right ? "gt" : "ge";
  const MlirValue looked_for = keys_type ? be_tensor(call, keys) : no_value;
  const MlirValue found =
      be_elementwise(call, wide, &looked_for, &keys_type, keys_type ? 1 : 0, place, &s);
  return be_result(call, 0, la_cast(call, found, wide, to->dtype));
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

/* ---- Membership ---- */

/* Of so many elements each is compared, eight and more at a time. */
enum { MAX_COMPARED = 64 };

/* elements: of what is searched, what is looked for, the accumulator. */
static MlirValue match(const be_body *body, const MlirValue *elements, void *user) {
  const searching *s = user;
  const MlirValue a = be_in_cast(body, elements[0], s->dtypes[0], s->wide);
  const MlirValue found = be_in_compare(body, "eq", a, key_of(body, s, elements[1]), s->wide);
  return BE_IN(body, "arith.ori", same, elements[2], found);
}

static MlirValue by_comparing(buddy_call *call, searching *s, const buddy_tensor_type *to,
                              const buddy_tensor_type *keys) {
  const MlirValue inputs[2] = {s->sequence, be_tensor(call, 0)};
  const buddy_tensor_type *types[2] = {s->type, keys};
  be_map maps[2] = {be_map_identity(1), be_map_identity(keys->rank)};
  maps[0].loops[0] = (int8_t)keys->rank; /* the last loop: over what is searched */
  const be_generic spec = {.n_loops = keys->rank + 1,
                           .reductions = 1u << keys->rank,
                           .n_inputs = 2,
                           .inputs = inputs,
                           .input_types = types,
                           .input_maps = maps,
                           .init = be_filled(call, to, be_scalar_int(call, BUDDY_BOOL, 0)),
                           .output_type = to,
                           .output_map = be_map_identity(keys->rank),
                           .body = match,
                           .user = s};
  return be_linalg_generic(call, &spec);
}

/* More elements are not above the key than are below it. */
static MlirValue is_there(const be_body *body, const MlirValue *elements, void *user) {
  searching low = *(const searching *)user, high = low;
  low.predicate = "lt";
  high.predicate = "le";
  return be_in_compare(body, "lt", place(body, elements, &low), place(body, elements, &high),
                       BUDDY_I64);
}

static MlirValue by_halving(buddy_call *call, searching *s, const buddy_tensor_type *to,
                            const buddy_tensor_type *keys) {
  s->is_negated = true;
  s->order = la_sorted_rows(call, s->sequence, s->type, 0, false);
  const MlirValue elements = be_tensor(call, 0);
  return be_elementwise(call, to, &elements, &keys, 1, is_there, s);
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
  searching s = searching_in(flat, keys, 0);
  s.sequence = be_reshape(call, be_tensor(call, 1), tests, flat);
  s.type = flat;
  const bool are_few = keys->rank < BE_MAX_RANK && !BUDDY_IS_SYMBOLIC(n) && n <= MAX_COMPARED;
  const MlirValue found =
      are_few ? by_comparing(call, &s, to, keys) : by_halving(call, &s, to, keys);
  return be_result(call, 0, la_finished(call, found, to, to, inverts ? inverted : NULL, &inverts));
}
