// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/passing.h: how a model's typed function takes its outputs. */
#ifndef BUDDY_SDK_COMPILE_PASSING_H
#define BUDDY_SDK_COMPILE_PASSING_H

#include "sdk/runtime/artifact.h"

/* How the typed function takes an output. symbols: by number, true if user inputs tell it. */
bd_passing bd_artifact_passing(const bd_output *output, const char *symbols);
/* Which shape symbols the user inputs tell: one flag per symbol of the signature. */
void bd_artifact_symbols(const bd_signature *signature, char *out_symbols);

#endif
