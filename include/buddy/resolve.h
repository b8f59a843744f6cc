// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/resolve.h: finding registries, loading them in order, and deciding which row takes each
 * node.
 *
 *   buddy_search      where plugin files are looked for, and what was found: reads files, runs none
 *                     of their code
 *   buddy_registries  the registries of an order, loaded, with one table from op name to candidate
 *                     rows
 *   buddy_plan        for each node of a graph the row that takes it, and the trail of those that
 *                     did not
 *
 * A registry is native code with your rights; load only what you would run. */
#ifndef BUDDY_RESOLVE_H
#define BUDDY_RESOLVE_H

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Where to look --------------------------------------------------------------------------- */
/* All fields may be null or 0. Unless `no_environment`, these follow the given directories, first
 * hit of a name wins: BUDDY_PLUGIN_PATH, ${XDG_DATA_HOME:-$HOME/.local/share}/buddy/plugins-1,
 * buddy/plugins-1 in libbuddy's own folder, and the configured system directory. The variables are
 * ignored in a setuid process. */
typedef struct buddy_search_options {
  size_t struct_size;             /* sizeof(buddy_search_options) */
  const char *const *plugin_dirs; /* searched first */
  size_t n_plugin_dirs;
  const char *const *plugin_files; /* single files, before every directory */
  size_t n_plugin_files;
  int no_environment;
} buddy_search_options;

/* What is known of one plugin file without running it. Strings live as long as the search. */
typedef struct buddy_found {
  const char *name; /* from the file name */
  const char *path;
  buddy_code code;         /* BUDDY_OK: may be loaded; else why it is refused */
  const char *refusal;     /* the sentence, "" if code is OK */
  const char *shadowed_by; /* path of the file of this name that wins; "" if this one does */
  const char *version, *vendor, *license; /* from the note; "" without one */
  uint32_t abi_version, llvm_version, n_ops;
} buddy_found;

typedef struct buddy_search buddy_search;
BUDDY_EXPORT buddy_code buddy_search_create(const buddy_search_options *options, buddy_diags *diags,
                                            buddy_search **out_search);
BUDDY_EXPORT void buddy_search_destroy(buddy_search *search);
BUDDY_EXPORT size_t buddy_search_n_found(const buddy_search *search);
BUDDY_EXPORT const buddy_found *buddy_search_found(const buddy_search *search,
                                                   size_t i); /* by name, winner first */
BUDDY_EXPORT size_t buddy_search_n_dirs(const buddy_search *search);
BUDDY_EXPORT const char *buddy_search_dir(const buddy_search *search,
                                          size_t i); /* in order of search */

/* ---- Loading an order ------------------------------------------------------------------------ */
/* The builtin order when neither the caller nor BUDDY_REGISTRIES names one. */
#define BUDDY_DEFAULT_ORDER "tosa:*"
typedef struct buddy_registries buddy_registries;
/* A registry that the program itself brings, in memory: for hosts that embed buddy and for
 * languages that call back. Of the portable tier, or native for this very LLVM. It is copied but
 * for its functions and for the rows that they get as `self`, which stay valid until
 * buddy_registries_destroy; open and close are called once for each buddy_registries. Its pointers
 * are trusted. */
typedef struct buddy_local_registry {
  const buddy_registry *registry;
  const char *before; /* stands before this registry, wherever the order has that one, and is
                         left out if the order has it not; null: the order names it, or `*` */
} buddy_local_registry;

/* Which registry is asked first about a node, where nobody has said: for hosts that know what is
 * fast on their machine (buddy/tune.h makes one of measurements). */
typedef struct buddy_choice {
  size_t registry; /* number among the loaded; one without rows for the op changes nothing */
  char why[120];   /* buddy_decision_choice tells it */
} buddy_choice;
typedef struct buddy_chooser {
  size_t struct_size;
  /* Changes with the answers: a part of the keys of compiled code. Null: none is kept on disk. */
  const char *key;
  /* 0: as the order has it. The same question has the same answer, and may be asked several times.
   * Pinned ops are not asked about. [call-thread] of buddy_plan_create and buddy_lower */
  int (*choose)(void *user, const buddy_registries *registries, const buddy_node *node,
                buddy_choice *out_choice);
  void *user;
} buddy_chooser;

/* order: "vendor:tosa:*", null: BUDDY_REGISTRIES, else BUDDY_DEFAULT_ORDER; "" loads none. `*`
 * stands for every registry found that the order does not name: dialect registries first (linalg,
 * math, func, then others by name), composite last; one after `*` that cannot be loaded is a
 * warning, one named is an error. pins: "aten.mm.default=vendor" items: that registry's rows go
 * first for that op. opset: receives the schemas that registries bring; the rows' `args` are
 * checked against it. */
typedef struct buddy_registries_options {
  size_t struct_size;
  const char *order;
  const char *const *pins;
  size_t n_pins;
  int no_environment;
  const buddy_local_registry *locals; /* win over files of the same name */
  size_t n_locals;
  /* Copied but for what `user` points to, which outlives the plans. Null: the order decides
   * alone. */
  const buddy_chooser *chooser;
} buddy_registries_options;

/* The search may be destroyed afterwards; the opset must outlive the registries. Loaded plugins
 * stay mapped for the life of the process; two buddy_registries share them. [any-thread] */
BUDDY_EXPORT buddy_code buddy_registries_create(const buddy_search *search, buddy_opset *opset,
                                                const buddy_registries_options *options,
                                                buddy_diags *diags,
                                                buddy_registries **out_registries);
BUDDY_EXPORT void buddy_registries_destroy(buddy_registries *registries);
BUDDY_EXPORT const buddy_opset *buddy_registries_opset(const buddy_registries *registries);
BUDDY_EXPORT size_t buddy_registries_count(const buddy_registries *registries);
BUDDY_EXPORT const buddy_registry *buddy_registries_get(const buddy_registries *registries,
                                                        size_t i);
BUDDY_EXPORT const char *buddy_registries_path(const buddy_registries *registries, size_t i);
/* The rows that may take an op, in the order they would be asked. */
typedef struct buddy_candidate {
  size_t registry; /* number among the loaded */
  const buddy_op *row;
} buddy_candidate;
BUDDY_EXPORT size_t buddy_registries_candidates(const buddy_registries *registries, const char *op,
                                                const buddy_candidate **out_candidates);
/* Runtime symbols of all loaded registries, for linking JIT-compiled code. */
BUDDY_EXPORT size_t buddy_registries_n_symbols(const buddy_registries *registries);
BUDDY_EXPORT const buddy_runtime_symbol *buddy_registries_symbol(const buddy_registries *registries,
                                                                 size_t i);

/* ---- Planning -------------------------------------------------------------------------------- */
/* Decides for every node of the graph and of its subgraphs. Rows that expand change the graph: the
 * node is replaced by its expansion, whose nodes are decided in turn, at most 64 levels deep; an
 * expansion none of the order can take whole is undone and the next row asked. Nodes without effect
 * on the outputs are erased first.
 *
 * BUDDY_UNSUPPORTED: some nodes were taken by nobody; all of them are in diags, grouped, and the
 * plan is returned all the same, so that it can be explained. The registries and the graph must
 * outlive the plan. */
typedef struct buddy_plan buddy_plan;
BUDDY_EXPORT buddy_code buddy_plan_create(const buddy_registries *registries, buddy_graph *graph,
                                          buddy_diags *diags, buddy_plan **out_plan);
BUDDY_EXPORT void buddy_plan_destroy(buddy_plan *plan);
BUDDY_EXPORT buddy_graph *buddy_plan_graph(const buddy_plan *plan);
BUDDY_EXPORT const buddy_registries *buddy_plan_registries(const buddy_plan *plan);

/* One try of one row. */
typedef struct buddy_try {
  size_t registry;
  const buddy_op *row;
  buddy_code code;       /* BUDDY_OK: took it */
  const char *reason;    /* "" if taken */
  const char *transform; /* name of the transform that took it before rows were asked; "": a row */
} buddy_try;
/* What was decided for one node of the graph as it was imported, or of an expansion. */
typedef struct buddy_decision buddy_decision;
struct buddy_decision {
  const char *op, *name;
  buddy_location location;
  const char *types;      /* "(f32[2,3], f32[3,4]) -> f32[2,4]" */
  const buddy_try *tries; /* in order; the last took it, unless nobody did */
  size_t n_tries;
  int is_taken;
  const buddy_decision *const *expansion; /* the decisions of the nodes it was expanded to */
  size_t n_expansion;
  const char *choice; /* why a chooser had the taker asked first; "": the order decided */
};
BUDDY_EXPORT size_t
buddy_plan_n_decisions(const buddy_plan *plan); /* of imported nodes, in order */
/* Null after the last. The text of its types is made when it is first asked for. */
BUDDY_EXPORT const buddy_decision *buddy_plan_decision(buddy_plan *plan, size_t i);
/* The decision's choice. Programs compiled when it was no field ask so, of the plan's own decisions. */
BUDDY_EXPORT const char *buddy_decision_choice(const buddy_decision *decision);

#ifdef __cplusplus
}
#endif
#endif
