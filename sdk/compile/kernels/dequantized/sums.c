// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/sums.c: what an operand is whose numbers are bytes, or bits of bytes, times and
 * plus what is one number for all of a group; see parts.h.
 *
 * The loop's body is read as (Σ numbers · coefficient + constant) · scale. The coefficients are made for all groups of a round
 * at once, of the factors. That the body rounds what it makes to short floats is left out: the sums are of what it
 * stands for. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sdk/compile/kernels/dequantized/parts.h"

enum { MOST_OPS = 64 };

/* A value of the body that differs within a group: bytes, or an affine function of the terms. */
typedef struct value {
  bool is_bytes, is_affine;
  bd_byte_term bytes;
  bd_byte_sum affine;
} value;

typedef struct reader {
  const bd_dequantized *r;
  const char *tag;
  bd_text *text;
  bd_byte_sum terms; /* all of the body */
  int n_names;
  bool is_wrong;
  value values[MOST_OPS];
} reader;

static value none(void) { return (value){.is_bytes = false}; }

/* The bytes of a source, one number each. */
static value source_of(const bd_dequantized *r, int k) {
  const bool are_bytes = bd_element_in(r->loop.extras[k].type) == &bd_i8;
  return (value){.is_bytes = are_bytes && bd_dequantized_numbers(r, k) == 1,
                 .bytes = {.source = k}};
}

static value operand_of(const reader *e, MlirOperation op, intptr_t i) {
  const MlirValue v = mlirOperationGetOperand(op, i);
  if (bd_dequantized_is_factor(e->r, v)) return none();
  return mlirValueIsABlockArgument(v)
             ? source_of(e->r, (int)mlirBlockArgumentGetArgNumber(v))
             : e->values[bd_epilogue_place(&e->r->loop, mlirOpResultGetOwner(v))];
}

/* ---- Of all groups of a round ---------------------------------------------------------------- */

/* out = op(a, b), or op(a). A name may be both. */
static void write_op(reader *e, const char *op, const char *a, const char *b, char *out) {
  const bd_phrase name = bd_phrase_of("%s_sum%d", e->tag, e->n_names++);
  bd_text_format(e->text, "  %%%s = arith.%s %%%s%s%s fastmath<contract> : vector<%dxf32>\n",
                 name.data, op, a, b ? ", %" : "", b ? b : "", bd_dequantized_inner(e->r));
  memcpy(out, name.data, BD_TERM_NAME);
}

/* out: a factor, as f32. */
static void write_factor(reader *e, MlirOperation user, intptr_t operand, char *out) {
  const bd_phrase to = bd_phrase_of("%s_sum%d", e->tag, e->n_names++);
  bd_text_format(e->text, "%s_f32 = extf(%s, f32);", to.data,
                 bd_dequantized_factor(e->r, user, operand, e->tag).data);
  snprintf(out, BD_TERM_NAME, "%.20s_f32", to.data);
}

/* to += or -= what is called so; "": nothing. */
static void write_sum(reader *e, char *to, const char *other, bool is_minus) {
  if (other[0] == '\0') return;
  if (to[0] != '\0')
    write_op(e, is_minus ? "subf" : "addf", to, other, to);
  else if (is_minus)
    write_op(e, "negf", other, NULL, to);
  else
    memcpy(to, other, BD_TERM_NAME);
}

/* to *= what is called so; "": nothing. */
static void write_product(reader *e, char *to, const char *factor) {
  if (to[0] == '\0' || factor[0] == '\0') return;
  if (!strcmp(to, BD_ONES))
    snprintf(to, BD_TERM_NAME, "%s", factor);
  else
    write_op(e, "mulf", to, factor, to);
}

/* The same without a scale of all. */
static void write_unscaled(reader *e, bd_byte_sum *sum) {
  for (int t = 0; t < BD_MOST_TERMS; ++t) write_product(e, sum->coefficients[t], sum->scale);
  write_product(e, sum->constant, sum->scale);
  sum->scale[0] = '\0';
}

/* ---- The body -------------------------------------------------------------------------------- */

static value read_mask(const reader *e, MlirOperation op) {
  for (intptr_t i = 0; i < 2; ++i) {
    value v = operand_of(e, op, i);
    if (!v.is_bytes || v.bytes.user.ptr ||
        !bd_dequantized_is_factor(e->r, mlirOperationGetOperand(op, 1 - i)))
      continue;
    v.bytes.user = op;
    v.bytes.mask = 1 - i;
    return v;
  }
  return none();
}

static value read_number(reader *e, MlirOperation op, bool is_signed) {
  value v = operand_of(e, op, 0);
  if (!v.is_bytes || e->terms.n == BD_MOST_TERMS) return none();
  const int t = e->terms.n++;
  e->terms.terms[t] = v.bytes;
  e->terms.terms[t].is_signed = is_signed;
  v = (value){.is_affine = true};
  snprintf(v.affine.coefficients[t], BD_TERM_NAME, "%s", BD_ONES);
  return v;
}

static value read_product(reader *e, MlirOperation op) {
  char factor[BD_TERM_NAME];
  const bool is_first = bd_dequantized_is_factor(e->r, mlirOperationGetOperand(op, 0));
  value v = operand_of(e, op, is_first);
  if (!v.is_affine || !bd_dequantized_is_factor(e->r, mlirOperationGetOperand(op, !is_first)))
    return none();
  write_factor(e, op, !is_first, factor);
  if (v.affine.scale[0] != '\0')
    write_product(e, v.affine.scale, factor);
  else
    memcpy(v.affine.scale, factor, sizeof(factor));
  return v;
}

static value read_sum(reader *e, MlirOperation op, bool is_minus) {
  value out = {.is_affine = true};
  for (intptr_t i = 0; i < 2; ++i) {
    const bool is_taken = is_minus && i == 1;
    value v = operand_of(e, op, i);
    if (bd_dequantized_is_factor(e->r, mlirOperationGetOperand(op, i))) {
      write_factor(e, op, i, v.affine.constant);
    } else if (!v.is_affine) {
      return none();
    }
    write_unscaled(e, &v.affine);
    for (int t = 0; t < BD_MOST_TERMS; ++t)
      write_sum(e, out.affine.coefficients[t], v.affine.coefficients[t], is_taken);
    write_sum(e, out.affine.constant, v.affine.constant, is_taken);
  }
  return out;
}

static value read_op(reader *e, MlirOperation op) {
  if (bd_op_is(op, "arith.andi")) return read_mask(e, op);
  if (bd_op_is(op, "arith.sitofp")) return read_number(e, op, true);
  if (bd_op_is(op, "arith.uitofp")) return read_number(e, op, false);
  if (bd_op_is(op, "arith.mulf")) return read_product(e, op);
  if (bd_op_is(op, "arith.addf")) return read_sum(e, op, false);
  if (bd_op_is(op, "arith.subf")) return read_sum(e, op, true);
  if (bd_op_is(op, "arith.extf") || bd_op_is(op, "arith.truncf") || bd_op_is(op, "linalg.yield"))
    return operand_of(e, op, 0);
  return none();
}

bool bd_dequantized_write_affine(bd_text *text, const bd_dequantized *r, const char *tag,
                                 bd_byte_sum *out) {
  reader e = {.r = r, .tag = tag, .text = text};
  value v = none();
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(r->loop.op));
  for (int i = 0; op.ptr; op = mlirOperationGetNextInBlock(op), ++i) {
    if (i == MOST_OPS) return false;
    if ((r->factors >> i & 1) == 0) e.values[i] = v = read_op(&e, op);
  }
  *out = v.affine;
  out->n = e.terms.n;
  memcpy(out->terms, e.terms.terms, sizeof(out->terms));
  return v.is_affine;
}
