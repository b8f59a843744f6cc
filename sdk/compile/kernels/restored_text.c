/* sdk/compile/kernels/restored_text.c: the text of an operand that is made where it is needed; see
 * restored.h.
 *
 * A column is whole groups. Group g of column j is round j·(k / group) + g of the loop's axes but
 * the last: from it follows where each source is read. */
#include <stdio.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/restored.h"

/* Columns at a time: so many streams from memory, and so many sums that do not wait for one
 * another. UNROLLED: vectors of a group that are written out. A slab stays in L2. */
enum { COLUMNS = 8, UNROLLED = 4, SLAB_DEPTH = 256, SLAB = 128 * 1024 };

static int64_t group_of(const bd_restored *r) { return r->sizes[r->rank - 1]; }

static void write_number(bd_text *text, const char *name, int64_t number) {
  bd_text_format(text, "  %%%s = arith.constant %lld : index\n", name, (long long)number);
}

static MlirType element_of_source(const bd_extra *source) {
  return mlirShapedTypeGetElementType(source->type);
}

/* "memref<Nxi8>" */
static void write_flat_type(bd_text *text, const bd_extra *source) {
  bd_text_format(text, "memref<%lldx", (long long)bd_count_elements(source->type));
  bd_text_type(text, element_of_source(source));
  bd_text_format(text, ">");
}

static void write_vector_type(bd_text *text, const bd_restored *r, MlirType element) {
  bd_text_format(text, "vector<%dx", r->lanes);
  bd_text_type(text, element);
  bd_text_format(text, ">");
}

void bd_restored_write_begin(bd_text *text, const bd_restored *r) {
  const bd_vectors vectors = {"f32", r->lanes, 0};
  for (int k = 0; k < r->loop.n; k++) {
    const bd_extra *source = &r->loop.extras[k];
    bd_text_format(text,
                   "  %%extra_%d = memref.reinterpret_cast %%e%d to offset: [0], sizes: [%lld], "
                   "strides: [1] : ",
                   k, k, (long long)bd_count_elements(source->type));
    bd_text_type(text, source->type);
    bd_text_format(text, " to ");
    write_flat_type(text, source);
    bd_text_format(text, "\n");
  }
  bd_epilogue_write_numbers(text, &r->loop, &vectors);
  write_number(text, "lanes", r->lanes);
  write_number(text, "group", group_of(r));
  write_number(text, "n_groups", r->k / group_of(r));
}

/* ---- Where sources are read -------------------------------------------------------------------
 */

/* Elements of a source from round to round, where they are always as many; -1 if not. */
static int64_t step_of(const bd_restored *r, const bd_extra *source) {
  int64_t step = -1, rounds = 1;
  for (int64_t i = r->rank - 2; i >= 0; i--) {
    if (r->sizes[i] == 1) continue;
    if (step < 0) step = source->strides[i];
    if (source->strides[i] != step * rounds) return -1;
    rounds *= r->sizes[i];
  }
  return step < 0 ? 0 : step;
}

/* %TAG_at_K += (%TAG_round / rounds behind the axis % its size) · its stride, axis by axis. */
static void write_axes(bd_text *text, const bd_restored *r, int k, const char *tag) {
  int64_t behind = 1;
  int n = 0;
  for (int64_t i = r->rank - 2; i >= 0; behind *= r->sizes[i--]) {
    if (r->sizes[i] == 1 || r->loop.extras[k].strides[i] == 0) continue;
    bd_text_format(text,
                   "  %%%s_behind_%d_%d = arith.constant %lld : index\n"
                   "  %%%s_size_%d_%d = arith.constant %lld : index\n"
                   "  %%%s_stride_%d_%d = arith.constant %lld : index\n",
                   tag, k, n, (long long)behind, tag, k, n, (long long)r->sizes[i], tag, k, n,
                   (long long)r->loop.extras[k].strides[i]);
    bd_text_format(text,
                   "  %%%s_over_%d_%d = arith.divui %%%s_round, %%%s_behind_%d_%d : index\n"
                   "  %%%s_index_%d_%d = arith.remui %%%s_over_%d_%d, %%%s_size_%d_%d : index\n"
                   "  %%%s_step_%d_%d = arith.muli %%%s_index_%d_%d, %%%s_stride_%d_%d : index\n",
                   tag, k, n, tag, tag, k, n, tag, k, n, tag, k, n, tag, k, n, tag, k, n, tag, k, n,
                   tag, k, n);
    bd_text_format(text, "  %%%s_at_%d_%d = arith.addi %%%s_at_%d_%d, %%%s_step_%d_%d : index\n",
                   tag, k, n + 1, tag, k, n, tag, k, n);
    n++;
  }
  bd_text_format(text, "  %%%s_at_%d = arith.addi %%%s_at_%d_%d, %%c0 : index\n", tag, k, tag, k,
                 n);
}

/* %TAG_at_K, where source K is read in round %TAG_round; of those that are one number for all of
 * the group, that number: %TAG_one_K. */
static void write_places(bd_text *text, const bd_restored *r, const char *tag) {
  for (int k = 0; k < r->loop.n; k++) {
    const bd_extra *source = &r->loop.extras[k];
    const int64_t step = step_of(r, source);
    bd_text_format(text, "  %%%s_at_%d_0 = arith.constant %lld : index\n", tag, k,
                   (long long)source->offset);
    if (step >= 0)
      bd_text_format(text,
                     "  %%%s_step_%d = arith.constant %lld : index\n"
                     "  %%%s_from_%d = arith.muli %%%s_round, %%%s_step_%d : index\n"
                     "  %%%s_at_%d = arith.addi %%%s_at_%d_0, %%%s_from_%d : index\n",
                     tag, k, (long long)step, tag, k, tag, tag, k, tag, k, tag, k, tag, k);
    else
      write_axes(text, r, k, tag);
    if (!source->is_spread) continue;
    bd_text_format(text, "  %%%s_one_%d = memref.load %%extra_%d[%%%s_at_%d] : ", tag, k, k, tag,
                   k);
    write_flat_type(text, source);
    bd_text_format(text, "\n");
  }
}

/* %TO_K: the vector of source K from element %in_group of the group on that %FROM_at_K begins. */
static void write_load(bd_text *text, const bd_restored *r, int k, const char *from, const char *to,
                       const char *in_group) {
  const bd_extra *source = &r->loop.extras[k];
  if (source->is_spread) {
    bd_text_format(text, "  %%%s_%d = vector.broadcast %%%s_one_%d : ", to, k, from, k);
    bd_text_type(text, element_of_source(source));
    bd_text_format(text, " to ");
  } else {
    bd_text_format(text,
                   "  %%%s_place_%d = arith.addi %%%s_at_%d, %%%s : index\n"
                   "  %%%s_%d = vector.load %%extra_%d[%%%s_place_%d] : ",
                   to, k, from, k, in_group, to, k, k, to, k);
    write_flat_type(text, source);
    bd_text_format(text, ", ");
  }
  write_vector_type(text, r, element_of_source(source));
  bd_text_format(text, "\n");
}

static MlirType element_of_result(const bd_restored *r) {
  return mlirShapedTypeGetElementType(mlirValueGetType(r->loop.output));
}

/* %TO_f32 of %FROM, a vector or a number (lanes 0) of that type. */
static void write_widening(bd_text *text, int lanes, const char *from, const char *to,
                           MlirType type) {
  const int is_same = mlirTypeIsAF32(type);
  const char *before = lanes > 0 ? "vector<" : "", *after = lanes > 0 ? ">" : "";
  char size[32] = "";
  if (lanes > 0) snprintf(size, sizeof(size), "%dx", lanes);
  bd_text_format(text, "  %%%s_f32 = %s %s : %s%s", to, is_same ? "arith.bitcast" : "arith.extf",
                 from, before, size);
  bd_text_type(text, type);
  bd_text_format(text, "%s to %s%sf32%s\n", after, before, size, after);
}

/* %TO_f32: a vector of the operand. */
static void write_vector(bd_text *text, const bd_restored *r, const char *from, const char *to,
                         const char *in_group) {
  const bd_vectors vectors = {"f32", r->lanes, 0};
  const bd_epilogue_names names = {"", to, to};
  bd_text result = {NULL, 0, 0, 0};
  for (int k = 0; k < r->loop.n; k++) write_load(text, r, k, from, to, in_group);
  bd_epilogue_write_body(text, &r->loop, &vectors, &names);
  bd_epilogue_write_result(&result, &r->loop, &names);
  text->is_lost |= result.is_lost;
  if (!result.is_lost) write_widening(text, r->lanes, result.data, to, element_of_result(r));
  bd_text_deinit(&result);
}

/* ---- One row ----------------------------------------------------------------------------------
 */

/* "%NAME_0, %NAME_1, …", or of one name and its type. */
static void write_list(bd_text *text, const char *name, int n) {
  for (int q = 0; q < n; q++) bd_text_format(text, "%s%%%s_%d", q > 0 ? ", " : "", name, q);
}

static void write_types(bd_text *text, const bd_restored *r, int n) {
  for (int q = 0; q < n; q++) bd_text_format(text, "%svector<%dxf32>", q > 0 ? ", " : "", r->lanes);
}

/* "iter_args(%NAME_0 = FROM, …) -> (vector<…>, …) {": the sums of n columns, which begin as those
 * of that name, or with nothing. */
static void write_sums(bd_text *text, const bd_restored *r, const char *name, const char *from,
                       int n) {
  bd_text_format(text, "iter_args(");
  for (int q = 0; q < n; q++) {
    bd_text_format(text, "%s%%%s_%d = ", q > 0 ? ", " : "", name, q);
    if (from == NULL)
      bd_text_format(text, "%%nothing");
    else
      bd_text_format(text, "%%%s_%d", from, q);
  }
  bd_text_format(text, ") -> (");
  write_types(text, r, n);
  bd_text_format(text, ") {\n");
}

static void write_yield(bd_text *text, const bd_restored *r, const char *name, int n) {
  bd_text_format(text, "  scf.yield ");
  write_list(text, name, n);
  bd_text_format(text, " : ");
  write_types(text, r, n);
  bd_text_format(text, "\n");
}

/* %sumU+1_Q = %sumU_Q + vector u of the row · the same of column Q. */
static void write_step(bd_text *text, const bd_restored *r, MlirType a, int u, int n) {
  bd_text_format(text,
                 "  %%skip%d = arith.constant %d : index\n"
                 "  %%in_group%d = arith.addi %%in_group, %%skip%d : index\n"
                 "  %%at_a%d = arith.addi %%first, %%in_group%d : index\n"
                 "  %%row%d = vector.load %%rows[%%c0, %%at_a%d] : memref<?x?x",
                 u, u * r->lanes, u, u, u, u, u, u);
  bd_text_type(text, a);
  bd_text_format(text, ", strided<[?, 1], offset: ?>>, ");
  write_vector_type(text, r, a);
  bd_text_format(text, "\n");
  char row[32], to[32], from[32], in_group[32];
  snprintf(row, sizeof(row), "%%row%d", u);
  write_widening(text, r->lanes, row, row + 1, a);
  snprintf(in_group, sizeof(in_group), "in_group%d", u);
  for (int q = 0; q < n; q++) {
    snprintf(to, sizeof(to), "b%d_%d", u, q);
    snprintf(from, sizeof(from), "of%d", q);
    write_vector(text, r, from, to, in_group);
    bd_text_format(text,
                   "  %%sum%d_%d = vector.fma %%row%d_f32, %%%s_f32, %%sum%d_%d : vector<%dxf32>\n",
                   u + 1, q, u, to, u, q, r->lanes);
  }
}

/* How many bits an element has in memory; 0 where it is no whole bytes. */
static int64_t bits_of(MlirType type) {
  const int64_t bits = mlirTypeIsAInteger(type) ? (int64_t)mlirIntegerTypeGetWidth(type)
                                                : (int64_t)mlirFloatTypeGetWidth(type);
  return bits % 8 == 0 ? bits : 0;
}

/* Columns are short: what lies behind those at hand is fetched while they are gone through, as the
 * one stream that it is, where a source is read from front to back. `done`: elements of the sources
 * that are read, or numbers of groups, from the beginning of the columns, of one of them; n_done
 * more of each column are in hand. */
static void write_ahead(bd_text *text, const bd_restored *r, int are_spread, const char *done,
                        int64_t n_done, int n) {
  const int64_t round = are_spread ? 1 : group_of(r);
  for (int k = 0; k < r->loop.n; k++) {
    const bd_extra *source = &r->loop.extras[k];
    const int64_t bits = bits_of(element_of_source(source));
    if (source->is_spread != are_spread || bits == 0 || step_of(r, source) != round) continue;
    const int64_t line = 64 * 8 / bits;
    bd_text_format(text,
                   "  %%all_%d = arith.constant %d : index\n"
                   "  %%ahead_%d = arith.constant %lld : index\n"
                   "  %%round_%d = arith.constant %lld : index\n"
                   "  %%of_columns_%d = arith.muli %%%s, %%all_%d : index\n"
                   "  %%before_%d = arith.muli %%rounds0, %%round_%d : index\n"
                   "  %%here_%d = arith.addi %%before_%d, %%of_columns_%d : index\n"
                   "  %%there_%d = arith.addi %%here_%d, %%ahead_%d : index\n",
                   k, n, k, (long long)(source->offset + n * (r->k / group_of(r)) * round), k,
                   (long long)round, k, done, k, k, k, k, k, k, k, k, k);
    for (int64_t at = 0; at < n * n_done; at += line) {
      bd_text_format(text,
                     "  %%line_%d_%lld = arith.constant %lld : index\n"
                     "  %%at_line_%d_%lld = arith.addi %%there_%d, %%line_%d_%lld : index\n"
                     "  memref.prefetch %%extra_%d[%%at_line_%d_%lld], read, locality<2>, data : ",
                     k, (long long)at, (long long)at, k, (long long)at, k, k, (long long)at, k, k,
                     (long long)at);
      write_flat_type(text, source);
      bd_text_format(text, "\n");
    }
  }
}

/* The sums of columns %j to %j + n over a group, from %sum_Q. */
static void write_group(bd_text *text, const bd_restored *r, MlirType a, int n) {
  const int64_t vectors = group_of(r) / r->lanes;
  int unrolled = UNROLLED;
  char last[32];
  while (vectors % unrolled != 0) unrolled--;
  write_number(text, "step", unrolled * r->lanes);
  bd_text_format(text, "  %%of_group:%d = scf.for %%in_group = %%c0 to %%group step %%step ", n);
  write_sums(text, r, "sum0", "sum", n);
  bd_text_format(text, "  %%done = arith.addi %%first, %%in_group : index\n");
  write_ahead(text, r, 0, "done", unrolled * r->lanes, n);
  for (int u = 0; u < unrolled; u++) write_step(text, r, a, u, n);
  snprintf(last, sizeof(last), "sum%d", unrolled);
  write_yield(text, r, last, n);
  bd_text_format(text, "  }\n  scf.yield ");
  for (int q = 0; q < n; q++) bd_text_format(text, "%s%%of_group#%d", q > 0 ? ", " : "", q);
  bd_text_format(text, " : ");
  write_types(text, r, n);
  bd_text_format(text, "\n");
}

/* Element %column_Q of C += the sum of vector Q. */
static void write_end(bd_text *text, const bd_restored *r, MlirType c, int n) {
  for (int q = 0; q < n; q++) {
    char old[32], to[32];
    bd_text_format(text,
                   "  %%all%d = vector.reduction <add>, %%sums#%d fastmath<reassoc> : "
                   "vector<%dxf32> into f32\n"
                   "  %%at_c%d = arith.subi %%column%d, %%start : index\n"
                   "  %%old%d = memref.load %%part2[%%c0, %%at_c%d] : memref<?x?x",
                   q, q, r->lanes, q, q, q, q);
    bd_text_type(text, c);
    bd_text_format(text, ", strided<[?, 1], offset: ?>>\n");
    snprintf(old, sizeof(old), "%%old%d", q);
    snprintf(to, sizeof(to), "old%d", q);
    write_widening(text, 0, old, to, c);
    bd_text_format(text,
                   "  %%new%d_f32 = arith.addf %%old%d_f32, %%all%d : f32\n  %%new%d = %s "
                   "%%new%d_f32 : f32 to ",
                   q, q, q, q, mlirTypeIsAF32(c) ? "arith.bitcast" : "arith.truncf", q);
    bd_text_type(text, c);
    bd_text_format(text, "\n  memref.store %%new%d, %%part2[%%c0, %%at_c%d] : memref<?x?x", q, q);
    bd_text_type(text, c);
    bd_text_format(text, ", strided<[?, 1], offset: ?>>\n");
  }
}

/* n columns at a time, from %FROM to before %TO. */
static void write_columns(bd_text *text, const bd_restored *r, MlirType a, MlirType c, int n,
                          const char *from, const char *to) {
  char tag[32];
  bd_text_format(text,
                 "  %%at_once%d = arith.constant %d : index\n"
                 "  scf.for %%j = %%%s to %%%s step %%at_once%d {\n",
                 n, n, from, to, n);
  for (int q = 0; q < n; q++)
    bd_text_format(text,
                   "  %%behind%d = arith.constant %d : index\n"
                   "  %%column%d = arith.addi %%j, %%behind%d : index\n"
                   "  %%rounds%d = arith.muli %%column%d, %%n_groups : index\n",
                   q, q, q, q, q, q);
  bd_text_format(text, "  %%sums:%d = scf.for %%g = %%c0 to %%n_groups step %%c1 ", n);
  write_sums(text, r, "sum", NULL, n);
  bd_text_format(text, "  %%first = arith.muli %%g, %%group : index\n");
  for (int q = 0; q < n; q++) {
    snprintf(tag, sizeof(tag), "of%d", q);
    bd_text_format(text, "  %%%s_round = arith.addi %%rounds%d, %%g : index\n", tag, q);
    write_places(text, r, tag);
  }
  write_ahead(text, r, 1, "g", 1, n);
  write_group(text, r, a, n);
  bd_text_format(text, "  }\n");
  write_end(text, r, c, n);
  bd_text_format(text, "  }\n");
}

void bd_restored_write_row(bd_text *text, const bd_restored *r, MlirType a, MlirType c) {
  bd_text_format(text, "  %%rows = memref.cast %%matrix0 : memref<?x?x");
  bd_text_type(text, a);
  bd_text_format(text, ", strided<[?, ?], offset: ?>> to memref<?x?x");
  bd_text_type(text, a);
  bd_text_format(text,
                 ", strided<[?, 1], offset: ?>>\n"
                 "  %%nothing = arith.constant dense<0.0> : vector<%dxf32>\n"
                 "  %%eight = arith.constant %d : index\n"
                 "  %%n_rest = arith.remui %%columns, %%eight : index\n"
                 "  %%whole = arith.subi %%end, %%n_rest : index\n",
                 r->lanes, COLUMNS);
  write_columns(text, r, a, c, COLUMNS, "start", "whole");
  if (r->n % COLUMNS != 0) write_columns(text, r, a, c, 1, "whole", "end");
}

/* ---- A slab -----------------------------------------------------------------------------------
 */

bd_slab bd_restored_slab(const bd_restored *r) {
  const int64_t group = group_of(r);
  int64_t depth = group * ((SLAB_DEPTH + group - 1) / group);
  if (depth > r->k) depth = r->k;
  const int64_t n = SLAB / depth / 64 * 64;
  return (bd_slab){n < 64 ? 64 : n, depth};
}

void bd_restored_write_slab(bd_text *text, const bd_restored *r) {
  const bd_slab slab = bd_restored_slab(r);
  bd_text_format(text,
                 "  %%g_first = arith.divui %%depth, %%group : index\n"
                 "  %%g_end = arith.divui %%depth_end, %%group : index\n"
                 "  scf.for %%j = %%column to %%column_end step %%c1 {\n"
                 "  %%in_slab = arith.subi %%j, %%column : index\n"
                 "  %%rounds = arith.muli %%j, %%n_groups : index\n"
                 "  scf.for %%g = %%g_first to %%g_end step %%c1 {\n"
                 "  %%of_round = arith.addi %%rounds, %%g : index\n"
                 "  %%first = arith.muli %%g, %%group : index\n"
                 "  %%from = arith.subi %%first, %%depth : index\n");
  write_places(text, r, "of");
  bd_text_format(text, "  scf.for %%in_group = %%c0 to %%group step %%lanes {\n");
  write_vector(text, r, "of", "b", "in_group");
  bd_text_format(text,
                 "  %%to = arith.addi %%from, %%in_group : index\n"
                 "  vector.store %%b_f32, %%slab[%%in_slab, %%to] : memref<%lldx%lldxf32>, "
                 "vector<%dxf32>\n  }\n  }\n  }\n",
                 (long long)slab.n, (long long)slab.k, r->lanes);
}
