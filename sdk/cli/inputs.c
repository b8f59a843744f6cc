// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/inputs.c: inputs for verbs that run a model: from files, or random ones when none are given. */
#include <stdbool.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/session.h"
#include "sdk/runtime/npy.h"
#include "sdk/runtime/program.h"

/* Sizes that only a run tells, of random inputs: one that most ranges allow. */
enum { ANY_SIZE = 8 };

/* ---- Symbols --------------------------------------------------------------------------------- */

/* Every size of an input, and every guard, with these symbols. */
static bool is_allowed(const buddy_program *program, const int64_t *symbols) {
  const bd_signature *signature = program->signature;
  int64_t number;
  for (size_t i = 0; i < signature->n_inputs; ++i) {
    for (uint32_t d = 0; d < signature->inputs[i].port.rank; ++d) {
      const bd_size *size = &signature->inputs[i].sizes[d];
      if (size->number < 0 && size->steps &&
          (bd_size_eval(size, symbols, &number) != BUDDY_OK || number < 0))
        return false;
    }
  }
  for (size_t i = 0; i < program->n_guards; ++i) {
    if (bd_size_eval(&program->guards[i].predicate, symbols, &number) != BUDDY_OK || number < 0)
      return false;
  }
  return true;
}

/* Values in the symbols' ranges with which the program may be run, if one of these is so: equal ones, and
 * such as grow or shrink from symbol to symbol; else the first. One per symbol. */
static void choose_symbols(const buddy_program *program, int64_t *out) {
  static const int64_t firsts[] = {ANY_SIZE, 16, 4, 2, 1,   32,  64,  12,  24,   48,
                                   10,       5,  7, 3, 100, 128, 256, 512, 1024, 0},
                       steps[] = {0, 1, -1, ANY_SIZE, -ANY_SIZE};
  enum { N_FIRSTS = sizeof(firsts) / sizeof(*firsts), N_STEPS = sizeof(steps) / sizeof(*steps) };
  for (size_t k = 0; k <= (size_t)N_FIRSTS * N_STEPS; ++k) {
    const int64_t first = firsts[k % N_FIRSTS], step = steps[k / N_FIRSTS % N_STEPS];
    for (size_t s = 0; s < program->signature->n_symbols; ++s) {
      const bd_symbol *symbol = &program->signature->symbols[s];
      const int64_t value = first + step * (int64_t)s;
      out[s] = value < symbol->min ? symbol->min : value > symbol->max ? symbol->max : value;
    }
    if (is_allowed(program, out)) return; /* the last is the first again */
  }
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static buddy_code random_input(const buddy_port *port, const int64_t *sizes, uint64_t seed,
                               buddy_tensor *out) {
  const buddy_code code = buddy_tensor_create(port->dtype, port->rank, sizes, out);
  if (code == BUDDY_OK) buddy_tensor_fill_random(out, seed);
  return code;
}

buddy_code bd_random_input(const buddy_port *port, uint64_t seed, buddy_tensor *out) {
  int64_t *sizes = bd_calloc(port->rank + 1u, sizeof(*sizes));
  if (!sizes) return BUDDY_OUT_OF_MEMORY;
  for (uint32_t d = 0; d < port->rank; ++d) sizes[d] = port->dims[d] < 0 ? ANY_SIZE : port->dims[d];
  const buddy_code code = random_input(port, sizes, seed, out);
  free(sizes);
  return code;
}

/* The user's inputs, in their order. */
static buddy_code random_inputs(const buddy_program *program, uint64_t seed, buddy_tensor *out) {
  const bd_signature *signature = program->signature;
  int64_t *symbols = bd_calloc(signature->n_symbols + 1, sizeof(*symbols));
  buddy_code code = symbols ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  size_t n = 0;
  if (symbols) choose_symbols(program, symbols);
  for (size_t i = 0; i < signature->n_inputs && code == BUDDY_OK; ++i) {
    const bd_input *input = &signature->inputs[i];
    if (input->port.kind != BUDDY_INPUT_USER) continue;
    int64_t *sizes = bd_calloc(input->port.rank + 1u, sizeof(*sizes));
    if (!sizes) code = BUDDY_OUT_OF_MEMORY;
    for (uint32_t d = 0; sizes && d < input->port.rank; ++d) {
      const bd_size *size = &input->sizes[d];
      sizes[d] = size->number;
      if (size->number < 0 && (!size->steps || bd_size_eval(size, symbols, &sizes[d]) != BUDDY_OK))
        sizes[d] = ANY_SIZE;
    }
    if (sizes) code = random_input(&input->port, sizes, seed + n, &out[n]);
    ++n;
    free(sizes);
  }
  free(symbols);
  return code;
}

buddy_code bd_model_inputs(buddy_model *model, const char *where, const char *const *paths,
                           size_t n_paths, uint64_t seed, buddy_diags *diags, buddy_tensor *out) {
  const size_t n = buddy_model_n_inputs(model);
  if (n_paths > 0 && n_paths != n)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where,
                           "give one --input for each, in their order, or none for random ones",
                           "the model takes %zu inputs, but %zu were given", n, n_paths);
  if (n_paths == 0) return random_inputs(buddy_model_program(model), seed, out);
  for (size_t i = 0; i < n; ++i) {
    const buddy_port *port = buddy_model_input(model, i);
    const bd_npy_wish wish = {port->dtype, true, port->rank, port->dims};
    BD_TRY(bd_npy_read(paths[i], &wish, diags, &out[i]));
  }
  return BUDDY_OK;
}
