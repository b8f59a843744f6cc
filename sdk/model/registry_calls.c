// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/registry_calls.c: addresses of registries' functions, for code from the cache. */
#include "sdk/model/registry_calls.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/import.h"
#include "core/base/try.h"
#include "core/registry/functions.h"
#include "sdk/runtime/services.h"
#include "sdk/runtime/callbacks.h"
#include "sdk/runtime/parallel_for.h"

static const buddy_search_options *where_of(const buddy_model_options *options) {
  return options && BUDDY_HAS(options, buddy_model_options, search) ? options->search : NULL;
}

static const buddy_registries_options *which_of(const buddy_model_options *options) {
  return options && BUDDY_HAS(options, buddy_model_options, registries) ? options->registries
                                                                        : NULL;
}

int bd_model_reads_environment(const buddy_registries_options *o) {
  return !o || !BUDDY_HAS(o, buddy_registries_options, no_environment) || !o->no_environment;
}

const char *bd_model_order(const buddy_registries_options *o) {
  const char *order = o && BUDDY_HAS(o, buddy_registries_options, order) ? o->order : NULL;
  if (!order && bd_model_reads_environment(o)) order = secure_getenv("BUDDY_REGISTRIES");
  return order ? order : BUDDY_DEFAULT_ORDER;
}

static buddy_code create_in(const buddy_search_options *where,
                            const buddy_registries_options *which, buddy_opset *opset,
                            buddy_diags *diags, buddy_registries **out_registries) {
  buddy_search *search = NULL;
  buddy_code code = buddy_search_create(where, diags, &search);
  if (code == BUDDY_OK) code = buddy_registries_create(search, opset, which, diags, out_registries);
  if (search) buddy_search_destroy(search);
  return code;
}

buddy_code bd_model_registries(const buddy_model_options *options, buddy_opset *opset,
                               buddy_diags *diags, buddy_registries **out_registries) {
  return create_in(where_of(options), which_of(options), opset, diags, out_registries);
}

/* ---- Which may be loaded alone --------------------------------------------------------------- */
static bool may_load_alone(const buddy_found *found) {
  return found->code == BUDDY_OK && found->shadowed_by[0] == '\0' && found->llvm_version == 0;
}

static void add_names(bd_registry_calls *calls, const buddy_search *search, const bd_order *order,
                      const char *wanted) {
  const bool is_rest = strcmp(wanted, "*") == 0;
  for (size_t i = 0; i < buddy_search_n_found(search) && calls->n_names < BD_MAX_ORDER; ++i) {
    const buddy_found *found = buddy_search_found(search, i);
    const bool is_wanted =
        is_rest ? !bd_order_names(order, found->name) : strcmp(found->name, wanted) == 0;
    if (!is_wanted || !may_load_alone(found) || strlen(found->name) >= BD_MAX_REGISTRY_NAME)
      continue;
    strcpy(calls->names[calls->n_names++], found->name);
  }
}

/* An order that cannot be read gives no names; loading all of it says what is wrong. */
static buddy_code list_names(bd_registry_calls *calls, buddy_diags *diags) {
  bd_order order;
  buddy_search *search = NULL;
  if (bd_order_parse(bd_model_order(which_of(calls->options)), "", diags, &order) != BUDDY_OK) {
    buddy_diags_clear(diags);
    return BUDDY_OK;
  }
  const buddy_code code = buddy_search_create(where_of(calls->options), diags, &search);
  for (size_t i = 0; code == BUDDY_OK && i < order.n; ++i)
    add_names(calls, search, &order, order.names[i]);
  if (search) buddy_search_destroy(search);
  return code;
}

/* ---- Loading --------------------------------------------------------------------------------- */
static void unload(bd_loaded_registries *l) {
  if (l->registries) buddy_registries_destroy(l->registries);
  if (l->opset) buddy_opset_destroy(l->opset);
}

/* name: of the one to load; null: all of the order. */
static buddy_code load(bd_registry_calls *calls, const char *name, buddy_diags *diags) {
  bd_loaded_registries l = {NULL, NULL};
  const buddy_registries_options one = {
      .struct_size = sizeof(one), .order = name, .no_environment = 1};
  buddy_code code = buddy_aten_opset_create(&l.opset);
  if (code == BUDDY_OK) {
    code = create_in(where_of(calls->options), name ? &one : which_of(calls->options), l.opset,
                     diags, &l.registries);
  }
  if (code == BUDDY_OK) {
    calls->loaded[calls->n_loaded++] = l;
  } else {
    unload(&l);
  }
  return code;
}

/* Loads what comes next. BUDDY_NOT_FOUND: nothing is left. */
static buddy_code load_next(bd_registry_calls *calls, buddy_diags *diags) {
  if (!calls->is_open) {
    calls->is_open = true;
    BD_TRY(list_names(calls, diags));
  }
  if (calls->next > calls->n_names) return BUDDY_NOT_FOUND;
  if (calls->next == calls->n_names) {
    ++calls->next;
    return load(calls, NULL, diags);
  }
  /* One that cannot be loaded alone may need others: the whole order tells. */
  buddy_diags *ignored = NULL;
  BD_TRY(buddy_diags_create(&ignored));
  (void)load(calls, calls->names[calls->next++], ignored);
  buddy_diags_destroy(ignored);
  return BUDDY_OK;
}

/* No two registries of an order have a function of one name. */
static buddy_code find(const buddy_registries *registries, const char *name, buddy_diags *diags,
                       void **out_address) {
  bd_registry_function function;
  BD_TRY(bd_registries_function(registries, name, diags, &function));
  *out_address = function.address;
  const bd_callbacks told = {function.set_threads, function.set_crew, function.set_run,
                             bd_run_services(), bd_crew_services()};
  return bd_callbacks_add(&told) ? BUDDY_OK : BUDDY_LIMIT;
}

buddy_code bd_registry_calls_resolve(void *user, const char *name, buddy_diags *diags,
                                     void **out_address) {
  bd_registry_calls *calls = user;
  size_t i = 0;
  buddy_code code = BUDDY_OK;
  while (code == BUDDY_OK) {
    for (; i < calls->n_loaded; ++i) {
      const buddy_code found = find(calls->loaded[i].registries, name, diags, out_address);
      if (found != BUDDY_NOT_FOUND) return found;
    }
    code = load_next(calls, diags);
  }
  if (code != BUDDY_NOT_FOUND) return code;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, name, NULL,
                         "no registry of the order has this function");
}

void bd_registry_calls_close(bd_registry_calls *calls) {
  while (calls->n_loaded > 0) unload(&calls->loaded[--calls->n_loaded]);
  *calls = (bd_registry_calls){0};
}
