// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/choice.c: how a product or convolution is computed, told to who asks. */
#include "sdk/compile/kernels/choice.h"

#include "sdk/compile/kernels/table.h"
#include "sdk/compile/rewrite/origins.h"

void bd_choices_tell(bd_kernels *kernels, const buddy_compile_options *options) {
  kernels->options = options;
}

bd_plain bd_choices_plain(const bd_kernels *kernels) { return kernels->plain; }

buddy_code bd_choice_tell(bd_kernels *kernels, MlirOperation op, bd_choice choice) {
  const bool is_convolution =
      bd_op_starts_with(op, "linalg.conv_") || bd_op_starts_with(op, "linalg.depthwise_conv_");
  if (!choice.kernel && choice.is_slow)
    ++*(is_convolution ? &kernels->plain.n_convolutions : &kernels->plain.n_products);
  if (!kernels->options || !kernels->options->choice) return BUDDY_OK;
  bd_origin_text origin;
  bd_origin_read(mlirOperationGetLocation(op), &origin);
  const buddy_kernel_choice told = {.struct_size = sizeof(told),
                                    .op = is_convolution ? "convolution" : "product",
                                    .nodes = origin.nodes,
                                    .module = origin.module,
                                    .where = origin.where,
                                    .kernel = choice.kernel ? choice.kernel : "",
                                    .why = choice.why,
                                    .is_slow = choice.is_slow};
  kernels->options->choice(kernels->options->user, &told);
  return BUDDY_OK;
}
