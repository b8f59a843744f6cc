// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/forge.h: graphs whose types, numbers and dtypes contradict what they are arguments of,
 * made from graphs that are right by changing one place of their text.
 *
 * The places are the types ("f32[2,3]") and, inside of nodes, the numbers and the lists of them.
 * Each place can be changed in FORGE_WAYS ways; a way that does not go for a place gives nothing. */
#ifndef BUDDY_TESTS_FUZZ_FORGE_H
#define BUDDY_TESTS_FUZZ_FORGE_H

#include <stddef.h>

#define FORGE_WAYS 10
#define FORGE_MAX 65536 /* bytes of a text */

/* The number of places in a text. */
size_t forge_places(const char *text, size_t size);
/* The text with place `i` changed in way `way`, or 0 if that gives nothing new. */
size_t forge(const char *text, size_t size, size_t i, int way, char *out);
/* The text with every type changed at once: way 0: all are 0-d; 1: all are one dim deeper. */
size_t forge_all(const char *text, size_t size, int way, char *out);

/* Whether registry ops come to an end at `i`; the op's name otherwise. Of the order loaded first. */
const char *forge_op_name(size_t i);
/* The number of ways in which forge_op makes a graph of an op by its schema alone. */
#define FORGE_OP_WAYS 12
/* A graph of one op whose tensors all have one type, and whose other arguments are small numbers. */
size_t forge_op(const char *op, int way, char *out);

/* Loads an order of registries, which forge_take does otherwise when it is first named. */
void forge_load(const char *order);
/* Takes a graph's text through parse, normal form, plan and lowering in an order of registries; with
 * `runs` also through compilation without optimisation and a run. Aborts if what was lowered is not
 * printed; whatever else goes wrong must be an error that is told. */
void forge_take(const char *text, size_t size, const char *order, int runs);

#endif
