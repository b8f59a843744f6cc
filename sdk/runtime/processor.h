// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/processor.h: what this processor can do. */
#ifndef BUDDY_SDK_RUNTIME_PROCESSOR_H
#define BUDDY_SDK_RUNTIME_PROCESSOR_H

#include <stddef.h>

#include "buddy/base.h"

/* True if the processor has all features of a list like "avx2,avx512f", and the system lets this
 * process use them: it is asked for AMX, which a process has only then. Names that are not known
 * here count as there. Else the first that is missing is copied to `missing`. */
BUDDY_EXPORT int bd_processor_has(const char *features, char *missing, size_t size);
/* What code generated for this processor may depend on, as a line of text, cut to size. */
void bd_processor_identify(char *text, size_t size);

#endif
