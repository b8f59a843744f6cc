/* sdk/compile/kernels/kernels.c: see kernels.h. */
#include "sdk/compile/kernels/kernels.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->is_lost = 1)
#include <uthash.h>

#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/code/target.h"
#include "sdk/compile/kernels/functions.h"
#include "sdk/lower/context.h"
#include "sdk/runtime/kept.h"

typedef struct kernel {
  UT_hash_handle hh;
  int is_lost;
  char name[BD_SHIPPED_NAME_SIZE];
  char key[]; /* the function's text, or the name of a library function */
} kernel;

struct bd_kernels {
  MlirModule module;
  bd_shipped *shipped; /* may be null */
  bd_text functions;
  kernel *by_key;
};

buddy_code bd_kernels_create(MlirModule module, bd_shipped *shipped, bd_kernels **out_kernels) {
  if (sodium_init() < 0) return BUDDY_INTERNAL;
  *out_kernels = calloc(1, sizeof(bd_kernels));
  if (*out_kernels == NULL) return BUDDY_OUT_OF_MEMORY;
  (*out_kernels)->module = module;
  (*out_kernels)->shipped = shipped;
  return BUDDY_OK;
}

void bd_kernels_destroy(bd_kernels *kernels) {
  if (kernels == NULL) return;
  kernel *item, *next;
  HASH_ITER(hh, kernels->by_key, item, next) {
    HASH_DEL(kernels->by_key, item);
    free(item);
  }
  bd_text_deinit(&kernels->functions);
  free(kernels);
}

/* The kernel of that key; *out_is_new if it was not there. Null: memory is out. */
static kernel *find_or_add(bd_kernels *kernels, const char *key, size_t n, int *out_is_new) {
  kernel *item = NULL;
  HASH_FIND(hh, kernels->by_key, key, n, item);
  *out_is_new = item == NULL;
  if (item != NULL) return item;
  item = calloc(1, sizeof(kernel) + n + 1);
  if (item == NULL) return NULL;
  memcpy(item->key, key, n);
  HASH_ADD_KEYPTR(hh, kernels->by_key, item->key, n, item);
  if (!item->is_lost) return item;
  free(item);
  return NULL;
}

/* It decides which machine code is run: strong enough that nobody meets two texts with one. */
enum { N_HASH = 20 };

static void name_kernel(kernel *item, const char *hint, const bd_text *text) {
  crypto_generichash_state state;
  unsigned char hash[N_HASH];
  char hex[2 * N_HASH + 1];
  crypto_generichash_init(&state, NULL, 0, N_HASH);
  crypto_generichash_update(&state, (const unsigned char *)hint, strlen(hint) + 1);
  crypto_generichash_update(&state, (const unsigned char *)text->data, text->n);
  crypto_generichash_final(&state, hash, N_HASH);
  sodium_bin2hex(hex, sizeof(hex), hash, N_HASH);
  snprintf(item->name, sizeof(item->name), "buddy.%.15s_%s", hint, hex);
}

buddy_code bd_kernels_add(bd_kernels *kernels, const char *hint, const bd_text *text,
                          const char **out_name) {
  int is_new;
  *out_name = NULL;
  if (text->is_lost) return BUDDY_OUT_OF_MEMORY;
  kernel *item = find_or_add(kernels, text->data, text->n, &is_new);
  if (item == NULL) return BUDDY_OUT_OF_MEMORY;
  if (is_new) {
    name_kernel(item, hint, text);
    bd_functions_write(&kernels->functions, kernels->shipped, item->name, text->data, text->n);
  }
  *out_name = item->name;
  return BUDDY_OK;
}

/* Keys begin with a character that texts and names do not. */
static kernel *find_by_key(bd_kernels *kernels, const char *hint, const bd_text *key) {
  bd_text whole = {NULL, 0, 0, 0};
  int is_new;
  bd_text_format(&whole, "#%s ", hint);
  bd_text_add(&whole, key->data, key->n);
  kernel *found =
      whole.is_lost || key->is_lost ? NULL : find_or_add(kernels, whole.data, whole.n, &is_new);
  bd_text_deinit(&whole);
  return found;
}

buddy_code bd_kernels_add_once(bd_kernels *kernels, const char *hint, const bd_text *key,
                               bd_kernel_write write, const void *what, const char **out_name) {
  kernel *of_key = find_by_key(kernels, hint, key);
  buddy_code code = of_key == NULL ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
  *out_name = NULL;
  if (code == BUDDY_OK && of_key->name[0] == '\0') {
    bd_text text = {NULL, 0, 0, 0};
    const char *name;
    write(&text, what);
    code = bd_kernels_add(kernels, hint, &text, &name);
    if (code == BUDDY_OK) snprintf(of_key->name, sizeof(of_key->name), "%s", name);
    bd_text_deinit(&text);
  }
  if (code == BUDDY_OK) *out_name = of_key->name;
  return code;
}

/* ---- The library
 * --------------------------------------------------------------------------------------------------
 */

/* The tile of C that the registers of this processor hold, in elements of 4 bytes: rows, and
 * columns in two vectors. */
typedef struct tile {
  const char *feature; /* as LLVM names it; null: any processor */
  int rows, columns;
  int most_rows; /* where A is not packed: elements of A pass through no register of their own */
  const char *words[BD_N_WORDS]; /* what multiplies these, for such vectors; null: nothing */
  const char *amx[BD_N_WORDS];   /* and what multiplies matrices of them */
  int has_lookup;                /* by VPERMPS */
} tile;
static const tile tiles[] = {
    {"+avx512f", 12, 32, 14, {"+avx512vnni", "+avx512bf16"}, {"+amx-int8", "+amx-bf16"}, 1},
    {"+avx2", 6, 16, 6, {"+avxvnni", NULL}, {NULL}, 0},
    {"+neon", 8, 8, 12, {NULL}, {NULL}, 0},
    {NULL, 4, 8, 4, {NULL}, {NULL}, 0}};

static size_t own_tile;
static int own_has_words[BD_N_WORDS], own_has_amx[BD_N_WORDS];

static int has_feature(const char *features, const char *name) {
  return name != NULL && strstr(features, name) != NULL;
}

static void find_tile(const char *features) {
  own_tile = 0;
  while (tiles[own_tile].feature != NULL && strstr(features, tiles[own_tile].feature) == NULL)
    own_tile++;
  for (int kind = 0; kind < BD_N_WORDS; kind++) {
    own_has_words[kind] = has_feature(features, tiles[own_tile].words[kind]);
    own_has_amx[kind] = has_feature(features, tiles[own_tile].amx[kind]);
  }
}

static void find_own_tile(void) {
  char *features = bd_host_features();
  find_tile(features != NULL ? features : "");
  free(features);
}

/* Asked for once: on a virtual machine each question to the processor costs as much as a pass. */
static pthread_once_t tile_is_found = PTHREAD_ONCE_INIT;
static tile choose_tile(void) {
  pthread_once(&tile_is_found, find_own_tile);
  return tiles[own_tile];
}

void bd_kernels_assume(const char *features) {
  pthread_once(&tile_is_found, find_own_tile);
  find_tile(features);
}

int bd_kernels_has_words(bd_words_kind kind, const char *features) {
  const char *name = choose_tile().words[kind];
  return features == NULL ? own_has_words[kind] : has_feature(features, name);
}

int bd_kernels_has_amx(bd_words_kind kind, const char *features) {
  const char *name = choose_tile().amx[kind];
  return features == NULL ? own_has_amx[kind] : has_feature(features, name);
}

int bd_kernels_has_lookup(const char *features) {
  const tile t = choose_tile();
  return t.has_lookup && (features == NULL || strstr(features, t.feature) != NULL);
}

void bd_kernels_tile(int is_double, int *out_lanes, int *out_rows) {
  const tile t = choose_tile();
  *out_lanes = t.columns / 2 / (is_double ? 2 : 1);
  *out_rows = t.most_rows;
}

static bool is_byte(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 8 &&
         !mlirIntegerTypeIsUnsigned(type);
}

static bool is_sum(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32 &&
         !mlirIntegerTypeIsUnsigned(type);
}

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
                {is_sum, "i32", "f32", "arith.sitofp", "0", 1, 4}};

static int element_of(MlirType type) {
  for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
    if (elements[i].is(type)) return (int)i;
  }
  return -1;
}

typedef struct word {
  const char *name; /* behind the $ */
  char value[64];
} word;

/* Copies a text and replaces its words; a word ends where another would begin: the longest name
 * wins. */
static void instantiate(bd_text *out, const char *text, const word *words, size_t n_words) {
  while (*text != '\0') {
    const size_t plain = strcspn(text, "$");
    bd_text_add(out, text, plain);
    text += plain;
    if (*text == '\0') return;
    const word *best = NULL;
    for (size_t i = 0; i < n_words; i++) {
      const size_t n = strlen(words[i].name);
      if (strncmp(text + 1, words[i].name, n) == 0 && (best == NULL || n > strlen(best->name)))
        best = &words[i];
    }
    if (best == NULL) {
      bd_text_add(out, text++, 1);
      continue;
    }
    bd_text_add(out, best->value, strlen(best->value));
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

/* Writes the text for these types and this name. */
static void write_library(bd_text *out, const char *text, element_types of, const char *name,
                          const char *gemm, const char *tag) {
  const char *compute = elements[of.a].compute, *target = elements[of.c].name;
  const int is_integer = elements[of.c].is_integer;
  const char *sum = is_integer ? target : compute;
  const tile t = choose_tile();
  const int is_wide = strcmp(compute, "f64") == 0;
  const int columns = is_wide ? t.columns / 2 : t.columns;
  const int line = 64 / elements[of.b].n_bytes; /* of the cache */
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
      number_of("MR", t.rows),
      number_of("NR", columns),
      number_of("MC", 20 * t.rows),
      number_of("KC", is_wide ? 192 : 256),
      number_of("NC", 2048),
      number_of("L", columns % 16 == 0 ? 16 : 8),
      number_of("V", columns / 2),
      number_of("PANEL", 256 * columns),
      number_of("PRODUCT", 16 * 256 * columns / 8),
      number_of("LINES", line > 16 ? (8 * columns / 2 + line - 1) / line : 0),
      number_of("LINE", line),
  };
  instantiate(out, text, words, sizeof(words) / sizeof(words[0]));
}

/* Floats of one width, B's perhaps in bytes; or bytes, summed up in 32 bits. */
static int is_product(const MlirType of[3]) {
  const element_types e = {element_of(of[0]), element_of(of[1]), element_of(of[2])};
  if (e.a < 0 || e.b < 0 || e.c < 0) return 0;
  if (elements[e.a].is_integer || elements[e.c].is_integer)
    return elements[e.a].is == is_byte && elements[e.b].is == is_byte && elements[e.c].is == is_sum;
  if (elements[e.b].is == is_sum) return 0;
  const char *compute = elements[e.a].compute;
  return strcmp(compute, elements[e.b].compute) == 0 && strcmp(compute, elements[e.c].compute) == 0;
}

/* The functions are called by a hash of their text, as kernels are, so that they can be shipped. */
static void add_library(bd_kernels *kernels, kernel *item, const char *stem, const char *text,
                        element_types of, const char *gemm, const char *tag) {
  bd_text unnamed = {NULL, 0, 0, 0}, named = {NULL, 0, 0, 0};
  write_library(&unnamed, text, of, "", gemm, tag);
  if (!unnamed.is_lost) {
    name_kernel(item, stem, &unnamed);
    write_library(&named, text, of, item->name, gemm, tag);
  }
  if (unnamed.is_lost || named.is_lost)
    kernels->functions.is_lost = 1;
  else
    bd_functions_write_all(&kernels->functions, kernels->shipped, named.data);
  bd_text_deinit(&unnamed);
  bd_text_deinit(&named);
}

/* Adds a library function once for the same element types. */
static buddy_code want(bd_kernels *kernels, const char *stem, const char *text,
                       const MlirType of[3], const char *gemm, char name[64]) {
  const element_types e = {element_of(of[0]), element_of(of[1]), element_of(of[2])};
  int is_new;
  if (e.a < 0 || e.b < 0 || e.c < 0) return BUDDY_UNSUPPORTED;
  char tag[48];
  snprintf(tag, sizeof(tag), "%s_%s_%s_%s", stem, elements[e.a].name, elements[e.b].name,
           elements[e.c].name);
  kernel *item = find_or_add(kernels, tag, strlen(tag), &is_new);
  if (item == NULL) return BUDDY_OUT_OF_MEMORY;
  if (is_new) add_library(kernels, item, stem, text, e, gemm, tag);
  snprintf(name, 64, "%s", item->name);
  return BUDDY_OK;
}

/* What packs words of four bytes. */
static buddy_code want_bytes(bd_kernels *kernels, char name[64]) {
  int is_new;
  snprintf(name, 64, "buddy.bytes");
  if (find_or_add(kernels, name, strlen(name), &is_new) == NULL) return BUDDY_OUT_OF_MEMORY;
  const word words[] = {word_of("NAME", name)};
  if (is_new) instantiate(&kernels->functions, bd_kernel_bytes, words, 1);
  return BUDDY_OK;
}

buddy_code bd_kernels_pairs(bd_kernels *kernels, int columns, char name[64]) {
  int is_new;
  snprintf(name, 64, "buddy.pairs_%d", columns);
  if (find_or_add(kernels, name, strlen(name), &is_new) == NULL) return BUDDY_OUT_OF_MEMORY;
  const word words[] = {word_of("NAME", name), number_of("NR", columns),
                        number_of("TWICE", 2 * columns), number_of("PANEL", 256 * columns)};
  if (is_new)
    instantiate(&kernels->functions, bd_kernel_pairs, words, sizeof(words) / sizeof(words[0]));
  return BUDDY_OK;
}

buddy_code bd_kernels_gemm(bd_kernels *kernels, const MlirType of[3], char name[64]) {
  return is_product(of) ? want(kernels, "gemm", bd_kernel_gemm, of, "", name) : BUDDY_UNSUPPORTED;
}

buddy_code bd_kernels_dots(bd_kernels *kernels, const MlirType of[3], char name[64]) {
  return is_product(of) ? want(kernels, "dots", bd_kernel_dots, of, "", name) : BUDDY_UNSUPPORTED;
}

buddy_code bd_kernels_dots_of_pairs(bd_kernels *kernels, const MlirType of[3], char name[64]) {
  return want(kernels, "pairs", bd_kernel_dots_of_pairs, of, "", name);
}

buddy_code bd_kernels_packed(bd_kernels *kernels, const MlirType of[3], char name[64]) {
  char gemm[64];
  const buddy_code code = bd_kernels_gemm(kernels, of, gemm);
  return code == BUDDY_OK ? want(kernels, "packed", bd_kernel_packed, of, gemm, name) : code;
}

buddy_code bd_kernels_convolution(bd_kernels *kernels, MlirType in, MlirType out, char name[64]) {
  char gemm[64];
  const MlirType of[3] = {in, in, out};
  const buddy_code code = bd_kernels_gemm(kernels, of, gemm);
  return code == BUDDY_OK ? want(kernels, "convolution", bd_kernel_convolution, of, gemm, name)
                          : code;
}

buddy_code bd_kernels_transpose(bd_kernels *kernels, MlirType element, char name[64]) {
  const MlirType of[3] = {element, element, element};
  return want(kernels, "transpose", bd_kernel_transpose, of, "", name);
}

buddy_code bd_kernels_filter(bd_kernels *kernels, MlirType element, char name[64]) {
  const MlirType of[3] = {element, element, element};
  if (is_byte(element)) return want_bytes(kernels, name);
  return want(kernels, "filter", bd_kernel_filter, of, "", name);
}

buddy_code bd_kernels_fill(bd_kernels *kernels, MlirType element, char name[64]) {
  const MlirType of[3] = {element, element, element};
  return want(kernels, "fill", bd_kernel_fill, of, "", name);
}

/* ---- Into the module
 * ---------------------------------------------------------------------------------------------- */

/* Moves every function of `from` to the end of `to`. */
static void move_functions(MlirModule from, MlirModule to) {
  const MlirBlock source = mlirModuleGetBody(from), target = mlirModuleGetBody(to);
  MlirOperation op = mlirBlockGetFirstOperation(source);
  while (op.ptr != NULL) {
    const MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(target, op);
    op = next;
  }
}

buddy_code bd_kernels_finish(bd_kernels *kernels, buddy_diags *diags) {
  if (kernels->functions.is_lost) return BUDDY_OUT_OF_MEMORY;
  bd_text_format(&kernels->functions, "func.func private @" BD_RUNTIME_KEEP
                                      "(i64, i64) -> !llvm.ptr\n"
                                      "func.func private @" BD_RUNTIME_KEEP_FILLED
                                      "(i64)\n"
                                      "func.func private @" BD_RUNTIME_PACK
                                      "(i64, i64) -> !llvm.ptr\n"
                                      "func.func private @" BD_RUNTIME_PACKED
                                      "(i64)\n"
                                      "func.func private @" BD_RUNTIME_KEEPER "() -> i64\n");
  const MlirContext context = mlirModuleGetContext(kernels->module);
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, context, diags, BUDDY_INTERNAL, "building kernels");
  const MlirModule parsed = mlirModuleCreateParse(
      context, mlirStringRefCreate(kernels->functions.data, kernels->functions.n));
  bd_mlir_diags_end(&scope);
  if (parsed.ptr == NULL) return BUDDY_INTERNAL;
  move_functions(parsed, kernels->module);
  mlirModuleDestroy(parsed);
  return BUDDY_OK;
}
