// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/restored.c: see restored.h. Blocks of a row of a matrix, by their bytes (gguf.c tells how many):
 *
 *   Q8_0  32 numbers: f16 scale, 32 signed bytes: number · scale
 *   Q4_0  32 numbers: f16 scale, 16 bytes of numbers l (low half) and 16 + l (high half): (number - 8) · scale
 *   Q4_1  32 numbers: f16 scale, f16 least, the same 16 bytes: number · scale + least
 *   Q4_K  256 numbers in 8 groups of 32: f16 scale, f16 least; three times 4 bytes of the groups' scales,
 *         of 6 bits: those of groups 0 to 3, their leasts, and what both of groups 4 to 7 end in (low and
 *         high halves; the upper two bits of the first 8 bytes are the beginnings); 128 bytes of numbers,
 *         32 of which are two groups, low and high halves: number · scale · scale of the group - least ·
 *         least of the group
 *   Q5_K  256 numbers, as Q4_K but with 32 bytes before the numbers: bit g of byte l is the fifth of number l of
 *         group g
 *   Q6_K  256 numbers in 16 groups of 16: 128 bytes of the lower four bits, 64 of the upper two, 16 signed
 *         bytes of the groups' scales, f16 scale: (number - 32) · scale · scale of the group. Each half of
 *         the numbers is four times 32: low halves of 64 bytes, and high ones; the upper bits of the four
 *         share 32 bytes, lowest first.
 *
 * Bits are not shifted: they are masked where they lie, and a factor, which is a power of two, moves them. All
 * but the last product is exact, and so equal to what any other reader computes. */
#include "sdk/import/restored.h"

#include <string.h>

#include "sdk/import/build.h"

enum { RANK = 5, /* of a block, at most */ MOST_TABLES = 16 };

/* The same bytes as elements of several types. */
enum { U8, I8, F16, N_FORMS };
static const buddy_dtype dtypes[N_FORMS] = {BUDDY_U8, BUDDY_I8, BUDDY_F16};

/* Constants of all blocks of one kind. */
typedef struct tables {
  const void *keys[MOST_TABLES];
  const buddy_value *values[MOST_TABLES];
  size_t n;
} tables;

/* What one parameter is made of; the first failure is kept in `code`, and all values are null then. */
typedef struct maker {
  bd_import *import;
  const bd_restored *restored;
  bd_build at;
  tables *tables;
  const buddy_value
      *forms[N_FORMS]; /* [lead…, blocks of a row, elements of one]; null: not yet made */
  const buddy_value *inputs[N_FORMS]; /* of the file: [rows…, blocks, elements] */
  const buddy_node *lookup;           /* an embedding, whose rows alone are made; null: all */
  int64_t lead[BD_MAX_TENSOR_RANK];
  uint32_t n_lead;
  buddy_code code;
} maker;

/* ---- Nodes ---- */

static const buddy_value *make(maker *m, const char *op, const buddy_named_arg *args, size_t n,
                               const buddy_tensor_type *type) {
  const buddy_value *value = NULL;
  if (m->code == BUDDY_OK) m->code = bd_build_value(&m->at, op, args, n, type, &value);
  return value;
}

static const buddy_value *both(maker *m, const char *op, const buddy_value *a,
                               const buddy_value *b) {
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(a)}, {"other", bd_tensor_arg(b)}};
  return make(m, op, args, 2, NULL);
}

static const buddy_value *times(maker *m, const buddy_value *a, const buddy_value *b) {
  return both(m, "aten.mul.Tensor", a, b);
}

static const buddy_value *cast(maker *m, const buddy_value *value, buddy_dtype dtype) {
  const buddy_value *out = NULL;
  if (m->code == BUDDY_OK) m->code = bd_build_cast(&m->at, value, dtype, &out);
  return out;
}

static const buddy_value *view(maker *m, const buddy_value *value, const int64_t *dims,
                               uint32_t rank) {
  if (m->code != BUDDY_OK) return NULL;
  const buddy_tensor_type type = {buddy_value_type(value)->dtype, rank, dims};
  m->code = bd_build_view(&m->at, value, &type, &value);
  return value;
}

/* ---- Bytes of the file ---- */

static bool has_bytes(const buddy_value *input) {
  const buddy_data *data =
      buddy_graph_input_data(buddy_value_graph(input), buddy_value_index(input));
  return data && data->bytes;
}

/* An input of the file's bytes; the program's own becomes the first of them, so that none is left without. */
static const buddy_value *add_bytes(maker *m, const buddy_tensor_type *type) {
  const bd_restored *r = m->restored;
  const buddy_data data = {.bytes = r->bytes, .n_bytes = r->tensor->n_bytes};
  const buddy_value *value = r->value;
  buddy_graph *graph = m->import->graph;
  if (!has_bytes(value)) {
    m->code = buddy_graph_set_input(graph, buddy_value_index(value), type, &data, m->import->diags);
    return value;
  }
  const char *name = bd_import_made_name(m->import, buddy_value_name(r->value));
  if (!name) m->code = BUDDY_OUT_OF_MEMORY;
  if (m->code == BUDDY_OK)
    m->code = buddy_graph_add_input(graph, BUDDY_INPUT_PARAMETER, name, name, type, &data,
                                    m->import->diags, &value);
  return value;
}

/* Rows [heads · 2 · half, …] in pairs of rows i and half + i become [heads, 2, half, …]. */
static const buddy_value *with_halves(maker *m, const buddy_value *value) {
  if (m->code != BUDDY_OK || m->restored->n_heads == 0 || m->lookup) return value;
  const buddy_tensor_type *type = buddy_value_type(value);
  const int64_t heads = m->restored->n_heads, half = type->dims[0] / heads / 2;
  const uint32_t rank = type->rank + 2;
  int64_t pairs[BD_MAX_TENSOR_RANK] = {heads, half, 2},
          sizes[BD_MAX_TENSOR_RANK] = {heads, 2, half}, order[BD_MAX_TENSOR_RANK] = {0, 2, 1};
  for (uint32_t d = 3; d < rank; ++d) {
    pairs[d] = sizes[d] = type->dims[d - 2];
    order[d] = d;
  }
  const buddy_tensor_type to = {type->dtype, rank, sizes};
  value = view(m, value, pairs, rank);
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)},
                                  {"dims", bd_ints_arg(order, rank)}};
  return make(m, "aten.permute.default", args, 2, &to);
}

/* The rows that an embedding looks up. */
static const buddy_value *looked_up(maker *m, const buddy_value *value) {
  const buddy_tensor_type *from = buddy_value_type(value);
  const int64_t flat[] = {from->dims[0], from->dims[1] * from->dims[2]};
  int64_t dims[BD_MAX_TENSOR_RANK + 2];
  buddy_named_arg args[8];
  const size_t n = buddy_node_n_args(m->lookup);
  memcpy(dims, m->lead, m->n_lead * sizeof *dims);
  dims[m->n_lead] = flat[1];
  const buddy_tensor_type type = {from->dtype, m->n_lead + 1, dims};
  const buddy_value *matrix = view(m, value, flat, 2);
  for (size_t i = 0; i < n; ++i)
    args[i] = (buddy_named_arg){buddy_node_arg_name(m->lookup, i), *buddy_node_arg(m->lookup, i)};
  args[0].arg.as.tensor = matrix;
  const buddy_value *rows = make(m, "aten.embedding.default", args, n, &type);
  dims[m->n_lead] = from->dims[1];
  dims[m->n_lead + 1] = from->dims[2];
  return view(m, rows, dims, m->n_lead + 2);
}

/* All blocks, as elements of that type. */
static const buddy_value *form_of(maker *m, int form) {
  const bd_file_tensor *tensor = m->restored->tensor;
  const bd_block_type *block = tensor->block;
  const uint32_t n_rows = tensor->rank - 1;
  int64_t dims[BD_TENSOR_FILE_RANK + 1];
  if (m->forms[form] || m->code != BUDDY_OK) return m->forms[form];
  memcpy(dims, tensor->dims, n_rows * sizeof *dims);
  dims[n_rows] = tensor->dims[n_rows] / block->n_numbers;
  dims[n_rows + 1] = block->n_bytes / (int64_t)buddy_dtype_size(dtypes[form]);
  const buddy_tensor_type type = {dtypes[form], n_rows + 2, dims};
  if (!m->inputs[form]) m->inputs[form] = add_bytes(m, &type);
  const buddy_value *value = m->inputs[form];
  if (m->code == BUDDY_OK && m->lookup) value = looked_up(m, value);
  m->forms[form] = value;
  return value;
}

/* Elements `first` to before first + n of each block, of the sizes given within it. */
static const buddy_value *part(maker *m, int form, int64_t first, int64_t n, const int64_t *sizes,
                               uint32_t rank) {
  const buddy_value *value = form_of(m, form);
  int64_t dims[BD_MAX_TENSOR_RANK + 1 + RANK];
  if (m->code != BUDDY_OK) return NULL;
  const buddy_tensor_type *from = buddy_value_type(value);
  const uint32_t last = from->rank - 1;
  memcpy(dims, from->dims, from->rank * sizeof *dims);
  dims[last] = n;
  const buddy_tensor_type type = {from->dtype, from->rank, dims};
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)},
                                  {"dim", bd_int_arg(last)},
                                  {"start", bd_int_arg(first)},
                                  {"end", bd_int_arg(first + n)},
                                  {"step", bd_int_arg(1)}};
  value = make(m, "aten.slice.Tensor", args, 5, &type);
  memcpy(dims + last, sizes, rank * sizeof *dims);
  return with_halves(m, view(m, value, dims, last + rank));
}

/* The same numbers in all blocks, along the axes given. */
static const buddy_value *table(maker *m, buddy_dtype dtype, const void *numbers,
                                const int64_t *sizes, uint32_t rank) {
  tables *all = m->tables;
  size_t n_bytes = buddy_dtype_size(dtype);
  for (size_t i = 0; i < all->n; ++i) {
    if (all->keys[i] == numbers) return all->values[i];
  }
  for (uint32_t d = 0; d < rank; ++d) n_bytes *= (size_t)sizes[d];
  void *copy = bd_archive_alloc(m->import->archive, n_bytes);
  const char *name = bd_import_made_name(m->import, "table");
  const buddy_tensor_type type = {dtype, rank, sizes};
  const buddy_data data = {.bytes = copy, .n_bytes = n_bytes};
  const buddy_value *value = NULL;
  if (!copy || !name) m->code = BUDDY_OUT_OF_MEMORY;
  if (m->code != BUDDY_OK) return NULL;
  memcpy(copy, numbers, n_bytes);
  m->code = buddy_graph_add_input(m->import->graph, BUDDY_INPUT_CONSTANT, name, name, &type, &data,
                                  m->import->diags, &value);
  if (all->n < MOST_TABLES) {
    all->keys[all->n] = numbers;
    all->values[all->n++] = value;
  }
  return value;
}

#define DIMS(...) \
  (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)
#define BYTES(m, numbers, ...) table(m, BUDDY_U8, numbers, DIMS(__VA_ARGS__))
#define FLOATS(m, numbers, ...) table(m, BUDDY_F32, numbers, DIMS(__VA_ARGS__))

/* What a mask leaves of bytes, as floats. */
static const buddy_value *masked(maker *m, const buddy_value *bytes, const buddy_value *mask) {
  return cast(m, both(m, "aten.bitwise_and.Tensor", bytes, mask), BUDDY_F32);
}

static const buddy_value *plus(maker *m, const buddy_value *a, const buddy_value *b) {
  return both(m, "aten.add.Tensor", a, b);
}

static const buddy_value *minus(maker *m, const buddy_value *a, const buddy_value *b) {
  return both(m, "aten.sub.Tensor", a, b);
}

/* ---- Blocks ---- */

static const uint8_t halves[] = {15, 240};
static const float of_halves[] = {1, 1.0f / 16};

static const buddy_value *make_q8_0(maker *m) {
  const buddy_value *numbers = cast(m, part(m, I8, 2, 32, DIMS(32)), BUDDY_F32);
  return times(m, numbers, cast(m, part(m, F16, 0, 1, DIMS(1)), BUDDY_F32));
}

static const buddy_value *make_q4_0(maker *m) {
  static const float middles[] = {8, 128};
  const buddy_value *numbers = masked(m, part(m, U8, 2, 16, DIMS(1, 16)), BYTES(m, halves, 2, 1));
  const buddy_value *scale = cast(m, part(m, F16, 0, 1, DIMS(1, 1)), BUDDY_F32);
  return times(m, minus(m, numbers, FLOATS(m, middles, 2, 1)),
               times(m, scale, FLOATS(m, of_halves, 2, 1)));
}

static const buddy_value *make_q4_1(maker *m) {
  const buddy_value *numbers = masked(m, part(m, U8, 4, 16, DIMS(1, 16)), BYTES(m, halves, 2, 1));
  const buddy_value *scale = cast(m, part(m, F16, 0, 1, DIMS(1, 1)), BUDDY_F32);
  const buddy_value *least = cast(m, part(m, F16, 1, 1, DIMS(1, 1)), BUDDY_F32);
  return plus(m, times(m, numbers, times(m, scale, FLOATS(m, of_halves, 2, 1))), least);
}

/* Six bits of each of eight groups: four whole, then four whose beginnings are elsewhere. */
static const buddy_value *six_bits(maker *m, int64_t first, const uint8_t *ends,
                                   const float *of_ends) {
  static const uint8_t begins[] = {63, 192};
  static const float of_begins[] = {1, 0.25f};
  const buddy_value *begin =
      masked(m, part(m, U8, first, 4, DIMS(1, 2, 2, 1)), BYTES(m, begins, 2, 1, 1, 1));
  const buddy_value *end =
      masked(m, part(m, U8, 12, 4, DIMS(1, 2, 2, 1)), BYTES(m, ends, 2, 1, 1, 1));
  if (of_ends) end = times(m, end, FLOATS(m, of_ends, 1));
  return plus(m, times(m, begin, FLOATS(m, of_begins, 2, 1, 1, 1)), end);
}

/* Numbers of eight groups times their scales, without their leasts. */
static const buddy_value *less_leasts(maker *m, const buddy_value *numbers) {
  static const uint8_t lows[] = {0, 15}, highs[] = {0, 240};
  static const float sixteenth[] = {1.0f / 16};
  const buddy_value *scale = cast(m, part(m, F16, 0, 1, DIMS(1, 1, 1, 1)), BUDDY_F32);
  const buddy_value *least = cast(m, part(m, F16, 1, 1, DIMS(1, 1, 1, 1)), BUDDY_F32);
  scale = times(m, scale, six_bits(m, 4, lows, NULL));
  least = times(m, least, six_bits(m, 8, highs, sixteenth));
  return minus(m, times(m, numbers, scale), least);
}

/* Low and high halves of the 128 bytes from byte `first` on. */
static const buddy_value *nibbles(maker *m, int64_t first) {
  const buddy_value *bytes = part(m, U8, first, 128, DIMS(2, 2, 1, 32));
  return times(m, masked(m, bytes, BYTES(m, halves, 2, 1)), FLOATS(m, of_halves, 2, 1));
}

static const buddy_value *make_q4_k(maker *m) { return less_leasts(m, nibbles(m, 16)); }

static const buddy_value *make_q5_k(maker *m) {
  static const uint8_t bits[] = {1, 2, 4, 8, 16, 32, 64, 128};
  static const float of_bits[] = {16, 8, 4, 2, 1, 0.5f, 0.25f, 0.125f};
  const buddy_value *fifth =
      masked(m, part(m, U8, 16, 32, DIMS(1, 1, 1, 32)), BYTES(m, bits, 2, 2, 2, 1));
  return less_leasts(m, plus(m, nibbles(m, 48), times(m, fifth, FLOATS(m, of_bits, 2, 2, 2, 1))));
}

static const buddy_value *make_q6_k(maker *m) {
  static const uint8_t lows[] = {15, 240}, pairs[] = {3, 12, 48, 192};
  static const float of_lows[] = {1, 1.0f / 16}, of_pairs[] = {16, 4, 1, 0.25f}, middle[] = {32};
  const buddy_value *low =
      masked(m, part(m, U8, 0, 128, DIMS(2, 1, 2, 2, 16)), BYTES(m, lows, 2, 1, 1, 1));
  const buddy_value *high =
      masked(m, part(m, U8, 128, 64, DIMS(2, 1, 1, 2, 16)), BYTES(m, pairs, 2, 2, 1, 1));
  const buddy_value *of_group = cast(m, part(m, I8, 192, 16, DIMS(2, 2, 2, 2, 1)), BUDDY_F32);
  const buddy_value *scale = cast(m, part(m, F16, 104, 1, DIMS(1, 1, 1, 1, 1)), BUDDY_F32);
  low = times(m, low, FLOATS(m, of_lows, 2, 1, 1, 1));
  high = times(m, high, FLOATS(m, of_pairs, 2, 2, 1, 1));
  return times(m, minus(m, plus(m, low, high), FLOATS(m, middle, 1)), times(m, scale, of_group));
}

static const struct {
  const char *name;
  const buddy_value *(*make)(maker *m);
} kinds[] = {{"Q8_0", make_q8_0}, {"Q4_0", make_q4_0}, {"Q4_1", make_q4_1},
             {"Q4_K", make_q4_k}, {"Q5_K", make_q5_k}, {"Q6_K", make_q6_k}};

static const buddy_value *make_blocks(maker *m) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (!strcmp(m->restored->tensor->type_name, kinds[i].name)) return kinds[i].make(m);
  }
  m->code = BUDDY_INTERNAL;
  return NULL;
}

/* ---- A parameter ---- */

bool bd_can_be_restored(const bd_file_tensor *tensor, const buddy_tensor_type *type,
                        int64_t n_heads) {
  const bool is_float = tensor->block || (BUDDY_DTYPE_BIT(tensor->dtype) & BUDDY_FLOATS);
  if (n_heads > 0 && (tensor->rank < 1 || tensor->rank > 2 || tensor->dims[0] % (2 * n_heads) != 0))
    return false;
  return (tensor->dtype == type->dtype ||
          (is_float && (BUDDY_DTYPE_BIT(type->dtype) & BUDDY_FLOATS))) &&
         tensor->rank == type->rank &&
         memcmp(tensor->dims, type->dims, type->rank * sizeof(int64_t)) == 0;
}

buddy_code bd_restored_add(bd_import *import, const bd_restored *restored) {
  bd_restored *added = bd_arena_calloc(&import->arena, 1, sizeof *added);
  if (!added) return BUDDY_OUT_OF_MEMORY;
  *added = *restored;
  added->next = import->restored;
  import->restored = added;
  return BUDDY_OK;
}

static const buddy_value *make_plain(maker *m) {
  const bd_file_tensor *tensor = m->restored->tensor;
  const buddy_tensor_type type = {tensor->dtype, tensor->rank, tensor->dims};
  return with_halves(m, add_bytes(m, &type));
}

/* The rows of m->lead, in the program's type. */
static const buddy_value *make_rows(maker *m, const buddy_tensor_type *type) {
  const buddy_value *value = m->restored->tensor->block ? make_blocks(m) : make_plain(m);
  value = cast(m, value, type->dtype);
  return m->code == BUDDY_OK ? view(m, value, type->dims, type->rank) : NULL;
}

static bool is_lookup(const buddy_node *node, const buddy_value *weight) {
  return !strcmp(buddy_node_op(node), "aten.embedding.default") &&
         buddy_node_arg(node, 0)->as.tensor == weight &&
         buddy_node_arg(node, 1)->as.tensor != weight;
}

/* Of what an embedding looks up, only those rows are made. */
static buddy_code make_lookup(maker *m, buddy_node *node) {
  const buddy_value *old = buddy_node_result(node, 0);
  const buddy_tensor_type *ids = buddy_value_type(buddy_node_arg(node, 1)->as.tensor);
  m->at.before = node;
  m->lookup = node;
  m->n_lead = ids->rank;
  memcpy(m->lead, ids->dims, ids->rank * sizeof *m->lead);
  memset(m->forms, 0, sizeof m->forms);
  const buddy_value *rows = make_rows(m, buddy_value_type(old));
  BD_TRY(m->code);
  BD_TRY(buddy_value_replace(old, rows));
  return bd_build_erase(node, m->import->diags);
}

static bool uses(const buddy_node *node, const buddy_value *value) {
  for (const buddy_use *use = buddy_value_first_use(value); use; use = buddy_use_next(use)) {
    if (buddy_use_node(use) == node) return true;
  }
  return false;
}

/* All of it, before the first node that needs it. */
static buddy_code make_all(maker *m, const buddy_value *stand_in, const buddy_tensor_type *type) {
  buddy_node *before = buddy_value_node(stand_in);
  while (before && !uses(before, stand_in)) before = buddy_node_next(before);
  m->at.before = before ? before : buddy_value_node(stand_in);
  m->lookup = NULL;
  m->n_lead = 0;
  memset(m->forms, 0, sizeof m->forms);
  const buddy_value *value = make_rows(m, type);
  BD_TRY(m->code);
  return buddy_value_replace(stand_in, value);
}

/* Something of the parameter's type, which its uses have until they get what is made of it. */
static buddy_code put_stand_in(maker *m, const buddy_tensor_type *type,
                               const buddy_value **out_value) {
  const buddy_named_arg args[] = {
      {"size", bd_size_arg(type)},
      {"dtype", bd_dtype_arg(type->dtype)},
  };
  m->at.before = buddy_graph_first(m->import->graph);
  *out_value = make(m, "aten.zeros.default", args, 2, type);
  BD_TRY(m->code);
  return buddy_value_replace(m->restored->value, *out_value);
}

static buddy_code restore(maker *m) {
  int64_t dims[BD_TENSOR_FILE_RANK];
  buddy_tensor_type type = *buddy_value_type(m->restored->value);
  const buddy_value *stand_in;
  buddy_node *next;
  memcpy(dims, type.dims, type.rank * sizeof *dims);
  type.dims = dims;
  BD_TRY(put_stand_in(m, &type, &stand_in));
  for (buddy_node *node = buddy_graph_first(m->import->graph); node; node = next) {
    next = buddy_node_next(node);
    if (m->restored->tensor->block && type.rank == 2 && m->restored->n_heads == 0 &&
        is_lookup(node, stand_in))
      BD_TRY(make_lookup(m, node));
  }
  if (buddy_value_n_uses(stand_in) > 0 || !has_bytes(m->restored->value))
    BD_TRY(make_all(m, stand_in, &type));
  return bd_build_erase(buddy_value_node(stand_in), m->import->diags);
}

buddy_code bd_restored_apply(bd_import *import) {
  tables constants = {.n = 0};
  for (const bd_restored *r = import->restored; r; r = r->next) {
    maker m = {.import = import,
               .restored = r,
               .at = {import->graph, NULL, import->diags},
               .tables = &constants};
    BD_TRY(restore(&m));
  }
  return BUDDY_OK;
}
