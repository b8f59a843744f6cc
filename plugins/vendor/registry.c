// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/vendor/registry.c: a real CPU library behind the same table as everything else: products
 * and convolutions become calls of oneDNN. It is what a vendor with tuned kernels would ship: rows
 * in one file, and the kernels' glue in another, which is loaded when compiled code calls it. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "buddy/extensions.h"
#include "plugins/vendor/kernels.h"
#include "plugins/vendor/rows.h"

#define TAKEN (BUDDY_DTYPE_BIT(BUDDY_F32) | BUDDY_DTYPE_BIT(BUDDY_BF16))
#define PRODUCT(name_, args_, ...)                                                    \
  {                                                                                   \
    .name = name_, .args = args_, .in_dtypes = TAKEN, .out_dtypes = TAKEN,            \
    .match = vd_match_product, .emit = vd_emit_product, .user = &(const vd_product) { \
      __VA_ARGS__                                                                     \
    }                                                                                 \
  }
#define CONVOLUTION(name_, args_, ...)                                                        \
  {                                                                                           \
    .name = name_, .args = args_, .in_dtypes = TAKEN, .out_dtypes = TAKEN, .match = vd_match, \
    .emit = vd_emit_convolution, .user = &(const vd_window) {                                 \
      __VA_ARGS__                                                                             \
    }                                                                                         \
  }
#define PLAIN VD_NONE, VD_NONE, VD_NO_TAIL
#define SHORT "input, weight, bias, stride, padding, dilation, groups"

static const buddy_op ops[] = {
    PRODUCT("aten.linear.default", "input, weight, bias", 0, 1, 2, 1, PLAIN),
    PRODUCT("aten.mm.default", "self, mat2", 0, 1, VD_NONE, 0, PLAIN),
    PRODUCT("aten.bmm.default", "self, mat2", 0, 1, VD_NONE, 0, PLAIN),
    PRODUCT("aten.matmul.default", "self, other", 0, 1, VD_NONE, 0, PLAIN),
    PRODUCT("aten.mv.default", "self, vec", 0, 1, VD_NONE, 0, PLAIN),
    PRODUCT("aten.addmm.default", "self, mat1, mat2, beta, alpha", 1, 2, 0, 0, 3, VD_NONE,
            VD_NO_TAIL),
    PRODUCT("aten.baddbmm.default", "self, batch1, batch2, beta, alpha", 1, 2, 0, 0, 3, VD_NONE,
            VD_NO_TAIL),
    PRODUCT("vendor.product.default",
            "input, weight, bias, addend, transposed, activation, first, second", 0, 1, 2, 0,
            VD_NONE, 4, {3, 5}),
    CONVOLUTION(
        "aten.convolution.default",
        "input, weight, bias, stride, padding, dilation, transposed, output_padding, groups", 3, 4,
        5, 6, 8, VD_NONE, VD_NO_TAIL),
    CONVOLUTION("aten.conv1d.default", SHORT, 3, 4, 5, VD_NONE, 6, VD_NONE, VD_NO_TAIL),
    CONVOLUTION("aten.conv2d.default", SHORT, 3, 4, 5, VD_NONE, 6, VD_NONE, VD_NO_TAIL),
    CONVOLUTION("aten.conv3d.default", SHORT, 3, 4, 5, VD_NONE, 6, VD_NONE, VD_NO_TAIL),
    CONVOLUTION("vendor.convolution.default",
                "input, weight, bias, scale, addend, stride, padding, dilation, groups, "
                "activation, first, second",
                5, 6, 7, VD_NONE, 8, 3, {4, 9}),
};

/* What a product and the ops after it become (fusion.c). activation(first, second): by the names
 * there. A product's weight is [n, k] if it is transposed. */
#define TAIL "str activation=\"none\", float first=0.0, float second=0.0"
static const char *const schemas[] = {
    "vendor::product(Tensor input, Tensor weight, Tensor? bias, Tensor? addend, bool "
    "transposed, " TAIL ") -> Tensor",
    "vendor::convolution(Tensor input, Tensor weight, Tensor? bias, Tensor? scale, Tensor? addend, "
    "int[] stride, int[] padding, int[] dilation, int groups, " TAIL ") -> Tensor",
    NULL};

/* Compiled code calls the kernels' C interfaces, which are in the library below. */
#define SYMBOL(kernel) {"_mlir_ciface_" #kernel, NULL}
static const buddy_runtime_symbol symbols[] = {
    SYMBOL(buddy_vendor_matmul_f32),         SYMBOL(buddy_vendor_matmul_bf16),
    SYMBOL(buddy_vendor_convolution_f32),    SYMBOL(buddy_vendor_convolution_bf16),
    {BUDDY_THREADS_FUNCTION "vendor", NULL}, {BUDDY_CREW_FUNCTION "vendor", NULL},
};
static const buddy_runtime runtime = {sizeof(buddy_runtime), sizeof(symbols) / sizeof(symbols[0]),
                                      symbols};

/* Whoever calls the kernels loads this file beside the registry's, and oneDNN with it. */
#define LIBRARY "libbuddy_vendor.so"
static const buddy_ahead ahead = {.struct_size = sizeof(ahead), .file = LIBRARY};

static const void *extension(void *state, const char *id) {
  (void)state;
  if (strcmp(id, BUDDY_RUNTIME_ID) == 0) return &runtime;
  if (strcmp(id, BUDDY_TRANSFORMS_ID) == 0) return &vd_transforms;
  return strcmp(id, BUDDY_AHEAD_ID) == 0 ? &ahead : NULL;
}

/* Gives back what the kernels keep, if they were loaded at all: from beside this file. */
static void close_kernels(void *state) {
  void (*shutdown)(void);
  char path[4096];
  Dl_info self;
  (void)state;
  if (dladdr(&ahead, &self) == 0) return;
  const char *slash = strrchr(self.dli_fname, '/');
  const int n = slash ? (int)(slash + 1 - self.dli_fname) : 0;
  if (snprintf(path, sizeof(path), "%.*s" LIBRARY, n, self.dli_fname) >= (int)sizeof(path)) return;
  void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  void *address = library ? dlsym(library, "buddy_vendor_shutdown") : NULL;
  memcpy(&shutdown, &address, sizeof(shutdown));
  if (address) shutdown();
  if (library) dlclose(library);
}

static const char *const dialects[] = {"arith", "bufferization", "func", "memref", NULL};

BUDDY_REGISTRY(vendor, "0.1.0", "buddy", "Apache-2.0", 0, ops, .dialects = dialects,
               .schemas = schemas, .open = be_open, .close = close_kernels, .extension = extension);
