// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/dist/rows.c: one collective is one call, which others see (BUDDY_CALL_EFFECTS). */
#include "plugins/dist/rows.h"

#include <stdbool.h>
#include <string.h>

static const char *text_of(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  return arg->kind == BUDDY_ARG_STRING ? arg->as.string : NULL;
}

/* ---- Matching -------------------------------------------------------------------------------- */
static buddy_code match_reduction(buddy_call *call, const ds_op *op) {
  const char *name = text_of(call, op->reduce_op);
  const int reduction = name ? ds_reduction_find(name) : -1;
  if (reduction < 0)
    return be_decline(call, "%s is no reduction of sum, avg, product, min, max, band, bor, bxor",
                      name ? name : "what is given");
  const char *refusal =
      ds_reduction_refuses((ds_reduction)reduction, be_arg_type(call, op->input)->dtype);
  return refusal ? be_decline(call, "%s", refusal) : BUDDY_OK;
}

/* True if all of a list of splits are the same, or there is none. */
static bool are_even(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind != BUDDY_ARG_INTS) return arg->kind == BUDDY_ARG_NONE;
  for (size_t k = 1; k < arg->n; ++k) {
    if (arg->as.ints[k] != arg->as.ints[0]) return false;
  }
  return true;
}

/* Two even lists need no numbers. Else both have them, one for each rank. */
static bool are_splits_known(buddy_call *call, const ds_op *op) {
  const buddy_arg *a = be_arg(call, op->out_splits), *b = be_arg(call, op->in_splits);
  if (are_even(call, op->out_splits) && are_even(call, op->in_splits)) return true;
  if (a->kind != BUDDY_ARG_INTS || b->kind != BUDDY_ARG_INTS || a->n != b->n) return false;
  for (size_t i = 0; i < a->n; ++i) {
    if (BUDDY_IS_SYMBOLIC(a->as.ints[i]) || BUDDY_IS_SYMBOLIC(b->as.ints[i])) return false;
  }
  return true;
}

buddy_code ds_match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const ds_op *op = self->user;
  const buddy_tensor_type *type = be_arg_type(call, op->input);
  if (!type) return be_decline(call, "the input is no tensor");
  if (type->dtype != be_result_type(call, 0)->dtype)
    return be_decline(call, "the result has another dtype than the input");
  const char *group = text_of(call, op->group);
  if (!group || !*group || strlen(group) > 255)
    return be_decline(call, "the group has no name of 1 to 255 letters");
  if (op->number != DS_NONE && be_int(call, op->number, 0) < 0)
    return be_decline(call, "a rank, or a number of ranks, is negative");
  if (op->out_splits != DS_NONE && !are_splits_known(call, op))
    return be_decline(call, "how the tensor is split is known only when the program runs");
  return op->reduce_op != DS_NONE ? match_reduction(call, op) : BUDDY_OK;
}

/* ---- Emission -------------------------------------------------------------------------------- */
/* Both lists, where one is not even. */
static size_t n_splits(buddy_call *call, const ds_op *op) {
  if (op->out_splits == DS_NONE) return 0;
  if (are_even(call, op->out_splits) && are_even(call, op->in_splits)) return 0;
  return be_arg(call, op->out_splits)->n;
}

static void write_splits(buddy_call *call, size_t i, size_t n, int64_t *out) {
  const buddy_arg *splits = be_arg(call, i);
  for (size_t k = 0; k < n && splits->n == n; ++k) out[k] = splits->as.ints[k];
}

/* What is asked, as the constant that DS_ASKED_N describes. */
static bk_input ask(buddy_call *call, const ds_op *op) {
  const char *name = text_of(call, op->group);
  if (!name) return (bk_input){{NULL}, NULL};
  const size_t splits = n_splits(call, op), n_name = strlen(name);
  const int64_t n = (int64_t)(DS_ASKED_N + 2 * splits + n_name);
  int64_t *asked = be_scratch(call, (size_t)n, sizeof(int64_t));
  const buddy_tensor_type *type = be_type(call, BUDDY_I64, 1, &n);
  if (!asked || !type) return (bk_input){{NULL}, NULL};
  asked[DS_ASKED_KIND] = op->kind;
  asked[DS_ASKED_DTYPE] = be_result_type(call, 0)->dtype;
  asked[DS_ASKED_REDUCTION] =
      op->reduce_op != DS_NONE ? ds_reduction_find(text_of(call, op->reduce_op)) : -1;
  asked[DS_ASKED_NUMBER] = op->number != DS_NONE ? be_int(call, op->number, 0) : -1;
  asked[DS_ASKED_N_SPLITS] = (int64_t)splits;
  asked[DS_ASKED_N_NAME] = (int64_t)n_name;
  int64_t *rest = asked + DS_ASKED_N;
  if (splits) {
    write_splits(call, op->out_splits, splits, rest);
    write_splits(call, op->in_splits, splits, rest + splits);
  }
  for (size_t i = 0; i < n_name; ++i) rest[2 * splits + i] = (unsigned char)name[i];
  return (bk_input){bk_constant(call, type, asked, (size_t)n * sizeof(int64_t)), type};
}

buddy_code ds_emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const ds_op *op = self->user;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const bk_input inputs[] = {ask(call, op),
                             {bk_tensor(call, op->input), be_arg_type(call, op->input)}};
  static const char *const symbols[] = {
#define SYMBOL(name, number, text, bytes) [number] = DS_CALL text,
      BUDDY_DTYPES(SYMBOL)
#undef SYMBOL
  };
  const bk_runtime_call spec = {.symbol = symbols[to->dtype],
                                .inputs = inputs,
                                .n_inputs = 2,
                                .outputs = &to,
                                .n_outputs = 1,
                                .effects = 1};
  buddy_ir_value result;
  const buddy_code code = bk_call(call, &spec, &result);
  return code == BUDDY_OK ? bk_result(call, 0, result) : code;
}

/* ---- Expansions ------------------------------------------------------------------------------ */
buddy_code ds_expand_wait(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return be_replace(call, 0, be_arg_value(call, 0));
}

buddy_code ds_expand_coalesced(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const ds_op *op = self->user;
  const buddy_arg *inputs = be_arg(call, op->input);
  buddy_named_arg args[5] = {{NULL, {0, 0, 0, {0}}}};
  size_t n = 1;
  if (op->reduce_op != DS_NONE) args[n++] = be_pass(call, "reduce_op", op->reduce_op);
  if (op->number != DS_NONE) args[n++] = be_pass(call, "group_size", op->number);
  args[n] = be_pass(call, "group_name", op->group);
  if (inputs->kind != BUDDY_ARG_TENSORS || inputs->n != be_host->n_results(call))
    return be_decline(call, "there is not one result for each tensor");
  for (size_t i = 0; i < inputs->n; ++i) {
    args[0] = be_t("input", inputs->as.tensors[i]);
    const buddy_value *one = be_node(call, op->single, be_result_type(call, i), args);
    const buddy_code code = be_replace(call, i, one);
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}
