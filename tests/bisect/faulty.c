// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/bisect/faulty.c: a registry that is wrong in one way at a time: BUDDY_TEST_FAULT names the row
 * that takes its op, all others decline. */
#include <buddy/kit.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const buddy_op *self) { return self->user; }

static buddy_code match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const char *fault = getenv("BUDDY_TEST_FAULT");
  const buddy_tensor_type *to = be_result_type(call, 0);
  const size_t n = strcspn(name_of(self), " ");
  if (!fault || strlen(fault) != n || strncmp(fault, name_of(self), n) != 0)
    return be_decline(call, "this is not the fault that is asked for");
  if (strcmp(fault, "size") == 0 && (to->rank == 0 || to->dims[to->rank - 1] != 84))
    return be_decline(call, "it is wrong at size 84 alone");
  return BUDDY_OK;
}

/* The name of the fault, and what the row does instead of what it should. */
#define ROW(op, list, text) \
  {.name = "aten." op, .args = list, .match = match, .emit = emit, .user = text}
#define F32 " : f32\n"
#define YIELD "linalg.yield %r : f32"

static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  if (strncmp(name_of(self), "crash ", 6) == 0) abort();
  if (strncmp(name_of(self), "lost ", 5) == 0) { /* unread, the host itself would refuse them */
    be_float(call, 1, 0);
    be_float(call, 2, 0);
  }
  const buddy_tensor_type *to = be_result_type(call, 0);
  const char *body = strchr(name_of(self), ' ') + 1;
  bk_input inputs[2];
  const size_t n = strncmp(self->args, "self, other", 11) == 0 ? 2 : 1;
  for (size_t i = 0; i < n; ++i) inputs[i] = (bk_input){bk_tensor(call, i), be_arg_type(call, i)};
  return bk_result(call, 0, bk_elementwise(call, to, inputs, n, body));
}

static const buddy_op ops[] = {
    ROW("relu.default", "self",
        "constant %c = arith.constant 4.0" F32 "%r = arith.maximumf %in0, %c" F32 YIELD),
    {.name = "aten.relu.default",
     .args = "self",
     .benefit = 1,
     .match = match,
     .emit = emit,
     .user = "size %c = arith.constant 1.5" F32 "%z = arith.constant 0.0" F32
             "%m = arith.maximumf %in0, %z" F32 "%r = arith.mulf %m, %c" F32 YIELD},
    ROW("sub.Tensor", "self, other", "swapped %r = arith.subf %in1, %in0" F32 YIELD),
    ROW("mul.Tensor", "self, other",
        "rounding %m = arith.mulf %in0, %in1" F32 "%h = arith.truncf %m : f32 to bf16\n"
        "%r = arith.extf %h : bf16 to f32\n" YIELD),
    ROW("tanh.default", "self",
        "nan %t = math.tanh %in0" F32 "%c = arith.constant 0.2" F32
        "%w = arith.cmpf ogt, %t, %c" F32 "%n = arith.constant 0x7FC00000" F32
        "%r = arith.select %w, %n, %t" F32 YIELD),
    ROW("sigmoid.default", "self",
        "sign %one = arith.constant 1.0" F32 "%power = math.exp %in0" F32
        "%d = arith.addf %power, %one" F32 "%r = arith.divf %one, %d" F32 YIELD),
    ROW("sqrt.default", "self",
        "epsilon %c = arith.constant 0.001" F32 "%s = arith.addf %in0, %c" F32
        "%r = math.sqrt %s" F32 YIELD),
    ROW("exp.default", "self", "function %r = math.exp2 %in0" F32 YIELD),
    ROW("div.Tensor", "self, other",
        "factor %c = arith.constant 1.001" F32 "%q = arith.divf %in0, %in1" F32
        "%r = arith.mulf %q, %c" F32 YIELD),
    ROW("neg.default", "self",
        "identity %z = arith.constant 0.0" F32 "%r = arith.addf %in0, %z" F32 YIELD),
    ROW("clamp.default", "self, min, max", "crash "),
    {.name = "aten.clamp.default",
     .args = "self, min, max",
     .benefit = 1,
     .match = match,
     .emit = emit,
     .user = "lost %c = arith.constant 0.75" F32 "%r = arith.minimumf %in0, %c" F32 YIELD},
    ROW("maximum.default", "self, other", "comparison %r = arith.minimumf %in0, %in1" F32 YIELD),
};

static const char *const dialects[] = {"arith", "linalg", "math", "tensor", NULL};
BUDDY_REGISTRY(faulty, "0.1.0", "tests", "test", 0, ops, .dialects = dialects, .open = be_open);
