// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/text.c: the text of an operand that is made where it is needed; see
 * dequantized.h.
 *
 * A column is whole groups. Group g of column j is round j·(k / group) + g of the loop's axes but
 * the last: from it follows where each source is read. */
#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/dequantized/parts.h"
#include "sdk/compile/kernels/notation/notation.h"

enum { SLAB_DEPTH = 256 };

/* Elements of a slab, which stays in L2. */
static int64_t most_of_slab(const bd_machine *machine) { return machine->l2 / 8; }

int64_t bd_dequantized_group(const bd_dequantized *r) { return r->sizes[r->rank - 1]; }

MlirType bd_dequantized_element(const bd_extra *source) {
  return mlirShapedTypeGetElementType(source->type);
}

int bd_dequantized_numbers(const bd_dequantized *r, int k) {
  return r->packings[k].halves.packed.ptr ? 2 : 1;
}

bd_epilogue bd_dequantized_half(const bd_dequantized *r, int k, int which, const char *numbers) {
  return (bd_epilogue){.op = r->packings[k].halves.loops[which],
                       .product = -1,
                       .numbers = numbers,
                       .n = 1,
                       .extras = {{.argument = 0, .is_row = true}}};
}

void bd_dequantized_write_begin(bd_text *text, const bd_dequantized *r) {
  const bd_vectors vectors = {"f32", r->lanes, NULL, NULL};
  for (int k = 0; k < r->loop.n; ++k) {
    const bd_extra *source = &r->loop.extras[k];
    bd_text_format(text,
                   "let k = %d, l = %lld; extra_$k = view(e$k, 0, [$l], [1]) : memref<$lx%s>;", k,
                   (long long)bd_count_elements(source->type),
                   bd_phrase_type(bd_dequantized_element(source)).data);
    for (int which = 0; bd_dequantized_numbers(r, k) == 2 && which < 2; ++which) {
      const bd_vectors narrow = {"f32", r->lanes / 2, NULL, NULL};
      const bd_phrase numbers = bd_phrase_of("half%d_%d", k, which);
      const bd_epilogue half = bd_dequantized_half(r, k, which, numbers.data);
      bd_epilogue_write_numbers(text, &half, &narrow);
    }
  }
  bd_epilogue_write_numbers(text, &r->loop, &vectors);
  bd_text_format(text, "two = 2; lanes = %d; group = %lld; n_groups = %lld;", r->lanes,
                 (long long)bd_dequantized_group(r), (long long)(r->k / bd_dequantized_group(r)));
}

/* ---- Where sources are read ------------------------------------------------------------------ */

int64_t bd_dequantized_step(const bd_dequantized *r, const bd_extra *source) {
  int64_t step = -1, rounds = 1;
  for (int64_t i = r->rank - 2; i >= 0; --i) {
    if (r->sizes[i] == 1) continue;
    if (step < 0) step = source->strides[i];
    if (source->strides[i] != step * rounds) return -1;
    rounds *= r->sizes[i];
  }
  return step < 0 ? 0 : step;
}

/* %TAG_at_K += (%TAG_round / rounds after the axis % its size) · its stride, axis by axis; along those of the round's groups it is 0. */
static void write_axes(bd_text *text, const bd_dequantized *r, int k, const char *tag,
                       int64_t inner) {
  int64_t behind = 1;
  int n = 0;
  for (int64_t i = r->rank - 2; i >= 0; behind *= r->sizes[i--]) {
    if (r->sizes[i] == 1 || behind * r->sizes[i] <= inner || r->loop.extras[k].strides[i] == 0)
      continue;
    bd_text_format(text,
                   "let x = %s, k = %d, i = %d; $x_behind_$k_$i = %lld; $x_size_$k_$i = %lld;"
                   "$x_stride_$k_$i = %lld;"
                   "$x_step_$k_$i = $x_round / $x_behind_$k_$i %% $x_size_$k_$i * $x_stride_$k_$i;"
                   "$x_at_$k_$(i + 1) = $x_at_$k_$i + $x_step_$k_$i;",
                   tag, k, n, (long long)behind, (long long)r->sizes[i],
                   (long long)r->loop.extras[k].strides[i]);
    ++n;
  }
  bd_text_format(text, "%s_at_%d = %s_at_%d_%d;", tag, k, tag, k, n);
}

void bd_dequantized_write_places(bd_text *text, const bd_dequantized *r, const char *tag,
                                 int64_t inner) {
  for (int k = 0; k < r->loop.n; ++k) {
    const bd_extra *source = &r->loop.extras[k];
    const int64_t step = bd_dequantized_step(r, source);
    bd_text_format(text, "let x = %s, k = %d; $x_at_$k_0 = %lld;", tag, k,
                   (long long)source->offset);
    if (step >= 0)
      bd_text_format(text, "$x_step_$k = %lld; $x_at_$k = $x_at_$k_0 + $x_round * $x_step_$k;",
                     (long long)step);
    else
      write_axes(text, r, k, tag, inner);
    if (source->is_spread) bd_text_format(text, "$x_one_$k = extra_$k[$x_at_$k];");
  }
}

/* True if a column is rounds of so many groups, and these are not too many. */
static bool can_be_round(const bd_dequantized *r, int64_t n) {
  enum { MOST_ELEMENTS = 256 };
  const int64_t group = bd_dequantized_group(r);
  return n * group <= MOST_ELEMENTS && r->k / group % n == 0;
}

int bd_dequantized_inner(const bd_dequantized *r) {
  int64_t n = 1, axis = r->rank - 2;
  while (axis >= 0 && can_be_round(r, n * r->sizes[axis])) n *= r->sizes[axis--];
  for (int64_t left = axis >= 0 ? r->sizes[axis] : 1; left % 2 == 0 && can_be_round(r, 2 * n);
       left /= 2)
    n *= 2;
  return (int)n;
}

int64_t bd_dequantized_inner_offset(const bd_dequantized *r, const bd_extra *source, int i) {
  int64_t at = 0;
  for (int64_t d = r->rank - 2; i > 0; i /= (int)r->sizes[d--])
    at += i % r->sizes[d] * source->strides[d];
  return at;
}

/* %TO_K, of two numbers to an element, from number %TO_place_K on. */
static void write_halves(bd_text *text, const bd_dequantized *r, int k, const char *to) {
  const bd_vectors narrow = {"f32", r->lanes / 2, NULL, NULL};
  const bd_phrase row = bd_phrase_of("%s_packed%d", to, k);
  bd_phrase results[2];
  bd_text_format(text,
                 "let x = %s, k = %d; $x_byte_$k = $x_place_$k / two;"
                 "%s_0 = load(extra_$k[$x_byte_$k], %d);",
                 to, k, row.data, r->lanes / 2);
  for (int which = 0; which < 2; ++which) {
    const bd_phrase tag = bd_phrase_of("%s_half%d_%d", to, k, which);
    const bd_epilogue_names names = {"", row.data, tag.data, NULL};
    const bd_phrase numbers = bd_phrase_of("half%d_%d", k, which);
    const bd_epilogue half = bd_dequantized_half(r, k, which, numbers.data);
    bd_epilogue_write_body(text, &half, &narrow, &names);
    results[which] = bd_epilogue_result(&half, &names);
  }
  bd_text_format(text, "%s_%d = interleave(%s, %s);", to, k, results[0].data, results[1].data);
}

static void write_load(bd_text *text, const bd_dequantized *r, int k, const char *from,
                       const char *to, const char *in_group) {
  bd_text_format(text, "let x = %s, y = %s, k = %d;", to, from, k);
  if (r->loop.extras[k].is_spread) {
    bd_text_format(text, "$x_$k = broadcast($y_one_$k, %d);", r->lanes);
    return;
  }
  bd_text_format(text, "$x_place_$k = $y_at_$k + %s;", in_group);
  if (bd_dequantized_numbers(r, k) == 2)
    write_halves(text, r, k, to);
  else
    bd_text_format(text, "$x_$k = load(extra_$k[$x_place_$k], %d);", r->lanes);
}

void bd_dequantized_write_made(bd_text *text, const bd_dequantized *r, const char *to) {
  const bd_epilogue_names names = {"", to, to, NULL};
  bd_text_format(text, "%s_f32 = extf(%s, f32);", to, bd_epilogue_result(&r->loop, &names).data);
}

void bd_dequantized_write_vector(bd_text *text, const bd_dequantized *r, const char *from,
                                 const char *to, const char *in_group) {
  const bd_vectors vectors = {"f32", r->lanes, NULL, NULL};
  const bd_epilogue_names names = {"", to, to, NULL};
  for (int k = 0; k < r->loop.n; ++k) write_load(text, r, k, from, to, in_group);
  bd_epilogue_write_body(text, &r->loop, &vectors, &names);
  bd_dequantized_write_made(text, r, to);
}

/* ---- A slab ---------------------------------------------------------------------------------- */

bd_slab bd_dequantized_slab(const bd_dequantized *r) {
  const int64_t group = bd_dequantized_group(r);
  int64_t depth = group * bd_divide_up(SLAB_DEPTH, group);
  if (depth > r->k) depth = r->k;
  const int64_t n = most_of_slab(r->machine) / depth / 64 * 64;
  return (bd_slab){n < 64 ? 64 : n, depth};
}

void bd_dequantized_write_slab(bd_text *text, const bd_dequantized *r) {
  bd_text_format(text,
                 "g_first = depth / group; g_end = depth_end / group;"
                 "for j = column to column_end {"
                 "in_slab = j - column; rounds = j * n_groups;"
                 "for g = g_first to g_end {"
                 "of_round = rounds + g; first = g * group; from = first - depth;");
  bd_dequantized_write_places(text, r, "of", 1);
  bd_text_format(text, "for in_group = c0 to group by lanes {");
  bd_dequantized_write_vector(text, r, "of", "b", "in_group");
  bd_text_format(text, "store(b_f32, slab[in_slab, from + in_group]); } } }");
}
