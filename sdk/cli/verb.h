// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/verb.h: what the files of the `buddy` command share: one table of verbs, one file a verb.
 *
 * The program itself links libbuddy alone and holds the verbs that need no more (registries), so
 * that they start in a millisecond; the verbs that read archives and build MLIR lie in a module
 * beside the libraries (verbs.c), which is loaded when one of them is asked for. */
#ifndef BUDDY_SDK_CLI_VERB_H
#define BUDDY_SDK_CLI_VERB_H

#include <argp.h>
#include <stdio.h>

#include "buddy/base.h"
#include "core/base/outfile.h"

/* Exit codes of the command. */
enum { BD_EXIT_OK = 0, BD_EXIT_FAILED = 1, BD_EXIT_USAGE = 2 };

typedef struct bd_verb {
  const char *name;
  const char *summary;               /* one line for `buddy --help` */
  const struct argp *argp;           /* options and help; completion reads the same tables */
  int (*run)(int argc, char **argv); /* argv[0] is "buddy VERB"; returns the exit code */
} bd_verb;

extern const bd_verb bd_verb_registries, bd_verb_new_registry, bd_verb_config; /* in the program */
extern const bd_verb bd_verb_import, bd_verb_run, bd_verb_explain, bd_verb_profile, bd_verb_ops,
    bd_verb_completion, bd_verb_check;
extern const bd_verb bd_verb_plugin, bd_verb_compile, bd_verb_cache, bd_verb_calibrate,
    bd_verb_bisect, bd_verb_reduce;

/* The module's table, found by name; ends with null. */
#define BD_VERBS_MODULE "buddy_verbs.so"
/* A table with those alone that need LLVM only when something has to be compiled. */
#define BD_RUN_MODULE "buddy_run.so"
#define BD_VERBS_SYMBOL "bd_verbs"
BUDDY_EXPORT extern const bd_verb *const bd_verbs[];
/* The program's own table, which it lends to a module that has this name (completion.c). */
#define BD_PROGRAM_VERBS_SYMBOL "bd_program_verbs"
BUDDY_EXPORT extern const bd_verb *const *bd_program_verbs;

/* ---- Output ---------------------------------------------------------------------------------- */
/* Texts of others reach the terminal through these, through diagnostics, tables and json.h: what a
 * terminal does not show is spelled out (core/base/shown.h). The caller frees the copy. */
char *bd_shown(const char *text);
void bd_put_shown(const char *text, FILE *out);
/* The same for what is wrong with the command line; ends the program, as argp_error does. */
__attribute__((noreturn)) void bd_usage(struct argp_state *state, const char *format, ...)
    BUDDY_PRINTF(2, 3);

/* Writes all diagnostics to standard error, with colour on a terminal. */
void bd_report(const buddy_diags *diags);
/* From now on it says which rank says so. */
void bd_report_as(int rank);
/* Memory for what is to be said ran out: says so and ends the program, as argp_error does. Never while a file
 * is being written. */
__attribute__((noreturn)) void bd_unsayable(void);
/* Reports, frees the diagnostics, and says which exit code that makes. */
int bd_finish(buddy_code code, buddy_diags *diags);

/* A table of left-aligned columns, printed when it is complete. Cells are copied, as bd_shown does. */
typedef struct bd_table bd_table;
bd_table *bd_table_create(const char *const *headings, size_t n_columns);
void bd_table_add(bd_table *table, const char *const *cells);
void bd_table_print(const bd_table *table, FILE *out);
void bd_table_destroy(bd_table *table);

/* A progress bar on standard error if that is a terminal; nothing otherwise. Signature of
 * buddy_compile_options.progress; user is unused. A fraction of 1 clears the bar. */
void bd_progress(void *user, const char *stage, double fraction);

/* A file (core/base/outfile.h); "-" is standard output. What is written through `file` and through
 * the writer is not kept in order: use one of them. */
typedef struct bd_cli_output {
  FILE *file;
  bd_outfile out;
} bd_cli_output;
buddy_code bd_cli_output_open(const char *path, buddy_diags *diags, bd_cli_output *out_output);
/* keep 0: throw away what was written. A failure to write is told either way. */
buddy_code bd_cli_output_close(bd_cli_output *output, int keep, buddy_diags *diags);
buddy_writer bd_cli_output_writer(bd_cli_output *output);

/* A whole file as text, which bd_free frees. */
buddy_code bd_read_text(const char *path, buddy_diags *diags, char **out_text);

#endif
