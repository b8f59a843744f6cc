// How each problem goes to oneDNN. The choices below were measured (tests/bench/vendor_libraries).
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "plugins/vendor/kernels.h"
#include "plugins/vendor/plan.h"
#include "plugins/vendor/threads.h"

static atomic_bool is_disabled;

void bd_vendor_library_enable(bool is_enabled) { atomic_store(&is_disabled, !is_enabled); }

void bd_vendor_library_shutdown(void) { bd_plan_cache_clear(); }

static float number(const bd_vendor_tail *tail, int i) {
  double value = 0;
  memcpy(&value, &tail->numbers[i], sizeof(value));
  return (float)value;
}

static bool append_activation(dnnl_post_ops_t ops, const bd_vendor_tail *tail) {
  static const dnnl_alg_kind_t kinds[BUDDY_VENDOR_N_ACTIVATIONS] = {
      [BUDDY_VENDOR_CLAMP] = dnnl_eltwise_clip,
      [BUDDY_VENDOR_RELU] = dnnl_eltwise_relu,
      [BUDDY_VENDOR_ELU] = dnnl_eltwise_elu,
      [BUDDY_VENDOR_SIGMOID] = dnnl_eltwise_logistic,
      [BUDDY_VENDOR_SILU] = dnnl_eltwise_swish,
      [BUDDY_VENDOR_HARDSWISH] = dnnl_eltwise_hardswish,
      [BUDDY_VENDOR_GELU_ERF] = dnnl_eltwise_gelu_erf,
      [BUDDY_VENDOR_GELU_TANH] = dnnl_eltwise_gelu_tanh,
      [BUDDY_VENDOR_TANH] = dnnl_eltwise_tanh,
  };
  if (tail->activation == BUDDY_VENDOR_NO_ACTIVATION) return true;
  const bool is_silu = tail->activation == BUDDY_VENDOR_SILU;
  return bd_append_eltwise(ops, kinds[tail->activation], is_silu ? 1.0F : number(tail, 0),
                           number(tail, 1));
}

// What the primitive does besides: adds to what the result holds, adds the plan's addend,
// activates.
static bool append_tail(bd_plan *plan, dnnl_post_ops_t ops, const bd_vendor_tail *tail,
                        bool is_accumulating) {
  if (is_accumulating && !bd_append_sum(ops)) return false;
  if (tail->has_addend != 0) {
    plan->addend_argument =
        DNNL_ARG_ATTR_MULTIPLE_POST_OP(is_accumulating ? 1 : 0) | DNNL_ARG_SRC_1;
    if (dnnl_post_ops_append_binary(ops, dnnl_binary_add, bd_desc_get(&plan->addend)) !=
        dnnl_success)
      return false;
  }
  return append_activation(ops, tail);
}

// Scratch memory comes from the caller: the library's own belongs to the thread that made the
// primitive. |tail| may be NULL.
static dnnl_primitive_attr_t make_attr(bd_plan *plan, const bd_vendor_tail *tail,
                                       bool is_accumulating) {
  dnnl_primitive_attr_t attr = NULL;
  dnnl_post_ops_t ops = NULL;
  if (dnnl_primitive_attr_create(&attr) != dnnl_success) return NULL;
  bool is_made =
      dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user) == dnnl_success;
  if (tail != NULL && is_made) {
    is_made = dnnl_post_ops_create(&ops) == dnnl_success &&
              append_tail(plan, ops, tail, is_accumulating) &&
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

// Packed weights in memory of a keeper begin with this.
typedef struct packed_head {
  _Alignas(64) int64_t format;  // bd_format_number; 0: packing failed
} packed_head;

static bool fill_packed(const bd_plan *plan, dnnl_engine_t engine, const bd_vendor_data data,
                        packed_head *head) {
  size_t capacity = 0;
  char *workspace = bd_plan_cache_take_workspace(plan->workspace_size, &capacity);
  if (workspace == NULL) return false;
  const bool is_done =
      plan->format != 0 && bd_plan_pack(plan, engine, workspace, data, (char *)(head + 1));
  bd_plan_cache_give_workspace(workspace, capacity);
  return is_done;
}

// The slot's memory, filled by this call if no other has done it; NULL for want of memory.
static packed_head *find_packed(const bd_plan *plan, dnnl_engine_t engine,
                                const bd_vendor_data data, const bd_vendor_kept *kept) {
  int32_t is_filled = 0;
  const size_t size = sizeof(packed_head) + bd_plan_packed_size(plan);
  packed_head *head = kept->keeper->get(kept->slot, (int64_t)size, &is_filled);
  if (head == NULL || is_filled != 0) return head;
  head->format = fill_packed(plan, engine, data, head) ? plan->format : 0;
  kept->keeper->filled(kept->slot);
  return head;
}

// A plan and its right operand, packed or NULL.
typedef struct ready {
  bd_plan *plan;
  char *packed;
} ready;

// Dynamic shapes make several problems of one weight, which is packed for the first of them: the
// others then take it as it is.
static ready make_ready(bd_plan_key *key, int64_t dtype, dnnl_engine_t engine, build_function build,
                        const bd_vendor_data data, const bd_vendor_kept *kept) {
  key->is_packing = kept != NULL ? 1 : 0;
  ready r = {plan_of(key, dtype, engine, build), NULL};
  if (r.plan == NULL || kept == NULL || bd_plan_packed_size(r.plan) == 0) return r;
  packed_head *head = find_packed(r.plan, engine, data, kept);
  if (head == NULL || head->format == 0) return r;
  if (head->format != r.plan->format) {
    key->format = head->format;
    bd_plan *other = plan_of(key, dtype, engine, build);
    if (other == NULL) return r;
    bd_plan_cache_release(r.plan);
    r.plan = other;
  }
  if (head->format == r.plan->format) r.packed = (char *)(head + 1);
  return r;
}

static bool run_ready(const ready *r, dnnl_engine_t engine, const bd_vendor_data data) {
  size_t capacity = 0;
  char *workspace = bd_plan_cache_take_workspace(r->plan->workspace_size, &capacity);
  bool is_done = false;
  if (workspace != NULL) {
    is_done = bd_plan_run(r->plan, engine, workspace, data, r->packed);
    bd_plan_cache_give_workspace(workspace, capacity);
  }
  bd_plan_cache_release(r->plan);
  return is_done;
}

// What the library is asked for as the layout of an operand that may be packed.
static bool want_packed(const bd_plan *plan, bd_desc *wanted) {
  const bd_operand *o = &plan->operands[BD_VENDOR_RIGHT];
  if (plan->key.format != 0) return bd_format_get(plan->key.format, wanted);
  return bd_desc_init_any(wanted, o->rank, o->dims, plan->type);
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
  if (p->tail.has_addend != 0 &&
      (!describe_matrix(plan, BD_VENDOR_ADDEND, p->m, p->n) ||
       !bd_desc_copy(&plan->addend, bd_desc_get(&plan->operands[BD_VENDOR_ADDEND].outside)))) {
    return false;
  }
  dnnl_primitive_attr_t attr = make_attr(plan, &p->tail, p->has_bias != 0 && !is_row);
  dnnl_primitive_attr_t plain_attr = make_attr(plan, NULL, false);
  dnnl_primitive_desc_t desc = NULL;
  bd_desc packed;
  memset(&packed, 0, sizeof(packed));
  bd_desc_ref descs[BD_VENDOR_N_OPERANDS] = {NULL};
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    if (plan->operands[i].is_used) descs[i] = bd_desc_get(&plan->operands[i].outside);
  }
  bool is_built = attr != NULL && plain_attr != NULL;
  if (plan->key.is_packing != 0) {
    is_built = is_built && want_packed(plan, &packed);
    descs[BD_VENDOR_RIGHT] = bd_desc_get(&packed);
  }
  is_built = is_built && bd_make_product(&desc, engine, descs, attr) &&
             bd_plan_finish(plan, engine, desc, plain_attr);
  if (desc != NULL) (void)dnnl_primitive_desc_destroy(desc);
  if (attr != NULL) (void)dnnl_primitive_attr_destroy(attr);
  if (plain_attr != NULL) (void)dnnl_primitive_attr_destroy(plain_attr);
  bd_desc_drop(&packed);
  return is_built;
}

// Whether the BLAS-like call is the faster one: by two to four times where a factor is a vector, by
// a fifth for a large product that takes its right factor row-major. For a transposed weight, or a
// packed one, the primitive is the faster one, and spreads the elements of a batch over the
// threads.
static bool prefers_sgemm(const bd_vendor_product *p, bool is_packing) {
  const bool is_vector = p->m == 1 || p->n == 1;
  const bool is_large = !is_packing && p->batch == 1 && p->m >= 256 && p->n >= 256 && p->k >= 256;
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
  if (p->tail.has_addend != 0 || p->tail.activation != BUDDY_VENDOR_NO_ACTIVATION)
    bd_vendor_loop_finish(p, data);
  return true;
}

static bool multiply(const bd_vendor_product *product, const bd_vendor_data data,
                     const bd_vendor_kept *kept) {
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
  if (p->dtype == BD_VENDOR_F32 && is_left_plain && is_right_plain &&
      prefers_sgemm(p, kept != NULL)) {
    return multiply_sgemm(p, data);
  }
  dnnl_engine_t engine = bd_plan_cache_engine();
  const ready r = make_ready(&key, p->dtype, engine, build_product, data, kept);
  if (r.plan == NULL) return false;
  if (p->has_bias != 0 && !is_row_bias(p)) bd_vendor_loop_fill(p, data);
  return run_ready(&r, engine, data);
}

bool bd_vendor_library_multiply(const bd_vendor_product *product, const bd_vendor_data data,
                                const bd_vendor_kept *kept) {
  if (atomic_load(&is_disabled)) return false;
  const int before = bd_vendor_threads_begin();
  const bool is_done = multiply(product, data, kept);
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
  plan->n_scaled = c->has_scale != 0 ? c->channels_out : 0;
  plan->scale_stride = c->strides[BD_VENDOR_SCALE][0];
  return bd_plan_describe(plan, BD_VENDOR_RIGHT, 3 + (int)c->n_spatial - skip, dims + skip,
                          strides + skip, c->has_scale != 0);
}

static bool describe_image(bd_plan *plan, int operand, int64_t channels, const int64_t *size) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  int64_t dims[2 + BD_VENDOR_MAX_SPATIAL] = {c->batch, channels};
  int64_t strides[2 + BD_VENDOR_MAX_SPATIAL];
  memcpy(strides, c->strides[operand], sizeof(strides));
  for (int64_t i = 0; i < c->n_spatial; ++i) dims[2 + i] = size[i];
  return bd_plan_describe(plan, operand, 2 + (int)c->n_spatial, dims, strides, false);
}

// Strides of an image whose channels lie innermost.
static void pixel_strides(const bd_operand *image, dnnl_dims_t strides) {
  int64_t stride = image->dims[1];
  strides[1] = 1;
  for (int i = image->rank - 1; i >= 2; --i) {
    strides[i] = stride;
    stride *= image->dims[i];
  }
  strides[0] = stride;
}

static bool is_pixels(const bd_operand *image) {
  dnnl_dims_t strides;
  pixel_strides(image, strides);
  for (int i = 0; i < image->rank; ++i) {
    if (image->dims[i] != 1 && image->strides[i] != strides[i]) return false;
  }
  return true;
}

static bool is_planes(const bd_operand *image) {
  return is_dense(image->rank, image->dims, image->strides);
}

// How the library is asked to read and write images.
typedef enum layout {
  AS_IS,   // as the caller has them
  PIXELS,  // with channels innermost
  ANY,     // as it likes best
} layout;

// A window of one element over planes is a matrix product, which is as fast on the caller's layouts
// and spares the reorders. For all others channels innermost are as fast as what the library
// chooses, and what the caller may have; but few primitives take groups of several channels so.
static layout choose_layout(const bd_plan *plan) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  const bool is_depthwise = c->groups == c->channels_in && c->groups == c->channels_out;
  if (c->is_transposed != 0) return ANY;
  if (c->groups != 1 && !is_depthwise) return c->tail.has_addend != 0 ? PIXELS : ANY;
  bool is_simple = c->groups == 1;
  for (int64_t i = 0; i < c->n_spatial; ++i) {
    is_simple = is_simple && c->kernel[i] == 1 && c->stride[i] == 1 && c->padding[i] == 0 &&
                c->out_size[i] == c->in_size[i];
  }
  is_simple = is_simple && is_planes(&plan->operands[BD_VENDOR_LEFT]) &&
              is_planes(&plan->operands[BD_VENDOR_OUT]) && c->tail.has_addend == 0;
  return is_simple ? AS_IS : PIXELS;
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

static bool want_image(const bd_plan *plan, int operand, layout chosen, bd_desc *wanted) {
  const bd_operand *o = &plan->operands[operand];
  dnnl_dims_t strides;
  if (chosen == ANY) return bd_desc_init_any(wanted, o->rank, o->dims, plan->type);
  if (chosen == AS_IS || is_pixels(o)) return bd_desc_copy(wanted, bd_desc_get(&o->outside));
  pixel_strides(o, strides);
  return bd_desc_init_strided(wanted, o->rank, o->dims, plan->type, strides);
}

// Makes the descriptors of what the primitive is asked for.
static bool want_layouts(bd_plan *plan, bd_desc wanted[BD_VENDOR_N_OPERANDS]) {
  const layout chosen = choose_layout(plan);
  const bool is_packing = plan->key.is_packing != 0;
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    const bd_operand *o = &plan->operands[i];
    if (!o->is_used) continue;
    bool is_made = false;
    if (i == BD_VENDOR_BIAS) {
      is_made = bd_desc_copy(&wanted[i], bd_desc_get(&o->outside));
    } else if (i == BD_VENDOR_RIGHT) {
      is_made = chosen == AS_IS && !is_packing ? bd_desc_copy(&wanted[i], bd_desc_get(&o->outside))
                                               : want_packed(plan, &wanted[i]);
    } else {
      is_made = want_image(plan, i, chosen, &wanted[i]);
    }
    if (!is_made) return false;
  }
  return !plan->operands[BD_VENDOR_ADDEND].is_used ||
         bd_desc_copy(&plan->addend, bd_desc_get(&wanted[BD_VENDOR_ADDEND]));
}

static bool describe_convolution(bd_plan *plan) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  return describe_image(plan, BD_VENDOR_LEFT, c->channels_in, c->in_size) &&
         describe_weight(plan) &&
         describe_image(plan, BD_VENDOR_OUT, c->channels_out, c->out_size) &&
         (c->tail.has_addend == 0 ||
          describe_image(plan, BD_VENDOR_ADDEND, c->channels_out, c->out_size)) &&
         (c->has_bias == 0 ||
          bd_plan_describe(plan, BD_VENDOR_BIAS, 1, &c->channels_out, c->strides[BD_VENDOR_BIAS],
                           c->strides[BD_VENDOR_BIAS][0] != 1));
}

static bool build_convolution(bd_plan *plan, dnnl_engine_t engine) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  const bd_window window = window_of(c);
  if (!describe_convolution(plan)) return false;
  bd_desc wanted[BD_VENDOR_N_OPERANDS];
  memset(wanted, 0, sizeof(wanted));
  bool is_built = want_layouts(plan, wanted);
  dnnl_primitive_attr_t attr = make_attr(plan, &c->tail, false);
  dnnl_primitive_attr_t plain_attr = make_attr(plan, NULL, false);
  dnnl_primitive_desc_t desc = NULL;
  bd_desc_ref descs[BD_VENDOR_N_OPERANDS] = {NULL};
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    if (plan->operands[i].is_used) descs[i] = bd_desc_get(&wanted[i]);
  }
  is_built = is_built && attr != NULL && plain_attr != NULL &&
             bd_make_convolution(&desc, engine, &window, descs, attr) &&
             bd_plan_finish(plan, engine, desc, plain_attr);
  if (desc != NULL) (void)dnnl_primitive_desc_destroy(desc);
  if (attr != NULL) (void)dnnl_primitive_attr_destroy(attr);
  if (plain_attr != NULL) (void)dnnl_primitive_attr_destroy(plain_attr);
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) bd_desc_drop(&wanted[i]);
  return is_built;
}

bool bd_vendor_library_convolve(const bd_vendor_convolution *convolution, const bd_vendor_data data,
                                const bd_vendor_kept *kept) {
  if (atomic_load(&is_disabled)) return false;
  bd_plan_key key;
  memset(&key, 0, sizeof(key));
  key.is_convolution = 1;
  key.problem.convolution = *convolution;
  const int before = bd_vendor_threads_begin();
  key.n_threads = bd_vendor_threads();
  dnnl_engine_t engine = bd_plan_cache_engine();
  const ready r = make_ready(&key, convolution->dtype, engine, build_convolution, data, kept);
  const bool is_done = r.plan != NULL && run_ready(&r, engine, data);
  bd_vendor_threads_end(before);
  return is_done;
}
