// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/hostile/misuse.c: a registry whose rows misuse the host in every way that the host can see.
 * One op per way. */
#define _GNU_SOURCE
#include <pthread.h>
#include "../core/registry/plugins/portable.h"

static buddy_call *kept_call;
static const buddy_value *kept_value;

typedef buddy_code (*callback)(void *state, const buddy_op *self, buddy_call *call);

static const buddy_value *input(buddy_call *call) { return host->arg(call, 0)->as.tensor; }

/* ---- emit ---- */
static buddy_code build(buddy_call *call, size_t n) {
  const buddy_ir_type type = host->ir_tensor_type(call, host->result_type(call, 0));
  buddy_ir_value value = host->ir_value(call, input(call));
  const buddy_ir_spec spec = {.struct_size = sizeof spec,
                              .name = {"misuse.op", 9},
                              .operands = &value,
                              .n_operands = 1,
                              .result_types = &type,
                              .n_results = 1};
  buddy_ir_value result = {NULL};
  for (size_t i = 0; i < n; ++i) host->ir_op(call, &spec, &result);
  return host->ir_set_result(call, 0, result);
}

static buddy_code no_result(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  input(call);
  return BUDDY_OK;
}

static buddy_code null_operand(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  input(call);
  const buddy_ir_type type = host->ir_tensor_type(call, host->result_type(call, 0));
  const buddy_ir_value operand = {NULL};
  const buddy_ir_spec spec = {.struct_size = sizeof spec,
                              .name = {"misuse.op", 9},
                              .operands = &operand,
                              .n_operands = 1,
                              .result_types = &type,
                              .n_results = 1};
  buddy_ir_value result;
  host->ir_op(call, &spec, &result);
  host->ir_set_result(call, 0, result);
  return BUDDY_OK;
}

static buddy_code null_value(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  host->ir_value(call, NULL);
  return BUDDY_OK;
}

static buddy_code null_spec(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  buddy_ir_value result;
  return host->ir_op(call, NULL, &result);
}

static buddy_code null_call(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  buddy_ir_value result;
  const buddy_named_arg none = {NULL, {0, 0, 0, {0}}};
  const int is_silent =
      !host->scratch(NULL, 8) && host->decline(NULL, text("x")) == BUDDY_INVALID_ARGUMENT &&
      host->fail(NULL, BUDDY_INTERNAL, text("x")) == BUDDY_INVALID_ARGUMENT &&
      host->op_name(NULL).size == 0 && host->n_args(NULL) == 0 && !host->arg(NULL, 0) &&
      host->n_results(NULL) == 0 && !host->result_type(NULL, 0) && !host->value_type(NULL, NULL) &&
      host->dim(NULL, BUDDY_DIM_ADD, 1, 1) == 0 &&
      host->node(NULL, "x", &none, 0, NULL, 0, NULL) == BUDDY_INVALID_ARGUMENT &&
      host->replace(NULL, 0, NULL) == BUDDY_INVALID_ARGUMENT && !host->ir_value(NULL, NULL).ptr &&
      !host->ir_tensor_type(NULL, NULL).ptr && !host->ir_type_parse(NULL, text("x")).ptr &&
      !host->ir_attr_parse(NULL, text("x")).ptr && !host->ir_attr_dense(NULL, NULL, NULL, 0).ptr &&
      !host->ir_dim(NULL, 0).ptr && host->ir_op(NULL, NULL, &result) == BUDDY_INVALID_ARGUMENT &&
      host->ir_set_result(NULL, 0, (buddy_ir_value){NULL}) == BUDDY_INVALID_ARGUMENT &&
      !host->extension("nobody.has/1");
  return host->decline(call,
                       is_silent ? text("null calls are refused") : text("a null call was taken"));
}

static buddy_code result_out_of_range(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->ir_set_result(call, 5, host->ir_value(call, input(call)));
}

static buddy_code null_result(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  input(call);
  return host->ir_set_result(call, 0, (buddy_ir_value){NULL});
}

static buddy_code bad_texts(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  host->ir_type_parse(call, (buddy_sv){NULL, 5});
  return BUDDY_OK;
}

static buddy_code unparsed(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  host->ir_type_parse(call, text("!nonsense"));
  return BUDDY_OK;
}

static buddy_code endless_ops(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return build(call, 65537);
}

static buddy_code unknown_code(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  build(call, 1);
  return 77;
}

static buddy_code negative_code(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  build(call, 1);
  return -1;
}

static buddy_code unread(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return build(call, 1);
}

static buddy_code fail_with_ok(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  build(call, 1);
  host->fail(call, BUDDY_OK, (buddy_sv){NULL, 3});
  return BUDDY_OK;
}

static buddy_code fail_with_decline(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->fail(call, BUDDY_DECLINED, text("a \x01 strange\xFF reason"));
}

static buddy_code node_in_emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_value *result;
  host->node(call, "misuse.plain.default", NULL, 0, NULL, 0, &result);
  return build(call, 1);
}

/* ---- asking ---- */
static buddy_code argument_out_of_range(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->arg(call, 9) ? BUDDY_INTERNAL : BUDDY_OK;
}

static buddy_code type_out_of_range(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->result_type(call, 9) ? BUDDY_INTERNAL : BUDDY_OK;
}

static buddy_code type_of_null(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->value_type(call, NULL) ? BUDDY_INTERNAL : BUDDY_OK;
}

static buddy_code keep_value(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  kept_value = input(call);
  return build(call, 1);
}

static buddy_code foreign_value(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->value_type(call, kept_value) ? BUDDY_INTERNAL : BUDDY_OK;
}

static buddy_code by_zero(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  host->dim(call, BUDDY_DIM_FLOORDIV, 1, 0);
  return BUDDY_OK;
}

static buddy_code dim_op(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  host->dim(call, 99, 1, 1);
  return BUDDY_OK;
}

static buddy_code huge_scratch(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->scratch(call, SIZE_MAX - 8) ? BUDDY_INTERNAL : BUDDY_OK;
}

static buddy_code keep_call(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  kept_call = call;
  return build(call, 1);
}

static buddy_code use_kept_call(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_code code = host->decline(kept_call, text("from the grave"));
  if (code != BUDDY_INVALID_ARGUMENT || host->arg(kept_call, 0)) return BUDDY_INTERNAL;
  return build(call, 1);
}

static void *ask_on_thread(void *call) {
  host->arg(call, 0);
  return NULL;
}

static buddy_code other_thread(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  pthread_t thread;
  if (!pthread_create(&thread, NULL, ask_on_thread, call)) pthread_join(thread, NULL);
  return build(call, 1);
}

static buddy_code match_builds(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  host->ir_type_parse(call, text("f32"));
  return BUDDY_OK;
}

static buddy_code match_expands(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_value *result;
  host->node(call, "misuse.plain.default", NULL, 0, NULL, 0, &result);
  return BUDDY_OK;
}

static buddy_code plain(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return build(call, 1);
}

/* ---- expand ---- */
static buddy_named_arg self_arg(buddy_call *call) {
  buddy_named_arg arg = {"self", {BUDDY_ARG_TENSOR, 0, 0, {0}}};
  arg.arg.as.tensor = input(call);
  return arg;
}

static buddy_code add_node(buddy_call *call, const char *op, const buddy_tensor_type *type,
                           const buddy_value **out_result) {
  const buddy_named_arg args[] = {self_arg(call)};
  return host->node(call, op, args, 1, type, 1, out_result);
}

static buddy_code no_replacement(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_value *result;
  return add_node(call, "misuse.plain.default", host->result_type(call, 0), &result);
}

static buddy_code wrong_type(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const int64_t dims[] = {3};
  const buddy_tensor_type type = {BUDDY_F64, 1, dims};
  const buddy_value *result;
  if (add_node(call, "misuse.plain.default", &type, &result)) return BUDDY_INTERNAL;
  host->replace(call, 0, result);
  return BUDDY_OK;
}

static buddy_code wrong_dims(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const int64_t dims[] = {3};
  const buddy_tensor_type type = {BUDDY_F32, 1, dims};
  const buddy_value *result;
  if (add_node(call, "misuse.plain.default", &type, &result)) return BUDDY_INTERNAL;
  return host->replace(call, 0, result);
}

static buddy_code unknown_op(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_value *result;
  return add_node(call, "misuse.nowhere.default", host->result_type(call, 0), &result);
}

static buddy_code unknown_argument(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  buddy_named_arg arg = self_arg(call);
  arg.name = "myself";
  const buddy_value *result;
  return host->node(call, "misuse.plain.default", &arg, 1, host->result_type(call, 0), 1, &result);
}

static buddy_code null_op(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_value *result;
  return host->node(call, NULL, NULL, 0, NULL, 0, &result);
}

static buddy_code null_tensor(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  buddy_named_arg arg = self_arg(call);
  arg.arg.as.tensor = NULL;
  const buddy_value *result;
  return host->node(call, "misuse.plain.default", &arg, 1, host->result_type(call, 0), 1, &result);
}

static buddy_code null_list(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  buddy_named_arg arg = self_arg(call);
  arg.arg = (buddy_arg){BUDDY_ARG_INTS, 0, 5, {0}};
  const buddy_value *result;
  return host->node(call, "misuse.plain.default", &arg, 1, host->result_type(call, 0), 1, &result);
}

static buddy_code unknown_kind(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  buddy_named_arg arg = self_arg(call);
  arg.arg.kind = 4711;
  const buddy_value *result;
  return host->node(call, "misuse.plain.default", &arg, 1, host->result_type(call, 0), 1, &result);
}

static buddy_code bad_type(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type type = {BUDDY_F32, 4000000000u, NULL};
  const buddy_value *result;
  return add_node(call, "misuse.plain.default", &type, &result);
}

static buddy_code endless_nodes(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_value *result;
  while (add_node(call, "misuse.plain.default", host->result_type(call, 0), &result) == BUDDY_OK) {
  }
  return BUDDY_OK;
}

static buddy_code replace_out_of_range(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return host->replace(call, 3, input(call));
}

static buddy_code replace_by_null(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  input(call);
  return host->replace(call, 0, NULL);
}

static buddy_code emit_in_expand(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  input(call);
  host->ir_dim(call, 1);
  return BUDDY_OK;
}

#define EMITS(name_, function) \
  {.name = "misuse." #name_ ".default", .args = "self", .emit = function}
#define EXPANDS(name_, function) \
  {.name = "misuse." #name_ ".default", .args = "self", .expand = function}
#define MATCHES(name_, function) \
  {.name = "misuse." #name_ ".default", .args = "self", .match = function, .emit = plain}
static const buddy_op ops[] = {
    EMITS(plain, plain),
    EMITS(no_result, no_result),
    EMITS(null_operand, null_operand),
    EMITS(null_value, null_value),
    EMITS(null_spec, null_spec),
    EMITS(null_call, null_call),
    EMITS(result_out_of_range, result_out_of_range),
    EMITS(null_result, null_result),
    EMITS(bad_texts, bad_texts),
    EMITS(unparsed, unparsed),
    EMITS(endless_ops, endless_ops),
    EMITS(unknown_code, unknown_code),
    EMITS(negative_code, negative_code),
    {.name = "misuse.unread.default", .args = "self, alpha", .emit = unread},
    EMITS(fail_with_ok, fail_with_ok),
    EMITS(fail_with_decline, fail_with_decline),
    EMITS(node_in_emit, node_in_emit),
    MATCHES(argument_out_of_range, argument_out_of_range),
    MATCHES(type_out_of_range, type_out_of_range),
    MATCHES(type_of_null, type_of_null),
    EMITS(keep_value, keep_value),
    MATCHES(foreign_value, foreign_value),
    MATCHES(by_zero, by_zero),
    MATCHES(dim_op, dim_op),
    MATCHES(huge_scratch, huge_scratch),
    EMITS(keep_call, keep_call),
    EMITS(use_kept_call, use_kept_call),
    EMITS(other_thread, other_thread),
    MATCHES(match_builds, match_builds),
    MATCHES(match_expands, match_expands),
    EXPANDS(no_replacement, no_replacement),
    EXPANDS(wrong_type, wrong_type),
    EXPANDS(wrong_dims, wrong_dims),
    EXPANDS(unknown_op, unknown_op),
    EXPANDS(unknown_argument, unknown_argument),
    EXPANDS(null_op, null_op),
    EXPANDS(null_tensor, null_tensor),
    EXPANDS(null_list, null_list),
    EXPANDS(unknown_kind, unknown_kind),
    EXPANDS(bad_type, bad_type),
    EXPANDS(endless_nodes, endless_nodes),
    EXPANDS(replace_out_of_range, replace_out_of_range),
    EXPANDS(replace_by_null, replace_by_null),
    EXPANDS(emit_in_expand, emit_in_expand),
};

/* All ops have one schema; the host of the test defines it under each name. */
BUDDY_REGISTRY(misuse, "1.0.0", "hostile tests", "MIT", 0u, ops, .open = open_registry);
