/* sdk/compile/kernels/product.c: see product.h. */
#include "sdk/compile/kernels/product.h"

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/filter.h"
#include "sdk/compile/kernels/following.h"

/* How C begins, if it is written as a whole right before. */
static void find_begin(const bd_contraction *c, MlirOperation op, bd_product *out) {
  out->p.begin = BD_BEGIN_OLD;
  if (c->has_outer_sum) return;
  const bd_operand *target = bd_operand_of(c, BD_C);
  const bd_beginning found =
      bd_beginning_find(op, target->value, c->n.n == 1 ? target->axis[c->n.loops[0]] : -1);
  out->p.begin = found.begin;
  out->begin = found.op;
  out->row = found.row;
}

static int are_bytes(const bd_contraction *c) {
  const MlirType types[] = {bd_element_of(c, BD_A), bd_element_of(c, BD_B), bd_element_of(c, BD_C)};
  static const unsigned widths[] = {8, 8, 32};
  for (int i = 0; i < 3; i++) {
    if (!mlirTypeIsAInteger(types[i]) || mlirIntegerTypeGetWidth(types[i]) != widths[i]) return 0;
  }
  return 1;
}

/* Products of bytes with a constant, whose panels make up for it that packing is slow. */
static int read_bytes(const bd_contraction *c, MlirOperation op, const bd_keeping *keeping,
                      bd_product *out) {
  const int64_t k = bd_group_size(c, &c->k);
  if (!keeping->has_byte_dots || k % 4 != 0 || bd_has_outer_axis(c, BD_B) ||
      !bd_is_constant(keeping, bd_operand_of(c, BD_B)->value) ||
      !bd_memref_is_dense(bd_operand_of(c, BD_A)->type) ||
      !bd_memref_is_dense(bd_operand_of(c, BD_B)->type))
    return 0;
  bd_panels *p = &out->p;
  bd_panels_init(p, "i32");
  p->is_bytes = out->is_kept = out->is_packed_once = 1;
  p->m = bd_group_size(c, &c->m);
  p->n = bd_group_size(c, &c->n);
  p->k = k / 4;
  p->lda = bd_group_stride(bd_operand_of(c, BD_A), &c->m) / 4;
  p->ldc = bd_group_stride(bd_operand_of(c, BD_C), &c->m);
  find_begin(c, op, out);
  bd_panels_choose_vectors(p);
  return p->begin != BD_BEGIN_OLD;
}

/* The loop that follows, where C lies batch after batch, row after row. */
static void find_following(const bd_contraction *c, MlirOperation op, bd_product *out) {
  const bd_beginning begin = {out->p.begin, out->begin, out->row};
  const int64_t sizes[] = {bd_count_batches(c), out->p.m, out->p.n};
  if (!bd_memref_is_dense(bd_operand_of(c, BD_C)->type) || out->p.ldc != out->p.n) return;
  out->following = bd_following_find(op, &begin, sizes);
  if (out->following.op.ptr != NULL) out->p.following = &out->following;
}

/* Rows of B that are short enough are read where they are: all of it stays in cache, on few pages.
 */
enum { IN_PLACE = 128 * 1024 };

int bd_product_read(const bd_contraction *c, MlirOperation op, const bd_keeping *keeping,
                    bd_product *out) {
  const MlirType element = bd_element_of(c, BD_A);
  *out = (bd_product){.begin = {NULL}};
  if (are_bytes(c))
    return bd_contraction_is_static(c) && bd_group_stride(bd_operand_of(c, BD_A), &c->k) == 1 &&
           read_bytes(c, op, keeping, out);
  if (!mlirTypeIsAF32(element) && !mlirTypeIsAF64(element)) return 0;
  if (!mlirTypeEqual(element, bd_element_of(c, BD_B)) ||
      !mlirTypeEqual(element, bd_element_of(c, BD_C)))
    return 0;
  if (!bd_contraction_is_static(c) || bd_group_stride(bd_operand_of(c, BD_A), &c->k) != 1) return 0;
  bd_panels *p = &out->p;
  bd_panels_init(p, mlirTypeIsAF32(element) ? "f32" : "f64");
  p->m = bd_group_size(c, &c->m);
  p->n = bd_group_size(c, &c->n);
  p->k = bd_group_size(c, &c->k);
  p->lda = bd_group_stride(bd_operand_of(c, BD_A), &c->m);
  p->ldb = bd_group_stride(bd_operand_of(c, BD_B), &c->k);
  p->ldc = bd_group_stride(bd_operand_of(c, BD_C), &c->m);
  out->is_packed_once = !bd_has_outer_axis(c, BD_B);
  out->is_kept = out->is_packed_once && bd_is_constant(keeping, bd_operand_of(c, BD_B)->value);
  const int is_row_major = bd_group_stride(bd_operand_of(c, BD_B), &c->n) == 1;
  p->is_in_place = !out->is_kept && is_row_major &&
                   p->k * p->ldb * (mlirTypeIsAF32(element) ? 4 : 8) <= IN_PLACE;
  p->is_fresh = !out->is_kept && !p->is_in_place && is_row_major;
  find_begin(c, op, out);
  find_following(c, op, out);
  return 1;
}

/* ---- The kernel ---- */

/* %panels of B, packed where `offset` says it starts. */
static void write_packing(bd_text *text, const bd_contraction *c, const bd_product *s,
                          const char *gemm, const char *offset, const char *panels) {
  const int i = c->operand[BD_B], width = bd_panels_width(&s->p);
  const char *type = s->p.element;
  const bd_operand *operand = &c->s.operands[i];
  if (s->p.is_bytes) {
    const bd_filter filter = {operand->type,
                              s->p.n,
                              4 * s->p.k,
                              {1, 1},
                              bd_group_stride(operand, &c->n),
                              bd_group_stride(operand, &c->k),
                              {0, 0}};
    bd_filter_write_packing(text, &filter, i, &s->p, gemm);
    return;
  }
  bd_text_format(text,
                 "  %%whole_b = memref.reinterpret_cast %%base%d to offset: [%s%d], sizes: [%lld, "
                 "%lld], strides: [%lld, %lld] : memref<%s> to memref<%lldx%lldx%s, strided<[%lld, "
                 "%lld], offset: ?>>\n",
                 i, offset, i, (long long)s->p.k, (long long)s->p.n, (long long)s->p.ldb,
                 (long long)bd_group_stride(operand, &c->n), type, (long long)s->p.k,
                 (long long)s->p.n, type, (long long)s->p.ldb,
                 (long long)bd_group_stride(operand, &c->n));
  bd_text_format(text,
                 "  %%any_b = memref.cast %%whole_b : memref<%lldx%lldx%s, strided<[%lld, %lld], "
                 "offset: ?>> to memref<?x?x%s, strided<[?, ?], offset: ?>>\n"
                 "  %%any_panels = memref.cast %s : ",
                 (long long)s->p.k, (long long)s->p.n, type, (long long)s->p.ldb,
                 (long long)bd_group_stride(operand, &c->n), type, panels);
  bd_panels_type_b(text, &s->p);
  bd_text_format(text,
                 " to memref<?x?x%dx%s>\n  func.call @%s_pack_b(%%any_b, %%any_panels) : "
                 "(memref<?x?x%s, strided<[?, ?], offset: ?>>, memref<?x?x%dx%s>) -> ()\n",
                 width, type, gemm, type, width, type);
}

/* The beginning of %matrix_a, of words. */
static void write_words(bd_text *text, const bd_contraction *c) {
  const int i = c->operand[BD_A];
  const int64_t n = bd_count_elements(c->s.operands[i].type);
  bd_text_format(text,
                 "  %%flat_a = memref.reinterpret_cast %%base%d to offset: [0], sizes: [%lld], "
                 "strides: [1] : memref<i8> to memref<%lldxi8>\n",
                 i, (long long)n, (long long)n);
  bd_panels_write_words(text, "flat_a", n);
  bd_text_format(
      text,
      "  %%four = arith.constant 4 : index\n"
      "  %%at_words = arith.divui %%at%d, %%four : index\n"
      "  %%matrix_a = memref.reinterpret_cast %%in_words to offset: [%%at_words], sizes: ",
      i);
}

/* %matrix_a, %matrix_c, or %panels in place. */
static void write_dense(bd_text *text, const bd_contraction *c, const bd_product *s, int which) {
  const int i = c->operand[which];
  const bd_panels *p = &s->p;
  static const char *const names[] = {"matrix_a", "panels", "matrix_c"};
  if (which == BD_A && p->is_bytes) {
    write_words(text, c);
  } else {
    bd_text_format(text, "  %%%s = memref.reinterpret_cast %%base%d to offset: [%%at%d], sizes: ",
                   which == BD_B && p->is_fresh ? "matrix_b" : names[which], i, i);
  }
  if (which == BD_A)
    bd_text_format(text, "[1, %lld, 1, 1, %lld], strides: [0, %lld, 0, 0, 1] : ", (long long)p->m,
                   (long long)p->k, (long long)p->lda);
  if (which == BD_A && p->is_bytes)
    bd_text_format(text, "memref<%lldxi32> to ",
                   (long long)bd_count_elements(c->s.operands[i].type) / 4);
  else if (which == BD_A)
    bd_text_format(text, "memref<%s> to ", p->element);
  if (which == BD_B)
    bd_text_format(text, "[%lld, %lld], strides: [%lld, 1] : memref<%s> to ", (long long)p->k,
                   (long long)p->n, (long long)p->ldb, p->element);
  if (which == BD_C)
    bd_text_format(text, "[1, %lld, %lld], strides: [0, %lld, 1] : memref<%s> to ", (long long)p->m,
                   (long long)p->n, (long long)p->ldc, p->element);
  if (which == BD_A) bd_panels_type_a(text, p);
  if (which == BD_B && p->is_fresh) bd_panels_type_source(text, p);
  if (which == BD_B && !p->is_fresh) bd_panels_type_b(text, p);
  if (which == BD_C) bd_panels_type_c(text, p);
  bd_text_format(text, "\n");
}

static void write_buffer(bd_text *text, const bd_product *s, const char *operation) {
  bd_text_format(text, "  %s : ", operation);
  bd_panels_type_b(text, &s->p);
  bd_text_format(text, "\n");
}

/* What the loop that follows reads for the product at hand: C lies dense, batch after batch. */
static void write_extras(bd_text *text, const bd_contraction *c, const bd_product *s) {
  const int64_t sizes[BD_N_OF] = {1, s->p.m, s->p.n};
  bd_text_format(text,
                 "  %%of_batch = arith.constant %lld : index\n"
                 "  %%batch = arith.divui %%at%d, %%of_batch : index\n",
                 (long long)(s->p.m * s->p.n), c->operand[BD_C]);
  bd_following_write_extras(text, &s->following, sizes);
}

static void write_arguments(bd_text *text, const bd_contraction *c, const bd_product *s) {
  const int is_bare = bd_contraction_write_operands(text, c);
  if (s->p.begin == BD_BEGIN_ROW)
    bd_text_format(text, ", %%row: memref<%lldx%s>", (long long)s->p.n, s->p.element);
  if (s->following.op.ptr != NULL) bd_epilogue_write_parameters(text, &s->following);
  if (s->is_kept) bd_text_format(text, ", %%slot: i64");
  bd_contraction_write_begin(text, is_bare);
}

void bd_product_write_kernel(bd_text *text, const bd_contraction *c, const bd_product *s,
                             const char *gemm, bd_kernels *kernels) {
  static const char allocate[] = "%panels = memref.alloc() {alignment = 64 : i64}";
  const int is_packed = !s->is_kept && !s->p.is_in_place && !s->p.is_fresh;
  write_arguments(text, c, s);
  for (int i = 0; i < 3; i++) bd_contraction_write_metadata(text, &c->s.operands[i], i);
  if (s->is_kept) {
    bd_panels_write_kept(text, &s->p);
    write_packing(text, c, s, gemm, "%offset", "%panels");
    bd_panels_write_kept_end(text);
  } else if (is_packed && s->is_packed_once) {
    write_buffer(text, s, allocate);
    write_packing(text, c, s, gemm, "%offset", "%panels");
  }
  const int n_outer = bd_contraction_write_loops(text, c);
  for (int i = 0; i < 3; i++) bd_contraction_write_offset(text, c, i);
  write_dense(text, c, s, BD_A);
  if (s->p.is_in_place || s->p.is_fresh) write_dense(text, c, s, BD_B);
  write_dense(text, c, s, BD_C);
  if (s->p.following != NULL) write_extras(text, c, s);
  if (is_packed && !s->is_packed_once) {
    write_buffer(text, s, allocate);
    write_packing(text, c, s, gemm, "%at", "%panels");
  }
  bd_panels_write(text, &s->p, kernels);
  if (is_packed && !s->is_packed_once) write_buffer(text, s, "memref.dealloc %panels");
  bd_contraction_write_loops_end(text, c, n_outer, bd_panels_cost(&s->p));
  if (is_packed && s->is_packed_once) write_buffer(text, s, "memref.dealloc %panels");
  bd_text_format(text, "  return\n}\n");
}
