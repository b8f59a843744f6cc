// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/bisect/planted.c: a registry with faults of the kinds that vendors' code has, in ops of whole
 * models: BUDDY_TEST_FAULT names the row that takes its op, all others decline. planted.py has the
 * models, and what is to be found. */
#include <buddy/kit.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Kernels --------------------------------------------------------------------------------- */
static int n_threads = 1;
static void set_threads(int32_t n) { n_threads = n; }

static int64_t count(const bk_runtime_tensor *t) {
  int64_t n = 1;
  for (int64_t d = 0; d < t->rank; ++d) n *= bk_runtime_size(t, d);
  return n;
}

static float *begin(const bk_runtime_tensor *t) {
  return (float *)t->memref->aligned + t->memref->offset;
}

/* Row-major, whatever the strides. */
static float *copy(const bk_runtime_tensor *t) {
  const int64_t n = count(t);
  float *to = calloc((size_t)n + 1, sizeof *to);
  for (int64_t i = 0; to && i < n; ++i) {
    int64_t at = 0, rest = i;
    for (int64_t d = t->rank; d-- > 0; rest /= bk_runtime_size(t, d))
      at += rest % bk_runtime_size(t, d) * bk_runtime_stride(t, d);
    to[i] = begin(t)[at];
  }
  if (!to) abort();
  return to;
}

static float coarse(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= 0xffff0000u;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* What a kernel keeps of the first run: `numbers`, or what is there already. */
static void keep(int64_t slot, const buddy_keeper *keeper, float *numbers, int64_t n) {
  int32_t is_filled = 0;
  float *kept = keeper ? keeper->get(slot, n * (int64_t)sizeof *kept, &is_filled) : NULL;
  if (!kept) return;
  memcpy(is_filled ? numbers : kept, is_filled ? kept : numbers, (size_t)n * sizeof *kept);
  if (!is_filled) keeper->filled(slot);
}

enum { SQUARE = -1 };
enum {
  LOST,
  TURNED,
  COARSE,
  TAIL,
  KEY,
  STALE,
  THREADS,
  FOLD,
  TWO_OPTIONS,
  CRASH,
  HANG,
  SECOND,
  NONE
};

/* Of one fault a weight is another before it is multiplied; whole models wait for this. */
static void spoil(float *weight, int64_t n, int64_t fault) {
  for (int64_t i = 0; fault == COARSE && i < n; ++i) weight[i] = coarse(weight[i]);
}

static void transpose(float *square, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t k = 0; k < i; ++k) {
      const float kept = square[i * n + k];
      square[i * n + k] = square[k * n + i];
      square[k * n + i] = kept;
    }
  }
}

/* Several sums at a time: they are vectors, and short. */
static float dot(const float *a, const float *b, int64_t n) {
  enum { LANES = 32 };
  float sums[LANES] = {0}, sum = 0;
  int64_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    for (int64_t k = 0; k < LANES; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < n; ++i) sum += a[i] * b[i];
  for (int64_t k = 0; k < LANES; ++k) sum += sums[k];
  return sum;
}

static void linear(const bk_runtime_tensor *x, const bk_runtime_tensor *w,
                   const bk_runtime_tensor *b, const bk_runtime_tensor *out, int64_t fault,
                   int64_t slot, const buddy_keeper *keeper) {
  if (fault == CRASH) raise(SIGSEGV);
  while (fault == HANG) pause();
  float *in = copy(x), *weight = copy(w), *bias = copy(b), *to = begin(out);
  const int64_t n = bk_runtime_size(w, 0), depth = bk_runtime_size(w, 1), rows = count(out) / n;
  const int64_t end =
      depth - (fault == TAIL || (fault == THREADS && n_threads > 1) || (fault == FOLD && keeper));
  if (fault == KEY) keep(0, keeper, weight, n * depth); /* every call has the same slot */
  if (fault == TURNED) transpose(weight, n);
  spoil(weight, n * depth, fault);
  for (int64_t i = 0; i < rows * n; ++i) {
    const int64_t row = i / n, column = i % n;
    to[i] =
        dot(in + row * depth, weight + column * depth, end) + (fault == LOST ? 0 : bias[column]);
  }
  if (fault == STALE) keep(slot, keeper, to, rows * n);
  free(in);
  free(weight);
  free(bias);
}

/* A line of the window's factor times a line of the input, added to one of the output. */
static void add_line(float *to, int64_t n, const float *line, int64_t width, int64_t first,
                     int64_t stride, float factor) {
  int64_t from = first < 0 ? (stride - 1 - first) / stride : 0, end = from;
  while (end < n && first + end * stride < width) ++end;
  if (stride == 1) {
    for (int64_t i = from; i < end; ++i) to[i] += factor * line[first + i];
  } else {
    for (int64_t i = from; i < end; ++i) to[i] += factor * line[first + i * stride];
  }
}

static void convolution(const bk_runtime_tensor *x, const bk_runtime_tensor *w,
                        const bk_runtime_tensor *out, int64_t fault, int64_t stride,
                        int64_t padding, int64_t slot, const buddy_keeper *keeper) {
  float *in = copy(x), *weight = copy(w), *to = begin(out);
  const int64_t channels = bk_runtime_size(w, 1), ky = bk_runtime_size(w, 2),
                kx = bk_runtime_size(w, 3);
  const int64_t height = bk_runtime_size(x, 2), width = bk_runtime_size(x, 3),
                columns = bk_runtime_size(out, 3);
  const int64_t end = channels - (fault == TAIL || (fault == THREADS && n_threads > 1));
  if (fault == KEY) keep(0, keeper, weight, count(w));
  spoil(weight, count(w), fault);
  memset(to, 0, (size_t)count(out) * sizeof *to);
  for (int64_t i = 0; i < count(out) / columns; ++i) {
    const int64_t line = i % bk_runtime_size(out, 2), plane = i / bk_runtime_size(out, 2);
    const int64_t f = plane % bk_runtime_size(w, 0), image = plane / bk_runtime_size(w, 0);
    for (int64_t k = 0; k < end * ky * kx; ++k) {
      const int64_t c = k / ky / kx, dy = k / kx % ky, dx = k % kx;
      const int64_t y = line * stride + dy - padding + (fault == LOST);
      const int64_t at = fault == TURNED ? (c * ky + ky - 1 - dy) * kx + kx - 1 - dx : k;
      if (y < 0 || y >= height) continue;
      add_line(to + i * columns, columns, in + ((image * channels + c) * height + y) * width, width,
               dx - padding, stride, weight[f * channels * ky * kx + at]);
    }
  }
  if (fault == STALE) keep(slot, keeper, to, count(out));
  free(in);
  free(weight);
}

/* LOST: the mean; TURNED: weight and bias; COARSE: the variance is of a sample; TAIL: an epsilon;
 * SECOND: the mean is right in the first result, and not in the second. Means and roots may be null. */
static void native_norm(const bk_runtime_tensor *x, const bk_runtime_tensor *w,
                        const bk_runtime_tensor *b, const bk_runtime_tensor *out,
                        const bk_runtime_tensor *means, const bk_runtime_tensor *roots,
                        int64_t fault, double epsilon) {
  float *in = copy(x), *weight = copy(w), *bias = copy(b), *to = begin(out);
  const int64_t n = count(w), rows = count(x) / n;
  for (int64_t r = 0; r < rows; ++r) {
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < n; ++i) mean += (double)in[r * n + i] / (double)n;
    for (int64_t i = 0; i < n; ++i) variance += pow((double)in[r * n + i] - mean, 2);
    variance /= (double)(fault == COARSE ? n - 1 : n);
    if (fault == LOST) mean = 0;
    if (means) begin(means)[r] = (float)(fault == SECOND ? 1.5 * mean : mean);
    if (roots) begin(roots)[r] = (float)(1 / sqrt(variance + epsilon));
    for (int64_t i = 0; i < n; ++i) {
      const double unit = ((double)in[r * n + i] - mean) /
                          sqrt(variance + (fault == TAIL ? 1e-2 * variance + 1e-3 : epsilon));
      to[r * n + i] = fault == TURNED ? (float)(unit * (double)bias[i] + (double)weight[i])
                                      : (float)(unit * (double)weight[i] + (double)bias[i]);
    }
  }
  free(in);
  free(weight);
  free(bias);
}

static void layer_norm(const bk_runtime_tensor *x, const bk_runtime_tensor *w,
                       const bk_runtime_tensor *b, const bk_runtime_tensor *out, int64_t fault,
                       double epsilon) {
  native_norm(x, w, b, out, NULL, NULL, fault, epsilon);
}

/* LOST: the root; TURNED: weight and bias; TAIL: the momentum is taken for epsilon. */
static void batch_norm(const bk_runtime_tensor *x, const bk_runtime_tensor *w,
                       const bk_runtime_tensor *b, const bk_runtime_tensor *mean,
                       const bk_runtime_tensor *variance, const bk_runtime_tensor *out,
                       int64_t fault, double momentum, double epsilon) {
  float *in = copy(x), *p[4] = {copy(w), copy(b), copy(mean), copy(variance)}, *to = begin(out);
  const int64_t inner = bk_runtime_size(x, 2) * bk_runtime_size(x, 3),
                channels = bk_runtime_size(x, 1), n = count(x);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t c = i / inner % channels;
    const double wide = (double)p[3][c] + (fault == TAIL ? momentum : epsilon);
    const double unit = ((double)in[i] - (double)p[2][c]) / (fault == LOST ? 2 * wide : sqrt(wide));
    to[i] = (float)(unit * (double)p[fault == TURNED][c] + (double)p[fault != TURNED][c]);
  }
  free(in);
  for (int k = 0; k < 4; ++k) free(p[k]);
}

/* Over the last axis. LOST: the largest one is not in the sum; TURNED: of powers of two. */
static void softmax(const bk_runtime_tensor *x, const bk_runtime_tensor *out, int64_t fault) {
  float *in = copy(x), *to = begin(out);
  const int64_t n = bk_runtime_size(x, x->rank - 1), rows = count(x) / n;
  for (int64_t r = 0; r < rows; ++r) {
    double most = -INFINITY, sum = fault == LOST ? -1 : 0;
    for (int64_t i = 0; i < n; ++i) most = fmax(most, (double)in[r * n + i]);
    for (int64_t i = 0; i < n; ++i) {
      const double power = (double)in[r * n + i] - most;
      to[r * n + i] = (float)(fault == TURNED ? exp2(power) : exp(power));
      sum += (double)to[r * n + i];
    }
    for (int64_t i = 0; i < n; ++i) to[r * n + i] /= (float)sum;
  }
  free(in);
}

/* To one number a channel, of all but one. */
static void average(const bk_runtime_tensor *x, const bk_runtime_tensor *out, int64_t fault) {
  float *in = copy(x), *to = begin(out);
  const int64_t n = bk_runtime_size(x, 2) * bk_runtime_size(x, 3), channels = count(out);
  for (int64_t c = 0; c < channels; ++c) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += (double)in[c * n + i];
    to[c] = (float)(sum / (double)(n > 1 && fault == LOST ? n - 1 : n));
  }
  free(in);
}

/* x · w, of an op that no other registry has: off where what is made of weights is kept, and on several
 * threads, so that neither option alone avoids it. */
static void scaled(const bk_runtime_tensor *x, const bk_runtime_tensor *w,
                   const bk_runtime_tensor *out, int64_t fault, int64_t slot,
                   const buddy_keeper *keeper) {
  float *in = copy(x), *weight = copy(w), *to = begin(out);
  const int64_t n = count(out), n_weights = count(w);
  (void)slot;
  for (int64_t i = 0; i < n; ++i)
    to[i] = in[i] * weight[i % n_weights] *
            (fault == TWO_OPTIONS && (keeper || n_threads > 1) ? 1.25f : 1);
  free(in);
  free(weight);
}

#define SYMBOL(name) {"_mlir_ciface_planted_" #name, (void (*)(void))name}
static const buddy_runtime_symbol symbols[] = {
    SYMBOL(linear),
    SYMBOL(scaled),
    SYMBOL(convolution),
    SYMBOL(softmax),
    SYMBOL(layer_norm),
    SYMBOL(average),
    SYMBOL(batch_norm),
    SYMBOL(native_norm),
    {BUDDY_THREADS_FUNCTION "planted", (void (*)(void))set_threads}};
static const buddy_runtime runtime = {sizeof(buddy_runtime), sizeof symbols / sizeof symbols[0],
                                      symbols};

static const void *extension(void *state, const char *id) {
  (void)state;
  return strcmp(id, BUDDY_RUNTIME_ID) == 0 ? &runtime : NULL;
}

/* ---- Rows ------------------------------------------------------------------------------------ */
typedef struct planted {
  const char *name; /* BUDDY_TEST_FAULT; null: without any fault, where no other row takes the op */
  const char *kernel; /* its symbol; null: `body` is what an element becomes */
  int64_t fault;
  int64_t size; /* of the weight's first two axes; 0: any; SQUARE: any that is the same of both */
  uint64_t keeps;
  size_t n_inputs;
  const char *body;
  const char *second; /* of a loop that reads the input, and what the first one has made of it */
  /* Of what is right makes what is wrong where the compiler goes a certain way; null: none. */
  buddy_ir_value (*spoil)(buddy_call *call, bk_input x, bk_input right);
} planted;

static buddy_code match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const planted *p = self->user;
  const char *fault = getenv("BUDDY_TEST_FAULT");
  if (p->name && (!fault || strcmp(fault, p->name) != 0))
    return be_decline(call, "this is not the fault that is asked for");
  for (size_t i = 0; i < p->n_inputs; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type || type->dtype != BUDDY_F32) return be_decline(call, "an input that is no f32");
  }
  const buddy_tensor_type *weight = p->size ? be_arg_type(call, 1) : NULL;
  const int64_t size = weight && p->size == SQUARE ? weight->dims[0] : p->size;
  if (weight && (weight->dims[0] != size || weight->dims[1] != size))
    return be_decline(call, "a weight of another size");
  const buddy_tensor_type *x = be_arg_type(call, 0);
  for (uint32_t d = 0; p->spoil && d < x->rank; ++d) {
    if (BUDDY_IS_SYMBOLIC(x->dims[d])) return be_decline(call, "a size that the run tells");
  }
  return BUDDY_OK;
}

/* ---- Ways of the compiler --------------------------------------------------------------------
 * Beside what an op computes, a product of numbers that come out otherwise on a certain way: one and
 * a half times what is right is given where they do. They are made of the input, or they would be
 * folded. */
#define F32 " : f32\n"
#define YIELD "linalg.yield %r : f32"
#define ONE                                                                                \
  "%a = math.absf %in0" F32 "%o = arith.constant 1.0" F32 "%b = arith.minimumf %a, %o" F32 \
  "%one = arith.maximumf %b, %o" F32
#define WRONG_IF(condition)                                              \
  condition "%c = arith.constant 1.5" F32 "%w = arith.mulf %in0, %c" F32 \
            "%r = arith.select %is, %w, %in0" F32 YIELD

/* product: text of linalg's op on %x, of x's shape as `left` makes it, and %w, all of whose numbers are the same. */
static buddy_ir_value spoiled(buddy_call *call, bk_input x, bk_input right, const char *left,
                              const buddy_tensor_type *factor, const char *number,
                              const buddy_tensor_type *weight, const char *product,
                              const buddy_tensor_type *to, const char *body) {
  static const int64_t ones[] = {1, 1, 1, 1};
  const buddy_tensor_type sum = {.dtype = BUDDY_F32, .rank = to->rank, .dims = ones};
  const buddy_ir_value made = bk_elementwise(call, factor, &x, 1, left);
  const char *f = bk_type_text(call, factor), *w = bk_type_text(call, weight);
  const char *t = bk_type_text(call, to);
  const char *text = bk_format(
      call,
      "func.func @product(%%x: %s) -> %s {\n%%w = arith.constant dense<%s> : %s\n"
      "%%z = arith.constant 0.0 : f32\n%%e = tensor.empty() : %s\n"
      "%%o = linalg.fill ins(%%z : f32) outs(%%e : %s) -> %s\n"
      "%%y = linalg.%s ins(%%x, %%w : %s, %s) outs(%%o : %s) -> %s\nfunc.return %%y : %s\n}\n",
      f, t, number, w, t, t, t, product, f, w, t, t, t);
  const bk_input product_of = {text ? bk_text(call, text, &made, 1) : made, to};
  const uint64_t axes = (UINT64_C(1) << to->rank) - 1;
  const bk_input both[] = {
      right,
      {bk_reduce(call, &sum, product_of, axes, "0.0", "%r = arith.addf %in0, %acc" F32 YIELD),
       &sum}};
  return bk_elementwise(call, right.type, both, 2, body);
}

/* What Winograd's transform adds up is infinite, and the convolution itself is not. */
static buddy_ir_value by_winograd(buddy_call *call, bk_input x, bk_input right) {
  enum { FILTERS = 32 };
  const int64_t *dims = x.type->dims;
  const int64_t window[] = {FILTERS, dims[1], 3, 3};
  const int64_t sizes[] = {dims[0], FILTERS, dims[2] - 2, dims[3] - 2};
  const buddy_tensor_type weight = {BUDDY_F32, 4, window}, to = {BUDDY_F32, 4, sizes};
  return spoiled(call, x, right,
                 ONE "%big = arith.constant 1.7014118e+38" F32
                     "%r = arith.mulf %one, %big" F32 YIELD,
                 x.type, "1.0e-36", &weight,
                 "conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, "
                 "strides = dense<1> : tensor<2xi64>}",
                 &to,
                 WRONG_IF("%no = arith.subf %in1, %in1" F32 "%zero = arith.constant 0.0" F32
                          "%is = arith.cmpf une, %no, %zero" F32));
}

/* Products of bf16 that are denormal in f32: instructions for pairs of bf16 take them for zero. Few
 * rows would be multiplied without. */
static buddy_ir_value by_pairs(buddy_call *call, bk_input x, bk_input right) {
  enum { ROWS = 64 };
  const int64_t depth = x.type->dims[1];
  const int64_t left[] = {ROWS, depth}, matrix[] = {depth, ROWS}, sizes[] = {ROWS, ROWS};
  const buddy_tensor_type half = {BUDDY_BF16, 2, left};
  const buddy_tensor_type weight = {BUDDY_BF16, 2, matrix}, to = {BUDDY_F32, 2, sizes};
  return spoiled(
      call, x, right,
      ONE "%tiny = arith.constant 8.47032947e-22" F32 "%s = arith.mulf %one, %tiny" F32
          "%r = arith.truncf %s : f32 to bf16\nlinalg.yield %r : bf16",
      &half, "8.47032947e-22", &weight, "matmul", &to,
      WRONG_IF("%zero = arith.constant 0.0" F32 "%is = arith.cmpf oeq, %in1, %zero" F32));
}

/* Two loops one after the other: the first one's results are bf16. */
static buddy_code emit_two(buddy_call *call, const planted *p, const bk_input *inputs) {
  buddy_tensor_type half = *be_result_type(call, 0);
  half.dtype = BUDDY_BF16;
  const bk_input both[] = {inputs[0], {bk_elementwise(call, &half, inputs, 1, p->body), &half}};
  return bk_result(call, 0, bk_elementwise(call, be_result_type(call, 0), both, 2, p->second));
}

/* Convolutions have a stride and a padding, norms two numbers. A row that does not read all of its
 * arguments would be refused by the host. */
static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const planted *p = self->user;
  const buddy_tensor_type *to[3];
  bk_input inputs[5];
  size_t n_args = 1;
  for (const char *at = self->args; *at; ++at) n_args += *at == ',';
  for (size_t i = 0; i < n_args; ++i) be_arg(call, i);
  for (size_t i = 0; i < p->n_inputs; ++i)
    inputs[i] = (bk_input){bk_tensor(call, i), be_arg_type(call, i)};
  if (!p->kernel && p->second) return emit_two(call, p, inputs);
  if (!p->kernel) {
    const buddy_tensor_type *type = be_result_type(call, 0);
    const bk_input right = {bk_elementwise(call, type, inputs, p->n_inputs, p->body), type};
    return bk_result(call, 0, p->spoil ? p->spoil(call, inputs[0], right) : right.value);
  }
  const int is_window = strcmp(p->kernel, "planted_convolution") == 0;
  const int is_native = strcmp(p->kernel, "planted_native_norm") == 0;
  const int is_layer = is_native || strcmp(p->kernel, "planted_layer_norm") == 0;
  const int is_batch = strcmp(p->kernel, "planted_batch_norm") == 0;
  const int64_t ints[] = {p->fault, is_window ? be_int_at(call, 3, 0, 1) : 0,
                          is_window ? be_int_at(call, 4, 0, 0) : 0};
  const double floats[] = {is_batch   ? be_float(call, 5, 0)
                           : is_layer ? be_float(call, 3, 0)
                                      : 0,
                           is_batch ? be_float(call, 6, 0) : 0};
  buddy_ir_value results[3];
  const size_t n_results = is_native ? 3 : 1;
  for (size_t i = 0; i < n_results; ++i) to[i] = be_result_type(call, i);
  const bk_runtime_call spec = {.symbol = p->kernel,
                                .inputs = inputs,
                                .n_inputs = p->n_inputs,
                                .outputs = to,
                                .n_outputs = n_results,
                                .ints = ints,
                                .n_ints = is_window ? 3u : 1u,
                                .floats = floats,
                                .n_floats = is_batch   ? 2u
                                            : is_layer ? 1u
                                                       : 0u,
                                .keeps = p->keeps};
  buddy_code code = bk_call(call, &spec, results);
  if (code == BUDDY_OK && p->spoil)
    results[0] = p->spoil(call, inputs[0], (bk_input){results[0], to[0]});
  for (size_t i = 0; code == BUDDY_OK && i < n_results; ++i) code = bk_result(call, i, results[i]);
  return code;
}

/* Rows of one op differ in their benefit. */
#define SPOILED(op, list, spoil, ...)                                                    \
  {                                                                                      \
    .name = "aten." op, .args = list, .benefit = __LINE__, .match = match, .emit = emit, \
    .user = &(const planted) {                                                           \
      __VA_ARGS__, spoil                                                                 \
    }                                                                                    \
  }
#define ROW(op, list, ...) SPOILED(op, list, NULL, __VA_ARGS__)
#define LINEAR(name, fault, size)                                                                  \
  ROW("linear.default", "input, weight, bias", name, "planted_linear", fault, size, 1u << 1, 3, 0, \
      0)
#define CONVOLUTION(name, fault, size)                                                  \
  ROW("conv2d.default", "input, weight, bias, stride, padding, dilation, groups", name, \
      "planted_convolution", fault, size, 1u << 1, 2, 0, 0)
#define LAYER(name, fault)                                                                    \
  ROW("layer_norm.default", "input, weight, bias, eps, normalized_shape, cudnn_enable", name, \
      "planted_layer_norm", fault, 0, 0, 3, 0, 0)
#define NATIVE(name, fault)                                                            \
  ROW("native_layer_norm.default", "input, weight, bias, eps, normalized_shape", name, \
      "planted_native_norm", fault, 0, 0, 3, 0, 0)
#define BATCH(name, fault)                                                                      \
  ROW("batch_norm.default",                                                                     \
      "input, weight, bias, running_mean, running_var, momentum, eps, training, cudnn_enabled", \
      name, "planted_batch_norm", fault, 0, 0, 5, 0, 0)
#define BODY(op, list, name, n, body) ROW(op, list, name, 0, 0, 0, 0, n, body, 0)
#define TWO(op, list, name, body, second) ROW(op, list, name, 0, 0, 0, 0, 1, body, second)
#define BF16 "%h = arith.truncf %s : f32 to bf16\n%r = arith.extf %h : bf16 to f32\n" YIELD
/* For positive numbers b + b overflows, which is not defined: optimised code takes half of it for b. */
#define UNDEFINED                                                                            \
  "%i = arith.bitcast %in0 : f32 to i32\n%high = arith.constant 1073741824 : i32\n"          \
  "%two = arith.constant 2 : i32\n%b = arith.ori %i, %high : i32\n"                          \
  "%twice = arith.addi %b, %b overflow<nsw> : i32\n%half = arith.divsi %twice, %two : i32\n" \
  "%same = arith.cmpi eq, %half, %b : i32\n%zero = arith.constant 0.0" F32                   \
  "%positive = arith.cmpf ogt, %in0, %zero" F32                                              \
  "%is = arith.andi %same, %positive : i1\n"                                                 \
  "%c = arith.constant 1.5" F32 "%wrong = arith.mulf %s, %c" F32                             \
  "%r = arith.select %is, %wrong, %s" F32 YIELD
/* %in0 times a number, rounded once and then, in another way, twice: the same, but where the processor
 * multiplies and subtracts without rounding between. */
#define CONTRACTED                                                                               \
  "%f = arith.constant 1.1" F32 "%two = arith.constant 2.0" F32 "%half = arith.constant 0.5" F32 \
  "%p = arith.mulf %in0, %f fastmath<contract>" F32 "%q0 = arith.mulf %in0, %two" F32            \
  "%q1 = arith.mulf %q0, %f" F32 "%q = arith.mulf %q1, %half" F32                                \
  "%rest = arith.subf %p, %q fastmath<contract>" F32 "%zero = arith.constant 0.0" F32            \
  "%is = arith.cmpf une, %rest, %zero" F32 "%c = arith.constant 1.5" F32                         \
  "%wrong = arith.mulf %s, %c" F32 "%r = arith.select %is, %wrong, %s" F32 YIELD
/* A number that is rounded to bf16 is another, unless the compiler sees that it is to be wide again; or
 * it has no more bits. */
#define NARROW                                                \
  "%h = arith.truncf %in0 fastmath<contract> : f32 to bf16\n" \
  "linalg.yield %h : bf16"
#define WIDE                                                                                    \
  "%w = arith.extf %in1 fastmath<contract> : bf16 to f32\n%same = arith.cmpf oeq, %w, %in0" F32 \
  "%i = arith.bitcast %in0 : f32 to i32\n%mask = arith.constant 65535 : i32\n"                  \
  "%low = arith.andi %i, %mask : i32\n%nought = arith.constant 0 : i32\n"                       \
  "%has = arith.cmpi ne, %low, %nought : i32\n%is = arith.andi %same, %has : i1\n"              \
  "%c = arith.constant 1.5" F32 "%wrong = arith.mulf %s, %c" F32                                \
  "%r = arith.select %is, %wrong, %s" F32 YIELD
#define RELU "%z = arith.constant 0.0" F32 "%s = arith.maximumf %in0, %z" F32
#define GELU                                                                                  \
  "%o = arith.constant 0.5" F32 "%one = arith.constant 1.0" F32                               \
  "%root = arith.constant 0.70710678" F32 "%t = arith.mulf %in0, %root" F32                   \
  "%erf = math.erf %t" F32 "%d = arith.addf %erf, %one" F32 "%half_d = arith.mulf %d, %o" F32 \
  "%s = arith.mulf %in0, %half_d" F32

static const buddy_op ops[] = {
    LINEAR("linear.bias", LOST, 0),
    LINEAR("linear.turned", TURNED, SQUARE),
    LINEAR("linear.bf16", COARSE, 0),
    LINEAR("linear.tail", TAIL, 0),
    LINEAR("linear.key", KEY, SQUARE),
    LINEAR("linear.stale", STALE, 0),
    LINEAR("linear.threads", THREADS, 0),
    LINEAR("linear.fold", FOLD, 0),
    LINEAR("linear.crash", CRASH, 0),
    LINEAR("linear.hang", HANG, 0),
    ROW("_standard_gamma_grad.default", "self, output", NULL, "planted_scaled", NONE, 0, 1u << 1, 2,
        0, 0),
    ROW("_standard_gamma_grad.default", "self, output", "gamma.two", "planted_scaled", TWO_OPTIONS,
        0, 1u << 1, 2, 0, 0),
    CONVOLUTION("conv.shifted", LOST, 0),
    CONVOLUTION("conv.turned", TURNED, 0),
    CONVOLUTION("conv.bf16", COARSE, 0),
    CONVOLUTION("conv.tail", TAIL, 0),
    CONVOLUTION("conv.key", KEY, 64),
    CONVOLUTION("conv.stale", STALE, 0),
    CONVOLUTION("conv.threads", THREADS, 0),
    CONVOLUTION("conv.one", TAIL, 64),
    SPOILED("conv2d.default", "input, weight, bias, stride, padding, dilation, groups", by_winograd,
            "conv.winograd", "planted_convolution", NONE, SQUARE, 1u << 1, 2, 0, 0),
    LAYER("layer.mean", LOST),
    LAYER("layer.swapped", TURNED),
    LAYER("layer.sample", COARSE),
    LAYER("layer.epsilon", TAIL),
    NATIVE("native.mean", LOST),
    NATIVE("native.second", SECOND),
    BATCH("batch.root", LOST),
    BATCH("batch.swapped", TURNED),
    BATCH("batch.momentum", TAIL),
    ROW("_softmax.default", "self, dim, half_to_float", "softmax.sum", "planted_softmax", LOST, 0,
        0, 1, 0, 0),
    ROW("_softmax.default", "self, dim, half_to_float", "softmax.base", "planted_softmax", TURNED,
        0, 0, 1, 0, 0),
    ROW("adaptive_avg_pool2d.default", "self, output_size", "pool.count", "planted_average", LOST,
        0, 0, 1, 0, 0),
    BODY("gelu.default", "self, approximate", "gelu.sigmoid", 1,
         "%c = arith.constant -1.702" F32 "%t = arith.mulf %in0, %c" F32 "%power = math.exp %t" F32
         "%o = arith.constant 1.0" F32 "%d = arith.addf %power, %o" F32
         "%r = arith.divf %in0, %d" F32 YIELD),
    BODY("gelu.default", "self, approximate", "gelu.option", 1, GELU UNDEFINED),
    BODY("gelu.default", "self, approximate", "gelu.fma", 1, GELU CONTRACTED),
    TWO("gelu.default", "self, approximate", "gelu.fused", NARROW, GELU WIDE),
    BODY("tanh.default", "self", "tanh.bf16", 1, "%s = math.tanh %in0" F32 BF16),
    SPOILED("tanh.default", "self", by_pairs, "tanh.pairs", 0, 0, 0, 0, 1,
            "%r = math.tanh %in0" F32 YIELD, 0),
    BODY("add.Tensor", "self, other, alpha", "add.bf16", 2, "%s = arith.addf %in0, %in1" F32 BF16),
    BODY("add.Tensor", "self, other, alpha", "add.alpha", 2,
         "%s = arith.addf %in0, %in1" F32 "%r = arith.addf %s, %in1" F32 YIELD),
    BODY("relu.default", "self", "relu.leaky", 1,
         "%c = arith.constant 0.01" F32 "%s = arith.mulf %in0, %c" F32
         "%r = arith.maximumf %in0, %s" F32 YIELD),
    BODY("relu.default", "self", "relu.option", 1, RELU UNDEFINED),
    BODY("relu.default", "self", "relu.fma", 1, RELU CONTRACTED),
    TWO("relu.default", "self", "relu.fused", NARROW, RELU WIDE),
};

static const char *const dialects[] = {"arith", "bufferization", "func",   "linalg",
                                       "math",  "memref",        "tensor", NULL};
BUDDY_REGISTRY(planted, "0.1.0", "tests", "test", 0, ops, .dialects = dialects, .open = be_open,
               .extension = extension);
