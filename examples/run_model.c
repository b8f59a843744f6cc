// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/run_model.c: the smallest program that imports a PyTorch model and runs it.
 *
 *   run_model MODEL.pt2 INPUT.npy
 *
 * The model comes from torch.export.save (export_model.py); no Python runs here. */
#include <stdio.h>

#include "buddy/buddy.h"

static int fail(const buddy_diags *diags) {
  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    if (diag->severity == BUDDY_NOTE) continue; /* who took the model's nodes */
    fprintf(stderr, "%s%s%s\n", diag->where, *diag->where ? ": " : "", diag->what);
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: run_model MODEL.pt2 INPUT.npy\n");
    return 2;
  }
  buddy_diags *diags = NULL;
  buddy_model *model = NULL;
  buddy_tensor input = {0}, output = {0};

  buddy_code code = buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = buddy_model_load(argv[1], NULL, diags, &model);
  if (code == BUDDY_OK) code = buddy_npy_read(argv[2], BUDDY_DTYPE_NONE, diags, &input);
  if (code == BUDDY_OK) code = buddy_model_run(model, &input, 1, &output, 1, diags);

  if (code == BUDDY_OK && output.dtype == BUDDY_F32 && buddy_tensor_n_elements(&output) > 0) {
    const float *scores = output.bytes;
    const int64_t n = buddy_tensor_n_elements(&output);
    int64_t best = 0;
    for (int64_t i = 1; i < n; ++i) best = scores[i] > scores[best] ? i : best;
    printf("the largest of %lld numbers is number %lld: %g\n", (long long)n, (long long)best,
           (double)scores[best]);
  }
  const int status = code == BUDDY_OK ? 0 : fail(diags);
  buddy_tensor_release(&output);
  buddy_tensor_release(&input);
  buddy_model_destroy(model);
  buddy_diags_destroy(diags);
  return status;
}
