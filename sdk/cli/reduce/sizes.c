// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/reduce/sizes.c: smaller dims, by numbers.
 *
 * A number that is a size becomes a smaller one wherever it is a size: in what the program says of
 * tensors, in stored tensors, whose first elements stay, and in arguments of nodes. Sizes that follow
 * from one another in other ways change by the same factor (a stride of 2, a view that joins dims) or by
 * the same difference (a window without padding). What
 * contradicts itself then is refused, and so fails in another way: such a candidate is none. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/reduce/reduce.h"

/* ---- One change ------------------------------------------------------------------------------ */
typedef enum kinship { NONE, FACTOR, DIFFERENCE } kinship;

typedef struct change {
  int64_t from, to;
  bool in_arguments;
  kinship kin; /* which other sizes change as well */
} change;

static int64_t changed(const change *c, int64_t number) {
  if (number == c->from) return c->to;
  if (c->kin == DIFFERENCE) {
    const bool is_near = number < c->from && number > c->from / 2;
    return is_near && number > c->from - c->to ? number - (c->from - c->to) : number;
  }
  if (c->kin == NONE || number < 2 || c->from % c->to) return number;
  const int64_t factor = c->from / c->to;
  const bool is_kin = number % c->from == 0 || c->from % number == 0;
  return is_kin && number % factor == 0 ? number / factor : number;
}

static bool change_number(const change *c, json_t *number) {
  if (!json_is_integer(number)) return false;
  const int64_t before = json_integer_value(number), after = changed(c, before);
  json_integer_set(number, after);
  return before != after;
}

/* The bytes lie in the same order of dims, and without gaps. */
static void set_strides(json_t *meta, const int64_t *sizes, int rank) {
  json_t *strides = json_object_get(meta, "strides");
  int64_t before[64], after[64], step = 1;
  bool is_set[64] = {false};
  for (int d = 0; d < rank; ++d)
    before[d] = json_integer_value(json_object_get(json_array_get(strides, (size_t)d), "as_int"));
  for (int k = 0; k < rank; ++k) {
    int next = -1; /* the last dim of the smallest stride */
    for (int d = rank; d-- > 0;) {
      if (!is_set[d] && (next < 0 || before[d] < before[next])) next = d;
    }
    is_set[next] = true;
    after[next] = step;
    if (__builtin_mul_overflow(step, sizes[next] > 0 ? sizes[next] : 1, &step)) step = INT64_MAX;
  }
  for (int d = 0; d < rank; ++d)
    json_array_set_new(strides, (size_t)d, json_pack("{s:I}", "as_int", (json_int_t)after[d]));
}

static bool change_meta(const change *c, json_t *meta) {
  size_t i;
  json_t *size;
  int64_t sizes[64];
  bool is_changed = false;
  json_array_foreach(json_object_get(meta, "sizes"), i, size) is_changed |=
      change_number(c, json_object_get(size, "as_int"));
  const int rank = bd_meta_sizes(meta, sizes, 64);
  if (!is_changed || rank < 0) return is_changed;
  set_strides(meta, sizes, rank);
  json_object_set_new(meta, "storage_offset", json_pack("{s:i}", "as_int", 0));
  return true;
}

static void change_argument(const change *c, json_t *argument) {
  static const char *const lists[] = {"as_ints", "as_sym_ints"};
  size_t i;
  json_t *number;
  change_number(c, json_object_get(argument, "as_int"));
  change_number(c, json_object_get(json_object_get(argument, "as_sym_int"), "as_int"));
  for (int k = 0; k < 2; ++k) {
    json_array_foreach(json_object_get(argument, lists[k]), i, number) {
      change_number(c, number);
      change_number(c, json_object_get(number, "as_int"));
    }
  }
}

/* What the archive says of stored tensors; each that changes has a file of its own. */
static void change_stored(const change *c, const json_t *config, json_t *smaller) {
  const char *target;
  json_t *payload;
  json_object_foreach((json_t *)(uintptr_t)config, target, payload) {
    const json_t *before = json_object_get(smaller, target);
    json_t *own = json_deep_copy(before ? before : payload);
    char path[64];
    snprintf(path, sizeof path, "part_%zu", json_object_size(smaller));
    if (change_meta(c, json_object_get(own, "tensor_meta"))) {
      if (!before) json_object_set_new(own, "path_name", json_string(path));
      json_object_set(smaller, target, own);
    }
    json_decref(own);
  }
}

static void change_program(const change *c, const bd_program *p, json_t *root, json_t *smaller) {
  json_t *graph = json_object_get(json_object_get(root, "graph_module"), "graph");
  const char *name;
  json_t *meta, *node, *argument;
  size_t i, k;
  json_object_foreach(json_object_get(graph, "tensor_values"), name, meta) change_meta(c, meta);
  change_stored(c, p->weights, smaller);
  change_stored(c, p->constants, smaller);
  if (!c->in_arguments) return;
  json_array_foreach(json_object_get(graph, "nodes"), i, node) {
    json_array_foreach(json_object_get(node, "inputs"), k, argument)
        change_argument(c, json_object_get(argument, "arg"));
  }
}

/* The program before a change. */
typedef struct before {
  json_t *root, *smaller;
} before;

static buddy_code make_change(bd_program *p, const change *c, before *out) {
  json_t *other = json_deep_copy(p->root);
  *out = (before){json_incref(p->root), p->smaller};
  p->smaller = p->smaller ? json_deep_copy(p->smaller) : json_object();
  change_program(c, p, other, p->smaller);
  return bd_program_set_root(p, other);
}

static buddy_code take_back(bd_program *p, const before *b) {
  json_decref(p->smaller);
  p->smaller = b->smaller;
  return bd_program_set_root(p, b->root);
}

/* ---- Some of them ---------------------------------------------------------------------------- */
typedef struct changes {
  bd_reduction *r;
  const change *items;
  char **texts; /* of the programs; some changes come to the same */
} changes;

static buddy_code write_change(void *user, size_t i, const char *folder, size_t *out_n_inputs) {
  const changes *all = user;
  bd_reduction *r = all->r;
  before b;
  buddy_code code = make_change(&r->program, &all->items[i], &b);
  free(all->texts[i]);
  all->texts[i] = code == BUDDY_OK ? json_dumps(r->program.root, JSON_COMPACT) : NULL;
  bool is_new = all->texts[i] && !json_object_get(r->tried, all->texts[i]);
  for (size_t k = 0; k < i && is_new; ++k)
    is_new = !all->texts[k] || strcmp(all->texts[k], all->texts[i]) != 0;
  const bd_cut_choice kept = bd_reduction_choice(r);
  if (is_new) code = bd_reduction_write_cut(r, &kept, folder, out_n_inputs);
  const buddy_code back = take_back(&r->program, &b);
  return code == BUDDY_OK ? back : code;
}

static void note_change(void *user, size_t i) {
  const changes *all = user;
  if (all->texts[i]) json_object_set_new(all->r->tried, all->texts[i], json_true());
}

/* The first with which the command fails in the same way is kept. */
static buddy_code try_changes(bd_reduction *r, const change *items, size_t n, bool *out_is_same) {
  changes all = {r, items, bd_calloc(n + 1, sizeof *all.texts)};
  const bd_reduction_candidates candidates = {
      .n = n, .user = &all, .write = write_change, .failed = note_change};
  size_t which = n;
  buddy_code code = all.texts ? bd_reduction_first(r, &candidates, &which) : BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; all.texts && i < n; ++i) free(all.texts[i]);
  bd_free(all.texts);
  *out_is_same = code == BUDDY_OK && which < n;
  if (!*out_is_same) return code;
  before b;
  code = make_change(&r->program, &items[which], &b);
  json_decref(b.root);
  json_decref(b.smaller);
  return code;
}

/* ---- All of them ----------------------------------------------------------------------------- */
/* The largest size below `below`; 1: none. */
static int64_t next_size(const bd_program *p, int64_t below) {
  int64_t largest = 1, sizes[64];
  const char *name;
  json_t *meta;
  json_object_foreach(json_object_get(bd_program_graph(p), "tensor_values"), name, meta) {
    const int rank = bd_meta_sizes(meta, sizes, 64);
    for (int d = 0; d < rank; ++d) {
      if (sizes[d] < below && sizes[d] > largest) largest = sizes[d];
    }
  }
  return largest;
}

enum { N_WAYS = 4 };
static void add_ways(int64_t from, int64_t to, change *out) {
  static const struct {
    bool in_arguments;
    kinship kin;
  } ways[N_WAYS] = {{true, NONE}, {false, NONE}, {true, FACTOR}, {false, DIFFERENCE}};
  for (size_t i = 0; i < N_WAYS; ++i)
    out[i] = (change){from, to, ways[i].in_arguments, ways[i].kin};
}

/* As small as it goes: 1, 2, or halves. */
static buddy_code shrink(bd_reduction *r, int64_t size) {
  change some[2 * N_WAYS];
  bool is_same = false;
  add_ways(size, 1, some);
  add_ways(size, 2, some + N_WAYS);
  BD_TRY(try_changes(r, some, size > 2 ? 2 * N_WAYS : N_WAYS, &is_same));
  if (is_same) return BUDDY_OK;
  for (is_same = true; is_same && size > 5 && !bd_reduction_is_over(); size /= 2) {
    add_ways(size, size / 2, some);
    BD_TRY(try_changes(r, some, N_WAYS, &is_same));
  }
  return BUDDY_OK;
}

buddy_code bd_reduction_sizes(bd_reduction *r) {
  for (int64_t size = next_size(&r->program, INT64_MAX); size > 1 && !bd_reduction_is_over();
       size = next_size(&r->program, size))
    BD_TRY(shrink(r, size));
  return BUDDY_OK;
}
