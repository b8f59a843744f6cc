// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/fourier.c: discrete Fourier transforms along one dim are those of the middle one of three, for a registry
 * that has a function of them (math). */
#include "plugins/composite/fourier.h"

#include <string.h>

/* ---- Parts ----------------------------------------------------------------------------------- */
buddy_dtype cp_complex_of(buddy_dtype dtype) {
  if (be_is_complex(dtype)) return dtype;
  return dtype == BUDDY_F64 ? BUDDY_C128 : dtype == BUDDY_F16 ? BUDDY_C32 : BUDDY_C64;
}

static value part(buddy_call *call, const char *op, value a, buddy_dtype dtype) {
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type) return NULL;
  const buddy_tensor_type *real = be_with_dtype(call, type, cp_real_of(type->dtype));
  return cp_cast(call, BE_NODE(call, op, real, be_t("self", a)), dtype);
}

static value joined(buddy_call *call, value re, value im, buddy_dtype dtype) {
  re = cp_cast(call, re, cp_real_of(dtype));
  im = cp_cast(call, im, cp_real_of(dtype));
  if (!re || !im) return NULL;
  return BE_NODE(call, "aten.complex.default", be_with_dtype(call, cp_type(call, re), dtype),
                 be_t("real", re), be_t("imag", im));
}

value cp_as_complex(buddy_call *call, value a, buddy_dtype dtype) {
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type || type->dtype == dtype) return a;
  if (be_is_complex(type->dtype)) {
    return joined(call, part(call, "aten.real.default", a, cp_real_of(type->dtype)),
                  part(call, "aten.imag.default", a, cp_real_of(type->dtype)), dtype);
  }
  value re = cp_cast(call, a, cp_real_of(dtype));
  return re ? joined(call, re, cp_full(call, cp_type(call, re), 0), dtype) : NULL;
}

value cp_resized(buddy_call *call, value a, uint32_t dim, int64_t size) {
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type || type->dims[dim] == size) return a;
  const int64_t more = be_dim(call, BUDDY_DIM_SUB, size, type->dims[dim]);
  if (!BUDDY_IS_SYMBOLIC(more) && more < 0) return cp_slice(call, a, dim, 0, size, 1);
  int64_t dims[BE_MAX_RANK], amounts[2 * BE_MAX_RANK] = {0};
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[dim] = size;
  const size_t n = 2 * (size_t)(type->rank - dim);
  amounts[n - 1] = more;
  return BE_NODE(call, "aten.constant_pad_nd.default", be_type(call, type->dtype, type->rank, dims),
                 be_t("self", a), be_is("pad", amounts, n), be_f("value", 0));
}

/* ---- Along one dim --------------------------------------------------------------------------- */
/* The node by which a registry is asked, of [before, n, behind]; n_out: how many elements it gives. */
static value transformed(buddy_call *call, const char *op, value x, uint32_t dim, int64_t n_out,
                         buddy_dtype dtype, cp_scale scale, buddy_named_arg last) {
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type) return NULL;
  int64_t dims[BE_MAX_RANK], middle[3] = {1, type->dims[dim], 1};
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[dim] = n_out;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (d == dim) continue;
    int64_t *side = &middle[d < dim ? 0 : 2];
    *side = be_dim(call, BUDDY_DIM_MUL, *side, type->dims[d]);
  }
  const uint32_t rank = type->rank;
  const int64_t along = 1;
  x = cp_view(call, x, 3, middle);
  middle[1] = n_out;
  if (!x) return NULL;
  x = BE_NODE(call, op, be_type(call, dtype, 3, middle), be_t("self", x), be_is("dim", &along, 1),
              be_i("normalization", scale), last);
  return cp_view(call, x, rank, dims);
}

value cp_fourier(buddy_call *call, value x, uint32_t dim, bool is_forward, cp_scale scale) {
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type) return NULL;
  return transformed(call, "aten._fft_c2c.default", x, dim, type->dims[dim], type->dtype, scale,
                     be_b("forward", is_forward));
}

int64_t cp_half_of(buddy_call *call, int64_t n) {
  return be_dim(call, BUDDY_DIM_ADD, be_dim(call, BUDDY_DIM_FLOORDIV, n, 2), 1);
}

value cp_fourier_of_reals(buddy_call *call, value x, uint32_t dim, bool is_whole, cp_scale scale) {
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type) return NULL;
  const int64_t n = type->dims[dim];
  return transformed(call, "aten._fft_r2c.default", x, dim, is_whole ? n : cp_half_of(call, n),
                     cp_complex_of(type->dtype), scale, be_b("onesided", !is_whole));
}

value cp_fourier_to_reals(buddy_call *call, value x, uint32_t dim, int64_t n, cp_scale scale) {
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type) return NULL;
  return transformed(call, "aten._fft_c2r.default", x, dim, n, cp_real_of(type->dtype), scale,
                     be_i("last_dim_size", n));
}
