// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/machine.c: the table of machines, by features of LLVM. */
#include "sdk/compile/kernels/machine.h"

#include <string.h>

#define KB ((int64_t)1024)
#define MB (1024 * KB)

/* What a row has beside its machine: features without which it is not taken, and those that its
 * words, matrices and vectors of any length go by. */
typedef struct row {
  const char *feature; /* null: any processor */
  const char *words[BD_N_DOT_PACKINGS], *amx[BD_N_DOT_PACKINGS];
  const char *longer[2]; /* twice and four times the bytes of a vector */
  bd_machine machine;
} row;

/* The first that fits is taken. Elements of A come straight from memory with AVX-512; with the others
 * they take registers. Caches are those of Skylake's servers, of Haswell, of Neoverse N1, of SiFive's
 * cores and of the first processors of 64 bits. */
static const row rows[] = {
    {"avx512f",
     {"avx512vnni", "avx512bf16"},
     {"amx-int8", "amx-bf16"},
     {NULL},
     {64, 32, 4, 12, 240, 256, 2048, 64, 4 * KB, 32 * KB, MB, 16 * MB, true, {false}, {false}}},
    {"avx2",
     {"avxvnni", NULL},
     {NULL},
     {NULL},
     {32,
      16,
      4,
      6,
      120,
      256,
      2048,
      64,
      4 * KB,
      32 * KB,
      256 * KB,
      8 * MB,
      false,
      {false},
      {false}}},
    {"neon",
     {NULL},
     {NULL},
     {NULL},
     {16, 32, 8, 8, 160, 256, 2048, 64, 16 * KB, 64 * KB, MB, 8 * MB, false, {false}, {false}}},
    {"v",
     {NULL},
     {NULL},
     {"zvl256b", "zvl512b"},
     {16,
      32,
      8,
      8,
      160,
      256,
      2048,
      64,
      8 * KB,
      32 * KB,
      512 * KB,
      4 * MB,
      false,
      {false},
      {false}}},
    {NULL,
     {NULL},
     {NULL},
     {NULL},
     {16,
      16,
      8,
      4,
      80,
      256,
      2048,
      64,
      4 * KB,
      32 * KB,
      256 * KB,
      8 * MB,
      false,
      {false},
      {false}}}};

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

int bd_machine_sums(const bd_machine *machine) {
  const int sums = machine->registers - machine->beside;
  return sums - sums % 2;
}
