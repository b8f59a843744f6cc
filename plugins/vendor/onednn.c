// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How products go to oneDNN. The choices below were measured (tests/bench/vendor_libraries). */
#include <stdatomic.h>
#include <string.h>

#include "plugins/vendor/job.h"
#include "plugins/vendor/kernels.h"
#include "plugins/vendor/limits.h"

static atomic_bool is_disabled;

void bd_vendor_library_enable(bool is_enabled) { atomic_store(&is_disabled, !is_enabled); }
bool bd_library_is_disabled(void) { return atomic_load(&is_disabled); }

void bd_vendor_library_shutdown(void) { bd_plan_cache_clear(); }

/* Whether a matrix can be read as row-major or column-major with a leading dimension; strides that
 * do not matter, since there is one row or one column only, are then set so. */
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

/* Whether the bias is one row for the whole result, which the primitive adds by itself. Any other
 * bias is written to the result first and the product added to it. */
static bool is_row_bias(const bd_vendor_product *p) {
  const int64_t *strides = p->strides[BD_VENDOR_BIAS];
  return p->has_bias != 0 && (p->batch == 1 || strides[BD_VENDOR_BATCH] == 0) &&
         (p->m == 1 || strides[BD_VENDOR_ROW] == 0) &&
         (p->n == 1 || strides[BD_VENDOR_COLUMN] == 1);
}

static bool describe_matrix(bd_plan *plan, int operand, int64_t rows, int64_t columns) {
  const bd_vendor_product *p = &plan->key.problem.product;
  const int64_t *strides = p->strides[operand];
  /* A batch stride of zero is said by a size of one; such a dimension broadcasts. The library wants
   * the whole size from one of the two at least. */
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
  dnnl_primitive_attr_t attr = bd_make_attr(plan, &p->tail);
  dnnl_primitive_attr_t plain_attr = bd_make_attr(plan, NULL);
  dnnl_primitive_desc_t desc = NULL;
  bd_desc packed;
  memset(&packed, 0, sizeof(packed));
  bd_desc_ref descs[BD_VENDOR_N_OPERANDS] = {NULL};
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    if (plan->operands[i].is_used) descs[i] = bd_desc_get(&plan->operands[i].outside);
  }
  bool is_built = attr && plain_attr;
  if (plan->key.is_packing != 0) {
    is_built = is_built && bd_want_packed(plan, &packed);
    descs[BD_VENDOR_RIGHT] = bd_desc_get(&packed);
  }
  is_built = is_built && bd_make_product(&desc, engine, descs, attr) &&
             bd_plan_finish(plan, engine, desc, plain_attr);
  if (desc) (void)dnnl_primitive_desc_destroy(desc);
  if (attr) (void)dnnl_primitive_attr_destroy(attr);
  if (plain_attr) (void)dnnl_primitive_attr_destroy(plain_attr);
  bd_desc_drop(&packed);
  return is_built;
}

/* Whether the BLAS-like call is the faster one: by two to four times where a factor is a vector, by
 * a fifth for a large product that takes its right factor row-major. For a transposed weight, or a
 * packed one, the primitive is the faster one. */
static bool prefers_sgemm(const bd_vendor_product *p, bool is_packing) {
  const bool is_vector = p->m == 1 || p->n == 1;
  const bool is_large = !is_packing && p->batch == 1 && p->m >= 256 && p->n >= 256 && p->k >= 256;
  return is_vector || (is_large && p->strides[BD_VENDOR_RIGHT][BD_VENDOR_COLUMN] == 1);
}

/* A factor that is a vector takes the other one as it is, whatever may be kept. */
static bool is_vector(const bd_vendor_product *p) {
  return p->dtype == BD_VENDOR_F32 && (p->m == 1 || p->n == 1);
}

/* With is_added, the product is added to the result. */
static bool sgemm(const bd_vendor_product *p, bool is_added, const bd_vendor_data data) {
  static const char letters[2] = {'T', 'N'};
  int64_t leading[BD_VENDOR_N_OPERANDS] = {0};
  char trans[BD_VENDOR_N_OPERANDS] = {0};
  for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) {
    const bool is_row_major = p->strides[o][BD_VENDOR_COLUMN] == 1;
    trans[o] = letters[is_row_major ? 1 : 0];
    leading[o] = p->strides[o][is_row_major ? BD_VENDOR_ROW : BD_VENDOR_COLUMN];
  }
  for (int64_t i = 0; i < p->batch; ++i) {
    float *matrices[BD_VENDOR_N_OPERANDS];
    for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) {
      matrices[o] = (float *)(void *)data[o];
      if (matrices[o]) matrices[o] += i * p->strides[o][BD_VENDOR_BATCH];
    }
    if (dnnl_sgemm(trans[BD_VENDOR_LEFT], trans[BD_VENDOR_RIGHT], p->m, p->n, p->k, 1.0F,
                   matrices[BD_VENDOR_LEFT], leading[BD_VENDOR_LEFT], matrices[BD_VENDOR_RIGHT],
                   leading[BD_VENDOR_RIGHT], is_added ? 1.0F : 0.0F, matrices[BD_VENDOR_OUT],
                   leading[BD_VENDOR_OUT]) != dnnl_success) {
      return false;
    }
  }
  return true;
}

/* Adds a run of a product with a vector to the result. The library would begin its sums with what
 * the result holds: they would be one chain. So it gets a result of its own. */
static bool add_vector(const bd_vendor_product *p, const bd_vendor_data data) {
  size_t capacity = 0;
  const int64_t n = p->batch * p->m * p->n;
  bd_vendor_product run = *p;
  bd_vendor_data own;
  memcpy(own, data, sizeof(own));
  own[BD_VENDOR_OUT] = bd_plan_cache_take_workspace((size_t)n * sizeof(float), &capacity);
  if (!own[BD_VENDOR_OUT]) return false;
  int64_t *strides = run.strides[BD_VENDOR_OUT];
  strides[BD_VENDOR_BATCH] = p->m * p->n;
  strides[BD_VENDOR_ROW] = p->n;
  strides[BD_VENDOR_COLUMN] = 1;
  const bool is_done = sgemm(&run, false, own);
  if (is_done) bd_vendor_loop_add(p, own[BD_VENDOR_OUT], data);
  bd_plan_cache_give_workspace(own[BD_VENDOR_OUT], capacity);
  return is_done;
}

static bool multiply_sgemm(const bd_vendor_product *p, const bd_vendor_data data) {
  const bool is_added = p->tail.is_added != 0;
  const bool is_done = is_added && is_vector(p) ? add_vector(p, data) : sgemm(p, is_added, data);
  if (is_done && (p->tail.has_addend != 0 || p->tail.activation != BUDDY_VENDOR_NO_ACTIVATION))
    bd_vendor_loop_finish(p, data);
  return is_done;
}

/* ---- How a product is cut -------------------------------------------------------------------- */

typedef struct product_job {
  bd_job job;
  const bd_vendor_product *product;
  char *const *data;
  int64_t batch, rows, columns; /* of one part, at most */
  int64_t terms;                /* of one run */
} product_job;

/* Products of a vector with rows that lie one after the other are sums of many lanes each already.
 * Results in bf16 are no place to add up in. */
static int64_t run_terms(const bd_vendor_product *p) {
  enum { OF_ROWS = 4096, OF_VECTOR = 256, OF_MATRIX = 384, UNIT = 16 };
  if (p->dtype != BD_VENDOR_F32) return p->k;
  if (!is_vector(p)) return bd_run_length(p->k, OF_MATRIX, UNIT);
  const int64_t stride = p->m == 1 ? p->strides[BD_VENDOR_RIGHT][BD_VENDOR_ROW]
                                   : p->strides[BD_VENDOR_LEFT][BD_VENDOR_COLUMN];
  const bool is_rows = stride == 1 && p->m * p->n > 1;
  return bd_run_length(p->k, is_rows ? OF_ROWS : OF_VECTOR, UNIT);
}

/* Columns of a slice, of the right operand alone. The library's kernel takes 48 of them at a time,
 * and is fastest on a few hundred: a slice of the right factor then stays in the cache. A vector
 * reads each number once, and a row of them should be long. Of sums in runs a slice is no higher
 * than a run, and is wider. */
static int64_t slice_columns(const bd_vendor_product *p, int64_t terms) {
  if (p->batch > 1 || p->n < 192 || p->n * p->k < 32 * 1024) return p->n;
  const bool is_row_major = p->strides[BD_VENDOR_RIGHT][BD_VENDOR_COLUMN] == 1;
  if (is_vector(p) && is_row_major) return 1024;
  const int64_t n = terms < p->k ? 2 : 1;
  if (p->n < 1536 && p->k <= 1024) return 96 * n;
  return (p->n < 6144 ? 192 : 384) * n;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Rows are cut where columns and batch give too few parts. */
static product_job cut_product(const bd_vendor_product *p, char *const *data) {
  enum { LEAST_ROWS = 128, LEAST_WORK = 1 << 18 }; /* multiplications */
  product_job j = {.product = p, .data = data, .rows = p->m, .terms = run_terms(p)};
  j.columns = slice_columns(p, j.terms);
  const int64_t work = p->m * p->n * p->k;
  j.batch = larger(bd_pieces(p->batch, BD_WANTED_PARTS), bd_pieces(LEAST_WORK, work));
  if (j.batch > p->batch) j.batch = p->batch;
  const int64_t n = bd_pieces(p->n, j.columns) * bd_pieces(p->batch, j.batch);
  if (n < BD_WANTED_PARTS && work > LEAST_WORK) {
    const int64_t rows = bd_pieces(p->m, bd_pieces(BD_WANTED_PARTS, n));
    j.rows = larger((rows + 15) / 16 * 16, LEAST_ROWS);
  }
  j.job.n_slices = bd_pieces(p->n, j.columns);
  j.job.n_parts = bd_pieces(p->batch, j.batch) * bd_pieces(p->m, j.rows);
  j.job.n_runs = bd_pieces(p->k, j.terms);
  j.job.cost = j.batch * j.columns * (j.rows < p->m ? j.rows : p->m) * p->k / 8;
  return j;
}

static void describe_piece(const bd_job *job, const bd_piece *piece, bd_plan_key *key,
                           bd_vendor_data data) {
  const product_job *j = (const product_job *)(const void *)job;
  const int64_t size = job->dtype == BD_VENDOR_F32 ? 4 : 2;
  const int64_t n_rows = bd_pieces(j->product->m, j->rows);
  const int64_t batch = piece->part / n_rows * j->batch, row = piece->part % n_rows * j->rows;
  const int64_t column = piece->slice * j->columns, term = piece->run * j->terms;
  bd_vendor_product *p = &key->problem.product;
  *p = *j->product;
  p->batch = bd_piece_size(p->batch, j->batch, piece->part / n_rows);
  p->m = bd_piece_size(p->m, j->rows, piece->part % n_rows);
  p->n = bd_piece_size(p->n, j->columns, piece->slice);
  p->k = bd_piece_size(p->k, j->terms, piece->run);
  bd_take_run(piece->run, job->n_runs, &p->has_bias, &p->tail);
  for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) {
    if (!j->data[o]) continue;
    const int64_t *strides = p->strides[o];
    const int64_t at = batch * strides[BD_VENDOR_BATCH] +
                       (o == BD_VENDOR_RIGHT ? term : row) * strides[BD_VENDOR_ROW] +
                       (o == BD_VENDOR_LEFT ? term : column) * strides[BD_VENDOR_COLUMN];
    data[o] = j->data[o] + at * size;
  }
  (void)lay_out(p->strides[BD_VENDOR_LEFT], p->m, p->k);
  (void)lay_out(p->strides[BD_VENDOR_RIGHT], p->k, p->n);
  (void)lay_out(p->strides[BD_VENDOR_OUT], p->m, p->n);
}

static bool multiply_part(const bd_job *job, bd_plan_key *key, const bd_vendor_data data,
                          const bd_packed *packed) {
  bd_vendor_product *p = &key->problem.product;
  const bool is_left_plain = lay_out(p->strides[BD_VENDOR_LEFT], p->m, p->k);
  const bool is_right_plain = lay_out(p->strides[BD_VENDOR_RIGHT], p->k, p->n);
  if (!lay_out(p->strides[BD_VENDOR_OUT], p->m, p->n) ||
      p->strides[BD_VENDOR_OUT][BD_VENDOR_COLUMN] != 1) {
    return false;
  }
  const bool is_sgemm = p->dtype == BD_VENDOR_F32 && is_left_plain && is_right_plain &&
                        prefers_sgemm(p, packed->bytes != NULL);
  if (p->has_bias != 0 && (is_sgemm || !is_row_bias(p))) {
    bd_vendor_loop_fill(p, data);
    p->has_bias = 0;
    p->tail.is_added = 1;
  }
  if (is_sgemm) return multiply_sgemm(p, data);
  if (!bd_ready_run(key, job->dtype, build_product, data, packed)) return false;
  const int64_t sizes[] = {p->batch, p->m, p->n};
  bd_vendor_limit(&p->tail, p->dtype, 3, sizes, p->strides[BD_VENDOR_OUT], data[BD_VENDOR_OUT]);
  return true;
}

bool bd_vendor_library_multiply(const bd_vendor_product *product, const bd_vendor_data data,
                                const bd_vendor_kept *kept) {
  if (bd_library_is_disabled()) return false;
  product_job j = cut_product(product, data);
  j.job.dtype = product->dtype;
  j.job.build = build_product;
  j.job.describe = describe_piece;
  j.job.run = multiply_part;
  return bd_job_run(&j.job, is_vector(product) ? NULL : kept);
}
