// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/hostile/broken.c: one registry that is broken in one way, chosen by -DBROKEN_<way>; without
 * any it is good. NAME is what it is called. The note, the descriptor and the query are written
 * out, so that each can lie alone. */
#include <string.h>

#include "buddy/extensions.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/* ---- What the note says ---- */
#ifdef BROKEN_OTHER_MAJOR
#define NOTE_ABI BUDDY_VERSION(2, 0)
#else
#define NOTE_ABI BUDDY_ABI_VERSION
#endif
#ifdef BROKEN_OTHER_LLVM
#define NOTE_LLVM BUDDY_VERSION(19, 1)
#else
#define NOTE_LLVM 0u
#endif
#if defined(BROKEN_SANITIZER) /* the one that this build is not */
#define NOTE_SANITIZER (BUDDY_SANITIZER == 1u ? 2u : 1u)
#else
#define NOTE_SANITIZER BUDDY_SANITIZER
#endif
#ifdef BROKEN_NOTE_COUNT
#define NOTE_OPS 7u
#else
#define NOTE_OPS N_OPS
#endif
#ifdef BROKEN_WRONG_NAME
#define NOTE_NAME "somebody_else"
#else
#define NOTE_NAME TEXT(NAME)
#endif
#ifdef BROKEN_NOTE_NAME
#undef NOTE_NAME
#define NOTE_NAME "Not A Name"
#endif
#ifdef BROKEN_NOTE_SIZE
#define NOTE_SIZE 16u
#else
#define NOTE_SIZE BUDDY_NOTE_DESC_SIZE
#endif

/* ---- Rows ---- */
__attribute__((unused)) static buddy_code emit(void *state, const buddy_op *self,
                                               buddy_call *call) {
  (void)state;
  (void)self;
  (void)call;
  return BUDDY_OK;
}

#ifdef BROKEN_UNRESOLVED
void buddy_test_symbol_that_nobody_defines(void);
#endif
#ifdef BROKEN_DATA_FUNCTION
static const char not_code[16] = "not code";
#endif
static const buddy_op ops[] = {
#if defined(BROKEN_NULL_NAME)
    {.name = NULL, .args = "self", .emit = emit},
#elif defined(BROKEN_NULL_ARGS)
    {.name = "broken.one.default", .args = NULL, .emit = emit},
#elif defined(BROKEN_NO_FUNCTION)
    {.name = "broken.one.default", .args = "self"},
#elif defined(BROKEN_BOTH_FUNCTIONS)
    {.name = "broken.one.default", .args = "self", .emit = emit, .expand = emit},
#elif defined(BROKEN_OP_NAME)
    {.name = "broken one", .args = "self", .emit = emit},
#elif defined(BROKEN_NOT_UTF8)
    {.name = "broken.one.default", .args = "\xC3\x28", .emit = emit},
#elif defined(BROKEN_UNMAPPED_NAME)
    {.name = (const char *)(uintptr_t)0x1000, .args = "self", .emit = emit},
#elif defined(BROKEN_UNMAPPED_FUNCTION)
    {.name = "broken.one.default",
     .args = "self",
     .emit = (buddy_code (*)(void *, const buddy_op *, buddy_call *))(uintptr_t)0x1000},
#elif defined(BROKEN_DATA_FUNCTION)
    {.name = "broken.one.default",
     .args = "self",
     .emit = (buddy_code (*)(void *, const buddy_op *, buddy_call *))(uintptr_t)not_code},
#elif defined(BROKEN_TWINS)
    {.name = "broken.one.default", .args = "self", .emit = emit},
    {.name = "broken.two.default", .args = "self", .emit = emit, .benefit = 1},
    {.name = "broken.one.default", .args = "self", .emit = emit},
#elif defined(BROKEN_ARGUMENT)
    {.name = "broken.one.default", .args = "self, alfa", .emit = emit},
#elif defined(BROKEN_ARGUMENT_TWICE)
    {.name = "broken.one.default", .args = "self, self", .emit = emit},
#elif defined(BROKEN_EMPTY_ARGUMENT)
    {.name = "broken.one.default", .args = "self,", .emit = emit},
#else
    {.name = "broken.one.default", .args = "self", .emit = emit},
#endif
};
#define N_OPS ((uint32_t)(sizeof ops / sizeof *ops))

static const char *const schemas[] = {
#ifdef BROKEN_SCHEMA
    "broken::one(Tensor self",
#else
    "broken::one(Tensor self, int alpha=1) -> Tensor", "broken::two(Tensor self) -> Tensor",
#endif
    NULL};

/* ---- open() and extensions ---- */
static buddy_code open_registry(const buddy_host *host, void **out_state, char *why,
                                size_t why_size) {
  (void)host;
  *out_state = NULL;
#if defined(BROKEN_OPEN_FAILS)
  strncpy(why, "the licence server\n is down", why_size - 1);
  return BUDDY_PERMISSION;
#elif defined(BROKEN_OPEN_SILENT)
  memset(why, 'x', why_size); /* no end */
  return BUDDY_IO;
#elif defined(BROKEN_OPEN_CODE)
  (void)why;
  (void)why_size;
  return 4711;
#else
  (void)why;
  (void)why_size;
  return BUDDY_OK;
#endif
}

#if defined(BROKEN_RUNTIME_TABLE)
static const void *extension(void *state, const char *id) {
  (void)state;
  return strcmp(id, BUDDY_RUNTIME_ID) == 0 ? (const void *)(uintptr_t)0x1000 : NULL;
}
#elif defined(BROKEN_RUNTIME_SYMBOL) || defined(BROKEN_RUNTIME_NULL) || defined(GOOD_RUNTIME)
static const char data_symbol = 'x';
static void runtime_function(void) {}
static const void *extension(void *state, const char *id) {
  static buddy_runtime_symbol symbols[] = {{"broken_runtime", runtime_function}};
  static const buddy_runtime runtime = {sizeof runtime, 1, symbols};
  (void)state;
#ifdef BROKEN_RUNTIME_SYMBOL
  symbols[0].function = (void (*)(void))(uintptr_t)&data_symbol;
#elif defined(BROKEN_RUNTIME_NULL)
  symbols[0].function = NULL;
  (void)data_symbol;
#else
  (void)data_symbol;
#endif
  return strcmp(id, BUDDY_RUNTIME_ID) == 0 ? &runtime : NULL;
}
#endif

#if defined(BROKEN_TRANSFORMS_UNMAPPED) || defined(BROKEN_TRANSFORMS_SIZE) || \
    defined(BROKEN_TRANSFORMS_STRIDE) || defined(BROKEN_TRANSFORMS_CODE) ||   \
    defined(BROKEN_TRANSFORMS_NAME) || defined(BROKEN_TRANSFORMS_ARGUMENT) || \
    defined(BROKEN_PIPELINE_STAGE) || defined(BROKEN_PIPELINE_TEXT)
#define HAS_TABLES
static buddy_code rewrite(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self, (void)call;
  return BUDDY_DECLINED;
}
static const char no_code[16] = "no code";
static const void *extension(void *state, const char *id) {
  static buddy_transform transform = {
      .name = "fine", .root = "broken.one.default", .args = "self", .rewrite = rewrite};
  static buddy_transforms transforms = {sizeof transforms, 1, sizeof transform, 0, &transform};
  static buddy_pass_fragment fragment = {BUDDY_STAGE_TENSORS, 0, "builtin.module(cse)"};
  static buddy_pipeline pipeline = {sizeof pipeline, 1, sizeof fragment, 0, &fragment};
  (void)state, (void)no_code;
#if defined(BROKEN_TRANSFORMS_UNMAPPED)
  transforms.transforms = (const buddy_transform *)(uintptr_t)0x1000;
#elif defined(BROKEN_TRANSFORMS_SIZE)
  transforms.struct_size = 4;
#elif defined(BROKEN_TRANSFORMS_STRIDE)
  transforms.stride = 9;
#elif defined(BROKEN_TRANSFORMS_CODE)
  transform.rewrite =
      (buddy_code (*)(void *, const buddy_transform *, buddy_call *))(uintptr_t)no_code;
#elif defined(BROKEN_TRANSFORMS_NAME)
  transform.name = NULL;
#elif defined(BROKEN_TRANSFORMS_ARGUMENT)
  transform.args = "myself";
#elif defined(BROKEN_PIPELINE_STAGE)
  fragment.stage = 77;
#elif defined(BROKEN_PIPELINE_TEXT)
  fragment.pipeline = (const char *)(uintptr_t)0x1000;
#endif
  if (!strcmp(id, BUDDY_TRANSFORMS_ID)) return &transforms;
  return strcmp(id, BUDDY_PIPELINE_ID) ? NULL : &pipeline;
}
#endif

#if defined(BROKEN_AHEAD_UNMAPPED) || defined(BROKEN_AHEAD_SIZE) || defined(BROKEN_AHEAD_NAME) || \
    defined(BROKEN_AHEAD_TEXT)
#define HAS_TABLES
static const void *extension(void *state, const char *id) {
  static buddy_ahead ahead = {sizeof ahead, 0, "libfine.so"};
  (void)state;
  if (strcmp(id, BUDDY_AHEAD_ID) != 0) return NULL;
#if defined(BROKEN_AHEAD_UNMAPPED)
  return (const void *)(uintptr_t)0x1000;
#elif defined(BROKEN_AHEAD_SIZE)
  ahead.struct_size = 8;
#elif defined(BROKEN_AHEAD_NAME)
  ahead.file = "lib/../../elsewhere.so";
#elif defined(BROKEN_AHEAD_TEXT)
  ahead.file = (const char *)(uintptr_t)0x1000;
#endif
  return &ahead;
}
#endif

#if defined(BROKEN_NEEDS_MISSING)
static const char *const depends[] = {"not_there", NULL};
#elif defined(NEEDS)
static const char *const depends[] = {TEXT(NEEDS), NULL};
#endif

/* ---- Note, descriptor, query ---- */
#define NOTE(variable)                                                 \
  __attribute__((section(BUDDY_NOTE_SECTION), used,                    \
                 aligned(4))) static const buddy_elf_note variable = { \
      8u,                                                              \
      NOTE_SIZE,                                                       \
      BUDDY_NOTE_TYPE,                                                 \
      {'b', 'u', 'd', 'd', 'y', 0, 0, 0},                              \
      NOTE_ABI,                                                        \
      NOTE_LLVM,                                                       \
      (uint32_t)sizeof(buddy_registry),                                \
      (uint32_t)sizeof(buddy_op),                                      \
      (uint32_t)sizeof(buddy_host),                                    \
      NOTE_OPS,                                                        \
      NOTE_SANITIZER,                                                  \
      0u,                                                              \
      NOTE_NAME,                                                       \
      "1.0.0",                                                         \
      "hostile tests",                                                 \
      "MIT"}
#ifndef BROKEN_NO_NOTE
NOTE(note);
#endif
#ifdef BROKEN_TWO_NOTES
NOTE(second_note);
#endif

static const buddy_registry registry = {
#if defined(BROKEN_SMALL_STRUCT)
    .struct_size = 8,
#elif defined(BROKEN_HUGE_STRUCT)
    .struct_size = 0x7fffffff,
#else
    .struct_size = (uint32_t)sizeof(buddy_registry),
#endif
#ifdef BROKEN_MINOR_LIES
    .abi_version = BUDDY_VERSION(1, 9),
#else
    .abi_version = BUDDY_ABI_VERSION,
#endif
    .name = TEXT(NAME),
#if defined(BROKEN_NULL_VERSION)
    .version = NULL,
#elif defined(BROKEN_NOTE_VERSION)
    .version = "6.6.6",
#else
    .version = "1.0.0",
#endif
    .vendor = "hostile tests",
    .license = "MIT",
#if defined(BROKEN_NULL_OPS)
    .ops = sizeof ops ? NULL : ops,
#elif defined(BROKEN_UNMAPPED_OPS)
    .ops = sizeof ops ? (const buddy_op *)(uintptr_t)0x1000 : ops,
#elif defined(BROKEN_UNALIGNED_OPS)
    .ops = (const buddy_op *)(const void *)((const char *)ops + 4),
#else
    .ops = ops,
#endif
#ifdef BROKEN_NOTE_COUNT
    .n_ops = N_OPS,
#else
    .n_ops = NOTE_OPS,
#endif
#if defined(BROKEN_STRIDE_ZERO)
    .op_stride = 0,
#elif defined(BROKEN_STRIDE_ODD)
    .op_stride = (uint32_t)sizeof(buddy_op) + 1,
#elif defined(BROKEN_STRIDE_HUGE)
    .op_stride = 0x10000,
#else
    .op_stride = (uint32_t)sizeof(buddy_op),
#endif
    .schemas = schemas,
#if defined(BROKEN_NEEDS_MISSING) || defined(NEEDS)
    .depends = depends,
#endif
#ifdef BROKEN_UNMAPPED_LIST
    .dialects = (const char *const *)(uintptr_t)0x1000,
#endif
#ifdef BROKEN_UNALIGNED_LIST
    .dialects = (const char *const *)(const void *)((const char *)ops + 1),
#endif
#ifdef BROKEN_UNMAPPED_OPEN
    .open = sizeof ops
                ? (buddy_code (*)(const buddy_host *, void **, char *, size_t))(uintptr_t)0x1000
                : open_registry,
#else
    .open = open_registry,
#endif
#if defined(BROKEN_RUNTIME_TABLE) || defined(BROKEN_RUNTIME_SYMBOL) || \
    defined(BROKEN_RUNTIME_NULL) || defined(GOOD_RUNTIME) || defined(HAS_TABLES)
    .extension = extension,
#endif
};

#ifdef BROKEN_NO_QUERY
#define QUERY broken_query_of_another_name
BUDDY_EXPORT const buddy_registry *QUERY(uint32_t host_abi);
#else
#define QUERY buddy_registry_query
#endif
const buddy_registry *QUERY(uint32_t host_abi) {
  (void)host_abi;
#if defined(BROKEN_UNRESOLVED)
  buddy_test_symbol_that_nobody_defines();
#endif
#if defined(BROKEN_QUERY_NULL)
  return host_abi ? NULL : &registry;
#elif defined(BROKEN_QUERY_UNMAPPED)
  return host_abi ? (const buddy_registry *)(uintptr_t)0x1000 : &registry;
#else
  return &registry;
#endif
}

#ifdef BROKEN_OWN_LLVM
BUDDY_EXPORT void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch);
BUDDY_EXPORT void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = *minor = *patch = 0;
}
#endif
