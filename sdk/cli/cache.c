// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/cache.c: `buddy cache`: what is kept of compiled code, and where. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "buddy/cache.h"
#include "sdk/cli/verb.h"

static error_t parse(int key, char *arg, struct argp_state *state) {
  const char **action = state->input;
  switch (key) {
    case ARGP_KEY_ARG:
      if (*action) bd_usage(state, "takes one word, but got '%s' as well", arg);
      if (strcmp(arg, "list") != 0 && strcmp(arg, "clear") != 0 && strcmp(arg, "path") != 0)
        bd_usage(state, "'%s' is none of list, clear and path", arg);
      *action = arg;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    NULL,
    parse,
    "[list|clear|path]",
    "Shows, empties or finds the cache of compiled code.\v"
    "`buddy run` keeps the code of each model that it compiled, and uses it again while archive, "
    "options, registries, buddy and processor are the same. BUDDY_CACHE_DIR names another folder, "
    "BUDDY_CACHE_SIZE another limit, in MiB (default: 1024); what has not been used for longest "
    "goes first.",
    NULL,
    NULL,
    NULL};

typedef struct total {
  bd_table *table;
  size_t n;
  uint64_t n_bytes;
} total;

static buddy_code add_entry(void *user, const buddy_cache_entry *entry) {
  total *all = user;
  char size[32], used[32] = "";
  const time_t seconds = (time_t)entry->used;
  struct tm local;
  snprintf(size, sizeof(size), "%llu", (unsigned long long)((entry->n_bytes + 1023) / 1024));
  if (localtime_r(&seconds, &local)) strftime(used, sizeof(used), "%Y-%m-%d %H:%M:%S", &local);
  const char *cells[] = {used, size, entry->name};
  bd_table_add(all->table, cells);
  ++all->n;
  all->n_bytes += entry->n_bytes;
  return BUDDY_OK;
}

static buddy_code list(buddy_diags *diags) {
  const char *headings[] = {"LAST USED", "KIB", "KEY"};
  total all = {bd_table_create(headings, 3), 0, 0};
  const buddy_code code = buddy_cache_list(diags, add_entry, &all);
  if (code == BUDDY_OK && all.n > 0) bd_table_print(all.table, stdout);
  if (code == BUDDY_OK)
    printf("%s%zu entries, %llu KiB\n", all.n > 0 ? "\n" : "", all.n,
           (unsigned long long)((all.n_bytes + 1023) / 1024));
  bd_table_destroy(all.table);
  return code;
}

static buddy_code act(const char *action, buddy_diags *diags) {
  char path[4096];
  size_t n;
  if (strcmp(action, "list") == 0) return list(diags);
  if (strcmp(action, "clear") == 0) {
    const buddy_code code = buddy_cache_clear(diags, &n);
    if (code == BUDDY_OK) printf("%zu entries removed\n", n);
    return code;
  }
  const buddy_code code = buddy_cache_path(path, sizeof(path));
  if (code == BUDDY_OK) {
    if (isatty(STDOUT_FILENO)) {
      bd_put_shown(path, stdout);
    } else {
      fputs(path, stdout); /* for programs, which need the name itself */
    }
    printf("\n");
  }
  return code == BUDDY_OK ? code
                          : buddy_diags_add(diags, BUDDY_ERROR, code, "", "set BUDDY_CACHE_DIR",
                                            "there is no home for a cache");
}

static int run(int argc, char **argv) {
  const char *action = NULL;
  if (argp_parse(&parser, argc, argv, 0, NULL, &action) != 0) return BD_EXIT_USAGE;
  buddy_diags *diags = NULL;
  buddy_code code = buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = act(action ? action : "list", diags);
  return bd_finish(code, diags);
}

const bd_verb bd_verb_cache = {"cache", "compiled code that is kept: list, clear, path", &parser,
                               run};
