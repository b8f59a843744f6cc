// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/given.c: what an archive without a file is made of: the text of a program, and tensors
 * of the same process. */
#include <string.h>

#include "core/base/arena.h"
#include "core/base/hash.h"
#include "core/base/memory.h"
#include "sdk/import/pt2.h"

typedef struct given_tensor {
  buddy_named_tensor tensor;
  UT_hash_handle hh;
} given_tensor;

struct bd_given {
  buddy_sv program;
  given_tensor *tensors; /* by name */
};

buddy_sv bd_given_program(const bd_given *given) { return given->program; }

const buddy_named_tensor *bd_given_tensor(const bd_given *given, const char *name) {
  given_tensor *found;
  HASH_FIND(hh, given->tensors, name, strlen(name), found);
  return found ? &found->tensor : NULL;
}

void bd_given_destroy(bd_given *given) {
  if (given) HASH_CLEAR(hh, given->tensors);
}

bool bd_reach(const buddy_tensor_type *type, const int64_t *strides, int64_t offset,
              int64_t *out_n) {
  int64_t last = offset, dense = 1;
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (type->dims[i] != 0) continue;
    *out_n = 0;
    return true;
  }
  for (uint32_t i = type->rank; i-- > 0;) {
    int64_t step;
    if (__builtin_mul_overflow(type->dims[i] - 1, strides ? strides[i] : dense, &step))
      return false;
    if (__builtin_add_overflow(last, step, &last)) return false;
    if (!strides && __builtin_mul_overflow(dense, type->dims[i], &dense)) return false;
  }
  return !__builtin_add_overflow(last, 1, out_n);
}

/* Null, or what is wrong with the tensor. */
static const char *judge(const buddy_named_tensor *tensor) {
  const buddy_tensor_type *type = &tensor->type;
  const buddy_data *data = &tensor->data;
  const size_t item = buddy_dtype_size(type->dtype);
  if (item == 0) return "has a dtype that does not exist";
  if (type->rank > BD_MAX_TENSOR_RANK || (type->rank > 0 && !type->dims))
    return "has a rank above 64, or no dims";
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (type->dims[i] < 0) return "has a size that is negative or symbolic";
    if (data->strides && data->strides[i] < 0) return "has a negative stride";
  }
  if (data->offset < 0) return "has a negative offset";
  if (!data->bytes) return NULL;
  int64_t n;
  if (!bd_reach(type, data->strides, data->offset, &n) || (uint64_t)n > data->n_bytes / item)
    return "reaches beyond its bytes";
  return (uintptr_t)data->bytes % item ? "is not aligned to the size of its elements" : NULL;
}

static buddy_code copy_numbers(bd_arena *arena, const int64_t **numbers, uint32_t n) {
  if (!*numbers || n == 0) {
    *numbers = NULL;
    return BUDDY_OK;
  }
  int64_t *copy = bd_arena_alloc(arena, n * sizeof *copy);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  memcpy(copy, *numbers, n * sizeof *copy);
  *numbers = copy;
  return BUDDY_OK;
}

static buddy_code add_tensor(bd_given *given, bd_arena *arena, const buddy_named_tensor *tensor,
                             const char *where, buddy_diags *diags) {
  const char *wrong = tensor->name ? judge(tensor) : "has no name";
  if (!wrong && bd_given_tensor(given, tensor->name)) wrong = "is given twice";
  if (wrong) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where, NULL,
                           "the tensor '%.200s' %s", tensor->name ? tensor->name : "", wrong);
  }
  given_tensor *added = bd_arena_calloc(arena, 1, sizeof *added);
  if (!added) return BUDDY_OUT_OF_MEMORY;
  added->tensor = *tensor;
  added->tensor.name = bd_arena_strdup(arena, tensor->name);
  if (!added->tensor.name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(copy_numbers(arena, &added->tensor.type.dims, tensor->type.rank));
  BD_TRY(copy_numbers(arena, &added->tensor.data.strides, tensor->type.rank));
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, given->tensors, added->tensor.name, strlen(added->tensor.name), added);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static buddy_code copy_program(bd_given *given, bd_arena *arena, buddy_sv program,
                               const char *where, buddy_diags *diags) {
  if (!program.data || program.size > BD_MAX_JSON_BYTES) {
    return buddy_diags_add(diags, BUDDY_ERROR, program.data ? BUDDY_LIMIT : BUDDY_INVALID_ARGUMENT,
                           where, NULL, "the program is null or has more than %zu bytes",
                           BD_MAX_JSON_BYTES);
  }
  char *copy = bd_arena_alloc(arena, program.size + BD_JSON_PADDING);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  memcpy(copy, program.data, program.size);
  memset(copy + program.size, 0, BD_JSON_PADDING);
  given->program = (buddy_sv){copy, program.size};
  return BUDDY_OK;
}

buddy_code bd_given_create(bd_arena *arena, const char *where, buddy_sv program,
                           const buddy_named_tensor *tensors, size_t n_tensors, buddy_diags *diags,
                           bd_given **out_given) {
  bd_given *given = bd_arena_calloc(arena, 1, sizeof *given);
  if (!given) return BUDDY_OUT_OF_MEMORY;
  *out_given = given; /* freed with the archive, also after a failure */
  buddy_code result = copy_program(given, arena, program, where, diags);
  for (size_t i = 0; i < n_tensors && result != BUDDY_OUT_OF_MEMORY; ++i) {
    const buddy_code code = add_tensor(given, arena, &tensors[i], where, diags);
    if (code) result = code;
  }
  return result;
}
