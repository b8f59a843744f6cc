// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/ports.c: inputs and outputs by the server's names and types. */
#include "sdk/serve/triton/ports.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/program.h"

typedef struct type_row {
  buddy_dtype dtype;
  TRITONSERVER_DataType type;
  const char *name;
} type_row;

static const type_row types[] = {
    {BUDDY_BOOL, TRITONSERVER_TYPE_BOOL, "TYPE_BOOL"},
    {BUDDY_U8, TRITONSERVER_TYPE_UINT8, "TYPE_UINT8"},
    {BUDDY_U16, TRITONSERVER_TYPE_UINT16, "TYPE_UINT16"},
    {BUDDY_U32, TRITONSERVER_TYPE_UINT32, "TYPE_UINT32"},
    {BUDDY_U64, TRITONSERVER_TYPE_UINT64, "TYPE_UINT64"},
    {BUDDY_I8, TRITONSERVER_TYPE_INT8, "TYPE_INT8"},
    {BUDDY_I16, TRITONSERVER_TYPE_INT16, "TYPE_INT16"},
    {BUDDY_I32, TRITONSERVER_TYPE_INT32, "TYPE_INT32"},
    {BUDDY_I64, TRITONSERVER_TYPE_INT64, "TYPE_INT64"},
    {BUDDY_F16, TRITONSERVER_TYPE_FP16, "TYPE_FP16"},
    {BUDDY_F32, TRITONSERVER_TYPE_FP32, "TYPE_FP32"},
    {BUDDY_F64, TRITONSERVER_TYPE_FP64, "TYPE_FP64"},
    {BUDDY_BF16, TRITONSERVER_TYPE_BF16, "TYPE_BF16"},
};

const char *bd_served_type_name(TRITONSERVER_DataType type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (types[i].type == type) return types[i].name;
  }
  return "TYPE_INVALID";
}

static TRITONSERVER_DataType type_of(buddy_dtype dtype) {
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (types[i].dtype == dtype) return types[i].type;
  }
  return TRITONSERVER_TYPE_INVALID;
}

/* ---- Ports ---- */
/* An output has the name of a node, and two may have the same: the second is called by its number. */
static char *unique_name(const bd_served_port *before, size_t n, const char *name) {
  char numbered[32];
  for (size_t i = 0; i < n; ++i) {
    if (strcmp(before[i].name, name) != 0) continue;
    snprintf(numbered, sizeof numbered, "output_%zu", n);
    return bd_strdup(numbered);
  }
  return bd_strdup(name);
}

static buddy_code add(bd_served_port *list, size_t *n, const buddy_port *port, const bd_size *sizes,
                      bool is_absent, buddy_diags *diags) {
  bd_served_port *one = &list[*n];
  *one = (bd_served_port){.port = port,
                          .sizes = sizes,
                          .type = type_of(port->dtype),
                          .is_absent = is_absent,
                          .name = unique_name(list, *n, port->name)};
  if (!one->name) return BUDDY_OUT_OF_MEMORY;
  ++*n;
  if (is_absent || one->type != TRITONSERVER_TYPE_INVALID) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, port->name,
                         "export the model with tensors of another type",
                         "the server has no type for tensors of %s", buddy_dtype_name(port->dtype));
}

/* Ports of the program are first in the signature's own structs. */
_Static_assert(offsetof(bd_input, port) == 0 && offsetof(bd_output, port) == 0, "see below");

static buddy_code add_all(const buddy_model *model, buddy_diags *diags, bd_served_ports *ports) {
  buddy_code worst = BUDDY_OK;
  for (size_t i = 0; i < buddy_model_n_inputs(model); ++i) {
    const buddy_port *port = buddy_model_input(model, i);
    const bd_input *input = (const bd_input *)port;
    const buddy_code code = add(ports->inputs, &ports->n_inputs, port, input->sizes, false, diags);
    if (code != BUDDY_OK) worst = code;
  }
  for (size_t i = 0; i < buddy_model_n_outputs(model); ++i) {
    const buddy_port *port = buddy_model_output(model, i);
    const bd_output *output = (const bd_output *)port;
    const buddy_code code = add(ports->outputs, &ports->n_outputs, port, output->sizes,
                                output->source == BD_SOURCE_NONE, diags);
    if (code != BUDDY_OK) worst = code;
  }
  return worst;
}

/* ---- The batch ---- */
/* The number of the symbol that a size is; -1: another size. */
static int64_t symbol_of(const bd_size *size) {
  const bool is_symbol =
      size->number < 0 && size->n_steps == 1 && size->steps[0].kind == BUDDY_DIM_KIND_SYMBOL;
  return is_symbol ? size->steps[0].operand : -1;
}

static bool mentions(const bd_size *size, int64_t symbol) {
  for (size_t k = 0; k < size->n_steps; ++k) {
    if (size->steps[k].kind == BUDDY_DIM_KIND_SYMBOL && size->steps[k].operand == symbol)
      return true;
  }
  return false;
}

static bool begins_with(const bd_served_port *one, int64_t symbol) {
  return one->port->rank > 0 && symbol_of(&one->sizes[0]) == symbol;
}

/* Whether the sizes of the inputs tell a symbol; another one is told by data in the run. */
static bool is_told(const bd_served_ports *ports, int64_t symbol) {
  for (size_t i = 0; i < ports->n_inputs; ++i) {
    for (uint32_t d = 0; d < ports->inputs[i].port->rank; ++d) {
      if (mentions(&ports->inputs[i].sizes[d], symbol)) return true;
    }
  }
  return false;
}

/* Whether a size is the same for each request of a batch as for all of them together. */
static bool is_apart(const bd_served_ports *ports, const bd_size *size, int64_t batch) {
  if (size->number >= 0) return true;
  for (size_t k = 0; k < size->n_steps; ++k) {
    const int64_t symbol = size->steps[k].operand;
    if (size->steps[k].kind == BUDDY_DIM_KIND_SYMBOL &&
        (symbol == batch || !is_told(ports, symbol)))
      return false;
  }
  return size->n_steps > 0;
}

static void refuse(bd_served_ports *ports, const bd_served_port *one, const char *why) {
  snprintf(ports->why_no_batch, sizeof ports->why_no_batch, "%.100s has %s", one->name, why);
}

static bool all_have(bd_served_ports *ports, const bd_served_port *list, size_t n, int64_t batch) {
  for (size_t i = 0; i < n; ++i) {
    if (list[i].is_absent) continue;
    if (!begins_with(&list[i], batch)) {
      refuse(ports, &list[i], "another first size than a symbol that all inputs and outputs share");
      return false;
    }
    for (uint32_t d = 1; d < list[i].port->rank; ++d) {
      if (is_apart(ports, &list[i].sizes[d], batch)) continue;
      refuse(ports, &list[i], "another size that depends on the whole batch");
      return false;
    }
  }
  return true;
}

/* The model has a batch where the first size of all that goes in and out is one symbol, which no other
 * size depends on, and one run leaves nothing to the next. */
static void find_batch(const bd_signature *signature, bd_served_ports *ports) {
  const char *why = ports->has_state ? "the model's runs change its buffers" : "it has no inputs";
  snprintf(ports->why_no_batch, sizeof ports->why_no_batch, "%s", why);
  if (ports->has_state || ports->n_inputs == 0) return;
  const bd_served_port *first = &ports->inputs[0];
  const int64_t batch = first->port->rank > 0 ? symbol_of(&first->sizes[0]) : -1;
  if (batch < 0) {
    refuse(ports, first, "no symbolic first size");
    return;
  }
  if (all_have(ports, ports->inputs, ports->n_inputs, batch) &&
      all_have(ports, ports->outputs, ports->n_outputs, batch))
    ports->batch_limit = signature->symbols[batch].max;
}

static void find_writes(const bd_signature *signature, bd_served_ports *ports) {
  for (size_t i = 0; i < signature->n_outputs; ++i) {
    ports->writes_inputs |= signature->outputs[i].port.kind == BUDDY_OUTPUT_INPUT_MUTATION;
    ports->has_state |= signature->outputs[i].port.kind == BUDDY_OUTPUT_BUFFER_MUTATION;
  }
}

buddy_code bd_served_ports_init(const buddy_model *model, buddy_diags *diags,
                                bd_served_ports *out_ports) {
  const bd_signature *signature = buddy_model_program(model)->signature;
  *out_ports = (bd_served_ports){
      .inputs = bd_calloc(buddy_model_n_inputs(model) + 1, sizeof(bd_served_port)),
      .outputs = bd_calloc(buddy_model_n_outputs(model) + 1, sizeof(bd_served_port))};
  if (!out_ports->inputs || !out_ports->outputs) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(add_all(model, diags, out_ports));
  find_writes(signature, out_ports);
  find_batch(signature, out_ports);
  return BUDDY_OK;
}

static void free_list(bd_served_port *list, size_t n) {
  for (size_t i = 0; i < n; ++i) bd_free(list[i].name);
  bd_free(list);
}

void bd_served_ports_deinit(bd_served_ports *ports) {
  free_list(ports->inputs, ports->n_inputs);
  free_list(ports->outputs, ports->n_outputs);
  *ports = (bd_served_ports){0};
}
