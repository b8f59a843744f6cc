// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/registry.h: the plugin ABI, version 1.
 *
 * A registry is one shared object, buddy_<name>.so, that exposes one const op table. This header is
 * all that an author needs for the portable tier; with the two that it includes it depends on
 * <stddef.h> and <stdint.h> only. Chapters:
 *
 *   1  versions         how both sides may grow
 *   2  codes            the one result type of the project                   (values.h)
 *   3  values           strings, dtypes, dims, tensor types, arguments       (values.h)
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

#include "buddy/runtime.h"
#include "buddy/values.h"

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

/* ---- 4. Host services ------------------------------------------------------------------------ */

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

/* Owned by the host, read-only, valid from open() until close() has returned. */
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

  /* Expansion, inside expand() only. node adds one op before the node being expanded;
   * arguments at their default may be left out; types: one per result, or null where the kind of op
   * allows inference (elementwise, reduce). replace says which value stands for result i from now
   * on. What was added is undone unless expand() returns BUDDY_OK with every used result replaced;
   * a row that leaves out one beyond the first has declined the nodes whose users read it.
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
/* flags: every tensor argument and result has only numbers as dims */
#define BUDDY_ROW_STATIC 1u
/* flags: asked after the rows of all other registries of the order, wherever its own stands: for a
 * lowering that is right, but less exact or slower than what others have, and there for orders
 * without them. A pin puts it first all the same. */
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
/* flags: the host holds one lock around match, emit and expand */
#define BUDDY_REGISTRY_SERIAL 1u

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
  /* Named, separately versioned tables of the plugin (extensions.h). May be null. */
  const void *(*extension)(void *state, const char *id);
} buddy_registry;

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
 *   BUDDY_REGISTRY(tosa, "1.0.0", "buddy", "Apache-2.0", BUDDY_VERSION(22, 1), ops,
 *                  .dialects = dialects); */
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
