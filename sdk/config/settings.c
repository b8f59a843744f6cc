// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/config/settings.c: a table of settings; each is judged, and becomes the text that its
 * variable would have. */
#include "sdk/config/settings.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/registry/order.h"
#include "core/registry/spelling.h"
#include "sdk/config/toml.h"

typedef struct reader {
  const bd_config_file *file;
  buddy_diags *diags;
  bd_settings_each each; /* null: judge only */
  void *user;
  buddy_code code; /* the first that was wrong */
  bd_text pins;
  unsigned pins_line;
} reader;

/* Reports, and goes on: all that is wrong with a file is said together. */
static buddy_code refuse(reader *r, const bd_toml_value *value, const char *todo,
                         const char *what) {
  char where[4200];
  snprintf(where, sizeof where, "%s:%u", r->file->path, value->line);
  const buddy_code code =
      buddy_diags_add(r->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where, todo, "%s", what);
  if (r->code == BUDDY_OK) r->code = code;
  return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_OK;
}

static buddy_code tell(reader *r, const char *variable, const bd_text *text, unsigned line) {
  if (text->code != BUDDY_OK) return text->code;
  return r->each && r->code == BUDDY_OK ? r->each(r->user, variable, text->data, line) : BUDDY_OK;
}

static bool is_text(const bd_toml_value *value) {
  return value->kind == BD_TOML_STRING || value->kind == BD_TOML_STRINGS;
}

/* ---- Settings -------------------------------------------------------------------------------- */
static buddy_code take_registries(reader *r, const bd_toml_value *value) {
  static const char todo[] = "write it like registries = [\"vendor\", \"tosa\", \"*\"]";
  if (!is_text(value)) return refuse(r, value, todo, "registries is no list of names");
  bd_text order;
  bd_text_init(&order);
  for (size_t i = 0; i < value->n; ++i)
    bd_text_format(&order, "%s%s", i ? ":" : "", value->strings[i]);
  char where[4200];
  bd_order parsed;
  snprintf(where, sizeof where, "%s:%u", r->file->path, value->line);
  buddy_code code = order.code;
  if (code == BUDDY_OK) code = bd_order_parse(order.data, where, r->diags, &parsed);
  if (code != BUDDY_OK && r->code == BUDDY_OK) r->code = code;
  code = code == BUDDY_OUT_OF_MEMORY ? code : tell(r, "BUDDY_REGISTRIES", &order, value->line);
  bd_text_deinit(&order);
  return code;
}

static void append_path(const reader *r, const char *path, bd_text *text) {
  if (*path != '/') bd_text_format(text, "%s/", r->file->folder);
  bd_text_string(text, path);
}

/* What names code is passed over in a file that is not trusted: the rest of it is no danger. */
static bool may_name_code(reader *r, const bd_toml_value *value, const char *key,
                          buddy_code *code) {
  if (r->file->is_trusted) return true;
  *code = BUDDY_OK;
  if (!r->each) return false;
  char where[4200];
  snprintf(where, sizeof where, "%s:%u", r->file->path, value->line);
  *code = buddy_diags_add(r->diags, BUDDY_WARNING, BUDDY_OK, where,
                          "if it is yours, add its folder to `trusted` in your own file "
                          "(~/.config/buddy/buddy.toml)",
                          "%s is ignored: it names code to run, and '%s' is not trusted", key,
                          r->file->folder);
  return false;
}

static buddy_code take_plugin_path(reader *r, const bd_toml_value *value) {
  static const char todo[] = "write it like plugin_path = [\"plugins\"]";
  buddy_code code;
  if (!is_text(value)) return refuse(r, value, todo, "plugin_path is no list of folders");
  if (!may_name_code(r, value, "plugin_path", &code)) return code;
  bd_text path;
  bd_text_init(&path);
  code = BUDDY_OK;
  for (size_t i = 0; code == BUDDY_OK && i < value->n; ++i) {
    if (!*value->strings[i] || strchr(value->strings[i], ':'))
      code = refuse(r, value, todo, "a folder of plugin_path is empty, or has a colon in its name");
    if (i) bd_text_char(&path, ':');
    append_path(r, value->strings[i], &path);
  }
  if (code == BUDDY_OK) code = tell(r, "BUDDY_PLUGIN_PATH", &path, value->line);
  bd_text_deinit(&path);
  return code;
}

static buddy_code take_trusted(reader *r, const bd_toml_value *value) {
  static const char todo[] = "write it like trusted = [\"/home/me/project\"]";
  if (!r->file->is_users)
    return refuse(r, value, "write it into ~/.config/buddy/buddy.toml",
                  "trusted is for the user's own file alone");
  if (!is_text(value)) return refuse(r, value, todo, "trusted is no list of folders");
  for (size_t i = 0; i < value->n; ++i) {
    if (*value->strings[i] != '/') return refuse(r, value, todo, "a trusted folder is absolute");
    const bd_text folder = {.data = (char *)(uintptr_t)value->strings[i]};
    BD_TRY(tell(r, NULL, &folder, value->line));
  }
  return BUDDY_OK;
}

static buddy_code take_cache_dir(reader *r, const bd_toml_value *value) {
  buddy_code code;
  if (value->kind != BD_TOML_STRING || !*value->strings[0])
    return refuse(r, value, "write it like dir = \"/var/tmp/me\"", "cache.dir is no folder");
  if (!may_name_code(r, value, "cache.dir", &code)) return code;
  bd_text path;
  bd_text_init(&path);
  append_path(r, value->strings[0], &path);
  code = tell(r, "BUDDY_CACHE_DIR", &path, value->line);
  bd_text_deinit(&path);
  return code;
}

static buddy_code take_cache_size(reader *r, const bd_toml_value *value) {
  if (value->kind != BD_TOML_INTEGER || value->integer < 0 || value->integer > INT32_MAX)
    return refuse(r, value, "write it like size = 2048, in MiB", "cache.size is no size");
  bd_text size;
  bd_text_init(&size);
  bd_text_int(&size, value->integer);
  const buddy_code code = tell(r, "BUDDY_CACHE_SIZE", &size, value->line);
  bd_text_deinit(&size);
  return code;
}

/* They are one variable, so they are told together, at the end. An op that is not in quotes has
 * made tables of its parts: "pins.aten.mm" with the key "default". */
static buddy_code take_pin(reader *r, const char *table, const char *key,
                           const bd_toml_value *value) {
  char op[512];
  const char *parts = table + strlen("pins");
  snprintf(op, sizeof op, "%s%s%s", *parts ? parts + 1 : "", *parts ? "." : "", key);
  if (value->kind != BD_TOML_STRING || !bd_is_op_name(op, strlen(op)) ||
      !bd_is_registry_name(value->strings[0], strlen(value->strings[0]))) {
    return refuse(r, value, "write it like aten.mm.default = \"vendor\"",
                  "a pin is the name of an op, and that of a registry");
  }
  if (r->pins.size == 0) r->pins_line = value->line;
  bd_text_format(&r->pins, "%s%s=%s", r->pins.size ? "," : "", op, value->strings[0]);
  return r->pins.code;
}

static const struct setting {
  const char *table, *key;
  buddy_code (*take)(reader *r, const bd_toml_value *value);
} settings[] = {{"", "registries", take_registries},
                {"", "plugin_path", take_plugin_path},
                {"", "trusted", take_trusted},
                {"cache", "dir", take_cache_dir},
                {"cache", "size", take_cache_size}};

static buddy_code take(void *user, const char *table, const char *key, const bd_toml_value *value) {
  reader *r = user;
  if (!strcmp(table, "pins") || !strncmp(table, "pins.", strlen("pins.")))
    return take_pin(r, table, key, value);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
    if (!strcmp(settings[i].table, table) && !strcmp(settings[i].key, key))
      return settings[i].take(r, value);
  }
  bd_text what;
  bd_text_init(&what);
  bd_text_string(&what, "there is no setting '");
  bd_text_shown(&what, table, strlen(table), 64);
  if (*table) bd_text_char(&what, '.');
  bd_text_shown(&what, key, strlen(key), 64);
  bd_text_char(&what, '\'');
  const buddy_code code =
      refuse(r, value, "there are registries, plugin_path, trusted, [pins], cache.dir, cache.size",
             what.code == BUDDY_OK ? what.data : "there is no such setting");
  bd_text_deinit(&what);
  return code;
}

/* ---- The file -------------------------------------------------------------------------------- */
static buddy_code pass(reader *r, const char *text, size_t size) {
  bd_text_init(&r->pins);
  buddy_code code = bd_toml_read(text, size, r->file->path, r->diags, take, r);
  if (code == BUDDY_OK && r->pins.size) code = tell(r, "BUDDY_PINS", &r->pins, r->pins_line);
  bd_text_deinit(&r->pins);
  return code == BUDDY_OK ? r->code : code;
}

buddy_code bd_settings_read(const bd_config_file *file, const char *text, size_t size,
                            buddy_diags *diags, bd_settings_each each, void *user) {
  reader judge = {.file = file, .diags = diags}, teller = judge;
  BD_TRY(pass(&judge, text, size));
  teller.each = each;
  teller.user = user;
  return pass(&teller, text, size);
}
