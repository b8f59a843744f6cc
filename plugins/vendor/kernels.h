// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The vendor registry's run-time kernels: matrix products and convolutions of a tuned CPU library
 * (oneDNN), called from compiled MLIR.
 *
 * How compiled code calls them: as bk_call (buddy/kit.h) writes it, by the symbol
 * _mlir_ciface_buddy_vendor_matmul_f32 and the like, which is what these declarations bind to. A
 * tensor comes as an unranked memref, which does not carry its element type, so there is one
 * function per element type.
 *
 * What the caller owes:
 *   - Shapes agree as PyTorch's do, ranks are at most BUDDY_VENDOR_MAX_RANK; nothing is checked here.
 *   - out is allocated by the caller and overlaps no input. It need not be initialised. Where
 *     nothing else is said, it is row-major and contiguous.
 *   - Inputs may have any strides, zero and overlapping ones too: a transposed weight costs no copy,
 *     other layouts that the library cannot read are copied.
 *
 * Zero-size tensors are right: an empty reduction gives zero, plus the bias. When the library
 * refuses or fails, plain loops compute the same result; no kernel prints or ends the process.
 *
 * Threads: every kernel may be called from several threads at once. A call shares its work by the
 * crew that its thread was given last (buddy_crew_vendor); on a thread that was given none it does
 * all of it itself. The result has the same bits on any number of threads.
 *
 * Memory: primitives of the library are kept for the shapes used last, and a few buffers for the
 * largest shape seen. A weight in the order that the library likes best is kept by the keeper, if
 * there is one, which is then the program's memory. buddy_vendor_shutdown gives all of it back. */
#ifndef BUDDY_PLUGINS_VENDOR_KERNELS_H_
#define BUDDY_PLUGINS_VENDOR_KERNELS_H_

#include <stdbool.h>
#include <stdint.h>

#include "buddy/registry.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BUDDY_VENDOR_MAX_RANK 16

/* An unranked memref as MLIR's C interface passes it: descriptor points to {void *allocated; void
 * *aligned; int64_t offset; int64_t sizes[rank]; int64_t strides[rank]}. Offset and strides count
 * elements. */
typedef struct buddy_vendor_tensor {
  int64_t rank;
  void *descriptor;
} buddy_vendor_tensor;

/* Binds a declaration to the symbol that compiled code calls. */
#define BUDDY_VENDOR_KERNEL(name) \
  __asm__("_mlir_ciface_" #name) __attribute__((visibility("default")))

/* What a kernel does to each element before it stores it: activation(x), of up to two numbers. */
typedef enum buddy_vendor_activation {
  BUDDY_VENDOR_NO_ACTIVATION,
  BUDDY_VENDOR_CLAMP, /* between first and second */
  BUDDY_VENDOR_RELU,  /* first: the slope below 0 */
  BUDDY_VENDOR_ELU,   /* first: -1 times the lower limit */
  BUDDY_VENDOR_SIGMOID,
  BUDDY_VENDOR_SILU,
  BUDDY_VENDOR_HARDSWISH,
  BUDDY_VENDOR_GELU_ERF,
  BUDDY_VENDOR_GELU_TANH,
  BUDDY_VENDOR_TANH,
  BUDDY_VENDOR_N_ACTIVATIONS
} buddy_vendor_activation;

/* Which of the tensors that a kernel may do without are there; for the others any may be passed. */
enum { BUDDY_VENDOR_HAS_BIAS = 1, BUDDY_VENDOR_HAS_ADDEND = 2, BUDDY_VENDOR_HAS_SCALE = 4 };

/* out = activation(a @ b + bias + addend), @ as torch.matmul: a is [..., M, K], b is [..., K, N],
 * batch dimensions broadcast, a vector a is [1, K] and a vector b is [K, 1] with that dimension
 * missing in out. bias broadcasts to out, addend has its shape. With is_transposed not 0,
 * b is a matrix [N, K]. slot, keeper: as of buddy.keeps (buddy/runtime.h) for b. */
#define BUDDY_VENDOR_MATMUL(type)                                                                  \
  void buddy_vendor_matmul_##type(                                                                 \
      const buddy_vendor_tensor *a, const buddy_vendor_tensor *b, const buddy_vendor_tensor *bias, \
      const buddy_vendor_tensor *addend, const buddy_vendor_tensor *out, int64_t is_transposed,    \
      int64_t present, int64_t activation, double first, double second, int64_t slot,              \
      const buddy_keeper *keeper)
BUDDY_VENDOR_MATMUL(f32) BUDDY_VENDOR_KERNEL(buddy_vendor_matmul_f32);
BUDDY_VENDOR_MATMUL(bf16) BUDDY_VENDOR_KERNEL(buddy_vendor_matmul_bf16);

/* Convolution of one to three spatial dimensions S, as torch.nn.functional.conv_nd and
 * conv_transpose_nd: input is [N, C, S...] or [C, S...], weight is [O, C / groups, S...], or
 * [C, O / groups, S...] if transposed, bias is [O]. The filters are multiplied by scale, [O],
 * if there is one; not transposed ones. addend has the shape of out. parameters is a
 * memref<*xi64> of rank one, contiguous: transposed (0 or 1), groups, present, activation, then one
 * number per spatial dimension of each of stride, padding, dilation: 4 + 3 * S numbers. Padding is
 * that of the low side; the high side's, and the output padding of a transposed convolution, follow
 * from the shape of out, which may have any strides. slot, keeper: for weight and scale. */
#define BUDDY_VENDOR_CONVOLUTION(type)                                           \
  void buddy_vendor_convolution_##type(                                          \
      const buddy_vendor_tensor *input, const buddy_vendor_tensor *weight,       \
      const buddy_vendor_tensor *bias, const buddy_vendor_tensor *scale,         \
      const buddy_vendor_tensor *addend, const buddy_vendor_tensor *parameters,  \
      const buddy_vendor_tensor *out, double first, double second, int64_t slot, \
      const buddy_keeper *keeper)
BUDDY_VENDOR_CONVOLUTION(f32) BUDDY_VENDOR_KERNEL(buddy_vendor_convolution_f32);
BUDDY_VENDOR_CONVOLUTION(bf16) BUDDY_VENDOR_KERNEL(buddy_vendor_convolution_bf16);

#undef BUDDY_VENDOR_KERNEL

/* From now on kernels that this thread calls stay on it, and, with the second one, share their work
 * by the crew. As BUDDY_THREADS_FUNCTION and BUDDY_CREW_FUNCTION (buddy/runtime.h). */
__attribute__((visibility("default"))) void buddy_threads_vendor(int32_t n);
__attribute__((visibility("default"))) void buddy_crew_vendor(const buddy_crew *crew);

/* Whether the library computes in bfloat16 on this CPU: where there is AVX-512 with its
 * instructions for bytes and words, on which it emulates what is missing. Elsewhere the bf16
 * kernels are right but run the plain loops, so a row does better to decline. Asks the processor,
 * not the library, which rows are not to load. */
static inline bool buddy_vendor_is_bf16_fast(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#else
  return false;
#endif
}

/* Frees all that the kernels keep. No kernel may be running; a later call starts afresh. */
__attribute__((visibility("default"))) void buddy_vendor_shutdown(void);

#ifdef __cplusplus
}
#endif

#endif
