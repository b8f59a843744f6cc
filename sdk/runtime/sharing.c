// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/sharing.c: models that have equal weights once; see buddy_model_share. Each model keeps
 * what its weights lie in (a mapped file, a library) in `owner`; models that share keep all of it
 * until the last of them goes. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/runtime/model.h"
#include "sdk/runtime/runtime.h"
#include "sdk/runtime/prepacked.h"

#define LEAST_BYTES 4096u /* a page: less is not mapped by itself */

typedef struct group {
  size_t n_models; /* that are left */
  size_t n_owners;
  bd_model_owner owners[];
} group;

/* One weight of one model. */
typedef struct weight {
  buddy_tensor *tensor;
  size_t n_bytes;
  uint64_t hash;
} weight;

static void leave(void *object) {
  group *g = object;
  if (__atomic_sub_fetch(&g->n_models, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (size_t i = 0; i < g->n_owners; ++i) {
    if (g->owners[i].release) g->owners[i].release(g->owners[i].object);
  }
  bd_free(g);
}

static int by_content(const void *a, const void *b) {
  const weight *x = a, *y = b;
  if (x->n_bytes != y->n_bytes) return x->n_bytes < y->n_bytes ? -1 : 1;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

/* Fills `weights` if it is there; returns their number. */
static size_t list(buddy_model *const *models, size_t n_models, weight *weights) {
  size_t n = 0;
  for (size_t m = 0; m < n_models; ++m) {
    for (size_t i = 0; i < buddy_program_n_inputs(buddy_model_program(models[m])); ++i) {
      buddy_tensor *tensor = bd_model_weight(models[m], i);
      if (!tensor) continue;
      const size_t n_bytes =
          (size_t)buddy_tensor_n_elements(tensor) * buddy_dtype_size(tensor->dtype);
      if (n_bytes < LEAST_BYTES) continue;
      if (weights) weights[n] = (weight){tensor, n_bytes, bd_content_hash(tensor->bytes, n_bytes)};
      ++n;
    }
  }
  return n;
}

/* Whatever a kernel asks of the address (alignment) holds of the other, too. */
static bool is_same(const weight *a, const weight *b) {
  return a->n_bytes == b->n_bytes && a->hash == b->hash &&
         ((uintptr_t)a->tensor->bytes - (uintptr_t)b->tensor->bytes) % 64 == 0 &&
         memcmp(a->tensor->bytes, b->tensor->bytes, a->n_bytes) == 0;
}

static buddy_code share_weights(buddy_model *const *models, size_t n_models) {
  weight *weights = bd_calloc(list(models, n_models, NULL) + 1, sizeof(weight));
  if (!weights) return BUDDY_OUT_OF_MEMORY;
  const size_t n = list(models, n_models, weights);
  qsort(weights, n, sizeof(weight), by_content);
  for (size_t i = 1; i < n; ++i) {
    if (is_same(&weights[i - 1], &weights[i]))
      weights[i].tensor->bytes = weights[i - 1].tensor->bytes;
  }
  bd_free(weights);
  return BUDDY_OK;
}

/* A program's pool is its own; that it keeps something changes no result. */
static bd_prepacked *kept_of(const buddy_model *model) {
  return bd_run_pool_prepacked(buddy_model_program(model)->pool);
}

static buddy_code share_kept(buddy_model *const *models, size_t n_models) {
  bd_common *common = NULL;
  for (size_t i = 0; i < n_models && !common; ++i) common = bd_prepacked_joined(kept_of(models[i]));
  common = common ? bd_common_retain(common) : bd_common_create();
  if (!common) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n_models; ++i) bd_prepacked_join(kept_of(models[i]), common);
  bd_common_release(common);
  return BUDDY_OK;
}

buddy_code buddy_model_share(buddy_model *const *models, size_t n_models, buddy_diags *diags) {
  for (size_t i = 0; i < n_models; ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (models[i] != models[k]) continue;
      return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "models", NULL,
                             "models %zu and %zu are the same one", k, i);
    }
  }
  if (n_models < 2) return BUDDY_OK;
  group *g = bd_calloc(1, sizeof(group) + n_models * sizeof(bd_model_owner));
  if (!g) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = share_kept(models, n_models);
  if (code == BUDDY_OK) code = share_weights(models, n_models);
  if (code != BUDDY_OK) {
    bd_free(g);
    return code;
  }
  g->n_models = g->n_owners = n_models;
  for (size_t i = 0; i < n_models; ++i) {
    g->owners[i] = bd_model_owned(models[i]);
    bd_model_own(models[i], (bd_model_owner){leave, g});
  }
  return BUDDY_OK;
}
