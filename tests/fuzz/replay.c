// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/replay.c: a main for fuzz targets that are built without libFuzzer: runs each file
 * named on the command line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return 1;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  uint8_t *data = malloc((size_t)(size > 0 ? size : 0) + 1);
  const int is_read = data && size >= 0 && fread(data, 1, (size_t)size, file) == (size_t)size;
  if (is_read) LLVMFuzzerTestOneInput(data, (size_t)size);
  free(data);
  fclose(file);
  return !is_read;
}

int main(int argc, char **argv) {
  int failed = 0;
  for (int i = 1; i < argc; ++i) failed |= replay(argv[i]);
  printf("%d inputs replayed\n", argc - 1);
  return failed;
}
