// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/epilogue.h: loops over the result of a product or a convolution that can be
 * done while it is in registers: normalisation, activation, addition of another image.
 *
 * Such a loop is a linalg.generic that goes over the result element by element and is the only one
 * that reads it. Its body is written anew for vectors of the result's columns (channels). Each of
 * its other operands is an extra: a buffer with whatever strides along the result's axes, but 1 or
 * 0 along the columns. */
#ifndef BUDDY_SDK_COMPILE_EPILOGUE_H
#define BUDDY_SDK_COMPILE_EPILOGUE_H

#include <stdbool.h>

#include "sdk/compile/extents.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"

/* Axes of images, along which the extras of convolutions have their strides. */
enum { BD_IMAGE_N, BD_IMAGE_C, BD_IMAGE_H, BD_IMAGE_W, BD_IMAGE_RANK };

typedef struct bd_extra {
  int argument; /* of the body */
  MlirValue buffer;
  MlirType type;                        /* of the buffer: dense */
  int64_t offset, strides[BD_MAX_RANK]; /* along the result's axes */
  /* The first axis may be two, of which the inner one has so many places (0: it is one): a mask of
   * batches that all heads of a batch share. */
  int64_t inner, outer_stride;
  bool is_row;    /* the same for all but the columns */
  bool is_spread; /* the same for all columns */
} bd_extra;

/* The body of the loop yields one number, which one of its operations makes; these have one result each, and are made of
 * what the body has and of numbers; what is overwritten is not read, and `takes` says yes to each. */
bool bd_body_is_plain(MlirOperation loop, bool (*takes)(MlirOperation op, MlirType element),
                      MlirType element);

/* Loop i walks along axis i of the operand, and of all loops one does. */
bool bd_is_element_by_element(const bd_structured *s, int operand);

/* Where an operand of a loop lies: the dense buffer that it is a view of, the offset, and strides
 * along the loops; along an axis that is read at 0 alone, 0. False if that is not known. x: null if only what is
 * known will do. */
int bd_extra_read_strides(const bd_structured *s, int operand, bd_extents *x, bd_extra *out);

typedef struct bd_epilogue {
  MlirOperation op; /* null: there is none */
  MlirValue output; /* where it writes to */
  int product;      /* the argument of its body that is the result */
  MlirValue sum; /* what stands for the result instead: a value of the body; null: nothing does */
  uint64_t skipped;          /* operations of the body that are not wanted then, by their places */
  bool is_in_place;          /* some extra is what it writes to */
  bool may_contract;         /* a product and a sum of floats may be one operation */
  const char *numbers;       /* leads the names of the numbers in its text; null: "number" */
  const bd_extents *extents; /* what strides of the extras may be made of; null: they are known */
  int n;
  bd_extra extras[BD_MAX_EXTRAS];
} bd_epilogue;

/* The one that follows `op`, which reads its first operands and writes its last: that is the result,
 * or a view of it; the columns lie along axis `column` of it. begin: as found for the result. x: as above, and outlives
 * what is found. The operation may then be done where the epilogue is; op of the epilogue is null if there is none. */
bd_epilogue bd_epilogue_find(MlirOperation op, MlirValue result, const bd_beginning *begin,
                             int column, bd_extents *x);

/* How one of a kind is found: which operations its body may have, and how an operand of the loop is read as the next extra. */
typedef struct bd_finder {
  bool (*takes)(MlirOperation op, MlirType element);
  bool (*read_extra)(const bd_structured *s, int operand, const struct bd_finder *f,
                     bd_epilogue *e);
  int column;           /* of images: as above */
  const int64_t *sizes; /* of products: along each axis (panel_epilogue.h) */
  bd_extents *extents;  /* null: if only what is known will do */
} bd_finder;
/* That, if `reader` is it, which reads the result as `result`. */
bd_epilogue bd_epilogue_read(MlirOperation op, MlirOperation reader, MlirValue result,
                             const bd_beginning *begin, const bd_finder *f);

/* True if its body has functions, exp or erf, and not arithmetic alone. */
bool bd_epilogue_has_functions(const bd_epilogue *e);

/* What the operation may write to is among its operands from this one on; -1: that is not known. */
intptr_t bd_first_written(MlirOperation op);

/* The only operation besides `op` and what begins its result that has to do with a buffer; null if there are others. */
MlirOperation bd_only_reader(MlirValue buffer, MlirOperation op, MlirOperation begin);

/* Takes the loop away, and the buffer that it alone read, and what that is a view of, once nothing else has to do with
 * it; nothing if there is no epilogue. */
void bd_epilogue_erase(const bd_epilogue *e);

/* ", %e0: memref<…>, …": what the kernel takes besides. */
void bd_epilogue_write_parameters(bd_text *text, bd_head *head, const bd_epilogue *e);

/* How vectors of the kernel are read: of `lanes` those are there that %MASK says, all if it is null, with %ZERO
 * (null: %zero) for those that are not. lanes 0: the body is of scalars, each of its own type. */
typedef struct bd_vectors {
  const char *element;
  int lanes;
  const char *mask, *zero;
} bd_vectors;
bd_phrase bd_vectors_type(const bd_vectors *v);
/* The vector at `place`, "BUFFER[AT]", as an expression; and the statement that a value goes there. */
bd_phrase bd_vectors_load(const bd_vectors *v, const char *place);
bd_phrase bd_vectors_store(const bd_vectors *v, const char *value, const char *place);

/* The numbers that the body uses, before all bodies. */
void bd_epilogue_write_numbers(bd_text *text, const bd_epilogue *e, const bd_vectors *v);
/* Names of what the body for one vector is of: the result %SUM, extra K %ROWS_K if it is a row,
 * else %PLACES_K; its own values begin with %PLACES_ too. */
typedef struct bd_epilogue_names {
  const char *sum, *rows, *places;
  const bd_phrase *arguments; /* those of the body; null: as above */
} bd_epilogue_names;
void bd_epilogue_write_body(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                            const bd_epilogue_names *names);
/* One of the body's operations, which are no numbers; or another in its place, with its attributes. */
void bd_epilogue_write_op(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                          MlirOperation op, const bd_epilogue_names *names);
void bd_epilogue_write_op_as(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                             MlirOperation op, const bd_epilogue_names *names, const char *other,
                             const char *attributes);
/* The place of an operation of the body among those that are wanted: that of %PLACES_op_PLACE. */
int bd_epilogue_place(const bd_epilogue *e, MlirOperation op);
/* The name of an operand of one of the body's operations, without its %. */
bd_phrase bd_epilogue_operand(const bd_epilogue *e, MlirOperation user, intptr_t operand,
                              const bd_epilogue_names *names);
/* The name of what it yields. */
bd_phrase bd_epilogue_result(const bd_epilogue *e, const bd_epilogue_names *names);

/* ---- Extras in the functions of tiles: rows, or as many axes as the result has ---- */
/* The names that their strides lead, but for that of the last axis, which is 1. */
typedef struct bd_extra_axes {
  int n;
  const char *strides[3];
} bd_extra_axes;
/* line, row; and image, line, place. */
extern const bd_extra_axes bd_axes_of_lines, bd_axes_of_images;
/* %extra_K of %extra_K_base, memref<element>, which begins at %extra_K_at and has the strides %extra_K_NAME. */
void bd_epilogue_write_buffers(bd_text *text, const bd_epilogue *e, const bd_extra_axes *axes);
/* %TAG_K = extra K at [`place`%`column`], of those that are rows, whose place is "", or of those that are not, whose
 * place ends in ", ". */
void bd_epilogue_write_loads(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                             bool are_rows, const char *place, const char *column, const char *tag);

#endif
