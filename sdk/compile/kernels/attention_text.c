// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention_text.c: the text of the loop; see attention.h.
 *
 * A unit is some rows of one batch, at least a block of them; it packs the right operands for
 * itself. The last block of a unit begins earlier where it would else be shorter: rows that two
 * blocks have are computed twice, with the same bits. Each product of a block is in a loop of one
 * round, so that both may use the same names. */

#include <stdbool.h>

#include "sdk/compile/kernels/amx.h"
#include "sdk/compile/kernels/attention_blocks.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/ir_text.h"

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
  bd_ir_write(text, "%s_at_0 = %lld;", b->name, (long long)b->g->offset);
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
    bd_ir_write(text,
                "%s_step_%d = linear / %s_apart_%d %% %s_size_%d * %s_stride_%d;"
                "%s_at_%d = %s_at_%d + %s_step_%d;",
                b->name, n, b->name, n, b->name, n, b->name, n, b->name, n + 1, b->name, n, b->name,
                n);
    ++n;
  }
  bd_ir_write(text, "%s_at = %s_at_%d;", b->name, b->name, n);
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
  const bool are_words = b->product == 0 && a->words[0];
  const char *const element =
      (are_words ? p->element : bd_attention_element_b(a, b->product))->name;
  const int width = bd_panels_width(p), n = are_words ? a->words[0]->n : 1;
  const char *const name = b->name;
  const bd_phrase base = bd_phrase_of(are_words ? "%s_words" : "%s_of_base", name),
                  any = bd_type_matrix(element);
  if (p->has_any_depth)
    bd_ir_write(text, "all_rows_of_b = %s%s;", a->words[1] ? "all_panels * " : "all_columns",
                a->words[1] ? bd_phrase_of("%d", width / 2).data : "");
  bd_buffer_write_alloc(text, bd_phrase_of("%s_panels", name).data,
                        p->has_any_columns ? "%all_panels"
                        : p->has_any_depth ? "%all_rows_of_b"
                                           : "",
                        bd_panels_type_b(p).data);
  if (are_words)
    bd_dot_packing_write_buffer(text, a->words[0], base.data,
                                bd_phrase_of("%s_of_base", name).data);
  bd_ir_write(text,
              "%s_n = %d; %s_begin = %s_at / %s_n; %s_depth = %s / %s_n; %s_columns = %s;"
              "%s_apart = %s_of_n_0 / %s_n;",
              name, n, name, name, name, name, b->product == 0 ? "x1_k_0" : "unit_columns", name,
              name, b->product == 0 ? "unit_columns" : "x2_n_0", name, name, name);
  bd_ir_write(text,
              "  %%%s_any = memref.reinterpret_cast %%%s to offset: [%%%s_begin], sizes: "
              "[%%%s_depth, %%%s_columns], strides: [%%%s_of_k_0, %%%s_apart] : memref<%s> to %s\n"
              "  %%%s_any_panels = memref.cast %%%s_panels : %s to memref<?x?x%dx%s>\n"
              "%s_width = %d; %s_n_panels = ceildiv(%s_columns, %s_width);"
              "  func.call @%s_pack_some_b(%%%s_any, %%%s_any_panels, %%c0, %%%s_n_panels) : "
              "(%s, memref<?x?x%dx%s>, index, index) -> ()\n",
              name, base.data, name, name, name, name, name, element, any.data, name, name,
              bd_panels_type_b(p).data, width, p->element->name, name, width, name, name, name,
              gemm, name, name, name, any.data, width, p->element->name);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void write_buffers(bd_text *text, const bd_attention *a, const bd_panels *first) {
  const bool is_any = bd_attention_has_any_shape(a);
  for (int slot = 0; slot < a->n_slots; ++slot)
    bd_buffer_write_alloc(text, bd_phrase_of("slot_%d", slot).data,
                          is_any ? "%of_block, %pitch" : "", bd_attention_type_slot(a, slot).data);
  if (a->words[0])
    bd_buffer_write_alloc(text, "words_of_a", is_any ? "%of_block" : "",
                          bd_attention_type_words(a, first).data);
  if (a->is_late)
    bd_buffer_write_alloc(text, "late", is_any ? "%of_block" : "", bd_attention_type_late(a).data);
}

static void write_buffers_end(bd_text *text, const bd_attention *a, const bd_panels *first) {
  for (int slot = 0; slot < a->n_slots; ++slot)
    bd_buffer_write_free(text, bd_phrase_of("slot_%d", slot).data,
                         bd_attention_type_slot(a, slot).data);
  if (a->words[0]) bd_buffer_write_free(text, "words_of_a", bd_attention_type_words(a, first).data);
  if (a->is_late) bd_buffer_write_free(text, "late", bd_attention_type_late(a).data);
}

/* %panels = %NAME_panels, under the name that the product knows. */
static void write_b(bd_text *text, const bd_panels *p, const char *name) {
  bd_text_format(text, "  %%panels = memref.cast %%%s_panels : %s to %s\n", name,
                 bd_panels_type_b(p).data, bd_panels_type_b(p).data);
}

/* %scores_of_base, of the block that the slot is. */
static void write_scores(bd_text *text, const bd_attention *a, int slot) {
  bd_buffer_write_metadata(text, "scores_of", bd_phrase_of("slot_%d", slot).data,
                           bd_attention_type_slot(a, slot).data, bd_attention_element(a)->name, 2);
}

/* %AT = %NAME_at + %row0 · ld. */
static void write_rows(bd_text *text, const char *name, int64_t ld, const char *at) {
  bd_ir_write(text, "%s_ld = %lld; %s_rows = row0 * %s_ld; %s = %s_at + %s_rows;", name,
              (long long)ld, name, name, at, name, name);
}

/* Where A, which is of words already, or C of a block begins. */
static void write_matrix(bd_text *text, const bd_panels *p, const char *matrix, const char *base,
                         const char *at) {
  bd_buffer_write_base(text, bd_phrase_of("%s_base", matrix).data, base,
                       bd_type_base(p->element->name).data, p->element->name);
  bd_ir_write(text, "%s_at = %s;", matrix, at);
}

static void write_first_panels(bd_text *text, const bd_attention *a, const bd_panels *p,
                               bd_kernels *kernels) {
  bd_ir_write(text, "end_of_panels = n_panels;");
  bd_text_index(text, "end_of_k", p->k);
  if (a->words[0]) {
    bd_attention_write_words_of_rows(text, a, p);
    bd_buffer_write_metadata(text, "words", "words_of_a", bd_attention_type_words(a, p).data,
                             p->element->name, 2);
    write_matrix(text, p, "a", "words_base", "words_at");
  } else {
    write_matrix(text, p, "a", "x0_of_base", "block_at");
  }
  write_b(text, p, "x1");
  write_matrix(text, p, "c", "scores_of_base", "scores_of_at");
  bd_panels_write(text, p, kernels);
}

static void write_first(bd_text *text, const bd_attention *a, const bd_panels *p, const bd_few *few,
                        bd_kernels *kernels) {
  bd_ir_write(text, "for once = c0 to c1 {");
  write_rows(text, "x0", bd_group_stride(bd_operand_of(&a->c[0], BD_A), &a->c[0].m), "block_at");
  write_scores(text, a, a->links[0].slot);
  if (a->is_few)
    bd_attention_write_few_scores(text, a, few);
  else
    write_first_panels(text, a, p, kernels);
  bd_text_format(text, "  }\n");
}

static void write_between(bd_text *text, const bd_attention *a) {
  bd_ir_write(text, "for r = c0 to of_block {");
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
  bd_text_index(text, "end_of_panels", bd_panels_count(p));
  if (a->words[1]) {
    bd_attention_write_words_of_scores(text, a, p, last_slot(a));
    bd_ir_write(text, "end_of_k = n_panels * %d;", bd_panels_width(p) / 2);
  } else {
    bd_ir_write(text, "end_of_k = columns;");
  }
  if (p->has_any_depth) bd_ir_write(text, "of_panel = all_rows_of_b * x2_width;");
  write_matrix(text, p, "a", "scores_of_base", "scores_of_at");
  write_b(text, p, "x2");
  write_matrix(text, p, "c", "x3_of_base", "block_at");
  bd_panels_write(text, p, kernels);
}

static void write_second(bd_text *text, const bd_attention *a, const bd_panels *p,
                         const bd_few *few, bd_kernels *kernels) {
  bd_ir_write(text, "for once = c0 to c1 {");
  write_scores(text, a, last_slot(a));
  write_rows(text, "x3", p->ldc, "block_at");
  if (a->is_few)
    bd_attention_write_few_results(text, a, few);
  else
    write_second_panels(text, a, p, kernels);
  bd_text_format(text, "  }\n");
  if (!a->is_late) return;
  write_rows(text, "x3", p->ldc, "late_at");
  const bd_phrase rows = bd_type_rows(p->element->name);
  bd_buffer_write_rows(text, "late_rows", "x3_of_base", "late_at", "%c1, %c1", "x3_ld",
                       p->element->name);
  bd_ir_write(text,
              "late_columns = %lld; n_late = select(columns != c0, of_block, c0);"
              "for r = c0 to n_late {"
              "  %%number = memref.load %%late[%%r] : %s\n"
              "for column = c0 to late_columns {"
              "  %%from = memref.load %%late_rows[%%r, %%column] : %s\n",
              (long long)p->n, bd_attention_type_late(a).data, rows.data);
  bd_attention_write_late(text, a);
  bd_text_format(text, "  memref.store %%to, %%late_rows[%%r, %%column] : %s\n  }\n  }\n",
                 rows.data);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

/* %unit_batch, and the rows of it from %first_row to %end_row that unit %unit has. */
static void write_unit(bd_text *text) {
  bd_ir_write(text,
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
  bd_ir_write(text, "for unit = share_first to share_last {");
  write_unit(text);
  for (int i = 0; i < 4; ++i) {
    bd_buffer_write_metadata_of(text, bd_phrase_of("%s_of", blocks[i].name).data, blocks[i].name,
                                mlirValueGetType(blocks[i].g->base));
    write_start(text, a, &blocks[i]);
  }
  if (!a->is_few) {
    bd_ir_write(text, "batch = unit_batch;");
    bd_panel_epilogue_write_extras(text, &a->extras, a->sizes);
  }
  for (int i = 0; i < 2; ++i) write_sizes(text, a, &blocks[1 + i]);
  if (!a->is_few) {
    bd_ir_write(text, "rows_of_unit = end_row - first_row;");
    bd_attention_write_columns(text, a, "unit", "first_row", "rows_of_unit", "all");
    for (int i = 0; i < 2; ++i) write_packing(text, a, &blocks[1 + i], &p[i], gemm[i]);
  }
  bd_ir_write(text,
              "for from_row = first_row to end_row by of_block {"
              "row0 = umin(from_row, last_row0);");
  bd_attention_write_columns(text, a, "block", "row0", "of_block", a->is_few ? "all" : "unit");
  bd_ir_write(text, "columns = block_columns; n_panels = block_panels;");
  write_first(text, a, &p[0], few, kernels);
  write_between(text, a);
  write_second(text, a, &p[1], few, kernels);
  bd_text_format(text, "  }\n");
  for (int i = 0; i < 2 && !a->is_few; ++i)
    bd_buffer_write_free(text, bd_phrase_of("%s_panels", blocks[1 + i].name).data,
                         bd_panels_type_b(&p[i]).data);
  bd_text_format(text, "  }\n");
  write_buffers_end(text, a, &p[0]);
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
  if (is_either) {
    bd_attention_write_are_few(text, a);
    bd_ir_write(text, "if are_few {");
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
  bd_text_format(text, "  %%always = arith.constant true\n  %%never = arith.constant false\n");
  bd_attention_write_numbers(text, a);
  bd_extents_write_index(text, &a->extents, "rows_of_all",
                         a->sizes[BD_OF_ROW] * a->sizes[BD_OF_BATCH]);
  bd_ir_write(text,
              "has_rows = rows_of_all != c0;"
              "if has_rows {");
  write_ways(text, a, blocks, gemm, few, kernels);
  bd_text_format(text, "  }\n  return\n}\n");
}
