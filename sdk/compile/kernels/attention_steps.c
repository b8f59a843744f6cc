// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention_steps.c: the text of what lies between two products; see
 * attention.h.
 *
 * Step S's own values are %sS_…: its operands %sS_in_K, what its body computes %sS_op_P, P being
 * the place in the body, and the numbers of a body's operation %sS_number_P_K. The number per row
 * that step S makes is %sS_row. */
#include <stdio.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/attention_blocks.h"
#include "sdk/compile/kernels/ir_text.h"

static MlirBlock body_of(const bd_attention_step *step) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(step->s.op, 0));
}

static int place_in_body(MlirOperation op) {
  int n = 0;
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at)) ++n;
  return n;
}

/* The step before `before` that is the last to make the number per row of a link. */
static int row_maker(const bd_attention *a, int link, int before) {
  int s = before - 1;
  while (a->steps[s].places[a->steps[s].s.n_operands - 1] != link) --s;
  return s;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bd_phrase argument_of(const bd_attention *a, int s, int k) {
  const bd_attention_step *step = &a->steps[s];
  return step->parts[k] == BD_PART_ROW && k < step->s.n_inputs
             ? bd_phrase_of("%%s%d_row", row_maker(a, step->places[k], s))
             : bd_phrase_of("%%s%d_in_%d", s, k);
}

static bd_phrase operand_of(const bd_attention *a, int s, MlirOperation user, int k) {
  const MlirValue value = mlirOperationGetOperand(user, k);
  if (bd_is_made_by(value, "arith.constant"))
    return bd_phrase_of("%%s%d_number_%d_%d", s, place_in_body(user), k);
  if (mlirValueIsABlockArgument(value))
    return argument_of(a, s, (int)mlirBlockArgumentGetArgNumber(value));
  return bd_phrase_of("%%s%d_op_%d", s, place_in_body(mlirOpResultGetOwner(value)));
}

static void write_constant(bd_text *text, MlirValue value) {
  mlirAttributePrint(bd_op_attribute(mlirOpResultGetOwner(value), "value"), bd_text_piece, text);
  bd_text_format(text, "\n");
}

void bd_attention_write_numbers(bd_text *text, const bd_attention *a) {
  for (int s = 0; s < a->n_steps; ++s) {
    MlirOperation op = mlirBlockGetFirstOperation(body_of(&a->steps[s]));
    for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
      for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
        if (!bd_is_made_by(mlirOperationGetOperand(op, k), "arith.constant")) continue;
        bd_text_format(text, "  %%s%d_number_%d_%d = arith.constant ", s, place_in_body(op),
                       (int)k);
        write_constant(text, mlirOperationGetOperand(op, k));
      }
    }
    if (!a->steps[s].is_reduction) continue;
    bd_text_format(text, "  %%s%d_first = arith.constant ", s);
    write_constant(text, mlirOperationGetOperand(a->steps[s].fill, 0));
  }
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

static void write_index(bd_text *text, const bd_attention_step *step, int s, MlirOperation op) {
  static const char *const names[BD_N_OF] = {"batch", "row", "column"};
  const int64_t loop = mlirIntegerAttrGetValueInt(bd_op_attribute(op, "dim"));
  bd_ir_write(text, "s%d_op_%d = %s;", s, place_in_body(op),
              step->s.sizes[loop] == 1 ? "c0" : names[step->axis[loop]]);
}

/* Reductions may be taken in any order, and the largest is LLVM's intrinsic, as in rewrite/loops.c:
 * LLVM makes vectors of these. */
static const struct {
  const char *op, *name, *attributes;
} combiners[] = {{"arith.addf", "arith.addf", "fastmath = #arith.fastmath<reassoc,contract>"},
                 {"arith.mulf", "arith.mulf", "fastmath = #arith.fastmath<reassoc,contract>"},
                 {"arith.maximumf", "llvm.intr.maximum", "fastmathFlags = #llvm.fastmath<nsz>"},
                 {"arith.minimumf", "llvm.intr.minimum", "fastmathFlags = #llvm.fastmath<nsz>"}};
enum { N_COMBINERS = sizeof(combiners) / sizeof(combiners[0]) };

static int find_combiner(const bd_attention_step *step, MlirOperation op) {
  const MlirOperation yield = mlirBlockGetTerminator(body_of(step));
  const MlirValue made = mlirOperationGetOperand(yield, 0);
  int i = 0;
  if (!step->is_reduction || !mlirValueIsAOpResult(made) ||
      !mlirOperationEqual(mlirOpResultGetOwner(made), op))
    return N_COMBINERS;
  while (i < N_COMBINERS && !bd_op_is(op, combiners[i].op)) ++i;
  return i;
}

static void write_attributes(bd_text *text, MlirOperation op) {
  const intptr_t n = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < n; ++i) {
    const MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    const MlirStringRef name = mlirIdentifierStr(attribute.name);
    bd_text_format(text, "%s%.*s = ", i > 0 ? ", " : "", (int)name.length, name.data);
    mlirAttributePrint(attribute.attribute, bd_text_piece, text);
  }
}

/* In the generic form, which is one for all operations. */
static void write_op(bd_text *text, const bd_attention *a, int s, MlirOperation op) {
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const int combiner = find_combiner(&a->steps[s], op);
  const int n = (int)mlirOperationGetNumOperands(op);
  bd_text_format(text, "  %%s%d_op_%d = ", s, place_in_body(op));
  if (combiner < N_COMBINERS)
    bd_text_format(text, "\"%s\"(", combiners[combiner].name);
  else
    bd_text_format(text, "\"%.*s\"(", (int)name.length, name.data);
  for (int i = 0; i < n; ++i)
    bd_text_format(text, "%s%s", i > 0 ? ", " : "", operand_of(a, s, op, i).data);
  bd_text_format(text, ") {");
  if (combiner < N_COMBINERS)
    bd_text_format(text, "%s", combiners[combiner].attributes);
  else
    write_attributes(text, op);
  bd_text_format(text, "} : (");
  for (int i = 0; i < n; ++i)
    bd_text_format(text, "%s%s", i > 0 ? ", " : "",
                   bd_phrase_type(mlirValueGetType(mlirOperationGetOperand(op, i))).data);
  bd_text_format(text, ") -> %s\n",
                 bd_phrase_type(mlirValueGetType(mlirOperationGetResult(op, 0))).data);
}

static void write_body(bd_text *text, const bd_attention *a, int s) {
  const MlirOperation yield = mlirBlockGetTerminator(body_of(&a->steps[s]));
  MlirOperation op = mlirBlockGetFirstOperation(body_of(&a->steps[s]));
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "linalg.index"))
      write_index(text, &a->steps[s], s, op);
    else if (!bd_op_is(op, "arith.constant"))
      write_op(text, a, s, op);
  }
}

static bd_phrase result_of(const bd_attention *a, int s) {
  return operand_of(a, s, mlirBlockGetTerminator(body_of(&a->steps[s])), 0);
}

static MlirType result_type(const bd_attention_step *step) {
  return mlirValueGetType(mlirBlockGetArgument(body_of(step), step->s.n_operands - 1));
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Scores and extras at %row (%r of the block) and %column, which body arguments are. */
static void write_loads(bd_text *text, const bd_attention *a, int s) {
  const bd_attention_step *step = &a->steps[s];
  for (int k = 0; k < step->s.n_inputs; ++k) {
    const int place = step->places[k];
    if (step->parts[k] == BD_PART_SCORES) {
      bd_text_format(text, "  %%s%d_in_%d = memref.load %%slot_%d[%%r, %%column] : %s", s, k,
                     a->links[place].slot, bd_attention_type_slot(a, a->links[place].slot).data);
    } else if (step->parts[k] == BD_PART_EXTRA) {
      bd_text_format(text, "  %%s%d_in_%d = memref.load %%extra_%d[%%row, %%%s] : %s", s, k, place,
                     step->kind == BD_PART_ROW ? "c0" : "column",
                     bd_panel_epilogue_type_extra(&a->extras, place, a->sizes).data);
    } else {
      continue;
    }
    bd_text_format(text, "\n");
  }
}

static void write_step(bd_text *text, const bd_attention *a, int s) {
  const bd_attention_step *step = &a->steps[s];
  const int last = step->s.n_operands - 1;
  if (step->kind == BD_PART_ROW) {
    write_loads(text, a, s);
    write_body(text, a, s);
    bd_text_format(text, "  %%s%d_row = arith.select %%always, %s, %s : %s\n", s,
                   result_of(a, s).data, result_of(a, s).data,
                   bd_phrase_type(result_type(step)).data);
    return;
  }
  if (step->is_reduction) bd_text_format(text, "  %%s%d_row =", s);
  bd_text_format(text, "  scf.for %%column = %%c0 to %%columns step %%c1");
  if (step->is_reduction) {
    bd_text_format(text, " iter_args(%%s%d_in_%d = %%s%d_first) -> (%s)", s, last, s,
                   bd_phrase_type(result_type(step)).data);
  }
  bd_text_format(text, " {\n");
  write_loads(text, a, s);
  write_body(text, a, s);
  bd_text_format(text, step->is_reduction ? "  scf.yield " : "  memref.store ");
  bd_text_format(text, "%s", result_of(a, s).data);
  if (step->is_reduction) {
    bd_text_format(text, " : %s", bd_phrase_type(result_type(step)).data);
  } else {
    const int slot = a->links[step->places[last]].slot;
    bd_text_format(text, ", %%slot_%d[%%r, %%column] : %s", slot,
                   bd_attention_type_slot(a, slot).data);
  }
  bd_text_format(text, "\n  }\n");
}

void bd_attention_write_steps(bd_text *text, const bd_attention *a) {
  const int n = a->n_steps - a->is_late;
  for (int s = 0; s < n; ++s) write_step(text, a, s);
  if (!a->is_late) return;
  bd_text_format(text, "  memref.store %%s%d_row, %%late[%%r] : %s\n",
                 row_maker(a, a->steps[n].places[1], n), bd_attention_type_late(a).data);
}

void bd_attention_write_late(bd_text *text, const bd_attention *a) {
  const bd_attention_step *step = &a->steps[a->n_steps - 1];
  const MlirStringRef name =
      mlirIdentifierStr(mlirOperationGetName(mlirBlockGetFirstOperation(body_of(step))));
  bd_text_format(text, "  %%to = %.*s %%from, %%number : %s\n", (int)name.length, name.data,
                 bd_phrase_type(bd_element_of(&a->c[1], BD_C)).data);
}
