// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Plans found or made, and operands packed for them. */
#include "plugins/vendor/ready.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "plugins/vendor/kernels.h"
#include "plugins/vendor/limits.h"

static float number(const bd_vendor_tail *tail, int i) {
  double value = 0;
  memcpy(&value, &tail->numbers[i], sizeof(value));
  return (float)value;
}

static bool append_activation(dnnl_post_ops_t ops, const bd_vendor_tail *tail) {
  static const dnnl_alg_kind_t kinds[BUDDY_VENDOR_N_ACTIVATIONS] = {
      [BUDDY_VENDOR_RELU] = dnnl_eltwise_relu,
      [BUDDY_VENDOR_ELU] = dnnl_eltwise_elu,
      [BUDDY_VENDOR_SIGMOID] = dnnl_eltwise_logistic,
      [BUDDY_VENDOR_SILU] = dnnl_eltwise_swish,
      [BUDDY_VENDOR_HARDSWISH] = dnnl_eltwise_hardswish,
      [BUDDY_VENDOR_GELU_ERF] = dnnl_eltwise_gelu_erf,
      [BUDDY_VENDOR_GELU_TANH] = dnnl_eltwise_gelu_tanh,
      [BUDDY_VENDOR_TANH] = dnnl_eltwise_tanh,
  };
  if (tail->activation == BUDDY_VENDOR_NO_ACTIVATION || bd_vendor_is_limit(tail)) return true;
  const bool is_silu = tail->activation == BUDDY_VENDOR_SILU;
  return bd_append_eltwise(ops, kinds[tail->activation], is_silu ? 1.0F : number(tail, 0),
                           number(tail, 1));
}

/* What the primitive does besides: adds to what the result holds, adds the plan's addend,
 * activates. */
static bool append_tail(bd_plan *plan, dnnl_post_ops_t ops, const bd_vendor_tail *tail) {
  if (tail->is_added != 0 && !bd_append_sum(ops)) return false;
  plan->is_added = tail->is_added != 0;
  if (tail->has_addend != 0) {
    plan->addend_argument = DNNL_ARG_ATTR_MULTIPLE_POST_OP(plan->is_added ? 1 : 0) | DNNL_ARG_SRC_1;
    if (dnnl_post_ops_append_binary(ops, dnnl_binary_add, bd_desc_get(&plan->addend)) !=
        dnnl_success)
      return false;
  }
  return append_activation(ops, tail);
}

dnnl_primitive_attr_t bd_make_attr(bd_plan *plan, const bd_vendor_tail *tail) {
  dnnl_primitive_attr_t attr = NULL;
  dnnl_post_ops_t ops = NULL;
  if (dnnl_primitive_attr_create(&attr) != dnnl_success) return NULL;
  bool is_made =
      dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user) == dnnl_success;
  if (tail && is_made) {
    is_made = dnnl_post_ops_create(&ops) == dnnl_success && append_tail(plan, ops, tail) &&
              dnnl_primitive_attr_set_post_ops(attr, ops) == dnnl_success;
    if (ops) (void)dnnl_post_ops_destroy(ops);
  }
  if (is_made) return attr;
  (void)dnnl_primitive_attr_destroy(attr);
  return NULL;
}

/* Only one thread makes plans at a time, so that none is made twice. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static bd_plan *make_plan(const bd_plan_key *key, int64_t dtype, dnnl_engine_t engine,
                          bd_plan_build build) {
  bd_plan *plan = bd_plan_cache_find(key); /* another thread may have been faster */
  if (plan) return plan;
  plan = bd_plan_create(key, dtype);
  if (!plan) return NULL;
  if (build(plan, engine)) {
    bd_plan_cache_add(plan);
    return plan;
  }
  bd_plan_destroy(plan);
  return NULL;
}

bd_plan *bd_plan_of(const bd_plan_key *key, int64_t dtype, bd_plan_build build) {
  dnnl_engine_t engine = bd_plan_cache_engine();
  if (!engine) return NULL;
  bd_plan *plan = bd_plan_cache_find(key);
  if (plan) return plan;
  (void)pthread_mutex_lock(&making);
  plan = make_plan(key, dtype, engine, build);
  (void)pthread_mutex_unlock(&making);
  return plan;
}

bool bd_pack_by(const bd_plan *plan, const bd_vendor_data data, char *packed) {
  size_t capacity = 0;
  dnnl_engine_t engine = bd_plan_cache_engine();
  char *workspace = bd_plan_cache_take_workspace(plan->workspace_size, &capacity);
  if (!workspace) return false;
  const bool is_done = plan->format != 0 && bd_plan_pack(plan, engine, workspace, data, packed);
  bd_plan_cache_give_workspace(workspace, capacity);
  return is_done;
}

/* Dynamic shapes, and parts that are not all of one size, make several problems of one weight, which
 * is packed for the first of them: the others then take it as it is, and those that cannot, or not
 * fast, the weight. */
static bd_plan *plan_of_packed(bd_plan_key *key, int64_t dtype, bd_plan_build build,
                               int64_t format) {
  key->is_packing = true;
  bd_plan *plan = bd_plan_of(key, dtype, build);
  if (plan && plan->format == format) return plan;
  if (plan) bd_plan_cache_release(plan);
  key->format = format;
  plan = bd_plan_of(key, dtype, build);
  if (plan && plan->format == format && !plan->is_reference) return plan;
  if (plan) bd_plan_cache_release(plan);
  key->format = 0;
  key->is_packing = false;
  return NULL;
}

bool bd_ready_run(bd_plan_key *key, int64_t dtype, bd_plan_build build, const bd_vendor_data data,
                  const bd_packed *packed) {
  char *right = packed->bytes;
  bd_plan *plan = right ? plan_of_packed(key, dtype, build, packed->format) : NULL;
  if (!plan) {
    plan = bd_plan_of(key, dtype, build);
    right = NULL;
  }
  if (!plan) return false;
  size_t capacity = 0;
  char *workspace = bd_plan_cache_take_workspace(plan->workspace_size, &capacity);
  bool is_done = false;
  if (workspace) {
    is_done = bd_plan_run(plan, bd_plan_cache_engine(), workspace, data, right);
    bd_plan_cache_give_workspace(workspace, capacity);
  }
  bd_plan_cache_release(plan);
  return is_done;
}

bool bd_want_packed(const bd_plan *plan, bd_desc *wanted) {
  const bd_vendor_operand *o = &plan->operands[BD_VENDOR_RIGHT];
  if (plan->key.format != 0) return bd_format_get(plan->key.format, wanted);
  return bd_desc_init_any(wanted, o->rank, o->dims, plan->type);
}
