// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/arguments.c: the storage of arguments, and the use lists.
 *
 * One piece of memory per argument:
 *   1  buddy_arg    whose pointer leads to 3
 *   2  buddy_use    one per tensor
 *   3  elements     of the list, or bytes of the string, or pointers to strings
 *   4  bytes        of a list of strings, each with its NUL
 *
 * The uses of a value are a doubly linked list in the order in which they came, so that an edit
 * costs nothing but the edit itself. */
#include "core/graph/arguments.h"

#include <math.h>
#include <string.h>

#include "core/base/assert.h"

/* How each kind keeps its elements. */
typedef enum storage { IN_PLACE, TENSOR, TENSORS, INTS, FLOATS, TEXT, STRINGS } storage;

static const struct {
  const char *name;
  storage storage;
} kinds[] = {
    [BUDDY_ARG_NONE] = {"None", IN_PLACE},
    [BUDDY_ARG_TENSOR] = {"a tensor", TENSOR},
    [BUDDY_ARG_TENSORS] = {"a list of tensors", TENSORS},
    [BUDDY_ARG_INT] = {"an int", IN_PLACE},
    [BUDDY_ARG_INTS] = {"a list of ints", INTS},
    [BUDDY_ARG_FLOAT] = {"a float", IN_PLACE},
    [BUDDY_ARG_FLOATS] = {"a list of floats", FLOATS},
    [BUDDY_ARG_BOOL] = {"a bool", IN_PLACE},
    [BUDDY_ARG_BOOLS] = {"a list of bools", INTS},
    [BUDDY_ARG_STRING] = {"a string", TEXT},
    [BUDDY_ARG_STRINGS] = {"a list of strings", STRINGS},
    [BUDDY_ARG_DTYPE] = {"a dtype", IN_PLACE},
    [BUDDY_ARG_DEVICE] = {"a device", TEXT},
    [BUDDY_ARG_LAYOUT] = {"a layout", TEXT},
    [BUDDY_ARG_MEMORY_FORMAT] = {"a memory format", TEXT},
    [BUDDY_ARG_COMPLEX] = {"a complex number", FLOATS},
    [BUDDY_ARG_GRAPH] = {"a graph", IN_PLACE},
};
#define N_KINDS ((buddy_arg_kind)(sizeof kinds / sizeof *kinds))

const char *bd_arg_kind_name(buddy_arg_kind kind) {
  return kind >= 0 && kind < N_KINDS ? kinds[kind].name : "an argument of an unknown kind";
}

static storage storage_of(const buddy_arg *arg) { return kinds[arg->kind].storage; }

/* ---- Checks ---- */

static const char *tensors_problem(const buddy_graph *graph, const buddy_arg *arg) {
  for (size_t i = 0; i < arg->n; ++i) {
    const buddy_value *value = arg->as.tensors[i];
    if (value && value->graph != graph) return "names a tensor of another graph";
  }
  return NULL;
}

static const char *ints_problem(const buddy_graph *graph, const buddy_arg *arg) {
  for (size_t i = 0; i < arg->n; ++i) {
    const int64_t number = arg->as.ints[i];
    if (!bd_dim_is_valid(&graph->world->dims, number))
      return "holds a dim that this graph does not know";
    if (arg->kind == BUDDY_ARG_BOOLS && number != 0 && number != 1)
      return "holds a bool that is not 0 or 1";
  }
  return NULL;
}

static const char *strings_problem(const buddy_arg *arg) {
  for (size_t i = 0; i < arg->n; ++i) {
    if (!arg->as.strings[i]) return "holds a null string";
  }
  return NULL;
}

static const char *in_place_problem(const buddy_graph *graph, const buddy_arg *arg) {
  switch (arg->kind) {
    case BUDDY_ARG_INT:
      return bd_dim_is_valid(&graph->world->dims, arg->as.i)
                 ? NULL
                 : "is a dim that this graph does not know";
    case BUDDY_ARG_BOOL:
      return arg->as.i == 0 || arg->as.i == 1 ? NULL : "is a bool that is not 0 or 1";
    case BUDDY_ARG_DTYPE:
      return arg->as.i > 0 && arg->as.i < 32 && buddy_dtype_size((buddy_dtype)arg->as.i)
                 ? NULL
                 : "is no known dtype";
    case BUDDY_ARG_GRAPH:
      return arg->as.graph && bd_graph_is_inside(arg->as.graph, graph)
                 ? NULL
                 : "is no subgraph of this graph";
    default:
      return NULL;
  }
}

const char *bd_arg_problem(const buddy_graph *graph, const buddy_arg *arg) {
  if (arg->kind < 0 || arg->kind >= N_KINDS) return "is of an unknown kind";
  const storage kept = storage_of(arg);
  if (kept == IN_PLACE) return in_place_problem(graph, arg);
  if (kept == TENSOR) {
    if (!arg->as.tensor) return "is a null tensor";
    return arg->as.tensor->graph == graph ? NULL : "is a tensor of another graph";
  }
  if (!arg->as.ints && arg->n > 0) return "is a list without elements behind it";
  if (arg->n > UINT32_MAX) return "is too long";
  if (kept == TENSORS) return tensors_problem(graph, arg);
  if (kept == INTS) return ints_problem(graph, arg);
  if (kept == STRINGS) return strings_problem(arg);
  if (kept == TEXT && (!arg->as.string || arg->as.string[arg->n]))
    return "is a string without NUL at its end";
  return arg->kind == BUDDY_ARG_COMPLEX && arg->n != 2 ? "is a complex number without two parts"
                                                       : NULL;
}

/* ---- Storage ---- */

size_t bd_arg_n_uses(const buddy_arg *arg) {
  const storage kept = storage_of(arg);
  return kept == TENSOR ? 1 : kept == TENSORS ? arg->n : 0;
}

/* Bytes of part 3. */
static size_t elements_size(const buddy_arg *arg) {
  static const size_t sizes[] = {[IN_PLACE] = 0,
                                 [TENSOR] = 0,
                                 [TENSORS] = sizeof(buddy_value *),
                                 [INTS] = sizeof(int64_t),
                                 [FLOATS] = sizeof(double),
                                 [TEXT] = 1,
                                 [STRINGS] = sizeof(char *)};
  const storage kept = storage_of(arg);
  return arg->n * sizes[kept] + (kept == TEXT); /* fits: the caller's list has this size already */
}

static size_t strings_size(const buddy_arg *arg) {
  size_t size = 0;
  if (storage_of(arg) != STRINGS) return 0;
  for (size_t i = 0; i < arg->n; ++i) size += strlen(arg->as.strings[i]) + 1;
  return size;
}

static size_t total_size(const buddy_arg *arg) {
  return sizeof *arg + bd_arg_n_uses(arg) * sizeof(buddy_use) + elements_size(arg) +
         strings_size(arg);
}

static void copy_strings(const buddy_arg *from, char **to, char *bytes) {
  for (size_t i = 0; i < from->n; ++i) {
    const size_t size = strlen(from->as.strings[i]) + 1;
    to[i] = memcpy(bytes, from->as.strings[i], size);
    bytes += size;
  }
}

const buddy_arg *bd_arg_create(buddy_graph *graph, const buddy_arg *arg) {
  buddy_arg *copy = bd_graph_alloc(graph, total_size(arg));
  if (!copy) return NULL;
  *copy = *arg;
  copy->reserved = 0;
  const size_t uses_size = bd_arg_n_uses(arg) * sizeof(buddy_use);
  memset(copy + 1, 0, uses_size);
  const storage kept = storage_of(arg);
  if (kept == IN_PLACE || kept == TENSOR) return copy;
  void *elements = (char *)(copy + 1) + uses_size;
  copy->as.ints = elements;
  if (kept == STRINGS) {
    copy_strings(arg, elements, (char *)elements + elements_size(arg));
  } else if (arg->as.ints) {
    memcpy(elements, arg->as.string, elements_size(arg)); /* bytes: of a string they lie anywhere */
  }
  return copy;
}

void bd_arg_destroy(buddy_graph *graph, const buddy_arg *arg) {
  if (arg) bd_graph_free(graph, arg, total_size(arg));
}

/* ---- Uses ---- */

buddy_use *bd_arg_use(const buddy_arg *arg, size_t i) {
  return (buddy_use *)(uintptr_t)(arg + 1) + i;
}

const buddy_value *bd_arg_used(const buddy_arg *arg, size_t i) {
  return arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor : arg->as.tensors[i];
}

void bd_arg_set_used(const buddy_arg *arg, size_t i, const buddy_value *value) {
  buddy_arg *own = (buddy_arg *)(uintptr_t)arg;
  BD_ASSERT(i < bd_arg_n_uses(arg));
  if (arg->kind == BUDDY_ARG_TENSOR) {
    own->as.tensor = value;
  } else {
    ((const buddy_value **)(uintptr_t)own->as.tensors)[i] = value;
  }
}

static void link_use(buddy_value *value, buddy_use *use) {
  BD_ASSERT(!value->first_use == !value->last_use && !value->first_use == !value->n_uses);
  use->next = NULL;
  use->prev = value->last_use;
  if (value->last_use) {
    value->last_use->next = use;
  } else {
    value->first_use = use;
  }
  value->last_use = use;
  ++value->n_uses;
}

static void unlink_use(buddy_value *value, buddy_use *use) {
  BD_ASSERT(value->n_uses > 0);
  BD_ASSERT((use->prev ? use->prev->next : value->first_use) == use);
  BD_ASSERT((use->next ? use->next->prev : value->last_use) == use);
  if (use->prev) {
    use->prev->next = use->next;
  } else {
    value->first_use = use->next;
  }
  if (use->next) {
    use->next->prev = use->prev;
  } else {
    value->last_use = use->prev;
  }
  --value->n_uses;
}

void bd_arg_link(const buddy_arg *arg, buddy_node *node, size_t index) {
  const size_t n = bd_arg_n_uses(arg);
  for (size_t i = 0; i < n; ++i) {
    const buddy_value *value = bd_arg_used(arg, i);
    if (!value) continue;
    BD_ASSERT(!node || value->graph == node->graph);
    buddy_use *use = bd_arg_use(arg, i);
    *use = (buddy_use){.node = node, .arg = (uint32_t)index, .element = (uint32_t)i};
    link_use(bd_value_edit(value), use);
  }
}

void bd_arg_unlink(const buddy_arg *arg) {
  const size_t n = bd_arg_n_uses(arg);
  for (size_t i = 0; i < n; ++i) {
    const buddy_value *value = bd_arg_used(arg, i);
    if (value) unlink_use(bd_value_edit(value), bd_arg_use(arg, i));
  }
}

/* ---- Equality ---- */

static bool equal_floats(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static bool equal_lists(const buddy_arg *a, const buddy_arg *b) {
  const storage kept = storage_of(a);
  if (a->n != b->n) return false;
  if (kept == TENSORS || kept == INTS || kept == TEXT) {
    return a->n == 0 || !memcmp(a->as.ints, b->as.ints, elements_size(a) - (kept == TEXT));
  }
  for (size_t i = 0; i < a->n; ++i) {
    const bool are_equal = kept == FLOATS ? equal_floats(a->as.floats[i], b->as.floats[i])
                                          : !strcmp(a->as.strings[i], b->as.strings[i]);
    if (!are_equal) return false;
  }
  return true;
}

bool bd_arg_equal(const buddy_arg *a, const buddy_arg *b) {
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case BUDDY_ARG_NONE:
      return true;
    case BUDDY_ARG_TENSOR:
      return a->as.tensor == b->as.tensor;
    case BUDDY_ARG_GRAPH:
      return a->as.graph == b->as.graph;
    case BUDDY_ARG_FLOAT:
      return equal_floats(a->as.f, b->as.f);
    default:
      return storage_of(a) == IN_PLACE ? a->as.i == b->as.i : equal_lists(a, b);
  }
}
