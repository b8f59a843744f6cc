// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/reduce/values.c: what a program computes, in files: the inputs of cuts.
 *
 * The program runs in a child, piece by piece and without optimisation, as the reference of `buddy
 * bisect` does; a child, for what is reduced may be what ends the process. If the order of linalg does
 * not take it, the user's own is asked. What none of them computes is random. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "sdk/cli/bisect/bisect.h"
#include "sdk/cli/reduce/reduce.h"
#include "sdk/import/archive.h"

/* ---- The child ------------------------------------------------------------------------------- */
typedef struct writing {
  const bd_bisect *b;
  const char *folder;
  int told; /* a name a line */
} writing;

/* Names are Python's, mostly; another is no file's. */
static bool is_file_name(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  const size_t n = strspn(name, letters);
  return n > 0 && n < 200 && name[n] == 0 && *name != '.';
}

/* An input of an archive may be called "../x": such a name's hash is the file's, behind a dot, which no
 * other begins with. */
void bd_value_path(const char *folder, const char *name, char out_path[BD_VALUE_PATH]) {
  if (is_file_name(name))
    snprintf(out_path, BD_VALUE_PATH, "%s/%s.npy", folder, name);
  else
    snprintf(out_path, BD_VALUE_PATH, "%s/.%08x.npy", folder, bd_hash(name, strlen(name)));
}

static buddy_code write_value(const writing *w, const buddy_value *value,
                              const buddy_tensor *tensor) {
  const char *name = buddy_value_name(value);
  char path[BD_VALUE_PATH];
  if (!is_file_name(name) || tensor->dtype == BUDDY_DTYPE_NONE) return BUDDY_OK;
  bd_value_path(w->folder, name, path);
  BD_TRY(buddy_npy_write(path, tensor, w->b->diags));
  dprintf(w->told, "%s\n", name);
  return BUDDY_OK;
}

static buddy_code write_results(void *user, const bd_results *results, bool *goes_on) {
  const writing *w = user;
  for (size_t i = 0; i < results->n; ++i)
    BD_TRY(write_value(w, results->values[i], &results->tensors[i]));
  *goes_on = true;
  return BUDDY_OK;
}

static buddy_code read_inputs(const bd_original *original, const char *folder, bd_bisect *b) {
  const char **paths = NULL;
  size_t n = 0, i;
  json_t *name;
  buddy_code code = BUDDY_OK;
  json_array_foreach(original->names, i, name) {
    char path[BD_VALUE_PATH], *copy;
    bd_value_path(folder, json_string_value(name), path);
    copy = bd_strdup(path);
    if (copy)
      bd_append(&paths, &n, copy);
    else
      code = BUDDY_OUT_OF_MEMORY;
  }
  if (code == BUDDY_OK) code = bd_bisect_inputs(b, original->path, paths, n);
  for (i = 0; i < n; ++i) bd_free((char *)(uintptr_t)paths[i]);
  free(paths);
  return code;
}

/* After the run, which tells sizes that are computed. */
static void tell_symbols(const writing *w) {
  const int64_t *numbers = bd_values_symbols(w->b->values);
  for (size_t i = 0; numbers && i < buddy_graph_n_symbols(w->b->graph); ++i)
    dprintf(w->told, "=%s %lld\n", buddy_graph_symbol(w->b->graph, i)->name, (long long)numbers[i]);
}

static buddy_code run_whole(const bd_original *original, const bd_registry_flags *flags,
                            const char *folder, int told) {
  bd_session session;
  bd_bisect b = {.nodes = NULL};
  const bd_archive_flags archive = {.path = original->path, .program = original->program};
  BD_TRY(bd_session_open(&session, flags));
  BD_TRY(bd_session_import(&session, &archive));
  bd_way way = bd_way_plain(false);
  way.registries = session.registries;
  BD_TRY(bd_bisect_open(&session, &way, original->seed, NULL, &b));
  BD_TRY(read_inputs(original, folder, &b));
  writing w = {&b, folder, told};
  tell_symbols(&w);
  BD_TRY(bd_bisect_stream(&b, &way, write_results, &w));
  tell_symbols(&w);
  return BUDDY_OK;
}

/* ---- The parent ------------------------------------------------------------------------------ */
static buddy_code take_lines(int told, json_t *known, json_t *symbols) {
  char *text = bd_child_said(told), *rest = NULL;
  if (!text) return BUDDY_OUT_OF_MEMORY;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *number = strchr(line, ' ');
    if (*line == '=' && number) {
      *number++ = 0;
      json_object_set_new(symbols, line + 1, json_integer(strtoll(number, NULL, 10)));
    } else {
      json_object_set_new(known, line, json_true());
    }
  }
  bd_free(text);
  return BUDDY_OK;
}

/* False: it did not compute all. */
static bool run_child(const bd_original *original, const bd_registry_flags *flags,
                      const char *folder, int told) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    const int said = bd_memory_file("", 0, false);
    bd_child_begin(said);
    alarm(original->seconds);
    _exit(run_whole(original, flags, folder, told) != BUDDY_OK);
  }
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && !bd_reduction_is_over()) continue;
  if (child > 0 && bd_reduction_is_over()) kill(child, SIGKILL);
  return status == 0;
}

buddy_code bd_original_values(const bd_original *original, const char *folder, json_t *known,
                              json_t *symbols) {
  const bd_registry_flags plain = {.order = "linalg:*",
                                   .plugin_dirs = original->flags->plugin_dirs,
                                   .n_plugin_dirs = original->flags->n_plugin_dirs};
  const bd_registry_flags *const ways[] = {&plain, original->flags};
  for (int i = 0; i < 2; ++i) {
    const int told = bd_memory_file("", 0, false);
    if (told < 0) return BUDDY_IO;
    const bool is_done = run_child(original, ways[i], folder, told);
    const buddy_code code = take_lines(told, known, symbols);
    close(told);
    if (is_done || code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}

/* ---- Inputs ---------------------------------------------------------------------------------- */
buddy_code bd_tensor_first(const buddy_tensor *tensor, const int64_t *sizes, buddy_tensor *out) {
  BD_TRY(buddy_tensor_create(tensor->dtype, tensor->rank, sizes, out));
  const size_t item = buddy_dtype_size(tensor->dtype);
  const int64_t n = buddy_tensor_n_elements(out);
  int64_t index[64] = {0};
  if (tensor->rank > 64) return BUDDY_INVALID_ARGUMENT;
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    if (sizes[d] > tensor->sizes[d]) return BUDDY_INVALID_ARGUMENT;
  }
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = 0;
    for (uint32_t d = 0; d < tensor->rank; ++d) at += index[d] * tensor->strides[d];
    memcpy((char *)out->bytes + (size_t)i * item, (const char *)tensor->bytes + at * (int64_t)item,
           item);
    for (uint32_t d = tensor->rank; d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
  return BUDDY_OK;
}

/* Symbols have the number that most ranges allow. */
static void random_sizes(const json_t *meta, uint32_t *out_rank, int64_t *sizes) {
  size_t i;
  json_t *size;
  *out_rank = 0;
  json_array_foreach(json_object_get(meta, "sizes"), i, size) {
    const json_t *number = json_object_get(size, "as_int");
    if (i < 64) sizes[(*out_rank)++] = number ? json_integer_value(number) : -1;
  }
}

buddy_code bd_original_write(const json_t *known, const char *folder, const char *name,
                             const json_t *meta, uint64_t seed, const char *path,
                             buddy_diags *diags) {
  char from[BD_VALUE_PATH];
  int64_t sizes[64];
  uint32_t rank;
  buddy_tensor tensor = {.dtype = BUDDY_DTYPE_NONE}, part = {.dtype = BUDDY_DTYPE_NONE};
  const buddy_dtype dtype =
      meta ? bd_dtype_serialized(json_integer_value(json_object_get(meta, "dtype"))) : BUDDY_I64;
  random_sizes(meta, &rank, sizes);
  bd_value_path(folder, name, from);
  const bool is_known = json_object_get(known, name) != NULL;
  const buddy_port port = {.dtype = dtype, .rank = rank, .dims = sizes};
  buddy_code code = is_known ? buddy_npy_read(from, dtype, diags, &tensor)
                             : bd_random_input(&port, seed, &tensor);
  bool is_smaller = false;
  for (uint32_t d = 0; code == BUDDY_OK && d < rank && rank == tensor.rank; ++d)
    is_smaller = is_smaller || (sizes[d] >= 0 && sizes[d] != tensor.sizes[d]);
  if (code == BUDDY_OK && is_smaller) code = bd_tensor_first(&tensor, sizes, &part);
  if (code == BUDDY_OK) code = buddy_npy_write(path, is_smaller ? &part : &tensor, diags);
  buddy_tensor_release(&tensor);
  buddy_tensor_release(&part);
  return code;
}
