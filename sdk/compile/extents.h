// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/extents.h: sizes that only a run knows, reckoned with as if they were known.
 *
 * For each value of the program that sizes are made of, a prime stands that is a factor of no known
 * size. A product of known and unknown sizes is then one number: equal ones are the same product,
 * quotients are exact where the products' are, and the values can be read again from its factors.
 * So what is found by comparing known sizes is found of others, too, in the same way. */
#ifndef BUDDY_SDK_COMPILE_EXTENTS_H
#define BUDDY_SDK_COMPILE_EXTENTS_H

#include <stdbool.h>

#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"

enum { BD_MAX_EXTENTS = 16, BD_EXTENT_PRIMES = 20 };

/* A value of type index, or the size of a buffer along an axis, or the place that a view begins at. */
typedef struct bd_extent {
  MlirValue value;
  int64_t axis;  /* -1: the value itself; -2: the offset of a view */
  int64_t prime; /* what stands for it */
} bd_extent;

typedef struct bd_extents {
  bool
      has_offsets; /* places that views begin at are told as values of their own; else they are to be known */
  bd_extent items[BD_MAX_EXTENTS];
  int n, n_primes;                   /* primes: that have been given or skipped */
  bool is_skipped[BD_EXTENT_PRIMES]; /* is a factor of a known size */
} bd_extents;

/* Where these are read only, null stands for none. */

/* Fills in the sizes and strides that the operation's types do not tell; false if some cannot be
 * told, or one that is known has a factor that stands for another. */
bool bd_extents_resolve(bd_extents *x, bd_structured *s);
/* As bd_geometry_read, of sizes and strides that may be unknown. */
bool bd_extents_read_geometry(bd_extents *x, MlirValue value, bd_geometry *out);

/* True if the number has factors that only a run knows. */
bool bd_extents_is_unknown(const bd_extents *x, int64_t number);
/* The number without them. */
int64_t bd_extents_known_part(const bd_extents *x, int64_t number);
/* The number with a usual size, of an image's lines and places, for each of these: to choose by. */
int64_t bd_extents_usual(const bd_extents *x, int64_t number);

/* The values, as operands of an operation before `before`. */
buddy_code bd_extents_insert(const bd_extents *x, MlirOperation before, MlirValue *out);
/* Those that are made of views of the buffer are none that can be had without it. */
bool bd_extents_are_of(const bd_extents *x, MlirValue buffer);

/* ---- Text of kernels that take the values as %extent_0, … ---- */
/* ", %extent_0: index, …" */
void bd_extents_write_parameters(bd_text *text, const bd_extents *x);
/* "%NAME = …", lines. */
void bd_extents_write_index(bd_text *text, const bd_extents *x, const char *name, int64_t number);
/* The number, or if it is unknown `any`: "?" in types, else the name that it was written under. */
bd_phrase bd_extents_text(const bd_extents *x, int64_t number, const char *any);
/* "%NAME = …", a line, for bd_extents_text: none if the number is known. */
void bd_extents_write_unknown(bd_text *text, const bd_extents *x, const char *name, int64_t number);

#endif
