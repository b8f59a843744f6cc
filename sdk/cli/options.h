// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/options.h: the options that several verbs take: which registries are asked in which order,
 * which program of which archive, compiled how, cut for how many ranks, with which weights.
 *
 * One struct holds them all. A verb names as argp children those that it takes, gives all of them that
 * struct, and loads or builds a model by what is made of it in one place; what a verb does not take
 * stays zero, which is the default. */
#ifndef BUDDY_SDK_CLI_OPTIONS_H
#define BUDDY_SDK_CLI_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "buddy/compile.h"
#include "buddy/resolve.h"

/* Where registries are, and their order. */
typedef struct bd_registry_flags {
  const char *order;
  const char **plugin_dirs; /* grown by the parser; freed by bd_registry_flags_free */
  size_t n_plugin_dirs;
  const char **pins;
  size_t n_pins;
} bd_registry_flags;
void bd_registry_flags_free(bd_registry_flags *flags);
buddy_search_options bd_search_options(const bd_registry_flags *flags);
buddy_registries_options bd_registries_options(const bd_registry_flags *flags);

typedef struct bd_archive_flags {
  const char *path;
  const char *program; /* of an archive that holds several; null: not given */
  const char *sizes;   /* of inputs; null: not given */
} bd_archive_flags;

typedef struct bd_compile_flags {
  int opt_level;                 /* of buddy_compile_options */
  int winograd, fusion, folding; /* as buddy_compile_options has them */
  const char *without;           /* likewise */
  bool pairs_in_place;           /* of buddy_model_options */
  const char *pipeline_file, *schedule_file;
  char *pipeline, *schedule; /* their texts */
} bd_compile_flags;

typedef struct bd_shard_flags {
  size_t n_ranks, rank; /* n_ranks 0: the program is not cut */
  const char *plan_file;
  char *plan; /* its text */
} bd_shard_flags;

typedef struct bd_weights_flags {
  const char *file, *names_file;
  char *names; /* its text */
} bd_weights_flags;

enum { BD_MAX_RANK_SETTINGS = 3 };
typedef struct bd_rank_flags {
  int wanted;                    /* --ranks; 0: not given */
  int rank, size;                /* of this process; size 0: it was started alone */
  bool is_every;                 /* --all-ranks */
  const char *transport, *limit; /* null: not given */
  char *groups;                  /* "1=0,1;2=2,3"; null: none */
  char *settings[BD_MAX_RANK_SETTINGS];
  size_t n_settings; /* for buddy_model_options */
  char **names;      /* of files, with the rank in them */
  size_t n_names;
} bd_rank_flags;

typedef struct bd_model_flags {
  bd_registry_flags registry; /* the first: bd_registry_argp takes it alone, too */
  bd_archive_flags archive;
  bd_compile_flags compile;
  bd_shard_flags shard;
  bd_weights_flags weights;
  bd_rank_flags ranks;
} bd_model_flags;

/* Argps for use as children. The input of the first is a bd_registry_flags or a bd_model_flags, that of
 * the others a bd_model_flags. */
extern const struct argp bd_registry_argp;
extern const struct argp bd_archive_argp; /* a verb's one argument, and its program */
extern const struct argp bd_program_argp; /* the program alone */
extern const struct argp bd_compile_argp;
extern const struct argp bd_shard_argp;      /* of a verb that runs as one of the ranks */
extern const struct argp bd_shard_rank_argp; /* of one that is told whose program it is to show */
extern const struct argp bd_weights_argp;
extern const struct argp bd_rank_argp; /* ranks.c */

/* At ARGP_KEY_INIT: all children of a verb get them. */
void bd_model_flags_give(bd_model_flags *flags, const struct argp_child *children,
                         struct argp_state *state);
/* Reads the files that the flags name. */
buddy_code bd_model_flags_read(bd_model_flags *flags, buddy_diags *diags);
void bd_model_flags_free(bd_model_flags *flags);

/* How a model is loaded or built by the flags, which are borrowed; `model` points to the others. */
typedef struct bd_loading {
  buddy_search_options search;
  buddy_registries_options registries;
  buddy_compile_options compile;
  buddy_model_options model;
} bd_loading;
void bd_loading_init(const bd_model_flags *flags, bd_loading *out_loading);

/* ---- What parsers need ----------------------------------------------------------------------- */
/* Where the value of an option goes in its parser's input: a const char * becomes the value itself, a
 * bool true, an unsigned long a number, for which there are the name and the limits. {0} ends a table. */
typedef struct bd_slot {
  int key;
  enum { BD_SLOT_TEXT, BD_SLOT_TRUTH, BD_SLOT_NUMBER } sort;
  size_t at;
  const char *option;
  unsigned long least, most;
} bd_slot;
#define BD_SLOT_SORT(member) \
  _Generic(member, const char *: BD_SLOT_TEXT, bool: BD_SLOT_TRUTH, unsigned long: BD_SLOT_NUMBER)
#define BD_SLOT(key, input, member) BD_NUMBER(key, input, member, NULL, 0, 0)
#define BD_NUMBER(key, input, member, option, least, most) \
  {key, BD_SLOT_SORT(((input *)0)->member), offsetof(input, member), option, least, most}
error_t bd_take(const bd_slot *slots, int key, char *arg, struct argp_state *state);
/* The one argument of a verb; a second one ends the program. */
void bd_take_archive(const char **path, const char *arg, struct argp_state *state);
/* What is no option of a verb without arguments. */
error_t bd_parse_no_arguments(int key, char *arg, struct argp_state *state);
/* A number from least to most; else says what is wrong with --option and ends the program. */
unsigned long bd_number(const char *arg, unsigned long least, unsigned long most,
                        const char *option, struct argp_state *state);
/* Appends to a list of lent strings; ends the program when memory is out. */
void bd_append(const char ***list, size_t *n, const char *item);

#endif
