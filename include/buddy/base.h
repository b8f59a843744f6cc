// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/base.h: what every other chapter stands on: codes as words, diagnostics, text writers.
 *
 * Rules of the whole C API. Functions that can fail return a buddy_code (registry.h, chapter 2) and
 * explain themselves in the buddy_diags that they take; a null buddy_diags means that the caller
 * wants the code alone. Out parameters come last, are named out_, and are null or zero after a
 * failure. Verbs tell ownership: create/destroy and open/close own; get/find lend; take hands over;
 * add keeps a copy. Nothing here prints, exits or aborts, and there are no globals: objects of
 * different contexts may be used on different threads at once; one object, one thread at a time,
 * unless its comment says [any-thread]. Functions that the library calls say [call-thread] where they
 * run on the thread that called it. */
#ifndef BUDDY_BASE_H
#define BUDDY_BASE_H

#include "buddy/registry.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BUDDY_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define BUDDY_PRINTF(text, args)
#endif

/* The library's version, "1.0.0". Static. */
BUDDY_EXPORT const char *buddy_version(void);

/* "INVALID_ARGUMENT" for BUDDY_INVALID_ARGUMENT; "?" for a number that is no code. Static. */
BUDDY_EXPORT const char *buddy_code_name(buddy_code code);

/* "f32" for BUDDY_F32, "?" for a number that is no dtype. Static. */
BUDDY_EXPORT const char *buddy_dtype_name(buddy_dtype dtype);
/* BUDDY_F32 for "f32"; BUDDY_DTYPE_NONE if there is none of that name. */
BUDDY_EXPORT buddy_dtype buddy_dtype_find(buddy_sv name);
/* Bytes of one element; 0 for a number that is no dtype. */
BUDDY_EXPORT size_t buddy_dtype_size(buddy_dtype dtype);

/* ---- Diagnostics: every problem of one kind, reported together ------------------------------- */
typedef int32_t buddy_severity;
#define BUDDY_ERROR ((buddy_severity)0)
#define BUDDY_WARNING ((buddy_severity)1)
#define BUDDY_NOTE ((buddy_severity)2)

/* One problem. Its texts are never null, live as long as the buddy_diags, and have no controls. */
typedef struct buddy_diag {
  buddy_severity severity;
  buddy_code code;
  const char *where; /* "resnet.pt2: conv2d_3 (model.py:41, layer1.0.conv2)"; "" if nowhere */
  const char *what;  /* what is wrong, and why: one sentence without a full stop */
  const char *todo;  /* what the user can do; "" if nothing is known */
} buddy_diag;

typedef struct buddy_diags buddy_diags;
BUDDY_EXPORT buddy_code buddy_diags_create(buddy_diags **out_diags);
BUDDY_EXPORT void buddy_diags_destroy(buddy_diags *diags);
BUDDY_EXPORT void buddy_diags_clear(buddy_diags *diags);
BUDDY_EXPORT size_t buddy_diags_count(const buddy_diags *diags);
BUDDY_EXPORT const buddy_diag *buddy_diags_get(const buddy_diags *diags, size_t i);
/* Adds one and returns `code`, so that an error path is one line. `diags`, `where` and `todo` may
 * be null. When memory is out the text is dropped and BUDDY_OUT_OF_MEMORY returned. */
BUDDY_EXPORT buddy_code buddy_diags_add(buddy_diags *diags, buddy_severity severity,
                                        buddy_code code, const char *where, const char *todo,
                                        const char *format, ...) BUDDY_PRINTF(6, 7);
/* Calls `listen` with each one that is added from now on, which an application logs as it comes: notes,
 * such as who took a model's nodes, warnings and errors. Null: no more. It adds none and clears none.
 * [call-thread] */
BUDDY_EXPORT void buddy_diags_listen(buddy_diags *diags,
                                     void (*listen)(void *user, const buddy_diag *diag),
                                     void *user);

/* ---- Text out: a sink that takes bytes as they come ------------------------------------------ */
/* write returns BUDDY_OK, or a code that stops the producer and becomes its result. */
typedef struct buddy_writer {
  buddy_code (*write)(void *user, const char *data, size_t size);
  void *user;
} buddy_writer;

#ifdef __cplusplus
}
#endif
#endif
