# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ops on lists of tensors: every overload that PyTorch has, on arguments that its schema asks for."""

import torch

from case import Family

FAMILY = Family("lists")
SIZES = ((3, 4), (5,), ())
POSITIVE = {"acos", "asin", "log", "log10", "log1p", "log2", "lgamma", "pow", "rsqrt", "sqrt", "div", "addcdiv", "lerp"}
NUMBERS = [0.5, 2.0, 1.5]
# PyTorch reads the numbers in a tensor while it computes, which torch.export cannot trace.
NOT_EXPORTED = ("_foreach_addcdiv.Tensor", "_foreach_addcmul.Tensor", "_foreach_addcdiv_.Tensor", "_foreach_addcmul_.Tensor",
                "_foreach_addcdiv.Tensor_out", "_foreach_addcmul.Tensor_out")


def schemas() -> list[torch.FunctionSchema]:
    found = [schema for schema in torch._C._jit_get_all_schemas() if schema.name.startswith("aten::_foreach_")]
    return sorted(found, key=lambda schema: (schema.name, schema.overload_name))


def is_list(argument, element: str) -> bool:
    return str(argument.type) == f"List[{element}]"


def cases_of(schema: torch.FunctionSchema) -> None:
    name, overload = schema.name.split("::")[1], schema.overload_name or "default"
    op = getattr(getattr(torch.ops.aten, name), overload)
    base = name.removeprefix("_foreach_").removesuffix("_")
    low, high = (0.1, 0.9) if base in POSITIVE else (-2, 2)
    sizes = ((3, 3), (2, 2), (1, 1)) if base == "mm" else SIZES
    lists = [a for a in schema.arguments if is_list(a, "Tensor") and a.name != "out"]
    tensors = [a for a in schema.arguments if str(a.type) == "Tensor"]
    n_lists = len(lists)
    inputs = [FAMILY.tensor(*size, low=low, high=high) for _ in lists for size in sizes]
    inputs += [FAMILY.tensor(low=low, high=high) for _ in tensors]

    def run(*given: torch.Tensor):
        taken, single = iter(range(n_lists)), iter(given[n_lists * 3:])
        args, kwargs, written = [], {}, None
        for a in schema.arguments:
            if a.name == "out":
                value = written = [torch.empty_like(x) for x in op_result(given)]
            elif is_list(a, "Tensor"):
                k = next(taken)
                value = [x.clone() if name.endswith("_") and k == 0 else x for x in given[3 * k:3 * k + 3]]
                written = value if name.endswith("_") and k == 0 else written
            elif str(a.type) == "Tensor":
                value = next(single)
            elif is_list(a, "number"):
                value = NUMBERS
            elif a.has_default_value() and str(a.type) != "number":
                continue
            else:
                value = 1.5
            if a.kwarg_only:
                kwargs[a.name] = value
            else:
                args.append(value)
        result = op(*args, **kwargs)
        return list(written if written is not None else result)

    def op_result(given):
        """What `out` is the size of: the first list's elements, or numbers where each becomes one."""
        return [x.sum() if base in ("norm", "powsum", "max") else x for x in given[:3]]
    FAMILY.add(f"{name}.{overload}", run, *inputs)


for schema in schemas():
    if f"{schema.name.split('::')[1]}.{schema.overload_name}" not in NOT_EXPORTED:
        cases_of(schema)


def one_tensor_twice(x, y):
    x = x.clone()
    torch._foreach_add_([x, y, x[0]], 1.5)
    torch._foreach_mul_([x, x], [x, y])
    return x, y + 0


FAMILY.add("a tensor twice", one_tensor_twice, FAMILY.tensor(3, 4), FAMILY.tensor(3, 4), is_whole=True)
FAMILY.add("whole numbers", lambda x, y: (*torch._foreach_add([x, y], 2), *torch._foreach_sqrt([x, y]), *torch._foreach_pow([x, y], [2, 3]),
           *torch._foreach_maximum([x, y], 1), *torch._foreach_div([x, y], [y, x])),
           FAMILY.tensor(3, 4, dtype=torch.int64, low=1), FAMILY.tensor(5, 1, 4, dtype=torch.int32, low=1)[:3, 0])
FAMILY.add("of sizes", lambda x, y: (*torch._foreach_add([x, y], [y, x], alpha=2), *torch._foreach_norm([x, y]),
           *torch._foreach_norm([x, y], 1)), FAMILY.tensor(3, 4), FAMILY.tensor(3, 4),
           others=(FAMILY.tensor(5, 7), FAMILY.tensor(5, 7)))
