/* sdk/compile/kernels/following_text.c: the text of a loop that follows a product; see following.h.
 */
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/following.h"

void bd_following_type_extra(bd_text *text, const bd_extra *extra, const int64_t sizes[BD_N_OF]) {
  bd_text_format(text, "memref<%lldx%lldx", (long long)sizes[BD_OF_ROW],
                 (long long)sizes[BD_OF_COLUMN]);
  bd_text_type(text, mlirShapedTypeGetElementType(extra->type));
  bd_text_format(text, ", strided<[%lld, %lld], offset: ?>>", (long long)extra->strides[BD_OF_ROW],
                 (long long)extra->strides[BD_OF_COLUMN]);
}

/* %before_extra_K: elements in front of those for %batch. */
static void write_batch(bd_text *text, const bd_extra *extra, int k) {
  const long long stride = extra->strides[BD_OF_BATCH];
  bd_text_format(text, "  %%of_extra_%d = arith.constant %lld : index\n", k, stride);
  if (extra->inner == 0) {
    bd_text_format(text, "  %%before_extra_%d = arith.muli %%batch, %%of_extra_%d : index\n", k, k);
    return;
  }
  bd_text_format(text,
                 "  %%inner_%d = arith.constant %lld : index\n"
                 "  %%of_outer_%d = arith.constant %lld : index\n"
                 "  %%outer_place_%d = arith.divui %%batch, %%inner_%d : index\n"
                 "  %%inner_place_%d = arith.remui %%batch, %%inner_%d : index\n"
                 "  %%in_outer_%d = arith.muli %%outer_place_%d, %%of_outer_%d : index\n"
                 "  %%in_inner_%d = arith.muli %%inner_place_%d, %%of_extra_%d : index\n"
                 "  %%before_extra_%d = arith.addi %%in_outer_%d, %%in_inner_%d : index\n",
                 k, (long long)extra->inner, k, (long long)extra->outer_stride, k, k, k, k, k, k, k,
                 k, k, k, k, k, k);
}

void bd_following_write_extras(bd_text *text, const bd_epilogue *e, const int64_t sizes[BD_N_OF]) {
  for (int k = 0; k < e->n; ++k) {
    const bd_extra *extra = &e->extras[k];
    write_batch(text, extra, k);
    bd_text_format(text,
                   "  %%first_extra_%d = arith.constant %lld : index\n"
                   "  %%at_extra_%d = arith.addi %%first_extra_%d, %%before_extra_%d : index\n"
                   "  %%extra_%d = memref.reinterpret_cast %%e%d to offset: [%%at_extra_%d], "
                   "sizes: [%lld, %lld], strides: [%lld, %lld] : ",
                   k, (long long)extra->offset, k, k, k, k, k, k, (long long)sizes[BD_OF_ROW],
                   (long long)sizes[BD_OF_COLUMN], (long long)extra->strides[BD_OF_ROW],
                   (long long)extra->strides[BD_OF_COLUMN]);
    bd_text_type(text, extra->type);
    bd_text_format(text, " to ");
    bd_following_type_extra(text, extra, sizes);
    bd_text_format(text, "\n");
  }
}

/* %of_place_K: extra K at the place at hand. */
static void write_loads(bd_text *text, const bd_epilogue *e, const int64_t sizes[BD_N_OF]) {
  for (int k = 0; k < e->n; ++k) {
    bd_text_format(
        text, "  %%of_place_%d = memref.load %%extra_%d[%%following_row, %%following_column] : ", k,
        k);
    bd_following_type_extra(text, &e->extras[k], sizes);
    bd_text_format(text, "\n");
  }
}

void bd_following_write(bd_text *text, const bd_epilogue *e, const int64_t sizes[BD_N_OF],
                        const bd_span_of_panel *span, const char *type) {
  const bd_vectors scalars = {NULL, 0, 0};
  const bd_epilogue_names names = {"was", "of_place", "of_place"};
  bd_text_format(
      text,
      "  %%columns_of_panel = arith.constant %lld : index\n"
      "  scf.for %%following_row = %%%s to %%%s step %%c1 {\n"
      "  scf.for %%lane = %%c0 to %%columns_of_panel step %%c1 {\n"
      "  %%following_column = arith.addi %%first_column, %%lane : index\n"
      "  %%was = memref.load %%matrix_c[%%c0, %%following_row, %%following_column] : %s\n",
      (long long)span->columns, span->first, span->end, type);
  write_loads(text, e, sizes);
  bd_epilogue_write_numbers(text, e, &scalars);
  bd_epilogue_write_body(text, e, &scalars, &names);
  bd_text_format(text, "  memref.store ");
  bd_epilogue_write_result(text, e, &names);
  bd_text_format(text, ", %%matrix_c[%%c0, %%following_row, %%following_column] : %s\n  }\n  }\n",
                 type);
}
