/* sdk/compile/code/target.h: which processor code is generated for. */
#ifndef BUDDY_SDK_COMPILE_TARGET_H
#define BUDDY_SDK_COMPILE_TARGET_H

#include "buddy/base.h"
#include "llvm-c/TargetMachine.h"

typedef struct bd_target {
  char *triple, *cpu, *features; /* owned */
  int is_host;                   /* the triple is that of this process */
} bd_target;

/* triple: null for this process's. cpu: null for this machine's where the triple is the host's,
 * else "generic"; "native" is this machine's. Unknown names are refused; so are targets that are
 * not 64-bit little-endian. */
buddy_code bd_target_init(const char *triple, const char *cpu, buddy_diags *diags,
                          bd_target *out_target);
void bd_target_deinit(bd_target *target);
/* The caller disposes of it. */
buddy_code bd_target_machine(const bd_target *target, int opt_level, buddy_diags *diags,
                             LLVMTargetMachineRef *out_machine);

#endif
