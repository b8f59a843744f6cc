// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/blocks.c: how many rows of attention are done at a time. */
#include "sdk/compile/kernels/attention/blocks.h"

#include "sdk/compile/kernels/notation/notation.h"

/* Rows of a block. */
enum { MAX_ROWS = 64, MIN_ROWS = 16 };

/* Bytes that its scores may take in L2 beside the packed operands. */
static int64_t most_scores(const bd_attention *a) { return a->machine->l2 / 8 * 5; }

/* Units at least, as far as batches can be divided. */
enum { ENOUGH_UNITS = 8 };

const bd_element *bd_attention_element(const bd_attention *a) {
  return bd_element_for(bd_element_of(&a->c[0], BD_A));
}

const bd_element *bd_attention_element_b(const bd_attention *a, int product) {
  const bd_element *narrow = bd_narrow_element_of(&a->c[product]);
  return narrow ? narrow : bd_attention_element(a);
}

bool bd_attention_has_any_shape(const bd_attention *a) {
  return bd_extents_is_unknown(&a->extents, a->sizes[BD_OF_ROW]) ||
         bd_extents_is_unknown(&a->extents, a->sizes[BD_OF_COLUMN]);
}

int64_t bd_attention_pitch(const bd_attention *a) {
  const bd_element *e = bd_attention_element(a);
  const int64_t of_line = bd_machine_line(a->machine, e->bytes), columns = a->sizes[BD_OF_COLUMN];
  const int64_t of_panel = a->words[1] ? 2 * bd_machine_lanes(a->machine, e->bytes) : 1;
  return (bd_divide_up(bd_divide_up(columns, of_panel) * of_panel, of_line) | 1) * of_line;
}

static int64_t most_rows(const bd_attention *a) {
  const int64_t fit = most_scores(a) / (bd_attention_pitch(a) * bd_attention_element(a)->bytes);
  return fit < MIN_ROWS ? MIN_ROWS : fit < MAX_ROWS ? fit : MAX_ROWS;
}

/* Batches of the scores that a batch of units is of. */
static int64_t batches_at_a_time(const bd_attention *a) { return a->is_few ? a->shared : 1; }

static int64_t rows_at_a_time(const bd_attention *a) {
  return a->sizes[BD_OF_ROW] * batches_at_a_time(a);
}

/* Into how many units the rows of a batch are divided, each of at least a block. */
static int64_t units_of_batch(const bd_attention *a) {
  const int64_t batches =
      bd_extents_known_part(&a->extents, a->sizes[BD_OF_BATCH] / batches_at_a_time(a));
  const int64_t wanted = bd_divide_up(ENOUGH_UNITS, batches);
  const int64_t most = a->is_few ? 1 : a->sizes[BD_OF_ROW] / most_rows(a);
  return most < 1 ? 1 : wanted < most ? wanted : most;
}

int64_t bd_attention_rows_of_unit(const bd_attention *a) {
  return rows_at_a_time(a) / units_of_batch(a);
}

int64_t bd_attention_rows_of_block(const bd_attention *a) {
  const int64_t rows = bd_attention_rows_of_unit(a);
  if (a->is_few && !bd_extents_is_unknown(&a->extents, rows)) return rows;
  return bd_attention_has_any_shape(a) ? MAX_ROWS
                                       : bd_divide_up(rows, bd_divide_up(rows, most_rows(a)));
}

/* %of_batch units have a batch, %of_unit rows a unit but the last, %of_block a block, whose scores
 * are %pitch apart; there is at least one row and batch. */
static void write_any_cut(bd_text *text, const bd_attention *a) {
  const int bytes = bd_attention_element(a)->bytes;
  bd_text_index(text, "of_line", bd_machine_line(a->machine, bytes));
  bd_text_format(text,
                 "lines = ceildiv(all_panels * panel_width, of_line);"
                 "pitch = (lines | c1) * of_line;"
                 "fit = %lld / pitch;"
                 "most_rows_of_block = umin(umax(fit, %lld), %lld);"
                 "of_batch = umin(ceildiv(%lld, all_batches), umax(all_rows / "
                 "most_rows_of_block, c1));"
                 "of_unit = all_rows / of_batch;"
                 "blocks = ceildiv(of_unit, most_rows_of_block);"
                 "of_block = ceildiv(of_unit, blocks); n_rows = of_block;",
                 (long long)(most_scores(a) / bytes), (long long)MIN_ROWS, (long long)MAX_ROWS,
                 (long long)ENOUGH_UNITS);
}

void bd_attention_write_cut(bd_text *text, const bd_attention *a, const bd_panels *first) {
  bd_extents_write_index(text, &a->extents, "all_rows", rows_at_a_time(a));
  bd_extents_write_index(text, &a->extents, "all_columns", a->sizes[BD_OF_COLUMN]);
  bd_extents_write_index(text, &a->extents, "all_batches",
                         a->sizes[BD_OF_BATCH] / batches_at_a_time(a));
  bd_text_index(text, "panel_width", bd_panels_width(first));
  bd_text_format(text, "all_panels = ceildiv(all_columns, panel_width);");
  if (bd_attention_has_any_shape(a)) {
    write_any_cut(text, a);
  } else {
    bd_text_index(text, "of_batch", units_of_batch(a));
    bd_text_index(text, "of_unit", bd_attention_rows_of_unit(a));
    bd_text_index(text, "of_block", bd_attention_rows_of_block(a));
  }
  bd_text_format(text, "share_units = all_batches * of_batch;");
}

bd_phrase bd_attention_type_slot(const bd_attention *a, int slot) {
  const bool is_any = bd_attention_has_any_shape(a);
  return bd_phrase_of(
      "memref<%sx%sx%s>", bd_number_or(is_any, bd_attention_rows_of_block(a), "?").data,
      bd_number_or(is_any, bd_attention_pitch(a), "?").data, bd_phrase_type(a->slots[slot]).data);
}

bd_phrase bd_attention_type_late(const bd_attention *a) {
  return bd_phrase_of(
      "memref<%sx%s>",
      bd_number_or(bd_attention_has_any_shape(a), bd_attention_rows_of_block(a), "?").data,
      bd_attention_element(a)->name);
}
