/* sdk/cli/options.c: the options that several verbs share. */
#include <stdlib.h>

#include "sdk/cli/verb.h"

void bd_append(const char ***list, size_t *n, const char *item) {
  const char **grown = realloc(*list, (*n + 1) * sizeof(*grown));
  if (!grown) {
    fprintf(stderr, "buddy: error: out of memory\n");
    exit(BD_EXIT_FAILED);
  }
  grown[(*n)++] = item;
  *list = grown;
}

static const struct argp_option options[] = {
    {"registries", 'r', "LIST", 0,
     "Order of registries, separated by `:`; `*` stands for all the others (default: "
     "BUDDY_REGISTRIES, "
     "else " BUDDY_DEFAULT_ORDER ")",
     10},
    {"plugin-dir", 'P', "DIR", 0, "Look for registries in DIR first; may be repeated", 10},
    {"pin", 'p', "OP=REGISTRY", 0, "Ask this registry first for this op; may be repeated", 10},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  bd_registry_flags *flags = state->input;
  switch (key) {
    case 'r':
      flags->order = arg;
      return 0;
    case 'P':
      bd_append(&flags->plugin_dirs, &flags->n_plugin_dirs, arg);
      return 0;
    case 'p':
      bd_append(&flags->pins, &flags->n_pins, arg);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

const struct argp bd_registry_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

void bd_registry_flags_free(bd_registry_flags *flags) {
  free(flags->plugin_dirs);
  free(flags->pins);
  *flags = (bd_registry_flags){0};
}

buddy_search_options bd_search_options(const bd_registry_flags *flags) {
  return (buddy_search_options){.struct_size = sizeof(buddy_search_options),
                                .plugin_dirs = flags->plugin_dirs,
                                .n_plugin_dirs = flags->n_plugin_dirs};
}

buddy_registries_options bd_registries_options(const bd_registry_flags *flags) {
  return (buddy_registries_options){.struct_size = sizeof(buddy_registries_options),
                                    .order = flags->order,
                                    .pins = flags->pins,
                                    .n_pins = flags->n_pins};
}
