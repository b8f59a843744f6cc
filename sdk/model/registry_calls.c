/* sdk/model/registry_calls.c: see registry_calls.h. */
#include "sdk/model/registry_calls.h"

#include <string.h>

#include "buddy/import.h"

buddy_code bd_model_registries(const buddy_model_options *options, buddy_opset *opset,
                               buddy_diags *diags, buddy_registries **out_registries) {
  const buddy_search_options *where = NULL;
  const buddy_registries_options *which = NULL;
  if (options != NULL && BUDDY_HAS(options, buddy_model_options, search)) where = options->search;
  if (options != NULL && BUDDY_HAS(options, buddy_model_options, registries))
    which = options->registries;
  buddy_search *search = NULL;
  buddy_code code = buddy_search_create(where, diags, &search);
  if (code == BUDDY_OK) code = buddy_registries_create(search, opset, which, diags, out_registries);
  if (search != NULL) buddy_search_destroy(search);
  return code;
}

static buddy_code load(bd_registry_calls *calls, buddy_diags *diags) {
  const buddy_code code = buddy_aten_opset_create(&calls->opset);
  if (code != BUDDY_OK) return code;
  return bd_model_registries(calls->options, calls->opset, diags, &calls->registries);
}

buddy_code bd_registry_calls_resolve(void *user, const char *name, buddy_diags *diags,
                                     void **out_address) {
  static const char lead[] = "_mlir_ciface_";
  bd_registry_calls *calls = user;
  if (calls->registries == NULL) {
    const buddy_code code = load(calls, diags);
    if (code != BUDDY_OK) return code;
  }
  const char *bare = strncmp(name, lead, sizeof(lead) - 1) == 0 ? name + sizeof(lead) - 1 : name;
  for (size_t i = 0; i < buddy_registries_n_symbols(calls->registries); i++) {
    const buddy_runtime_symbol *symbol = buddy_registries_symbol(calls->registries, i);
    if (strcmp(symbol->name, name) != 0 && strcmp(symbol->name, bare) != 0) continue;
    memcpy(out_address, &symbol->function, sizeof(*out_address));
    return BUDDY_OK;
  }
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, name, NULL,
                         "no registry of the order has this function");
}

void bd_registry_calls_close(bd_registry_calls *calls) {
  if (calls->registries != NULL) buddy_registries_destroy(calls->registries);
  if (calls->opset != NULL) buddy_opset_destroy(calls->opset);
  *calls = (bd_registry_calls){NULL, NULL, NULL};
}
