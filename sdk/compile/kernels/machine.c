// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/machine.c: the table of machines, by features of LLVM. */
#include "sdk/compile/kernels/machine.h"

#include <string.h>

#define KB ((int64_t)1024)
#define MB (1024 * KB)

/* What a row has beside its machine: features without which it is not taken, and those that its
 * words, matrices, fused steps and vectors of any length go by. */
typedef struct row {
  const char *feature; /* null: any processor */
  const char *fused;
  const char *words[BD_N_DOT_PACKINGS], *amx[BD_N_DOT_PACKINGS];
  const char *longer[2]; /* twice and four times the bytes of a vector */
  bd_machine machine;
} row;

/* The first that fits is taken. Elements of A come straight from memory with AVX-512; with the others
 * they take registers. Caches are those of Skylake's servers, of Haswell, of Neoverse N1, of SiFive's
 * cores and of the first processors of 64 bits. What all have alike stands below. */
static const row rows[] = {
    {.feature = "avx512f",
     .fused = "avx512f",
     .words = {"avx512vnni", "avx512bf16"},
     .amx = {"amx-int8", "amx-bf16"},
     .machine = {.vector_bytes = 64,
                 .registers = 32,
                 .beside = 4,
                 .packed_rows = 12,
                 .block_rows = 240,
                 .way = 4 * KB,
                 .l1 = 32 * KB,
                 .l2 = MB,
                 .last = 16 * MB,
                 .has_lookup = true}},
    {.feature = "avx2",
     .fused = "fma",
     .words = {"avxvnni"},
     .machine = {.vector_bytes = 32,
                 .registers = 16,
                 .beside = 4,
                 .packed_rows = 6,
                 .block_rows = 120,
                 .way = 4 * KB,
                 .l1 = 32 * KB,
                 .l2 = 256 * KB,
                 .last = 8 * MB}},
    {.feature = "neon",
     .fused = "neon",
     .machine = {.vector_bytes = 16,
                 .registers = 32,
                 .beside = 8,
                 .packed_rows = 8,
                 .block_rows = 160,
                 .way = 16 * KB,
                 .l1 = 64 * KB,
                 .l2 = MB,
                 .last = 8 * MB}},
    {.feature = "v",
     .fused = "v",
     .longer = {"zvl256b", "zvl512b"},
     .machine = {.vector_bytes = 16,
                 .registers = 32,
                 .beside = 8,
                 .packed_rows = 8,
                 .block_rows = 160,
                 .way = 8 * KB,
                 .l1 = 32 * KB,
                 .l2 = 512 * KB,
                 .last = 4 * MB}},
    {.fused = "d", /* RISC-V's floats and doubles */
     .machine = {.vector_bytes = 16,
                 .registers = 16,
                 .beside = 8,
                 .packed_rows = 4,
                 .block_rows = 80,
                 .way = 4 * KB,
                 .l1 = 32 * KB,
                 .l2 = 256 * KB,
                 .last = 8 * MB}},
};

static bool has(const char *features, const char *name) {
  const size_t n = name ? strlen(name) : 0;
  for (const char *at = features; n > 0 && *at != '\0';) {
    const size_t length = strcspn(at, ",");
    if (length == n && memcmp(at, name, n) == 0) return true;
    at += length + (at[length] == ',');
  }
  return false;
}

bd_machine bd_machine_of(const char *features, int64_t l2) {
  const row *r = rows;
  while (r->feature && !has(features, r->feature)) ++r;
  bd_machine machine = r->machine;
  machine.block_depth = 256;
  machine.block_columns = 2048;
  machine.line = 64;
  machine.has_fused = has(features, r->fused);
  for (int kind = 0; kind < BD_N_DOT_PACKINGS; ++kind) {
    machine.has_words[kind] = has(features, r->words[kind]);
    machine.has_amx[kind] = has(features, r->amx[kind]);
  }
  for (int i = 0; i < 2; ++i) {
    if (has(features, r->longer[i])) machine.vector_bytes *= 2;
  }
  if (l2 > 0) machine.l2 = l2 < BD_MOST_L2 ? l2 : BD_MOST_L2;
  return machine;
}

int bd_machine_lanes(const bd_machine *machine, int bytes) { return machine->vector_bytes / bytes; }

int bd_machine_line(const bd_machine *machine, int bytes) { return (int)machine->line / bytes; }

int bd_machine_sums(const bd_machine *machine) {
  const int sums = machine->registers - machine->beside;
  return sums - sums % 2;
}
