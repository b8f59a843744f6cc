// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/load.c: loading a set of plugins, once per process each.
 *
 *   1  every wanted file is loaded (plugin.c), or taken from the list of those that are open already
 *   2  what they depend on joins the set, at its end
 *   3  a depth-first walk over `depends` finds circles and the order of opening
 *   4  open(), dependencies first; what depends on a failure fails
 *
 * One lock is held throughout, so loads are serial. The list is the one thing in libbuddy that
 * outlives every object: a plugin that has been opened is never unmapped (its code may be on some
 * thread's stack, in a type that outlived it, in a leak report), so the list must know it for as
 * long as the process runs.
 *
 * close() is called at exit(), last opened first, for plugins that no buddy_registries has any
 * more. One that is still in use then, by a thread or by a leak, is left alone: its rows may be
 * running. */
#define _GNU_SOURCE
#include "core/registry/load.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/registry/search.h"

#define MAX_LISTED 64 /* names of registries in a sentence */
#define MAX_TOLD 64 /* refused registries, nobody's wish, of which each has a warning of its own */

/* ---- The plugins of the process ---- */
static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static bd_plugin *opened; /* the last opened first */

/* Registered once for each plugin that is opened, after it: what its constructors registered runs
 * later. */
static void close_last(void) {
  if (pthread_mutex_trylock(&lock)) return; /* another thread is loading while the process ends */
  bd_plugin *plugin = opened;
  while (plugin && plugin->is_closed) plugin = plugin->next;
  if (plugin) {
    plugin->is_closed = true;
    if (plugin->n_users == 0 && plugin->descriptor.registry.close) {
      plugin->descriptor.registry.close(plugin->state);
    }
  }
  pthread_mutex_unlock(&lock);
}

static bd_plugin *find_opened(bd_file_id id) {
  for (bd_plugin *plugin = opened; plugin; plugin = plugin->next) {
    if (plugin->id.inode == id.inode && plugin->id.device == id.device) return plugin;
  }
  return NULL;
}

/* ---- Which are wanted ---- */
static buddy_code add_item(bd_load_set *set, const char *name, bool is_required,
                           const char *needed_by, const buddy_registry *local) {
  for (size_t i = 0; i < set->n; ++i) {
    if (strcmp(set->items[i].name, name) != 0) continue;
    set->items[i].is_required |= is_required;
    return BUDDY_OK;
  }
  void *items = bd_array_grow(set->items, &set->capacity, set->n + 1, sizeof *set->items);
  if (!items) return BUDDY_OUT_OF_MEMORY;
  set->items = items;
  const char *copy = bd_arena_strdup(&set->arena, name);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  set->items[set->n++] = (bd_wanted){copy, is_required, NULL, needed_by, local};
  return BUDDY_OK;
}

/* One of the order, with those that stand before it. */
static buddy_code add_ordered(bd_load_set *set, const char *name, bool is_required,
                              bd_locals locals) {
  const buddy_registry *own = NULL;
  for (size_t i = 0; i < locals.n; ++i) {
    const buddy_local_registry *local = &locals.items[i];
    const char *before = local->before;
    if (before && !strcmp(before, name)) {
      if (add_item(set, local->registry->name, true, NULL, local->registry))
        return BUDDY_OUT_OF_MEMORY;
    } else if (!before && !strcmp(local->registry->name, name)) {
      own = local->registry;
    }
  }
  return add_item(set, name, is_required || own, NULL, own);
}

/* The place of a registry within `*`: dialects, then whatever there is by name, expansions last. */
static int star_rank(const char *name) {
  static const char *const dialects[] = {"linalg", "math", "func"};
  enum { n_dialects = sizeof dialects / sizeof *dialects };
  for (int i = 0; i < n_dialects; ++i) {
    if (!strcmp(name, dialects[i])) return i;
  }
  return strcmp(name, "composite") ? n_dialects : n_dialects + 1;
}

static bool is_local(bd_locals locals, const char *name) {
  size_t i = 0;
  while (i < locals.n && strcmp(locals.items[i].registry->name, name) != 0) ++i;
  return i < locals.n;
}

/* Those of the program come first. */
static buddy_code add_star(bd_load_set *set, const bd_order *order, const buddy_search *search,
                           bd_locals locals) {
  for (size_t i = 0; i < locals.n; ++i) {
    const char *name = locals.items[i].registry->name;
    if (locals.items[i].before || bd_order_names(order, name)) continue;
    if (add_ordered(set, name, true, locals)) return BUDDY_OUT_OF_MEMORY;
  }
  for (int rank = 0; rank <= star_rank("composite"); ++rank) {
    for (size_t i = 0; i < buddy_search_n_found(search); ++i) { /* sorted by name */
      const buddy_found *found = buddy_search_found(search, i);
      if (*found->shadowed_by || star_rank(found->name) != rank) continue;
      if (bd_order_names(order, found->name) || is_local(locals, found->name)) continue;
      if (add_ordered(set, found->name, false, locals)) return BUDDY_OUT_OF_MEMORY;
    }
  }
  return BUDDY_OK;
}

buddy_code bd_load_set_init(bd_load_set *set, const bd_order *order, const buddy_search *search,
                            bd_locals locals) {
  *set = (bd_load_set){0};
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; code == BUDDY_OK && i < order->n; ++i) {
    const bool is_star = !strcmp(order->names[i], "*");
    code = is_star ? add_star(set, order, search, locals)
                   : add_ordered(set, order->names[i], true, locals);
  }
  if (code != BUDDY_OK) bd_load_set_deinit(set);
  return code;
}

/* ---- Loading ---- */
static buddy_code report(const bd_wanted *wanted, buddy_diags *diags, buddy_code code,
                         const char *where, const char *todo, const char *what) {
  const buddy_severity severity =
      wanted->is_required || code == BUDDY_OUT_OF_MEMORY ? BUDDY_ERROR : BUDDY_WARNING;
  if (code == BUDDY_OUT_OF_MEMORY) what = "memory ran out while it was loaded";
  if (!wanted->needed_by) {
    return buddy_diags_add(diags, severity, code, where, todo, "registry '%s': %s", wanted->name,
                           what);
  }
  return buddy_diags_add(diags, severity, code, where, todo, "registry '%s', which '%s' needs: %s",
                         wanted->name, wanted->needed_by, what);
}

static void list_known(const buddy_search *search, bd_text *text) {
  bd_text_string(text, "; found are");
  size_t n = 0;
  for (size_t i = 0; i < buddy_search_n_found(search); ++i) {
    const buddy_found *found = buddy_search_found(search, i);
    if (*found->shadowed_by) continue;
    if (n < MAX_LISTED) bd_text_format(text, "%s%s", n ? ", " : " ", found->name);
    ++n;
  }
  if (n > MAX_LISTED) bd_text_format(text, " and %zu more", n - MAX_LISTED);
  if (n == 0) bd_text_string(text, " none");
}

static buddy_code report_unknown(const bd_wanted *wanted, const buddy_search *search,
                                 buddy_diags *diags) {
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "there is no buddy_%s.so in", wanted->name);
  const size_t n = buddy_search_n_dirs(search);
  for (size_t i = 0; i < n; ++i)
    bd_text_format(&text, "%s %s", i ? "," : "", buddy_search_dir(search, i));
  if (n == 0) bd_text_string(&text, " any directory: none was searched");
  list_known(search, &text);
  const buddy_code code =
      report(wanted, diags, BUDDY_NOT_FOUND, "",
             "check the name, or say where it is: BUDDY_PLUGIN_PATH", text.data);
  bd_text_deinit(&text);
  return code;
}

static buddy_code adopt(bd_wanted *wanted, buddy_diags *diags) {
  char why[BD_REFUSAL_SIZE];
  const buddy_code code = bd_plugin_adopt(wanted->local, why, &wanted->plugin);
  return code == BUDDY_OK ? code : report(wanted, diags, code, "this process", NULL, why);
}

static buddy_code load_one(bd_wanted *wanted, const buddy_search *search, buddy_diags *diags) {
  if (wanted->local) return adopt(wanted, diags);
  const buddy_found *found = bd_search_find(search, wanted->name);
  if (!found) return report_unknown(wanted, search, diags);
  if (found->code != BUDDY_OK)
    return report(wanted, diags, found->code, found->path, NULL, found->refusal);
  bd_plugin_file file; /* anew, although the search has looked: time has passed */
  bd_plugin_file_inspect(found->path, found->name, bd_elf_this_host(), &file);
  if (file.elf.code == BUDDY_OK) wanted->plugin = find_opened(file.id);
  if (wanted->plugin) return BUDDY_OK;
  char why[BD_REFUSAL_SIZE];
  const buddy_code code = bd_plugin_load(found->path, &file, why, &wanted->plugin);
  return code == BUDDY_OK ? code : report(wanted, diags, code, found->path, NULL, why);
}

static buddy_code add_dependencies(bd_load_set *set, size_t i) {
  const char *const *depends = set->items[i].plugin->descriptor.registry.depends;
  for (size_t k = 0; depends && depends[k]; ++k) {
    if (add_item(set, depends[k], set->items[i].is_required, set->items[i].name, NULL))
      return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

/* Keeps the first failure of a required one; those of others are warnings by then. */
static void keep_failure(const bd_wanted *wanted, buddy_code code, buddy_code *failure) {
  if (code != BUDDY_OK && *failure == BUDDY_OK &&
      (wanted->is_required || code == BUDDY_OUT_OF_MEMORY)) {
    *failure = code;
  }
}

static buddy_code load_all(bd_load_set *set, const buddy_search *search, buddy_diags *diags) {
  buddy_code failure = BUDDY_OK;
  size_t n_refused = 0;                 /* of those that nobody named */
  for (size_t i = 0; i < set->n; ++i) { /* the set grows on the way */
    const bool is_told = set->items[i].is_required || n_refused < MAX_TOLD;
    const buddy_code code = load_one(&set->items[i], search, is_told ? diags : NULL);
    n_refused += code != BUDDY_OK && !set->items[i].is_required;
    keep_failure(&set->items[i], code, &failure);
    if (code == BUDDY_OK && add_dependencies(set, i)) return BUDDY_OUT_OF_MEMORY;
  }
  if (n_refused > MAX_TOLD) {
    buddy_diags_add(diags, BUDDY_WARNING, BUDDY_LIMIT, "", "`buddy registries` tells why",
                    "%zu more registries are refused", n_refused - MAX_TOLD);
  }
  return failure;
}

/* ---- Dependencies, and opening ---- */
typedef enum mark { UNSEEN, ON_PATH, DONE, FAILED } mark;

typedef struct walk {
  bd_load_set *set;
  const buddy_host *host;
  buddy_diags *diags;
  mark *marks;       /* one per item */
  size_t *path;      /* items being visited, outermost first */
  size_t *next_edge; /* by depth: the next dependency to look at */
  size_t depth;
  buddy_code failure;
} walk;

static size_t find_item(const bd_load_set *set, const char *name) {
  size_t i = 0;
  while (i < set->n && strcmp(set->items[i].name, name) != 0) ++i;
  return i;
}

static void drop(walk *w, size_t i, buddy_code code) {
  bd_wanted *item = &w->set->items[i];
  keep_failure(item, code, &w->failure);
  if (item->plugin && !item->plugin->is_open) bd_plugin_unload(item->plugin);
  item->plugin = NULL;
  w->marks[i] = FAILED;
}

/* All of a circle fail: none of them can be opened before the others. */
static void fail_circle(walk *w, size_t again) {
  size_t first = w->depth;
  while (first > 0 && w->path[first - 1] != again) --first;
  bd_text text;
  bd_text_init(&text);
  bd_text_string(&text, "depends on itself: ");
  for (size_t d = first - 1; d < w->depth; ++d)
    bd_text_format(&text, "%s -> ", w->set->items[w->path[d]].name);
  bd_text_string(&text, w->set->items[again].name);
  bd_wanted circle = w->set->items[again];
  for (size_t d = first - 1; d < w->depth; ++d) {
    circle.is_required |= w->set->items[w->path[d]].is_required;
  }
  report(&circle, w->diags, BUDDY_CYCLE, circle.plugin->path, NULL, text.data);
  bd_text_deinit(&text);
  for (size_t d = first - 1; d < w->depth; ++d) drop(w, w->path[d], BUDDY_CYCLE);
}

static void open_one(walk *w, size_t i) {
  bd_wanted *item = &w->set->items[i];
  w->marks[i] = DONE;
  if (item->plugin->is_open) return;
  char why[BD_REFUSAL_SIZE];
  const buddy_code code = bd_plugin_open(item->plugin, w->host, why);
  if (code != BUDDY_OK) {
    report(item, w->diags, code, item->plugin->path, NULL, why);
    drop(w, i, code);
    return;
  }
  if (item->plugin->is_local) return;
  item->plugin->next = opened;
  opened = item->plugin;
  (void)atexit(close_last);
}

static void fail_dependent(walk *w, size_t i, const char *name) {
  bd_wanted *item = &w->set->items[i];
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "it needs '%s', which could not be loaded", name);
  report(item, w->diags, BUDDY_NOT_FOUND, item->plugin->path, NULL, text.data);
  bd_text_deinit(&text);
  drop(w, i, BUDDY_NOT_FOUND);
}

static void push(walk *w, size_t i) {
  w->marks[i] = ON_PATH;
  w->path[w->depth] = i;
  w->next_edge[w->depth++] = 0;
}

/* One step of the walk: follows one edge of the innermost item, or leaves it. */
static void step(walk *w) {
  const size_t i = w->path[w->depth - 1];
  bd_wanted *item = &w->set->items[i];
  if (!item->plugin) { /* it failed meanwhile, as part of a circle */
    w->marks[i] = FAILED;
    --w->depth;
    return;
  }
  const char *const *depends = item->plugin->descriptor.registry.depends;
  const char *name = depends ? depends[w->next_edge[w->depth - 1]] : NULL;
  if (!name) {
    open_one(w, i);
    --w->depth;
    return;
  }
  const size_t other = find_item(w->set, name);
  ++w->next_edge[w->depth - 1];
  if (w->marks[other] == ON_PATH) {
    fail_circle(w, other);
  } else if (w->marks[other] == FAILED) {
    fail_dependent(w, i, name);
  } else if (w->marks[other] == UNSEEN) {
    --w->next_edge[w->depth - 1]; /* looked at again once the other is done */
    push(w, other);
  }
}

static buddy_code open_all(bd_load_set *set, const buddy_host *host, buddy_diags *diags) {
  walk w = {.set = set, .host = host, .diags = diags};
  w.marks = bd_calloc(set->n, sizeof *w.marks);
  w.path = bd_calloc(set->n, sizeof *w.path);
  w.next_edge = bd_calloc(set->n, sizeof *w.next_edge);
  if (!w.marks || !w.path || !w.next_edge) w.failure = BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; w.failure != BUDDY_OUT_OF_MEMORY && i < set->n; ++i) {
    if (!set->items[i].plugin && w.marks[i] == UNSEEN) w.marks[i] = FAILED;
  }
  for (size_t i = 0; w.failure != BUDDY_OUT_OF_MEMORY && i < set->n; ++i) {
    if (w.marks[i] != UNSEEN) continue;
    push(&w, i);
    while (w.depth > 0) step(&w);
  }
  bd_free(w.marks);
  bd_free(w.path);
  bd_free(w.next_edge);
  return w.failure;
}

static void unload_unopened(bd_load_set *set) {
  for (size_t i = 0; i < set->n; ++i) {
    bd_wanted *item = &set->items[i];
    if (item->plugin && !item->plugin->is_open) {
      bd_plugin_unload(item->plugin);
      item->plugin = NULL;
    }
  }
}

buddy_code bd_load_set_open(bd_load_set *set, const buddy_search *search, const buddy_host *host,
                            buddy_diags *diags) {
  if (pthread_mutex_lock(&lock)) { /* EDEADLK */
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "buddy_registries_create", NULL,
                           "called by a plugin that is being loaded");
  }
  buddy_code code = load_all(set, search, diags);
  if (code == BUDDY_OK) code = open_all(set, host, diags);
  unload_unopened(set);
  for (size_t i = 0; i < set->n; ++i) {
    if (set->items[i].plugin) ++set->items[i].plugin->n_users;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

static void close_local(bd_plugin *plugin) {
  if (!plugin || !plugin->is_local) return;
  const buddy_registry *registry = &plugin->descriptor.registry;
  if (plugin->is_open && registry->close) registry->close(plugin->state);
  bd_plugin_unload(plugin);
}

void bd_load_set_deinit(bd_load_set *set) {
  const bool is_locked = !pthread_mutex_lock(&lock);
  for (size_t i = 0; i < set->n; ++i) {
    if (set->items[i].plugin && set->items[i].plugin->is_open) --set->items[i].plugin->n_users;
  }
  if (is_locked) pthread_mutex_unlock(&lock);
  for (size_t i = set->n; i-- > 0;) close_local(set->items[i].plugin);
  bd_free(set->items);
  bd_arena_deinit(&set->arena);
  *set = (bd_load_set){0};
}
