// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/kernels.c: private functions that take the place of operations. */
#include "sdk/compile/kernels/kernels.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "sdk/compile/kernels/functions.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/table.h"
#include "sdk/lower/context.h"
#include "sdk/runtime/prepacked.h"

buddy_code bd_kernels_create(MlirModule module, const bd_machine *machine, bd_shipped *shipped,
                             bd_kernels **out_kernels) {
  if (sodium_init() < 0) return BUDDY_INTERNAL;
  *out_kernels = bd_calloc(1, sizeof(bd_kernels));
  if (!*out_kernels) return BUDDY_OUT_OF_MEMORY;
  (*out_kernels)->module = module;
  (*out_kernels)->machine = machine;
  (*out_kernels)->shipped = shipped;
  return BUDDY_OK;
}

void bd_kernels_destroy(bd_kernels *kernels) {
  if (!kernels) return;
  bd_kernel *all = kernels->by_key, *item, *next;
  HASH_CLEAR(hh, kernels->by_key);
  HASH_ITER(hh, all, item, next) free(item);
  bd_text_deinit(&kernels->functions);
  free(kernels);
}

const bd_machine *bd_kernels_machine(const bd_kernels *kernels) { return kernels->machine; }

bd_kernel *bd_kernels_find_or_add(bd_kernels *kernels, const char *key, size_t n,
                                  bool *out_is_new) {
  bool hash_is_full = false;
  bd_kernel *item = NULL;
  HASH_FIND(hh, kernels->by_key, key, n, item);
  *out_is_new = !item;
  if (item) return item;
  item = bd_calloc(1, sizeof(bd_kernel) + n + 1);
  if (!item) return NULL;
  memcpy(item->key, key, n);
  HASH_ADD_KEYPTR(hh, kernels->by_key, item->key, n, item);
  if (!hash_is_full) return item;
  free(item);
  return NULL;
}

/* It decides which machine code is run: strong enough that nobody meets two texts with one. */
enum { N_HASH = 20 };

void bd_kernel_name(bd_kernel *item, const char *hint, const bd_text *text) {
  crypto_generichash_state state;
  unsigned char hash[N_HASH];
  char hex[2 * N_HASH + 1];
  crypto_generichash_init(&state, NULL, 0, N_HASH);
  crypto_generichash_update(&state, (const unsigned char *)hint, strlen(hint) + 1);
  crypto_generichash_update(&state, (const unsigned char *)text->data, text->size);
  crypto_generichash_final(&state, hash, N_HASH);
  sodium_bin2hex(hex, sizeof(hex), hash, N_HASH);
  snprintf(item->name, sizeof(item->name), "buddy.%.15s_%s", hint, hex);
}

/* Two texts may be one function: it is written once. */
static buddy_code write_function(bd_kernels *kernels, const char *name, const bd_text *mlir) {
  bool is_new;
  if (!bd_kernels_find_or_add(kernels, name, strlen(name), &is_new)) return BUDDY_OUT_OF_MEMORY;
  if (is_new)
    bd_functions_write(&kernels->functions, kernels->shipped, name, mlir->data, mlir->size);
  return BUDDY_OK;
}

buddy_code bd_kernels_add(bd_kernels *kernels, const char *hint, bd_text *text,
                          const char **out_name) {
  bool is_new;
  *out_name = NULL;
  buddy_code code = text->code;
  bd_kernel *item =
      code == BUDDY_OK ? bd_kernels_find_or_add(kernels, text->data, text->size, &is_new) : NULL;
  if (code == BUDDY_OK && !item) code = BUDDY_OUT_OF_MEMORY;
  if (item && is_new) {
    bd_text mlir = {.data = NULL};
    bd_ir_expand(&mlir, text);
    code = mlir.code;
    if (code == BUDDY_OK) {
      bd_kernel_name(item, hint, &mlir);
      code = write_function(kernels, item->name, &mlir);
    }
    bd_text_deinit(&mlir);
  }
  if (item) *out_name = item->name;
  bd_text_deinit(text);
  return code;
}

/* ---- Into the module ---- */

buddy_code bd_kernels_finish(bd_kernels *kernels, buddy_diags *diags) {
  bd_text_format(&kernels->functions, "func.func private @" BD_RUNTIME_KEEP
                                      "(i64, i64) -> !llvm.ptr\n"
                                      "func.func private @" BD_RUNTIME_KEEP_FILLED
                                      "(i64)\n"
                                      "func.func private @" BD_RUNTIME_PACK
                                      "(i64, i64) -> !llvm.ptr\n"
                                      "func.func private @" BD_RUNTIME_PACKED
                                      "(i64)\n"
                                      "func.func private @" BD_RUNTIME_KEEPER "() -> i64\n");
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, mlirModuleGetContext(kernels->module), diags, BUDDY_INTERNAL,
                      "building kernels");
  const buddy_code code = bd_functions_append(kernels->module, &kernels->functions);
  bd_mlir_diags_end(&scope);
  return code;
}
