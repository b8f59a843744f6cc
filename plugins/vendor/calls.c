/* plugins/vendor/calls.c: what compiled code calls, and the kernels behind it. The tensors are the
 * kernels' own structs by another name. */
#include <string.h>

#include "plugins/vendor/kernels.h"
#include "plugins/vendor/rows.h"

_Static_assert(sizeof(bk_runtime_tensor) == sizeof(buddy_vendor_tensor), "one layout");
_Static_assert(offsetof(bk_runtime_tensor, memref) == offsetof(buddy_vendor_tensor, descriptor),
               "one layout");

typedef const bk_runtime_tensor *tensor;

static buddy_vendor_tensor plain(tensor t) { return (buddy_vendor_tensor){t->rank, t->memref}; }

/* A matrix turned by its strides: the same memory, and no copy. */
typedef struct turned {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} turned;

static buddy_vendor_tensor weight(tensor t, int64_t is_transposed, turned *room) {
  if (!is_transposed) return plain(t);
  *room = (turned){t->memref->allocated,
                   t->memref->aligned,
                   t->memref->offset,
                   {bk_size(t, 1), bk_size(t, 0)},
                   {bk_stride(t, 1), bk_stride(t, 0)}};
  return (buddy_vendor_tensor){2, room};
}

#define KERNELS(dtype)                                                                             \
  static void product_##dtype(tensor a, tensor b, tensor out, int64_t is_transposed) {             \
    turned room;                                                                                   \
    const buddy_vendor_tensor x = plain(a), y = weight(b, is_transposed, &room), z = plain(out);   \
    buddy_vendor_matmul_##dtype(&x, &y, &z);                                                       \
  }                                                                                                \
  static void product_bias_##dtype(tensor a, tensor b, tensor bias, tensor out,                    \
                                   int64_t is_transposed) {                                        \
    turned room;                                                                                   \
    const buddy_vendor_tensor x = plain(a), y = weight(b, is_transposed, &room), z = plain(out),   \
                              c = plain(bias);                                                     \
    buddy_vendor_matmul_bias_##dtype(&x, &y, &c, &z);                                              \
  }                                                                                                \
  static void convolution_##dtype(tensor in, tensor filter, tensor window, tensor out) {           \
    const buddy_vendor_tensor x = plain(in), y = plain(filter), z = plain(out), w = plain(window); \
    buddy_vendor_convolution_##dtype(&x, &y, &z, &w);                                              \
  }                                                                                                \
  static void convolution_bias_##dtype(tensor in, tensor filter, tensor bias, tensor window,       \
                                       tensor out) {                                               \
    const buddy_vendor_tensor x = plain(in), y = plain(filter), z = plain(out), w = plain(window), \
                              c = plain(bias);                                                     \
    buddy_vendor_convolution_bias_##dtype(&x, &y, &c, &z, &w);                                     \
  }
KERNELS(f32)
KERNELS(bf16)

#define SYMBOL(kernel) {"_mlir_ciface_vendor_" #kernel, (void (*)(void))kernel}
static const buddy_runtime_symbol symbols[] = {
    SYMBOL(product_f32),          SYMBOL(product_bf16),          SYMBOL(product_bias_f32),
    SYMBOL(product_bias_bf16),    SYMBOL(convolution_f32),       SYMBOL(convolution_bf16),
    SYMBOL(convolution_bias_f32), SYMBOL(convolution_bias_bf16),
};
static const buddy_runtime runtime = {sizeof(buddy_runtime), sizeof(symbols) / sizeof(symbols[0]),
                                      symbols};

const void *vd_extension(void *state, const char *id) {
  (void)state;
  return strcmp(id, BUDDY_RUNTIME_ID) == 0 ? &runtime : NULL;
}
