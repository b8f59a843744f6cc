// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/mutations.c: what a program has written to that others can observe after it becomes
 * an output. */
#include <string.h>

#include "core/base/try.h"
#include "sdk/import/build.h"
#include "sdk/import/tracking.h"

/* It was given the storage of another tensor: set_(). */
static bool is_moved(const bd_tracking *in, const buddy_value *input) {
  const bd_handle *means = bd_handle_find(in, input);
  return means && means->at->of->origin != input;
}

static bool is_written(const bd_tracking *in, const buddy_value *input) {
  const bd_handle *means = bd_handle_find(in, input);
  return means && (means->at->of->generation > 0 || is_moved(in, input));
}

static const char *target_of(const bd_tracking *in, size_t i) {
  const bool is_user = buddy_graph_input_kind(in->graph, i) == BUDDY_INPUT_USER;
  const buddy_value *input = buddy_graph_input(in->graph, i);
  return is_user ? buddy_value_name(input) : buddy_graph_input_target(in->graph, i);
}

/* Inputs by the bytes that they are stored in: two of them can be one tensor under two names, or
 * parts of one. */
typedef struct stored {
  const void *bytes;
  size_t n;
  UT_hash_handle hh; /* by bytes */
} stored;

static buddy_code count_stored(bd_tracking *in, stored **out_stored) {
  for (size_t i = 0; i < buddy_graph_n_inputs(in->graph); ++i) {
    const buddy_data *data = buddy_graph_input_data(in->graph, i);
    const buddy_value *input = buddy_graph_input(in->graph, i);
    stored *found;
    if (!data || !data->bytes || data->n_bytes == 0) continue;
    /* Nobody sees a write through an input that nobody reads: torch.export lists buffers that the model
     * reaches in another way, too. */
    if (buddy_value_n_uses(input) == 0 && !is_written(in, input)) continue;
    HASH_FIND_PTR(*out_stored, &data->bytes, found);
    if (!found) {
      found = bd_arena_calloc(&in->arena, 1, sizeof *found);
      if (!found) return BUDDY_OUT_OF_MEMORY;
      found->bytes = data->bytes;
      bool hash_is_full = false;
      HASH_ADD_PTR(*out_stored, bytes, found);
      if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
    }
    ++found->n;
  }
  return BUDDY_OK;
}

/* A write to a buffer that others share would have to be seen through them. */
static buddy_code check_shared(bd_tracking *in) {
  stored *by_bytes = NULL;
  buddy_code code = count_stored(in, &by_bytes);
  for (size_t i = 0; i < buddy_graph_n_inputs(in->graph) && !code; ++i) {
    const buddy_data *data = buddy_graph_input_data(in->graph, i);
    const stored *found = NULL;
    if (!is_written(in, buddy_graph_input(in->graph, i)) || !data || !data->bytes) continue;
    HASH_FIND_PTR(by_bytes, &data->bytes, found);
    if (!found || found->n < 2) continue;
    code = buddy_diags_add(
        in->diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, buddy_graph_input_target(in->graph, i),
        "register a clone() of one of them",
        "the program writes to it, and other parameters or buffers share its storage");
  }
  HASH_CLEAR(hh, by_bytes);
  return code;
}

typedef struct listed {
  const char *target;
  UT_hash_handle hh;
} listed;

/* Targets of the mutations that the program lists itself. */
static buddy_code list_mutations(bd_tracking *in, listed **out_listed) {
  for (size_t i = 0; i < buddy_graph_n_outputs(in->graph); ++i) {
    if (buddy_graph_output_kind(in->graph, i) == BUDDY_OUTPUT_USER) continue;
    listed *found, *added;
    const char *target = buddy_graph_output_target(in->graph, i);
    HASH_FIND(hh, *out_listed, target, strlen(target), found);
    if (found) continue;
    added = bd_arena_calloc(&in->arena, 1, sizeof *added);
    if (!added) return BUDDY_OUT_OF_MEMORY;
    added->target = target;
    bool hash_is_full = false;
    HASH_ADD_KEYPTR(hh, *out_listed, added->target, strlen(target), added);
    if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

static buddy_code add_mutation(bd_tracking *in, size_t i, const listed *mutations) {
  const buddy_value *input = buddy_graph_input(in->graph, i);
  if (!is_written(in, input)) return BUDDY_OK;
  const bool is_user = buddy_graph_input_kind(in->graph, i) == BUDDY_INPUT_USER;
  const char *target = target_of(in, i);
  const listed *found;
  HASH_FIND(hh, mutations, target, strlen(target), found);
  if (found) return BUDDY_OK;
  buddy_arg arg = bd_tensor_arg(bd_handle_find(in, input)->at->of->base);
  if (is_moved(in, input)) BD_TRY(bd_value_current(in, input, NULL, &arg.as.tensor));
  return buddy_graph_add_output(
      in->graph, is_user ? BUDDY_OUTPUT_INPUT_MUTATION : BUDDY_OUTPUT_BUFFER_MUTATION, target, &arg,
      in->diags);
}

/* What an input is given is copied into its memory, which must be as large, and of no other input:
 * the next run would have to know that the two are one. */
static buddy_code check_moved(bd_tracking *in, size_t i) {
  const buddy_value *input = buddy_graph_input(in->graph, i);
  const bd_alias *at = bd_handle_find(in, input)->at;
  const buddy_tensor_type *from = buddy_value_type(at->value), *to = buddy_value_type(input);
  const char *what = NULL;
  if (from->dtype != to->dtype || !bd_same_dims(from, to))
    what = "set_() gives it a tensor of another type";
  for (size_t k = 0; k < buddy_graph_n_inputs(in->graph) && !what; ++k) {
    const bd_handle *other = bd_handle_find(in, buddy_graph_input(in->graph, k));
    if (k != i && other && other->at->of == at->of)
      what = "set_() gives it the memory of another input, or one memory to both";
  }
  if (!what) return BUDDY_OK;
  in->problem = BUDDY_UNSUPPORTED;
  return buddy_diags_add(in->diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, target_of(in, i),
                         "use copy_() instead", "%s", what);
}

/* Whoever gave an input sees whether it is written to. */
static buddy_code check_inputs(bd_tracking *in) {
  for (size_t i = 0; i < buddy_graph_n_inputs(in->graph); ++i) {
    const bd_handle *means = bd_handle_find(in, buddy_graph_input(in->graph, i));
    if (!means) continue;
    BD_TRY(bd_storage_check(in, means->at->of));
    if (is_moved(in, buddy_graph_input(in->graph, i))) BD_TRY(check_moved(in, i));
  }
  return BUDDY_OK;
}

buddy_code bd_mutations_add(bd_tracking *in) {
  BD_TRY(check_inputs(in));
  if (buddy_graph_parent(in->graph)) {
    for (size_t i = 0; i < buddy_graph_n_inputs(in->graph); ++i) {
      if (!is_written(in, buddy_graph_input(in->graph, i))) continue;
      in->problem = BUDDY_UNSUPPORTED;
      return buddy_diags_add(in->diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, buddy_graph_name(in->graph),
                             "return the new value instead",
                             "a branch or loop body writes into its operand %zu", i);
    }
    return BUDDY_OK;
  }
  listed *mutations = NULL;
  buddy_code code = check_shared(in);
  if (!code) code = list_mutations(in, &mutations);
  for (size_t i = 0; i < buddy_graph_n_inputs(in->graph) && !code; ++i)
    code = add_mutation(in, i, mutations);
  HASH_CLEAR(hh, mutations);
  return code;
}
