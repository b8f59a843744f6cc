// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/compiled_model.c: a program that has a model in it, compiled ahead of time: no archive, no
 * compiler, no Python when it runs.
 *
 *   buddy compile examples/models/lenet5.pt2 -o liblenet5.so
 *   cc -I. examples/compiled_model.c ./liblenet5.so -Wl,-rpath,'$ORIGIN' -o look
 *   ./look examples/models/lenet5_input.npy */
#include <stdio.h>

#include "lenet5.h"

int main(int argc, char **argv) {
  static float image[28 * 28], scores[10];
  char why[256];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file || fseek(file, 128, SEEK_SET) != 0 || /* after the header of the .npy file */
      fread(image, sizeof(image), 1, file) != 1) {
    fprintf(stderr, "usage: compiled_model IMAGE.npy: 28 x 28 floats\n");
    return 2;
  }
  fclose(file);

  lenet5 *model = lenet5_load(NULL, why, sizeof(why));
  const int32_t code = !model ? 1 : lenet5_run(model, image, scores, why, sizeof(why));
  lenet5_destroy(model);
  if (code != 0) {
    fprintf(stderr, "%s\n", why);
    return 1;
  }
  int best = 0;
  for (int i = 1; i < 10; ++i) best = scores[i] > scores[best] ? i : best;
  printf("the largest of 10 numbers is number %d: %g\n", best, (double)scores[best]);
  return 0;
}
