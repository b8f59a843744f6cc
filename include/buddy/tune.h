// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/tune.h: which registry is fastest for which op, found out by measuring. Part of
 * libbuddy_model.
 *
 *   calibration   how long each registry takes, on this machine, for products and convolutions of
 *                 several sizes. Where nobody states an order, buddy_model_load asks the registry
 *                 first that is fastest by it, node by node
 *   search        of one model: its ops are given to other registries, one after the other, and
 *                 the whole model is run */
#ifndef BUDDY_TUNE_H
#define BUDDY_TUNE_H

#include "buddy/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Calibration -------------------------------------------------------------------------------
 * One op of some sizes as a registry computed it: its best time of several. The registries are not
 * believed, nor asked: small programs are compiled through each that has a row for the op, and
 * timed in turns. */
typedef struct buddy_sample {
  const char *what; /* "product f32 1x128x3072x768": kind, dtype, sizes */
  const char *registry;
  int n_threads;
  double seconds;
} buddy_sample;

typedef struct buddy_calibrate_options {
  size_t struct_size;
  /* Where registries are looked for, and the cache's folder; null: defaults. Of an order that it
   * states, as many registries are measured as it has. */
  const buddy_model_options *model;
  /* Archives whose products and convolutions are measured; none: sizes that are common in networks
   * for pictures and texts. */
  const char *const *paths;
  size_t n_paths;
  double seconds; /* no case begins later; 0: 60 */
  /* Called for each that was measured, whose strings are lent for the call; may be null.
   * [call-thread] */
  void (*report)(void *user, const buddy_sample *sample);
  void *user;
} buddy_calibrate_options;

/* Measures, on one thread and on as many as programs have by default, what was not measured yet,
 * and keeps it in the cache beside what was: until buddy, a registry or the processor changes.
 * out_n: how many samples there are now; may be null. */
BUDDY_EXPORT buddy_code buddy_calibrate(const buddy_calibrate_options *options, buddy_diags *diags,
                                        size_t *out_n);
/* Forgets it. out_was_there may be null. */
BUDDY_EXPORT buddy_code buddy_calibration_clear(const buddy_model_options *model,
                                                buddy_diags *diags, int *out_was_there);

/* What the cache has kept for these registries on this machine: nothing, if there is none. model
 * may be null. */
typedef struct buddy_calibration buddy_calibration;
BUDDY_EXPORT buddy_code buddy_calibration_open(const buddy_model_options *model, buddy_diags *diags,
                                               buddy_calibration **out_calibration);
BUDDY_EXPORT void buddy_calibration_close(buddy_calibration *calibration); /* null is allowed */
BUDDY_EXPORT size_t buddy_calibration_n_samples(const buddy_calibration *calibration);
/* In the order in which they were measured first. `what` lives until the next call. */
BUDDY_EXPORT int buddy_calibration_sample(buddy_calibration *calibration, size_t i,
                                          buddy_sample *out_sample);
/* What chooses by it: for buddy_registries_options, as long as the calibration is open. Null: there
 * is nothing to choose by, or an order is stated, by the options or in the environment, which
 * stands then. buddy_model_load with a cache does this by itself, in the absence of a chooser.
 *
 * A registry is asked before the one that the order has where it takes 5 % less time for this very
 * case, or 10 % by what cases like it took: the mean over the numbers of threads, none of which may
 * speak against it. A convolution must make up, besides, for images that are written once more where
 * two registries meet. So the choice, and with it the results, are the same on any number of threads.
 * Whatever depends on sizes that are known in the run alone is as the order has it. */
BUDDY_EXPORT const buddy_chooser *buddy_calibration_chooser(
    const buddy_calibration *calibration, const buddy_registries_options *registries);

/* ---- Search ------------------------------------------------------------------------------------
 * One op given to another registry for a try, with the pins that were found before. */
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
 * which then measures nothing. Where no order is stated the model's own products and convolutions
 * are measured first, in half of the time at most, as buddy_calibrate does, and the search begins
 * with what is chosen by that. out_pins: "op=registry,op=registry", freed by buddy_tune_free; "" if
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
