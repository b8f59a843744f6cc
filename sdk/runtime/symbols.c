// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/symbols.c: what compiled code calls, by the names that it knows. */
#include "buddy/registry.h"
#include "sdk/runtime/parallel_for.h"
#include "sdk/runtime/prepacked.h"
#include "sdk/runtime/profile.h"
#include "sdk/runtime/runtime.h"
#include "sdk/runtime/softfloat.h"

static void on_mark(int64_t profile, int64_t step) {
  bd_profile_mark((bd_profile *)(uintptr_t)profile, step);
}

#define FUNCTION(name, function) {name, (void (*)(void))(function)}

static const buddy_runtime_symbol symbols[] = {
    FUNCTION("_mlir_memref_to_llvm_alloc", _mlir_memref_to_llvm_alloc),
    FUNCTION("_mlir_memref_to_llvm_free", _mlir_memref_to_llvm_free),
    FUNCTION(BD_RUNTIME_FAIL, buddy_runtime_fail),
    FUNCTION(BD_RUNTIME_RESULT, buddy_runtime_result),
    FUNCTION(BD_RUNTIME_SCOPE_BEGIN, buddy_runtime_scope_begin),
    FUNCTION(BD_RUNTIME_SCOPE_HOLD, buddy_runtime_scope_hold),
    FUNCTION(BD_RUNTIME_SCOPE_FREE, buddy_runtime_scope_free),
    FUNCTION(BD_RUNTIME_MARK, on_mark),
    FUNCTION(BD_RANDOM_SEED, bd_run_random_seed),
    FUNCTION(BD_RANDOM_STREAM, bd_run_random_stream),
    FUNCTION(BD_RANDOM_POISSON, bd_random_poisson),
    FUNCTION(BD_RANDOM_GAMMA, bd_random_gamma),
    FUNCTION(BD_RANDOM_BINOMIAL, bd_random_binomial),
    FUNCTION(BD_RUNTIME_KEEP, buddy_runtime_keep),
    FUNCTION(BD_RUNTIME_KEEP_FILLED, buddy_runtime_keep_filled),
    FUNCTION(BD_RUNTIME_PACK, buddy_runtime_pack),
    FUNCTION(BD_RUNTIME_PACKED, buddy_runtime_packed),
    FUNCTION(BD_RUNTIME_KEEPER, buddy_runtime_keeper),
    FUNCTION(BD_RUNTIME_PARALLEL_FOR, buddy_runtime_spread),
    FUNCTION("__truncsfbf2", bd_truncsfbf2),
    FUNCTION("__truncdfbf2", bd_truncdfbf2),
    FUNCTION("__truncsfhf2", bd_truncsfhf2),
    FUNCTION("__truncdfhf2", bd_truncdfhf2),
    FUNCTION("__extendhfsf2", bd_extendhfsf2),
    FUNCTION("__gnu_h2f_ieee", bd_extendhfsf2),
    FUNCTION("__gnu_f2h_ieee", bd_truncsfhf2),
};

const buddy_runtime_symbol *bd_runtime_symbols(size_t *out_n) {
  *out_n = sizeof(symbols) / sizeof(symbols[0]);
  return symbols;
}
