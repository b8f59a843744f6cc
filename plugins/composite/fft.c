// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/fft.c: the fft family, and short-time transforms. Sizes are the result's, but
 * for the transforms that give half of a spectrum, whose size the argument or the input tells. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/fourier.h"

const cp_fft cp_fft_forward = {.sign = -1}, cp_fft_inverse = {.sign = 1},
             cp_fft_real = {.sign = -1, .form = CP_FFT_HALF_OUT},
             cp_fft_real_inverse = {.sign = 1, .form = CP_FFT_HALF_OUT},
             cp_fft_half = {.sign = 1, .form = CP_FFT_HALF_IN},
             cp_fft_half_forward = {.sign = -1, .form = CP_FFT_HALF_IN};

typedef struct job {
  cp_fft kind;
  uint32_t n_dims, dims[BE_MAX_RANK];
  int64_t sizes[BE_MAX_RANK]; /* of the transforms, one a dim */
  double scale_power;         /* the result times (product of the sizes) to this power */
} job;

static int64_t add(buddy_call *call, int64_t a, int64_t b) {
  return be_dim(call, BUDDY_DIM_ADD, a, b);
}
static int64_t half_of(buddy_call *call, int64_t n) {
  return add(call, be_dim(call, BUDDY_DIM_FLOORDIV, n, 2), 1);
}

/* ---- Scaling --------------------------------------------------------------------------------- */
static value scaled(buddy_call *call, value a, int64_t n, double power) {
  if (!a || power == 0) return a;
  if (!BUDDY_IS_SYMBOLIC(n)) return cp_mul_number(call, a, pow((double)n, power));
  value divisor = cp_counted(call, n, BUDDY_F64);
  if (power == -0.5) divisor = cp_unary(call, "aten.sqrt.default", divisor);
  return cp_div(call, a, divisor);
}

static cp_pair scaled_by_sizes(buddy_call *call, const job *j, cp_pair x) {
  int64_t n = 1;
  for (uint32_t i = 0; i < j->n_dims; ++i) n = be_dim(call, BUDDY_DIM_MUL, n, j->sizes[i]);
  return (cp_pair){scaled(call, x.re, n, j->scale_power),
                   x.im ? scaled(call, x.im, n, j->scale_power) : NULL};
}

/* None and "backward": by n in the inverse; "forward": by n in the other; "ortho": the root in
 * both. */
static double power_of_norm(const buddy_arg *norm, int sign) {
  if (norm->kind != BUDDY_ARG_STRING || !strcmp(norm->as.string, "backward"))
    return sign > 0 ? -1 : 0;
  if (!strcmp(norm->as.string, "ortho")) return -0.5;
  return sign < 0 ? -1 : 0;
}

/* ---- The transform --------------------------------------------------------------------------- */
static cp_pair over_dims(buddy_call *call, const job *j, cp_pair x, uint32_t n_dims) {
  for (uint32_t i = n_dims; i-- > 0;) {
    x = cp_resized(call, x, j->dims[i], j->sizes[i]);
    x = cp_fourier(call, x, j->dims[i], j->kind.sign);
  }
  return x;
}

static cp_pair run(buddy_call *call, const job *j, cp_pair x) {
  if (j->n_dims == 0) return x;
  const uint32_t last = j->n_dims - 1, dim = j->dims[last];
  if (j->kind.form == CP_FFT_HALF_OUT) {
    x = cp_fourier(call, cp_resized(call, x, dim, j->sizes[last]), dim, -1);
    if (j->kind.sign > 0) x.im = cp_unary(call, "aten.neg.default", x.im);
    if (!j->kind.keeps_all) x = cp_pair_slice(call, x, dim, 0, half_of(call, j->sizes[last]));
    x = over_dims(call, j, x, last);
  } else if (j->kind.form == CP_FFT_HALF_IN) {
    x = over_dims(call, j, x, last);
    x = cp_resized(call, x, dim, half_of(call, j->sizes[last]));
    x = cp_whole_spectrum(call, x, dim, j->sizes[last]);
    x = cp_fourier(call, x, dim, j->kind.sign);
  } else {
    x = over_dims(call, j, x, j->n_dims);
  }
  return scaled_by_sizes(call, j, x);
}

static buddy_code finish(buddy_call *call, cp_pair x) {
  const buddy_dtype dtype = be_result_type(call, 0)->dtype;
  return cp_finish(call, be_is_complex(dtype) ? cp_joined(call, x, dtype) : x.re);
}

static buddy_code give(buddy_call *call, const job *j) {
  return finish(call, run(call, j, cp_parts(call, be_arg_value(call, 0))));
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
  j.scale_power = power_of_norm(be_arg(call, 3), j.kind.sign);
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
  j.scale_power = power_of_norm(be_arg(call, 3), j.kind.sign);
  return give(call, &j);
}

/* _fft_c2c: self, dim, normalization, forward; _fft_r2c: …, onesided; _fft_c2r: …, last_dim_size */
buddy_code cp_op_fft_plain(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  static const double powers[] = {0, -0.5, -1};
  job j = {.kind = *(const cp_fft *)self->user};
  const uint32_t rank = be_arg_type(call, 0)->rank;
  const buddy_arg *dims = be_arg(call, 1);
  const int64_t normalization = be_int(call, 2, 0);
  if (rank > BE_MAX_RANK || normalization < 0 || normalization > 2)
    return be_decline(call, "normalization %lld of an input of rank %u", (long long)normalization,
                      rank);
  if (j.kind.form == CP_FFT_ALL) j.kind.sign = be_bool(call, 3) ? -1 : 1;
  if (j.kind.form == CP_FFT_HALF_OUT) j.kind.keeps_all = !be_bool(call, 3);
  for (size_t i = 0; i < dims->n && i < BE_MAX_RANK; ++i) {
    const uint32_t dim = dim_at(dims, i, rank);
    add_dim(call, &j, dim, be_arg_type(call, 0)->dims[dim]);
  }
  j.scale_power = powers[normalization];
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
/* The window, ones if there is none, in the middle of n_fft elements; in f64. */
static cp_pair window_of(buddy_call *call, size_t i, int64_t n_fft, int64_t length) {
  const int64_t before = (n_fft - length) / 2, amounts[2] = {before, n_fft - length - before};
  cp_pair w = be_is_none(call, i)
                  ? (cp_pair){cp_full(call, be_type(call, BUDDY_F64, 1, &length), 1), NULL}
                  : cp_parts(call, be_arg_value(call, i));
  if (n_fft == length || !w.re) return w;
  const buddy_tensor_type *type = be_type(call, BUDDY_F64, 1, &n_fft);
  w.re = BE_NODE(call, "aten.constant_pad_nd.default", type, be_t("self", w.re),
                 be_is("pad", amounts, 2), be_f("value", 0));
  if (w.im) {
    w.im = BE_NODE(call, "aten.constant_pad_nd.default", type, be_t("self", w.im),
                   be_is("pad", amounts, 2), be_f("value", 0));
  }
  return w;
}

static cp_pair times_window(buddy_call *call, cp_pair x, cp_pair w) {
  if (!w.im) return (cp_pair){cp_mul(call, x.re, w.re), x.im ? cp_mul(call, x.im, w.re) : NULL};
  if (!x.im) return (cp_pair){cp_mul(call, x.re, w.re), cp_mul(call, x.re, w.im)};
  return (cp_pair){cp_sub(call, cp_mul(call, x.re, w.re), cp_mul(call, x.im, w.im)),
                   cp_add(call, cp_mul(call, x.re, w.im), cp_mul(call, x.im, w.re))};
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
  cp_pair x = cp_parts(call, signal);
  x = (cp_pair){frames_of(call, x.re, n_fft, hop, n_frames),
                x.im ? frames_of(call, x.im, n_fft, hop, n_frames) : NULL};
  x = cp_fourier(call, times_window(call, x, window_of(call, 4, n_fft, length)), 2, -1);
  x = cp_pair_slice(call, x, 2, 0, n_bins);
  const double power = be_bool(call, 5) ? -0.5 : 0;
  x = (cp_pair){scaled(call, cp_swap(call, x.re, 1, 2), n_fft, power),
                scaled(call, cp_swap(call, x.im, 1, 2), n_fft, power)};
  const buddy_dtype dtype = !is_real_result          ? to->dtype
                            : to->dtype == BUDDY_F64 ? BUDDY_C128
                                                     : BUDDY_C64;
  value spectrum = cp_view(call, cp_joined(call, x, dtype), result_rank, to->dims);
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

/* a * b, where either may be real */
static cp_pair times(buddy_call *call, cp_pair a, cp_pair b) {
  if (!b.im) return (cp_pair){cp_mul(call, a.re, b.re), a.im ? cp_mul(call, a.im, b.re) : NULL};
  if (!a.im) return (cp_pair){cp_mul(call, a.re, b.re), cp_mul(call, a.re, b.im)};
  return (cp_pair){cp_sub(call, cp_mul(call, a.re, b.re), cp_mul(call, a.im, b.im)),
                   cp_add(call, cp_mul(call, a.re, b.im), cp_mul(call, a.im, b.re))};
}

/* a / b: of a complex b, a times its conjugate over its square */
static cp_pair divided(buddy_call *call, cp_pair a, cp_pair b) {
  if (b.im) {
    a = times(call, a, (cp_pair){b.re, cp_unary(call, "aten.neg.default", b.im)});
    b = (cp_pair){cp_add(call, cp_mul(call, b.re, b.re), cp_mul(call, b.im, b.im)), NULL};
  }
  return (cp_pair){cp_div(call, a.re, b.re), a.im ? cp_div(call, a.im, b.re) : NULL};
}

/* The frames laid over one another, hop apart: elements start … start + taken of them. */
static cp_pair overlapped_part(buddy_call *call, cp_pair frames, int64_t hop, int64_t start,
                               int64_t taken) {
  frames = (cp_pair){overlapped(call, frames.re, hop),
                     frames.im ? overlapped(call, frames.im, hop) : NULL};
  return cp_pair_slice(call, frames, 1, start, taken);
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
  cp_pair x = cp_parts(call, cp_view(call, be_arg_value(call, 0), 3, dims));
  x = (cp_pair){cp_swap(call, x.re, 1, 2), x.im ? cp_swap(call, x.im, 1, 2) : NULL};
  bool is_half = be_is_none(call, 7) ? n_bins != n_fft : be_bool(call, 7);
  if (!is_half && !be_is_complex(to->dtype)) { /* a real result comes of the lower half alone */
    x = cp_pair_slice(call, x, 2, 0, n_fft / 2 + 1);
    is_half = true;
  }
  if (is_half) x = cp_whole_spectrum(call, x, 2, n_fft);
  x = cp_fourier(call, x, 2, 1);
  const double power = be_bool(call, 6) ? -0.5 : -1;
  x = (cp_pair){scaled(call, x.re, n_fft, power), scaled(call, x.im, n_fft, power)};
  const cp_pair window = window_of(call, 4, n_fft, length);
  x = times_window(call, x, window);
  const int64_t frame_dims[3] = {1, n_frames, n_fft};
  cp_pair squares = times(call, window, window);
  squares = (cp_pair){cp_expand(call, squares.re, 3, frame_dims),
                      squares.im ? cp_expand(call, squares.im, 3, frame_dims) : NULL};
  const int64_t start = be_bool(call, 5) ? n_fft / 2 : 0, n = to->dims[to->rank - 1];
  const int64_t total = add(call, be_dim(call, BUDDY_DIM_MUL, add(call, n_frames, -1), hop), n_fft);
  const int64_t there = add(call, total, -start);
  const int64_t taken = be_dim(call, BUDDY_DIM_MIN, n, there);
  if (!be_is_complex(to->dtype)) x.im = NULL;
  const cp_pair weights = overlapped_part(call, squares, hop, start, taken);
  cp_pair y = divided(call, overlapped_part(call, x, hop, start, taken), weights);
  y = cp_resized(call, y, 1, n);
  value result = be_is_complex(to->dtype) ? cp_joined(call, y, to->dtype) : y.re;
  return cp_finish(call, cp_view(call, result, to->rank, to->dims));
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
