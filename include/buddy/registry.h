// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/registry.h: the plugin ABI, version 1.
 *
 * A registry is one shared object, buddy_<name>.so, that exposes one const op table. This header is
 * all that an author needs for the portable tier; it depends on <stddef.h> and <stdint.h> only.
 * Chapters:
 *
 *   1  versions         how both sides may grow
 *   2  codes            the one result type of the project
 *   3  values           strings, dtypes, dims, tensor types, arguments
 *   4  host services    what a row may ask of the host, grouped by purpose
 *   5  rows             one op of the table: what it takes, how it matches, emits or expands
 *   6  the registry     the descriptor, and the one exported symbol
 *   7  the ELF note     what the host reads before any code of the file runs
 *
 * Tiers. A portable registry (llvm_version 0) uses host services only: one binary serves hosts
 * built on any LLVM. A native registry also includes buddy/mlir.h and calls the MLIR C API through
 * libbuddy_mlir; it must have been built for the host's LLVM, and is refused otherwise before its
 * code runs.
 *
 * Ownership. Whatever the registry descriptor reaches is the plugin's, const, and stays valid until
 * close() has returned. Whatever is reached through a buddy_call is the host's and dies when the
 * callback returns; copy what must live longer. Memory is freed by the side that made it.
 *
 * Threads. Each function carries its class: [any-thread], or [call-thread]: only on the thread that
 * is inside the callback which received that call. match, emit and expand run on several threads at
 * once for different calls, unless the registry sets BUDDY_REGISTRY_SERIAL.
 *
 * Exceptions, longjmp, exit and abort must not cross this boundary. */
#ifndef BUDDY_REGISTRY_H
#define BUDDY_REGISTRY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. Versions --------------------------------------------------------------------------------
 * major: anything moved, removed or retyped; both sides must have the same. minor: appended fields
 * or new constants; either side may be newer, missing fields read as zero and extra ones are
 * ignored. */
#define BUDDY_ABI_MAJOR 1u
#define BUDDY_ABI_MINOR 0u
#define BUDDY_VERSION(major, minor) (((uint32_t)(major) << 16) | (uint32_t)(minor))
#define BUDDY_ABI_VERSION BUDDY_VERSION(BUDDY_ABI_MAJOR, BUDDY_ABI_MINOR)

/* True if `field` lies inside *ptr as the side that made *ptr compiled it. */
#define BUDDY_HAS(ptr, type, field) \
  ((ptr)->struct_size >= offsetof(type, field) + sizeof(((type *)0)->field))

#if defined(__GNUC__)
#define BUDDY_EXPORT __attribute__((visibility("default")))
#else
#define BUDDY_EXPORT
#endif

/* ---- 2. Codes -----------------------------------------------------------------------------------
 * One int32_t everywhere, never a C enum across the boundary. X(name, value, when to choose it). */
#define BUDDY_CODES(X)                                                                      \
  X(OK, 0, "success")                                                                       \
  X(DECLINED, 1, "not mine: try the next row; always with a reason")                        \
  X(INVALID_ARGUMENT, 2, "the caller's input breaks a rule of this interface")              \
  X(NOT_FOUND, 3, "a named thing does not exist")                                           \
  X(UNSUPPORTED, 4, "well-formed, but beyond what buddy or any registry can do")            \
  X(INCOMPATIBLE, 5, "another ABI, LLVM, schema or sanitizer")                              \
  X(OUT_OF_MEMORY, 6, "an allocation failed")                                               \
  X(PERMISSION, 7, "path rules, mode bits or a setuid process forbid it")                   \
  X(CORRUPT, 8, "foreign bytes that contradict themselves or their format")                 \
  X(CYCLE, 9, "dependencies or expansions that lead back to themselves")                    \
  X(VERIFY_FAILED, 10, "what was built is not well-formed: graph or MLIR verifier said no") \
  X(LIMIT, 11, "beyond a stated limit")                                                     \
  X(IO, 12, "the operating system could not read or write")                                 \
  X(INTERNAL, 13, "a defect of buddy or of a plugin, never of the user's input")
typedef int32_t buddy_code;
#define BUDDY_OK ((buddy_code)0)
#define BUDDY_DECLINED ((buddy_code)1)
#define BUDDY_INVALID_ARGUMENT ((buddy_code)2)
#define BUDDY_NOT_FOUND ((buddy_code)3)
#define BUDDY_UNSUPPORTED ((buddy_code)4)
#define BUDDY_INCOMPATIBLE ((buddy_code)5)
#define BUDDY_OUT_OF_MEMORY ((buddy_code)6)
#define BUDDY_PERMISSION ((buddy_code)7)
#define BUDDY_CORRUPT ((buddy_code)8)
#define BUDDY_CYCLE ((buddy_code)9)
#define BUDDY_VERIFY_FAILED ((buddy_code)10)
#define BUDDY_LIMIT ((buddy_code)11)
#define BUDDY_IO ((buddy_code)12)
#define BUDDY_INTERNAL ((buddy_code)13)

/* ---- 3. Values ------------------------------------------------------------------------------- */

/* A string that is not NUL-terminated. Field comments name who owns the bytes. */
typedef struct buddy_sv {
  const char *data;
  size_t size;
} buddy_sv;

/* Element types. X(name, number, text, bytes). The number is stable and below 32, so that a set of
 * dtypes is a uint32_t. Text is the short form of messages and of the graph's text form. */
#define BUDDY_DTYPES(X)              \
  X(BOOL, 1, "i1", 1)                \
  X(U8, 2, "u8", 1)                  \
  X(I8, 3, "i8", 1)                  \
  X(I16, 4, "i16", 2)                \
  X(I32, 5, "i32", 4)                \
  X(I64, 6, "i64", 8)                \
  X(U16, 7, "u16", 2)                \
  X(U32, 8, "u32", 4)                \
  X(U64, 9, "u64", 8)                \
  X(F16, 10, "f16", 2)               \
  X(BF16, 11, "bf16", 2)             \
  X(F32, 12, "f32", 4)               \
  X(F64, 13, "f64", 8)               \
  X(C32, 14, "c32", 4)               \
  X(C64, 15, "c64", 8)               \
  X(C128, 16, "c128", 16)            \
  X(F8E4M3FN, 17, "f8e4m3fn", 1)     \
  X(F8E5M2, 18, "f8e5m2", 1)         \
  X(F8E4M3FNUZ, 19, "f8e4m3fnuz", 1) \
  X(F8E5M2FNUZ, 20, "f8e5m2fnuz", 1)
typedef int32_t buddy_dtype; /* 0: none */
#define BUDDY_DTYPE_NONE ((buddy_dtype)0)
#define BUDDY_BOOL ((buddy_dtype)1)
#define BUDDY_U8 ((buddy_dtype)2)
#define BUDDY_I8 ((buddy_dtype)3)
#define BUDDY_I16 ((buddy_dtype)4)
#define BUDDY_I32 ((buddy_dtype)5)
#define BUDDY_I64 ((buddy_dtype)6)
#define BUDDY_U16 ((buddy_dtype)7)
#define BUDDY_U32 ((buddy_dtype)8)
#define BUDDY_U64 ((buddy_dtype)9)
#define BUDDY_F16 ((buddy_dtype)10)
#define BUDDY_BF16 ((buddy_dtype)11)
#define BUDDY_F32 ((buddy_dtype)12)
#define BUDDY_F64 ((buddy_dtype)13)
#define BUDDY_C32 ((buddy_dtype)14)  /* complex of two f16 */
#define BUDDY_C64 ((buddy_dtype)15)  /* complex of two f32 */
#define BUDDY_C128 ((buddy_dtype)16) /* complex of two f64 */
#define BUDDY_F8E4M3FN ((buddy_dtype)17)
#define BUDDY_F8E5M2 ((buddy_dtype)18)
#define BUDDY_F8E4M3FNUZ ((buddy_dtype)19)
#define BUDDY_F8E5M2FNUZ ((buddy_dtype)20)

/* Sets of dtypes, for the masks of a row. */
#define BUDDY_DTYPE_BIT(dtype) (1u << (uint32_t)(dtype))
#define BUDDY_ANY_DTYPE 0u
#define BUDDY_FLOATS                                                                       \
  (BUDDY_DTYPE_BIT(BUDDY_F16) | BUDDY_DTYPE_BIT(BUDDY_BF16) | BUDDY_DTYPE_BIT(BUDDY_F32) | \
   BUDDY_DTYPE_BIT(BUDDY_F64))
#define BUDDY_SIGNED                                                                     \
  (BUDDY_DTYPE_BIT(BUDDY_I8) | BUDDY_DTYPE_BIT(BUDDY_I16) | BUDDY_DTYPE_BIT(BUDDY_I32) | \
   BUDDY_DTYPE_BIT(BUDDY_I64))
#define BUDDY_UNSIGNED                                                                   \
  (BUDDY_DTYPE_BIT(BUDDY_U8) | BUDDY_DTYPE_BIT(BUDDY_U16) | BUDDY_DTYPE_BIT(BUDDY_U32) | \
   BUDDY_DTYPE_BIT(BUDDY_U64))
#define BUDDY_INTS (BUDDY_SIGNED | BUDDY_UNSIGNED)
#define BUDDY_BOOLS BUDDY_DTYPE_BIT(BUDDY_BOOL)
#define BUDDY_COMPLEXES \
  (BUDDY_DTYPE_BIT(BUDDY_C32) | BUDDY_DTYPE_BIT(BUDDY_C64) | BUDDY_DTYPE_BIT(BUDDY_C128))

/* A dim, and any integer argument, is an int64_t: a number, or a symbolic expression over the shape
 * symbols of the graph, which occupies the 2^31 lowest values. Expressions are interned in normal
 * form: equal int64_t, equal dims. */
#define BUDDY_IS_SYMBOLIC(dim) ((int64_t)(dim) < INT64_MIN + (int64_t)0x80000000)

/* A ranked tensor. Never grows. */
typedef struct buddy_tensor_type {
  buddy_dtype dtype;
  uint32_t rank;
  const int64_t *dims; /* rank of them; outermost first; each may be symbolic */
} buddy_tensor_type;

typedef struct buddy_value buddy_value; /* a tensor of the graph: one result of one node */
typedef struct buddy_graph buddy_graph; /* a sub-graph, as an argument of control flow */
typedef struct buddy_call
    buddy_call; /* one question about one node; dies when the callback returns */

/* Arguments of a node, after the importer's normalisation: every argument of the op's schema is
 * present, defaults filled in. */
typedef int32_t buddy_arg_kind;
#define BUDDY_ARG_NONE ((buddy_arg_kind)0)     /* None */
#define BUDDY_ARG_TENSOR ((buddy_arg_kind)1)   /* .tensor */
#define BUDDY_ARG_TENSORS ((buddy_arg_kind)2)  /* .tensors, .n; an element may be null: None */
#define BUDDY_ARG_INT ((buddy_arg_kind)3)      /* .i; may be symbolic */
#define BUDDY_ARG_INTS ((buddy_arg_kind)4)     /* .ints, .n; each may be symbolic */
#define BUDDY_ARG_FLOAT ((buddy_arg_kind)5)    /* .f */
#define BUDDY_ARG_FLOATS ((buddy_arg_kind)6)   /* .floats, .n */
#define BUDDY_ARG_BOOL ((buddy_arg_kind)7)     /* .i: 0 or 1 */
#define BUDDY_ARG_BOOLS ((buddy_arg_kind)8)    /* .ints, .n: each 0 or 1 */
#define BUDDY_ARG_STRING ((buddy_arg_kind)9)   /* .string, .n bytes, NUL-terminated as well */
#define BUDDY_ARG_STRINGS ((buddy_arg_kind)10) /* .strings, .n, each NUL-terminated */
#define BUDDY_ARG_DTYPE ((buddy_arg_kind)11)   /* .i: a buddy_dtype */
#define BUDDY_ARG_DEVICE ((buddy_arg_kind)12)  /* .string: "cpu", "cuda:0" */
#define BUDDY_ARG_LAYOUT ((buddy_arg_kind)13)  /* .string: "strided", … */
#define BUDDY_ARG_MEMORY_FORMAT \
  ((buddy_arg_kind)14) /* .string: "contiguous", "preserve", "channels_last", … */
#define BUDDY_ARG_COMPLEX \
  ((buddy_arg_kind)15)                       /* .floats[0] real, .floats[1] imaginary; .n is 2 \
                                              */
#define BUDDY_ARG_GRAPH ((buddy_arg_kind)16) /* .graph */

/* One argument. Never grows. Arrays are borrowed from whoever made the struct; callees copy what
 * they keep. */
typedef struct buddy_arg {
  buddy_arg_kind kind;
  uint32_t reserved; /* 0 */
  size_t n;          /* elements of a list, bytes of a string */
  union {
    int64_t i;
    double f;
    const buddy_value *tensor;
    const buddy_value *const *tensors;
    const int64_t *ints;
    const double *floats;
    const char *string;
    const char *const *strings;
    const buddy_graph *graph;
  } as;
} buddy_arg;

/* An argument by its schema name, for building nodes. */
typedef struct buddy_named_arg {
  const char *name;
  buddy_arg arg;
} buddy_named_arg;

/* Arithmetic on dims, for host->dim. */
typedef int32_t buddy_dim_op;
#define BUDDY_DIM_ADD ((buddy_dim_op)0)
#define BUDDY_DIM_SUB ((buddy_dim_op)1)
#define BUDDY_DIM_MUL ((buddy_dim_op)2)
#define BUDDY_DIM_FLOORDIV ((buddy_dim_op)3)
#define BUDDY_DIM_MOD ((buddy_dim_op)4)
#define BUDDY_DIM_MAX ((buddy_dim_op)5)
#define BUDDY_DIM_MIN ((buddy_dim_op)6)

/* Handles of the IR under construction, for the portable tier: one pointer each, null when invalid.
 */
typedef struct buddy_ir_type {
  const void *ptr;
} buddy_ir_type;
typedef struct buddy_ir_attr {
  const void *ptr;
} buddy_ir_attr;
typedef struct buddy_ir_value {
  const void *ptr;
} buddy_ir_value;
typedef struct buddy_ir_named_attr {
  buddy_sv name;
  buddy_ir_attr attr;
} buddy_ir_named_attr;

/* What host->ir_op builds. All arrays are borrowed for the call. */
typedef struct buddy_ir_spec {
  uint32_t struct_size; /* sizeof(buddy_ir_spec) */
  uint32_t flags;       /* 0 */
  buddy_sv name;        /* "tosa.add" */
  const buddy_ir_value *operands;
  size_t n_operands;
  const buddy_ir_type *result_types;
  size_t n_results;
  const buddy_ir_named_attr *attrs;
  size_t n_attrs;
} buddy_ir_spec;

/* ---- 4. Host services ---------------------------------------------------------------------------
 * Owned by the host, read-only, valid from open() until close() has returned. */
typedef struct buddy_host {
  uint32_t struct_size;
  uint32_t abi_version;
  uint32_t llvm_version; /* BUDDY_VERSION(22, 1); 0: a host that only plans */
  uint32_t flags;

  /* Memory. scratch dies with the call and is null when memory is out [call-thread]; alloc and free
   * are for the state that open() makes [any-thread]. */
  void *(*scratch)(buddy_call *call, size_t size);
  void *(*alloc)(size_t size);
  void (*free)(void *memory);

  /* Outcome. Both copy `why` and return the code, so a row ends with `return host->decline(call,
   * why)`. decline: not mine, as a sentence that a user understands ("dilation is not 1"). fail: a
   * defect, which ends the lowering unless the user asked to go on. [call-thread] */
  buddy_code (*decline)(buddy_call *call, buddy_sv why);
  buddy_code (*fail)(buddy_call *call, buddy_code code, buddy_sv why);

  /* The node. Arguments are numbered as the row's `args` lists them, not as the schema does. A
   * number out of range or an accessor of another kind yields zero or null and makes the call fail.
   * Reading an argument marks it consumed. [call-thread] */
  buddy_sv (*op_name)(const buddy_call *call);
  size_t (*n_args)(const buddy_call *call);
  const buddy_arg *(*arg)(buddy_call *call, size_t i);
  size_t (*n_results)(const buddy_call *call);
  const buddy_tensor_type *(*result_type)(const buddy_call *call, size_t i);
  const buddy_tensor_type *(*value_type)(const buddy_call *call, const buddy_value *value);

  /* A dim from two dims; numbers fold. Returns 0 and makes the call fail on division by the number
   * 0 or when memory is out. [call-thread] */
  int64_t (*dim)(buddy_call *call, buddy_dim_op op, int64_t a, int64_t b);

  /* Expansion, inside expand() only. node adds one op in front of the node being expanded;
   * arguments at their default may be left out; types: one per result, or null where the kind of op
   * allows inference (elementwise, reduce). replace says which value stands for result i from now
   * on. What was added is undone unless expand() returns BUDDY_OK with every used result replaced.
   * [call-thread] */
  buddy_code (*node)(buddy_call *call, const char *op, const buddy_named_arg *args, size_t n_args,
                     const buddy_tensor_type *types, size_t n_types,
                     const buddy_value **out_results);
  buddy_code (*replace)(buddy_call *call, size_t i, const buddy_value *value);

  /* Emission, inside emit() only. Null handles on failure, which is recorded in the call. ir_op
   * appends to the call's own block; the host verifies it and splices the block, or undoes it all.
   * ir_dim gives a dim as a value of type index. [call-thread] */
  buddy_ir_value (*ir_value)(buddy_call *call, const buddy_value *value);
  buddy_ir_type (*ir_tensor_type)(buddy_call *call, const buddy_tensor_type *type);
  buddy_ir_type (*ir_type_parse)(buddy_call *call, buddy_sv text);
  buddy_ir_attr (*ir_attr_parse)(buddy_call *call, buddy_sv text);
  buddy_ir_attr (*ir_attr_dense)(buddy_call *call, const buddy_tensor_type *type, const void *bytes,
                                 size_t n_bytes);
  buddy_ir_value (*ir_dim)(buddy_call *call, int64_t dim);
  buddy_code (*ir_op)(buddy_call *call, const buddy_ir_spec *spec, buddy_ir_value *out_results);
  buddy_code (*ir_set_result)(buddy_call *call, size_t i, buddy_ir_value value);

  /* Named, separately versioned tables ("vendor.example.com.thing/1"); null if this host has none
   * of that name. [any-thread] */
  const void *(*extension)(const char *id);
} buddy_host;

/* ---- 5. Rows ------------------------------------------------------------------------------------
 * A row takes one op in some cases. Before match is asked, the host itself has declined, with a
 * reason, what the row's fields exclude: an argument that `args` does not list and that is not at
 * its default; a dtype outside the masks; a symbolic dim under BUDDY_ROW_STATIC. After emit, the
 * host refuses a row that listed an argument not at its default and never read it: no argument is
 * dropped silently. */
#define BUDDY_ROW_STATIC 1u /* flags: every tensor argument and result has only numbers as dims */
/* flags: asked behind the rows of all other registries of the order, wherever its own stands: for a
 * lowering that is right, but less exact or slower than what others have, and there for orders
 * without them. A pin puts it in front all the same. */
#define BUDDY_ROW_LAST 2u

typedef struct buddy_op buddy_op;
struct buddy_op {
  const char *name; /* "aten.add.Tensor"; required */
  const char *args; /* "self, other, alpha": schema names that this row consumes, in its own order;
                       required */
  uint32_t in_dtypes;  /* every tensor argument listed is of this set; 0: any */
  uint32_t out_dtypes; /* every result likewise */
  uint32_t benefit;    /* order among rows of one name in one registry: high first */
  uint32_t flags;      /* BUDDY_ROW_… */
  /* Pure question; builds nothing. Null: yes. */
  buddy_code (*match)(void *state, const buddy_op *self, buddy_call *call);
  /* Exactly one of the two is set. emit builds IR and sets every result; BUDDY_DECLINED is allowed,
   * the host undoes what was built and tries the next row. expand replaces the node by simpler
   * ones, each resolved by the whole order again. */
  buddy_code (*emit)(void *state, const buddy_op *self, buddy_call *call);
  buddy_code (*expand)(void *state, const buddy_op *self, buddy_call *call);
  const void *user; /* the plugin's own, e.g. "tosa.add": one emit for forty ops */
};

/* ---- 6. The registry ------------------------------------------------------------------------- */
#define BUDDY_REGISTRY_SERIAL \
  1u /* flags: the host holds one lock around match, emit and expand \
      */

typedef struct buddy_registry {
  uint32_t struct_size;  /* sizeof(buddy_registry) as compiled */
  uint32_t abi_version;  /* BUDDY_ABI_VERSION as compiled */
  uint32_t llvm_version; /* 0: portable; else equals the host's */
  uint32_t flags;        /* BUDDY_REGISTRY_… */
  const char *name;      /* [a-z][a-z0-9_]{0,30}; the file is buddy_<name>.so */
  const char *version;   /* of the plugin, semver */
  const char *vendor;
  const char *license;         /* SPDX id, or "LicenseRef-…" for closed ones */
  const char *const *dialects; /* MLIR dialects to load, null-terminated; may be null */
  const char *const *depends;  /* registries that must be loaded too, likewise */
  const char *const *schemas;  /* definitions of ops of its own, likewise:
                                  "acme::fused(Tensor q, Tensor k, float scale=1.0) -> Tensor" */
  const buddy_op *ops;
  uint32_t n_ops;
  uint32_t op_stride; /* sizeof(buddy_op) as compiled */
  /* May be null. Once per process; a failure writes a NUL-terminated sentence to why, and close is
   * not called. */
  buddy_code (*open)(const buddy_host *host, void **out_state, char *why, size_t why_size);
  void (*close)(void *state);
  /* Named, separately versioned tables of the plugin: "buddy.runtime/1" (buddy_runtime below). May
   * be null. */
  const void *(*extension)(void *state, const char *id);
} buddy_registry;

/* Extension "buddy.runtime/1": functions that emitted code calls by name, linked into JIT-compiled
 * code. */
#define BUDDY_RUNTIME_ID "buddy.runtime/1"
typedef struct buddy_runtime_symbol {
  const char *name;       /* as the emitted code spells it */
  void (*function)(void); /* cast from its real type; null: it is in the library that buddy.ahead/1
                             (extensions.h) names, which is loaded when code that calls one of the
                             functions is linked */
} buddy_runtime_symbol;
typedef struct buddy_runtime {
  uint32_t struct_size;
  uint32_t n_symbols;
  const buddy_runtime_symbol *symbols;
} buddy_runtime;
/* void (int32_t n): a function of the table with this name and the registry's behind it, as in
 * "buddy_threads_acme", is told, before each run of code that calls others of the table, how many
 * threads they may use on the calling thread from then on. */
#define BUDDY_THREADS_FUNCTION "buddy_threads_"
/* void (const buddy_crew *crew): a function of the table with this name and the registry's behind
 * it, as in "buddy_crew_acme", is given the host's own threads, right after the function above was
 * told; null: there are none from then on. A table that has this one wants no threads of its own,
 * which would be in the way of the host's. The crew lives as long as the code that runs. */
#define BUDDY_CREW_FUNCTION "buddy_crew_"
typedef struct buddy_crew {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  /* Calls units(context, first, last), for the units from `first` to before `last`, until all of
   * 0 to n_units are done, each once, on the threads that the run of the calling thread has, and
   * returns then. Their order is not said; units must not depend on one another. cost: of one
   * unit, about as many as a loop does simple operations on elements. What is spread from within a
   * unit stays on its thread, and so does what is spread by a thread that runs no compiled code. */
  void (*spread)(void (*units)(void *context, int64_t first, int64_t last), void *context,
                 int64_t n_units, int64_t cost);
} buddy_crew;

/* void (const buddy_run *run): a function of the table with this name and the registry's behind it,
 * as in "buddy_run_acme", is given, before each run, what functions that the run calls may ask of
 * it: those whose calls have effects (BUDDY_CALL_EFFECTS) need it to fail. Its functions are for the
 * run's thread alone, inside of a call that the run makes. It lives as long as the code that runs. */
#define BUDDY_RUN_FUNCTION "buddy_run_"
typedef struct buddy_run {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  /* Keeps why the function that is being called fails, a sentence, and gives what it returns then,
   * which is not 0: the run ends, and its error is `code` with that sentence and the place in the
   * model. The first reason is kept. */
  int64_t (*fail)(buddy_code code, const char *why);
  /* `ended` is called once when this run ends, with BUDDY_OK or why it failed. Asking again with the
   * same two changes nothing. */
  buddy_code (*at_end)(void (*ended)(void *user, buddy_code code), void *user);
  /* What the user has set (buddy_model_options.settings) under a name such as "acme.speed"; else the
   * variable BUDDY_ACME_SPEED, unless the process has raised rights; else null. Lent for the call. */
  const char *(*setting)(const char *name);
  /* The address of `symbol` in a library, which is judged as registries are before any code of it
   * runs, and stays loaded. file: a path with a slash, or a name that is looked for in the folders of
   * BUDDY_PLUGIN_PATH and beside the file that `beside` lies in. Null: fail() has the reason. */
  void *(*library)(const char *file, const char *symbol, const void *beside);
  /* Inside of `ended`: the sentence of the error that the run ended with; null after BUDDY_OK. Lent
   * for the call. */
  const char *(*reason)(void);
} buddy_run;

/* What emitted code may say of its calls of such functions, as i64 attributes of the func.call;
 * bk_call (kit.h) writes them. A set of operands has the bit 1 << i for operand i, a memref.
 *
 *   buddy.inputs  a number n: the first n operands are read, and written to by nobody; no other
 *                 memory is read, and the same operands give the same results
 *   buddy.pixels  a set: images of four axes n, c, h, w that the function reads and writes at any
 *                 strides, best where channels lie innermost. The host may then let them lie so
 *   buddy.keeps   a set of inputs of which the function makes something that it can use again:
 *                 weights in an order of its own. The last two operands are i64, and 0 as emitted.
 *                 Where all of the set is constant as long as the program lives, the host puts
 *                 there the number of a slot, and the address of a buddy_keeper
 *   buddy.effects 1: others see that the call was made (another process, a device). It is made once
 *                 in each run where the program has it, in the program's order; it is not dropped,
 *                 merged, moved or computed once, and what it gives is not the same in the next run,
 *                 whatever buddy.inputs says. Its op is of a kind that is not dropped either:
 *                 side_effect. It returns an i64, which a cf.assert behind it holds to be 0;
 *                 buddy_run.fail says why it is not */
#define BUDDY_CALL_INPUTS "buddy.inputs"
#define BUDDY_CALL_PIXELS "buddy.pixels"
#define BUDDY_CALL_KEEPS "buddy.keeps"
#define BUDDY_CALL_EFFECTS "buddy.effects"
typedef struct buddy_keeper {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  /* The slot's memory: n_bytes, aligned to 64, for as long as the compiled program lives; null when
   * memory is out. Who asks first says how large it is. With *out_is_filled 0 it is the caller who
   * fills it and then calls filled(); others who ask wait for that. Only from the function that was
   * given the slot, on the thread that called it. */
  void *(*get)(int64_t slot, int64_t n_bytes, int32_t *out_is_filled);
  void (*filled)(int64_t slot);
} buddy_keeper;

/* The one exported symbol. Pure: no allocation, no host call; may be called many times,
 * [any-thread]. Returns null if it cannot serve a host of `host_abi`. */
#define BUDDY_REGISTRY_QUERY "buddy_registry_query"
typedef const buddy_registry *(*buddy_registry_query_fn)(uint32_t host_abi);
BUDDY_EXPORT const buddy_registry *buddy_registry_query(uint32_t host_abi);

/* ---- 7. The ELF note ----------------------------------------------------------------------------
 * Read from the file before any of its code runs; `buddy registries` lists from it alone. */
typedef struct buddy_elf_note {
  uint32_t namesz, descsz, type; /* 8, size of what follows the name, BUDDY_NOTE_TYPE */
  char name[8];                  /* "buddy" */
  uint32_t abi_version, llvm_version, registry_size, op_size, host_size, n_ops, sanitizer, flags;
  char registry_name[32], version[32], vendor[64], license[64]; /* NUL-terminated */
} buddy_elf_note;
#define BUDDY_NOTE_SECTION ".note.buddy"
#define BUDDY_NOTE_TYPE 1u
#define BUDDY_NOTE_DESC_SIZE \
  ((uint32_t)(sizeof(buddy_elf_note) - offsetof(buddy_elf_note, abi_version)))

#if defined(__SANITIZE_ADDRESS__)
#define BUDDY_SANITIZER 1u
#elif defined(__SANITIZE_THREAD__)
#define BUDDY_SANITIZER 2u
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BUDDY_SANITIZER 1u
#elif __has_feature(thread_sanitizer)
#define BUDDY_SANITIZER 2u
#endif
#endif
#ifndef BUDDY_SANITIZER
#define BUDDY_SANITIZER 0u
#endif

/* Put once, at file scope: defines the note, the descriptor and the query. `ops` is the array
 * itself. Further fields of buddy_registry follow as designated initialisers:
 *
 *   BUDDY_REGISTRY(tosa, "1.0.0", "buddy", "Apache-2.0", BUDDY_VERSION(22, 1), ops, .dialects =
 * dialects);
 */
#define BUDDY_REGISTRY(id, version_, vendor_, license_, llvm, ops_, ...)      \
  __attribute__((section(BUDDY_NOTE_SECTION), used,                           \
                 aligned(4))) static const buddy_elf_note buddy_elf_note_ = { \
      8u,                                                                     \
      BUDDY_NOTE_DESC_SIZE,                                                   \
      BUDDY_NOTE_TYPE,                                                        \
      {'b', 'u', 'd', 'd', 'y', 0, 0, 0},                                     \
      BUDDY_ABI_VERSION,                                                      \
      (llvm),                                                                 \
      (uint32_t)sizeof(buddy_registry),                                       \
      (uint32_t)sizeof(buddy_op),                                             \
      (uint32_t)sizeof(buddy_host),                                           \
      (uint32_t)(sizeof(ops_) / sizeof((ops_)[0])),                           \
      BUDDY_SANITIZER,                                                        \
      0u,                                                                     \
      #id,                                                                    \
      version_,                                                               \
      vendor_,                                                                \
      license_};                                                              \
  static const buddy_registry buddy_registry_ = {                             \
      .struct_size = (uint32_t)sizeof(buddy_registry),                        \
      .abi_version = BUDDY_ABI_VERSION,                                       \
      .llvm_version = (llvm),                                                 \
      .name = #id,                                                            \
      .version = version_,                                                    \
      .vendor = vendor_,                                                      \
      .license = license_,                                                    \
      .ops = (ops_),                                                          \
      .n_ops = (uint32_t)(sizeof(ops_) / sizeof((ops_)[0])),                  \
      .op_stride = (uint32_t)sizeof(buddy_op),                                \
      __VA_ARGS__};                                                           \
  const buddy_registry *buddy_registry_query(uint32_t host_abi) {             \
    return (host_abi >> 16) == BUDDY_ABI_MAJOR ? &buddy_registry_ : NULL;     \
  }                                                                           \
  struct buddy_registry_needs_semicolon_

#ifdef __cplusplus
}
#endif
#endif
