// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Making a plan of oneDNN primitives and reorders, and running it. */
#include "plugins/vendor/plan.h"

#include <stdlib.h>
#include <string.h>

static const int arguments[BD_VENDOR_N_OPERANDS] = {[BD_VENDOR_LEFT] = DNNL_ARG_SRC,
                                                    [BD_VENDOR_RIGHT] = DNNL_ARG_WEIGHTS,
                                                    [BD_VENDOR_BIAS] = DNNL_ARG_BIAS,
                                                    [BD_VENDOR_OUT] = DNNL_ARG_DST};

bd_plan *bd_plan_create(const bd_plan_key *key, int64_t dtype) {
  bd_plan *plan = calloc(1, sizeof(*plan));
  if (!plan) return NULL;
  memcpy(&plan->key, key, sizeof(*key));
  plan->type = dtype == BD_VENDOR_F32 ? dnnl_f32 : dnnl_bf16;
  return plan;
}

static void drop_step(bd_vendor_step *step) {
  if (step->primitive) (void)dnnl_primitive_destroy(step->primitive);
  bd_desc_drop(&step->scratch);
}

void bd_plan_destroy(bd_plan *plan) {
  if (!plan) return;
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    bd_desc_drop(&plan->operands[i].outside);
    bd_desc_drop(&plan->operands[i].inside);
    drop_step(&plan->operands[i].reorder);
  }
  drop_step(&plan->main);
  drop_step(&plan->fetch);
  bd_desc_drop(&plan->addend);
  free(plan);
}

bool bd_plan_describe(bd_plan *plan, int operand, int rank, const int64_t *dims,
                      const int64_t *strides, bool must_copy) {
  bd_vendor_operand *o = &plan->operands[operand];
  o->is_used = true;
  o->rank = rank;
  memcpy(o->dims, dims, (size_t)rank * sizeof(*dims));
  memcpy(o->strides, strides, (size_t)rank * sizeof(*strides));
  if (!must_copy && bd_desc_init_strided(&o->outside, rank, o->dims, plan->type, o->strides)) {
    return true;
  }
  /* The library refuses strides that overlap or repeat. A result cannot lie so. */
  if (operand == BD_VENDOR_OUT) return false;
  o->is_copied = true;
  dnnl_dims_t dense = {0};
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; --i) {
    dense[i] = stride;
    stride *= dims[i];
  }
  return bd_desc_init_strided(&o->outside, rank, o->dims, plan->type, dense);
}

static size_t reserve(bd_plan *plan, size_t size) {
  const size_t offset = plan->workspace_size;
  plan->workspace_size += (size + 63) / 64 * 64;
  return offset;
}

static bool make_step(bd_vendor_step *step, const_dnnl_primitive_desc_t desc) {
  const bd_desc_ref scratch = dnnl_primitive_desc_query_md(desc, dnnl_query_scratchpad_md, 0);
  if (scratch && !bd_desc_copy(&step->scratch, scratch)) return false;
  step->scratch_size = scratch ? dnnl_memory_desc_get_size(scratch) : 0;
  return dnnl_primitive_create(&step->primitive, desc) == dnnl_success;
}

/* A reorder of the library. */
static bool make_reorder(bd_vendor_step *step, dnnl_engine_t engine, bd_desc_ref from,
                         bd_desc_ref to, const_dnnl_primitive_attr_t attr) {
  dnnl_primitive_desc_t desc = NULL;
  if (dnnl_reorder_primitive_desc_create(&desc, from, engine, to, engine, attr) != dnnl_success)
    return false;
  const bool is_made = make_step(step, desc);
  (void)dnnl_primitive_desc_destroy(desc);
  return is_made;
}

static bool finish_operand(bd_plan *plan, int index, dnnl_engine_t engine, bd_desc_ref wanted,
                           const_dnnl_primitive_attr_t attr) {
  bd_vendor_operand *o = &plan->operands[index];
  if (!wanted || !bd_desc_copy(&o->inside, wanted)) return false;
  const bd_desc_ref outside = bd_desc_get(&o->outside);
  if (o->is_copied) o->copy_offset = reserve(plan, dnnl_memory_desc_get_size(outside));
  o->is_reordered = dnnl_memory_desc_equal(outside, bd_desc_get(&o->inside)) == 0;
  if (!o->is_reordered) return true;
  o->inside_offset = reserve(plan, dnnl_memory_desc_get_size(bd_desc_get(&o->inside)));
  if (index != BD_VENDOR_OUT) return make_reorder(&o->reorder, engine, outside, wanted, attr);
  return make_reorder(&o->reorder, engine, wanted, outside, attr) &&
         (!plan->is_added || make_reorder(&plan->fetch, engine, outside, wanted, attr));
}

bool bd_plan_finish(bd_plan *plan, dnnl_engine_t engine, const_dnnl_primitive_desc_t desc,
                    const_dnnl_primitive_attr_t attr) {
  static const struct {
    dnnl_query_t what;
    int index;
  } queries[BD_VENDOR_N_OPERANDS] = {[BD_VENDOR_LEFT] = {dnnl_query_src_md, 0},
                                     [BD_VENDOR_RIGHT] = {dnnl_query_weights_md, 0},
                                     [BD_VENDOR_BIAS] = {dnnl_query_weights_md, 1},
                                     [BD_VENDOR_OUT] = {dnnl_query_dst_md, 0}};
  if (!make_step(&plan->main, desc)) return false;
  const char *name = bd_primitive_name(desc);
  plan->is_reference = name && strncmp(name, "ref", 3) == 0;
  size_t scratch_size = plan->main.scratch_size;
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    if (!plan->operands[i].is_used) continue;
    const bd_desc_ref wanted = i == BD_VENDOR_ADDEND ? bd_desc_get(&plan->addend)
                                                     : dnnl_primitive_desc_query_md(
                                                           desc, queries[i].what, queries[i].index);
    if (!finish_operand(plan, i, engine, wanted, attr)) return false;
    const size_t size = plan->operands[i].reorder.scratch_size;
    if (size > scratch_size) scratch_size = size;
  }
  if (plan->fetch.scratch_size > scratch_size) scratch_size = plan->fetch.scratch_size;
  plan->scratch_offset = reserve(plan, scratch_size);
  if (plan->key.is_packing != 0)
    plan->format = bd_format_number(bd_desc_get(&plan->operands[BD_VENDOR_RIGHT].inside));
  return true;
}

static bool is_dense(const bd_vendor_operand *o) {
  int64_t stride = 1;
  for (int i = o->rank - 1; i >= 0; --i) {
    if (o->strides[i] != stride) return false;
    stride *= o->dims[i];
  }
  return true;
}

/* Copies strided data to row-major. The innermost dimension is a loop of its own, for speed. */
static void copy_dense(const bd_vendor_operand *o, size_t size, const char *from, char *to) {
  const int last = o->rank - 1;
  int64_t index[BD_OPERAND_MAX_RANK] = {0};
  const char *row = from;
  int dim = 0;
  if (is_dense(o)) {
    memcpy(to, from, dnnl_memory_desc_get_size(bd_desc_get(&o->outside)));
    return;
  }
  do {
    for (int64_t i = 0; i < o->dims[last]; ++i, to += size) {
      memcpy(to, row + i * o->strides[last] * (int64_t)size, size);
    }
    for (dim = last - 1; dim >= 0; --dim) {
      row += o->strides[dim] * (int64_t)size;
      if (++index[dim] < o->dims[dim]) break;
      row -= o->dims[dim] * o->strides[dim] * (int64_t)size;
      index[dim] = 0;
    }
  } while (dim >= 0);
}

/* One run of a plan: the library's objects that hold its pointers, freed together. */
typedef struct run {
  dnnl_engine_t engine;
  dnnl_stream_t stream;
  dnnl_memory_t memories[2 * BD_VENDOR_N_OPERANDS + 1 + BD_VENDOR_N_OPERANDS];
  int n_memories;
} run;

static dnnl_memory_t wrap(run *r, const bd_desc *desc, void *data) {
  dnnl_memory_t memory = NULL;
  if (dnnl_memory_create(&memory, bd_desc_get(desc), r->engine, data) != dnnl_success) return NULL;
  r->memories[r->n_memories++] = memory;
  return memory;
}

static bool execute(run *r, const bd_vendor_step *step, char *scratch, dnnl_exec_arg_t *args,
                    int n_args) {
  if (step->scratch_size > 0) {
    dnnl_memory_t memory = wrap(r, &step->scratch, scratch);
    if (!memory) return false;
    args[n_args++] = (dnnl_exec_arg_t){DNNL_ARG_SCRATCHPAD, memory};
  }
  return dnnl_primitive_execute(step->primitive, r->stream, n_args, args) == dnnl_success;
}

static bool reorder(run *r, const bd_vendor_step *step, char *scratch, dnnl_memory_t from,
                    dnnl_memory_t to) {
  dnnl_exec_arg_t args[3] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
  return execute(r, step, scratch, args, 2);
}

static size_t element_size(const bd_plan *plan) { return plan->type == dnnl_f32 ? 4 : 2; }

/* Multiplies the copies of filters, which lie one after the other. */
static void scale_filters(const bd_plan *plan, size_t n_bytes, const char *scale, char *filters) {
  const bool is_f32 = plan->type == dnnl_f32;
  const int64_t per_filter = (int64_t)(n_bytes / element_size(plan)) / plan->n_scaled;
  for (int64_t f = 0; f < plan->n_scaled; ++f) {
    bd_vendor_loop_scale(is_f32 ? BD_VENDOR_F32 : BD_VENDOR_BF16, per_filter,
                         scale + f * plan->scale_stride * (int64_t)element_size(plan),
                         filters + f * per_filter * (int64_t)element_size(plan));
  }
}

/* The operand's data in its outside layout. */
static char *copy_operand(const bd_plan *plan, int index, char *workspace,
                          const bd_vendor_data data) {
  const bd_vendor_operand *o = &plan->operands[index];
  if (!o->is_copied) return data[index];
  char *copy = workspace + o->copy_offset;
  copy_dense(o, element_size(plan), data[index], copy);
  if (index == BD_VENDOR_RIGHT && plan->n_scaled > 0) {
    scale_filters(plan, dnnl_memory_desc_get_size(bd_desc_get(&o->outside)), data[BD_VENDOR_SCALE],
                  copy);
  }
  return copy;
}

/* The operand as the primitive reads it, or, of the result, writes it; |*outside| is where the
 * result has to go in the end. NULL on failure. */
static dnnl_memory_t prepare(run *r, const bd_plan *plan, int index, char *workspace,
                             const bd_vendor_data data, dnnl_memory_t *outside) {
  const bd_vendor_operand *o = &plan->operands[index];
  dnnl_memory_t memory = wrap(r, &o->outside, copy_operand(plan, index, workspace, data));
  *outside = memory;
  if (!memory || !o->is_reordered) return memory;
  dnnl_memory_t inside = wrap(r, &o->inside, workspace + o->inside_offset);
  if (!inside || (index == BD_VENDOR_OUT && !plan->is_added)) return inside;
  const bd_vendor_step *step = index == BD_VENDOR_OUT ? &plan->fetch : &o->reorder;
  return reorder(r, step, workspace + plan->scratch_offset, memory, inside) ? inside : NULL;
}

static bool run_steps(run *r, const bd_plan *plan, char *workspace, const bd_vendor_data data,
                      char *packed) {
  dnnl_exec_arg_t args[BD_VENDOR_N_OPERANDS + 1];
  int n_args = 0;
  char *scratch = workspace + plan->scratch_offset;
  dnnl_memory_t out = NULL, result = NULL;
  for (int i = 0; i < BD_VENDOR_N_OPERANDS; ++i) {
    const bd_vendor_operand *o = &plan->operands[i];
    if (!o->is_used) continue;
    result = i == BD_VENDOR_RIGHT && packed ? wrap(r, &o->inside, packed)
                                            : prepare(r, plan, i, workspace, data, &out);
    if (!result) return false;
    const int argument = i == BD_VENDOR_ADDEND ? plan->addend_argument : arguments[i];
    args[n_args++] = (dnnl_exec_arg_t){argument, result};
  }
  if (!execute(r, &plan->main, scratch, args, n_args)) return false;
  if (result != out && !reorder(r, &plan->operands[BD_VENDOR_OUT].reorder, scratch, result, out)) {
    return false;
  }
  return dnnl_stream_wait(r->stream) == dnnl_success;
}

static bool open_run(run *r, dnnl_engine_t engine) {
  *r = (run){.engine = engine};
  return dnnl_stream_create(&r->stream, engine, dnnl_stream_default_flags) == dnnl_success;
}

static void close_run(run *r) {
  while (r->n_memories > 0) (void)dnnl_memory_destroy(r->memories[--r->n_memories]);
  (void)dnnl_stream_destroy(r->stream);
}

bool bd_plan_run(const bd_plan *plan, dnnl_engine_t engine, char *workspace,
                 const bd_vendor_data data, char *packed) {
  run r;
  if (!open_run(&r, engine)) return false;
  const bool is_done = run_steps(&r, plan, workspace, data, packed);
  close_run(&r);
  return is_done;
}

size_t bd_plan_packed_size(const bd_plan *plan) {
  const bd_vendor_operand *o = &plan->operands[BD_VENDOR_RIGHT];
  return o->is_copied || o->is_reordered ? dnnl_memory_desc_get_size(bd_desc_get(&o->inside)) : 0;
}

bool bd_plan_pack(const bd_plan *plan, dnnl_engine_t engine, char *workspace,
                  const bd_vendor_data data, char *packed) {
  const bd_vendor_operand *o = &plan->operands[BD_VENDOR_RIGHT];
  char *plain = copy_operand(plan, BD_VENDOR_RIGHT, workspace, data);
  if (!o->is_reordered) {
    memcpy(packed, plain, bd_plan_packed_size(plan));
    return true;
  }
  run r;
  if (!open_run(&r, engine)) return false;
  dnnl_memory_t from = wrap(&r, &o->outside, plain), to = wrap(&r, &o->inside, packed);
  const bool is_done = from && to &&
                       reorder(&r, &o->reorder, workspace + plan->scratch_offset, from, to) &&
                       dnnl_stream_wait(r.stream) == dnnl_success;
  close_run(&r);
  return is_done;
}
