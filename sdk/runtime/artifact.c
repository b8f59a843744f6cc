// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/artifact.c: an artifact becomes a model; see artifact.h. */
#include "sdk/runtime/artifact.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/processor.h"

/* What a loaded artifact stands on. */
typedef struct loaded {
  const bd_artifact *artifact;
  const char *data; /* start of the weights */
  void *map;        /* the mapped file, or null */
  size_t n_map;
  buddy_data *found; /* one per input */
} loaded;

static void release(void *object) {
  loaded *l = object;
  if (l->map) munmap(l->map, l->n_map);
  free(l->found);
  free(l);
}

/* ---- Where the weights are ---- */

/* Without what says nothing, in which bd_library_load tells files apart. Where it ends. */
static char *copy_folder(char *to, const char *folder, size_t n) {
  for (const char *at = folder; at < folder + n; ++at) {
    const bool is_after = at > folder && at[-1] == '/';
    if (*at == '/' && is_after) continue;
    if (*at == '.' && is_after && at + 1 < folder + n && at[1] == '/')
      ++at;
    else
      *to++ = *at;
  }
  return to;
}

char *bd_artifact_beside(const bd_artifact *artifact, const char *name) {
  Dl_info info;
  const char *object = dladdr(artifact, &info) != 0 ? info.dli_fname : "";
  char program[4096];
  if (!strchr(object, '/')) { /* the program itself, as it was called */
    const ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
    program[n > 0 ? n : 0] = '\0';
    object = program;
  }
  const char *slash = strrchr(object, '/');
  const size_t n_folder = slash ? (size_t)(slash - object) + 1 : 0;
  char *path = bd_malloc(n_folder + strlen(name) + 1);
  if (!path) return NULL;
  strcpy(copy_folder(path, object, n_folder), name);
  return path;
}

/* Path of the weights' file beside the object; the caller frees it. */
static char *weights_beside(const bd_artifact *artifact) {
  static const char suffix[] = ".weights";
  const size_t n = strlen(artifact->name);
  if (artifact->data) return bd_artifact_beside(artifact, artifact->data);
  char *name = bd_malloc(n + sizeof(suffix));
  if (!name) return NULL;
  memcpy(name, artifact->name, n);
  memcpy(name + n, suffix, sizeof(suffix));
  char *path = bd_artifact_beside(artifact, name);
  free(name);
  return path;
}

static const char of_compile[] = "give the file that `buddy compile` wrote beside the model";

/* The header, before anything else of the file is touched. */
static buddy_code check_file(const bd_artifact *artifact, const bd_infile *file, const char *path,
                             buddy_diags *diags) {
  char head[BD_WEIGHTS_HEADER] = "";
  uint64_t size = 0;
  const buddy_code code =
      file->size < sizeof(head) ? BUDDY_CORRUPT : bd_infile_read(file, head, sizeof(head));
  if (code != BUDDY_OK || memcmp(head, BD_WEIGHTS_MAGIC, sizeof(BD_WEIGHTS_MAGIC) - 1) != 0) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, path, of_compile,
                           "this is no file of weights");
  }
  if (memcmp(head + 32, artifact->identity, BD_IDENTITY_SIZE) != 0) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, path,
                           "give the file that `buddy compile` wrote together with the model",
                           "these are the weights of another model than %s", artifact->name);
  }
  memcpy(&size, head + 16, sizeof(size));
  if (size == artifact->n_data && size == file->size) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, path, "copy the file once more",
                         "the file has %zu bytes, its header tells of %llu, and %s has %llu",
                         file->size, (unsigned long long)size, artifact->name,
                         (unsigned long long)artifact->n_data);
}

static buddy_code map_opened(loaded *l, const bd_infile *file, const char *path,
                             buddy_diags *diags) {
  bd_fault fault;
  l->map = bd_infile_map(file);
  l->n_map = file->size;
  if (l->map) return BUDDY_OK;
  bd_fault_errno(&fault, "cannot be mapped");
  return buddy_diags_add(diags, BUDDY_ERROR, fault.code, path, NULL, "%s", fault.text);
}

static buddy_code map_file(loaded *l, const char *path, buddy_diags *diags) {
  bd_infile file;
  BD_TRY(bd_infile_open(path, of_compile, diags, &file));
  buddy_code code = check_file(l->artifact, &file, path, diags);
  if (code == BUDDY_OK) code = map_opened(l, &file, path, diags);
  bd_infile_close(&file);
  return code;
}

static buddy_code open_weights(loaded *l, const char *given, buddy_diags *diags) {
  const bd_artifact *artifact = l->artifact;
  if (artifact->placement == BD_IN_OBJECT) l->data = artifact->data;
  if (artifact->placement == BD_IN_ARCHIVE) return BUDDY_INVALID_ARGUMENT; /* see load_on */
  if (artifact->placement == BD_IN_OBJECT || artifact->n_data == 0) return BUDDY_OK;
  char *path = given ? bd_strdup(given) : weights_beside(artifact);
  if (!path) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = map_file(l, path, diags);
  l->data = l->map;
  free(path);
  return code;
}

static buddy_code find_all(loaded *l) {
  const size_t n = l->artifact->signature->n_inputs;
  l->found = bd_calloc(n + 1, sizeof(buddy_data));
  if (!l->found) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) {
    const bd_weight *weight = &l->artifact->weights[i];
    if (weight->at < 0) continue;
    if (weight->bytes) {
      l->found[i] =
          (buddy_data){weight->bytes, (size_t)weight->n_bytes, weight->offset, weight->strides};
      continue;
    }
    if ((uint64_t)weight->at > l->artifact->n_data ||
        weight->n_bytes > l->artifact->n_data - (uint64_t)weight->at)
      return BUDDY_CORRUPT;
    l->found[i] = (buddy_data){l->data ? l->data + weight->at : NULL, (size_t)weight->n_bytes,
                               weight->offset, weight->strides};
  }
  return BUDDY_OK;
}

static const buddy_data *find_data(void *user, const buddy_port *port, size_t i) {
  const loaded *l = user;
  (void)port;
  return &l->found[i];
}

/* ---- The program ---- */

static buddy_code check_artifact(const bd_artifact *artifact, buddy_diags *diags) {
  char missing[64];
  if (artifact->format < BD_ARTIFACT_OLDEST || artifact->format > BD_ARTIFACT_FORMAT) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, artifact->name,
                           "compile the model again, or link the runtime of the buddy that did",
                           "the model was compiled for runtime format %u, this one has %u",
                           artifact->format, BD_ARTIFACT_FORMAT);
  }
  if (bd_processor_has(artifact->features, missing, sizeof(missing))) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, artifact->name,
                         "compile the model again with --target-cpu",
                         "the model was compiled for a processor with %s, which this one lacks",
                         missing);
}

/* The artifact's own data is never written; the program's fields are not const since a program that
 * was compiled in this process owns them. */
static buddy_code create_program(const bd_artifact *artifact, buddy_program **out_program) {
  buddy_program *program = bd_calloc(1, sizeof(buddy_program));
  if (!program) return BUDDY_OUT_OF_MEMORY;
  memcpy(&program->signature, &artifact->signature, sizeof(program->signature));
  memcpy(&program->assertions.items, &artifact->assertions, sizeof(program->assertions.items));
  memcpy(&program->result_ranks, &artifact->result_ranks, sizeof(program->result_ranks));
  program->assertions.n = artifact->n_assertions;
  if (artifact->format > BD_ARTIFACT_OLDEST) {
    program->guards = artifact->signature->guards;
    program->n_guards = artifact->signature->n_guards;
  }
  if (artifact->format >= BD_ARTIFACT_ROWS) program->rows = artifact->signature->rows;
  if (artifact->format >= BD_ARTIFACT_GROWTHS) {
    program->growths = artifact->signature->growths;
    program->n_growths = artifact->signature->n_growths;
  }
  if (artifact->format >= BD_ARTIFACT_UNREAD) {
    program->unread = artifact->signature->unread;
    program->n_unread = artifact->signature->n_unread;
  }
  program->n_results = artifact->n_results;
  program->entry = artifact->entry;
  const buddy_code code = bd_run_pool_create(&program->pool);
  if (code != BUDDY_OK) {
    buddy_program_destroy(program);
    return code;
  }
  *out_program = program;
  return BUDDY_OK;
}

static buddy_code create_model(loaded *l, buddy_diags *diags, buddy_model **out_model) {
  buddy_program *program = NULL;
  BD_TRY(find_all(l));
  BD_TRY(create_program(l->artifact, &program));
  const bd_data_source source = {find_data, l};
  return bd_model_create(program, &source, diags, out_model);
}

/* Begins and ends both ways of loading. */
static loaded *begin(const bd_artifact *artifact, buddy_diags *diags, buddy_code *out_code) {
  loaded *l = bd_calloc(1, sizeof(loaded));
  if (l) l->artifact = artifact;
  *out_code = !l ? BUDDY_OUT_OF_MEMORY : check_artifact(artifact, diags);
  return l;
}

static buddy_code end(loaded *l, buddy_code code, buddy_diags *diags, buddy_model **out_model) {
  if (code == BUDDY_OK) code = create_model(l, diags, out_model);
  if (code != BUDDY_OK) {
    if (l) release(l);
    return code;
  }
  bd_model_own(*out_model, (bd_model_owner){release, l});
  return BUDDY_OK;
}

buddy_code bd_artifact_load(const bd_artifact *artifact, const char *path, buddy_diags *diags,
                            buddy_model **out_model) {
  buddy_code code;
  *out_model = NULL;
  loaded *l = begin(artifact, diags, &code);
  if (code == BUDDY_OK && artifact->bind) code = artifact->bind(artifact, diags);
  if (code == BUDDY_OK) code = open_weights(l, path, diags);
  return end(l, code, diags, out_model);
}

buddy_code bd_artifact_load_on(const bd_artifact *artifact, const void *data, size_t n_data,
                               buddy_diags *diags, buddy_model **out_model) {
  buddy_code code;
  *out_model = NULL;
  loaded *l = begin(artifact, diags, &code);
  if (code == BUDDY_OK) {
    l->data = data;
    if (n_data < artifact->n_data) code = BUDDY_CORRUPT;
  }
  return end(l, code, diags, out_model);
}
