// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/product.c: choosing and writing the loops of a product. */
#include "sdk/compile/kernels/product.h"

#include <stdbool.h>

#include "core/base/assert.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/tile/amx.h"
#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/filter.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/panel_epilogue.h"
#include "sdk/compile/rewrite/constancy.h"

/* How C begins, if it is written as a whole right before. */
static void find_begin(const bd_contraction *c, bd_product *out) {
  const bd_operand *to = bd_operand_of(c, BD_C);
  if (!c->has_outer_sum)
    out->around.begin =
        bd_beginning_find(c->s.op, to->value, c->n.n == 1 ? to->axis[c->n.loops[0]] : -1);
  out->p.begin = out->around.begin.begin;
}

/* How B's pairs are packed: two of its rows side by side (pack_bf16.mlir), or of columns that are words
 * already, these. */
static bool has_dense_rows(const bd_contraction *c) {
  return bd_group_stride(bd_operand_of(c, BD_B), &c->n) == 1;
}

static bool can_pack_pairs(const bd_contraction *c) {
  const bd_operand *b = bd_operand_of(c, BD_B);
  return has_dense_rows(c) ||
         (bd_group_stride(b, &c->k) == 1 && bd_group_stride(b, &c->n) % 2 == 0);
}

/* Where only a run knows the number of rows, it is thought to be this: blocks of so many fit beside
 * as much of k as most products have. */
enum { USUAL_ROWS = 192 };

static void read_sizes(const bd_contraction *c, bd_panels *p) {
  p->m = bd_group_size(c, &c->m);
  p->has_any_rows = p->m == INT32_MAX;
  if (p->has_any_rows) p->m = USUAL_ROWS;
  p->n = bd_group_size(c, &c->n);
  p->k = bd_group_size(c, &c->k);
  p->lda = bd_group_stride(bd_operand_of(c, BD_A), &c->m);
  p->ldb = bd_group_stride(bd_operand_of(c, BD_B), &c->k);
  p->ldc = bd_group_stride(bd_operand_of(c, BD_C), &c->m);
}

/* Sizes and strides of the matrices are known; perhaps not the number of rows, INT32_MAX, and that
 * of the products. */
static bool has_shape(const bd_contraction *c) {
  const bd_operand *a = bd_operand_of(c, BD_A), *b = bd_operand_of(c, BD_B),
                   *to = bd_operand_of(c, BD_C);
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    if (c->s.sizes[loop] == 0) return false;
  }
  return bd_group_size(c, &c->n) < INT32_MAX && bd_group_size(c, &c->k) < INT32_MAX &&
         bd_group_stride(a, &c->m) != INT64_MIN && bd_group_stride(a, &c->k) == 1 &&
         bd_group_stride(b, &c->k) != INT64_MIN && bd_group_stride(b, &c->n) != INT64_MIN &&
         bd_group_stride(to, &c->m) != INT64_MIN;
}

/* True if rows of an operand begin with whole words of n elements, wherever a product begins: along
 * k its elements are neighbours. */
static bool has_whole_words(const bd_contraction *c, int which, int n) {
  const bd_operand *operand = bd_operand_of(c, which);
  const int along_k = operand->axis[c->k.loops[0]];
  int64_t strides[BD_MAX_RANK], offset;
  if (bd_memref_is_dense(operand->type)) return true;
  if (operand->rank > BD_MAX_RANK || !bd_memref_layout(operand->type, strides, &offset) ||
      mlirShapedTypeIsDynamicStrideOrOffset(offset) || offset % n != 0)
    return false;
  for (int r = 0; r < operand->rank; ++r) {
    if (r != along_k && (mlirShapedTypeIsDynamicStrideOrOffset(strides[r]) || strides[r] % n != 0))
      return false;
  }
  return true;
}

/* The loop that follows, where C lies batch after batch, row after row. */
static void find_panel_epilogue(const bd_contraction *c, bd_product *out) {
  const int64_t sizes[] = {bd_count_batches(c), out->p.m, out->p.n};
  if (!bd_memref_is_dense(bd_operand_of(c, BD_C)->type) || out->p.ldc != out->p.n) return;
  const bd_epilogue found = bd_panel_epilogue_find(c->s.op, &out->around.begin, sizes);
  if (!found.op.ptr) return;
  out->p.is_aside = !mlirTypeEqual(bd_panel_epilogue_element(&found), bd_element_of(c, BD_C));
  if (out->p.is_aside && !bd_blocks_can_be_aside(&out->p)) {
    out->p.is_aside = false;
    return;
  }
  if (out->p.is_aside) out->p.ldc = bd_panels_width(&out->p);
  out->around.found = out->around.epilogue = found;
  out->p.panel_epilogue = &out->around.epilogue;
}

/* Products of words; of any number of rows, too. Bytes are multiplied by a constant alone, whose
 * panels have a row of sums. */
static int read_words(const bd_contraction *c, const bd_prepacking *prepacking,
                      const bd_dot_packing *w, bd_product *out) {
  const bd_operand *b = bd_operand_of(c, BD_B);
  if (!prepacking->machine->has_words[w->kind] || bd_group_size(c, &c->k) % w->n != 0 ||
      !has_shape(c) || !has_whole_words(c, BD_A, w->n) ||
      (!has_dense_rows(c) && !has_whole_words(c, BD_B, w->n)) ||
      (!w->is_shifted && !can_pack_pairs(c)))
    return 0;
  out->is_packed_once = !bd_has_outer_axis(c, BD_B);
  out->is_kept = out->is_packed_once && bd_is_steady(prepacking, b->value);
  if (w->is_shifted && (!out->is_kept || !bd_memref_is_dense(b->type))) return 0;
  bd_panels *p = &out->p;
  bd_panels_init(p, prepacking->machine, w->sum);
  p->words = w;
  read_sizes(c, p);
  p->k /= w->n;
  p->lda /= w->n;
  find_begin(c, out);
  if (prepacking->machine->has_amx[w->kind]) bd_amx_choose(p);
  if (w->is_shifted && p->amx_step == 0) bd_panels_choose_vectors(p);
  if (!p->has_any_rows && prepacking->fusion >= 0) find_panel_epilogue(c, out);
  return !w->is_shifted || p->begin != BD_BEGIN_OLD;
}

/* B is read where it is if all of it stays in cache, on few pages; or for so few rows that packing
 * it would take longer than what is saved. Of 4 to 64 rows, with 1 to 16 MB of B, in place took 0.55
 * to 0.8 of the time with AVX-512, of 100 rows as long, of 256 1.25 of it. */
enum { MOST_IN_PLACE = 64 };
static bool is_for_place(const bd_panels *p) {
  return p->k * p->ldb * p->element->bytes <= p->machine->l2 / 8 ||
         (!p->has_any_rows && p->m <= MOST_IN_PLACE);
}

/* With fewer rows it is read where it is though it be constant: all that counts is to read it. */
enum { LEAST_KEPT = 4 };

int bd_product_read(const bd_contraction *c, const bd_prepacking *prepacking, bd_product *out) {
  const bd_elements elements = bd_contraction_elements(c);
  const bd_element *element = elements.of[BD_A];
  *out = (bd_product){.is_kept = false};
  const bd_dot_packing *words = bd_dot_packing_for(elements);
  if (words) return read_words(c, prepacking, words, out);
  if (element != &bd_f32 && element != &bd_f64) return 0;
  /* It is widened where it is packed, in each run: constants would take twice their room. */
  const bool is_narrow =
      bd_narrow_element_of(c) && !bd_is_steady(prepacking, bd_operand_of(c, BD_B)->value);
  if ((!is_narrow && elements.of[BD_B] != element) || elements.of[BD_C] != element || !has_shape(c))
    return 0;
  bd_panels *p = &out->p;
  bd_panels_init(p, prepacking->machine, element);
  read_sizes(c, p);
  const bool is_row_major = !is_narrow && bd_group_stride(bd_operand_of(c, BD_B), &c->n) == 1;
  out->is_packed_once = !bd_has_outer_axis(c, BD_B);
  out->is_kept = out->is_packed_once && bd_is_steady(prepacking, bd_operand_of(c, BD_B)->value) &&
                 !(is_row_major && !p->has_any_rows && p->m > 1 && p->m < LEAST_KEPT);
  p->is_in_place = !out->is_kept && is_row_major && is_for_place(p);
  if (p->is_in_place) bd_panels_choose_vectors(p);
  p->is_fresh = !out->is_kept && !p->is_in_place && is_row_major && !bd_blocks_repeat(p);
  find_begin(c, out);
  if (!p->has_any_rows && prepacking->fusion >= 0) find_panel_epilogue(c, out);
  return 1;
}

/* ---- The kernel ---- */

/* A matrix is a filter of one place. */
static void write_packing_of_bytes(bd_text *text, const bd_contraction *c, const bd_product *s,
                                   const char *pack) {
  BD_ASSERT(s->p.words);
  const bd_operand *operand = bd_operand_of(c, BD_B);
  const bd_filter filter = {.filters = s->p.n,
                            .channels = s->p.words->n * s->p.k,
                            .window = {1, 1},
                            .of_filter = bd_group_stride(operand, &c->n),
                            .of_channel = bd_group_stride(operand, &c->k)};
  bd_filter_write_packing(text, &filter, c->operand[BD_B], &s->p, pack);
}

/* %panels of B, which starts at %AT. */
static void write_packing(bd_text *text, const bd_contraction *c, const bd_product *s,
                          const char *pack, const char *at) {
  const int i = c->operand[BD_B];
  const bd_operand *operand = &c->s.operands[i];
  const bd_dot_packing *w = s->p.words;
  const bool has_elements = w && has_dense_rows(c), has_words = w && !has_elements;
  const long long k = has_elements ? w->n * s->p.k : s->p.k, n = s->p.n, ldb = s->p.ldb;
  const long long of_n = bd_group_stride(operand, &c->n) / (has_words ? w->n : 1);
  if (bd_panels_are_shifted(&s->p)) {
    write_packing_of_bytes(text, c, s, pack);
    return;
  }
  const bd_phrase base = bd_phrase_of(has_words ? "b_words" : "x%d_base", i);
  if (has_words) {
    bd_dot_packing_write_buffer(text, w, base.data, bd_phrase_of("x%d_base", i).data);
    bd_text_format(text, "b_words_at = %s / %d;", at, w->n);
    at = "b_words_at";
  }
  bd_text_format(text,
                 "b_k = %lld; b_n = %lld; b_of_k = %lld; b_of_n = %lld;"
                 "any_b = view(%s, %s, [b_k, b_n], [b_of_k, b_of_n]);"
                 "any_panels = cast(panels, memref<?x?x%dx%s>);"
                 "call(\"%s_pack_b\", any_b, any_panels);",
                 k, n, ldb, of_n, base.data, at, bd_panels_width(&s->p), s->p.element->name, pack);
}

/* B where it is. */
static void write_matrix_b(bd_text *text, const bd_contraction *c, const bd_product *s) {
  const int i = c->operand[BD_B];
  bd_text_format(text, "ldb = %lld; %s = view(x%d_base, at%d, [c1, c1], [ldb, 1]);",
                 (long long)s->p.ldb, s->p.is_fresh ? "matrix_b" : "panels", i, i);
}

/* Where A or C begins. */
static void write_matrix(bd_text *text, const bd_contraction *c, const bd_product *s, int which) {
  const int i = c->operand[which];
  bd_panels_write_matrix(text, &s->p, which == BD_A ? "a" : "c", bd_phrase_of("x%d_base", i).data,
                         bd_phrase_of("at%d", i).data);
}

/* What the loop that follows reads for the product at hand: C lies dense, batch after batch. */
static void write_extras(bd_text *text, const bd_contraction *c, const bd_product *s) {
  const int64_t sizes[BD_N_OF] = {1, s->p.m, s->p.n};
  bd_text_format(text, "of_batch = %lld; batch = at%d / of_batch;", (long long)(s->p.m * s->p.n),
                 c->operand[BD_C]);
  bd_panel_epilogue_write_extras(text, s->p.panel_epilogue, sizes);
}

/* What the kernel writes: C, or where what follows writes to. */
static bd_operand operand_to(const bd_contraction *c, const bd_product *s) {
  bd_operand to = *bd_operand_of(c, BD_C);
  if (s->p.panel_epilogue) to.type = bd_panel_epilogue_type(s->p.panel_epilogue, to.type);
  return to;
}

static void write_arguments(bd_text *text, const bd_contraction *c, const bd_product *s) {
  MlirType types[3];
  for (int i = 0; i < 3; ++i) types[i] = c->s.operands[i].type;
  types[c->operand[BD_C]] = operand_to(c, s).type;
  bd_around_write_parameters(text, types, &s->around, NULL, s->is_kept);
}

buddy_code bd_product_find_callees(const bd_contraction *c, const bd_product *s,
                                   const bd_prepacking *prepacking, bd_kernels *kernels,
                                   bd_callees *out) {
  bd_elements all = bd_contraction_elements(c);
  *out = (bd_callees){.gemm = NULL};
  if (s->p.has_any_rows) BD_TRY(bd_callees_find(c, kernels, prepacking, all, false, out));
  if (s->p.is_in_place || s->p.is_fresh) return BUDDY_OK;
  if (bd_panels_are_shifted(&s->p))
    return bd_kernels_want_of(kernels, BD_LIBRARY_FILTER, all.of[BD_B], &out->pack);
  if (s->p.words && has_dense_rows(c))
    return bd_kernels_want_of(kernels, BD_LIBRARY_PACK_BF16, all.of[BD_B], &out->pack);
  if (s->p.words) all.of[BD_A] = all.of[BD_B] = all.of[BD_C]; /* words are such */
  return bd_kernels_want(kernels, BD_LIBRARY_GEMM, all, &out->pack);
}

/* Few rows of C, as they begin; in a loop of one round, so that what follows may use the same
 * names. */
static void write_beginning(bd_text *text, const bd_contraction *c, const bd_product *s) {
  if (s->p.begin == BD_BEGIN_OLD) return;
  bd_text_format(text, "for once = c0 to c1 {");
  bd_contraction_write_loops(text, c);
  bd_contraction_write_offset(text, c, c->operand[BD_C]);
  write_matrix(text, c, s, BD_C);
  bd_text_format(text, "n_columns = %lld; apart = %lld;", (long long)s->p.n, (long long)s->p.ldc);
  bd_text_format(text,
                 "rows_of_c = view(c_base, c_at, [c1, c1], [apart, 1]);"
                 "for begin_row = c0 to n_rows {"
                 "for begin_column = c0 to n_columns {");
  if (s->p.begin == BD_BEGIN_ROW)
    bd_text_format(text, "begin = row[begin_column];");
  else
    bd_text_format(text, "begin = %s : %s;", s->p.element->zero, s->p.element->name);
  bd_text_format(text, "store(begin, rows_of_c[begin_row, begin_column]); } }");
  bd_contraction_write_loops_end(text, c, s->p.n);
  bd_text_format(text, "  }\n");
}

/* The product, whose operands' metadata is there. */
static void write_product(bd_text *text, const bd_contraction *c, const bd_product *s,
                          const char *pack, bd_kernels *kernels) {
  const bd_phrase panels = bd_panels_type_b(&s->p);
  const bool is_packed = !s->is_kept && !s->p.is_in_place && !s->p.is_fresh;
  if (s->is_kept) {
    bd_panels_write_prepacked(text, &s->p);
    write_packing(text, c, s, pack, bd_phrase_of("x%d_at", c->operand[BD_B]).data);
    bd_panels_write_prepacked_end(text);
  } else if (is_packed && s->is_packed_once) {
    bd_text_format(text, "panels = alloc(%s);", panels.data);
    write_packing(text, c, s, pack, bd_phrase_of("x%d_at", c->operand[BD_B]).data);
  }
  bd_contraction_write_loops(text, c);
  for (int i = 0; i < 3; ++i) bd_contraction_write_offset(text, c, i);
  write_matrix(text, c, s, BD_A);
  if (s->p.is_in_place || s->p.is_fresh) write_matrix_b(text, c, s);
  if (s->p.is_aside)
    bd_text_format(text, "to_base = base(x%d_base); to_at = at%d;", c->operand[BD_C],
                   c->operand[BD_C]);
  else
    write_matrix(text, c, s, BD_C);
  if (s->p.begin == BD_BEGIN_ROW) bd_text_format(text, "row_base = base(row);");
  if (s->p.panel_epilogue) write_extras(text, c, s);
  if (is_packed && !s->is_packed_once) {
    bd_text_format(text, "panels = alloc(%s);", panels.data);
    write_packing(text, c, s, pack, bd_phrase_of("at%d", c->operand[BD_B]).data);
  }
  bd_panels_write(text, &s->p, kernels);
  if (is_packed && !s->is_packed_once) bd_text_format(text, "dealloc(panels);");
  bd_contraction_write_loops_end(text, c, bd_panels_cost(&s->p));
  if (is_packed && s->is_packed_once) bd_text_format(text, "dealloc(panels);");
}

void bd_product_write_kernel(bd_text *text, const bd_contraction *c, const bd_product *s,
                             const bd_callees *of, bd_kernels *kernels) {
  write_arguments(text, c, s);
  bd_text_format(text, "each i to 3 { metadata x$i = x$i; }");
  if (s->p.has_any_rows) {
    bd_callees_write_choice(text, c);
    write_beginning(text, c, s);
    bd_callees_write_few(text, c, of);
    bd_text_format(text, "  } else {\n");
  }
  write_product(text, c, s, of->pack, kernels);
  if (s->p.has_any_rows) bd_text_format(text, "  }\n");
  bd_text_format(text, "  return\n}\n");
}
