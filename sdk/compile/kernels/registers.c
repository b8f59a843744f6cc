/* sdk/compile/kernels/registers.c: see registers.h. */
#include "sdk/compile/kernels/registers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/compile/code/target.h"

static const bd_registers tiles[] = {
    {"+avx512f", 12, 32, 14, {"+avx512vnni", "+avx512bf16"}, {"+amx-int8", "+amx-bf16"}, 1},
    {"+avx2", 6, 16, 6, {"+avxvnni", NULL}, {NULL}, 0},
    {"+neon", 8, 8, 12, {NULL}, {NULL}, 0},
    {NULL, 4, 8, 4, {NULL}, {NULL}, 0}};

static size_t own_tile;
static int own_has_words[BD_N_WORDS], own_has_amx[BD_N_WORDS];

static bool has_feature(const char *features, const char *name) {
  return name && strstr(features, name);
}

static void find_tile(const char *features) {
  own_tile = 0;
  while (tiles[own_tile].feature && !strstr(features, tiles[own_tile].feature)) ++own_tile;
  for (int kind = 0; kind < BD_N_WORDS; ++kind) {
    own_has_words[kind] = has_feature(features, tiles[own_tile].words[kind]);
    own_has_amx[kind] = has_feature(features, tiles[own_tile].amx[kind]);
  }
}

static void find_own_tile(void) {
  char *features = bd_host_features();
  find_tile(features ? features : "");
  free(features);
}

/* Asked for once: on a virtual machine each question to the processor costs as much as a pass. */
static pthread_once_t tile_is_found = PTHREAD_ONCE_INIT;
bd_registers bd_registers_own(void) {
  pthread_once(&tile_is_found, find_own_tile);
  return tiles[own_tile];
}

void bd_kernels_assume(const char *features) {
  pthread_once(&tile_is_found, find_own_tile);
  find_tile(features);
}

int bd_kernels_has_words(bd_words_kind kind, const char *features) {
  const char *name = bd_registers_own().words[kind];
  return !features ? own_has_words[kind] : has_feature(features, name);
}

int bd_kernels_has_amx(bd_words_kind kind, const char *features) {
  const char *name = bd_registers_own().amx[kind];
  return !features ? own_has_amx[kind] : has_feature(features, name);
}

int bd_kernels_has_lookup(const char *features) {
  const bd_registers t = bd_registers_own();
  return t.has_lookup && (!features || strstr(features, t.feature));
}

void bd_kernels_tile(bool is_double, int *out_lanes, int *out_rows) {
  const bd_registers t = bd_registers_own();
  *out_lanes = t.columns / 2 / (is_double ? 2 : 1);
  *out_rows = t.most_rows;
}
