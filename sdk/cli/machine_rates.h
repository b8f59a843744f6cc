// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/machine_rates.h: what this machine does at most, measured: what a kernel's time is compared with. */
#ifndef BUDDY_SDK_CLI_MACHINE_RATES_H
#define BUDDY_SDK_CLI_MACHINE_RATES_H

/* In a second, on all threads together; 0: not known. */
typedef struct bd_machine_rates {
  double flops;        /* of f32 in registers: a multiplication and an addition are two */
  double bytes;        /* read from memory */
  double cached_bytes; /* read from the caches of each core */
} bd_machine_rates;
/* Takes about a tenth of a second, and 128 MB. */
bd_machine_rates bd_machine_rates_measure(int n_threads);
/* The least time of so much arithmetic, or of reading so many bytes, whichever takes longer; what fits
 * into caches is read from there. */
double bd_machine_rates_seconds(const bd_machine_rates *machine, double flops, double bytes);

#endif
