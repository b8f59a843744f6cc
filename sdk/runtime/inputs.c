// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/inputs.c: are these tensors what the program takes? All that is wrong is reported
 * together.
 *
 * Rounds: dtype, rank and numbers of each input; sizes that are a symbol alone give the symbols
 * their values, then those that are linear in one; every symbolic size is compared with its
 * expression; and guards are what else must hold of the symbols. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/numbers.h"
#include "sdk/runtime/program.h"
#include "sdk/runtime/strided.h"

typedef struct text {
  char data[512];
  size_t n;
} text;

static void put(text *t, const char *piece) {
  const size_t length = strlen(piece);
  const size_t room = sizeof(t->data) - 1 - t->n;
  const size_t n = length < room ? length : room;
  memcpy(t->data + t->n, piece, n);
  t->n += n;
  t->data[t->n] = '\0';
}

static void put_range(text *t, const bd_symbol *symbol, const char *lead) {
  char line[160];
  if (symbol->max == INT64_MAX) {
    snprintf(line, sizeof(line), "%s%.60s ≥ %" PRId64, lead, symbol->name, symbol->min);
  } else {
    snprintf(line, sizeof(line), "%s%" PRId64 " ≤ %.60s ≤ %" PRId64, lead, symbol->min,
             symbol->name, symbol->max);
  }
  put(t, line);
}

/* The number of the symbol that a size is, or -1 for any other size. */
static int64_t symbol_of(const bd_size *size) {
  return size->n_steps == 1 && size->steps[0].kind == BUDDY_DIM_KIND_SYMBOL ? size->steps[0].operand
                                                                            : -1;
}

/* "f32[s0,128] with 1 ≤ s0 ≤ 64" */
static void expected_text(const bd_signature *signature, const bd_input *input, text *t) {
  put(t, buddy_dtype_name(input->port.dtype));
  put(t, "[");
  for (uint32_t d = 0; d < input->port.rank; ++d) {
    char number[32];
    snprintf(number, sizeof(number), "%" PRId64, input->sizes[d].number);
    if (d > 0) put(t, ",");
    put(t, input->sizes[d].number >= 0 ? number : input->sizes[d].text);
  }
  put(t, "]");
  const char *lead = " with ";
  for (uint32_t d = 0; d < input->port.rank; ++d) {
    const int64_t symbol = symbol_of(&input->sizes[d]);
    if (symbol < 0) continue;
    put_range(t, &signature->symbols[symbol], lead);
    lead = ", ";
  }
}

/* "input 0": the inputs of the user are counted alone, as the caller of a model passes them. */
static void name_input(const bd_signature *signature, size_t i, char *name, size_t size) {
  size_t n = 0;
  for (size_t k = 0; k < i; ++k) n += signature->inputs[k].port.kind == BUDDY_INPUT_USER;
  if (signature->inputs[i].port.kind == BUDDY_INPUT_USER) {
    snprintf(name, size, "input %zu", n);
  } else {
    snprintf(name, size, "parameter %s", signature->inputs[i].port.target);
  }
}

static buddy_code report(const bd_signature *signature, size_t i, const buddy_tensor *got,
                         const char *why, buddy_diags *diags) {
  const bd_input *input = &signature->inputs[i];
  text expected = {.n = 0};
  char type[256], name[256];
  name_input(signature, i, name, sizeof(name));
  expected_text(signature, input, &expected);
  bd_tensor_type_text(got, type, sizeof(type));
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, input->port.name, NULL,
                         "%s: expected %s, got %s%s", name, expected.data, type, why);
}

/* dtype, rank, and sizes that are numbers. */
static bool has_form(const bd_input *input, const buddy_tensor *tensor) {
  if (tensor->dtype != input->port.dtype || tensor->rank != input->port.rank) return false;
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    if (tensor->sizes[d] < 0) return false;
    if (input->sizes[d].number >= 0 && tensor->sizes[d] != input->sizes[d].number) return false;
  }
  return true;
}

static bool is_in_range(const bd_symbol *symbol, int64_t value) {
  return value >= symbol->min && value <= symbol->max;
}

/* Gives symbols their values; false if one has no room for the value. */
static int bind_symbols(const bd_signature *signature, size_t i, const buddy_tensor *tensor,
                        int64_t *symbols) {
  int fits = 1;
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    const int64_t s = symbol_of(&signature->inputs[i].sizes[d]);
    if (s < 0) continue;
    const bd_symbol *symbol = &signature->symbols[s];
    if (symbols[s] == INT64_MIN) symbols[s] = tensor->sizes[d];
    if (!is_in_range(symbol, tensor->sizes[d])) fits = 0;
  }
  return fits;
}

/* The one symbol without a value that a size names; -1: none, or several. */
static int64_t unknown_of(const bd_size *size, const int64_t *symbols) {
  int64_t unknown = -1;
  for (size_t k = 0; k < size->n_steps; ++k) {
    const int64_t s = size->steps[k].operand;
    if (size->steps[k].kind != BUDDY_DIM_KIND_SYMBOL || symbols[s] != INT64_MIN || s == unknown)
      continue;
    if (unknown >= 0) return -1;
    unknown = s;
  }
  return unknown;
}

static buddy_code eval_at(const bd_size *size, int64_t *symbols, int64_t symbol, int64_t value,
                          int64_t *out_number) {
  symbols[symbol] = value;
  return bd_size_eval(size, symbols, out_number);
}

/* From 2*s0+1 comes s0. check_sizes sees afterwards whether the size was linear in the symbol. */
static void solve_symbol(const bd_size *size, int64_t symbol, int64_t got, int64_t *symbols) {
  int64_t at_0, at_1, slope, rest;
  const buddy_code code =
      eval_at(size, symbols, symbol, 0, &at_0) | eval_at(size, symbols, symbol, 1, &at_1);
  symbols[symbol] = INT64_MIN;
  if (code != BUDDY_OK || __builtin_sub_overflow(at_1, at_0, &slope) || slope == 0 ||
      __builtin_sub_overflow(got, at_0, &rest) || (slope == -1 && rest == INT64_MIN))
    return;
  symbols[symbol] = rest / slope;
}

/* Symbols that are nowhere alone; false if one has no room for the value. */
static int solve_symbols(const bd_signature *signature, size_t i, const buddy_tensor *tensor,
                         int64_t *symbols) {
  int fits = 1;
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    const bd_size *size = &signature->inputs[i].sizes[d];
    const int64_t s = size->number < 0 ? unknown_of(size, symbols) : -1;
    if (s < 0) continue;
    solve_symbol(size, s, tensor->sizes[d], symbols);
    if (symbols[s] != INT64_MIN && !is_in_range(&signature->symbols[s], symbols[s])) fits = 0;
  }
  return fits;
}

void bd_inputs_bind(const bd_signature *signature, const buddy_tensor *tensors, int64_t *symbols) {
  size_t user = 0;
  for (int is_solving = 0; is_solving < 2; ++is_solving, user = 0) {
    for (size_t i = 0; i < signature->n_inputs; ++i) {
      const buddy_port *port = &signature->inputs[i].port;
      if (port->kind != BUDDY_INPUT_USER) continue;
      const buddy_tensor *tensor = &tensors[user++];
      if (tensor->rank != port->rank || (port->rank > 0 && !tensor->sizes)) continue;
      if (is_solving)
        solve_symbols(signature, i, tensor, symbols);
      else
        bind_symbols(signature, i, tensor, symbols);
    }
  }
}

/* Sizes that are expressions or symbols against the symbols' values. */
static buddy_code check_sizes(const bd_signature *signature, size_t i, const buddy_tensor *tensor,
                              const int64_t *symbols, buddy_diags *diags) {
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    const bd_size *size = &signature->inputs[i].sizes[d];
    int64_t value;
    char why[256];
    if (size->number >= 0 || bd_size_eval(size, symbols, &value) != BUDDY_OK ||
        value == tensor->sizes[d])
      continue;
    snprintf(why, sizeof(why),
             ": size %u is %" PRId64 ", but the other inputs say that %.100s is %" PRId64, d,
             tensor->sizes[d], size->text, value);
    return report(signature, i, tensor, why, diags);
  }
  return BUDDY_OK;
}

buddy_code bd_inputs_check(const bd_signature *signature, const buddy_tensor *inputs,
                           size_t n_inputs, buddy_diags *diags, int64_t *out_symbols) {
  buddy_code code = BUDDY_OK;
  for (size_t s = 0; s < signature->n_symbols; ++s) out_symbols[s] = INT64_MIN;
  if (n_inputs != signature->n_inputs) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "inputs", NULL,
                           "the program takes %zu inputs, %zu were given", signature->n_inputs,
                           n_inputs);
  }
  for (size_t i = 0; i < n_inputs; ++i) {
    const char *problem = bd_tensor_problem(&inputs[i]);
    if (problem || !has_form(&signature->inputs[i], &inputs[i]) ||
        !bind_symbols(signature, i, &inputs[i], out_symbols)) {
      report(signature, i, &inputs[i], problem ? problem : "", diags);
      code = BUDDY_INVALID_ARGUMENT;
    }
  }
  if (code != BUDDY_OK) return code;
  for (size_t i = 0; i < n_inputs; ++i) {
    if (solve_symbols(signature, i, &inputs[i], out_symbols)) continue;
    code = report(signature, i, &inputs[i], ": the size is outside of the range", diags);
  }
  if (code != BUDDY_OK) return code;
  for (size_t i = 0; i < n_inputs; ++i) {
    if (check_sizes(signature, i, &inputs[i], out_symbols, diags) != BUDDY_OK)
      code = BUDDY_INVALID_ARGUMENT;
  }
  return code;
}

/* ---- Guards ---- */

/* "size 0 of x is 7"; nothing if no input has the symbol alone. */
static int put_symbol(const bd_signature *signature, const buddy_tensor *inputs, int64_t symbol,
                      const char *lead, text *t) {
  for (size_t i = 0; i < signature->n_inputs; ++i) {
    const bd_input *input = &signature->inputs[i];
    for (uint32_t d = 0; d < input->port.rank; ++d) {
      char line[160];
      if (symbol_of(&input->sizes[d]) != symbol) continue;
      snprintf(line, sizeof(line), "%ssize %u of %.80s is %" PRId64, lead, d, input->port.name,
               inputs[i].sizes[d]);
      put(t, line);
      return 1;
    }
  }
  return 0;
}

/* Each symbol of the guard once. */
static void put_sizes(const bd_signature *signature, const buddy_tensor *inputs,
                      const bd_size *predicate, text *t) {
  const char *lead = "; ";
  for (size_t k = 0; k < predicate->n_steps; ++k) {
    const bd_step *step = &predicate->steps[k];
    size_t first = 0;
    if (step->kind != BUDDY_DIM_KIND_SYMBOL) continue;
    while (predicate->steps[first].kind != step->kind ||
           predicate->steps[first].operand != step->operand)
      ++first;
    if (first == k && put_symbol(signature, inputs, step->operand, lead, t)) lead = ", ";
  }
}

buddy_code bd_guards_check(const buddy_program *program, const buddy_tensor *inputs,
                           const int64_t *symbols, buddy_diags *diags) {
  buddy_code worst = BUDDY_OK;
  for (size_t i = 0; i < program->n_guards; ++i) {
    const bd_size_guard *guard = &program->guards[i];
    int64_t value;
    text sizes = {.n = 0};
    const buddy_code code = bd_size_eval(&guard->predicate, symbols, &value);
    if (code == BUDDY_OUT_OF_MEMORY) return code;
    if (code == BUDDY_OK && value >= 0) continue;
    put_sizes(program->signature, inputs, &guard->predicate, &sizes);
    worst = buddy_diags_add(
        diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, *guard->where != '\0' ? guard->where : "inputs",
        sizes.n > 0 ? "give sizes that meet it, or export the program without that condition"
                    : "export the program without that condition",
        "the program holds only where %.300s%s", guard->predicate.text, sizes.data);
  }
  return worst;
}
