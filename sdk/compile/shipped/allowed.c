// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/shipped/allowed.c: a switch and a count, for tests. */
#include "sdk/compile/shipped/allowed.h"

#include <stdatomic.h>
#include <stdbool.h>

static _Atomic bool is_refused;
static _Atomic size_t n_taken;

void bd_shipped_allow(bool is_allowed) { atomic_store(&is_refused, !is_allowed); }

int bd_shipped_is_allowed(void) { return !atomic_load(&is_refused); }

size_t bd_shipped_count(size_t more) { return atomic_fetch_add(&n_taken, more); }
