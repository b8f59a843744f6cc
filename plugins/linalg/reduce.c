// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/reduce.c: reductions over any set of axes.
 *
 * A reduction is a linalg.generic over all dims of its operand, whose output map leaves the reduced
 * ones out; keepdim is a reshape after it, which costs nothing. f16 and bf16 are accumulated in
 * f32, integers in the result's dtype. */
#include "plugins/linalg/reduce.h"
#include "plugins/linalg/slices.h"

static const MlirValue no_value = {NULL};

const buddy_tensor_type *la_kept(buddy_call *call, const buddy_tensor_type *type, uint64_t axes,
                                 buddy_dtype dtype) {
  int64_t *dims = la_scratch(call, type->rank, sizeof(int64_t));
  if (!dims) return NULL;
  uint32_t rank = 0;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (!(axes >> d & 1)) dims[rank++] = type->dims[d];
  }
  return be_type(call, dtype, rank, dims);
}

int64_t la_count(buddy_call *call, const buddy_tensor_type *type, uint64_t axes) {
  int64_t count = 1;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (axes >> d & 1) count = be_dim(call, BUDDY_DIM_MUL, count, type->dims[d]);
  }
  return count;
}

be_map la_kept_map(uint32_t rank, uint64_t axes) {
  be_map map = {{0}};
  uint32_t n = 0;
  for (uint32_t d = 0; d < rank && d < BE_MAX_RANK; ++d) {
    if (!(axes >> d & 1)) map.loops[n++] = (int8_t)d;
  }
  return map;
}

static MlirValue fold(const be_body *body, const MlirValue *elements, void *user) {
  const la_reduction *r = user;
  const bool has_centre = r->centre.ptr != NULL;
  const MlirValue at[2] = {be_in_cast(body, elements[0], r->type->dtype, r->dtype), elements[1]};
  const la_scalars scalars = {body, r->dtype, at};
  const MlirValue element = r->element ? r->element(&scalars) : at[0];
  return la_apply(body, r->combine, r->dtype, elements[has_centre ? 2 : 1], element);
}

/* The scalar that the accumulator starts from, in the call's own block. */
static MlirValue start_of(buddy_call *call, la_start start, buddy_dtype dtype) {
  const be_body block = {call, buddy_mlir_block(call)};
  switch (start) {
    case LA_FROM_LOWEST:
      return la_lowest(&block, dtype);
    case LA_FROM_HIGHEST:
      return la_highest(&block, dtype);
    default:
      return be_scalar(call, dtype, start == LA_FROM_ONE);
  }
}

MlirValue la_reduce(buddy_call *call, const la_reduction *r) {
  const buddy_tensor_type *kept = la_kept(call, r->type, r->axes, r->dtype);
  if (!kept) return no_value;
  const MlirValue inputs[2] = {r->value, r->centre};
  const buddy_tensor_type *types[2] = {r->type, kept};
  const be_map maps[2] = {be_map_identity(r->type->rank), la_kept_map(r->type->rank, r->axes)};
  la_reduction copy = *r;
  const be_generic spec = {.n_loops = r->type->rank,
                           .reductions = (uint32_t)r->axes,
                           .n_inputs = r->centre.ptr ? 2 : 1,
                           .inputs = inputs,
                           .input_types = types,
                           .input_maps = maps,
                           .init = be_filled(call, kept, start_of(call, r->start, r->dtype)),
                           .output_type = kept,
                           .output_map = maps[1],
                           .body = fold,
                           .user = &copy};
  return be_linalg_generic(call, &spec);
}

typedef struct finishing {
  la_finish *finish;
  const void *user;
  buddy_dtype from, to;
} finishing;

static MlirValue finish_body(const be_body *body, const MlirValue *elements, void *user) {
  const finishing *f = user;
  const la_scalars scalars = {body, f->from, elements};
  const MlirValue value = f->finish ? f->finish(&scalars, f->user) : elements[0];
  return be_in_cast(body, value, f->from, f->to);
}

MlirValue la_finished(buddy_call *call, MlirValue value, const buddy_tensor_type *kept,
                      const buddy_tensor_type *to, la_finish *finish, const void *user) {
  if (!kept || !to) return no_value;
  const buddy_tensor_type *middle = be_with_dtype(call, kept, to->dtype);
  if (finish || kept->dtype != to->dtype) {
    finishing f = {finish, user, kept->dtype, to->dtype};
    value = be_elementwise(call, middle, &value, &kept, 1, finish_body, &f);
  }
  return be_reshape(call, value, middle, to);
}

MlirValue la_count_scalar(const la_scalars *s, int64_t count) {
  if (!BUDDY_IS_SYMBOLIC(count)) return be_in_scalar_int(s->body, s->dtype, count);
  const MlirValue integer = la_as_i64(s->body, be_index(s->body->call, count));
  return be_in_cast(s->body, integer, BUDDY_I64, s->dtype);
}

MlirValue la_divided_by_count(const la_scalars *s, const void *user) {
  const int64_t *count = user;
  return la_divide(s->body, s->dtype, s->at[0], la_count_scalar(s, *count));
}
