// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/machine.h: the processor that code is for, as far as kernels are cut for it:
 * a row of a table by features of LLVM. It is a value, which whoever compiles makes of the target
 * and hands down: kernels ask nobody else, so that the same target gets the same code wherever it
 * is compiled. A new processor is a row of machine.c. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_MACHINE_H
#define BUDDY_SDK_COMPILE_KERNELS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* Features that the table asks for, as LLVM names them. */
#define BD_MACHINE_FEATURES \
  "avx2,fma,avx512f,avxvnni,avx512vnni,avx512bf16,amx-int8,amx-bf16,neon,d,v,zvl256b,zvl512b"

/* Elements that are multiplied several at a time: tile/dot_packing.h says how. */
typedef enum bd_dot_packing_kind {
  BD_PACKED_BYTES,
  BD_PACKED_BF16,
  BD_N_DOT_PACKINGS
} bd_dot_packing_kind;

typedef struct bd_machine {
  int vector_bytes; /* of a register */
  int registers;    /* for vectors */
  int beside; /* of these, those that hold no sums while a tile is computed: they are for a row
                       of the panel, for elements of A, and for what LLVM moves there */
  /* Blocks of products whose sizes are not known (gemm.mlir), in elements of 4 bytes: rows of a
   * tile, whose A is packed, and of a block, how deep it is, and its columns. */
  int packed_rows, block_rows, block_depth, block_columns;
  /* Bytes: of a cache line; of a way of the first cache: so far apart is what takes the same place
   * in it; of all of it; of the second cache, which one thread has; of the last, for all threads. */
  int64_t line, way, l1, l2, last;
  bool has_fused;                    /* it multiplies and adds in one step */
  bool has_lookup;                   /* it looks sixteen floats up in a vector (VPERMPS) */
  bool has_words[BD_N_DOT_PACKINGS]; /* it multiplies such words and adds them up, in its vectors */
  bool has_amx[BD_N_DOT_PACKINGS];   /* and matrices of them (tile/amx.h) */
} bd_machine;

/* Bytes of a second cache that blocks make use of: for larger ones none were measured. */
enum { BD_MOST_L2 = 1024 * 1024 };

/* features: those of BD_MACHINE_FEATURES that the processor has, with commas between. l2: as
 * measured; 0: as processors of this kind have it, as a rule. */
bd_machine bd_machine_of(const char *features, int64_t l2);

static inline int64_t bd_divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Elements of a vector, and of a cache line, of so many bytes each. */
int bd_machine_lanes(const bd_machine *machine, int bytes);
int bd_machine_line(const bd_machine *machine, int bytes);
/* Vectors of sums that a tile has at the most, with panels of two vectors. */
int bd_machine_sums(const bd_machine *machine);

#endif
