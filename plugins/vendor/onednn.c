// How each problem goes to oneDNN. The choices below were measured (tests/bench/vendor_libraries).
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "plugins/vendor/plan.h"
#include "plugins/vendor/threads.h"

static atomic_bool is_disabled;

void bd_vendor_library_enable(bool is_enabled) { atomic_store(&is_disabled, !is_enabled); }

void bd_vendor_library_shutdown(void) { bd_plan_cache_clear(); }

// Scratch memory comes from the caller: the library's own belongs to the thread that made the
// primitive.
static dnnl_primitive_attr_t make_attr(bool is_accumulating) {
  dnnl_primitive_attr_t attr = NULL;
  dnnl_post_ops_t ops = NULL;
  if (dnnl_primitive_attr_create(&attr) != dnnl_success) return NULL;
  bool is_made =
      dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user) == dnnl_success;
  if (is_accumulating && is_made) {
    is_made = dnnl_post_ops_create(&ops) == dnnl_success && bd_append_sum(ops) &&
              dnnl_primitive_attr_set_post_ops(attr, ops) == dnnl_success;
    if (ops != NULL) (void)dnnl_post_ops_destroy(ops);
  }
  if (is_made) return attr;
  (void)dnnl_primitive_attr_destroy(attr);
  return NULL;
}

typedef bool (*build_function)(bd_plan *plan, dnnl_engine_t engine);

// Only one thread makes plans at a time, so that none is made twice.
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static bd_plan *make_plan(const bd_plan_key *key, int64_t dtype, dnnl_engine_t engine,
                          build_function build) {
  bd_plan *plan = bd_plan_cache_find(key);  // another thread may have been faster
  if (plan != NULL) return plan;
  plan = bd_plan_create(key, dtype);
  if (plan == NULL) return NULL;
  if (build(plan, engine)) {
    bd_plan_cache_add(plan);
    return plan;
  }
  bd_plan_destroy(plan);
  return NULL;
}

// The plan of |key| from the cache, or a new one; NULL when the library cannot make it.
static bd_plan *plan_of(const bd_plan_key *key, int64_t dtype, dnnl_engine_t engine,
                        build_function build) {
  if (engine == NULL) return NULL;
  bd_plan *plan = bd_plan_cache_find(key);
  if (plan != NULL) return plan;
  (void)pthread_mutex_lock(&making);
  plan = make_plan(key, dtype, engine, build);
  (void)pthread_mutex_unlock(&making);
  return plan;
}

static bool run_plan(bd_plan *plan, dnnl_engine_t engine, const bd_vendor_data data) {
  size_t capacity = 0;
  char *workspace = bd_plan_cache_take_workspace(plan->workspace_size, &capacity);
  bool is_done = false;
  if (workspace != NULL) {
    is_done = bd_plan_run(plan, engine, workspace, data);
    bd_plan_cache_give_workspace(workspace, capacity);
  }
  bd_plan_cache_release(plan);
  return is_done;
}

// Products

// Whether a matrix can be read as row-major or column-major with a leading dimension; strides that
// do not matter, since there is one row or one column only, are then set so.
static bool lay_out(int64_t *strides, int64_t rows, int64_t columns) {
  const int64_t row = strides[BD_VENDOR_ROW];
  const int64_t column = strides[BD_VENDOR_COLUMN];
  if ((columns == 1 || column == 1) && (rows == 1 || row >= columns)) {
    strides[BD_VENDOR_COLUMN] = 1;
    if (rows == 1) strides[BD_VENDOR_ROW] = columns;
    return true;
  }
  if ((rows == 1 || row == 1) && (columns == 1 || column >= rows)) {
    strides[BD_VENDOR_ROW] = 1;
    if (columns == 1) strides[BD_VENDOR_COLUMN] = rows;
    return true;
  }
  return false;
}

// Whether the bias is one row for the whole result, which the primitive adds by itself. Any other
// bias is written to the result first and the product added to it.
static bool is_row_bias(const bd_vendor_product *p) {
  const int64_t *strides = p->strides[BD_VENDOR_BIAS];
  return p->has_bias != 0 && (p->batch == 1 || strides[BD_VENDOR_BATCH] == 0) &&
         (p->m == 1 || strides[BD_VENDOR_ROW] == 0) &&
         (p->n == 1 || strides[BD_VENDOR_COLUMN] == 1);
}

static bool describe_matrix(bd_plan *plan, int operand, int64_t rows, int64_t columns) {
  const bd_vendor_product *p = &plan->key.problem.product;
  const int64_t *strides = p->strides[operand];
  // A batch stride of zero is said by a size of one; such a dimension broadcasts. The library wants
  // the whole size from one of the two at least.
  const bool is_last_hope =
      operand == BD_VENDOR_LEFT && p->strides[BD_VENDOR_RIGHT][BD_VENDOR_BATCH] == 0;
  const bool is_repeated = p->batch > 1 && strides[BD_VENDOR_BATCH] == 0;
  const bool is_shared = p->batch == 1 || (is_repeated && !is_last_hope);
  const int64_t dims[3] = {is_shared ? 1 : p->batch, rows, columns};
  int64_t own[3] = {is_shared ? rows * columns : strides[BD_VENDOR_BATCH], strides[BD_VENDOR_ROW],
                    strides[BD_VENDOR_COLUMN]};
  const int skip = p->batch == 1 ? 1 : 0;
  const bool must_copy = !lay_out(own, rows, columns) || (is_repeated && is_last_hope);
  return bd_plan_describe(plan, operand, 3 - skip, dims + skip, own + skip, must_copy);
}

static bool build_product(bd_plan *plan, dnnl_engine_t engine) {
  const bd_vendor_product *p = &plan->key.problem.product;
  const bool is_row = is_row_bias(p);
  if (!describe_matrix(plan, BD_VENDOR_LEFT, p->m, p->k) ||
      !describe_matrix(plan, BD_VENDOR_RIGHT, p->k, p->n) ||
      !describe_matrix(plan, BD_VENDOR_OUT, p->m, p->n)) {
    return false;
  }
  if (is_row) {
    const int64_t dims[3] = {1, 1, p->n};
    const int64_t strides[3] = {p->n, p->n, 1};
    const int skip = p->batch == 1 ? 1 : 0;
    if (!bd_plan_describe(plan, BD_VENDOR_BIAS, 3 - skip, dims + skip, strides + skip, false)) {
      return false;
    }
  }
  dnnl_primitive_attr_t attr = make_attr(p->has_bias != 0 && !is_row);
  dnnl_primitive_attr_t plain_attr = make_attr(false);
  dnnl_primitive_desc_t desc = NULL;
  bd_desc_ref descs[BD_VENDOR_N_OPERANDS] = {NULL};
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    if (plan->operands[i].is_used) descs[i] = bd_desc_get(&plan->operands[i].outside);
  }
  const bool is_built = attr != NULL && plain_attr != NULL &&
                        bd_make_product(&desc, engine, descs, attr) &&
                        bd_plan_finish(plan, engine, desc, plain_attr);
  if (desc != NULL) (void)dnnl_primitive_desc_destroy(desc);
  if (attr != NULL) (void)dnnl_primitive_attr_destroy(attr);
  if (plain_attr != NULL) (void)dnnl_primitive_attr_destroy(plain_attr);
  return is_built;
}

// Whether the BLAS-like call is the faster one: by two to four times where a factor is a vector, by
// a fifth for a large product that takes its right factor row-major. For a transposed weight the
// primitive is the faster one, and spreads the elements of a batch over the threads.
static bool prefers_sgemm(const bd_vendor_product *p) {
  const bool is_vector = p->m == 1 || p->n == 1;
  const bool is_large = p->batch == 1 && p->m >= 256 && p->n >= 256 && p->k >= 256;
  return is_vector || (is_large && p->strides[BD_VENDOR_RIGHT][BD_VENDOR_COLUMN] == 1);
}

static bool multiply_sgemm(const bd_vendor_product *p, const bd_vendor_data data) {
  static const char kTransposed[2] = {'T', 'N'};
  int64_t leading[BD_VENDOR_N_OPERANDS] = {0};
  char trans[BD_VENDOR_N_OPERANDS] = {0};
  for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) {
    const bool is_row_major = p->strides[o][BD_VENDOR_COLUMN] == 1;
    trans[o] = kTransposed[is_row_major ? 1 : 0];
    leading[o] = p->strides[o][is_row_major ? BD_VENDOR_ROW : BD_VENDOR_COLUMN];
  }
  if (p->has_bias != 0) bd_vendor_loop_fill(p, data);
  for (int64_t i = 0; i < p->batch; ++i) {
    float *matrices[BD_VENDOR_N_OPERANDS];
    for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) {
      matrices[o] = (float *)(void *)data[o];
      if (matrices[o] != NULL) matrices[o] += i * p->strides[o][BD_VENDOR_BATCH];
    }
    if (dnnl_sgemm(trans[BD_VENDOR_LEFT], trans[BD_VENDOR_RIGHT], p->m, p->n, p->k, 1.0F,
                   matrices[BD_VENDOR_LEFT], leading[BD_VENDOR_LEFT], matrices[BD_VENDOR_RIGHT],
                   leading[BD_VENDOR_RIGHT], p->has_bias != 0 ? 1.0F : 0.0F,
                   matrices[BD_VENDOR_OUT], leading[BD_VENDOR_OUT]) != dnnl_success) {
      return false;
    }
  }
  return true;
}

static bool multiply(const bd_vendor_product *product, const bd_vendor_data data) {
  bd_plan_key key;
  memset(&key, 0, sizeof(key));
  key.n_threads = bd_vendor_threads();
  bd_vendor_product *p = &key.problem.product;
  *p = *product;
  const bool is_left_plain = lay_out(p->strides[BD_VENDOR_LEFT], p->m, p->k);
  const bool is_right_plain = lay_out(p->strides[BD_VENDOR_RIGHT], p->k, p->n);
  if (!lay_out(p->strides[BD_VENDOR_OUT], p->m, p->n) ||
      p->strides[BD_VENDOR_OUT][BD_VENDOR_COLUMN] != 1) {
    return false;
  }
  if (p->dtype == BD_VENDOR_F32 && is_left_plain && is_right_plain && prefers_sgemm(p)) {
    return multiply_sgemm(p, data);
  }
  dnnl_engine_t engine = bd_plan_cache_engine();
  bd_plan *plan = plan_of(&key, p->dtype, engine, build_product);
  if (plan == NULL) return false;
  if (p->has_bias != 0 && !is_row_bias(p)) bd_vendor_loop_fill(p, data);
  return run_plan(plan, engine, data);
}

bool bd_vendor_library_multiply(const bd_vendor_product *product, const bd_vendor_data data) {
  if (atomic_load(&is_disabled)) return false;
  const int before = bd_vendor_threads_begin();
  const bool is_done = multiply(product, data);
  bd_vendor_threads_end(before);
  return is_done;
}

// Convolutions

static bool is_dense(int rank, const int64_t *dims, const int64_t *strides) {
  int64_t expected = 1;
  for (int i = rank - 1; i >= 0; --i) {
    if (strides[i] != expected) return false;
    expected *= dims[i];
  }
  return true;
}

// Describes the weight as the library numbers it: [groups,] filters, channels, window.
static bool describe_weight(bd_plan *plan) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  const int64_t *own = c->strides[BD_VENDOR_RIGHT];
  const int64_t filters = c->channels_out / c->groups;
  const int64_t channels = c->channels_in / c->groups;
  const bool is_transposed = c->is_transposed != 0;
  int64_t dims[BD_OPERAND_MAX_RANK] = {c->groups, filters, channels};
  int64_t strides[BD_OPERAND_MAX_RANK] = {own[0] * (is_transposed ? channels : filters),
                                          own[is_transposed ? 1 : 0], own[is_transposed ? 0 : 1]};
  for (int64_t i = 0; i < c->n_spatial; ++i) {
    dims[3 + i] = c->kernel[i];
    strides[3 + i] = own[2 + i];
  }
  const int skip = c->groups == 1 ? 1 : 0;
  return bd_plan_describe(plan, BD_VENDOR_RIGHT, 3 + (int)c->n_spatial - skip, dims + skip,
                          strides + skip, false);
}

static bool describe_image(bd_plan *plan, int operand, int64_t channels, const int64_t *size) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  int64_t dims[2 + BD_VENDOR_MAX_SPATIAL] = {c->batch, channels};
  int64_t strides[2 + BD_VENDOR_MAX_SPATIAL];
  memcpy(strides, c->strides[operand], sizeof(strides));
  for (int64_t i = 0; i < c->n_spatial; ++i) dims[2 + i] = size[i];
  return bd_plan_describe(plan, operand, 2 + (int)c->n_spatial, dims, strides, false);
}

// A window of one element is a matrix product, which is as fast on the caller's layouts and spares
// the reorders. For all others the library's own layouts are faster, the reorders counted in.
static bool is_pointwise(const bd_plan *plan) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  bool is_simple = c->groups == 1 && c->is_transposed == 0;
  for (int64_t i = 0; i < c->n_spatial; ++i) {
    is_simple = is_simple && c->kernel[i] == 1 && c->stride[i] == 1 && c->padding[i] == 0 &&
                c->out_size[i] == c->in_size[i];
  }
  const bd_operand *left = &plan->operands[BD_VENDOR_LEFT];
  const bd_operand *right = &plan->operands[BD_VENDOR_RIGHT];
  return is_simple && is_dense(left->rank, left->dims, left->strides) &&
         is_dense(right->rank, right->dims, right->strides);
}

static bd_window window_of(const bd_vendor_convolution *c) {
  bd_window window = {.is_transposed = c->is_transposed != 0};
  for (int64_t i = 0; i < c->n_spatial; ++i) {
    const int64_t reach = (c->kernel[i] - 1) * c->dilation[i] + 1;
    const int64_t larger = c->is_transposed != 0 ? c->in_size[i] : c->out_size[i];
    const int64_t smaller = c->is_transposed != 0 ? c->out_size[i] : c->in_size[i];
    window.stride[i] = c->stride[i];
    window.dilation[i] = c->dilation[i] - 1;
    window.padding_low[i] = c->padding[i];
    // May be negative, where the last window stops short of the edge; the library takes that.
    window.padding_high[i] = (larger - 1) * c->stride[i] + reach - smaller - c->padding[i];
  }
  return window;
}

// Makes the descriptors of what the primitive is asked for: the caller's layout for |is_plain| and
// for a bias, else whatever the library likes best.
static bool want_layouts(const bd_plan *plan, bool is_plain, bd_desc wanted[BD_VENDOR_N_OPERANDS]) {
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    const bd_operand *o = &plan->operands[i];
    if (!o->is_used) continue;
    const bool is_made = is_plain || i == BD_VENDOR_BIAS
                             ? bd_desc_copy(&wanted[i], bd_desc_get(&o->outside))
                             : bd_desc_init_any(&wanted[i], o->rank, o->dims, plan->type);
    if (!is_made) return false;
  }
  return true;
}

static bool build_convolution(bd_plan *plan, dnnl_engine_t engine) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  const bool has_bias = c->has_bias != 0;
  const bd_window window = window_of(c);
  if (!describe_image(plan, BD_VENDOR_LEFT, c->channels_in, c->in_size) || !describe_weight(plan) ||
      !describe_image(plan, BD_VENDOR_OUT, c->channels_out, c->out_size) ||
      (has_bias &&
       !bd_plan_describe(plan, BD_VENDOR_BIAS, 1, &c->channels_out, c->strides[BD_VENDOR_BIAS],
                         c->strides[BD_VENDOR_BIAS][0] != 1))) {
    return false;
  }
  bd_desc wanted[BD_VENDOR_N_OPERANDS];
  memset(wanted, 0, sizeof(wanted));
  dnnl_primitive_attr_t attr = make_attr(false);
  dnnl_primitive_desc_t desc = NULL;
  bool is_built = attr != NULL && want_layouts(plan, is_pointwise(plan), wanted);
  bd_desc_ref descs[BD_VENDOR_N_OPERANDS] = {NULL};
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    if (plan->operands[i].is_used) descs[i] = bd_desc_get(&wanted[i]);
  }
  is_built = is_built && bd_make_convolution(&desc, engine, &window, descs, attr) &&
             bd_plan_finish(plan, engine, desc, attr);
  if (desc != NULL) (void)dnnl_primitive_desc_destroy(desc);
  if (attr != NULL) (void)dnnl_primitive_attr_destroy(attr);
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) bd_desc_drop(&wanted[i]);
  return is_built;
}

bool bd_vendor_library_convolve(const bd_vendor_convolution *convolution,
                                const bd_vendor_data data) {
  if (atomic_load(&is_disabled)) return false;
  bd_plan_key key;
  memset(&key, 0, sizeof(key));
  key.is_convolution = 1;
  key.problem.convolution = *convolution;
  const int before = bd_vendor_threads_begin();
  key.n_threads = bd_vendor_threads();
  dnnl_engine_t engine = bd_plan_cache_engine();
  bd_plan *plan = plan_of(&key, convolution->dtype, engine, build_convolution);
  const bool is_done = plan != NULL && run_plan(plan, engine, data);
  bd_vendor_threads_end(before);
  return is_done;
}
