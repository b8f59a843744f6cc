// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/host_emit.c: services of emit(), handed on to the call's emitter once their
 * arguments are sound: a null handle must not reach MLIR, which does not look. */
#define _GNU_SOURCE
#include "core/registry/host_services.h"

#define MAX_OPERANDS 65536
#define MAX_RANK 64
#define MAX_IR_TEXT (1u << 20)

bool bd_host_is_in(buddy_call *call, bd_phase phase, const char *service) {
  if (!bd_call_is_usable(call)) return false;
  if (call->phase == phase) return true;
  if (call->phase == BD_PHASE_MATCH) {
    bd_call_fail(call, BUDDY_INTERNAL, "match must not build, but called %s", service);
  } else {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "%s is for %s() only", service,
                 phase == BD_PHASE_EMIT ? "emit" : "expand");
  }
  return false;
}

static bool is_emitting(buddy_call *call, const char *service) {
  return bd_host_is_in(call, BD_PHASE_EMIT, service);
}

/* An emitter that fails says why; this is for one that forgot. */
static void check_handle(buddy_call *call, const void *handle, const char *service) {
  if (!handle && call->code == BUDDY_OK) bd_call_fail(call, BUDDY_INTERNAL, "%s failed", service);
}

static bool accepts_type(buddy_call *call, const buddy_tensor_type *type, const char *service) {
  if (type && buddy_dtype_size(type->dtype) && type->rank <= MAX_RANK &&
      (!type->rank || type->dims))
    return true;
  bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "%s: the type is null or malformed", service);
  return false;
}

static bool accepts_text(buddy_call *call, buddy_sv text, const char *service) {
  if (text.data && text.size > 0) return true;
  bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "%s: the text is empty", service);
  return false;
}

buddy_ir_value bd_host_ir_value(buddy_call *call, const buddy_value *value) {
  buddy_ir_value result = {NULL};
  if (!is_emitting(call, "ir_value") || !bd_call_accepts_value(call, value, "ir_value"))
    return result;
  result = call->emitter->ir_value(call->emitter_state, call, value);
  check_handle(call, result.ptr, "ir_value");
  return result;
}

buddy_ir_type bd_host_ir_tensor_type(buddy_call *call, const buddy_tensor_type *type) {
  buddy_ir_type result = {NULL};
  if (!is_emitting(call, "ir_tensor_type") || !accepts_type(call, type, "ir_tensor_type"))
    return result;
  result = call->emitter->ir_tensor_type(call->emitter_state, call, type);
  check_handle(call, result.ptr, "ir_tensor_type");
  return result;
}

buddy_ir_type bd_host_ir_type_parse(buddy_call *call, buddy_sv text) {
  buddy_ir_type result = {NULL};
  if (!is_emitting(call, "ir_type_parse") || !accepts_text(call, text, "ir_type_parse"))
    return result;
  result = call->emitter->ir_type_parse(call->emitter_state, call, text);
  check_handle(call, result.ptr, "ir_type_parse");
  return result;
}

buddy_ir_attr bd_host_ir_attr_parse(buddy_call *call, buddy_sv text) {
  buddy_ir_attr result = {NULL};
  if (!is_emitting(call, "ir_attr_parse") || !accepts_text(call, text, "ir_attr_parse"))
    return result;
  result = call->emitter->ir_attr_parse(call->emitter_state, call, text);
  check_handle(call, result.ptr, "ir_attr_parse");
  return result;
}

buddy_ir_attr bd_host_ir_attr_dense(buddy_call *call, const buddy_tensor_type *type,
                                    const void *bytes, size_t n_bytes) {
  buddy_ir_attr result = {NULL};
  if (!is_emitting(call, "ir_attr_dense") || !accepts_type(call, type, "ir_attr_dense"))
    return result;
  if (!bytes && n_bytes > 0) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_attr_dense: %zu bytes, but the pointer is null",
                 n_bytes);
    return result;
  }
  result = call->emitter->ir_attr_dense(call->emitter_state, call, type, bytes, n_bytes);
  check_handle(call, result.ptr, "ir_attr_dense");
  return result;
}

buddy_ir_value bd_host_ir_dim(buddy_call *call, int64_t dim) {
  buddy_ir_value result = {NULL};
  if (!is_emitting(call, "ir_dim")) return result;
  result = call->emitter->ir_dim(call->emitter_state, call, dim);
  check_handle(call, result.ptr, "ir_dim");
  return result;
}

/* ---- Ops ---- */
static const char *broken_spec(const buddy_ir_spec *spec, const buddy_ir_value *out_results) {
  if (!spec || spec->struct_size < sizeof *spec)
    return "the spec is null, or its struct_size is not set";
  if (!spec->name.data || !spec->name.size) return "the op has no name";
  if (spec->n_operands > MAX_OPERANDS || (spec->n_operands && !spec->operands))
    return "operands are null or too many";
  if (spec->n_results > MAX_OPERANDS || (spec->n_results && !spec->result_types)) {
    return "result types are null or too many";
  }
  if (spec->n_attrs > MAX_OPERANDS || (spec->n_attrs && !spec->attrs))
    return "attributes are null or too many";
  return spec->n_results && !out_results ? "there is nowhere to put the results" : NULL;
}

/* Null if every handle is one; else what is null, and its number. */
static const char *find_null(const buddy_ir_spec *spec, size_t *out_i) {
  for (*out_i = 0; *out_i < spec->n_operands; ++*out_i) {
    if (!spec->operands[*out_i].ptr) return "operand";
  }
  for (*out_i = 0; *out_i < spec->n_results; ++*out_i) {
    if (!spec->result_types[*out_i].ptr) return "the type of result";
  }
  for (*out_i = 0; *out_i < spec->n_attrs; ++*out_i) {
    const buddy_ir_named_attr *attr = &spec->attrs[*out_i];
    if (!attr->attr.ptr || !attr->name.data || !attr->name.size) return "attribute";
  }
  return NULL;
}

static buddy_code check_op(buddy_call *call, const buddy_ir_spec *spec,
                           const buddy_ir_value *out_results) {
  const char *broken = broken_spec(spec, out_results);
  if (broken) return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_op: %s", broken);
  size_t i;
  const char *null = find_null(spec, &i);
  if (null) {
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_op '%.*s': %s %zu is null",
                        (int)(spec->name.size < 128 ? spec->name.size : 128), spec->name.data, null,
                        i);
  }
  if (++call->n_ops <= BD_MAX_CALL_OPS) return BUDDY_OK;
  return bd_call_fail(call, BUDDY_LIMIT, "built more than %d ops", BD_MAX_CALL_OPS);
}

buddy_code bd_host_ir_op(buddy_call *call, const buddy_ir_spec *spec, buddy_ir_value *out_results) {
  if (!is_emitting(call, "ir_op")) return BUDDY_INVALID_ARGUMENT;
  buddy_code code = check_op(call, spec, out_results);
  if (code == BUDDY_OK) code = call->emitter->ir_op(call->emitter_state, call, spec, out_results);
  if (code != BUDDY_OK && call->code == BUDDY_OK) bd_call_fail(call, code, "ir_op failed");
  for (size_t i = 0;
       code != BUDDY_OK && spec && out_results && i < spec->n_results && i < MAX_OPERANDS; ++i) {
    out_results[i] = (buddy_ir_value){NULL};
  }
  return code;
}

buddy_code bd_host_ir_set_result(buddy_call *call, size_t i, buddy_ir_value value) {
  if (!is_emitting(call, "ir_set_result")) return BUDDY_INVALID_ARGUMENT;
  const size_t n = buddy_node_n_results(call->node);
  if (i >= n)
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_set_result: result %zu of %zu", i, n);
  if (!value.ptr)
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                        "ir_set_result: the value of result %zu is null", i);
  const buddy_code code = call->emitter->ir_set_result(call->emitter_state, call, i, value);
  if (code != BUDDY_OK && call->code == BUDDY_OK) bd_call_fail(call, code, "ir_set_result failed");
  return code;
}

/* ---- Text ---- */
static const char *broken_text(buddy_sv text, const buddy_ir_value *operands, size_t n_operands,
                               const buddy_ir_value *out_results, size_t n_results) {
  if (!text.data || !text.size) return "the text is empty";
  if (text.size > MAX_IR_TEXT) return "the text has more than 1 MiB";
  if (n_operands > MAX_OPERANDS || (n_operands && !operands))
    return "operands are null or too many";
  if (n_results > MAX_OPERANDS || (n_results && !out_results)) {
    return "there is nowhere to put the results";
  }
  for (size_t i = 0; i < n_operands; ++i) {
    if (!operands[i].ptr) return "an operand is null";
  }
  return NULL;
}

buddy_code bd_host_ir_text(buddy_call *call, buddy_sv text, const buddy_ir_value *operands,
                           size_t n_operands, buddy_ir_value *out_results, size_t n_results) {
  if (!is_emitting(call, "ir_text")) return BUDDY_INVALID_ARGUMENT;
  const char *broken = broken_text(text, operands, n_operands, out_results, n_results);
  if (broken) return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_text: %s", broken);
  for (size_t i = 0; i < n_results; ++i) out_results[i] = (buddy_ir_value){NULL};
  if (!call->emitter->ir_text) {
    return bd_call_fail(call, BUDDY_UNSUPPORTED, "ir_text: this host reads no text");
  }
  const buddy_code code = call->emitter->ir_text(call->emitter_state, call, text, operands,
                                                 n_operands, out_results, n_results);
  if (code != BUDDY_OK && call->code == BUDDY_OK) bd_call_fail(call, code, "ir_text failed");
  return code;
}
