/* buddy/tune.h: which registry is fastest for which op of a model, found out by measuring. Part of
 * libbuddy_model. */
#ifndef BUDDY_TUNE_H
#define BUDDY_TUNE_H

#include "buddy/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One op given to another registry for a try, with the pins that were found before. */
typedef struct buddy_trial {
  const char *op, *registry;
  double before, after; /* seconds of a run without and with it: the least of several, in turns */
  int is_kept;
} buddy_trial;

typedef struct buddy_tune_options {
  size_t struct_size;
  /* Registries, their order and pins, compilation, threads, cache; null: defaults. */
  const buddy_model_options *model;
  const buddy_tensor *inputs; /* of the runs that are measured */
  size_t n_inputs;
  double seconds; /* no try begins later; 0: 60 */
  /* Called as a try ends; may be null. [call-thread] */
  void (*report)(void *user, const buddy_trial *trial);
  void *user;
} buddy_tune_options;

/* Tries, for the ops that the model spends most of its time in, the other registries of the order
 * that take them, one op after the other, and keeps what makes a run faster by 3 % or more. With a
 * cache the pins are kept in it: buddy_model_load takes them as it takes code, under the same
 * options, until anything changes that code depends on; so does a search that is asked for again,
 * which then measures nothing. out_pins: "op=registry,op=registry", freed by buddy_tune_free; "" if
 * nothing was faster. */
BUDDY_EXPORT buddy_code buddy_tune(const char *path, const buddy_tune_options *options,
                                   buddy_diags *diags, char **out_pins);
/* What a search found that the cache has kept; null in out_pins if there is none. model may be
 * null. */
BUDDY_EXPORT buddy_code buddy_tuned(const char *path, const buddy_model_options *model,
                                    buddy_diags *diags, char **out_pins);
BUDDY_EXPORT void buddy_tune_free(char *pins);

#ifdef __cplusplus
}
#endif
#endif
