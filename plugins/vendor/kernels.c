// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The entry points: they read MLIR's descriptors and reduce each call to one or more problems
 * without broadcasting (problem.h), which go to the library or, when it refuses, to the plain
 * loops. */
#include "plugins/vendor/kernels.h"

#include <stddef.h>
#include <string.h>

#include "plugins/vendor/problem.h"
#include "plugins/vendor/threads.h"

/* A ranked memref's descriptor: numbers are the sizes, then the strides. */
typedef struct descriptor {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t numbers[];
} descriptor;

typedef struct view {
  int64_t rank;
  char *data;
  const int64_t *sizes;
  const int64_t *strides;
} view;

static view view_of(const buddy_vendor_tensor *tensor, int64_t dtype) {
  const descriptor *d = tensor->descriptor;
  const int64_t element_size = dtype == BD_VENDOR_F32 ? 4 : 2;
  /* An empty tensor may have no memory at all. */
  char *data = !d->aligned ? NULL : d->aligned + d->offset * element_size;
  return (view){tensor->rank, data, d->numbers, d->numbers + tensor->rank};
}

/* A product with any number of batch dimensions; matrix has the strides within one batch
 * element. */
typedef struct batched_product {
  int64_t rank;
  int64_t sizes[BUDDY_VENDOR_MAX_RANK];
  int64_t strides[BD_VENDOR_N_OPERANDS][BUDDY_VENDOR_MAX_RANK];
  bd_vendor_product matrix;
  bd_vendor_data data;
} batched_product;

/* The stride of v along dimension dim of rank dimensions to which it broadcasts. */
static int64_t broadcast_stride(const view *v, int64_t dim, int64_t rank) {
  const int64_t own = dim - (rank - v->rank);
  return own < 0 || v->sizes[own] == 1 ? 0 : v->strides[own];
}

/* Fills in one operand whose last dimensions are the matrix, of which has_row and has_column
 * exist. */
static void place(batched_product *b, int operand, const view *v, bool has_row, bool has_column) {
  const int64_t matrix_rank = (has_row ? 1 : 0) + (has_column ? 1 : 0);
  const int64_t rank = b->rank + matrix_rank;
  for (int64_t i = 0; i < b->rank; ++i) b->strides[operand][i] = broadcast_stride(v, i, rank);
  int64_t *strides = b->matrix.strides[operand];
  if (has_row) strides[BD_VENDOR_ROW] = broadcast_stride(v, b->rank, rank);
  if (has_column) strides[BD_VENDOR_COLUMN] = broadcast_stride(v, rank - 1, rank);
  b->data[operand] = v->data;
}

static void drop_batch(batched_product *b, int64_t dim) {
  for (int64_t i = dim + 1; i < b->rank; ++i) {
    b->sizes[i - 1] = b->sizes[i];
    for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) b->strides[o][i - 1] = b->strides[o][i];
  }
  --b->rank;
}

/* Makes one dimension of each two that every operand walks evenly, and drops those of size one. */
static void merge_batches(batched_product *b) {
  for (int64_t i = b->rank - 1; i >= 0; --i) {
    if (b->sizes[i] == 1) {
      drop_batch(b, i);
      continue;
    }
    if (i + 1 >= b->rank) continue;
    bool is_even = true;
    for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) {
      is_even = is_even && b->strides[o][i] == b->strides[o][i + 1] * b->sizes[i + 1];
    }
    if (!is_even) continue;
    for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) b->strides[o][i] = b->strides[o][i + 1];
    b->sizes[i] *= b->sizes[i + 1];
    drop_batch(b, i + 1);
  }
}

/* Where all batch elements share the right matrix, as in nn.Linear on [B, T, K], the batch is more
 * rows of the left one: a single large product instead of many small ones. */
static void fold_batch_into_rows(batched_product *b) {
  while (b->rank > 0) {
    const int64_t last = b->rank - 1;
    if (b->strides[BD_VENDOR_RIGHT][last] != 0) return;
    static const int operands[] = {BD_VENDOR_LEFT, BD_VENDOR_BIAS, BD_VENDOR_ADDEND, BD_VENDOR_OUT};
    for (int i = 0; i < 4 && b->matrix.m > 1; ++i) {
      const int64_t row = b->matrix.strides[operands[i]][BD_VENDOR_ROW];
      if (b->strides[operands[i]][last] != row * b->matrix.m) return;
    }
    if (b->matrix.m == 1) {
      for (int i = 0; i < 4; ++i) {
        b->matrix.strides[operands[i]][BD_VENDOR_ROW] = b->strides[operands[i]][last];
      }
    }
    b->matrix.m *= b->sizes[last];
    --b->rank;
  }
}

static void multiply_matrices(const bd_vendor_product *product, const bd_vendor_data data,
                              const bd_vendor_kept *kept) {
  if (product->k > 0 && bd_vendor_library_multiply(product, data, kept)) return;
  bd_vendor_loop_multiply(product, data);
}

/* Computes all batch elements: the last dimension within the library, the others one by one. */
static void multiply_batches(batched_product *b, const bd_vendor_kept *kept) {
  const int64_t element_size = b->matrix.dtype == BD_VENDOR_F32 ? 4 : 2;
  b->matrix.batch = 1;
  if (b->rank > 0) {
    --b->rank;
    b->matrix.batch = b->sizes[b->rank];
    for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) {
      b->matrix.strides[o][BD_VENDOR_BATCH] = b->strides[o][b->rank];
    }
  }
  int64_t count = 1;
  for (int64_t i = 0; i < b->rank; ++i) count *= b->sizes[i];
  for (int64_t index = 0; index < count; ++index) {
    bd_vendor_data data;
    memcpy(data, b->data, sizeof(data));
    int64_t rest = index;
    for (int64_t i = b->rank - 1; i >= 0; --i) {
      for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) {
        if (!data[o]) continue;
        data[o] += rest % b->sizes[i] * b->strides[o][i] * element_size;
      }
      rest /= b->sizes[i];
    }
    multiply_matrices(&b->matrix, data, count == 1 && b->matrix.batch == 1 ? kept : NULL);
  }
}

/* The transpose of a matrix: a view with its numbers in numbers. */
static view transposed(view v, int64_t numbers[4]) {
  for (int i = 0; i < 2; ++i) {
    numbers[i] = v.sizes[1 - i];
    numbers[2 + i] = v.strides[1 - i];
  }
  v.sizes = numbers;
  v.strides = numbers + 2;
  return v;
}

static bd_vendor_tail tail_of(int64_t present, int64_t activation, double first, double second) {
  bd_vendor_tail tail = {.has_addend = (present & BUDDY_VENDOR_HAS_ADDEND) != 0 ? 1 : 0,
                         .activation = activation};
  memcpy(&tail.numbers[0], &first, sizeof(first));
  memcpy(&tail.numbers[1], &second, sizeof(second));
  return tail;
}

/* bias and addend may be NULL. */
static void matmul(int64_t dtype, const buddy_vendor_tensor *a, const buddy_vendor_tensor *b,
                   const buddy_vendor_tensor *bias, const buddy_vendor_tensor *addend,
                   const buddy_vendor_tensor *out, int64_t is_transposed,
                   const bd_vendor_tail *tail, const bd_vendor_kept *kept) {
  int64_t turned[4];
  const view left = view_of(a, dtype);
  const view right = is_transposed ? transposed(view_of(b, dtype), turned) : view_of(b, dtype);
  const view result = view_of(out, dtype);
  for (int64_t i = 0; i < result.rank; ++i) {
    if (result.sizes[i] == 0) return;
  }
  const bool has_row = left.rank > 1;
  const bool has_column = right.rank > 1;
  batched_product p = {.rank = result.rank - (has_row ? 1 : 0) - (has_column ? 1 : 0)};
  for (int64_t i = 0; i < p.rank; ++i) p.sizes[i] = result.sizes[i];
  p.matrix.dtype = dtype;
  p.matrix.has_bias = bias ? 1 : 0;
  p.matrix.tail = *tail;
  p.matrix.m = has_row ? left.sizes[left.rank - 2] : 1;
  p.matrix.k = left.sizes[left.rank - 1];
  p.matrix.n = has_column ? right.sizes[right.rank - 1] : 1;
  place(&p, BD_VENDOR_LEFT, &left, has_row, true);
  place(&p, BD_VENDOR_RIGHT, &right, true, has_column);
  place(&p, BD_VENDOR_OUT, &result, has_row, has_column);
  if (bias) {
    const view row = view_of(bias, dtype);
    place(&p, BD_VENDOR_BIAS, &row, has_row, has_column);
  }
  if (tail->has_addend != 0) {
    const view other = view_of(addend, dtype);
    place(&p, BD_VENDOR_ADDEND, &other, has_row, has_column);
  }
  merge_batches(&p);
  fold_batch_into_rows(&p);
  multiply_batches(&p, kept);
}

/* Strides of a tensor with a batch dimension, which an unbatched one lacks. */
static void place_batched(int64_t strides[2 + BD_VENDOR_MAX_SPATIAL], const view *v,
                          int64_t n_spatial) {
  const int64_t missing = 2 + n_spatial - v->rank;
  for (int64_t i = 0; i < v->rank; ++i) strides[i + missing] = v->strides[i];
}

/* What a convolution's numbers say of it, and the shapes of input, weight and result. */
static bd_vendor_convolution read_convolution(int64_t dtype, const view *source, const view *filter,
                                              const view *result, const int64_t *numbers) {
  const int64_t n_spatial = filter->rank - 2;
  const int64_t first = source->rank - n_spatial; /* the first spatial dimension */
  bd_vendor_convolution c = {.dtype = dtype,
                             .has_bias = (numbers[2] & BUDDY_VENDOR_HAS_BIAS) != 0 ? 1 : 0,
                             .has_scale = (numbers[2] & BUDDY_VENDOR_HAS_SCALE) != 0 ? 1 : 0,
                             .is_transposed = numbers[0],
                             .n_spatial = n_spatial,
                             .groups = numbers[1],
                             .batch = first == 2 ? source->sizes[0] : 1,
                             .channels_in = source->sizes[first - 1],
                             .channels_out = result->sizes[first - 1]};
  for (int64_t i = 0; i < n_spatial; ++i) {
    c.in_size[i] = source->sizes[first + i];
    c.kernel[i] = filter->sizes[2 + i];
    c.out_size[i] = result->sizes[first + i];
    c.stride[i] = numbers[4 + i];
    c.padding[i] = numbers[4 + n_spatial + i];
    c.dilation[i] = numbers[4 + 2 * n_spatial + i];
  }
  return c;
}

static bool has_empty_window(const bd_vendor_convolution *c) {
  bool is_empty = c->channels_in == 0;
  for (int64_t i = 0; i < c->n_spatial; ++i) {
    is_empty = is_empty || c->in_size[i] == 0 || c->kernel[i] == 0;
  }
  return is_empty;
}

/* The tensors of a convolution, as the entry points get them. */
typedef struct images {
  const buddy_vendor_tensor *input, *weight, *bias, *scale, *addend, *parameters, *out;
} images;

static void convolution(int64_t dtype, const images *t, double first, double second,
                        const bd_vendor_kept *kept) {
  const view source = view_of(t->input, dtype);
  const view filter = view_of(t->weight, dtype);
  const view result = view_of(t->out, dtype);
  const descriptor *list = t->parameters->descriptor;
  const int64_t *numbers = (const int64_t *)(const void *)list->aligned + list->offset;
  bd_vendor_convolution c = read_convolution(dtype, &source, &filter, &result, numbers);
  c.tail = tail_of(numbers[2], numbers[3], first, second);
  for (int64_t i = 0; i < result.rank; ++i) {
    if (result.sizes[i] == 0) return;
  }
  bd_vendor_data data = {[BD_VENDOR_LEFT] = source.data,
                         [BD_VENDOR_RIGHT] = filter.data,
                         [BD_VENDOR_OUT] = result.data};
  place_batched(c.strides[BD_VENDOR_LEFT], &source, c.n_spatial);
  place_batched(c.strides[BD_VENDOR_OUT], &result, c.n_spatial);
  memcpy(c.strides[BD_VENDOR_RIGHT], filter.strides, (size_t)filter.rank * sizeof(int64_t));
  if (c.tail.has_addend != 0) {
    const view addend = view_of(t->addend, dtype);
    data[BD_VENDOR_ADDEND] = addend.data;
    place_batched(c.strides[BD_VENDOR_ADDEND], &addend, c.n_spatial);
  }
  if (c.has_bias != 0) {
    const view bias = view_of(t->bias, dtype);
    data[BD_VENDOR_BIAS] = bias.data;
    c.strides[BD_VENDOR_BIAS][0] = bias.strides[0];
  }
  if (c.has_scale != 0) {
    const view scale = view_of(t->scale, dtype);
    data[BD_VENDOR_SCALE] = scale.data;
    c.strides[BD_VENDOR_SCALE][0] = scale.strides[0];
  }
  if (!has_empty_window(&c) && bd_vendor_library_convolve(&c, data, kept)) return;
  bd_vendor_loop_convolve(&c, data);
}

/* The typed entry points; the header says what they do. */
#define DEFINE_KERNELS(type, dtype)                                                        \
  BUDDY_VENDOR_MATMUL(type) {                                                              \
    const bd_vendor_tail tail = tail_of(present, activation, first, second);               \
    const bd_vendor_kept kept = {keeper, slot};                                            \
    matmul(dtype, a, b, (present & BUDDY_VENDOR_HAS_BIAS) != 0 ? bias : NULL, addend, out, \
           is_transposed, &tail, keeper != NULL ? &kept : NULL);                           \
  }                                                                                        \
  BUDDY_VENDOR_CONVOLUTION(type) {                                                         \
    const images tensors = {input, weight, bias, scale, addend, parameters, out};          \
    const bd_vendor_kept kept = {keeper, slot};                                            \
    convolution(dtype, &tensors, first, second, keeper != NULL ? &kept : NULL);            \
  }

DEFINE_KERNELS(f32, BD_VENDOR_F32)
DEFINE_KERNELS(bf16, BD_VENDOR_BF16)

/* A host that says no more has no threads for us. */
void buddy_threads_vendor(int32_t n) {
  (void)n;
  bd_vendor_threads_set(NULL);
}

void buddy_crew_vendor(const buddy_crew *crew) { bd_vendor_threads_set(crew); }

void buddy_vendor_shutdown(void) { bd_vendor_library_shutdown(); }
