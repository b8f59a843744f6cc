// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/library.c: the functions of the library, each a text of this folder in which
 * words that start with $ stand for element types and sizes; see kernels.h. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinTypes.h"
#include "core/base/try.h"
#include "sdk/compile/kernels/functions.h"
#include "sdk/compile/kernels/table.h"

static bool is_integer(MlirType type, unsigned width) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == width &&
         !mlirIntegerTypeIsUnsigned(type);
}

static bool is_byte(MlirType type) { return is_integer(type, 8); }

static bool is_short(MlirType type) { return is_integer(type, 16); }

static bool is_sum(MlirType type) { return is_integer(type, 32); }

static bool is_long(MlirType type) { return is_integer(type, 64); }

/* Element types of matrices: what is computed in, how they become that, and what a zero is. Sums of
 * products of bytes are exact in f32 over a block of k, and are added to C in 32 bits. */
static const struct {
  bool (*is)(MlirType type);
  const char *name, *compute, *extend, *zero;
  int is_integer, n_bytes;
} elements[] = {{mlirTypeIsAF32, "f32", "f32", "arith.extf", "0.0", 0, 4},
                {mlirTypeIsAF64, "f64", "f64", "arith.extf", "0.0", 0, 8},
                {mlirTypeIsABF16, "bf16", "f32", "arith.extf", "0.0", 0, 2},
                {mlirTypeIsAF16, "f16", "f32", "arith.extf", "0.0", 0, 2},
                {is_byte, "i8", "f32", "arith.sitofp", "0", 1, 1},
                {is_sum, "i32", "f32", "arith.sitofp", "0", 1, 4},
                /* are copied, never multiplied */
                {is_short, "i16", "f32", "arith.sitofp", "0", 1, 2},
                {is_long, "i64", "f64", "arith.sitofp", "0", 1, 8}};

static const char *const wholes[] = {
    [1] = "i8", [2] = "i16", [4] = "i32", [8] = "i64"}; /* by bytes */

static int element_of(MlirType type) {
  for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); ++i) {
    if (elements[i].is(type)) return (int)i;
  }
  return -1;
}

typedef struct word {
  const char *name; /* after the $ */
  char value[64];
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

/* The element types of A, B and C. */
typedef struct element_types {
  int a, b, c;
} element_types;

/* Blocks that are transposed: whole ones make a panel. */
static int side_of(int columns) { return columns % 16 == 0 ? 16 : columns % 8 == 0 ? 8 : columns; }

/* Writes the text for these types and this name. */
static void write_library(bd_text *out, const bd_machine *machine, const char *text,
                          element_types of, const char *name, const char *gemm, const char *tag) {
  const char *compute = elements[of.a].compute, *target = elements[of.c].name;
  const bool is_integer = elements[of.c].is_integer;
  const char *sum = is_integer ? target : compute;
  const bool is_wide = strcmp(compute, "f64") == 0;
  const int lanes = bd_machine_lanes(machine, is_wide ? 8 : 4), columns = 2 * lanes;
  const int line = (int)machine->line / elements[of.b].n_bytes;
  const word words[] = {
      word_of("NAME", name),
      word_of("TAG", tag),
      word_of("GEMM", gemm),
      word_of("T", elements[of.a].name),
      word_of("U", elements[of.b].name),
      word_of("S", elements[of.c].name),
      word_of("F", compute),
      word_of("SUM", sum),
      word_of("ADD", is_integer ? "arith.addi" : "arith.addf"),
      word_of("ROUND", conversion(compute, sum, "arith.fptosi")),
      word_of("EXTEND", conversion(elements[of.a].name, compute, elements[of.a].extend)),
      word_of("EXTEND_B", conversion(elements[of.b].name, compute, elements[of.b].extend)),
      word_of("ZERO", elements[of.a].zero),
      word_of("ZERO_B", elements[of.b].zero),
      word_of("ZERO_C", elements[of.c].zero),
      word_of("WIDEN", conversion(target, sum, "arith.extf")),
      word_of("TRUNC", conversion(sum, target, "arith.truncf")),
      word_of("BITS", wholes[elements[of.a].n_bytes]),
      number_of("MR", machine->packed_rows),
      number_of("NR", columns),
      number_of("TWICE", 2 * columns),
      number_of("MC", machine->block_rows),
      number_of("KC", is_wide ? machine->block_depth / 4 * 3 : machine->block_depth),
      number_of("NC", machine->block_columns),
      number_of("L", side_of(columns)),
      number_of("V", lanes),
      number_of("W", elements[of.a].n_bytes < 4 ? 4 / elements[of.a].n_bytes : 1),
      number_of("PANEL", 256 * columns),
      number_of("LINES", line > 16 ? (8 * lanes + line - 1) / line : line == 16),
      number_of("LINE", line),
  };
  instantiate(out, text, words, sizeof(words) / sizeof(words[0]));
}

/* Floats of one width, B's perhaps in bytes; or bytes, summed up in 32 bits. */
static bool is_product(const MlirType of[3]) {
  const element_types e = {element_of(of[0]), element_of(of[1]), element_of(of[2])};
  if (e.a < 0 || e.b < 0 || e.c < 0) return false;
  if (elements[e.a].is_integer || elements[e.c].is_integer)
    return elements[e.a].is == is_byte && elements[e.b].is == is_byte && elements[e.c].is == is_sum;
  if (elements[e.b].is_integer && elements[e.b].is != is_byte) return false;
  const char *compute = elements[e.a].compute;
  return strcmp(compute, elements[e.b].compute) == 0 && strcmp(compute, elements[e.c].compute) == 0;
}

/* The functions are called by a hash of their text, as kernels are, so that they can be shipped. */
static void add_library(bd_kernels *kernels, bd_kernel *item, const char *stem,
                        const char *const texts[2], element_types of, const char *gemm,
                        const char *tag) {
  bd_text unnamed = {.data = NULL}, named = {.data = NULL};
  for (int i = 0; i < 2; ++i)
    write_library(&unnamed, kernels->machine, texts[i], of, "", gemm, tag);
  if (!unnamed.code) bd_kernel_name(item, stem, &unnamed);
  for (int i = 0; i < 2 && !unnamed.code; ++i)
    write_library(&named, kernels->machine, texts[i], of, item->name, gemm, tag);
  if (unnamed.code || named.code)
    kernels->functions.code = BUDDY_OUT_OF_MEMORY;
  else
    bd_functions_write_all(&kernels->functions, kernels->shipped, named.data);
  bd_text_deinit(&unnamed);
  bd_text_deinit(&named);
}

static const struct {
  const char *stem, *text;
} functions[] = {[BD_LIBRARY_GEMM] = {"gemm", bd_kernel_gemm},
                 [BD_LIBRARY_GEMV] = {"dots", bd_kernel_gemv},
                 [BD_LIBRARY_GEMV_BF16] = {"pairs", bd_kernel_gemv_bf16},
                 [BD_LIBRARY_CONVOLUTION] = {"convolution", bd_kernel_convolution},
                 [BD_LIBRARY_TRANSPOSE] = {"transpose", bd_kernel_transpose},
                 [BD_LIBRARY_PACK_BF16] = {"pack_bf16", bd_kernel_pack_bf16},
                 [BD_LIBRARY_FILTER] = {"filter", bd_kernel_filter},
                 [BD_LIBRARY_FILL] = {"fill", bd_kernel_fill}};

/* Once for the same element types. */
static buddy_code want(bd_kernels *kernels, bd_kernels_function which, element_types e,
                       const char *gemm, char name[64]) {
  const char *const stem = functions[which].stem;
  bool is_new;
  const bd_phrase tag =
      bd_phrase_of("%s_%s_%s_%s", stem, elements[e.a].name, elements[e.b].name, elements[e.c].name);
  bd_kernel *item = bd_kernels_find_or_add(kernels, tag.data, strlen(tag.data), &is_new);
  if (!item) return BUDDY_OUT_OF_MEMORY;
  const bool is_shifted = which == BD_LIBRARY_FILTER && elements[e.a].is == is_byte;
  const char *const texts[] = {functions[which].text, is_shifted ? bd_kernel_bytes : ""};
  if (is_new) add_library(kernels, item, stem, texts, e, gemm, tag.data);
  snprintf(name, 64, "%s", item->name);
  return BUDDY_OK;
}

buddy_code bd_kernels_want(bd_kernels *kernels, bd_kernels_function which, const MlirType of[3],
                           char name[64]) {
  const element_types e = {element_of(of[0]), element_of(of[1]), element_of(of[2])};
  const bool has_product = which <= BD_LIBRARY_GEMV || which == BD_LIBRARY_CONVOLUTION;
  char gemm[64] = "";
  if (e.a < 0 || e.b < 0 || e.c < 0 || (has_product && !is_product(of))) return BUDDY_UNSUPPORTED;
  if (which == BD_LIBRARY_CONVOLUTION) BD_TRY(bd_kernels_want(kernels, BD_LIBRARY_GEMM, of, gemm));
  return want(kernels, which, e, gemm, name);
}

buddy_code bd_kernels_want_of(bd_kernels *kernels, bd_kernels_function which, MlirType element,
                              char name[64]) {
  return bd_kernels_want(kernels, which, (const MlirType[]){element, element, element}, name);
}

bool bd_kernels_can_transpose(MlirType element) { return element_of(element) >= 0; }

buddy_code bd_kernels_want_transpose(bd_kernels *kernels, const char *element, char name[64]) {
  for (int i = 0; i < (int)(sizeof(elements) / sizeof(elements[0])); ++i) {
    if (strcmp(elements[i].name, element) == 0)
      return want(kernels, BD_LIBRARY_TRANSPOSE, (element_types){i, i, i}, "", name);
  }
  return BUDDY_UNSUPPORTED;
}
