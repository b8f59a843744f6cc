// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/func/registry.c: what becomes calls of functions and control flow: subgraphs under
 * conditions and in loops, and the checks that a program makes while it runs. */
#include "plugins/func/rows.h"

static const buddy_op ops[] = {
    /* control flow */
    {.name = "higher_order.cond.default",
     .args = "pred, true_fn, false_fn, operands",
     .emit = fn_emit_cond},
    {.name = "higher_order.while_loop.default",
     .args = "cond_fn, body_fn, carried_inputs, additional_inputs",
     .emit = fn_emit_while},
    {.name = "higher_order.map_impl.default", .args = "f, xs, pos_args", .emit = fn_emit_map},
    {.name = "higher_order.scan.default",
     .args = "combine_fn, init, xs, additional_inputs",
     .emit = fn_emit_scan},

    /* checks */
    {.name = "aten._assert_async.default",
     .args = "self",
     .emit = fn_emit_assert,
     .user = "no message"},
    {.name = "aten._assert_async.msg", .args = "self, assert_msg", .emit = fn_emit_assert},
    {.name = "aten._assert_scalar.default", .args = "self, assert_msg", .emit = fn_emit_assert},
    {.name = "aten._functional_assert_async.msg",
     .args = "self, assert_msg, dep_token",
     .emit = fn_emit_assert_on_token},
    {.name = "aten._functional_assert_scalar.default",
     .args = "self, assert_msg, dep_token",
     .emit = fn_emit_assert_on_token},
};

static const char *const dialects[] = {"func", "scf", "cf", "tensor", "arith", NULL};

BUDDY_REGISTRY(func, "0.1.0", "buddy", "Apache-2.0", BUDDY_LLVM, ops, .dialects = dialects,
               .open = be_open);
