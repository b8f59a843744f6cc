// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/calibration.h: the measurements that the cache has kept, and options that choose by
 * them; see buddy/tune.h. */
#ifndef BUDDY_SDK_MODEL_CALIBRATION_H
#define BUDDY_SDK_MODEL_CALIBRATION_H

#include "buddy/tune.h"
#include "sdk/model/how.h"
#include "sdk/model/rates.h"
#include "sdk/model/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ground: of bd_key_ground. What is damaged is passed over, with a warning. */
buddy_code bd_calibration_find(const bd_store *store, const uint8_t *ground, buddy_diags *diags,
                               buddy_calibration **out_calibration);
buddy_code bd_calibration_keep(const bd_store *store, const uint8_t *ground, const bd_rates *rates,
                               buddy_diags *diags);
/* Its measurements, to be added to. */
bd_rates *bd_calibration_rates(buddy_calibration *calibration);

/* Options of a model with a chooser, where they state neither one nor an order. Lends from the
 * options that it was made of. */
typedef struct bd_chosen {
  bd_model_how how;
  buddy_calibration *calibration;
} bd_chosen;

/* given: may be null. After a failure, too, bd_chosen_deinit is due. */
buddy_code bd_chosen_init(const bd_store *store, const uint8_t *ground,
                          const buddy_model_options *given, buddy_diags *diags, bd_chosen *out);
void bd_chosen_deinit(bd_chosen *chosen);

#ifdef __cplusplus
}
#endif

#endif
