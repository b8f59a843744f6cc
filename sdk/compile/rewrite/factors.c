// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/factors.c: arithmetic on constants, out of the loops that repeat it, and functions of what is not.
 *
 * Inputs that are constant and lie along the loops in the same way are of one kind, named by the
 * first of them; so is what the body makes of inputs of one kind and of numbers. What is of a kind and
 * goes into something that is not, is a factor. A loop over several constants alone is left whole: it is
 * done in the first run, or where a product needs its numbers (kernels/dequantized.h).
 *
 * Of inputs that are no constants functions and divisions alone are worth a loop, and only where the fastest of the loops
 * goes along them: out of the others LLVM takes what does not change. */
#include "sdk/compile/rewrite/factors.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/compile/structured.h"
#include "sdk/runtime/strided.h"
#include "sdk/compile/builder.h"

/* MIN_REPEATS: of each number by the loops. */
enum { MAX_BODY = 256, MIN_REPEATS = 8, OF_NONE = -1, OF_NUMBERS = -2 };

typedef struct separating {
  bd_structured s;
  MlirBlock body;
  MlirOperation ops[MAX_BODY]; /* of the body, without its end */
  int n_ops;
  int of_op[MAX_BODY], of_input[BD_MAX_OPERANDS]; /* the kind, or OF_… */
  bool is_needed[MAX_BODY];                       /* by the factor that is being made */
  bool is_costly[MAX_BODY];                       /* a function, a division, or made of one */
  int fastest;                                    /* loop, if inputs need not be constant; -1 */
} separating;

/* ---- Kinds ---- */

static bool goes_along(const bd_structured *s, int operand, int loop) {
  return bd_axis_along(bd_structured_map(s, operand), loop) != BD_AXIS_NONE;
}

/* Of sizes that a run knows: whether the loops that go past it are enough. */
static bool is_repeated(const bd_structured *s, int operand) {
  const MlirType type = s->operands[operand].type;
  const bool is_static = mlirShapedTypeHasStaticShape(type);
  const int64_t n = is_static ? bd_count_elements(type) : 1;
  int64_t n_rounds = 1;
  for (int i = 0; i < s->n_loops && n_rounds / MIN_REPEATS < n; ++i) {
    if (!is_static && goes_along(s, operand, i)) continue;
    if (s->sizes[i] < 0) return true;
    n_rounds *= s->sizes[i];
  }
  return n > 0 && n_rounds / MIN_REPEATS >= n;
}

/* The loop that goes from element to element of what is written; -1: none. */
static int fastest_loop(const bd_structured *s) {
  const bd_operand *written = &s->operands[s->n_inputs];
  for (int i = 0; i < s->n_loops && written->is_plain; ++i) {
    if (written->axis[i] >= 0 && written->strides[i] == 1 && s->sizes[i] != 1) return i;
  }
  return -1;
}

static bool is_taken(const separating *f, const bd_prepacking *prepacking, int operand) {
  const bd_operand *o = &f->s.operands[operand];
  return o->rank > 0 && mlirTypeIsAFloat(mlirShapedTypeGetElementType(o->type)) &&
         is_repeated(&f->s, operand) &&
         (f->fastest >= 0
              ? goes_along(&f->s, operand, f->fastest)
              : mlirShapedTypeHasStaticShape(o->type) && bd_is_steady(prepacking, o->value));
}

static bool has_same_sizes(MlirType a, MlirType b) {
  if (mlirShapedTypeGetRank(a) != mlirShapedTypeGetRank(b)) return false;
  for (int64_t r = 0; r < mlirShapedTypeGetRank(a); ++r) {
    if (mlirShapedTypeGetDimSize(a, r) != mlirShapedTypeGetDimSize(b, r)) return false;
  }
  return true;
}

static int kind_of_input(const separating *f, const bd_prepacking *prepacking, int operand) {
  if (!is_taken(f, prepacking, operand)) return OF_NONE;
  for (int i = 0; i < operand; ++i) {
    if (f->of_input[i] == i && has_same_sizes(f->s.operands[i].type, f->s.operands[operand].type) &&
        mlirAffineMapEqual(bd_structured_map(&f->s, i), bd_structured_map(&f->s, operand)))
      return i;
  }
  return operand;
}

/* Which of the body's operations makes it; -1: none. */
static int maker_in(const separating *f, MlirValue value) {
  const MlirOperation maker = bd_maker_of(value);
  for (int i = 0; i < f->n_ops && maker.ptr; ++i) {
    if (mlirOperationEqual(f->ops[i], maker)) return i;
  }
  return -1;
}

static bool is_argument(const separating *f, MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), f->body);
}

static int kind_of_value(const separating *f, MlirValue value) {
  if (is_argument(f, value)) {
    const intptr_t i = mlirBlockArgumentGetArgNumber(value);
    return i < f->s.n_inputs ? f->of_input[i] : OF_NONE;
  }
  const int maker = maker_in(f, value);
  if (maker >= 0) return f->of_op[maker];
  return bd_is_made_by(value, "arith.constant") ? OF_NUMBERS : OF_NONE;
}

/* Of floats, which nothing can go wrong with at places that no round asks for. */
static bool is_arithmetic(MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 0 && mlirOperationGetNumResults(op) == 1 &&
         (bd_op_starts_with(op, "arith.") || bd_op_starts_with(op, "math.")) &&
         mlirTypeIsAFloat(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static int kind_of_op(const separating *f, MlirOperation op) {
  int kind = OF_NUMBERS;
  if (!is_arithmetic(op)) return OF_NONE;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const int of = kind_of_value(f, mlirOperationGetOperand(op, i));
    if (of == OF_NUMBERS) continue;
    if (of == OF_NONE || (kind != OF_NUMBERS && kind != of)) return OF_NONE;
    kind = of;
  }
  return kind;
}

static bool is_costly(const separating *f, MlirOperation op) {
  bool all = bd_op_starts_with(op, "math.") || bd_op_is(op, "arith.divf");
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const int maker = maker_in(f, mlirOperationGetOperand(op, i));
    all |= maker >= 0 && f->is_costly[maker];
  }
  return all;
}

static bool read(separating *f, MlirOperation op, const bd_prepacking *prepacking,
                 bool are_constant) {
  bool has_kinds = false;
  const bool is_there = are_constant ? mlirBlockEqual(mlirOperationGetBlock(op), prepacking->entry)
                                     : !bd_op_is_hoisted(mlirOperationGetParentOperation(op));
  if (!is_there || !bd_structured_read(op, &f->s) ||
      (f->s.n_inputs > 1 && bd_op_is_steady(prepacking, op, 1)))
    return false;
  f->body = bd_body_of(op);
  f->fastest = are_constant ? -1 : fastest_loop(&f->s);
  if (!are_constant && f->fastest < 0) return false;
  f->n_ops = 0;
  for (int i = 0; i < f->s.n_inputs; ++i) {
    f->of_input[i] = kind_of_input(f, prepacking, i);
    has_kinds |= f->of_input[i] != OF_NONE;
  }
  if (!has_kinds) return false;
  const MlirOperation end = mlirBlockGetTerminator(f->body);
  MlirOperation inner = mlirBlockGetFirstOperation(f->body);
  for (; !mlirOperationEqual(inner, end); inner = mlirOperationGetNextInBlock(inner)) {
    if (f->n_ops == MAX_BODY) return false;
    f->of_op[f->n_ops] = kind_of_op(f, inner);
    f->is_costly[f->n_ops] = is_costly(f, inner);
    f->ops[f->n_ops++] = inner;
  }
  return true;
}

/* Something that is of no kind takes it. */
static bool is_factor(const separating *f, int i) {
  if (f->of_op[i] < 0 || (f->fastest >= 0 && !f->is_costly[i])) return false;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(f->ops[i], 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    const int n =
        bd_op_is(user, "linalg.yield") ? -1 : maker_in(f, mlirOperationGetResult(user, 0));
    if (n < 0 || f->of_op[n] == OF_NONE) return true;
  }
  return false;
}

/* ---- A factor's own loop ---- */

/* What operation i is made of. */
static void mark_needed(separating *f, int i) {
  for (int k = 0; k < f->n_ops; ++k) f->is_needed[k] = k == i;
  for (int k = i; k >= 0; --k) {
    for (intptr_t n = mlirOperationGetNumOperands(f->ops[k]); f->is_needed[k] && n > 0; --n) {
      const int maker = maker_in(f, mlirOperationGetOperand(f->ops[k], n - 1));
      if (maker >= 0) f->is_needed[maker] = true;
    }
  }
}

static bool is_input_needed(const separating *f, int input) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirBlockGetArgument(f->body, input));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    const int n =
        mlirOperationGetNumResults(user) == 1 ? maker_in(f, mlirOperationGetResult(user, 0)) : -1;
    if (n >= 0 && f->is_needed[n]) return true;
  }
  return false;
}

/* The body of the loop that makes operation i, over the inputs that are listed. */
static MlirBlock copy_body(const separating *f, int i, const int *inputs, int n_inputs) {
  const MlirLocation location = mlirOperationGetLocation(f->s.op);
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirValue copies[MAX_BODY] = {{NULL}}, arguments[BD_MAX_OPERANDS] = {{NULL}};
  for (int k = 0; k < n_inputs; ++k)
    arguments[inputs[k]] = mlirBlockAddArgument(
        block, mlirValueGetType(mlirBlockGetArgument(f->body, inputs[k])), location);
  mlirBlockAddArgument(block, mlirValueGetType(mlirOperationGetResult(f->ops[i], 0)), location);
  for (int k = 0; k <= i; ++k) {
    if (!f->is_needed[k]) continue;
    const MlirOperation copy = mlirOperationClone(f->ops[k]);
    for (intptr_t n = 0; n < mlirOperationGetNumOperands(copy); ++n) {
      const MlirValue old = mlirOperationGetOperand(copy, n);
      const int maker = maker_in(f, old);
      if (maker >= 0) mlirOperationSetOperand(copy, n, copies[maker]);
      if (is_argument(f, old))
        mlirOperationSetOperand(copy, n, arguments[mlirBlockArgumentGetArgNumber(old)]);
    }
    copies[k] = mlirOperationGetResult(copy, 0);
    mlirBlockAppendOwnedOperation(block, copy);
  }
  (void)bd_build_op(bd_builder_at_end(block, location), "linalg.yield", &copies[i], 1, NULL, 0,
                    NULL, 0);
  return block;
}

/* The axes of inputs of that type that a factor has, too: those of one place are left out, so that
 * what lies along one axis is a row to whoever reads it. */
static intptr_t axes_of(MlirType like, intptr_t axes[BD_MAX_RANK]) {
  const intptr_t rank = (intptr_t)mlirShapedTypeGetRank(like);
  intptr_t n = 0;
  for (intptr_t r = 0; r < rank; ++r) {
    if (mlirShapedTypeGetDimSize(like, r) != 1 || (n == 0 && r == rank - 1)) axes[n++] = r;
  }
  return n;
}

/* The map of an input of that type, as that of a factor. */
static MlirAffineMap map_of_factor(MlirType like, MlirAffineMap map) {
  intptr_t axes[BD_MAX_RANK];
  const intptr_t n = axes_of(like, axes);
  return mlirAffineMapGetSubMap(map, n, axes);
}

/* A new buffer with operation i at each place of the inputs of its kind; null when memory is out. */
static MlirValue compute(separating *f, int i) {
  const MlirOperation op = f->s.op;
  const MlirType like = f->s.operands[f->of_op[i]].type;
  intptr_t axes[BD_MAX_RANK];
  const intptr_t rank = axes_of(like, axes);
  int64_t sizes[BD_MAX_RANK];
  int inputs[BD_MAX_OPERANDS], n = 0;
  MlirValue operands[BD_MAX_OPERANDS], of_run[BD_MAX_RANK];
  MlirAffineMap maps[BD_MAX_OPERANDS];
  size_t n_of_run = 0;
  const bd_builder b = bd_builder_before(op);
  const intptr_t n_loops = (intptr_t)mlirShapedTypeGetRank(like);
  const MlirAffineMap identity = mlirAffineMapMultiDimIdentityGet(b.context, n_loops);
  for (intptr_t r = 0; r < rank; ++r) {
    sizes[r] = mlirShapedTypeGetDimSize(like, axes[r]);
    if (mlirShapedTypeIsDynamicSize(sizes[r]))
      of_run[n_of_run++] = bd_build_dim(b, "memref.dim", f->s.operands[f->of_op[i]].value, axes[r]);
  }
  const MlirType type =
      mlirMemRefTypeContiguousGet(mlirValueGetType(mlirOperationGetResult(f->ops[i], 0)), rank,
                                  sizes, mlirMemRefTypeGetMemorySpace(like));
  const MlirValue alloc = bd_build_alloc(b, type, of_run, n_of_run);
  if (!alloc.ptr) return alloc;
  mark_needed(f, i);
  for (int k = 0; k < f->s.n_inputs; ++k) {
    if (f->of_input[k] != f->of_op[i] || !is_input_needed(f, k)) continue;
    operands[n] = f->s.operands[k].value;
    maps[n] = identity;
    inputs[n++] = k;
  }
  operands[n] = alloc;
  maps[n] = map_of_factor(like, identity);
  const MlirOperation loop =
      bd_build_loops(b, n_loops, operands, maps, n + 1, copy_body(f, i, inputs, n));
  return loop.ptr ? alloc : (MlirValue){NULL};
}

/* ---- The loop around ---- */

/* Its new operands: those that the body still asks for, with the factors among its inputs. */
typedef struct operands {
  MlirValue values[2 * BD_MAX_OPERANDS];
  MlirAffineMap maps[2 * BD_MAX_OPERANDS];
  int n;
} operands;

static void add(operands *to, MlirValue value, MlirAffineMap map) {
  to->values[to->n] = value;
  to->maps[to->n++] = map;
}

/* Inputs of a kind that nobody reads go: a factor has taken their place, along the same loops. */
static void set_operands(separating *f, const operands *factors) {
  const bd_structured *s = &f->s;
  operands all = {.n = 0};
  for (int i = 0; i < s->n_inputs; ++i) {
    const intptr_t argument = all.n;
    if (f->of_input[i] == OF_NONE || bd_is_used(mlirBlockGetArgument(f->body, argument)))
      add(&all, s->operands[i].value, bd_structured_map(s, i));
    else
      mlirBlockEraseArgument(f->body, (unsigned)argument);
  }
  for (int i = 0; i < factors->n; ++i) {
    all.values[all.n] = factors->values[i];
    all.maps[all.n++] = factors->maps[i];
  }
  for (int i = s->n_inputs; i < s->n_operands; ++i)
    add(&all, s->operands[i].value, bd_structured_map(s, i));
  bd_loops_set_operands(s->op, all.values, all.maps, all.n);
}

static bool is_of_convolution(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(bd_base_of(value));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirLinalgIsAConvolutionOp(user) &&
        mlirOpOperandGetOperandNumber(use) == mlirOperationGetNumOperands(user) - 1)
      return true;
  }
  return false;
}

/* The one factor of what follows a convolution is done with its filter (affine.h). */
static bool is_worthwhile(const separating *f) {
  int n = 0;
  for (int i = 0; i < f->n_ops; ++i) n += is_factor(f, i);
  for (int i = 0; n == 1 && f->fastest < 0 && i < f->s.n_inputs; ++i) {
    if (f->s.operands[i].rank > 0 && is_of_convolution(f->s.operands[i].value)) return false;
  }
  return n > 0;
}

typedef struct asking {
  const bd_prepacking *prepacking;
  bool are_constant, has_any; /* factors */
} asking;

static buddy_code separate(MlirOperation op, void *user) {
  separating f;
  int made_by[MAX_BODY];
  operands factors = {.n = 0};
  asking *a = user;
  if (!read(&f, op, a->prepacking, a->are_constant) || !is_worthwhile(&f)) return BUDDY_OK;
  a->has_any = true;
  for (int i = 0; i < f.n_ops; ++i) {
    if (!is_factor(&f, i)) continue;
    if (f.s.n_operands + factors.n == BD_MAX_OPERANDS) break;
    const MlirValue buffer = compute(&f, i);
    if (!buffer.ptr) return BUDDY_OUT_OF_MEMORY;
    made_by[factors.n] = i;
    add(&factors, buffer,
        map_of_factor(f.s.operands[f.of_op[i]].type, bd_structured_map(&f.s, f.of_op[i])));
  }
  for (int k = 0; k < factors.n; ++k) {
    const MlirValue old = mlirOperationGetResult(f.ops[made_by[k]], 0);
    mlirValueReplaceAllUsesOfWith(
        old, mlirBlockInsertArgument(f.body, f.s.n_inputs + k, mlirValueGetType(old),
                                     mlirOperationGetLocation(op)));
  }
  for (int i = f.n_ops - 1; i >= 0; --i) {
    if (f.of_op[i] != OF_NONE && !bd_is_used(mlirOperationGetResult(f.ops[i], 0)))
      bd_op_erase(f.ops[i]);
  }
  set_operands(&f, &factors);
  return BUDDY_OK;
}

buddy_code bd_factors_separate(MlirOperation root, const bd_prepacking *prepacking,
                               bool *out_has_any) {
  asking a = {prepacking, true, false};
  const buddy_code code = bd_ops_each(root, "linalg.generic", separate, &a);
  *out_has_any = a.has_any;
  return code;
}

buddy_code bd_factors_separate_costly(MlirOperation root, const bd_prepacking *prepacking) {
  asking a = {prepacking, false, false};
  return bd_ops_each(root, "linalg.generic", separate, &a);
}
