// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/channel_sums.c: the sums of a tile of a depthwise convolution: what they
 * begin with, and the products of the window. */
#include <stdbool.h>

#include "sdk/compile/kernels/channel_parts.h"
#include "sdk/compile/kernels/ir_text.h"

int bd_channel_is_partial(const bd_channel_tiles *t) { return t->valid < t->d->lanes; }

bd_vectors bd_channel_vectors(const bd_channel_tiles *t) {
  return (bd_vectors){t->d->element->name, t->d->lanes, bd_channel_is_partial(t) ? "mask" : NULL,
                      NULL};
}

bd_phrase bd_channel_vector(const bd_channel_tiles *t) {
  return bd_type_vector(t->d->lanes, t->d->element->name);
}

/* %NAME = the sum of two vectors of what is computed in. */
static void write_sum(bd_text *text, const bd_channel_tiles *t, const char *name, const char *a,
                      const char *b) {
  bd_text_format(text, "  %%%s = arith.addi %%%s, %%%s : %s\n", name, a, b,
                 bd_channel_vector(t).data);
}

/* %shift: what takes back that signs are not seen, where there are words. */
static void write_shift(bd_text *text, const bd_channel_tiles *t) {
  if (!t->d->words) return;
  bd_ir_write(text,
              "shift_at = (k_first + window) * n_lanes;"
              "  %%shift = vector.load %%panels[%%shift_at] : memref<?x%s>, %s\n",
              t->d->element->name, bd_channel_vector(t).data);
}

/* %begin_P: what the sums begin with; %to_P: where they go. */
static void write_begin(bd_text *text, const bd_channel_tiles *t) {
  const bd_begin begin = bd_around_begin(&t->d->around);
  const bool has_shift = t->d->words != NULL;
  const bd_vectors vectors = bd_channel_vectors(t);
  write_shift(text, t);
  if (begin == BD_BEGIN_ROW) {
    bd_vectors_write_load(text, &vectors, has_shift ? "of_row" : "begin", "row[%channel]",
                          bd_type_whole(t->d->element->name).data);
    if (has_shift) write_sum(text, t, "begin", "of_row", "shift");
  }
  for (int64_t p = 0; p < t->places; ++p) {
    const long long i = (long long)p;
    bd_ir_write(text, "to_%lld = out_%lld + channel;", i, i);
    if (begin != BD_BEGIN_OLD) continue;
    const bd_phrase old = bd_phrase_of(has_shift ? "old_%lld" : "begin_%lld", i);
    bd_vectors_write_load(text, &vectors, old.data, bd_phrase_of("out[%%to_%lld]", i).data,
                          bd_type_whole(t->d->element->name).data);
    if (has_shift) write_sum(text, t, bd_phrase_of("begin_%lld", i).data, old.data, "shift");
  }
}

static const char *begin_name(const bd_channel_tiles *t) {
  if (bd_around_begin(&t->d->around) == BD_BEGIN_OLD) return "%begin_";
  if (bd_around_begin(&t->d->around) == BD_BEGIN_ROW) return "%begin";
  return t->d->words ? "%shift" : "%zero";
}

/* A loop over the window's lines, or the places of one, that carries the sums. */
static void write_loop(bd_text *text, const bd_channel_tiles *t, const char *result,
                       const char *index, const char *name, const char *from) {
  bd_text_format(text, "  %%%s:%lld = scf.for %%%s = %%c0 to %%window_%s step %%c1 ", result,
                 (long long)t->places, index, index);
  bd_ir_write_carried(text, name, from, t->places, bd_channel_vector(t).data);
}

static void write_loop_end(bd_text *text, const bd_channel_tiles *t, const char *from) {
  bd_ir_write_yield(text, from, t->places, bd_channel_vector(t).data);
  bd_text_format(text, "  }\n");
}

/* %next_P of the bytes %a_P. Each is the first of a word. */
static void write_dot(bd_text *text, const bd_channel_tiles *t, long long p) {
  const bd_dot_packing *w = t->d->words;
  const int lanes = t->d->lanes;
  const bd_phrase elements = bd_type_vector(lanes, w->element->name),
                  sums = bd_type_vector(lanes, w->sum->name),
                  words = bd_type_vector(w->n * lanes, w->element->name);
  bd_text_format(text,
                 "  %%u_%lld = arith.xori %%a_%lld, %%signs : %s\n"
                 "  %%word_%lld = arith.extui %%u_%lld : %s to %s\n"
                 "  %%of_%lld = vector.bitcast %%word_%lld : %s to %s\n"
                 "  %%next_%lld = llvm.call_intrinsic \"%s.%d\"(%%acc_%lld, %%of_%lld, "
                 "%%of_weight) : (%s, %s, %s) -> %s\n",
                 p, p, elements.data, p, p, elements.data, sums.data, p, p, sums.data, words.data,
                 p, w->instruction, 32 * lanes, p, p, sums.data, words.data, words.data, sums.data);
}

/* The products of one place of the window. */
static void write_products(bd_text *text, const bd_channel_tiles *t) {
  const bd_dot_packing *w = t->d->words;
  bd_vectors vectors = bd_channel_vectors(t);
  if (w) vectors.element = w->element->name;
  if (w) vectors.zero = "no_elements";
  bd_ir_write(text,
              "k = k_first + (h * window_w + w); weight_at = k * n_lanes;"
              "  %%weight = vector.load %%panels[%%weight_at] : memref<?x%s>, %s\n",
              t->d->element->name, bd_channel_vector(t).data);
  if (w)
    bd_text_format(text, "  %%of_weight = vector.bitcast %%weight : %s to vector<%dx%s>\n",
                   bd_channel_vector(t).data, w->n * t->d->lanes, w->element->name);
  bd_ir_write(text, "w_in = w * in_w; offset = line_in + w_in;");
  for (int64_t p = 0; p < t->places; ++p) {
    const long long i = (long long)p;
    bd_ir_write(text, "from_%lld = in_%lld + offset;", i, i);
    bd_vectors_write_load(text, &vectors, bd_phrase_of("a_%lld", i).data,
                          bd_phrase_of("in[%%from_%lld]", i).data,
                          bd_type_whole(vectors.element).data);
    if (w)
      write_dot(text, t, i);
    else
      bd_text_format(text, "  %%next_%lld = vector.fma %%a_%lld, %%weight, %%acc_%lld : %s\n", i, i,
                     i, bd_channel_vector(t).data);
  }
}

void bd_channel_write_sums(bd_text *text, const bd_channel_tiles *t) {
  write_begin(text, t);
  write_loop(text, t, "sum", "h", "%part_", begin_name(t));
  bd_ir_write(text, "line_in = channel + h * in_h;");
  write_loop(text, t, "of_line", "w", "%acc_", "%part_");
  write_products(text, t);
  write_loop_end(text, t, "%next_");
  write_loop_end(text, t, "%of_line#");
}
