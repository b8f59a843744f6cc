// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How convolutions go to oneDNN. */
#include <stdbool.h>
#include <string.h>

#include "plugins/vendor/job.h"
#include "plugins/vendor/limits.h"

static bool is_dense(int rank, const int64_t *dims, const int64_t *strides) {
  int64_t expected = 1;
  for (int i = rank - 1; i >= 0; --i) {
    if (dims[i] != 1 && strides[i] != expected) return false;
    expected *= dims[i];
  }
  return true;
}

/* Describes the weight as the library numbers it: [groups,] filters, channels, window. */
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

/* Strides of a dense image whose channels lie innermost. */
static void pixel_strides(const bd_vendor_operand *image, dnnl_dims_t strides) {
  int64_t stride = image->dims[1];
  strides[1] = 1;
  for (int i = image->rank - 1; i >= 2; --i) {
    strides[i] = stride;
    stride *= image->dims[i];
  }
  strides[0] = stride;
}

static void plane_strides(const bd_vendor_operand *image, dnnl_dims_t strides) {
  int64_t stride = 1;
  for (int i = image->rank - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= image->dims[i];
  }
}

static bool is_pixels(const bd_vendor_operand *image) {
  dnnl_dims_t strides;
  pixel_strides(image, strides);
  for (int i = 0; i < image->rank; ++i) {
    if (image->dims[i] != 1 && image->strides[i] != strides[i]) return false;
  }
  return true;
}

static bool is_planes(const bd_vendor_convolution *c, int operand, int64_t channels,
                      const int64_t *size) {
  int64_t dims[2 + BD_VENDOR_MAX_SPATIAL] = {c->batch, channels};
  for (int64_t i = 0; i < c->n_spatial; ++i) dims[2 + i] = size[i];
  return is_dense(2 + (int)c->n_spatial, dims, c->strides[operand]);
}

/* A window of one element over planes. */
static bool is_product_of_planes(const bd_vendor_convolution *c) {
  bool is_one = c->groups == 1 && c->is_transposed == 0 && c->tail.has_addend == 0;
  for (int64_t i = 0; i < c->n_spatial; ++i) {
    is_one = is_one && c->kernel[i] == 1 && c->stride[i] == 1 && c->padding[i] == 0 &&
             c->out_size[i] == c->in_size[i];
  }
  return is_one && is_planes(c, BD_VENDOR_LEFT, c->channels_in, c->in_size) &&
         is_planes(c, BD_VENDOR_OUT, c->channels_out, c->out_size);
}

/* How the library is asked to read and write images. */
typedef enum layout {
  AS_IS,  /* as the caller has them */
  PIXELS, /* with channels innermost */
  PLANES, /* with rows innermost */
  ANY,    /* as it likes best */
} layout;

/* A matrix product over planes is as fast on the caller's layouts, and spares the reorders. For all
 * others channels innermost are as fast as what the library chooses, and what the caller may have;
 * but few primitives take groups of several channels so. */
static layout choose_layout(const bd_plan *plan) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  const bool is_depthwise = c->groups == c->channels_in && c->groups == c->channels_out;
  if (c->is_transposed != 0) return ANY;
  if (c->groups != 1 && !is_depthwise) return c->tail.has_addend != 0 ? PIXELS : ANY;
  return is_product_of_planes(c) ? AS_IS : PIXELS;
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
    /* May be negative, where the last window stops short of the edge; the library takes that. */
    window.padding_high[i] = (larger - 1) * c->stride[i] + reach - smaller - c->padding[i];
  }
  return window;
}

/* oneDNN 2.6 forgets the addend where its convolution by matrix products has channels innermost. It
 * takes that one for frames too wide for its others; which these are depends on the processor. */
static bool forgets_addend(const bd_vendor_convolution *c, layout chosen,
                           const_dnnl_primitive_desc_t desc) {
  const char *name = bd_primitive_name(desc);
  return c->tail.has_addend != 0 && chosen == PIXELS && (!name || strstr(name, "gemm"));
}

static bool want_image(const bd_plan *plan, int operand, layout chosen, bd_desc *wanted) {
  const bd_vendor_operand *o = &plan->operands[operand];
  dnnl_dims_t strides;
  if (chosen == ANY) return bd_desc_init_any(wanted, o->rank, o->dims, plan->type);
  if (chosen == AS_IS || (chosen == PIXELS && is_pixels(o)))
    return bd_desc_copy(wanted, bd_desc_get(&o->outside));
  if (chosen == PIXELS)
    pixel_strides(o, strides);
  else
    plane_strides(o, strides);
  return bd_desc_init_strided(wanted, o->rank, o->dims, plan->type, strides);
}

/* Makes the descriptors of what the primitive is asked for. */
static bool want_layouts(bd_plan *plan, layout chosen, bd_desc wanted[BD_VENDOR_N_OPERANDS]) {
  const bool is_packing = plan->key.is_packing != 0;
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    const bd_vendor_operand *o = &plan->operands[i];
    if (!o->is_used) continue;
    bool is_made = false;
    if (i == BD_VENDOR_BIAS) {
      is_made = bd_desc_copy(&wanted[i], bd_desc_get(&o->outside));
    } else if (i == BD_VENDOR_RIGHT) {
      is_made = chosen == AS_IS && !is_packing ? bd_desc_copy(&wanted[i], bd_desc_get(&o->outside))
                                               : bd_want_packed(plan, &wanted[i]);
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

/* Makes the plan of a convolution that is described, on images that lie as chosen. */
static bool build_on(bd_plan *plan, dnnl_engine_t engine, layout chosen) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  const bd_window window = window_of(c);
  bd_desc wanted[BD_VENDOR_N_OPERANDS];
  memset(wanted, 0, sizeof(wanted));
  bool is_built = want_layouts(plan, chosen, wanted);
  dnnl_primitive_attr_t attr = bd_make_attr(plan, &c->tail);
  dnnl_primitive_attr_t plain_attr = bd_make_attr(plan, NULL);
  dnnl_primitive_desc_t desc = NULL;
  bd_desc_ref descs[BD_VENDOR_N_OPERANDS] = {NULL};
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    if (plan->operands[i].is_used) descs[i] = bd_desc_get(&wanted[i]);
  }
  is_built = is_built && attr && plain_attr &&
             bd_make_convolution(&desc, engine, &window, descs, attr) &&
             !forgets_addend(c, chosen, desc) && bd_plan_finish(plan, engine, desc, plain_attr);
  if (desc) (void)dnnl_primitive_desc_destroy(desc);
  if (attr) (void)dnnl_primitive_attr_destroy(attr);
  if (plain_attr) (void)dnnl_primitive_attr_destroy(plain_attr);
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) bd_desc_drop(&wanted[i]);
  return is_built;
}

static bool build_convolution(bd_plan *plan, dnnl_engine_t engine) {
  if (!describe_convolution(plan)) return false;
  const layout chosen = choose_layout(plan);
  return build_on(plan, engine, chosen) || (chosen == PIXELS && build_on(plan, engine, PLANES));
}

/* ---- How a convolution is cut ---------------------------------------------------------------- */

typedef struct convolution_job {
  bd_job job;
  const bd_vendor_convolution *convolution;
  char *const *data;
  int64_t filters, images, rows; /* of one part, at most; rows of the result */
  int64_t channels;              /* of one run */
  bool is_by_group;              /* each slice is a group */
} convolution_job;

/* Channels of a run. Those of a transposed one are enough by themselves, and a matrix product over
 * planes is cut by the library (measured: numbers of equal terms, 16,384 channels). Results in bf16
 * are no place to add up in. */
static int64_t run_channels(const bd_vendor_convolution *c) {
  enum { MOST = 576, UNIT = 16 }; /* terms, channels */
  const int64_t n = c->channels_in / c->groups;
  int64_t window = 1;
  for (int64_t i = 0; i < c->n_spatial; ++i) window *= c->kernel[i];
  if (c->dtype != BD_VENDOR_F32 || c->is_transposed != 0 || is_product_of_planes(c)) return n;
  return window < MOST / UNIT ? bd_run_length(n, MOST / window, UNIT) : (n < UNIT ? n : UNIT);
}

/* Filters of a slice, of the weight alone. A weight that does not fit into a processor's own cache
 * is read once, if each part has filters of its own; others have rows of the image of their own,
 * which then pass no further than they must. */
static int64_t slice_filters(const bd_vendor_convolution *c) {
  enum { LARGE_WEIGHT = 1 << 18, LEAST_SLICE = 1 << 17, FILTERS = 64 };
  int64_t n = c->channels_in; /* numbers of a filter */
  for (int64_t i = 0; i < c->n_spatial; ++i) n *= c->kernel[i];
  if (c->groups != 1 || n * c->channels_out < LARGE_WEIGHT) return c->channels_out;
  return FILTERS * bd_pieces(LEAST_SLICE, FILTERS * n);
}

/* One image is as far from the next one, which is not there, as it is large: the library's fast
 * primitives look at that number, too. */
static void close_up(bd_vendor_convolution *c) {
  int64_t in = c->channels_in, out = c->channels_out;
  for (int64_t i = 0; i < c->n_spatial; ++i) {
    in *= c->in_size[i];
    out *= c->out_size[i];
  }
  if (c->batch != 1) return;
  c->strides[BD_VENDOR_LEFT][0] = in;
  c->strides[BD_VENDOR_OUT][0] = out;
  if (c->tail.has_addend != 0) c->strides[BD_VENDOR_ADDEND][0] = out;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Rows of the input that rows [first, first + n) of the result read: [*low, *high). */
static void rows_read(const bd_vendor_convolution *c, int64_t first, int64_t n, int64_t *low,
                      int64_t *high) {
  *low = larger(first * c->stride[0] - c->padding[0], 0);
  *high = (first + n - 1) * c->stride[0] - c->padding[0] + (c->kernel[0] - 1) * c->dilation[0] + 1;
  if (*high > c->in_size[0]) *high = c->in_size[0];
}

/* Whether parts of so many rows all read some of the image. Those of a transposed one, and of a
 * matrix product over planes, are not rows. */
static bool can_cut_rows(const bd_vendor_convolution *c, int64_t rows) {
  if (c->is_transposed != 0 || is_product_of_planes(c)) return false;
  for (int64_t first = 0; first < c->out_size[0]; first += rows) {
    int64_t low = 0, high = 0;
    rows_read(c, first, bd_piece_size(c->out_size[0], rows, first / rows), &low, &high);
    if (low >= high) return false;
  }
  return true;
}

static convolution_job cut_convolution(const bd_vendor_convolution *c, char *const *data) {
  enum { LEAST_WORK = 1 << 22 }; /* multiplications */
  convolution_job j = {.convolution = c,
                       .data = data,
                       .filters = slice_filters(c),
                       .rows = c->out_size[0],
                       .channels = run_channels(c)};
  j.job.n_runs = bd_pieces(c->channels_in / c->groups, j.channels);
  /* The library takes the channels of a run of one group alone. */
  j.is_by_group = c->groups > 1 && j.job.n_runs > 1;
  if (j.is_by_group) j.filters = c->channels_out / c->groups;
  int64_t work = c->channels_out * c->channels_in / c->groups; /* of an image */
  for (int64_t i = 0; i < c->n_spatial; ++i) {
    work *= c->kernel[i] * (c->is_transposed != 0 ? c->in_size[i] : c->out_size[i]);
  }
  j.images = larger(bd_pieces(c->batch, BD_WANTED_PARTS), bd_pieces(LEAST_WORK, work + 1));
  if (j.images > c->batch) j.images = c->batch;
  j.job.n_slices = bd_pieces(c->channels_out, j.filters);
  const int64_t n = bd_pieces(c->batch, j.images) * j.job.n_slices;
  if (j.job.n_slices == 1 && n * 2 <= BD_WANTED_PARTS && j.images == 1) {
    const int64_t most = larger(work / LEAST_WORK, 1), wanted = BD_WANTED_PARTS / n;
    const int64_t rows = bd_pieces(c->out_size[0], most < wanted ? most : wanted);
    if (can_cut_rows(c, rows)) j.rows = rows;
  }
  j.job.n_parts = bd_pieces(c->batch, j.images) * bd_pieces(c->out_size[0], j.rows);
  j.job.cost = work * c->batch / j.job.n_slices / j.job.n_parts / 8;
  return j;
}

static void describe_piece(const bd_job *job, const bd_piece *piece, bd_plan_key *key,
                           bd_vendor_data data) {
  const convolution_job *j = (const convolution_job *)(const void *)job;
  const bd_vendor_convolution *whole = j->convolution;
  bd_vendor_convolution *c = &key->problem.convolution;
  const int64_t n_rows = bd_pieces(whole->out_size[0], j->rows),
                size = job->dtype == BD_VENDOR_F32 ? 4 : 2;
  const int64_t image = piece->part / n_rows * j->images, row = piece->part % n_rows * j->rows;
  const int64_t filter = piece->slice * j->filters, channel = piece->run * j->channels;
  const int64_t *weight = whole->strides[BD_VENDOR_RIGHT];
  int64_t at[BD_VENDOR_N_OPERANDS] = {0};
  key->is_convolution = true;
  *c = *whole;
  c->batch = bd_piece_size(whole->batch, j->images, piece->part / n_rows);
  c->channels_out = bd_piece_size(whole->channels_out, j->filters, piece->slice);
  if (job->n_runs > 1) {
    const int64_t n = whole->channels_in / whole->groups;
    c->groups = 1;
    c->channels_in = bd_piece_size(n, j->channels, piece->run);
    at[BD_VENDOR_LEFT] =
        ((j->is_by_group ? piece->slice * n : 0) + channel) * whole->strides[BD_VENDOR_LEFT][1];
    bd_take_run(piece->run, job->n_runs, &c->has_bias, &c->tail);
  }
  if (n_rows > 1) {
    int64_t low = 0, high = 0;
    c->out_size[0] = bd_piece_size(whole->out_size[0], j->rows, piece->part % n_rows);
    rows_read(whole, row, c->out_size[0], &low, &high);
    c->padding[0] = larger(whole->padding[0] - row * whole->stride[0], 0);
    c->in_size[0] = high - low;
    at[BD_VENDOR_LEFT] += low * whole->strides[BD_VENDOR_LEFT][2];
  }
  at[BD_VENDOR_LEFT] += image * whole->strides[BD_VENDOR_LEFT][0];
  at[BD_VENDOR_RIGHT] = filter * weight[whole->is_transposed != 0 ? 1 : 0] + channel * weight[1];
  at[BD_VENDOR_BIAS] = filter * whole->strides[BD_VENDOR_BIAS][0];
  at[BD_VENDOR_SCALE] = filter * whole->strides[BD_VENDOR_SCALE][0];
  static const int results[] = {BD_VENDOR_ADDEND, BD_VENDOR_OUT};
  for (int i = 0; i < 2; ++i) {
    const int64_t *strides = whole->strides[results[i]];
    at[results[i]] = image * strides[0] + filter * strides[1] + row * strides[2];
  }
  for (int o = 0; o < BD_VENDOR_N_OPERANDS; ++o) {
    if (j->data[o]) data[o] = j->data[o] + at[o] * size;
  }
  close_up(c);
}

static bool convolve_part(const bd_job *job, bd_plan_key *key, const bd_vendor_data data,
                          const bd_packed *packed) {
  if (!bd_ready_run(key, job->dtype, build_convolution, data, packed)) return false;
  const bd_vendor_convolution *c = &key->problem.convolution;
  int64_t sizes[2 + BD_VENDOR_MAX_SPATIAL] = {c->batch, c->channels_out};
  memcpy(sizes + 2, c->out_size, sizeof(c->out_size));
  bd_vendor_limit(&c->tail, c->dtype, 2 + c->n_spatial, sizes, c->strides[BD_VENDOR_OUT],
                  data[BD_VENDOR_OUT]);
  return true;
}

bool bd_vendor_library_convolve(const bd_vendor_convolution *convolution, const bd_vendor_data data,
                                const bd_vendor_kept *kept) {
  if (bd_library_is_disabled()) return false;
  convolution_job j = cut_convolution(convolution, data);
  j.job.dtype = convolution->dtype;
  j.job.build = build_convolution;
  j.job.describe = describe_piece;
  j.job.run = convolve_part;
  return bd_job_run(&j.job, kept);
}
