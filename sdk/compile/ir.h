// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ir.h: small things that every transformation of the IR needs. */
#ifndef BUDDY_SDK_COMPILE_IR_H
#define BUDDY_SDK_COMPILE_IR_H

#include <stdbool.h>

#include "core/base/text.h"
#include "mlir-c/IR.h"

/* ---- Text of the IR; one that is zeroed is empty, and has no data until something is appended ---- */
void bd_text_type(bd_text *text, MlirType type);
/* "%NAME = arith.constant NUMBER : index", a line. */
void bd_text_index(bd_text *text, const char *name, int64_t number);
/* A name or a type as a value, for the statement that it is made in. One that is too long is empty, which MLIR does not
 * read. */
typedef struct bd_phrase {
  char data[1024];
} bd_phrase;
bd_phrase bd_phrase_of(const char *format, ...) BUDDY_PRINTF(1, 2);
bd_phrase bd_phrase_type(MlirType type);
/* "ONE, ONE, …": n times. */
bd_phrase bd_phrase_list(const char *one, int64_t n);
/* A number, or `any` where only a run knows it: "?" in types, or the name of a value. */
bd_phrase bd_number_or(bool is_any, int64_t number, const char *any);
/* For callbacks of the C API: `user` is a bd_text. */
void bd_text_piece(MlirStringRef piece, void *user);

/* ---- Operations ---- */
/* Operations of an IR in an array, so that they may be changed while they are gone through. */
typedef struct bd_ops {
  MlirOperation *items;
  size_t n, capacity;
} bd_ops;
void bd_ops_deinit(bd_ops *ops);
buddy_code bd_ops_add(bd_ops *ops, MlirOperation op);
/* Adds every operation below `root` whose name starts with `prefix`, in order, outer ones before
 * inner ones. */
buddy_code bd_ops_collect(bd_ops *ops, MlirOperation root, const char *prefix);
/* The same for operations that may be destroyed or moved when their turn comes: adds those that
 * have regions and lie in no other that is added, so that none of the array goes away with
 * another. */
buddy_code bd_ops_collect_outermost(bd_ops *ops, MlirOperation root, const char *prefix);

/* Calls `visit` with each operation that bd_ops_collect adds, while the code is BUDDY_OK: none may
 * be destroyed before its turn. */
typedef buddy_code (*bd_op_visit)(MlirOperation op, void *user);
buddy_code bd_ops_each(MlirOperation root, const char *prefix, bd_op_visit visit, void *user);
/* The same with bd_ops_collect_outermost. */
buddy_code bd_ops_each_outermost(MlirOperation root, const char *prefix, bd_op_visit visit,
                                 void *user);

/* True if there is an operation below `root` whose name starts with `prefix`. */
int bd_ops_exist(MlirOperation root, const char *prefix);

int bd_op_is(MlirOperation op, const char *name);
int bd_op_starts_with(MlirOperation op, const char *prefix);
/* Whether it is one of those, which end with NULL. */
bool bd_op_is_any(MlirOperation op, const char *const *names);
int bd_string_is(MlirStringRef string, const char *text);
/* Null if there is none. */
MlirAttribute bd_op_attribute(MlirOperation op, const char *name);
void bd_op_set_attribute(MlirOperation op, const char *name, MlirAttribute value);
/* The name of a function, or of what else has one: empty if it has none; and whether its module alone may use it. */
MlirStringRef bd_symbol_of(MlirOperation op);
bool bd_op_is_private(MlirOperation op);
/* The two numbers of an attribute, as strides and dilations are: ones if there is none, false if it
 * holds anything else. */
int bd_op_read_pair(MlirOperation op, const char *name, int64_t out[2]);
/* The numbers of an array; false if they are not as many. */
bool bd_op_read_numbers(MlirOperation op, const char *name, intptr_t n, int64_t *out);
/* The operation that makes a value; null for arguments of blocks. */
MlirOperation bd_maker_of(MlirValue value);
/* Whether an operation uses it. */
bool bd_is_used(MlirValue value);
/* The operation that alone uses a value, once; null if there is none, or are others. */
MlirOperation bd_only_user(MlirValue value);
/* Whether the buffer, and each view of it that `view` is one of, has no other user: it is seen through `view` alone. */
bool bd_is_seen_alone(MlirValue view, MlirValue buffer);
/* True if an operation of that name makes it. */
int bd_is_made_by(MlirValue value, const char *name);
/* The number that an arith.constant makes; false if it is of another kind, or something else makes it. */
bool bd_read_integer(MlirValue value, int64_t *out_number);
bool bd_read_float(MlirValue value, double *out_number);
/* The integer, or -1. */
int64_t bd_integer_of(MlirValue value);
/* True for what makes a view of its first operand, and does no more. */
int bd_op_is_view(MlirOperation op);
/* Of these, for what sees the same elements with more axes, or fewer. */
bool bd_op_is_reshape(MlirOperation op);
/* What the value is, or is a view of through reshapes. */
MlirValue bd_without_reshapes(MlirValue value);
/* The allocation, argument or global that a buffer is a view of. */
MlirValue bd_base_of(MlirValue buffer);
/* True of such a base that may be any buffer: what a loop hands on, a condition chooses or a function returns. */
bool bd_base_is_any(MlirValue base);
/* The first block of its first region; null for an operation that has none. */
MlirBlock bd_body_of(MlirOperation op);
/* The operation whose region this block is in. */
MlirOperation bd_block_parent(MlirBlock block);
/* The operation of that block which `op` is in, or is; null if it is in none. */
MlirOperation bd_op_ancestor_in(MlirBlock block, MlirOperation op);
/* Whether a region of the operation, or of one in it, has the value. */
bool bd_is_inside(MlirValue value, MlirOperation op);
/* Moves the operations of a block, those before `end` or, where that is null, all, to before `before` in another, or, where
 * that is null, to its end. */
void bd_block_move(MlirBlock from, MlirOperation end, MlirBlock to, MlirOperation before);
/* Parses functions, and puts them at the end of the module. BUDDY_INTERNAL: the text is wrong. */
buddy_code bd_functions_append(MlirModule module, const bd_text *text);

/* Unlinks and destroys. */
void bd_op_erase(MlirOperation op);
/* Puts the value in place of the first result, and erases the operation. BUDDY_OUT_OF_MEMORY: the value is null. */
buddy_code bd_op_replace(MlirOperation op, MlirValue value);

#endif
