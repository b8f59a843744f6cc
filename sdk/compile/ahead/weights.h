// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/weights.h: the weights of programs, laid out one after the other. */
#ifndef BUDDY_SDK_COMPILE_WEIGHTS_H
#define BUDDY_SDK_COMPILE_WEIGHTS_H

#include "sdk/runtime/artifact.h"

typedef struct bd_weighted {
  const buddy_program *program;
  bd_data_source source;
} bd_weighted;

/* Where each input's bytes go. Inputs with the same bytes share them. */
typedef struct bd_weights {
  bd_weight *items; /* one per input of the first program, then of the second, … */
  buddy_data *data; /* likewise: where the bytes are now */
  const buddy_port **ports;
  size_t n;
  size_t start;     /* of the first one */
  uint64_t n_bytes; /* all of it, from 0 on */
  uint8_t identity[BD_IDENTITY_SIZE];
  uint32_t crc; /* of all bytes from `start` on */
} bd_weights;

/* start: bytes before the first, a multiple of 64. The data must outlive the weights. */
buddy_code bd_weights_init(const bd_weighted *programs, size_t n_programs, size_t start,
                           buddy_diags *diags, bd_weights *out_weights);
void bd_weights_deinit(bd_weights *weights);
/* All bytes from `start` on. */
buddy_code bd_weights_write(const bd_weights *weights, const buddy_writer *writer);
/* The 64 bytes before them in a file. */
void bd_weights_header(const bd_weights *weights, char *out_header);

#endif
