// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/settings.h: the parameters of a model's configuration, which have the names of the
 * command's options: parameters { key: "threads" value: { string_value: "2" } }. What a model does not
 * say may be said for all of them on the server's command line: --backend-config=buddy,threads=2. */
#ifndef BUDDY_SDK_SERVE_TRITON_SETTINGS_H
#define BUDDY_SDK_SERVE_TRITON_SETTINGS_H

#include <jansson.h>

#include "buddy/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Not to be copied: the structs point at one another. Strings are lent by the documents. */
typedef struct bd_settings {
  buddy_model_options model;
  buddy_registries_options registries;
  buddy_compile_options compile;
  char *pins; /* "OP=REGISTRY" texts, one after the other */
  const char **pin_list;
  int64_t seed;      /* -1: none */
  size_t n_sessions; /* of a decoupled model, stepped together */
} bd_settings;

/* config: of the model; cmdline: of the backend, may be null. Settings are to be freed in any case. */
buddy_code bd_triton_settings_read(const json_t *config, const json_t *cmdline, buddy_diags *diags,
                                   bd_settings *out);
void bd_settings_deinit(bd_settings *settings);

#ifdef __cplusplus
}
#endif
#endif
