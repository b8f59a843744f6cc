// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/columns.c: how many columns some rows of attention (attention.h) have that are not
 * hidden from all of them.
 *
 * The last row is asked first, which sees the most of a causal mask. Each next one is asked behind what the rows before it
 * see, so that a mask which hides nothing is read for one row; panel by panel, of which one column that is seen makes all
 * of it seen. */
#include "sdk/compile/kernels/attention/blocks.h"
#include "sdk/compile/kernels/notation/notation.h"

void bd_attention_write_row(bd_text *text, const bd_attention *a, const char *first) {
  if (!a->is_few) {
    bd_text_format(text, "row = %s + r;", first);
    return;
  }
  bd_extents_write_index(text, &a->extents, "rows_of_batch", a->sizes[BD_OF_ROW]);
  bd_text_format(text,
                 "row_of_all = linear + (%s + r); batch = row_of_all / rows_of_batch;"
                 "row = row_of_all %% rows_of_batch;",
                 first);
  bd_panel_epilogue_write_extras(text, &a->extras, a->sizes);
}

/* %is_seen: no mask hides the score at %row and %column. */
static void write_is_seen(bd_text *text, const bd_attention *a) {
  bd_attention_write_hidden(text, a);
  bd_text_format(
      text,
      "let m = %d; is_hidden_0 = never; each i to m {"
      "is_hidden_$(i + 1) = is_hidden_$i | hidden_$i; } is_seen = is_hidden_$m ^ always;",
      a->n_masks);
}

/* The same for all rows: the extras that masks read are, and none asks for the row's index. */
static bool is_same_for_rows(const bd_attention *a) {
  bool is_same = !a->is_few;
  for (int m = 0; m < a->n_masks; ++m) {
    const bd_attention_step *step = &a->steps[a->masks[m].step];
    is_same &= !bd_attention_has_index(step);
    for (int k = 0; k < step->s.n_inputs; ++k)
      is_same &= step->parts[k] != BD_PART_EXTRA ||
                 a->extras.extras[step->places[k]].strides[BD_OF_ROW] == 0;
  }
  return is_same;
}

/* %seen: behind the last column below %most that one of the rows sees. Where the last row sees all, no other is asked. */
static void write_seen(bd_text *text, const bd_attention *a, const char *first) {
  bd_text_format(
      text,
      "n_phases = %d;"
      "seen = for phase = c0 to n_phases carry seen_before_phase = c0 {"
      "is_all = seen_before_phase == most; is_last_row = phase == c0;"
      "end_of_phase = select(is_last_row, c1, select(is_all, c0, n_of_rows));"
      "seen_by_phase = for back = phase to end_of_phase carry seen_before = seen_before_phase {"
      "r = n_of_rows - back - c1;",
      is_same_for_rows(a) ? 1 : 2);
  bd_attention_write_row(text, a, first);
  bd_text_format(text,
                 "seen_by_row = for chunk = seen_before to most by panel_width"
                 " carry seen_before_chunk = seen_before {"
                 "end_of_chunk = umin(chunk + panel_width, most);"
                 "is_any = for column = chunk to end_of_chunk carry is_any_before = never {");
  write_is_seen(text, a);
  bd_text_format(text,
                 "is_any_so_far = is_any_before | is_seen; yield is_any_so_far; }"
                 "seen_by_chunk = select(is_any, end_of_chunk, seen_before_chunk);"
                 "yield seen_by_chunk; } yield seen_by_row; } yield seen_by_phase; }");
}

void bd_attention_write_columns(bd_text *text, const bd_attention *a, const char *name,
                                const char *first, const char *rows, const char *most) {
  bd_text_format(text, "  %%%s_columns, %%%s_panels = scf.execute_region -> (index, index) {\n",
                 name, name);
  bd_text_format(text, "n_of_rows = %s;", rows);
  if (a->has_limit)
    bd_text_format(text, "most = umin(max(%s + n_of_rows + %lld, c1), %s_columns);", first,
                   (long long)a->limit, most);
  else
    bd_text_format(text, "most = %s_columns;", most);
  if (a->n_masks > 0)
    write_seen(text, a, first);
  else
    bd_text_format(text, "seen = most;");
  bd_text_format(text,
                 "panels = umin(ceildiv(umax(seen, c1), panel_width), %s_panels);"
                 "columns = umin(panels * panel_width, %s_columns);",
                 most, most);
  bd_text_format(text, "  scf.yield %%columns, %%panels : index, index\n  }\n");
}
