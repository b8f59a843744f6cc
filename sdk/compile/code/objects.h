// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/objects.h: what LLVM and lld offer in C++ alone: processors by name, archives,
 * linking. */
#ifndef BUDDY_SDK_COMPILE_OBJECTS_H
#define BUDDY_SDK_COMPILE_OBJECTS_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The target of the triple must have been initialised. */
int bd_cpu_is_known(const char *triple, const char *cpu);
/* True if the architecture, system and environment are the same; the vendor does not matter. */
int bd_triples_are_alike(const char *a, const char *b);
/* "x86_64-linux-gnu" for "x86_64-pc-linux-gnu", cut to size. */
void bd_triple_folder(const char *triple, char *text, size_t size);
/* Those of `names`, features separated by commas, that the processor has; into text, cut to size. */
void bd_cpu_features(const char *triple, const char *cpu, const char *features, const char *names,
                     char *text, size_t size);

/* All features of the processor as LLVM spells them, "+avx,-sse4a,…", without those whose names begin
 * with `name`, and those that need them; a copy that bd_free frees, null: memory is out. False: no
 * feature of the target is called so. */
bool bd_cpu_leave_out(const char *triple, const char *cpu, const char *features, const char *name,
                      char **out_features);

/* An object file in memory. */
typedef struct bd_member {
  const char *name;
  const void *object;
  size_t n_bytes;
} bd_member;
/* A static library, made in memory. Deterministic: no times, no owners. */
buddy_code bd_static_library_write(const bd_member *members, size_t n, const buddy_writer *out,
                                   buddy_diags *diags);
/* Runs lld, in this process, on ld's arguments, which end with null. One at a time. LLVM ends the
 * process when a file that it writes does not fit: the output must be a pipe (pipe.h). */
buddy_code bd_link(const char *const *arguments, buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
