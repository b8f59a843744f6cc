// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/program.c: a compiled program and its runs.
 *
 * The compiled function takes and gives memref descriptors, each a row of 8-byte words:
 *
 *   1. allocated: the pointer to free
 *   2. aligned:   the pointer to the elements
 *   3. offset of element 0, in elements
 *   4. sizes, rank of them
 *   5. strides, rank of them, in elements
 *
 * Its inputs are dense: an input with other strides is copied first. The descriptors of all inputs
 * lie one after the other, and so do those of all results, which the function writes. */
#include "sdk/runtime/program.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/assert.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/prepacked.h"
#include "sdk/runtime/strided.h"

enum { WORD_ALLOCATED, WORD_ALIGNED, WORD_OFFSET, WORD_SIZES };

static size_t descriptor_words(uint32_t rank) { return (size_t)WORD_SIZES + 2 * (size_t)rank; }

void buddy_program_destroy(buddy_program *program) {
  if (!program) return;
  if (program->release) program->release(program);
  bd_run_pool_destroy(program->pool);
  bd_profile_destroy(program->profile);
  free(program);
}

void buddy_program_set_threads(buddy_program *program, int n_threads) {
  bd_run_pool_set_threads(program->pool, n_threads);
}

void buddy_program_set_time_limit(buddy_program *program, uint64_t milliseconds) {
  bd_run_pool_set_time_limit(program->pool, milliseconds);
}

int buddy_program_threads(const buddy_program *program) {
  return bd_run_pool_threads(program->pool);
}

void buddy_program_seed(buddy_program *program, uint64_t seed) {
  bd_random *random = bd_run_pool_random(program->pool);
  __atomic_store_n(&random->seed, seed, __ATOMIC_RELAXED);
  __atomic_store_n(&random->next_stream, 0, __ATOMIC_RELAXED);
}

size_t buddy_program_n_inputs(const buddy_program *program) { return program->signature->n_inputs; }

const buddy_port *buddy_program_input(const buddy_program *program, size_t i) {
  return i < program->signature->n_inputs ? &program->signature->inputs[i].port : NULL;
}

size_t buddy_program_n_outputs(const buddy_program *program) {
  return program->signature->n_outputs;
}

const buddy_port *buddy_program_output(const buddy_program *program, size_t i) {
  return i < program->signature->n_outputs ? &program->signature->outputs[i].port : NULL;
}

/* ---- One run ---- */

/* Everything that one run needs besides the blocks of its bd_run; one allocation holds all of
 * it. */
typedef struct frame {
  uint64_t *inputs, *results; /* rows of descriptors */
  int64_t *symbols;
  const buddy_tensor *given; /* the inputs */
  const size_t *in_place;    /* of bd_program_run_in_place */
  bd_destination *direct;    /* results that are written where the caller wants them */
} frame;

static size_t count_words(const buddy_program *program, int of_results) {
  size_t n = 0;
  if (of_results) {
    for (size_t i = 0; i < program->n_results; ++i) n += descriptor_words(program->result_ranks[i]);
  } else {
    for (size_t i = 0; i < program->signature->n_inputs; ++i) {
      n += descriptor_words(program->signature->inputs[i].port.rank);
    }
  }
  return n;
}

static buddy_code frame_create(const buddy_program *program, frame *out_frame) {
  const size_t n_inputs = count_words(program, 0), n_results = count_words(program, 1);
  const size_t n_words = n_inputs + n_results + program->signature->n_symbols;
  uint64_t *words =
      bd_calloc(1, n_words * sizeof(uint64_t) + (program->n_results + 1) * sizeof(bd_destination));
  if (!words) return BUDDY_OUT_OF_MEMORY;
  *out_frame = (frame){.inputs = words};
  out_frame->results = words + n_inputs;
  out_frame->symbols = (int64_t *)(words + n_inputs + n_results);
  out_frame->direct = (bd_destination *)(void *)(words + n_words);
  return BUDDY_OK;
}

static void frame_destroy(frame *f) { free(f->inputs); }

static void describe(uint64_t *words, const buddy_tensor *tensor, void *bytes) {
  /* A tensor without elements may have no memory. Code that brings a place into it reads there all
   * the same, where it throws away what it read. */
  static const uint64_t nothing[8];
  int64_t stride = 1;
  if (!bytes) bytes = (void *)(uintptr_t)nothing;
  words[WORD_ALLOCATED] = words[WORD_ALIGNED] = (uintptr_t)bytes;
  words[WORD_OFFSET] = 0;
  for (uint32_t d = tensor->rank; d-- > 0;) {
    words[WORD_SIZES + d] = (uint64_t)tensor->sizes[d];
    words[WORD_SIZES + tensor->rank + d] = (uint64_t)stride;
    stride *= tensor->sizes[d];
  }
}

/* The bytes from the first to the last element; `begin` = `end` if there are none. */
static void span_of(const buddy_tensor *tensor, uintptr_t *begin, uintptr_t *end) {
  const int64_t width = (int64_t)buddy_dtype_size(tensor->dtype);
  *begin = *end = (uintptr_t)tensor->bytes;
  if (buddy_tensor_n_elements(tensor) == 0) return;
  *end += (uintptr_t)width;
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    const int64_t reach = (tensor->sizes[d] - 1) * tensor->strides[d] * width;
    if (reach < 0)
      *begin -= (uintptr_t)-reach;
    else
      *end += (uintptr_t)reach;
  }
}

static bool overlap(const buddy_tensor *one, const buddy_tensor *other) {
  uintptr_t begin, end, other_begin, other_end;
  span_of(one, &begin, &end);
  span_of(other, &other_begin, &other_end);
  return begin < other_end && other_begin < end;
}

/* Whether the code writes over input i of the user, which shares memory with another input: that one
 * must be read as it was, so that the writing goes to a copy. */
static bool is_written_and_shared(const buddy_program *program, const frame *f, size_t i) {
  const bd_signature *signature = program->signature;
  bool is_written = false;
  if (!f->in_place || signature->inputs[i].port.kind != BUDDY_INPUT_USER) return false;
  for (size_t k = 0; k < signature->n_outputs && !is_written; ++k) is_written = f->in_place[k] == i;
  if (!is_written) return false;
  for (size_t k = 0; k < signature->n_inputs; ++k) {
    if (k != i && overlap(&f->given[i], &f->given[k])) return true;
  }
  return false;
}

/* The descriptors of the inputs; those with gaps or another order of axes are copied into memory of
 * the run, and those that only one may write to. */
static buddy_code bind_inputs(const buddy_program *program, const buddy_tensor *inputs, bd_run *run,
                              frame *f) {
  uint64_t *words = f->inputs;
  for (size_t i = 0; i < program->signature->n_inputs; ++i) {
    const buddy_tensor *input = &inputs[i];
    void *bytes = input->bytes;
    if (!buddy_tensor_is_contiguous(input) || is_written_and_shared(program, f, i)) {
      const size_t n_bytes =
          (size_t)buddy_tensor_n_elements(input) * buddy_dtype_size(input->dtype);
      bytes = bd_run_allocate(run, n_bytes);
      if (!bytes) return BUDDY_OUT_OF_MEMORY;
      bd_strided_pack(input, bytes);
    }
    describe(words, input, bytes);
    words += descriptor_words(input->rank);
  }
  return BUDDY_OK;
}

/* ---- Outputs ---- */

/* True if the tensor given for the output is as the output will be, as far as the inputs tell that. */
static bool fits(const bd_output *source, const int64_t *symbols, const buddy_tensor *output) {
  bool is_same = output->dtype == source->port.dtype && output->rank == source->port.rank;
  for (uint32_t d = 0; is_same && d < output->rank; ++d) {
    int64_t size;
    is_same =
        bd_size_eval(&source->sizes[d], symbols, &size) == BUDDY_OK && size == output->sizes[d];
  }
  return is_same && buddy_tensor_is_contiguous(output) &&
         (uintptr_t)output->bytes % buddy_dtype_size(output->dtype) == 0;
}

/* True if nothing else that the run reads or writes lies in the memory given for output i. */
static bool is_alone(const buddy_program *program, const frame *f, const buddy_tensor *outputs,
                     size_t i) {
  for (size_t k = 0; k < program->signature->n_inputs; ++k) {
    if (overlap(&outputs[i], &f->given[k])) return false;
  }
  for (size_t k = 0; k < program->signature->n_outputs; ++k) {
    if (k != i && outputs[k].bytes && overlap(&outputs[i], &outputs[k])) return false;
  }
  return true;
}

/* Which results the code may write where the caller wants them, without a copy. */
static void choose_direct(const buddy_program *program, frame *f, const buddy_tensor *outputs,
                          bd_run *run) {
  for (size_t i = 0; i < program->signature->n_outputs; ++i) {
    const bd_output *source = &program->signature->outputs[i];
    if (!outputs[i].bytes || source->source != BD_SOURCE_RESULT ||
        (f->in_place && f->in_place[i] != SIZE_MAX) || f->direct[source->result].bytes ||
        !fits(source, f->symbols, &outputs[i]) || !is_alone(program, f, outputs, i))
      continue;
    f->direct[source->result] =
        (bd_destination){outputs[i].bytes, (size_t)buddy_tensor_n_elements(&outputs[i]) *
                                               buddy_dtype_size(outputs[i].dtype)};
    run->given = f->direct;
  }
}

/* A result as a tensor that borrows the descriptor's words. */
static buddy_tensor view_of(uint64_t *words, buddy_dtype dtype, uint32_t rank) {
  buddy_tensor view = {.dtype = dtype, .rank = rank};
  view.sizes = (int64_t *)(words + WORD_SIZES);
  view.strides = view.sizes + rank;
  view.bytes = (char *)(uintptr_t)words[WORD_ALIGNED] +
               (int64_t)words[WORD_OFFSET] * (int64_t)buddy_dtype_size(dtype);
  return view;
}

static void release_sizes(buddy_tensor *tensor) { bd_free(tensor->sizes); }

static void release_taken(buddy_tensor *tensor) {
  bd_run_free_taken(tensor->owner);
  free(tensor->sizes);
}

buddy_code bd_output_fill(const buddy_port *port, const buddy_tensor *view, buddy_tensor *output,
                          buddy_diags *diags) {
  char expected[256], got[256];
  int fits = output->dtype == view->dtype && output->rank == view->rank;
  for (uint32_t d = 0; fits && d < view->rank; ++d) fits = output->sizes[d] == view->sizes[d];
  if (fits) {
    const bool is_there = view->bytes == output->bytes && buddy_tensor_is_contiguous(view) &&
                          buddy_tensor_is_contiguous(output);
    if (!is_there) bd_strided_copy(view, output);
    return BUDDY_OK;
  }
  bd_tensor_type_text(view, expected, sizeof(expected));
  bd_tensor_type_text(output, got, sizeof(got));
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, port->name,
                         "pass a zeroed tensor and the memory is allocated for you",
                         "the output is %s, but the tensor given for it is %s", expected, got);
}

/* The same memory, with sizes of its own. */
static buddy_code lend(const buddy_tensor *view, buddy_tensor *output) {
  int64_t *sizes = bd_calloc(2 * (size_t)view->rank + 1, sizeof(int64_t));
  if (!sizes) return BUDDY_OUT_OF_MEMORY;
  memcpy(sizes, view->sizes, 2 * (size_t)view->rank * sizeof(int64_t));
  *output = (buddy_tensor){.dtype = view->dtype,
                           .rank = view->rank,
                           .sizes = sizes,
                           .strides = sizes + view->rank,
                           .bytes = view->bytes,
                           .release = release_sizes};
  return BUDDY_OK;
}

const bd_growth *bd_program_growth(const buddy_program *program, size_t input) {
  for (size_t k = 0; k < program->n_growths; ++k) {
    if (program->growths[k].input == input) return &program->growths[k];
  }
  return NULL;
}

/* The new rows of a result that the code has not written where they belong. Others may read the rows before
 * them meanwhile, which are the same. */
static void copy_growth(const buddy_tensor *view, const buddy_tensor *to, int64_t n_old) {
  buddy_tensor from_rows = *view, to_rows = *to;
  int64_t sizes[BD_MAX_RANK];
  BD_ASSERT(view->rank > 0);
  memcpy(sizes, view->sizes, view->rank * sizeof(int64_t));
  if (n_old < 0 || n_old > sizes[0]) n_old = 0;
  sizes[0] -= n_old;
  from_rows.sizes = to_rows.sizes = sizes;
  const int64_t width = (int64_t)buddy_dtype_size(view->dtype);
  from_rows.bytes = (char *)view->bytes + n_old * view->strides[0] * width;
  to_rows.bytes = (char *)to->bytes + n_old * to->strides[0] * width;
  if (sizes[0] > 0) bd_strided_copy(&from_rows, &to_rows);
}

/* An output that the caller will own: the memory of the result itself if the run owns it and
 * nothing else needs it. replaced: the input that the output takes the place of, or null. */
static buddy_code fill_new(bd_run *run, uint64_t *words, const buddy_tensor *view,
                           const buddy_tensor *replaced, buddy_tensor *output) {
  void *allocated = (void *)(uintptr_t)words[WORD_ALLOCATED];
  if (replaced && view->bytes == replaced->bytes && buddy_tensor_is_contiguous(view))
    return lend(view, output);
  if (view->bytes != allocated || !buddy_tensor_is_contiguous(view) || !bd_run_owns(run, allocated))
    return bd_tensor_copy(view, output);
  BD_TRY(lend(view, output));
  bd_run_take(allocated);
  output->release = release_taken;
  output->owner = allocated;
  return BUDDY_OK;
}

/* The element of a constant output, and its view. */
static buddy_code constant_of(const bd_output *source, const int64_t *symbols,
                              uint64_t *out_element) {
  int64_t number = 0;
  *out_element = 0;
  if (source->source == BD_SOURCE_FLOAT) {
    memcpy(out_element, &source->number, sizeof(double));
    return BUDDY_OK;
  }
  const buddy_code code = bd_size_eval(&source->value, symbols, &number);
  *out_element = (uint64_t)number;
  return code;
}

static buddy_code take_constant(const bd_output *source, const int64_t *symbols,
                                buddy_tensor *output, buddy_diags *diags) {
  uint64_t element;
  const buddy_tensor view = {.dtype = source->port.dtype, .bytes = &element};
  const buddy_code code = constant_of(source, symbols, &element);
  if (code != BUDDY_OK) {
    return buddy_diags_add(diags, BUDDY_ERROR, code, source->port.name, NULL,
                           "the value %s cannot be told from the inputs", source->value.text);
  }
  if (output->bytes) return bd_output_fill(&source->port, &view, output, diags);
  BD_TRY(buddy_tensor_create(view.dtype, 0, NULL, output));
  memcpy(output->bytes, &element, buddy_dtype_size(view.dtype));
  return BUDDY_OK;
}

static buddy_code take_output(const buddy_program *program, size_t i, bd_run *run, frame *f,
                              uint64_t *const *words, buddy_tensor *output, buddy_diags *diags) {
  const buddy_tensor *replaced =
      f->in_place && f->in_place[i] != SIZE_MAX ? &f->given[f->in_place[i]] : NULL;
  const bd_growth *growth = replaced ? bd_program_growth(program, f->in_place[i]) : NULL;
  const bd_output *source = &program->signature->outputs[i];
  if (source->source == BD_SOURCE_NONE) return BUDDY_OK;
  if (source->source != BD_SOURCE_RESULT) return take_constant(source, f->symbols, output, diags);
  buddy_tensor view = view_of(words[source->result], source->port.dtype, source->port.rank);
  if (output->bytes) return bd_output_fill(&source->port, &view, output, diags);
  if (growth && view.bytes != replaced->bytes &&
      memcmp(view.sizes, replaced->sizes, view.rank * sizeof(int64_t)) == 0) {
    copy_growth(&view, replaced, f->symbols[growth->symbol]);
    view.bytes = replaced->bytes;
    return lend(&view, output);
  }
  return fill_new(run, words[source->result], &view, replaced, output);
}

/* Given tensors are filled before any memory is handed over, since two outputs may be one
 * result. */
static buddy_code take_outputs(const buddy_program *program, bd_run *run, frame *f,
                               buddy_tensor *outputs, buddy_diags *diags) {
  const size_t n = program->signature->n_outputs;
  uint64_t **words = bd_calloc(program->n_results + 1 + n, sizeof(uint64_t *));
  if (!words) return BUDDY_OUT_OF_MEMORY;
  uint64_t *next = f->results;
  for (size_t i = 0; i < program->n_results; ++i) {
    words[i] = next;
    next += descriptor_words(program->result_ranks[i]);
  }
  char *is_given = (char *)(words + program->n_results + 1);
  for (size_t i = 0; i < n; ++i) is_given[i] = outputs[i].bytes != NULL;
  buddy_code code = BUDDY_OK;
  for (int pass = 1; pass >= 0; --pass) {
    for (size_t i = 0; i < n && code == BUDDY_OK; ++i) {
      if (is_given[i] == pass) code = take_output(program, i, run, f, words, &outputs[i], diags);
    }
  }
  for (size_t i = 0; i < n && code != BUDDY_OK; ++i) {
    if (!is_given[i]) buddy_tensor_release(&outputs[i]);
  }
  free(words);
  return code;
}

/* ---- The call ---- */

static buddy_code report_failure(const buddy_program *program, bd_run *run, buddy_diags *diags) {
  buddy_code code = run->code;
  const char *where = "";
  const char *todo = code == BUDDY_LIMIT ? "allow it more time, or none" : NULL;
  run->reason = code == BUDDY_LIMIT ? "the run takes longer than its time limit"
                                    : "memory ran out while the program was running";
  if (run->assertion >= 0 && (size_t)run->assertion < program->assertions.n) {
    const bd_assertion *assertion = &program->assertions.items[run->assertion];
    where = assertion->where;
    run->reason = run->why ? run->why : assertion->message;
    if (run->why) code = run->why_code;
  }
  return buddy_diags_add(diags, BUDDY_ERROR, code, where, todo, "%s", run->reason);
}

uint64_t buddy_program_kept_bytes(const buddy_program *program) {
  return bd_prepacked_bytes(bd_run_pool_prepacked(program->pool));
}

static buddy_code execute(const buddy_program *program, const buddy_tensor *inputs, frame *f,
                          bd_run *run, buddy_tensor *outputs, buddy_diags *diags) {
  jmp_buf failed;
  BD_TRY(bd_run_begin(run, program->pool, &failed));
  buddy_code code = bind_inputs(program, inputs, run, f);
  if (code == BUDDY_OK) {
    choose_direct(program, f, outputs, run);
    run->profile = program->profile;
    bd_profile_begin(run->profile);
    if (setjmp(failed) == 0) {
      program->entry(f->inputs, f->results);
      bd_profile_end(run->profile);
      code = take_outputs(program, run, f, outputs, diags);
    } else {
      bd_profile_end(run->profile);
      code = report_failure(program, run, diags);
    }
  }
  bd_run_end(run);
  return code;
}

/* Those that the caller gives, before anything is written to one. */
static buddy_code check_given(const buddy_program *program, const buddy_tensor *outputs,
                              buddy_diags *diags) {
  for (size_t i = 0; i < program->signature->n_outputs; ++i) {
    const char *problem = outputs[i].bytes ? bd_tensor_problem(&outputs[i]) : NULL;
    if (problem)
      return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT,
                             program->signature->outputs[i].port.name,
                             "pass a zeroed tensor and the memory is allocated for you",
                             "the tensor given for the output is one%s", problem);
  }
  return BUDDY_OK;
}

buddy_code buddy_program_run(const buddy_program *program, const buddy_tensor *inputs,
                             size_t n_inputs, buddy_tensor *outputs, size_t n_outputs,
                             buddy_diags *diags) {
  return bd_program_run_in_place(program, inputs, n_inputs, outputs, n_outputs, NULL, diags);
}

buddy_code bd_program_run_in_place(const buddy_program *program, const buddy_tensor *inputs,
                                   size_t n_inputs, buddy_tensor *outputs, size_t n_outputs,
                                   const size_t *in_place, buddy_diags *diags) {
  if (n_outputs != program->signature->n_outputs) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "outputs", NULL,
                           "the program has %zu outputs, %zu tensors were given for them",
                           program->signature->n_outputs, n_outputs);
  }
  frame f;
  bd_run run;
  BD_TRY(check_given(program, outputs, diags));
  BD_TRY(frame_create(program, &f));
  f.given = inputs;
  f.in_place = in_place;
  buddy_code code = bd_inputs_check(program->signature, inputs, n_inputs, diags, f.symbols);
  if (code == BUDDY_OK) code = bd_guards_check(program, inputs, f.symbols, diags);
  if (code == BUDDY_OK) code = execute(program, inputs, &f, &run, outputs, diags);
  frame_destroy(&f);
  return code;
}
