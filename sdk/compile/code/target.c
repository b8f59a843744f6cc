// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/target.c: LLVM's target machine, of this processor or of one that is named. */
#include "sdk/compile/code/target.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include "sdk/compile/code/objects.h"
#include "sdk/runtime/processor.h"

/* LLVM keeps its targets in globals that two threads must not fill at once. */
static void initialize_native(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
}

static void initialize_all(void) {
  LLVMInitializeAllTargetInfos();
  LLVMInitializeAllTargets();
  LLVMInitializeAllTargetMCs();
  LLVMInitializeAllAsmPrinters();
  LLVMInitializeAllAsmParsers();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_native, has_all; /* guarded by the lock */

static void initialize(bool is_host) {
  pthread_mutex_lock(&lock);
  if (is_host && !has_native) {
    initialize_native();
    has_native = true;
  } else if (!is_host && !has_all) {
    initialize_all();
    has_all = has_native = true;
  }
  pthread_mutex_unlock(&lock);
}

/* A copy that free() frees, of a message that LLVM frees; null where memory is out, to LLVM too. */
static char *take_message(char *message) {
  char *copy = message ? bd_strdup(message) : NULL;
  LLVMDisposeMessage(message);
  return copy;
}

char *bd_host_features(void) {
  static const char amx[] = "+amx";
  char *features = take_message(LLVMGetHostCPUFeatures()), missing[32];
  if (!features || bd_processor_has("amx-tile", missing, sizeof(missing))) return features;
  for (char *at = strstr(features, amx); at; at = strstr(at, amx)) *at = '-';
  return features;
}

/* Linux on RISC-V means RV64GC and its ABI, which LLVM does not take for granted. */
static bool is_riscv(const char *triple) { return strncmp(triple, "riscv64", 7) == 0; }
#define RV64GC "+m,+a,+f,+d,+c"

static bool is_native(const char *cpu, bool is_host) {
  return !cpu ? is_host : strcmp(cpu, "native") == 0;
}

static buddy_code check_target(const bd_target *target, buddy_diags *diags) {
  LLVMTargetRef found;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &found, &message)) {
    LLVMDisposeMessage(message);
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, target->triple,
                           "give a triple like x86_64-linux-gnu, aarch64-linux-gnu or "
                           "riscv64-linux-gnu",
                           "this LLVM knows no such target");
  }
  if (!bd_cpu_is_known(target->triple, target->cpu)) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, target->cpu,
                           "`llc --mcpu=help --mtriple=TRIPLE` lists those that LLVM knows",
                           "no processor of %s is called so", target->triple);
  }
  return BUDDY_OK;
}

/* Compiled code and its data are 64-bit and little-endian: index is i64, weights are as in the
 * archive. */
static buddy_code check_layout(const bd_target *target, buddy_diags *diags) {
  LLVMTargetMachineRef machine = NULL;
  buddy_code code = bd_target_machine(target, 0, diags, &machine);
  if (code != BUDDY_OK) return code;
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  if (LLVMPointerSize(layout) != 8 || LLVMByteOrder(layout) != LLVMLittleEndian) {
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, target->triple, NULL,
                           "code is generated for 64-bit little-endian targets only");
  }
  LLVMDisposeTargetData(layout);
  LLVMDisposeTargetMachine(machine);
  return code;
}

static buddy_code choose(const char *triple, const char *cpu, buddy_diags *diags,
                         bd_target *out_target) {
  char *host = take_message(LLVMGetDefaultTargetTriple());
  if (!host) return BUDDY_OUT_OF_MEMORY;
  out_target->triple = !triple ? bd_strdup(host) : take_message(LLVMNormalizeTargetTriple(triple));
  if (!out_target->triple) {
    free(host);
    return BUDDY_OUT_OF_MEMORY;
  }
  out_target->is_host = bd_triples_are_alike(host, out_target->triple);
  free(host);
  const int native = is_native(cpu, out_target->is_host);
  if (native && !out_target->is_host) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, out_target->triple,
                           "name a processor of the target", "'native' is of another target");
  }
  out_target->cpu = native ? take_message(LLVMGetHostCPUName())
                    : cpu  ? bd_strdup(cpu)
                           : bd_strdup("generic");
  out_target->features =
      native ? bd_host_features() : bd_strdup(is_riscv(out_target->triple) ? RV64GC : "");
  if (!out_target->cpu || !out_target->features) return BUDDY_OUT_OF_MEMORY;
  initialize(out_target->is_host);
  return BUDDY_OK;
}

/* "+avx,+avx2,…": what the kernels ask for, of a processor that has a name. */
static buddy_code spell_features(bd_target *target) {
  char names[256];
  bd_cpu_features(target->triple, target->cpu, target->features, BD_X86_FEATURES, names,
                  sizeof(names));
  if (target->features[0] != '\0' || names[0] == '\0') return BUDDY_OK;
  char *spelled = bd_malloc(2 * sizeof(names)), *to = spelled;
  if (!spelled) return BUDDY_OUT_OF_MEMORY;
  for (const char *at = names; *at != '\0'; ++at) {
    if (at == names || at[-1] == ',') *to++ = '+';
    *to++ = *at;
  }
  *to = '\0';
  free(target->features);
  target->features = spelled;
  return BUDDY_OK;
}

/* One beginning of names. */
static buddy_code leave_out(bd_target *target, const char *name, size_t n, buddy_diags *diags) {
  char text[64], *left = NULL;
  snprintf(text, sizeof text, "%.*s", (int)n, name);
  const bool is_known =
      n > 0 && n < sizeof text &&
      bd_cpu_leave_out(target->triple, target->cpu, target->features, text, &left);
  if (!is_known)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "options",
                           "`llc --mattr=help --mtriple=TRIPLE` lists them",
                           "without '%s': %s has no feature whose name begins so", text,
                           target->triple);
  if (!left) return BUDDY_OUT_OF_MEMORY;
  free(target->features);
  target->features = left;
  return BUDDY_OK;
}

static buddy_code leave_all_out(bd_target *target, const char *without, buddy_diags *diags) {
  for (const char *at = without; at && *at;) {
    const size_t n = strcspn(at, ",");
    BD_TRY(leave_out(target, at, n, diags));
    at += n + (at[n] == ',');
  }
  return BUDDY_OK;
}

/* Bytes of this processor's second cache, which a core has to itself; 0: the system does not tell. */
static int64_t measure_l2(void) {
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : 0;
}

void bd_target_find_machine(bd_target *target, int64_t l2) {
  char names[256];
  bd_cpu_features(target->triple, target->cpu, target->features, BD_MACHINE_FEATURES, names,
                  sizeof(names));
  target->machine = bd_machine_of(names, l2);
}

buddy_code bd_target_init(const char *triple, const char *cpu, const char *without,
                          buddy_diags *diags, bd_target *out_target) {
  *out_target = (bd_target){.triple = NULL};
  buddy_code code = choose(triple, cpu, diags, out_target);
  if (code == BUDDY_OK) code = check_target(out_target, diags);
  if (code == BUDDY_OK) code = spell_features(out_target);
  if (code == BUDDY_OK) code = leave_all_out(out_target, without, diags);
  if (code == BUDDY_OK && triple) code = check_layout(out_target, diags);
  if (code == BUDDY_OK)
    bd_target_find_machine(out_target, is_native(cpu, out_target->is_host) ? measure_l2() : 0);
  if (code != BUDDY_OK) bd_target_deinit(out_target);
  return code;
}

void bd_target_deinit(bd_target *target) {
  free(target->triple);
  free(target->cpu);
  free(target->features);
  *target = (bd_target){.triple = NULL};
}

buddy_code bd_target_machine(const bd_target *target, int opt_level, buddy_diags *diags,
                             LLVMTargetMachineRef *out_machine) {
  LLVMTargetRef found;
  char *message = NULL;
  *out_machine = NULL;
  if (!LLVMGetTargetFromTriple(target->triple, &found, &message)) {
    LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
    LLVMTargetMachineOptionsSetCPU(options, target->cpu);
    LLVMTargetMachineOptionsSetFeatures(options, target->features);
    LLVMTargetMachineOptionsSetCodeGenOptLevel(options, (LLVMCodeGenOptLevel)opt_level);
    LLVMTargetMachineOptionsSetRelocMode(options, LLVMRelocPIC);
    if (is_riscv(target->triple)) LLVMTargetMachineOptionsSetABI(options, "lp64d");
    *out_machine = LLVMCreateTargetMachineWithOptions(found, target->triple, options);
    LLVMDisposeTargetMachineOptions(options);
  }
  LLVMDisposeMessage(message);
  if (*out_machine) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, target->triple, NULL,
                         "this LLVM cannot generate code for this processor");
}
