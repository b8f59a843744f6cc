// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/served.c: loading a model. The model's file is MODEL/1/model.pt2, or model.so,
 * a library of `buddy compile`, or what default_model_filename says. */
#include "sdk/serve/triton/served.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "sdk/serve/triton/config.h"
#include "sdk/serve/triton/settings.h"
#include "sdk/serve/triton/errors.h"

enum { USUAL_BATCH = 4, CONFIG_FORMAT = 1 };

/* What is needed while a model is loaded. */
typedef struct loading {
  TRITONBACKEND_Model *model;
  bd_served *served;
  buddy_diags *diags;
  json_t *config, *backend;
  const json_t *cmdline; /* of backend */
  bd_settings settings;
} loading;

#define BD_TRY_SERVER(call)              \
  do {                                   \
    TRITONSERVER_Error *error_ = (call); \
    if (error_) return error_;           \
  } while (0)

/* ---- JSON from and to the server ---- */
static TRITONSERVER_Error *parse(TRITONSERVER_Message *message, json_t **out_json) {
  const char *text = NULL;
  size_t size = 0;
  json_error_t why;
  BD_TRY_SERVER(TRITONSERVER_MessageSerializeToJson(message, &text, &size));
  *out_json = json_loadb(text, size, 0, &why);
  if (json_is_object(*out_json)) return NULL;
  return bd_triton_error_new(TRITONSERVER_ERROR_INTERNAL, "the configuration is no JSON object: %s",
                             *out_json ? "another type" : why.text);
}

static TRITONSERVER_Error *read_config(TRITONBACKEND_Model *model, json_t **out_json) {
  TRITONSERVER_Message *message = NULL;
  json_decref(*out_json);
  *out_json = NULL;
  BD_TRY_SERVER(TRITONBACKEND_ModelConfig(model, CONFIG_FORMAT, &message));
  TRITONSERVER_Error *error = parse(message, out_json);
  bd_triton_error_drop(TRITONSERVER_MessageDelete(message));
  return error;
}

static TRITONSERVER_Error *write_config(TRITONBACKEND_Model *model, const json_t *config) {
  TRITONSERVER_Message *message = NULL;
  char *text = json_dumps(config, JSON_COMPACT);
  if (!text) return bd_triton_error(BUDDY_OUT_OF_MEMORY, "configuration", NULL);
  TRITONSERVER_Error *error =
      TRITONSERVER_MessageNewFromSerializedJson(&message, text, strlen(text));
  if (!error) error = TRITONBACKEND_ModelSetConfig(model, CONFIG_FORMAT, message);
  if (message) bd_triton_error_drop(TRITONSERVER_MessageDelete(message));
  free(text);
  return error;
}

static TRITONSERVER_Error *read_backend(loading *l) {
  TRITONBACKEND_Backend *backend = NULL;
  TRITONSERVER_Message *message = NULL; /* the server's */
  BD_TRY_SERVER(TRITONBACKEND_ModelBackend(l->model, &backend));
  BD_TRY_SERVER(TRITONBACKEND_BackendConfig(backend, &message));
  BD_TRY_SERVER(parse(message, &l->backend));
  l->cmdline = json_object_get(l->backend, "cmdline");
  return NULL;
}

/* ---- The file ---- */
static char *path_of(const char *folder, uint64_t version, const char *name) {
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "%s/%" PRIu64 "/%s", folder, version, name);
  char *path = text.code ? NULL : bd_strdup(text.data);
  bd_text_deinit(&text);
  return path;
}

/* The one of the names that is there. */
static TRITONSERVER_Error *choose(const char *folder, uint64_t version, const char *const *names,
                                  size_t n, char **out_path) {
  for (size_t i = 0; i < n; ++i) {
    char *path = path_of(folder, version, names[i]);
    if (!path) return bd_triton_error(BUDDY_OUT_OF_MEMORY, "", NULL);
    if (access(path, R_OK) != 0) {
      bd_free(path);
    } else if (*out_path) {
      bd_free(path);
      return bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG,
                                 "%s/%" PRIu64
                                 ": there are both %s and %s; remove one, or say which by "
                                 "default_model_filename",
                                 folder, version, names[0], names[i]);
    } else {
      *out_path = path;
    }
  }
  if (*out_path) return NULL;
  return bd_triton_error_new(TRITONSERVER_ERROR_NOT_FOUND,
                             "%s/%" PRIu64 ": there is no %s%s%s that can be read", folder, version,
                             names[0], n > 1 ? " and no " : "", n > 1 ? names[1] : "");
}

static TRITONSERVER_Error *find_file(const loading *l, char **out_path) {
  const char *names[] = {"model.pt2", "model.so"};
  const char *given = json_string_value(json_object_get(l->config, "default_model_filename"));
  const char *folder = NULL;
  TRITONBACKEND_ArtifactType type;
  uint64_t version = 0;
  BD_TRY_SERVER(TRITONBACKEND_ModelRepository(l->model, &type, &folder));
  BD_TRY_SERVER(TRITONBACKEND_ModelVersion(l->model, &version));
  if (type != TRITONBACKEND_ARTIFACT_FILESYSTEM)
    return bd_triton_error_new(TRITONSERVER_ERROR_UNSUPPORTED,
                               "models are files, and this is none");
  if (!given || !*given) return choose(folder, version, names, 2, out_path);
  if (*given == '.' || strchr(given, '/'))
    return bd_triton_error_new(
        TRITONSERVER_ERROR_INVALID_ARG,
        "default_model_filename: '%.80s' is no name of a file in the version's "
        "folder",
        given);
  names[0] = given;
  return choose(folder, version, names, 1, out_path);
}

/* ---- Loading ---- */
static char *full_name(const char *name, uint64_t version) {
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "%s, version %" PRIu64, name, version);
  char *full = text.code ? NULL : bd_strdup(text.data);
  bd_text_deinit(&text);
  return full;
}

/* One line a model: who took its nodes, if that is known. */
static void tell_loaded(const loading *l, const char *path) {
  const bd_served *served = l->served;
  const size_t n_path = strlen(path);
  const bool is_library = n_path > 3 && strcmp(path + n_path - 3, ".so") == 0;
  const char *summary = is_library ? "compiled ahead of time" : "compiled";
  for (size_t i = 0; i < buddy_diags_count(l->diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(l->diags, i);
    if (diag->severity == BUDDY_NOTE) {
      summary = diag->what;
    } else if (diag->severity == BUDDY_WARNING) {
      bd_triton_log(TRITONSERVER_LOG_WARN, "%s: %s%s%s%s%s", served->name, diag->where,
                    *diag->where ? ": " : "", diag->what, *diag->todo ? "; " : "", diag->todo);
    }
  }
  char batch[64] = "no batch";
  if (served->stream)
    snprintf(batch, sizeof batch, "up to %zu conversations", l->settings.n_sessions);
  else if (served->max_batch > 0)
    snprintf(batch, sizeof batch, "batches of up to %" PRId64, served->max_batch);
  bd_triton_log(TRITONSERVER_LOG_INFO, "%s: %s; %s; threads: %d", served->name, summary, batch,
                served->stream ? bd_stream_threads(served->stream)
                               : buddy_program_threads(buddy_model_program(served->model)));
}

static buddy_code load_one(loading *l, const char *path) {
  bd_served *served = l->served;
  BD_TRY(buddy_model_load(path, &l->settings.model, l->diags, &served->model));
  if (l->settings.seed >= 0) buddy_model_seed(served->model, (uint64_t)l->settings.seed);
  return bd_served_ports_init(served->model, l->diags, &served->ports);
}

static buddy_code load_stream(loading *l, const char *path) {
  bd_served *served = l->served;
  BD_TRY(bd_stream_create(path, served->name, &l->settings, l->diags, &served->stream));
  return bd_stream_ports_init(&served->ports);
}

static TRITONSERVER_Error *load_model(loading *l, const char *path) {
  buddy_code code = bd_triton_settings_read(l->config, l->cmdline, l->diags, &l->settings);
  if (code == BUDDY_OK)
    code = bd_config_is_decoupled(l->config) ? load_stream(l, path) : load_one(l, path);
  return bd_triton_error(code, l->served->name, l->diags);
}

static TRITONSERVER_Error *complete(loading *l) {
  bool is_wanted = false, is_changed = false;
  const json_t *usual = json_object_get(l->cmdline, "default-max-batch-size");
  BD_TRY_SERVER(TRITONBACKEND_ModelAutoCompleteConfig(l->model, &is_wanted));
  if (!is_wanted) return NULL;
  const buddy_code code = bd_config_complete(l->config, &l->served->ports,
                                             bd_config_number(usual, USUAL_BATCH), &is_changed);
  if (code != BUDDY_OK) return bd_triton_error(code, l->served->name, NULL);
  if (!is_changed) return NULL;
  BD_TRY_SERVER(write_config(l->model, l->config));
  return read_config(l->model, &l->config); /* the server may have added to it */
}

static TRITONSERVER_Error *load(loading *l, char **path) {
  const char *name = NULL;
  uint64_t version = 0;
  BD_TRY_SERVER(TRITONBACKEND_ModelName(l->model, &name));
  BD_TRY_SERVER(TRITONBACKEND_ModelVersion(l->model, &version));
  l->served->name = full_name(name, version);
  if (!l->served->name) return bd_triton_error(BUDDY_OUT_OF_MEMORY, name, NULL);
  BD_TRY_SERVER(read_backend(l));
  BD_TRY_SERVER(read_config(l->model, &l->config));
  BD_TRY_SERVER(find_file(l, path));
  BD_TRY_SERVER(load_model(l, *path));
  BD_TRY_SERVER(complete(l));
  const buddy_code code =
      bd_triton_config_apply(l->config, &l->served->ports, l->diags, &l->served->max_batch);
  if (code != BUDDY_OK) return bd_triton_error(code, l->served->name, l->diags);
  tell_loaded(l, *path);
  return NULL;
}

TRITONSERVER_Error *bd_served_create(TRITONBACKEND_Model *model, bd_served **out_served) {
  loading l = {.model = model, .served = bd_calloc(1, sizeof(bd_served))};
  char *path = NULL;
  TRITONSERVER_Error *error = !l.served || buddy_diags_create(&l.diags) != BUDDY_OK
                                  ? bd_triton_error(BUDDY_OUT_OF_MEMORY, "loading a model", NULL)
                                  : load(&l, &path);
  *out_served = error ? NULL : l.served;
  if (error) bd_served_destroy(l.served);
  bd_settings_deinit(&l.settings);
  json_decref(l.config);
  json_decref(l.backend);
  buddy_diags_destroy(l.diags);
  bd_free(path);
  return error;
}

void bd_served_destroy(bd_served *served) {
  if (!served) return;
  bd_stream_destroy(served->stream);
  bd_served_ports_deinit(&served->ports);
  buddy_model_destroy(served->model);
  bd_free(served->name);
  bd_free(served);
}
