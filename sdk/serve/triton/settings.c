// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/settings.c: a model's parameters, and those of the command line. */
#include "sdk/serve/triton/settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/text.h"

typedef struct setting {
  const char *name;
  const char *const *words; /* null: a number from least to most, or any text */
  int64_t least, most;      /* of numbers; both 0: a text */
} setting;

static const char *const yes_or_no[] = {"false", "true", NULL};
static const char *const where[] = {"never", "auto", "always", NULL};
enum {
  PROGRAM,
  REGISTRIES,
  PIN,
  OPTIMIZE,
  WINOGRAD,
  THREADS,
  SEED,
  SESSIONS,
  VERIFY,
  NO_CACHE,
  N_SETTINGS
};
static const setting settings[N_SETTINGS] = {[PROGRAM] = {"program", NULL, 0, 0},
                                             [REGISTRIES] = {"registries", NULL, 0, 0},
                                             [PIN] = {"pin", NULL, 0, 0},
                                             [OPTIMIZE] = {"optimize", NULL, 0, 3},
                                             [WINOGRAD] = {"winograd", where, 0, 0},
                                             [THREADS] = {"threads", NULL, 0, 1024},
                                             [SEED] = {"seed", NULL, 0, INT64_MAX},
                                             [SESSIONS] = {"sessions", NULL, 1, 1024},
                                             [VERIFY] = {"verify", yes_or_no, 0, 0},
                                             [NO_CACHE] = {"no-cache", yes_or_no, 0, 0}};

static buddy_code refuse(const char *name, const char *text, const char *todo, buddy_diags *diags) {
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "parameters", todo,
                         "%.80s cannot be '%.80s'", name, text);
}

/* The words that a setting may have: "false, true". */
static buddy_code refuse_word(const setting *s, const char *text, buddy_diags *diags) {
  char data[128];
  bd_text todo;
  bd_text_init_fixed(&todo, data, sizeof data);
  bd_text_string(&todo, "write one of");
  for (size_t i = 0; s->words[i]; ++i) bd_text_format(&todo, "%s %s", i ? "," : "", s->words[i]);
  return refuse(s->name, text, data, diags);
}

static buddy_code read_number(const setting *s, const char *text, buddy_diags *diags,
                              int64_t *out_number) {
  char todo[96];
  if (bd_int_parse((buddy_sv){text, strlen(text)}, out_number) && *out_number >= s->least &&
      *out_number <= s->most)
    return BUDDY_OK;
  snprintf(todo, sizeof todo, "write a number from %" PRId64 " to %" PRId64, s->least, s->most);
  return refuse(s->name, text, todo, diags);
}

/* out_number: the number, or that of the word. */
static buddy_code read_one(const setting *s, const char *text, buddy_diags *diags,
                           int64_t *out_number) {
  if (!s->words) return s->most ? read_number(s, text, diags, out_number) : BUDDY_OK;
  for (size_t i = 0; s->words[i]; ++i) {
    if (strcmp(text, s->words[i]) != 0) continue;
    *out_number = (int64_t)i;
    return BUDDY_OK;
  }
  return refuse_word(s, text, diags);
}

/* A parameter that is misspelled does not go unnoticed. */
static buddy_code check_names(json_t *parameters, buddy_diags *diags) {
  char data[256];
  bd_text todo;
  bd_text_init_fixed(&todo, data, sizeof data);
  bd_text_string(&todo, "there are");
  for (size_t i = 0; i < N_SETTINGS; ++i)
    bd_text_format(&todo, "%s %s", i ? "," : "", settings[i].name);
  buddy_code code = BUDDY_OK;
  void *rest = parameters ? json_object_iter(parameters) : NULL;
  for (; rest; rest = json_object_iter_next(parameters, rest)) {
    size_t i = 0;
    while (i < N_SETTINGS && strcmp(settings[i].name, json_object_iter_key(rest)) != 0) ++i;
    if (i < N_SETTINGS) continue;
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "parameters", data,
                           "'%.80s' is no parameter of the backend", json_object_iter_key(rest));
  }
  return code;
}

/* "a=b,c=d" */
static buddy_code read_pins(const char *text, bd_settings *out) {
  const size_t n = strlen(text);
  out->pins = bd_strdup(text);
  out->pin_list = bd_calloc(n + 1, sizeof *out->pin_list);
  if (!out->pins || !out->pin_list) return BUDDY_OUT_OF_MEMORY;
  char *rest = NULL;
  for (char *pin = strtok_r(out->pins, ",", &rest); pin; pin = strtok_r(NULL, ",", &rest))
    out->pin_list[out->registries.n_pins++] = pin;
  out->registries.pins = out->pin_list;
  return BUDDY_OK;
}

enum { USUAL_SESSIONS = 16 };

static void begin(bd_settings *out) {
  *out = (bd_settings){.model = {.struct_size = sizeof out->model, .use_cache = 1},
                       .registries = {.struct_size = sizeof out->registries},
                       .compile = {.struct_size = sizeof out->compile},
                       .seed = -1,
                       .n_sessions = USUAL_SESSIONS};
  out->model.registries = &out->registries;
  out->model.compile = &out->compile;
}

static buddy_code take(size_t which, const char *text, int64_t number, bd_settings *out) {
  switch (which) {
    case PROGRAM:
      out->model.program = text;
      break;
    case REGISTRIES:
      out->registries.order = text;
      break;
    case PIN:
      return read_pins(text, out);
    case OPTIMIZE:
      out->compile.opt_level = number ? (int)number : BUDDY_OPT_NONE;
      break;
    case WINOGRAD:
      out->compile.winograd = (int)number - 1;
      break;
    case THREADS:
      out->model.n_threads = (int)number;
      break;
    case SEED:
      out->seed = number;
      break;
    case SESSIONS:
      out->n_sessions = (size_t)number;
      break;
    case VERIFY:
      out->model.verify = (size_t)number;
      break;
    default:
      out->model.use_cache = number == 0;
  }
  return BUDDY_OK;
}

buddy_code bd_triton_settings_read(const json_t *config, const json_t *cmdline, buddy_diags *diags,
                                   bd_settings *out) {
  begin(out);
  json_t *parameters = json_object_get(config, "parameters");
  buddy_code worst = check_names(parameters, diags);
  for (size_t i = 0; i < N_SETTINGS; ++i) {
    const json_t *given = json_object_get(parameters, settings[i].name);
    const char *text = json_string_value(given ? json_object_get(given, "string_value")
                                               : json_object_get(cmdline, settings[i].name));
    int64_t number = 0;
    if (!text) continue;
    buddy_code code = read_one(&settings[i], text, diags, &number);
    if (code == BUDDY_OK) code = take(i, text, number, out);
    if (code != BUDDY_OK) worst = code;
  }
  return worst;
}

void bd_settings_deinit(bd_settings *out) {
  bd_free(out->pins);
  bd_free(out->pin_list);
  out->pins = NULL;
  out->pin_list = NULL;
}
