// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/fft.c: the fft family, and short-time transforms. Sizes are the result's, but
 * for the transforms that give half of a spectrum, whose size the argument or the input tells. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/fourier.h"

const cp_fft cp_fft_forward = {.is_forward = true}, cp_fft_inverse = {.is_forward = false},
             cp_fft_real = {.is_forward = true, .form = CP_FFT_HALF_OUT},
             cp_fft_real_inverse = {.is_forward = false, .form = CP_FFT_HALF_OUT},
             cp_fft_half = {.is_forward = false, .form = CP_FFT_HALF_IN},
             cp_fft_half_forward = {.is_forward = true, .form = CP_FFT_HALF_IN};

typedef struct job {
  cp_fft kind;
  uint32_t n_dims, dims[BE_MAX_RANK];
  int64_t sizes[BE_MAX_RANK]; /* of the transforms, one a dim */
  cp_scale scale;
} job;

static int64_t add(buddy_call *call, int64_t a, int64_t b) {
  return be_dim(call, BUDDY_DIM_ADD, a, b);
}

/* None and "backward": by n in the inverse; "forward": by n in the other; "ortho": the root in
 * both. */
static cp_scale scale_of_norm(const buddy_arg *norm, bool is_forward) {
  if (norm->kind != BUDDY_ARG_STRING || !strcmp(norm->as.string, "backward"))
    return is_forward ? CP_SCALE_NONE : CP_SCALE_SIZE;
  if (!strcmp(norm->as.string, "ortho")) return CP_SCALE_ROOT;
  return is_forward ? CP_SCALE_SIZE : CP_SCALE_NONE;
}

/* ---- The transform --------------------------------------------------------------------------- */
static value over_dims(buddy_call *call, const job *j, value x, uint32_t n_dims) {
  for (uint32_t i = n_dims; i-- > 0;) {
    x = cp_resized(call, x, j->dims[i], j->sizes[i]);
    x = cp_fourier(call, x, j->dims[i], j->kind.is_forward, j->scale);
  }
  return x;
}

/* x: real for CP_FFT_HALF_OUT, else complex. */
static value run(buddy_call *call, const job *j, value x) {
  if (j->n_dims == 0) return x;
  const uint32_t last = j->n_dims - 1, dim = j->dims[last];
  const int64_t n = j->sizes[last];
  if (j->kind.form == CP_FFT_HALF_OUT) {
    x = cp_fourier_of_reals(call, cp_resized(call, x, dim, n), dim, j->kind.keeps_all, j->scale);
    if (!j->kind.is_forward) x = cp_conjugate(call, x);
    return over_dims(call, j, x, last);
  }
  if (j->kind.form == CP_FFT_ALL) return over_dims(call, j, x, j->n_dims);
  x = cp_resized(call, over_dims(call, j, x, last), dim, cp_half_of(call, n));
  if (j->kind.is_forward) x = cp_conjugate(call, x);
  return cp_fourier_to_reals(call, x, dim, n, j->scale);
}

/* Halves are computed in f32. */
static buddy_code give(buddy_call *call, const job *j) {
  const buddy_dtype to = be_result_type(call, 0)->dtype,
                    dtype = cp_real_of(to) == BUDDY_F16 ? BUDDY_F32 : cp_real_of(to);
  value x = be_arg_value(call, 0);
  x = j->kind.form == CP_FFT_HALF_OUT && j->n_dims > 0
          ? cp_cast(call, x, dtype)
          : cp_as_complex(call, x, cp_complex_of(dtype));
  x = run(call, j, x);
  return cp_finish(call, be_is_complex(to) ? cp_as_complex(call, x, to) : cp_cast(call, x, to));
}

/* Size i of the transform: the result's, or where that has only half of it, as asked for or the
 * input's. */
static void add_dim(buddy_call *call, job *j, uint32_t dim, int64_t asked) {
  j->sizes[j->n_dims] = be_result_type(call, 0)->dims[dim];
  if (j->kind.form == CP_FFT_HALF_OUT && !j->kind.keeps_all) j->sizes[j->n_dims] = asked;
  j->dims[j->n_dims++] = dim;
}

static uint32_t dim_at(const buddy_arg *list, size_t i, uint32_t rank) {
  const int64_t dim = list->as.ints[i];
  return (uint32_t)(dim < 0 ? dim + rank : dim);
}

/* The size of dim `dim` that argument `sizes`, a list, asks for; -1 and none: the input's. */
static int64_t asked_size(buddy_call *call, const buddy_arg *sizes, size_t i, uint32_t dim) {
  const int64_t own = be_arg_type(call, 0)->dims[dim];
  if (sizes->kind != BUDDY_ARG_INTS || i >= sizes->n) return own;
  return sizes->as.ints[i] == -1 ? own : sizes->as.ints[i];
}

/* self, n, dim, norm */
buddy_code cp_op_fft(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  job j = {.kind = *(const cp_fft *)self->user};
  const buddy_tensor_type *type = be_arg_type(call, 0);
  if (type->rank < 1 || type->rank > BE_MAX_RANK)
    return be_decline(call, "an input of rank %u", type->rank);
  /* Of real numbers the inverse is the transform's conjugate, zeros' signs included. */
  if (j.kind.form == CP_FFT_ALL && !be_is_complex(type->dtype))
    j.kind.form = CP_FFT_HALF_OUT, j.kind.keeps_all = true;
  const uint32_t dim = (uint32_t)be_axis(call, 2, type->rank, -1);
  add_dim(call, &j, dim, be_is_none(call, 1) ? type->dims[dim] : be_size(call, 1, 0));
  j.scale = scale_of_norm(be_arg(call, 3), j.kind.is_forward);
  return give(call, &j);
}

/* self, s, dim, norm: by default over all dims, or the last ones that s tells of. The half of a
 * spectrum is along the last of them. */
buddy_code cp_op_fftn(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  job j = {.kind = *(const cp_fft *)self->user};
  const uint32_t rank = be_arg_type(call, 0)->rank;
  const buddy_arg *sizes = be_arg(call, 1), *dims = be_arg(call, 2);
  if (rank > BE_MAX_RANK) return be_decline(call, "an input of rank %u", rank);
  const size_t n = dims->kind == BUDDY_ARG_INTS    ? dims->n
                   : sizes->kind == BUDDY_ARG_INTS ? sizes->n
                                                   : rank;
  for (size_t i = 0; i < n && i < BE_MAX_RANK; ++i) {
    const uint32_t dim =
        dims->kind == BUDDY_ARG_INTS ? dim_at(dims, i, rank) : (uint32_t)(rank - n + i);
    const bool is_half = j.kind.form == CP_FFT_HALF_OUT && i + 1 == n;
    const int64_t asked = asked_size(call, sizes, i, dim);
    add_dim(call, &j, dim, asked);
    if (!is_half) j.sizes[j.n_dims - 1] = be_result_type(call, 0)->dims[dim];
  }
  j.scale = scale_of_norm(be_arg(call, 3), j.kind.is_forward);
  return give(call, &j);
}

/* _fft_c2c: self, dim, normalization, forward; _fft_r2c: …, onesided; _fft_c2r: …, last_dim_size */
buddy_code cp_op_fft_plain(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  job j = {.kind = *(const cp_fft *)self->user};
  const uint32_t rank = be_arg_type(call, 0)->rank;
  const buddy_arg *dims = be_arg(call, 1);
  const int64_t normalization = be_int(call, 2, 0);
  if (rank == 3 && be_axes(call, 1, 3) == 2)
    return be_decline(call,
                      "transforms are made of it: it is for a registry that has a function (math)");
  if (rank > BE_MAX_RANK || normalization < 0 || normalization > 2)
    return be_decline(call, "normalization %lld of an input of rank %u", (long long)normalization,
                      rank);
  if (j.kind.form == CP_FFT_ALL) j.kind.is_forward = be_bool(call, 3);
  if (j.kind.form == CP_FFT_HALF_OUT) j.kind.keeps_all = !be_bool(call, 3);
  for (size_t i = 0; i < dims->n && i < BE_MAX_RANK; ++i) {
    const uint32_t dim = dim_at(dims, i, rank);
    add_dim(call, &j, dim, be_arg_type(call, 0)->dims[dim]);
  }
  j.scale = (cp_scale)normalization;
  return give(call, &j);
}

/* ---- Shifts ---------------------------------------------------------------------------------- */
/* self, dim: the middle to the front, or back; user is set for the latter */
buddy_code cp_op_fftshift(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  value a = be_arg_value(call, 0);
  const buddy_tensor_type *type = cp_type(call, a);
  const buddy_arg *dims = be_arg(call, 1);
  const size_t n = dims->kind == BUDDY_ARG_INTS ? dims->n : type->rank;
  for (size_t i = 0; i < n && a; ++i) {
    const uint32_t dim = dims->kind == BUDDY_ARG_INTS ? dim_at(dims, i, type->rank) : (uint32_t)i;
    const int64_t size = type->dims[dim];
    const int64_t behind = be_dim(call, BUDDY_DIM_FLOORDIV, size, 2);
    const int64_t front = self->user ? behind : be_dim(call, BUDDY_DIM_SUB, size, behind);
    const buddy_value *parts[2] = {
        cp_slice(call, a, dim, front, be_dim(call, BUDDY_DIM_SUB, size, front), 1),
        cp_slice(call, a, dim, 0, front, 1)};
    if (!parts[0] || !parts[1]) return cp_finish(call, NULL);
    a = BE_NODE(call, "aten.cat.default", type, be_ts("tensors", parts, 2), be_i("dim", dim));
  }
  return cp_finish(call, a);
}

/* ---- Short-time transforms ------------------------------------------------------------------- */
/* The window in the middle of n_fft elements, or null where it is ones; complex where it or `dtype` is. */
static value window_of(buddy_call *call, size_t i, int64_t n_fft, int64_t length,
                       buddy_dtype dtype) {
  if (be_is_none(call, i) && n_fft == length) return NULL;
  value w = be_is_none(call, i) ? cp_full(call, be_type(call, cp_real_of(dtype), 1, &length), 1)
                                : be_arg_value(call, i);
  const buddy_tensor_type *type = cp_type(call, w);
  if (!type) return NULL;
  w = be_is_complex(type->dtype) || be_is_complex(dtype)
          ? cp_as_complex(call, w, cp_complex_of(dtype))
          : cp_cast(call, w, dtype);
  const int64_t before = (n_fft - length) / 2, amounts[2] = {before, n_fft - length - before};
  if (n_fft == length || !w) return w;
  return BE_NODE(call, "aten.constant_pad_nd.default",
                 be_type(call, cp_type(call, w)->dtype, 1, &n_fft), be_t("self", w),
                 be_is("pad", amounts, 2), be_f("value", 0));
}

/* a * w, in the complex dtype where either is complex. */
static value times_window(buddy_call *call, value a, value w) {
  const buddy_tensor_type *type = cp_type(call, a), *by = cp_type(call, w);
  if (!type || !by) return a;
  if (be_is_complex(by->dtype)) a = cp_as_complex(call, a, by->dtype);
  return cp_mul(call, a, w);
}

/* [B, L] to [B, T, n] */
static value frames_of(buddy_call *call, value a, int64_t n, int64_t hop, int64_t n_frames) {
  if (!a) return NULL;
  const buddy_tensor_type *type = cp_type(call, a);
  const int64_t dims[3] = {type->dims[0], n_frames, n};
  return BE_NODE(call, "aten.unfold.default", be_type(call, type->dtype, 3, dims), be_t("self", a),
                 be_i("dimension", 1), be_i("size", n), be_i("step", hop));
}

/* stft: self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex,
 * align_to_window; stft.center, with user set: self, n_fft, hop_length, win_length, window,
 * normalized, onesided, return_complex, align_to_window, center, pad_mode */
buddy_code cp_op_stft(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *type = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const int64_t n_fft = be_int(call, 1, 1), hop = be_size(call, 2, n_fft / 4),
                length = be_int(call, 3, n_fft);
  if (type->rank < 1 || type->rank > 2) return be_decline(call, "an input of rank %u", type->rank);
  if (be_bool(call, 8)) return be_decline(call, "frames aligned to the window");
  int64_t dims[2] = {1, type->dims[type->rank - 1]};
  if (type->rank == 2) dims[0] = type->dims[0];
  value signal = cp_view(call, be_arg_value(call, 0), 2, dims);
  if (self->user && be_bool(call, 9)) {
    const int64_t amounts[2] = {n_fft / 2, n_fft / 2};
    dims[1] = add(call, dims[1], 2 * (n_fft / 2));
    if (!signal) return cp_finish(call, NULL);
    signal = BE_NODE(call, "aten.pad.default", be_type(call, type->dtype, 2, dims),
                     be_t("self", signal), be_is("pad", amounts, 2), be_pass(call, "mode", 10));
  }
  const bool is_real_result = !be_is_complex(to->dtype);
  const uint32_t result_rank = to->rank - (is_real_result ? 1 : 0);
  const int64_t n_frames = to->dims[result_rank - 1], n_bins = to->dims[result_rank - 2];
  const buddy_dtype dtype = cp_complex_of(to->dtype);
  const cp_scale scale = be_bool(call, 5) ? CP_SCALE_ROOT : CP_SCALE_NONE;
  value window = window_of(call, 4, n_fft, length, type->dtype);
  value x = times_window(call, frames_of(call, signal, n_fft, hop, n_frames), window);
  const buddy_tensor_type *framed = cp_type(call, x);
  if (!framed) return cp_finish(call, NULL);
  const bool is_half = n_bins != n_fft;
  x = be_is_complex(framed->dtype)
          ? cp_slice(call, cp_fourier(call, x, 2, true, scale), 2, 0, n_bins, 1)
          : cp_fourier_of_reals(call, x, 2, !is_half, scale);
  x = cp_as_complex(call, cp_swap(call, x, 1, 2), dtype);
  value spectrum = cp_view(call, x, result_rank, to->dims);
  if (is_real_result && spectrum)
    spectrum = BE_NODE(call, "aten.view_as_real.default", to, be_t("self", spectrum));
  return cp_finish(call, spectrum);
}

/* [B, T, n] frames added up at every hop: [B, n + hop (T - 1)] */
static value overlapped(buddy_call *call, value frames, int64_t hop) {
  const buddy_tensor_type *type = cp_type(call, frames);
  if (!type) return NULL;
  const int64_t t = type->dims[1], n = type->dims[2], column[2] = {t, 1};
  const int64_t count = be_dim(call, BUDDY_DIM_MUL, t, n);
  const int64_t flat[2] = {type->dims[0], count};
  const int64_t last = be_dim(call, BUDDY_DIM_MUL, add(call, t, -1), hop);
  const int64_t dims[2] = {type->dims[0], add(call, last, n)};
  value begin = cp_mul_number(call, cp_iota(call, t, BUDDY_I64), (double)hop);
  value at = cp_add(call, cp_view(call, begin, 2, column), cp_iota(call, n, BUDDY_I64));
  at = cp_view(call, at, 1, &count);
  const buddy_tensor_type *to = be_type(call, type->dtype, 2, dims);
  value zeros = cp_full(call, to, 0), source = cp_view(call, frames, 2, flat);
  if (!at || !zeros || !source) return NULL;
  return BE_NODE(call, "aten.index_add.default", to, be_t("self", zeros), be_i("dim", 1),
                 be_t("index", at), be_t("source", source));
}

/* The frames laid over one another, hop apart: elements start … start + taken of them. */
static value overlapped_part(buddy_call *call, value frames, int64_t hop, int64_t start,
                             int64_t taken) {
  return cp_slice(call, overlapped(call, frames, hop), 1, start, taken, 1);
}

/* a / b, where either may be real. */
static value divided(buddy_call *call, value a, value b) {
  const buddy_tensor_type *above = cp_type(call, a), *below = cp_type(call, b);
  if (!above || !below) return NULL;
  if (be_is_complex(below->dtype)) a = cp_as_complex(call, a, below->dtype);
  if (be_is_complex(above->dtype)) b = cp_as_complex(call, b, above->dtype);
  return cp_div(call, a, b);
}

/* istft: self, n_fft, hop_length, win_length, window, center, normalized, onesided, length,
 * return_complex */
buddy_code cp_op_istft(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *type = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const int64_t n_fft = be_int(call, 1, 1), hop = be_int(call, 2, n_fft / 4),
                length = be_int(call, 3, n_fft);
  if (type->rank < 2 || type->rank > 3) return be_decline(call, "an input of rank %u", type->rank);
  const int64_t n_bins = type->dims[type->rank - 2], n_frames = type->dims[type->rank - 1];
  if (BUDDY_IS_SYMBOLIC(n_bins)) return be_decline(call, "the number of frequencies is symbolic");
  const int64_t dims[3] = {type->rank == 3 ? type->dims[0] : 1, n_bins, n_frames};
  const bool is_real = !be_is_complex(to->dtype);
  const cp_scale scale = be_bool(call, 6) ? CP_SCALE_ROOT : CP_SCALE_SIZE;
  value x = cp_view(call, cp_as_complex(call, be_arg_value(call, 0), BUDDY_C128), 3, dims);
  x = cp_swap(call, x, 1, 2);
  if (is_real || n_bins != n_fft) /* a real result comes of the lower half alone */
    x = cp_fourier_to_reals(call, cp_slice(call, x, 2, 0, n_fft / 2 + 1, 1), 2, n_fft, scale);
  else
    x = cp_fourier(call, x, 2, false, scale);
  (void)be_is_none(call, 7); /* onesided: the number of frequencies says it */
  value window = window_of(call, 4, n_fft, length, BUDDY_F64);
  x = times_window(call, x, window);
  const int64_t frame_dims[3] = {1, n_frames, n_fft};
  value squares =
      window ? cp_mul(call, window, window) : cp_full(call, be_type(call, BUDDY_F64, 1, &n_fft), 1);
  squares = cp_expand(call, squares, 3, frame_dims);
  const int64_t start = be_bool(call, 5) ? n_fft / 2 : 0, n = to->dims[to->rank - 1];
  const int64_t total = add(call, be_dim(call, BUDDY_DIM_MUL, add(call, n_frames, -1), hop), n_fft);
  const int64_t there = add(call, total, -start);
  const int64_t taken = be_dim(call, BUDDY_DIM_MIN, n, there);
  x = overlapped_part(call, x, hop, start, taken);
  value y = divided(call, x, overlapped_part(call, squares, hop, start, taken));
  y = cp_resized(call, y, 1, n);
  y = is_real ? cp_cast(call, y, to->dtype) : cp_as_complex(call, y, to->dtype);
  return cp_finish_shaped(call, 0, y);
}

/* fftfreq: n, d: i / (n d), the second half negative; rfftfreq, with user set: the first half */
buddy_code cp_op_fftfreq(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const int64_t n = be_int(call, 0, 1), size = be_result_type(call, 0)->dims[0];
  value i = cp_iota(call, size, BUDDY_F64);
  if (!self->user && i) {
    const int64_t half = (n + 1) / 2;
    value is_late = cp_number(call, "aten.ge.Tensor", i, (double)half);
    i = cp_where(call, is_late, cp_add_number(call, i, -(double)n), i);
  }
  return cp_finish(call, cp_mul_number(call, i, 1 / ((double)n * be_float(call, 1, 1))));
}
