// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/library.c: the functions of the library, each a text of this folder in which
 * words that start with $ stand for element types and sizes; see kernels.h. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/try.h"
#include "sdk/compile/kernels/functions.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/table.h"

static const char *const wholes[] = {
    [1] = "i8", [2] = "i16", [4] = "i32", [8] = "i64"}; /* by bytes */

typedef struct word {
  const char *name; /* after the $ */
  char value[64];
  const bd_text *text; /* in place of the value; has no words itself */
} word;

/* Copies a text and replaces its words; a word ends where another would begin: the longest name
 * wins. */
static void instantiate(bd_text *out, const char *text, const word *words, size_t n_words) {
  while (*text != '\0') {
    const size_t plain = strcspn(text, "$");
    bd_text_append(out, text, plain);
    text += plain;
    if (*text == '\0') return;
    const word *best = NULL;
    for (size_t i = 0; i < n_words; ++i) {
      const size_t n = strlen(words[i].name);
      if (strncmp(text + 1, words[i].name, n) == 0 && (!best || n > strlen(best->name)))
        best = &words[i];
    }
    if (!best) {
      bd_text_append(out, text++, 1);
      continue;
    }
    if (best->text)
      bd_text_append(out, best->text->data, best->text->size);
    else
      bd_text_append(out, best->value, strlen(best->value));
    text += 1 + strlen(best->name);
  }
}

static word word_of(const char *name, const char *value) {
  word w = {.name = name};
  snprintf(w.value, sizeof(w.value), "%s", value);
  return w;
}

static word number_of(const char *name, int value) {
  word w = {.name = name};
  snprintf(w.value, sizeof(w.value), "%d", value);
  return w;
}

/* A conversion that changes nothing is a bitcast to the same type, which folds. */
static const char *conversion(const char *from, const char *to, const char *op) {
  return strcmp(from, to) == 0 ? "arith.bitcast" : op;
}

/* To what is computed in. */
static const char *extension(const bd_element *e, const char *compute) {
  return conversion(e->name, compute, e->is_integer ? "arith.sitofp" : "arith.extf");
}

/* ---- What gemv.mlir adds up ---- */

/* At a time; bytes. */
enum { COLUMNS = 8, PAGE = 4096 };

/* "SHAPExTYPE", n vectors of so many elements. */
static bd_phrase vectors_of(int n, int of, const char *type) {
  return bd_phrase_of("vector<%dx%dx%s>", n, of, type);
}

/* %sumI_(H + 1): %sumI_H, with part H of so many of its lanes and what the pairs there give. */
static void write_dot_of_part(bd_text *out, int i, int h, int part, int lanes) {
  static const char *const from[] = {"row", "block"};
  for (int k = 0; k < 2; ++k)
    bd_text_format(out,
                   "%%%s%d_%d = vector.extract_strided_slice %%%s%d {offsets = [%d], sizes = [%d], "
                   "strides = [1]} : vector<%dxbf16> to vector<%dxbf16>\n",
                   from[k], i, h, from[k], i, 2 * h * part, 2 * part, 2 * lanes, 2 * part);
  bd_text_format(
      out,
      "%%of%d_%d = vector.extract_strided_slice %%sum%d_0 {offsets = [%d], sizes = [%d], strides = "
      "[1]} : vector<%dxf32> to vector<%dxf32>\n"
      "%%with%d_%d = llvm.call_intrinsic \"llvm.x86.avx512bf16.dpbf16ps.%d\"(%%of%d_%d, "
      "%%row%d_%d, %%block%d_%d) : (vector<%dxf32>, vector<%dxbf16>, vector<%dxbf16>) -> "
      "vector<%dxf32>\n"
      "%%sum%d_%d = vector.insert_strided_slice %%with%d_%d, %%sum%d_%d {offsets = [%d], strides = "
      "[1]} : vector<%dxf32> into vector<%dxf32>\n",
      i, h, i, h * part, part, lanes, part, i, h, 32 * part, i, h, i, h, i, h, part, 2 * part,
      2 * part, part, i, h + 1, i, h, i, h, h * part, part, lanes);
}

/* %next = %acc + %rows * %block, in n vectors of `of` elements and `lanes` sums; pairs of them in so many parts. */
static void write_multiply(bd_text *out, bd_elements e, bool are_in_pairs, int n, int of, int lanes,
                           int parts) {
  const bd_phrase a = vectors_of(n, of, e.of[0]->name), b = vectors_of(n, of, e.of[1]->name),
                  f = vectors_of(n, lanes, e.of[0]->compute);
  if (!are_in_pairs) {
    bd_text_format(out,
                   "%%rows_f = %s %%rows : %s to %s\n%%block_f = %s %%block : %s to %s\n"
                   "%%next = vector.fma %%rows_f, %%block_f, %%acc : %s\n",
                   extension(e.of[0], e.of[0]->compute), a.data, f.data,
                   extension(e.of[1], e.of[0]->compute), b.data, f.data, f.data);
    return;
  }
  for (int i = 0; i < n; ++i) {
    bd_text_format(out,
                   "%%row%d = vector.extract %%rows[%d] : vector<%dxbf16> from %s\n"
                   "%%block%d = vector.extract %%block[%d] : vector<%dxbf16> from %s\n"
                   "%%sum%d_0 = vector.extract %%acc[%d] : vector<%dxf32> from %s\n",
                   i, i, of, a.data, i, i, of, b.data, i, i, lanes, f.data);
    for (int h = 0; h < parts; ++h) write_dot_of_part(out, i, h, lanes / parts, lanes);
    bd_text_format(out, "%%next%s = vector.insert %%sum%d_%d, %s [%d] : vector<%dxf32> into %s\n",
                   i + 1 == n ? "" : bd_phrase_of("%d", i).data, i, parts,
                   i == 0 ? "%acc" : bd_phrase_of("%%next%d", i - 1).data, i, lanes, f.data);
  }
}

/* %sums = the sum of the lanes of each column of %eight. Two vectors become one, in which blocks of
 * lanes of the one and the other take turns, until all columns have theirs; what lanes there are
 * beyond is added on, and what columns are missing stand in vectors of their own. */
static void write_add_up(bd_text *out, int lanes, const char *f) {
  bd_text text = {.data = NULL};
  int n = COLUMNS, step = 0;
  bd_text_format(&text,
                 "each i to %d {\n%%s0_$i = vector.extract %%eight[$i] : vector<%dx%s> from %s\n}",
                 n, lanes, f, vectors_of(COLUMNS, lanes, f).data);
  /* Of both the lanes whose block is even, those of the second in place of the odd ones; and the odd ones likewise. */
  for (int width = 1; n > 1 && width < lanes; n /= 2, width *= 2, ++step)
    bd_text_format(
        &text,
        "let s = %d, w = %d, l = %d; each i to %d { let a = s$s_$(2 * i), b = s$s_$(2 * i + 1);"
        "e$s_$i = shuffle($a, $b, l: n + n / w %% 2 * (l - w));"
        "o$s_$i = shuffle($a, $b, l: n + w + n / w %% 2 * (l - w));"
        "s$(s + 1)_$i = e$s_$i + o$s_$i; }",
        step, width, lanes, n / 2);
  for (; lanes > COLUMNS; lanes /= 2, ++step)
    bd_text_format(&text,
                   "let s = %d, l = %d; e$s_0 = shuffle(s$s_0, s$s_0, l: n);"
                   "o$s_0 = shuffle(s$s_0, s$s_0, l: n + l); s$(s + 1)_0 = e$s_0 + o$s_0;",
                   step, lanes / 2);
  for (; n > 1; n /= 2, lanes *= 2, ++step)
    bd_text_format(&text,
                   "let s = %d; each i to %d {"
                   "s$(s + 1)_$i = shuffle(s$s_$(2 * i), s$s_$(2 * i + 1), %d: n); }",
                   step, n / 2, 2 * lanes);
  bd_text_format(&text, "sums = s%d_0;", step);
  bd_ir_expand(out, &text);
  bd_text_deinit(&text);
}

/* So many elements of B, line by line. */
static void write_fetch(bd_text *out, int elements, int line, const char *tag) {
  for (int at = 0; at < elements; at += line)
    bd_text_format(out,
                   "%%of_line_%d = arith.constant %d : index\n"
                   "%%line_%d = arith.addi %%ahead, %%of_line_%d : index\n"
                   "memref.prefetch %%columns[%%ahead_j, %%line_%d], read, locality<2>, data : "
                   "!%s_columns\n",
                   at, at, at, at, at, tag);
}

/* ---- Words ---- */

/* Blocks that are transposed: whole ones make a panel. */
static int side_of(int columns) { return columns % 16 == 0 ? 16 : columns % 8 == 0 ? 8 : columns; }

/* What a text is written for. */
typedef struct instance {
  const bd_machine *machine;
  bd_elements of;
  bool are_in_pairs, is_near; /* of gemv.mlir */
  const char *gemm, *tag;
} instance;

/* Writes the text for these types and this name. */
static void write_library(bd_text *out, const instance *of, const char *text, const char *name) {
  const bd_machine *machine = of->machine;
  const bd_element *a = of->of.of[0], *b = of->of.of[1], *c = of->of.of[2];
  const char *compute = a->compute, *target = c->name;
  const bool is_integer = c->is_integer;
  const char *sum = is_integer ? target : compute;
  const bool is_wide = strcmp(compute, "f64") == 0;
  const int lanes = bd_machine_lanes(machine, is_wide ? 8 : 4), columns = 2 * lanes;
  const int step = of->are_in_pairs ? 2 * lanes : lanes;
  bd_text parts[5] = {{.data = NULL}}; /* of gemv.mlir */
  if (text == bd_kernel_gemv) {
    static const int vectors[] = {COLUMNS, 2, 1};
    for (int i = 0; i < 3; ++i)
      write_multiply(&parts[i], of->of, of->are_in_pairs, vectors[i], step, lanes,
                     of->is_near || lanes < 16 ? 1 : 2);
    write_add_up(&parts[3], lanes, compute);
    if (!of->is_near)
      write_fetch(&parts[4], COLUMNS * step, bd_machine_line(machine, b->bytes), of->tag);
  }
  const word words[] = {
      word_of("NAME", name),
      word_of("TAG", of->tag),
      word_of("GEMM", of->gemm),
      word_of("T", a->name),
      word_of("U", b->name),
      word_of("S", c->name),
      word_of("F", compute),
      word_of("SUM", sum),
      word_of("ADD", is_integer ? "arith.addi" : "arith.addf"),
      word_of("ROUND", conversion(compute, sum, "arith.fptosi")),
      word_of("EXTEND", extension(a, compute)),
      word_of("EXTEND_B", extension(b, compute)),
      word_of("ZERO", a->zero),
      word_of("ZERO_B", b->zero),
      word_of("ZERO_C", c->zero),
      word_of("WIDEN", conversion(target, sum, "arith.extf")),
      word_of("TRUNC", conversion(sum, target, "arith.truncf")),
      word_of("BITS", wholes[a->bytes]),
      number_of("MR", machine->packed_rows),
      number_of("NR", columns),
      number_of("TWICE", 2 * columns),
      number_of("MC", machine->block_rows),
      number_of("KC", is_wide ? machine->block_depth / 4 * 3 : machine->block_depth),
      number_of("NC", machine->block_columns),
      number_of("L", side_of(columns)),
      number_of("V", lanes),
      number_of("W", a->bytes < 4 ? 4 / a->bytes : 1),
      number_of("PANEL", 256 * columns),
      number_of("LINE", bd_machine_line(machine, b->bytes)),
      number_of("PAGE", PAGE / b->bytes),
      number_of("HALF", PAGE / 2 / b->bytes),
      number_of("LONG", of->is_near ? 0 : (int)(machine->l1 / 3) / a->bytes),
      number_of("K", step),
      number_of("STEP", 2 * step),
      number_of("BITS_OF_LOAD", of->is_near ? 512 : 256),
      {"EIGHT", "", &parts[0]},
      {"TWO", "", &parts[1]},
      {"ONE", "", &parts[2]},
      {"ADD_UP", "", &parts[3]},
      {"FETCH", "", &parts[4]},
  };
  for (int i = 0; i < 5; ++i) {
    if (parts[i].code) out->code = parts[i].code;
  }
  instantiate(out, text, words, sizeof(words) / sizeof(words[0]));
  for (int i = 0; i < 5; ++i) bd_text_deinit(&parts[i]);
}

/* Floats of one width, B's perhaps in bytes; or bytes, summed up in 32 bits. */
static bool is_product(bd_elements e) {
  const bd_element *a = e.of[0], *b = e.of[1], *c = e.of[2];
  if (a->is_integer || c->is_integer) return a == &bd_i8 && b == &bd_i8 && c == &bd_i32;
  return (!b->is_integer || b == &bd_i8) && !strcmp(a->compute, b->compute) &&
         !strcmp(a->compute, c->compute);
}

static const struct {
  const char *stem, *text;
  bool are_in_pairs, is_near;
} functions[] = {[BD_LIBRARY_GEMM] = {"gemm", bd_kernel_gemm, 0, 0},
                 [BD_LIBRARY_GEMV] = {"dots", bd_kernel_gemv, 0, 0},
                 [BD_LIBRARY_GEMV_NEAR] = {"near_dots", bd_kernel_gemv, 0, 1},
                 [BD_LIBRARY_GEMV_BF16] = {"pairs", bd_kernel_gemv, 1, 0},
                 [BD_LIBRARY_GEMV_BF16_NEAR] = {"near_pairs", bd_kernel_gemv, 1, 1},
                 [BD_LIBRARY_CONVOLUTION] = {"convolution", bd_kernel_convolution, 0, 0},
                 [BD_LIBRARY_TRANSPOSE] = {"transpose", bd_kernel_transpose, 0, 0},
                 [BD_LIBRARY_PACK_BF16] = {"pack_bf16", bd_kernel_pack_bf16, 0, 0},
                 [BD_LIBRARY_FILTER] = {"filter", bd_kernel_filter, 0, 0},
                 [BD_LIBRARY_FILL] = {"fill", bd_kernel_fill, 0, 0}};

/* The functions are called by a hash of their text, as kernels are, so that they can be shipped. */
static void add_library(bd_kernels *kernels, bd_kernel *item, bd_kernels_function which,
                        bd_elements of, const char *gemm, const char *tag) {
  const bool is_shifted = which == BD_LIBRARY_FILTER && of.of[0] == &bd_i8;
  const instance one = {.machine = kernels->machine,
                        .of = of,
                        .are_in_pairs = functions[which].are_in_pairs,
                        .is_near = functions[which].is_near,
                        .gemm = gemm,
                        .tag = tag};
  const char *const texts[] = {functions[which].text, is_shifted ? bd_kernel_bytes : ""};
  bd_text unnamed = {.data = NULL}, named = {.data = NULL};
  for (int i = 0; i < 2; ++i) write_library(&unnamed, &one, texts[i], "");
  if (!unnamed.code) bd_kernel_name(item, functions[which].stem, &unnamed);
  for (int i = 0; i < 2 && !unnamed.code; ++i) write_library(&named, &one, texts[i], item->name);
  if (unnamed.code || named.code)
    kernels->functions.code = BUDDY_OUT_OF_MEMORY;
  else
    bd_functions_write_all(&kernels->functions, kernels->shipped, named.data);
  bd_text_deinit(&unnamed);
  bd_text_deinit(&named);
}

buddy_code bd_kernels_want(bd_kernels *kernels, bd_kernels_function which, bd_elements of,
                           const char **out_name) {
  const bd_element *a = of.of[0], *b = of.of[1], *c = of.of[2];
  const bool has_product = which <= BD_LIBRARY_GEMV_NEAR || which == BD_LIBRARY_CONVOLUTION;
  const char *gemm = "";
  bool is_new;
  if (!a || !b || !c || (has_product && !is_product(of))) return BUDDY_UNSUPPORTED;
  if (which == BD_LIBRARY_CONVOLUTION) BD_TRY(bd_kernels_want(kernels, BD_LIBRARY_GEMM, of, &gemm));
  const bd_phrase tag =
      bd_phrase_of("%s_%s_%s_%s", functions[which].stem, a->name, b->name, c->name);
  bd_kernel *item = bd_kernels_find_or_add(kernels, tag.data, strlen(tag.data), &is_new);
  if (!item) return BUDDY_OUT_OF_MEMORY;
  if (is_new)
    add_library(kernels, item, which, of, gemm, tag.data); /* once for the same elements */
  *out_name = item->name;
  return BUDDY_OK;
}

buddy_code bd_kernels_want_of(bd_kernels *kernels, bd_kernels_function which,
                              const bd_element *element, const char **out_name) {
  return bd_kernels_want(kernels, which, (bd_elements){{element, element, element}}, out_name);
}
