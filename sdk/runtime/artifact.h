// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/artifact.h: a compiled model as it lies in an object file: read-only data that the
 * compiler writes and this library uses where it is.
 *
 * There is nothing to parse: the structs below, and those of signature.h, are emitted as
 * initialised data for the target, field by field (sdk/compile/ahead/artifact.c), and linked like any
 * other data. All of it is for 64-bit little-endian targets. A change to any of these structs
 * changes BD_ARTIFACT_FORMAT.
 *
 * Weights are in the object itself, in a file of their own (weights_file.h), or in the archive that
 * the model came from. */
#ifndef BUDDY_SDK_RUNTIME_ARTIFACT_H
#define BUDDY_SDK_RUNTIME_ARTIFACT_H

#include "sdk/runtime/model.h"
#include "sdk/runtime/weights_file.h"

#define BD_ARTIFACT_FORMAT 7u               /* the signature tells of inputs that are not read */
#define BD_ARTIFACT_OLDEST 2u               /* that is read: its signature ends before the guards */
#define BD_ARTIFACT_ROWS 5u                 /* that tells of rows */
#define BD_ARTIFACT_GROWTHS 6u              /* that tells of inputs that grow */
#define BD_ARTIFACT_UNREAD 7u               /* that tells of inputs that are not read */
#define BD_ARTIFACT_SYMBOL "buddy_artifact" /* of a shared object: the artifact that it holds */
/* Of one with several programs: BD_ARTIFACT_SYMBOL, '.' and a program's name is its artifact, and this a
 * text of their names, with ", " between. */
#define BD_PROGRAMS_SYMBOL "buddy_programs"
#define BD_PROGRAM_SYMBOL "buddy_program" /* of one with one program: its name */

/* Bytes of one input of the program; those of user inputs are not there. */
typedef struct bd_weight {
  int64_t at;             /* from the start of the data; -1: a user input */
  uint64_t n_bytes;       /* of the storage */
  int64_t offset;         /* of element 0, in elements */
  const int64_t *strides; /* in elements; null: dense */
  const void *bytes;      /* the storage, where it is in the object itself; else null */
} bd_weight;

/* A file with functions of a registry, which is loaded with the model (buddy.ahead/1). */
typedef struct bd_supplier {
  const char *registry; /* "vendor" */
  const char *version;  /* the one that the model was compiled with */
  const char *file;     /* "libNAME.so", or "buddy_vendor.so": the registry's own */
  const char *folder;   /* where it was then; null: compiled for another machine */
} bd_supplier;

/* A function that the code calls through a slot, which whoever loads the object fills. */
typedef struct bd_artifact_import {
  const char *name;
  void **slot;
  uint64_t supplier; /* which of the artifact's has it; of no meaning if it has none */
} bd_artifact_import;

/* How the typed function takes an output of the user; as a number: in how many parameters. */
typedef enum bd_passing {
  BD_PASSING_NONE,      /* no parameter: the output is None */
  BD_PASSING_GIVEN,     /* void *: memory for all elements, whose number follows from the inputs */
  BD_PASSING_ALLOCATED, /* void **, int64_t *: memory that free() frees, and its sizes */
} bd_passing;

typedef enum bd_placement { BD_IN_OBJECT, BD_IN_FILE, BD_IN_ARCHIVE } bd_placement;

typedef struct bd_artifact bd_artifact;
struct bd_artifact {
  uint32_t format;      /* BD_ARTIFACT_FORMAT */
  uint32_t placement;   /* bd_placement of the weights */
  const char *name;     /* of the model: the prefix of its functions */
  const char *producer; /* "buddy 1.0.0" */
  const char *features; /* of the processor that the code needs, "avx2,avx512f"; may be "" */
  const bd_signature *signature;
  const bd_assertion *assertions;
  uint64_t n_assertions;
  const uint32_t *result_ranks;
  uint64_t n_results;
  bd_entry entry;
  void *(*allocate)(size_t n_bytes); /* of the runtime that the code is linked with */
  const bd_weight *weights;          /* one per input of the signature */
  const uint32_t *passing;           /* bd_passing, one per output of the signature */
  const void *data;        /* the weights, in the object; else the name of their file, or null:
                                        the model's name and ".weights" */
  uint64_t n_data;         /* bytes; of a file, with its header */
  const uint8_t *identity; /* BD_IDENTITY_SIZE */
  const bd_artifact_import *imports;
  uint64_t n_imports;
  const bd_supplier *suppliers;
  uint64_t n_suppliers;
  /* Fills the slots from the suppliers; of the runtime that the code is linked with, and null where
   * there are none, so that no other model has that part of the runtime in it. */
  buddy_code (*bind)(const bd_artifact *artifact, buddy_diags *diags);
};

/* Binds the weights and makes the artifact a model. path: of the file with the weights;
 * null: NAME.weights beside the object that the artifact lies in. The artifact must outlive the
 * model. */
buddy_code bd_artifact_load(const bd_artifact *artifact, const char *path, buddy_diags *diags,
                            buddy_model **out_model);
/* The same over weights that the caller has in memory, and keeps until the model is destroyed. */
buddy_code bd_artifact_load_on(const bd_artifact *artifact, const void *data, size_t n_data,
                               buddy_diags *diags, buddy_model **out_model);

/* "<folder of the object that the artifact lies in>/NAME"; the caller frees it. */
char *bd_artifact_beside(const bd_artifact *artifact, const char *name);

/* ---- Called by the functions that the compiler writes, whose header tells what they do ------- */
/* why: receives what went wrong, in one line; may be null. */
void *buddy_runtime_load(const bd_artifact *artifact, const char *path, char *why, size_t why_size);
/* symbols: values of the shape symbols, one per symbol of the signature. inputs, outputs: what the
 * typed function was given, in order. */
buddy_code buddy_runtime_run(void *model, const int64_t *symbols, void *const *inputs,
                             void *const *outputs, char *why, size_t why_size);
void buddy_runtime_set_threads(void *model, int32_t n_threads);
void buddy_runtime_destroy(void *model);
/* bd_artifact.bind. [any-thread] */
buddy_code buddy_runtime_bind(const bd_artifact *artifact, buddy_diags *diags);

#endif
