// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/registries.c: `buddy registries`: what is found where. Reads the files' notes; runs none
 * of their code. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/cli/json.h"
#include "sdk/cli/options.h"
#include "sdk/cli/verb.h"

typedef struct arguments {
  bd_registry_flags registry;
  int json;
} arguments;

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Write JSON instead of a table", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  (void)arg;
  switch (key) {
    case ARGP_KEY_INIT:
      state->child_inputs[0] = &args->registry;
      return 0;
    case 'j':
      args->json = 1;
      return 0;
    default:
      return bd_parse_no_arguments(key, arg, state);
  }
}

static const struct argp_child children[] = {{&bd_registry_argp, 0, NULL, 0}, {0}};
static const struct argp parser = {
    options,
    parse,
    "",
    "Lists the registries that are found, folder by folder in the order of search: version, "
    "vendor, licence, ABI, "
    "number of ops, what shadows what, and which files are refused and why.\v"
    "Nothing of the files is run: all is read from the note that each carries.",
    children,
    NULL,
    NULL};

static void version_text(uint32_t version, const char *if_zero, char *text, size_t size) {
  if (version == 0) {
    snprintf(text, size, "%s", if_zero);
  } else {
    snprintf(text, size, "%u.%u", version >> 16, version & 0xFFFFu);
  }
}

static void print_table(const buddy_search *search) {
  const char *headings[] = {"REGISTRY", "VERSION", "VENDOR", "LICENSE",
                            "ABI",      "LLVM",    "OPS",    "STATE"};
  bd_table *table = bd_table_create(headings, 8);
  for (size_t i = 0; i < buddy_search_n_found(search); ++i) {
    const buddy_found *found = buddy_search_found(search, i);
    char abi[16], llvm[16], ops[16], state[1024];
    version_text(found->abi_version, "-", abi, sizeof(abi));
    version_text(found->llvm_version, found->abi_version ? "any" : "-", llvm, sizeof(llvm));
    snprintf(ops, sizeof(ops), "%u", found->n_ops);
    if (*found->shadowed_by) {
      snprintf(state, sizeof(state), "%s: shadowed by %s", found->path, found->shadowed_by);
    } else if (found->code != BUDDY_OK) {
      snprintf(state, sizeof(state), "refused: %s", found->refusal);
    } else {
      snprintf(state, sizeof(state), "%s", found->path);
    }
    const char *cells[] = {found->name, found->version, found->vendor, found->license,
                           abi,         llvm,           ops,           state};
    bd_table_add(table, cells);
  }
  bd_table_print(table, stdout);
  bd_table_destroy(table);
  printf("\nSearched, in this order:\n");
  for (size_t i = 0; i < buddy_search_n_dirs(search); ++i) {
    printf("  ");
    bd_put_shown(buddy_search_dir(search, i), stdout);
    printf("\n");
  }
}

static void print_json(const buddy_search *search) {
  json_t *found_list = json_array();
  for (size_t i = 0; i < buddy_search_n_found(search); ++i) {
    const buddy_found *found = buddy_search_found(search, i);
    char abi[16], llvm[16];
    version_text(found->abi_version, "", abi, sizeof(abi));
    version_text(found->llvm_version, "", llvm, sizeof(llvm));
    json_array_append_new(
        found_list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:I, s:b, s:s, s:o, s:o}",
                              "name", bd_json_text(found->name), "path", bd_json_text(found->path),
                              "version", bd_json_text(found->version), "vendor",
                              bd_json_text(found->vendor), "license", bd_json_text(found->license),
                              "abi", abi, "llvm", llvm, "ops", (json_int_t)found->n_ops, "usable",
                              found->code == BUDDY_OK && !*found->shadowed_by, "code",
                              buddy_code_name(found->code), "refusal", bd_json_text(found->refusal),
                              "shadowed_by", bd_json_text(found->shadowed_by)));
  }
  json_t *dirs = json_array();
  for (size_t i = 0; i < buddy_search_n_dirs(search); ++i) {
    json_array_append_new(dirs, bd_json_text(buddy_search_dir(search, i)));
  }
  json_t *root = json_pack("{s:o, s:o}", "registries", found_list, "searched", dirs);
  bd_json_print(root, 2);
}

static int run(int argc, char **argv) {
  arguments args = {0};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  buddy_diags *diags = NULL;
  buddy_search *search = NULL;
  buddy_code code = buddy_diags_create(&diags);
  const buddy_search_options search_options = bd_search_options(&args.registry);
  if (code == BUDDY_OK) code = buddy_search_create(&search_options, diags, &search);
  if (code == BUDDY_OK) {
    if (args.json) {
      print_json(search);
    } else {
      print_table(search);
    }
  }
  const int status = bd_finish(code, diags);
  buddy_search_destroy(search);
  bd_registry_flags_free(&args.registry);
  return status;
}

const bd_verb bd_verb_registries = {"registries", "list the registries that are found, and where",
                                    &parser, run};
