// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/calibrate.h: measuring cases; see buddy/tune.h. */
#ifndef BUDDY_SDK_MODEL_CALIBRATE_H
#define BUDDY_SDK_MODEL_CALIBRATE_H

#include "buddy/tune.h"
#include "sdk/model/rates.h"

typedef struct bd_cases { /* zeroed: none */
  bd_case *items;
  size_t n, capacity;
} bd_cases;
void bd_cases_deinit(bd_cases *cases);
/* One that is there already is not added. */
buddy_code bd_cases_add(bd_cases *cases, const bd_case *c);
/* Of the nodes of a model, as they are planned. */
buddy_code bd_cases_add_model(bd_cases *cases, const char *path, const buddy_model_options *model,
                              buddy_diags *diags);
/* Of networks in general. */
buddy_code bd_cases_add_common(bd_cases *cases);

/* Measures the cases that are not known yet, and adds them; what cannot be compiled is left out. Of
 * the options, model, seconds, report and user count. */
buddy_code bd_cases_measure(const bd_cases *cases, const buddy_calibrate_options *options,
                            bd_rates *rates, buddy_diags *diags);

#endif
