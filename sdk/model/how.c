// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/how.c: a caller's model options, copied and checked. */
#include "sdk/model/how.h"

#include "core/base/options.h"
#include "core/base/try.h"

#define READ(target, given, type) bd_options_read(&(target), sizeof(target), given, #type, diags)

buddy_code bd_model_how_read(const buddy_model_options *given, buddy_diags *diags,
                             bd_model_how *out) {
  *out = (bd_model_how){.options = {.struct_size = sizeof(out->options)},
                        .search = {.struct_size = sizeof(out->search)},
                        .registries = {.struct_size = sizeof(out->registries)},
                        .compile = {.struct_size = sizeof(out->compile)}};
  BD_TRY(READ(out->options, given, buddy_model_options));
  BD_TRY(READ(out->search, out->options.search, buddy_search_options));
  BD_TRY(READ(out->registries, out->options.registries, buddy_registries_options));
  BD_TRY(READ(out->compile, out->options.compile, buddy_compile_options));
  out->options.search = &out->search;
  out->options.registries = &out->registries;
  out->options.compile = &out->compile;
  return BUDDY_OK;
}
