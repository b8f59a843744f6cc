// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/channel_sums.c: the sums of a tile of a depthwise convolution: what they
 * begin with, and the products of the window. */
#include <stdbool.h>
#include <stdio.h>

#include "sdk/compile/kernels/channel_parts.h"
#include "sdk/compile/kernels/ir_text.h"

/* %NAME = the sum of two vectors of what is computed in. */
static void write_sum(bd_text *text, const bd_channel_tiles *t, const char *name, const char *a,
                      const char *b) {
  bd_text_format(text, "  %%%s = arith.addi %%%s, %%%s : ", name, a, b);
  bd_channel_write_vector(text, t);
  bd_text_format(text, "\n");
}

/* %shift: what takes back that signs are not seen, where there are words. */
static void write_shift(bd_text *text, const bd_channel_tiles *t) {
  if (!t->d->words) return;
  bd_ir_write(text,
              "shift_at = (k_first + window) * n_lanes;"
              "  %%shift = vector.load %%panels[%%shift_at] : memref<?x%s>, ",
              t->d->element->name);
  bd_channel_write_vector(text, t);
  bd_text_format(text, "\n");
}

/* %begin_P: what the sums begin with; %to_P: where they go. */
static void write_begin(bd_text *text, const bd_channel_tiles *t) {
  const bd_begin begin = t->d->begin;
  const bool has_shift = t->d->words != NULL;
  write_shift(text, t);
  if (begin == BD_BEGIN_ROW) {
    bd_text_format(text, "  %%%s = %s %%row[%%channel]", has_shift ? "of_row" : "begin",
                   bd_channel_load_of(t));
    bd_channel_write_access_end(text, t, 1);
    if (has_shift) write_sum(text, t, "begin", "of_row", "shift");
  }
  for (int64_t p = 0; p < t->places; ++p) {
    const long long i = (long long)p;
    bd_ir_write(text, "to_%lld = out_%lld + channel;", i, i);
    if (begin != BD_BEGIN_OLD) continue;
    char old[32], name[32];
    snprintf(old, sizeof(old), has_shift ? "old_%lld" : "begin_%lld", i);
    snprintf(name, sizeof(name), "begin_%lld", i);
    bd_text_format(text, "  %%%s = %s %%out[%%to_%lld]", old, bd_channel_load_of(t), i);
    bd_channel_write_access_end(text, t, 1);
    if (has_shift) write_sum(text, t, name, old, "shift");
  }
}

static void write_begin_name(bd_text *text, const bd_channel_tiles *t, int64_t p) {
  static const char *const names[] = {[BD_BEGIN_ZERO] = "zero", [BD_BEGIN_ROW] = "begin"};
  if (t->d->begin == BD_BEGIN_OLD)
    bd_text_format(text, "%%begin_%lld", (long long)p);
  else if (t->d->begin == BD_BEGIN_ZERO && t->d->words)
    bd_text_format(text, "%%shift");
  else
    bd_text_format(text, "%%%s", names[t->d->begin]);
}

static void write_vectors(bd_text *text, const bd_channel_tiles *t) {
  for (int64_t p = 0; p < t->places; ++p) {
    bd_text_format(text, "%s", p > 0 ? ", " : "");
    bd_channel_write_vector(text, t);
  }
}

/* A loop over the window's lines, or the places of one, that carries the sums. from: null: what
 * they begin with. */
static void write_loop(bd_text *text, const bd_channel_tiles *t, const char *result,
                       const char *index, const char *name, const char *from) {
  bd_text_format(text, "  %%%s:%lld = scf.for %%%s = %%c0 to %%window_%s step %%c1 iter_args(",
                 result, (long long)t->places, index, index);
  for (int64_t p = 0; p < t->places; ++p) {
    bd_text_format(text, "%s%%%s_%lld = ", p > 0 ? ", " : "", name, (long long)p);
    if (!from)
      write_begin_name(text, t, p);
    else
      bd_text_format(text, "%%%s_%lld", from, (long long)p);
  }
  bd_text_format(text, ") -> (");
  write_vectors(text, t);
  bd_text_format(text, ") {\n");
}

/* separator: between a value's name and its number. */
static void write_loop_end(bd_text *text, const bd_channel_tiles *t, const char *name,
                           char separator) {
  bd_text_format(text, "  scf.yield ");
  for (int64_t p = 0; p < t->places; ++p)
    bd_text_format(text, "%s%%%s%c%lld", p > 0 ? ", " : "", name, separator, (long long)p);
  bd_text_format(text, " : ");
  write_vectors(text, t);
  bd_text_format(text, "\n  }\n");
}

/* %next_P of %a_P, bytes whose load is written but for its end. Each is the first of a word. */
static void write_dot(bd_text *text, const bd_channel_tiles *t, long long p) {
  const bd_dot_packing *w = t->d->words;
  const int lanes = t->d->lanes, is_masked = bd_channel_is_partial(t);
  if (is_masked)
    bd_text_format(text,
                   ", %%mask, %%no_elements : memref<?x%s>, vector<%dxi1>, vector<%dx%s> into",
                   w->element->name, lanes, lanes, w->element->name);
  else
    bd_text_format(text, " : memref<?x%s>,", w->element->name);
  bd_text_format(text,
                 " vector<%dx%s>\n"
                 "  %%u_%lld = arith.xori %%a_%lld, %%signs : vector<%dx%s>\n"
                 "  %%word_%lld = arith.extui %%u_%lld : vector<%dx%s> to vector<%dx%s>\n"
                 "  %%of_%lld = vector.bitcast %%word_%lld : vector<%dx%s> to vector<%dx%s>\n",
                 lanes, w->element->name, p, p, lanes, w->element->name, p, p, lanes,
                 w->element->name, lanes, w->sum->name, p, p, lanes, w->sum->name, w->n * lanes,
                 w->element->name);
  bd_text_format(text,
                 "  %%next_%lld = llvm.call_intrinsic \"%s.%d\"(%%acc_%lld, %%of_%lld, "
                 "%%of_weight) : (vector<%dx%s>, vector<%dx%s>, vector<%dx%s>) -> vector<%dx%s>\n",
                 p, w->instruction, 32 * lanes, p, p, lanes, w->sum->name, w->n * lanes,
                 w->element->name, w->n * lanes, w->element->name, lanes, w->sum->name);
}

/* The products of one place of the window. */
static void write_products(bd_text *text, const bd_channel_tiles *t) {
  bd_ir_write(text,
              "weight_at = (k_first + (h * window_w + w)) * n_lanes;"
              "  %%weight = vector.load %%panels[%%weight_at] : memref<?x%s>, ",
              t->d->element->name);
  bd_channel_write_vector(text, t);
  if (t->d->words)
    bd_text_format(
        text, "\n  %%of_weight = vector.bitcast %%weight : vector<%dx%s> to vector<%dx%s>",
        t->d->lanes, t->d->element->name, t->d->words->n * t->d->lanes, t->d->words->element->name);
  bd_text_format(text,
                 "\n  %%w_in = arith.muli %%w, %%in_w : index\n"
                 "  %%offset = arith.addi %%line_in, %%w_in : index\n");
  for (int64_t p = 0; p < t->places; ++p) {
    const long long i = (long long)p;
    bd_text_format(text,
                   "  %%from_%lld = arith.addi %%in_%lld, %%offset : index\n"
                   "  %%a_%lld = %s %%in[%%from_%lld]",
                   i, i, i, bd_channel_load_of(t), i);
    if (t->d->words) {
      write_dot(text, t, i);
      continue;
    }
    bd_channel_write_access_end(text, t, 1);
    bd_text_format(text, "  %%next_%lld = vector.fma %%a_%lld, %%weight, %%acc_%lld : ", i, i, i);
    bd_channel_write_vector(text, t);
    bd_text_format(text, "\n");
  }
}

void bd_channel_write_sums(bd_text *text, const bd_channel_tiles *t) {
  write_begin(text, t);
  write_loop(text, t, "sum", "h", "part", NULL);
  bd_ir_write(text, "line_in = channel + h * in_h;");
  write_loop(text, t, "of_line", "w", "acc", "part");
  write_products(text, t);
  write_loop_end(text, t, "next", '_');
  write_loop_end(text, t, "of_line", '#');
}
