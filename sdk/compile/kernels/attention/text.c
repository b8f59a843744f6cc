// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/text.c: the text of the loop; see attention.h.
 *
 * A unit is some rows of one batch, at least a block of them; it packs the right operands for
 * itself. The last block of a unit begins earlier where it would else be shorter: rows that two
 * blocks have are computed twice, with the same bits. Each product of a block is in a loop of one
 * round, so that both may use the same names. */

#include <stdbool.h>

#include "sdk/compile/kernels/tile/amx.h"
#include "sdk/compile/kernels/attention/blocks.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/notation/notation.h"

/* Where only a run knows how many columns there are, code is chosen as for so many. */
enum { USUAL_COLUMNS = 256 };

/* ---- The products of a block ----------------------------------------------------------------- */

static bd_panels product_of(const bd_attention *a) {
  bd_panels p;
  bd_panels_init(&p, a->machine, bd_attention_element(a));
  p.m = bd_attention_rows_of_block(a);
  p.has_any_rows = bd_attention_has_any_shape(a);
  p.begin = BD_BEGIN_ZERO;
  p.is_part = true;
  return p;
}

static void take_words(const bd_dot_packing *words, int64_t k, bd_panels *p) {
  p->words = words;
  p->k = k;
  if (p->machine->has_amx[words->kind]) bd_amx_choose(p);
}

static bd_panels first_product(const bd_attention *a) {
  const bd_contraction *c = &a->c[0];
  bd_panels p = product_of(a);
  p.has_any_columns = p.has_any_rows;
  p.n = p.has_any_columns ? USUAL_COLUMNS : a->sizes[BD_OF_COLUMN];
  p.k = bd_group_size(c, &c->k);
  p.lda = bd_group_stride(bd_operand_of(c, BD_A), &c->m);
  p.ldc = bd_attention_pitch(a);
  if (a->words[0]) {
    p.lda = bd_attention_words_of_row(a, &p);
    take_words(a->words[0], bd_divide_up(p.k, 2), &p);
  }
  return p;
}

static bd_panels second_product(const bd_attention *a) {
  const bd_contraction *c = &a->c[1];
  bd_panels p = product_of(a);
  p.has_any_depth = p.has_any_rows;
  p.n = bd_group_size(c, &c->n);
  p.k = p.has_any_depth ? USUAL_COLUMNS : a->sizes[BD_OF_COLUMN];
  p.lda = bd_attention_pitch(a);
  p.ldc = bd_group_stride(bd_operand_of(c, BD_C), &c->m);
  if (a->words[1]) {
    const int width = bd_panels_width(&p);
    take_words(a->words[1], bd_divide_up(p.k, width) * (width / 2), &p);
  }
  return p;
}

/* ---- Where operands begin -------------------------------------------------------------------- */

/* One operand of a product, as an argument of the kernel. */
typedef struct block {
  const char *name; /* of the argument */
  int product;      /* 0 or 1 */
  int which;        /* BD_A, BD_B or BD_C */
  const bd_geometry *g;
} block;

/* %NAME_WHAT_N */
static void write_number(bd_text *text, const bd_attention *a, const char *name, const char *what,
                         int n, int64_t number) {
  bd_extents_write_index(text, &a->extents, bd_phrase_of("%s_%s_%d", name, what, n).data, number);
}

/* Elements of the row %linear of all batches, where loops around the matrices put it: adds up
 * %NAME_at. */
static void write_start(bd_text *text, const bd_attention *a, const block *b) {
  const bd_contraction *c = &a->c[b->product];
  const bd_operand *scores = bd_operand_of(c, b->product == 0 ? BD_C : BD_A);
  const bd_operand *operand = bd_operand_of(c, b->which);
  const int64_t columns = a->sizes[BD_OF_COLUMN], m = bd_group_size(c, &c->m);
  int n = 0;
  bd_text_format(text, "%s_at_0 = %lld;", b->name, (long long)b->g->offset);
  for (int loop = -1; loop < c->s.n_loops; ++loop) {
    int64_t apart, size, stride;
    if (loop < 0) {
      apart = 1, size = m;
      stride = b->which == BD_B ? 0 : bd_group_stride(operand, &c->m);
    } else {
      if (c->is_inside[loop] || operand->axis[loop] < 0) continue;
      apart = scores->strides[loop] / columns, size = c->s.sizes[loop];
      stride = operand->strides[loop];
    }
    if (stride == 0 || size == 1) continue;
    write_number(text, a, b->name, "apart", n, apart);
    write_number(text, a, b->name, "size", n, size);
    write_number(text, a, b->name, "stride", n, stride);
    bd_text_format(
        text,
        "let x = %s, i = %d; $x_step_$i = linear / $x_apart_$i %% $x_size_$i * $x_stride_$i;"
        "$x_at_$(i + 1) = $x_at_$i + $x_step_$i;",
        b->name, n);
    ++n;
  }
  bd_text_format(text, "%s_at = %s_at_%d;", b->name, b->name, n);
}

/* ---- Packing --------------------------------------------------------------------------------- */

/* Sizes and strides of B. */
static void write_sizes(bd_text *text, const bd_attention *a, const block *b) {
  const bd_contraction *c = &a->c[b->product];
  const bd_operand *operand = bd_operand_of(c, BD_B);
  write_number(text, a, b->name, "k", 0, bd_group_size(c, &c->k));
  write_number(text, a, b->name, "n", 0, bd_group_size(c, &c->n));
  write_number(text, a, b->name, "of_k", 0, bd_group_stride(operand, &c->k));
  write_number(text, a, b->name, "of_n", 0, bd_group_stride(operand, &c->n));
}

/* %NAME_panels, of all of B that the unit sees. Keys may be words as they are. */
static void write_packing(bd_text *text, const bd_attention *a, const block *b, const bd_panels *p,
                          const char *gemm) {
  const bool is_first = b->product == 0, are_words = is_first && a->words[0];
  const int width = bd_panels_width(p);
  bd_text_format(text, "let x = %s;", b->name);
  if (p->has_any_depth)
    bd_text_format(text, "all_rows_of_b = %s;",
                   a->words[1] ? bd_phrase_of("all_panels * %d", width / 2).data : "all_columns");
  bd_text_format(text, "$x_panels = alloc(%s%s);", bd_panels_type_b(p).data,
                 p->has_any_columns ? ", all_panels"
                 : p->has_any_depth ? ", all_rows_of_b"
                                    : "");
  if (are_words)
    bd_dot_packing_write_buffer(text, a->words[0], bd_phrase_of("%s_words", b->name).data,
                                bd_phrase_of("%s_of_base", b->name).data);
  bd_text_format(
      text,
      "let x = %s; $x_n = %d; $x_begin = $x_at / $x_n; $x_depth = %s / $x_n; $x_columns = %s;"
      "$x_apart = $x_of_n_0 / $x_n;"
      "$x_any = view(%s, $x_begin, [$x_depth, $x_columns], [$x_of_k_0, $x_apart]);"
      "$x_any_panels = cast($x_panels, memref<?x?x%dx%s>);"
      "$x_width = %d; $x_n_panels = ceildiv($x_columns, $x_width);"
      "call(\"%s_pack_some_b\", $x_any, $x_any_panels, c0, $x_n_panels);",
      b->name, are_words ? a->words[0]->n : 1, is_first ? "x1_k_0" : "unit_columns",
      is_first ? "unit_columns" : "x2_n_0", are_words ? "$x_words" : "$x_of_base", width,
      p->element->name, width, gemm);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void write_buffers(bd_text *text, const bd_attention *a, const bd_panels *first) {
  const bool is_any = bd_attention_has_any_shape(a);
  const char *const rows = is_any ? ", of_block" : "";
  for (int slot = 0; slot < a->n_slots; ++slot)
    bd_text_format(text, "slot_%d = alloc(%s%s%s);", slot, bd_attention_type_slot(a, slot).data,
                   rows, is_any ? ", pitch" : "");
  if (a->words[0])
    bd_text_format(text, "words_of_a = alloc(%s%s);", bd_attention_type_words(a, first).data, rows);
  if (a->is_late) bd_text_format(text, "late = alloc(%s%s);", bd_attention_type_late(a).data, rows);
}

static void write_buffers_end(bd_text *text, const bd_attention *a) {
  bd_text_format(text, "each s to %d { dealloc(slot_$s); } %s%s", a->n_slots,
                 a->words[0] ? "dealloc(words_of_a);" : "", a->is_late ? "dealloc(late);" : "");
}

/* %AT = %NAME_at + %row0 · ld. */
static void write_rows(bd_text *text, const char *name, int64_t ld, const char *at) {
  bd_text_format(text, "let x = %s; $x_ld = %lld; $x_rows = row0 * $x_ld; %s = $x_at + $x_rows;",
                 name, (long long)ld, at);
}

static void write_first_panels(bd_text *text, const bd_attention *a, const bd_panels *p,
                               bd_kernels *kernels) {
  bd_text_format(text, "end_of_panels = n_panels; end_of_k = %lld;", (long long)p->k);
  if (a->words[0]) bd_attention_write_words_of_rows(text, p);
  bd_text_format(
      text, a->words[0] ? "metadata words = words_of_a; a_base = base(words_base); a_at = words_at;"
                        : "a_base = base(x0_of_base); a_at = block_at;");
  bd_text_format(text, "panels = x1_panels; c_base = base(scores_of_base); c_at = scores_of_at;");
  bd_panels_write(text, p, kernels);
}

static void write_first(bd_text *text, const bd_attention *a, const bd_panels *p, const bd_few *few,
                        bd_kernels *kernels) {
  bd_text_format(text, "for once = c0 to c1 {");
  write_rows(text, "x0", bd_group_stride(bd_operand_of(&a->c[0], BD_A), &a->c[0].m), "block_at");
  bd_text_format(text, "metadata scores_of = slot_%d;", a->links[0].slot);
  if (a->is_few)
    bd_attention_write_few_scores(text, few);
  else
    write_first_panels(text, a, p, kernels);
  bd_text_format(text, "  }\n");
}

static void write_between(bd_text *text, const bd_attention *a) {
  bd_text_format(text, "for r = c0 to of_block {");
  bd_attention_write_row(text, a, "row0");
  bd_attention_write_steps(text, a);
  bd_text_format(text, "  }\n");
}

/* The slot of what the second product reads. */
static int last_slot(const bd_attention *a) {
  const bd_attention_step *step = &a->steps[a->n_steps - 1];
  if (a->is_late) return a->links[step->places[0]].slot;
  for (int i = 0; i < a->n_links; ++i) {
    if (!a->links[i].is_row && a->links[i].last_read == a->n_steps) return a->links[i].slot;
  }
  return 0;
}

static void write_second_panels(bd_text *text, const bd_attention *a, const bd_panels *p,
                                bd_kernels *kernels) {
  if (a->words[1]) bd_attention_write_words_of_scores(text, p, last_slot(a));
  bd_text_format(text, "end_of_panels = %lld;", (long long)bd_panels_count(p));
  bd_text_format(
      text,
      "end_of_k = %s; %s a_base = base(scores_of_base); a_at = scores_of_at; panels = x2_panels;"
      "c_base = base(x3_of_base); c_at = block_at;",
      a->words[1] ? bd_phrase_of("n_panels * %d", bd_panels_width(p) / 2).data : "columns",
      p->has_any_depth ? "of_panel = all_rows_of_b * x2_width;" : "");
  bd_panels_write(text, p, kernels);
}

static void write_second(bd_text *text, const bd_attention *a, const bd_panels *p,
                         const bd_few *few, bd_kernels *kernels) {
  bd_text_format(text, "for once = c0 to c1 {");
  bd_text_format(text, "metadata scores_of = slot_%d;", last_slot(a));
  write_rows(text, "x3", p->ldc, "block_at");
  if (a->is_few)
    bd_attention_write_few_results(text, few);
  else
    write_second_panels(text, a, p, kernels);
  bd_text_format(text, "  }\n");
  if (!a->is_late) return;
  write_rows(text, "x3", p->ldc, "late_at");
  bd_text_format(text,
                 "late_rows = view(x3_of_base, late_at, [c1, c1], [x3_ld, 1]);"
                 "late_columns = %lld; n_late = select(columns != c0, of_block, c0);"
                 "for r = c0 to n_late { number = late[r];"
                 "for column = c0 to late_columns { from = late_rows[r, column];",
                 (long long)p->n);
  bd_attention_write_late(text, a);
  bd_text_format(text, "store(to, late_rows[r, column]); } }");
}

/* ---- The kernel ------------------------------------------------------------------------------ */

/* %unit_batch, and the rows of it from %first_row to %end_row that unit %unit has. */
static void write_unit(bd_text *text) {
  bd_text_format(text,
                 "unit_batch = unit / of_batch; in_batch = unit %% of_batch;"
                 "is_last_of_batch = in_batch + c1 == of_batch;"
                 "first_row = in_batch * of_unit;"
                 "end_row = select(is_last_of_batch, all_rows, first_row + of_unit);"
                 "last_row0 = end_row - of_block; linear = unit_batch * all_rows;");
}

/* All batches, of which there is at least one, as of rows. */
static void write_units(bd_text *text, const bd_attention *a, const block blocks[4],
                        const char *const gemm[2], const bd_few *few, bd_kernels *kernels) {
  const bd_panels p[] = {first_product(a), second_product(a)};
  bd_attention_write_cut(text, a, &p[0]);
  bd_units_begin(text, "share", -1);
  write_buffers(text, a, &p[0]);
  bd_text_format(text, "for unit = share_first to share_last {");
  write_unit(text);
  for (int i = 0; i < 4; ++i) {
    bd_text_format(text, "metadata %s_of = %s;", blocks[i].name, blocks[i].name);
    write_start(text, a, &blocks[i]);
  }
  if (!a->is_few) {
    bd_text_format(text, "batch = unit_batch;");
    bd_panel_epilogue_write_extras(text, &a->extras, a->sizes);
  }
  for (int i = 0; i < 2; ++i) write_sizes(text, a, &blocks[1 + i]);
  if (!a->is_few) {
    bd_text_format(text, "rows_of_unit = end_row - first_row;");
    bd_attention_write_columns(text, a, "unit", "first_row", "rows_of_unit", "all");
    for (int i = 0; i < 2; ++i) write_packing(text, a, &blocks[1 + i], &p[i], gemm[i]);
  }
  bd_text_format(text,
                 "for from_row = first_row to end_row by of_block {"
                 "row0 = umin(from_row, last_row0);");
  bd_attention_write_columns(text, a, "block", "row0", "of_block", a->is_few ? "all" : "unit");
  bd_text_format(text, "columns = block_columns; n_panels = block_panels;");
  write_first(text, a, &p[0], few, kernels);
  write_between(text, a);
  write_second(text, a, &p[1], few, kernels);
  bd_text_format(text, "  }\n");
  bd_text_format(text, a->is_few ? "}" : "dealloc(x1_panels); dealloc(x2_panels); }");
  write_buffers_end(text, a);
  const int64_t blocks_of_unit = bd_attention_has_any_shape(a) || a->is_few
                                     ? 1
                                     : bd_divide_up(bd_attention_rows_of_unit(a), p[0].m);
  bd_units_end(text, blocks_of_unit * (bd_panels_cost(&p[0]) + bd_panels_cost(&p[1])));
}

/* Where only a run knows how many rows there are, it chooses the way of few. */
static void write_ways(bd_text *text, const bd_attention *a, const block blocks[4],
                       const char *const gemm[2], const bd_few *few, bd_kernels *kernels) {
  const bool is_either = few->dots && !a->is_few;
  bd_attention of_few = *a;
  of_few.is_few = true;
  of_few.words[0] = NULL;
  if (is_either) {
    bd_attention_write_are_few(text, a);
    bd_text_format(text, "if are_few {");
    write_units(text, &of_few, blocks, gemm, few, kernels);
    bd_text_format(text, "  } else {\n");
  }
  write_units(text, a, blocks, gemm, few, kernels);
  if (is_either) bd_text_format(text, "  }\n");
}

void bd_attention_write(bd_text *text, const bd_attention *a, const char *const gemm[2],
                        const bd_few *few, bd_kernels *kernels) {
  const block blocks[] = {{"x0", 0, BD_A, &a->a},
                          {"x1", 0, BD_B, &a->b[0]},
                          {"x2", 1, BD_B, &a->b[1]},
                          {"x3", 1, BD_C, &a->out}};
  bd_head head = {.is_open = false};
  for (int i = 0; i < 4; ++i)
    bd_head_add(text, &head, blocks[i].name, mlirValueGetType(blocks[i].g->base));
  bd_epilogue_write_parameters(text, &head, &a->extras);
  bd_extents_write_parameters(text, &a->extents);
  bd_head_end(text, &head);
  bd_text_format(text, "always = true; never = false;");
  bd_attention_write_numbers(text, a);
  bd_extents_write_index(text, &a->extents, "rows_of_all",
                         a->sizes[BD_OF_ROW] * a->sizes[BD_OF_BATCH]);
  bd_text_format(text,
                 "has_rows = rows_of_all != c0;"
                 "if has_rows {");
  write_ways(text, a, blocks, gemm, few, kernels);
  bd_text_format(text, "  }\n  return\n}\n");
}
