// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The parts of oneDNN's C API that differ between version 2 (Debian 12) and version 3, under one
 * name each. A memory descriptor is a struct in the one and a handle in the other, so it is made,
 * copied and dropped by functions. */
#ifndef BUDDY_PLUGINS_VENDOR_ONEDNN_API_H_
#define BUDDY_PLUGINS_VENDOR_ONEDNN_API_H_

#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_version.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/vendor/problem.h"

typedef dnnl_memory_desc_t bd_desc;

/* What a convolution primitive is made of; oneDNN counts a dilation of one as zero. */
typedef struct bd_window {
  bool is_transposed;
  dnnl_dims_t stride, dilation, padding_low, padding_high;
} bd_window;

/* Which of its implementations the library chose; NULL: it does not say. */
static inline const char *bd_primitive_name(const_dnnl_primitive_desc_t desc) {
  const char *name = NULL;
  const bool is_told =
      dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, &name) == dnnl_success;
  return is_told ? name : NULL;
}

/* The two bd_make functions take the layouts in the order of problem.h; that of a bias which is not
 * there is NULL. */

#if DNNL_VERSION_MAJOR >= 3

typedef const_dnnl_memory_desc_t bd_desc_ref;
static inline bd_desc_ref bd_desc_get(const bd_desc *desc) { return *desc; }
static inline void bd_desc_drop(bd_desc *desc) {
  if (*desc) (void)dnnl_memory_desc_destroy(*desc);
  *desc = NULL;
}
static inline bool bd_desc_copy(bd_desc *out, bd_desc_ref desc) {
  return dnnl_memory_desc_clone(out, desc) == dnnl_success;
}
static inline bool bd_desc_init_strided(bd_desc *out, int rank, const dnnl_dims_t dims,
                                        dnnl_data_type_t type, const dnnl_dims_t strides) {
  return dnnl_memory_desc_create_with_strides(out, rank, dims, type, strides) == dnnl_success;
}
static inline bool bd_desc_init_any(bd_desc *out, int rank, const dnnl_dims_t dims,
                                    dnnl_data_type_t type) {
  return dnnl_memory_desc_create_with_tag(out, rank, dims, type, dnnl_format_tag_any) ==
         dnnl_success;
}
static inline bool bd_append_sum(dnnl_post_ops_t ops) {
  return dnnl_post_ops_append_sum(ops, 1.0F, 0, dnnl_data_type_undef) == dnnl_success;
}
static inline bool bd_append_eltwise(dnnl_post_ops_t ops, dnnl_alg_kind_t kind, float alpha,
                                     float beta) {
  /* From 3.0 on this one is defined by its numbers. */
  if (kind == dnnl_eltwise_hardswish) alpha = 1.0F / 6, beta = 0.5F;
  return dnnl_post_ops_append_eltwise(ops, kind, alpha, beta) == dnnl_success;
}
static inline bool bd_make_product(dnnl_primitive_desc_t *out, dnnl_engine_t engine,
                                   const bd_desc_ref descs[BD_VENDOR_N_OPERANDS],
                                   const_dnnl_primitive_attr_t attr) {
  return dnnl_matmul_primitive_desc_create(out, engine, descs[BD_VENDOR_LEFT],
                                           descs[BD_VENDOR_RIGHT], descs[BD_VENDOR_BIAS],
                                           descs[BD_VENDOR_OUT], attr) == dnnl_success;
}
static inline bool bd_make_convolution(dnnl_primitive_desc_t *out, dnnl_engine_t engine,
                                       const bd_window *window,
                                       const bd_desc_ref descs[BD_VENDOR_N_OPERANDS],
                                       const_dnnl_primitive_attr_t attr) {
  if (window->is_transposed) {
    return dnnl_deconvolution_forward_primitive_desc_create(
               out, engine, dnnl_forward_inference, dnnl_deconvolution_direct,
               descs[BD_VENDOR_LEFT], descs[BD_VENDOR_RIGHT], descs[BD_VENDOR_BIAS],
               descs[BD_VENDOR_OUT], window->stride, window->dilation, window->padding_low,
               window->padding_high, attr) == dnnl_success;
  }
  return dnnl_convolution_forward_primitive_desc_create(
             out, engine, dnnl_forward_inference, dnnl_convolution_direct, descs[BD_VENDOR_LEFT],
             descs[BD_VENDOR_RIGHT], descs[BD_VENDOR_BIAS], descs[BD_VENDOR_OUT], window->stride,
             window->dilation, window->padding_low, window->padding_high, attr) == dnnl_success;
}

#else

typedef const dnnl_memory_desc_t *bd_desc_ref;
static inline bd_desc_ref bd_desc_get(const bd_desc *desc) { return desc; }
static inline void bd_desc_drop(bd_desc *desc) { (void)desc; }
static inline bool bd_desc_copy(bd_desc *out, bd_desc_ref desc) {
  if (desc) *out = *desc;
  return desc != NULL;
}
static inline bool bd_desc_init_strided(bd_desc *out, int rank, const dnnl_dims_t dims,
                                        dnnl_data_type_t type, const dnnl_dims_t strides) {
  return dnnl_memory_desc_init_by_strides(out, rank, dims, type, strides) == dnnl_success;
}
static inline bool bd_desc_init_any(bd_desc *out, int rank, const dnnl_dims_t dims,
                                    dnnl_data_type_t type) {
  return dnnl_memory_desc_init_by_tag(out, rank, dims, type, dnnl_format_tag_any) == dnnl_success;
}
static inline bool bd_append_sum(dnnl_post_ops_t ops) {
  return dnnl_post_ops_append_sum(ops, 1.0F) == dnnl_success;
}
static inline bool bd_append_eltwise(dnnl_post_ops_t ops, dnnl_alg_kind_t kind, float alpha,
                                     float beta) {
  return dnnl_post_ops_append_eltwise(ops, 1.0F, kind, alpha, beta) == dnnl_success;
}
static inline bool bd_make_product(dnnl_primitive_desc_t *out, dnnl_engine_t engine,
                                   const bd_desc_ref descs[BD_VENDOR_N_OPERANDS],
                                   const_dnnl_primitive_attr_t attr) {
  dnnl_matmul_desc_t op;
  return dnnl_matmul_desc_init(&op, descs[BD_VENDOR_LEFT], descs[BD_VENDOR_RIGHT],
                               descs[BD_VENDOR_BIAS], descs[BD_VENDOR_OUT]) == dnnl_success &&
         dnnl_primitive_desc_create(out, &op, attr, engine, NULL) == dnnl_success;
}
static inline bool bd_make_convolution(dnnl_primitive_desc_t *out, dnnl_engine_t engine,
                                       const bd_window *window,
                                       const bd_desc_ref descs[BD_VENDOR_N_OPERANDS],
                                       const_dnnl_primitive_attr_t attr) {
  if (window->is_transposed) {
    dnnl_deconvolution_desc_t op;
    return dnnl_dilated_deconvolution_forward_desc_init(
               &op, dnnl_forward_inference, dnnl_deconvolution_direct, descs[BD_VENDOR_LEFT],
               descs[BD_VENDOR_RIGHT], descs[BD_VENDOR_BIAS], descs[BD_VENDOR_OUT], window->stride,
               window->dilation, window->padding_low, window->padding_high) == dnnl_success &&
           dnnl_primitive_desc_create(out, &op, attr, engine, NULL) == dnnl_success;
  }
  dnnl_convolution_desc_t op;
  return dnnl_dilated_convolution_forward_desc_init(
             &op, dnnl_forward_inference, dnnl_convolution_direct, descs[BD_VENDOR_LEFT],
             descs[BD_VENDOR_RIGHT], descs[BD_VENDOR_BIAS], descs[BD_VENDOR_OUT], window->stride,
             window->dilation, window->padding_low, window->padding_high) == dnnl_success &&
         dnnl_primitive_desc_create(out, &op, attr, engine, NULL) == dnnl_success;
}

#endif

#endif
