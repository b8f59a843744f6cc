// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/lower_fuzz.c: any bytes as the text of a graph of ATen ops, through plan and lowering in
 * an order of registries that the text chooses; one in 64 that gets there is compiled and run. With
 * libFuzzer, a mutator of its own changes types and numbers, so that most texts still parse. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/forge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint32_t checksum(const uint8_t *data, size_t size) {
  uint32_t sum = 2166136261u;
  for (size_t i = 0; i < size; ++i) sum = (sum ^ data[i]) * 16777619u;
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const orders[] = {"tosa:*", "linalg:*", "composite:*", "vendor:tosa:*"};
  if (size >= FORGE_MAX) return 0;
  const uint32_t sum = checksum(data, size);
  forge_take((const char *)data, size, orders[sum % 4], sum / 4 % 64 == 0);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  static char out[FORGE_MAX];
  const size_t n = size < FORGE_MAX ? forge_places((const char *)data, size) : 0;
  if (n == 0) return size;
  const size_t changed =
      forge((const char *)data, size, seed / FORGE_WAYS % n, (int)(seed % FORGE_WAYS), out);
  if (changed == 0 || changed > max_size) return size;
  memcpy(data, out, changed);
  return changed;
}
