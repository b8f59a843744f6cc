// How convolutions go to oneDNN.
#include <string.h>

#include "plugins/vendor/ready.h"
#include "plugins/vendor/threads.h"

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

static bool build_convolution(bd_plan *plan, dnnl_engine_t engine) {
  const bd_vendor_convolution *c = &plan->key.problem.convolution;
  const bd_window window = window_of(c);
  if (!describe_convolution(plan)) return false;
  bd_desc wanted[BD_VENDOR_N_OPERANDS];
  memset(wanted, 0, sizeof(wanted));
  bool is_built = want_layouts(plan, wanted);
  dnnl_primitive_attr_t attr = bd_make_attr(plan, &c->tail, false);
  dnnl_primitive_attr_t plain_attr = bd_make_attr(plan, NULL, false);
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
  if (bd_library_is_disabled()) return false;
  bd_plan_key key;
  memset(&key, 0, sizeof(key));
  key.is_convolution = 1;
  key.problem.convolution = *convolution;
  const int before = bd_vendor_threads_begin();
  key.n_threads = bd_vendor_threads();
  dnnl_engine_t engine = bd_plan_cache_engine();
  const bd_ready r = bd_ready_make(&key, convolution->dtype, engine, build_convolution, data, kept);
  const bool is_done = r.plan != NULL && bd_ready_run(&r, engine, data);
  bd_vendor_threads_end(before);
  return is_done;
}
