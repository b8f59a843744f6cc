// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/pt2_fuzz.c: any bytes as a .pt2 archive: opened, imported, printed. */
#include <stddef.h>
#include <stdint.h>

#include "buddy/import.h"
#include "sdk/import/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static buddy_code swallow(void *user, const char *data, size_t size) {
  (void)data;
  *(size_t *)user += size;
  return BUDDY_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static buddy_opset *opset; /* made once: it does not change */
  buddy_diags *diags = NULL;
  buddy_archive *archive = NULL;
  buddy_graph *graph = NULL;
  if (!opset && buddy_aten_opset_create(&opset)) return 0;
  if (buddy_diags_create(&diags)) return 0;
  if (!bd_archive_open_memory(data, size, "fuzz.pt2", diags, &archive) &&
      !buddy_archive_import(archive, opset, diags, &graph)) {
    size_t n = 0;
    const buddy_writer writer = {swallow, &n};
    buddy_graph_print(graph, &writer);
  }
  buddy_graph_destroy(graph);
  buddy_archive_close(archive);
  buddy_diags_destroy(diags);
  return 0;
}
