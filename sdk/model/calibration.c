// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/calibration.c: measurements in the cache. An entry of the store, under a key of what
 * the measurements depend on: libraries, registries and processor. */
#include "sdk/model/calibration.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/resolve.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/model/pins.h"
#include "sdk/model/registry_calls.h"

#define ENTRY "buddy rates 1"
enum { MAX_REGISTRIES = 32 };

struct buddy_calibration {
  bd_rates rates;
  char hash[2 * BD_KEY_SIZE + 1]; /* of the text */
  char what[160];                 /* of the sample that was asked for last */
  buddy_chooser chooser;
};

/* ---- Choosing -------------------------------------------------------------------------------- */
/* The registries with rows for the op, each once, in their order. */
static size_t list_registries(const buddy_registries *registries, const char *op, size_t *numbers,
                              const char **names) {
  const buddy_candidate *rows;
  const size_t n_rows = buddy_registries_candidates(registries, op, &rows);
  size_t n = 0;
  for (size_t i = 0; i < n_rows; ++i) {
    if (n > 0 && numbers[n - 1] == rows[i].registry) continue;
    if (n == MAX_REGISTRIES) break;
    names[n] = buddy_registries_get(registries, rows[i].registry)->name;
    numbers[n++] = rows[i].registry;
  }
  return n;
}

static int choose(void *user, const buddy_registries *registries, const buddy_node *node,
                  buddy_choice *out_choice) {
  const buddy_calibration *calibration = user;
  const char *names[MAX_REGISTRIES];
  size_t numbers[MAX_REGISTRIES];
  bd_case is;
  bd_pick pick;
  if (!bd_case_of(node, &is)) return 0;
  const size_t n = list_registries(registries, buddy_node_op(node), numbers, names);
  if (!bd_rates_pick(&calibration->rates, &is, names, n, &pick)) return 0;
  out_choice->registry = numbers[pick.i];
  snprintf(out_choice->why, sizeof(out_choice->why), "%s: %.2f of %s's time, %s", names[pick.i],
           pick.ratio, names[pick.order], pick.is_measured ? "measured" : "estimated");
  return 1;
}

static int states_order(const buddy_registries_options *o) {
  if (o && BUDDY_HAS(o, buddy_registries_options, order) && o->order) return 1;
  return bd_model_reads_environment(o) && secure_getenv("BUDDY_REGISTRIES");
}

const buddy_chooser *buddy_calibration_chooser(const buddy_calibration *calibration,
                                               const buddy_registries_options *registries) {
  return calibration->rates.n == 0 || states_order(registries) ? NULL : &calibration->chooser;
}

/* ---- The cache ------------------------------------------------------------------------------- */
static void name_text(buddy_calibration *calibration, const char *text, size_t size) {
  uint8_t hash[BD_KEY_SIZE];
  crypto_generichash(hash, sizeof(hash), (const unsigned char *)text, size, NULL, 0);
  sodium_bin2hex(calibration->hash, sizeof(calibration->hash), hash, sizeof(hash));
}

static buddy_code read_text(buddy_calibration *calibration, const bd_store *store, const char *text,
                            size_t size, buddy_diags *diags) {
  const buddy_code code = bd_rates_parse(text, size, &calibration->rates);
  name_text(calibration, text, size);
  if (code != BUDDY_CORRUPT) return code;
  buddy_diags_add(diags, BUDDY_WARNING, code, store->path, "measure again: buddy calibrate",
                  "the calibration there cannot be read, and is passed over");
  return BUDDY_OK;
}

static buddy_calibration *create(void) {
  buddy_calibration *new = bd_calloc(1, sizeof(*new));
  if (new) {
    new->chooser = (buddy_chooser){
        .struct_size = sizeof(new->chooser), .key = new->hash, .choose = choose, .user = new};
  }
  return new;
}

buddy_code bd_calibration_find(const bd_store *store, const uint8_t *ground, buddy_diags *diags,
                               buddy_calibration **out_calibration) {
  uint8_t key[BD_KEY_SIZE];
  size_t size = 0;
  buddy_code code = BUDDY_OK;
  *out_calibration = create();
  if (!*out_calibration) return BUDDY_OUT_OF_MEMORY;
  bd_key_name(ground, ENTRY, key);
  char *text = bd_store_read(store, key, diags, &size);
  if (text) code = read_text(*out_calibration, store, text, size, diags);
  free(text);
  return code;
}

buddy_code bd_calibration_keep(const bd_store *store, const uint8_t *ground, const bd_rates *rates,
                               buddy_diags *diags) {
  uint8_t key[BD_KEY_SIZE];
  size_t size = 0;
  char *text = bd_rates_print(rates, &size);
  if (!text) return BUDDY_OUT_OF_MEMORY;
  bd_key_name(ground, ENTRY, key);
  const buddy_code code = bd_store_add(store, key, text, size, diags);
  free(text);
  return code;
}

bd_rates *bd_calibration_rates(buddy_calibration *calibration) { return &calibration->rates; }

/* ---- Options --------------------------------------------------------------------------------- */
buddy_code bd_chosen_init(const bd_store *store, const uint8_t *ground,
                          const buddy_model_options *given, buddy_diags *diags, bd_chosen *out) {
  *out = (bd_chosen){.calibration = NULL};
  BD_TRY(bd_model_how_read(given, diags, &out->how));
  buddy_registries_options *registries = &out->how.registries;
  if (registries->chooser || states_order(registries)) return BUDDY_OK;
  BD_TRY(bd_calibration_find(store, ground, diags, &out->calibration));
  registries->chooser = buddy_calibration_chooser(out->calibration, registries);
  return BUDDY_OK;
}

void bd_chosen_deinit(bd_chosen *chosen) {
  buddy_calibration_close(chosen->calibration);
  *chosen = (bd_chosen){.calibration = NULL};
}

/* ---- The calls ------------------------------------------------------------------------------- */
/* A cache that is not there, or cannot be used, has nothing. */
buddy_code buddy_calibration_open(const buddy_model_options *model, buddy_diags *diags,
                                  buddy_calibration **out_calibration) {
  bd_store store;
  bd_model_how how;
  uint8_t ground[BD_KEY_SIZE];
  *out_calibration = NULL;
  BD_TRY(bd_model_how_read(model, diags, &how));
  if (bd_store_open(how.options.cache_dir, 0, NULL, &store) != BUDDY_OK) {
    *out_calibration = create();
    return *out_calibration ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  }
  buddy_code code = bd_key_ground(&how.options, diags, ground);
  if (code == BUDDY_OK) code = bd_calibration_find(&store, ground, diags, out_calibration);
  bd_store_close(&store);
  return code;
}

void buddy_calibration_close(buddy_calibration *calibration) {
  if (calibration) bd_rates_deinit(&calibration->rates);
  free(calibration);
}

size_t buddy_calibration_n_samples(const buddy_calibration *calibration) {
  return calibration->rates.n;
}

int buddy_calibration_sample(buddy_calibration *calibration, size_t i, buddy_sample *out_sample) {
  if (i >= calibration->rates.n) return 0;
  const bd_rate *rate = &calibration->rates.items[i];
  bd_case_text(&rate->is, calibration->what, sizeof(calibration->what));
  *out_sample =
      (buddy_sample){calibration->what, rate->registry, rate->n_threads, (double)rate->ns / 1e9};
  return 1;
}

buddy_code buddy_calibration_clear(const buddy_model_options *model, buddy_diags *diags,
                                   int *out_was_there) {
  bd_store store;
  uint8_t ground[BD_KEY_SIZE], key[BD_KEY_SIZE];
  bool was_there = false;
  bd_model_how how;
  buddy_code code = bd_model_how_read(model, diags, &how);
  if (code == BUDDY_OK && bd_store_open(how.options.cache_dir, 0, NULL, &store) == BUDDY_OK) {
    code = bd_key_ground(&how.options, diags, ground);
    if (code == BUDDY_OK) {
      bd_key_name(ground, ENTRY, key);
      code = bd_store_remove(&store, key, &was_there);
    }
    bd_store_close(&store);
  }
  if (out_was_there) *out_was_there = was_there;
  return code;
}
