// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/config.c: `buddy config`: which settings are in force, and which file or variable says
 * so. */
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/cli/json.h"
#include "sdk/cli/options.h"
#include "sdk/cli/verb.h"
#include "sdk/config/config.h"

bd_config bd_config_in_force;

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Write JSON instead of a table", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  switch (key) {
    case 'j':
      *(bool *)state->input = true;
      return 0;
    default:
      return bd_parse_no_arguments(key, arg, state);
  }
}

static const struct argp parser = {
    options,
    parse,
    "",
    "Lists the settings that are in force, and what says so.\v"
    "First wins: options of the command line; variables of the environment; the project's file, "
    "which is the nearest buddy.toml from the current directory upward, or the one that "
    "BUDDY_CONFIG names (empty: no file at all); the user's file, ~/.config/buddy/buddy.toml. A "
    "whole file:\n"
    "\n"
    "  registries = [\"vendor\", \"tosa\", \"*\"]\n"
    "  plugin_path = [\"plugins\"]           # below the file's folder\n"
    "  trusted = [\"/home/me/project\"]      # in the user's file: may name plugins\n"
    "  [pins]\n"
    "  aten.mm.default = \"vendor\"\n"
    "  [cache]\n"
    "  dir = \"/var/tmp/me\"\n"
    "  size = 2048                         # MiB\n",
    NULL,
    NULL,
    NULL};

static const struct setting {
  const char *name, *variable, *otherwise;
} settings[] = {{"registries", "BUDDY_REGISTRIES", BUDDY_DEFAULT_ORDER},
                {"plugin_path", "BUDDY_PLUGIN_PATH", ""},
                {"pins", "BUDDY_PINS", ""},
                {"cache.dir", "BUDDY_CACHE_DIR", ""},
                {"cache.size", "BUDDY_CACHE_SIZE", ""}};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

static const char *source_of(const char *variable) {
  for (size_t i = 0; i < bd_config_in_force.n_settings; ++i) {
    const bd_setting *setting = &bd_config_in_force.settings[i];
    if (setting->is_in_force && strcmp(setting->variable, variable) == 0) return setting->where;
  }
  return getenv(variable) ? variable : "default";
}

static const char *value_of(const struct setting *setting) {
  const char *value = getenv(setting->variable);
  return value ? value : setting->otherwise;
}

static void print_table(void) {
  const char *headings[] = {"SETTING", "VALUE", "FROM"};
  bd_table *table = bd_table_create(headings, 3);
  for (size_t i = 0; i < N_SETTINGS; ++i) {
    const char *cells[] = {settings[i].name, value_of(&settings[i]),
                           source_of(settings[i].variable)};
    bd_table_add(table, cells);
  }
  bd_table_print(table, stdout);
  bd_table_destroy(table);
}

static void print_json(void) {
  json_t *root = json_object();
  for (size_t i = 0; i < N_SETTINGS; ++i) {
    json_object_set_new(root, settings[i].name,
                        json_pack("{s:o, s:o}", "value", bd_json_text(value_of(&settings[i])),
                                  "from", bd_json_text(source_of(settings[i].variable))));
  }
  bd_json_print(root, 2);
}

static int run(int argc, char **argv) {
  bool is_json = false;
  if (argp_parse(&parser, argc, argv, 0, NULL, &is_json) != 0) return BD_EXIT_USAGE;
  if (is_json) {
    print_json();
  } else {
    print_table();
  }
  return BD_EXIT_OK;
}

const bd_verb bd_verb_config = {"config", "list the settings that are in force, and what says so",
                                &parser, run};
