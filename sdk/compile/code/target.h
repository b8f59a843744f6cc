// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/target.h: which processor code is generated for. */
#ifndef BUDDY_SDK_COMPILE_TARGET_H
#define BUDDY_SDK_COMPILE_TARGET_H

#include <stdbool.h>

#include "buddy/base.h"
#include "llvm-c/TargetMachine.h"
#include "sdk/compile/kernels/machine.h"

/* Features that the runtime knows how to look for (sdk/runtime/processor.c). */
#define BD_X86_FEATURES                                                                    \
  "sse4.2,avx,avx2,fma,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512bf16," \
  "amx-tile,amx-int8,amx-bf16"

typedef struct bd_target {
  char *triple, *cpu, *features; /* owned */
  bool is_host;                  /* the triple is that of this process */
  bd_machine machine;            /* of processor and features, as kernels are cut for it */
} bd_target;

/* This machine's features as LLVM spells them, "+avx,-sse4a,…", without AMX where the system does
 * not grant it: it is asked. A copy that free() frees; null: memory is out. */
char *bd_host_features(void);

/* triple: null for this process's. cpu: null for this machine's where the triple is the host's,
 * else "generic"; "native" is this machine's. Unknown names are refused; so are targets that are
 * not 64-bit little-endian. features: of x86, those of BD_X86_FEATURES at least. without: as
 * buddy_compile_options has it; null: nothing. */
buddy_code bd_target_init(const char *triple, const char *cpu, const char *without,
                          buddy_diags *diags, bd_target *out_target);
/* Sets the machine, by triple, processor and features alone. l2: as bd_machine_of has it. */
void bd_target_find_machine(bd_target *target, int64_t l2);
void bd_target_deinit(bd_target *target);
/* The caller disposes of it. */
buddy_code bd_target_machine(const bd_target *target, int opt_level, buddy_diags *diags,
                             LLVMTargetMachineRef *out_machine);

#endif
