// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/bisect.h: where two ways of computing a graph part.
 *
 *   way        how a graph becomes code: registries, options of the compiler, threads
 *   values     tensors of the reference that are alive, by the graph's values
 *   part       neighbouring nodes as a program of their own, run on the reference's values: so what a
 *              part does wrong is its own, and not inherited
 *   search     halves what is off until a node is left, or as few nodes as are off together alone
 *   choices    which choice, or set of them, makes a part right; it is turned for what comes after
 *   nonfinite  where NaN and infinities of a result come from
 *   cached     what the cache has of the whole
 *
 * Values live from where the reference makes them to their last use within what is searched. */
#ifndef BUDDY_SDK_CLI_BISECT_BISECT_H
#define BUDDY_SDK_CLI_BISECT_BISECT_H

#include <stdbool.h>

#include "buddy/compile.h"
#include "sdk/cli/element.h"
#include "sdk/cli/session.h"

/* ---- Measures (measure.c) -------------------------------------------------------------------- */
typedef struct bd_gap {
  double max_abs, scale; /* scale: the largest finite magnitude that the reference has */
  double relative; /* max_abs / scale; infinite: NaN or infinity in one alone, or exact numbers
                            that differ */
  double max_rel;  /* of a number's own magnitude in the reference, where that is not 0 */
  double max_ulp;  /* in units of the candidate's dtype at the reference's number */
  double snr;      /* signal over noise in dB; infinite: equal */
  double cosine;
  size_t n, n_different; /* elements; those that are not equal */
} bd_gap;
enum { BD_N_DTYPES = 32 }; /* as BUDDY_DTYPE_BIT has bits */
void bd_gap_measure(const buddy_tensor *reference, const buddy_tensor *candidate, bd_gap *out);
/* What rounding explains, as a part of the scale; 0 for numbers that are exact. */
double bd_gap_tolerance(buddy_dtype dtype);
/* NaN, or an infinity where those are wanted as well. */
bool bd_is_nonfinite(double number, bool is_nan);
/* A copy that has 1 in place of such numbers. */
buddy_code bd_tensor_finite(const buddy_tensor *tensor, bool is_nan, buddy_tensor *out);
/* A copy whose numbers are others, of which the same functions are defined: three quarters of them, or
 * of exact ones the same, each in the place of the next. */
buddy_code bd_tensor_vary(const buddy_tensor *tensor, buddy_tensor *out);
/* A copy in another dtype of the same kind. */
buddy_code bd_tensor_convert(const buddy_tensor *tensor, buddy_dtype dtype, buddy_tensor *out);

/* ---- Values (values.c) ----------------------------------------------------------------------- */
typedef struct bd_value_state {
  size_t made,
      last_use; /* positions of nodes; made: SIZE_MAX: an input; last_use: n_nodes: an output */
  buddy_tensor tensor; /* the reference's; zeroed: not alive */
} bd_value_state;

typedef struct bd_values bd_values;
buddy_code bd_values_create(const buddy_graph *graph, bd_values **out_values);
void bd_values_destroy(bd_values *values);
/* Null for a value of another graph. */
bd_value_state *bd_values_get(const bd_values *values, const buddy_value *value);
size_t bd_values_position(const bd_values *values, const buddy_node *node); /* SIZE_MAX: none */
/* Numbers of symbols that tensors have told, by the graph's symbols; null: not all are known. */
const int64_t *bd_values_symbols(const bd_values *values);
/* What a tensor tells of the symbols. */
void bd_values_learn(bd_values *values, const buddy_value *value, const buddy_tensor *tensor);

/* ---- Ways and parts (part.c) ----------------------------------------------------------------- */
typedef struct bd_way {
  buddy_registries *registries;
  buddy_compile_options compile;
  int n_threads;
  bool is_double;
} bd_way;

typedef struct bd_node_range {
  size_t first, end; /* positions of nodes */
} bd_node_range;

typedef struct bd_results {
  const buddy_value **values;
  buddy_tensor *tensors;
  size_t n;
} bd_results;
void bd_results_free(bd_results *results);

typedef struct bd_golden bd_golden;

typedef struct bd_bisect {
  const bd_session *session;
  const buddy_graph *graph;
  const buddy_node **nodes;
  size_t n_nodes;
  bd_values *values;
  bd_way candidate, reference;
  bd_way current;                 /* the candidate with what avoids all that was found so far */
  const bd_registry_flags *flags; /* as the candidate's registries were made of */
  const char **fixes;             /* options: copies */
  size_t n_fixes;
  bool is_settled;                /* with them the whole is right: no more is to be searched */
  bd_golden *golden;              /* values that stand above the reference's; null: none */
  double tolerances[BD_N_DTYPES]; /* 0: bd_gap_tolerance's */
  int n_runs; /* of the candidate's programs, whose last run counts: those before it have
                        other inputs */
  uint64_t seed;
  buddy_diags *diags;
  size_t n_programs; /* that were compiled */
} bd_bisect;

void bd_way_close(bd_way *way);

/* Results become the store's; wide ones are rounded to what the graph says (values.c). */
buddy_code bd_values_keep(bd_bisect *b, bd_results *results);
/* Those that no node from `position` on reads are not needed any more; after the last: none are. */
void bd_values_drop_dead(bd_bisect *b, size_t position);

typedef struct bd_part_user {
  const bd_values *values;
  bd_node_range range;
  const bool *picked; /* by position: only these nodes; null: all of the range */
} bd_part_user;
bool bd_part_has(const void *user,
                 const buddy_node *node); /* as bd_cut.has; user: a bd_part_user */
/* Of a part: values that something after it reads. */
buddy_code bd_part_results(const bd_bisect *b, bd_node_range range, bool takes_all,
                           bd_results *out);
/* Computes them by a way, from values that are alive. n_runs: of the same program, whose last run's
 * results are given; inputs of those before it are other numbers. dither: a relative change of the inputs, for what rounding would do; 0: none. */
typedef struct bd_part_options {
  int n_runs;
  double dither;
  bool takes_all;     /* every result of every node */
  const bool *picked; /* by position: of the range only these nodes, each on the store's values, and
                         with all its results; none may read what another makes. Null: all */
  void (*see)(void *user, const buddy_value *value, const buddy_tensor *tensor); /* its inputs */
  void *user;
  bd_results *plain; /* what the same program gives without the dither; null: not wanted */
} bd_part_options;
buddy_code bd_part_run(bd_bisect *b, bd_node_range range, const bd_way *way,
                       const bd_part_options *options, bd_results *out);

/* ---- Golden values (golden.c) ---------------------------------------------------------------- */
buddy_code bd_golden_open(const char *path, buddy_diags *diags, bd_golden **out_golden);
void bd_golden_close(bd_golden *golden);
/* Told: the values are of another program, by its text, weights and constants. Values that somebody
 * else has written name none, and are of any. where: the archive, for messages. */
buddy_code bd_golden_check(const bd_golden *golden, const buddy_archive *archive, const char *where,
                           buddy_diags *diags);
bool bd_golden_has(const bd_golden *golden, const buddy_value *value);
/* BUDDY_NOT_FOUND: there is none of its name. Another dtype or size, or a checksum that differs, is told. */
buddy_code bd_golden_read(const bd_golden *golden, const buddy_value *value, buddy_diags *diags,
                          buddy_tensor *out_tensor);

/* ---- A graph whose values are to be had (open.c) --------------------------------------------- */
/* bd_bisect_close frees it, and also what was made of it in part. The reference is the caller's to
 * open, before the inputs. */
buddy_code bd_bisect_open(const bd_session *session, const bd_way *candidate, uint64_t seed,
                          const bd_registry_flags *flags, bd_bisect *out);
void bd_bisect_close(bd_bisect *b);
void bd_fixed_close(bd_bisect *b); /* the current way, if it is not the candidate */
/* A way without optimisation, by no registries yet: a reference. */
bd_way bd_way_plain(bool is_double);
/* The user's inputs: files in their order; none: the golden values', or random numbers where there are no
 * golden values. Those of another program, of other inputs, or of none of the graph's nodes, are refused.
 * where: the archive, for messages. */
buddy_code bd_bisect_inputs(bd_bisect *b, const char *where, const char *const *paths, size_t n);
/* Every value of every node, a piece of the graph at a time: no more are alive. */
typedef buddy_code (*bd_visit)(void *user, const bd_results *results, bool *goes_on);
buddy_code bd_bisect_stream(bd_bisect *b, const bd_way *way, bd_visit visit, void *user);

/* ---- The cache (cached.c) -------------------------------------------------------------------- */
/* What `buddy run` gives for the candidate, as results of all nodes, where the cache has code for that;
 * n is 0: it has none, or the model has no results. Before the reference runs, so that weights are in
 * memory once. */
buddy_code bd_cached_run(bd_bisect *b, const char *path, const char *program, bd_results *out);

/* ---- Search (search.c) ----------------------------------------------------------------------- */
typedef struct bd_finding {
  bd_node_range range;
  const buddy_value *value; /* the worst */
  bd_gap gap;
} bd_finding;
typedef struct bd_findings {
  bd_finding *items;
  size_t n, capacity;
} bd_findings;

/* Random numbers are not comparable, and what nobody defines has no numbers. */
bool bd_node_is_random(const buddy_node *node); /* null: an input */
buddy_code bd_reference_run(bd_bisect *b, bd_node_range range, bd_results *out);
/* Compares a part of both ways. out_worst: of its values; out_reference: the reference's results, or
 * null. */
buddy_code bd_bisect_compare(bd_bisect *b, bd_node_range range, const bd_way *way,
                             bd_finding *out_worst, bd_results *out_reference);
/* Likewise, with what the reference has made of it. */
buddy_code bd_bisect_compare_with(bd_bisect *b, bd_node_range range, const bd_way *way,
                                  const bd_results *reference, bd_finding *out_worst);
bool bd_finding_is_off(const bd_bisect *b, const bd_finding *finding);
/* What is off is no more than rounding does to the part's inputs and weights. */
bool bd_finding_is_rounding(bd_bisect *b, const bd_finding *finding);
/* The worst of the candidate's values, which are the reference's in their order; those of dtype none
 * are left out. */
void bd_finding_worst(const bd_bisect *b, const bd_results *reference, const bd_results *candidate,
                      bd_finding *out);
/* The whole is off from the reference's results; finds which nodes are. found is called for each, while
 * the reference's values that it reads are alive; what it turns with bd_bisect_fix is no fault of the
 * nodes after, so that one cause is found once. */
typedef buddy_code (*bd_found)(void *user, const bd_finding *finding);
buddy_code bd_bisect_search(bd_bisect *b, const bd_finding *whole, const bd_results *reference,
                            bd_found found, void *user);
/* Looks at each node that is wanted, on the reference's values, several in one program, without what was
 * turned. What is off by what `wanted` gives, a
 * part of the scale, is no rounding; 0: the node is not wanted. Null: each node is found, whether it is
 * off or not. */
typedef double (*bd_node_wanted)(const void *user, const buddy_node *node, size_t position);
buddy_code bd_bisect_look_at(bd_bisect *b, bd_node_wanted wanted, bd_found found, void *user);

/* ---- Not a number (nonfinite.c) ---------------------------------------------------------------- */
typedef struct bd_numbers {
  const buddy_value *value;
  double least, most; /* of those that are finite */
  size_t n, n_nan, n_infinite;
} bd_numbers;
enum { BD_MAX_NUMBERS = 8 };
typedef struct bd_nonfinite_origin {
  bd_node_range range; /* a node, or several none of which makes such numbers alone */
  bd_numbers made, inputs[BD_MAX_NUMBERS];
  size_t n_inputs;
} bd_nonfinite_origin;
typedef struct bd_nonfinite {
  bd_numbers result; /* of the graph, with NaN or infinities; its value is null: there is none */
  bd_nonfinite_origin
      origins[2]; /* what makes them of numbers that are none; and its infinite inputs */
  size_t n_origins;
} bd_nonfinite;
buddy_code bd_bisect_nonfinite(bd_bisect *b, bd_nonfinite *out);

/* ---- Choices (choices.c) --------------------------------------------------------------------- */
typedef struct bd_bisect_choice {
  char option[256]; /* "--pin aten.mm.default=linalg"; several where one alone does not help */
  char what[160];   /* "the registry tosa", "Winograd" */
  bd_gap gap;       /* of the part with the choice turned */
} bd_bisect_choice;
enum { BD_MAX_CHOICES = 64 };
typedef struct bd_choices {
  bd_bisect_choice items[BD_MAX_CHOICES]; /* that make the part right, the narrowest first */
  size_t n;
  int n_tried;
} bd_choices;

/* Turns choices, from the current way: registries one by one, all else by halves. Where none helps
 * alone: all, and then as few of them as do. */
buddy_code bd_choices_try(bd_bisect *b, const bd_finding *finding, bd_choices *out);
/* They exclude each other: "--pin aten.mm.default=" and another one, "--registries " and another. */
bool bd_options_are_alike(const char *a, const char *b);
/* The current way has this option from now on. */
buddy_code bd_bisect_fix(bd_bisect *b, const char *option);
/* The way with options added, of which later ones win; bd_way_close frees its registries. */
buddy_code bd_way_open(const bd_session *session, const bd_registry_flags *flags,
                       const char *const *options, size_t n_options, const bd_way *like,
                       bd_way *out_way);

#endif
