// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/graph_parse_fuzz.c: any bytes as the text form of a graph. What parses must verify as
 * far as it was checked while building, print, and read back to the same text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/graph.h"
#include "core/base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static buddy_opset *create_opset(void) {
  static const char all[] =
      "test::all(float f=0.5, float[] fs=[], bool[] bs=[], str[] ss=[], complex c=0, Any a=None, "
      "Device d=\"cpu\", Layout l=strided, MemoryFormat m=contiguous_format, Scalar[] sc=[], "
      "int? i=None, ScalarType? t=None) -> ()";
  static const char cond[] =
      "higher_order::cond(Tensor pred, Graph true_graph, Graph false_graph, Tensor?[] operands) "
      "-> Tensor[]";
  static const char *const schemas[] = {
      "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
      "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
      all,
      cond,
  };
  buddy_opset *opset = NULL;
  if (buddy_opset_create(&opset)) abort();
  for (size_t i = 0; i < sizeof schemas / sizeof *schemas; ++i) {
    if (buddy_opset_define(opset, schemas[i], BUDDY_KIND_OTHER, NULL)) abort();
  }
  return opset;
}

static buddy_code append(void *user, const char *data, size_t size) {
  bd_text_append(user, data, size);
  return BUDDY_OK;
}

static void print(const buddy_graph *graph, bd_text *text) {
  const buddy_writer writer = {append, text};
  bd_text_init(text);
  if (buddy_graph_print(graph, &writer)) abort();
}

static void check(const buddy_opset *opset, buddy_graph *graph) {
  bd_text first, second;
  buddy_graph *again;
  if (buddy_graph_verify(graph, NULL)) abort();
  print(graph, &first);
  if (buddy_graph_parse(opset, (buddy_sv){first.data, first.size}, NULL, &again)) abort();
  print(again, &second);
  if (first.size != second.size || memcmp(first.data, second.data, first.size)) abort();
  bd_text_deinit(&first);
  bd_text_deinit(&second);
  buddy_graph_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static buddy_opset *opset;
  if (!opset) opset = create_opset();
  buddy_diags *diags;
  buddy_graph *graph;
  if (buddy_diags_create(&diags)) return 0;
  buddy_graph_parse(opset, (buddy_sv){(const char *)data, size}, diags, &graph);
  if (graph) check(opset, graph);
  buddy_graph_destroy(graph);
  buddy_diags_destroy(diags);
  return 0;
}
