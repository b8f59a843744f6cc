// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/reduce/reduce.h: the smallest archive for which a command fails as it does for the whole.
 *
 *   program   what an archive says, as JSON: nodes, names, stored tensors. It is never imported, so
 *             that what the importer refuses can be reduced as well
 *   cut       some of its nodes as a program of their own: what they use and do not make are inputs
 *   values    what the inputs of a cut are: the numbers of the whole program's run
 *   trial     a cut in files, and what the command said of it
 *   search    fewer nodes, as long as the command fails in the same way
 *   sizes     smaller dims, likewise */
#ifndef BUDDY_SDK_CLI_REDUCE_REDUCE_H
#define BUDDY_SDK_CLI_REDUCE_REDUCE_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base/text.h"
#include "sdk/cli/json.h"
#include "sdk/cli/session.h"
#include "sdk/import/zip.h"

/* ---- Programs (program.c) -------------------------------------------------------------------- */
typedef enum bd_name_kind { BD_NAME_TENSOR, BD_NAME_NUMBER, BD_NAME_OTHER } bd_name_kind;
typedef struct bd_program_name bd_program_name; /* in a table */

typedef struct bd_program {
  const char *where;
  buddy_archive *archive;
  const bd_zip *zip;           /* the archive's */
  int folder;                  /* characters before names of entries: "lenet5/" */
  json_t *root;                /* models/NAME.json; changed when sizes are */
  json_t *weights, *constants; /* what the archive says of stored tensors, by their target */
  json_t *smaller;             /* likewise, of those that were cut; null: none were */
  bd_program_name *names;
  size_t n_nodes;
} bd_program;

buddy_code bd_program_open(const char *path, const char *program, buddy_diags *diags,
                           bd_program *out);
void bd_program_close(bd_program *p);
/* Another root for the same archive, whose nodes may be others. */
buddy_code bd_program_set_root(bd_program *p, json_t *root);
json_t *bd_program_graph(const bd_program *p);
json_t *bd_program_node(const bd_program *p, size_t i);
/* Calls back for each name of an Argument, or of a list of them. is_number: of a number. */
typedef void (*bd_name_visit)(void *user, const char *name, bool is_number);
void bd_names_each(const json_t *argument, bd_name_visit visit, void *user);
/* Which node makes it: SIZE_MAX: an input of the program. False: nothing does. */
bool bd_program_names_find(const bd_program *p, const char *name, size_t *out_maker,
                           bd_name_kind *out_kind);
/* Names of the user's inputs, in their order; the caller's. */
json_t *bd_program_inputs(const bd_program *p);
/* What the program says of a tensor; null: nothing. */
json_t *bd_program_meta(const bd_program *p, const char *name);
/* The file of a stored tensor, as its payload names it; the caller frees out->own, which is null where
 * the bytes are the archive's. */
typedef struct bd_stored_bytes {
  const uint8_t *bytes;
  size_t n;
  uint8_t *own;
} bd_stored_bytes;
buddy_code bd_program_payload(const bd_program *p, const json_t *payload, bool is_weight,
                              buddy_diags *diags, bd_stored_bytes *out);
/* The program with sizes that are numbers: those of its expressions for these numbers of symbols. */
buddy_code bd_program_fix(const bd_program *p, const json_t *symbols, json_t **out_root);

/* ---- Cuts (cut.c) ---------------------------------------------------------------------------- */
typedef struct bd_cut_choice {
  const bool *has;  /* by node */
  bool sinks_alone; /* only what no node of the cut reads is given away */
} bd_cut_choice;
/* Adds the nodes that make what must not be an input. known: has the values of inputs; null: any
 * tensor may be one. */
void bd_cut_close(const bd_program *p, const json_t *known, bool *has);
/* A program of those nodes; names of its user's inputs into *out_inputs. Null: it has no outputs, or
 * memory is out. */
json_t *bd_cut_make(const bd_program *p, const bd_cut_choice *choice, json_t **out_inputs);

/* ---- Archives (archive.c) -------------------------------------------------------------------- */
/* Writes an archive with a program that was cut from `p`, and the stored tensors that it names. */
buddy_code bd_program_write(const bd_program *p, const json_t *root, const char *path,
                            buddy_diags *diags);
/* Sizes of a tensor's meta; rank, or -1 if one of them is no number. */
int bd_meta_sizes(const json_t *meta, int64_t *out_sizes, int most);
/* A tensor of those sizes without bytes; room for 64 of each. BUDDY_UNSUPPORTED: it has symbols, a
 * dtype that buddy has not, or numbers below 0. */
buddy_code bd_meta_lend(const json_t *meta, int64_t *sizes, int64_t *strides, int64_t *out_offset,
                        buddy_tensor *out);

/* ---- Values (values.c) ----------------------------------------------------------------------- */
typedef struct bd_original {
  const char *path, *program;
  const json_t *names; /* of its user's inputs, whose values are in the folder */
  uint64_t seed;
  unsigned seconds;
  const bd_registry_flags *flags;
} bd_original;
/* Runs the whole program in a child, which writes FOLDER/NAME.npy for each value that it computes.
 * known: their names are added; symbols: numbers of symbols. Where buddy cannot run the program, there
 * are none. */
buddy_code bd_original_values(const bd_original *original, const char *folder, json_t *known,
                              json_t *symbols);
/* The file of a value or of an input in that folder, which lies in it whatever the name is. */
enum { BD_VALUE_PATH = 4096 };
void bd_value_path(const char *folder, const char *name, char out_path[BD_VALUE_PATH]);
/* The first elements of a tensor in every dim, as a tensor of its own; sizes: rank of them. */
buddy_code bd_tensor_first(const buddy_tensor *tensor, const int64_t *sizes, buddy_tensor *out);
/* Writes an input: a value of those, as much of it as the program says that it has; random numbers of
 * the sizes that the program says where there is none. */
buddy_code bd_original_write(const json_t *known, const char *folder, const char *name,
                             const json_t *meta, uint64_t seed, const char *path,
                             buddy_diags *diags);

/* ---- Trials (trial.c) ------------------------------------------------------------------------ */
typedef struct bd_verdict {
  int status;      /* of the command; 128 + the signal that ended it; -1: it was not done in time */
  bool is_failure; /* neither 0 nor 125 */
  bool is_expected;   /* it says what was expected */
  char message[512];  /* the first line that says "error:" */
  char likeness[512]; /* the same without numbers and the archive's name */
} bd_verdict;
typedef struct bd_command {
  const char
      *text; /* {model} becomes the archive, {inputs} its inputs; without either, both are put
                       after it */
  const char *expected; /* what it must say; null: as it says of the whole */
  unsigned seconds;
} bd_command;
/* In a child: no standard input, no core, a process group of its own; what it writes goes to `output`,
 * a file in memory (bd_memory_file). */
void bd_child_begin(int output);
/* What there is of it, as text that the caller frees; null: memory is out. */
char *bd_child_said(int output);
/* Starts it on a model, with folder/input_N.npy as inputs; each is to be finished or stopped. */
typedef struct bd_running {
  pid_t child; /* 0: nothing runs */
  int output;
  int64_t deadline;
} bd_running;
buddy_code bd_command_start(const bd_command *command, const char *model, const char *folder,
                            size_t n_inputs, bd_running *out);
/* Waits for it, but not beyond its time. */
buddy_code bd_command_finish(const bd_command *command, const char *model, bd_running *running,
                             bd_verdict *out);
void bd_command_stop(bd_running *running);
/* The same as a line of a script in which $here is the folder of all of them. */
buddy_code bd_command_script(const bd_command *command, size_t n_inputs, bd_text *out);
/* From now on SIGINT and SIGTERM end the search, and not the process: what is found so far is what
 * there is. */
void bd_reduction_watch(void);
bool bd_reduction_is_over(void);
bool bd_verdict_is_same(const bd_command *command, const bd_verdict *whole, const bd_verdict *cut);

/* ---- Search (search.c) ----------------------------------------------------------------------- */
typedef struct bd_reduction {
  bd_program program; /* of which nodes are kept; sizes change in it */
  bd_command command;
  uint64_t seed;
  const char *values, *trial; /* folders of our own; one in `trial` for each job, by number */
  size_t n_jobs;              /* commands that run at the same time */
  json_t *known, *symbols;
  bd_verdict whole, last; /* of the whole program, and of what is kept */
  bool *has;              /* the nodes that are kept */
  bool sinks_alone;
  bool takes_random; /* inputs whose values are not known */
  size_t n_trials;
  json_t *tried; /* choices that did not fail in the same way */
  buddy_diags *diags;
} bd_reduction;
enum { BD_MAX_JOBS = 8 };
bd_cut_choice bd_reduction_choice(const bd_reduction *r);
size_t bd_reduction_n_nodes(const bd_reduction *r);
/* Writes input_N.npy into a folder, which is there; and with them model.pt2. */
buddy_code bd_reduction_write_inputs(const bd_reduction *r, const json_t *root,
                                     const json_t *inputs, const char *folder);
buddy_code bd_reduction_write(const bd_reduction *r, const json_t *root, const json_t *inputs,
                              const char *folder);
/* Programs to be tried, each of which stands for itself. */
typedef struct bd_reduction_candidates {
  size_t n;
  void *user;
  /* Writes number i into a folder, as bd_reduction_write_cut does; *out_n_inputs stays SIZE_MAX where
   * it is not worth a run. */
  buddy_code (*write)(void *user, size_t i, const char *folder, size_t *out_n_inputs);
  void (*failed)(void *user,
                 size_t i); /* number i does not fail in the same way; null: no matter */
} bd_reduction_candidates;
/* The first of them, in their order, for which the command fails in the same way; n: none. As many run
 * at the same time as there are jobs, and what is found does not depend on how many those are. */
buddy_code bd_reduction_first(bd_reduction *r, const bd_reduction_candidates *candidates,
                              size_t *out_which);
buddy_code bd_reduction_write_cut(const bd_reduction *r, const bd_cut_choice *choice,
                                  const char *folder, size_t *out_n_inputs);
/* Whether the command fails in the same way on a cut. */
buddy_code bd_reduction_run(bd_reduction *r, const bd_cut_choice *choice, bool *out_is_same);
/* Sizes that are numbers, if it fails with them as well. */
buddy_code bd_reduction_fix(bd_reduction *r);
/* Fewer nodes, and then fewer outputs. */
buddy_code bd_reduction_nodes(bd_reduction *r);
/* Smaller sizes (sizes.c). */
buddy_code bd_reduction_sizes(bd_reduction *r);

#endif
