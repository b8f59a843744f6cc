// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/entry.h: the function that a program calls. */
#ifndef BUDDY_SDK_COMPILE_ENTRY_H
#define BUDDY_SDK_COMPILE_ENTRY_H

#include "sdk/lower/module.h"
#include "sdk/runtime/signature.h"

/* Makes the entry function one of tensors only: where it takes or gives numbers, a function around
 * it becomes the entry, which takes and gives 0-d tensors. Asks for its C wrapper, and protects its
 * arguments from being written to, but for those that a signature lists as replaced by an output.
 * in_place: the signature; null: all are protected. */
buddy_code bd_entry_prepare(buddy_module *module, const bd_signature *in_place, buddy_diags *diags);
/* For an entry function on buffers: turns its signature into (inputs, results), two pointers to
 * rows of descriptors as program.c lays them out. Hundreds of parameters as hundreds of arguments,
 * each of a dozen words, are slow to compile. */
buddy_code bd_entry_flatten(buddy_module *module, buddy_diags *diags);
/* Bytes of a descriptor. */
size_t bd_descriptor_size(uint32_t rank);
/* The type of the entry function; the module has one. */
MlirType bd_entry_type(const buddy_module *module);

#endif
