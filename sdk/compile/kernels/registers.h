/* sdk/compile/kernels/registers.h: what the processor's registers hold, and multiply: a table by
 * features of LLVM, from which kernels take their tiles. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_REGISTERS_H
#define BUDDY_SDK_COMPILE_KERNELS_REGISTERS_H

#include <stdbool.h>

#include "sdk/compile/kernels/words.h"

/* A tile of C, in elements of 4 bytes: rows, and columns in two vectors. */
typedef struct bd_registers {
  const char *feature; /* as LLVM names it; null: any processor */
  int rows, columns;
  int most_rows; /* where A is not packed: elements of A pass through no register of their own */
  const char *words[BD_N_WORDS]; /* what multiplies these, for such vectors; null: nothing */
  const char *amx[BD_N_WORDS];   /* and what multiplies matrices of them */
  bool has_lookup;               /* by VPERMPS */
} bd_registers;

/* Of the processor that kernels are for. [thread-safe] */
bd_registers bd_registers_own(void);

/* The tile of C that the registers of this processor hold: the elements of one of its two vectors,
 * and rows at the most, with B's panels of two vectors. */
void bd_kernels_tile(bool is_double, int *out_lanes, int *out_rows);

/* Kernels are from now on for a processor of these features, whatever this one is. For programs
 * that compile for others alone: nothing may be compiled meanwhile. */
void bd_kernels_assume(const char *features);

/* True if a processor of these features (null: this one) multiplies and adds up such words, for
 * vectors like those of bd_kernels_tile. */
int bd_kernels_has_words(bd_words_kind kind, const char *features);
/* Likewise AMX for them. */
int bd_kernels_has_amx(bd_words_kind kind, const char *features);

/* True if a processor of these features (null: this one) looks sixteen floats up in a vector, and
 * vectors are such. */
int bd_kernels_has_lookup(const char *features);

#endif
