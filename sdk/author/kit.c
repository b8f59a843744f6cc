// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/kit.c: values, constants and ops by host services alone. */
#include "buddy/kit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sdk/author/kit_text.h"

static const buddy_ir_value no_value = {NULL};

static buddy_sv sv(const char *text) { return (buddy_sv){text, strlen(text)}; }

/* ---- Values ---------------------------------------------------------------------------------- */
static buddy_ir_value value_of(buddy_call *call, const buddy_value *value) {
  return be_host->ir_value(call, value);
}

buddy_ir_value bk_tensor(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind == BUDDY_ARG_TENSOR) return value_of(call, arg->as.tensor);
  be_fail(call, BUDDY_INVALID_ARGUMENT, "argument %zu is no tensor", i);
  return no_value;
}

const buddy_tensor_type *bk_operand_type(buddy_call *call, size_t i, buddy_dtype dtype) {
  const buddy_tensor_type *type = be_arg_type(call, i);
  return type ? type : be_type(call, dtype, 0, NULL);
}

buddy_ir_value bk_operand(buddy_call *call, size_t i, buddy_dtype dtype) {
  if (be_arg(call, i)->kind == BUDDY_ARG_TENSOR) return bk_tensor(call, i);
  return bk_splat(call, be_type(call, dtype, 0, NULL), be_float(call, i, 0));
}

/* ---- Numbers as text ------------------------------------------------------------------------- */
/* The bits of +inf, -inf and NaN. MLIR's numbers have no words for them. */
static const char *special_text(buddy_dtype dtype, double value) {
  const int which = isnan(value) ? 2 : value < 0 ? 1 : 0;
  static const char *const f16[] = {"0x7C00", "0xFC00", "0x7E00"};
  static const char *const bf16[] = {"0x7F80", "0xFF80", "0x7FC0"};
  static const char *const f32[] = {"0x7F800000", "0xFF800000", "0x7FC00000"};
  static const char *const f64[] = {"0x7FF0000000000000", "0xFFF0000000000000",
                                    "0x7FF8000000000000"};
  switch (dtype) {
    case BUDDY_F16:
    case BUDDY_C32:
      return f16[which];
    case BUDDY_BF16:
      return bf16[which];
    case BUDDY_F32:
    case BUDDY_C64:
      return f32[which];
    case BUDDY_F64:
    case BUDDY_C128:
      return f64[which];
    default:
      return NULL;
  }
}

const char *bk_number_text(buddy_call *call, buddy_dtype dtype, double value) {
  if (dtype == BUDDY_BOOL) return value != 0 ? "true" : "false";
  if (!be_is_float(dtype) && !be_is_complex(dtype)) {
    if (value >= -9.2e18 && value <= 9.2e18) return bk_format(call, "%lld", (long long)value);
    be_fail(call, BUDDY_INVALID_ARGUMENT, "%g is no integer", value);
    return NULL;
  }
  if (isfinite(value)) return bk_format(call, "%.17e", value);
  const char *special = special_text(dtype, value);
  if (!special)
    be_fail(call, BUDDY_UNSUPPORTED, "%g is no number of %s", value, bk_dtype_text(dtype));
  return special;
}

/* ---- Constants ------------------------------------------------------------------------------- */
static buddy_ir_value constant(buddy_call *call, const buddy_tensor_type *type,
                               buddy_ir_attr elements) {
  const bk_attribute attributes[] = {{"value", elements}, {NULL, {NULL}}};
  return bk_op(call, "arith.constant", type, NULL, 0, attributes);
}

buddy_ir_value bk_constant(buddy_call *call, const buddy_tensor_type *type, const void *bytes,
                           size_t n_bytes) {
  if (!type) return no_value;
  return constant(call, type, be_host->ir_attr_dense(call, type, bytes, n_bytes));
}

buddy_ir_value bk_splat(buddy_call *call, const buddy_tensor_type *type, double value) {
  if (!type) return no_value;
  const char *number = bk_number_text(call, type->dtype, value);
  if (!number) return no_value;
  if (!be_is_static(type)) return bk_fill(call, type, number);
  const char *type_text = bk_type_text(call, type);
  if (!type_text) return no_value;
  return constant(call, type,
                  be_is_complex(type->dtype)
                      ? bk_attr(call, "dense<(%s, 0.0)> : %s", number, type_text)
                      : bk_attr(call, "dense<%s> : %s", number, type_text));
}

/* ---- Ops ------------------------------------------------------------------------------------- */
buddy_ir_attr bk_attr(buddy_call *call, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = bk_vformat(call, format, args);
  va_end(args);
  return text ? be_host->ir_attr_parse(call, sv(text)) : (buddy_ir_attr){NULL};
}

buddy_ir_value bk_op(buddy_call *call, const char *name, const buddy_tensor_type *type,
                     const buddy_ir_value *operands, size_t n_operands,
                     const bk_attribute *attributes) {
  size_t n_attributes = 0;
  while (attributes && attributes[n_attributes].name) ++n_attributes;
  buddy_ir_named_attr *named = be_scratch(call, n_attributes, sizeof(*named));
  if (!type || !named) return no_value;
  for (size_t i = 0; i < n_attributes; ++i) {
    if (!attributes[i].value.ptr) return no_value;
    named[i] = (buddy_ir_named_attr){sv(attributes[i].name), attributes[i].value};
  }
  for (size_t i = 0; i < n_operands; ++i) {
    if (!operands[i].ptr) return no_value;
  }
  const buddy_ir_type result_type = be_host->ir_tensor_type(call, type);
  if (!result_type.ptr) return no_value;
  const buddy_ir_spec spec = {.struct_size = sizeof(spec),
                              .name = sv(name),
                              .operands = operands,
                              .n_operands = n_operands,
                              .result_types = &result_type,
                              .n_results = 1,
                              .attrs = named,
                              .n_attrs = n_attributes};
  buddy_ir_value result = no_value;
  return be_host->ir_op(call, &spec, &result) == BUDDY_OK ? result : no_value;
}

buddy_code bk_result(buddy_call *call, size_t i, buddy_ir_value value) {
  /* After a failure the host has its code already, and keeps that. */
  if (!value.ptr) return be_fail(call, BUDDY_INTERNAL, "nothing was built");
  return be_host->ir_set_result(call, i, value);
}
