// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/abi/layout_v1_0.c: where everything of ABI 1.0 lies, on machines of 64 bits. It compiles,
 * or the ABI is broken: a number here is never changed, for fields that are appended come
 * behind. */
#include "buddy/registry.h"

#define AT(type, field, offset) \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has another size")
#define LEAST(type, size) _Static_assert(sizeof(type) >= (size), #type " has shrunk")

_Static_assert(sizeof(void *) == 8, "these are the numbers of 64-bit machines");
_Static_assert(BUDDY_ABI_MAJOR == 1, "another major version has a layout file of its own");

/* Structs that never grow. */
SIZE(buddy_sv, 16);
AT(buddy_sv, data, 0);
AT(buddy_sv, size, 8);
SIZE(buddy_tensor_type, 16);
AT(buddy_tensor_type, dtype, 0);
AT(buddy_tensor_type, rank, 4);
AT(buddy_tensor_type, dims, 8);
SIZE(buddy_arg, 24);
AT(buddy_arg, kind, 0);
AT(buddy_arg, reserved, 4);
AT(buddy_arg, n, 8);
AT(buddy_arg, as, 16);
SIZE(buddy_named_arg, 32);
AT(buddy_named_arg, name, 0);
AT(buddy_named_arg, arg, 8);
SIZE(buddy_ir_type, 8);
SIZE(buddy_ir_attr, 8);
SIZE(buddy_ir_value, 8);
SIZE(buddy_ir_named_attr, 24);
SIZE(buddy_runtime_symbol, 16);

/* Structs that grow at the end. */
LEAST(buddy_ir_spec, 72);
AT(buddy_ir_spec, struct_size, 0);
AT(buddy_ir_spec, flags, 4);
AT(buddy_ir_spec, name, 8);
AT(buddy_ir_spec, operands, 24);
AT(buddy_ir_spec, n_operands, 32);
AT(buddy_ir_spec, result_types, 40);
AT(buddy_ir_spec, n_results, 48);
AT(buddy_ir_spec, attrs, 56);
AT(buddy_ir_spec, n_attrs, 64);

LEAST(buddy_host, 200);
AT(buddy_host, struct_size, 0);
AT(buddy_host, abi_version, 4);
AT(buddy_host, llvm_version, 8);
AT(buddy_host, flags, 12);
AT(buddy_host, scratch, 16);
AT(buddy_host, alloc, 24);
AT(buddy_host, free, 32);
AT(buddy_host, decline, 40);
AT(buddy_host, fail, 48);
AT(buddy_host, op_name, 56);
AT(buddy_host, n_args, 64);
AT(buddy_host, arg, 72);
AT(buddy_host, n_results, 80);
AT(buddy_host, result_type, 88);
AT(buddy_host, value_type, 96);
AT(buddy_host, dim, 104);
AT(buddy_host, node, 112);
AT(buddy_host, replace, 120);
AT(buddy_host, ir_value, 128);
AT(buddy_host, ir_tensor_type, 136);
AT(buddy_host, ir_type_parse, 144);
AT(buddy_host, ir_attr_parse, 152);
AT(buddy_host, ir_attr_dense, 160);
AT(buddy_host, ir_dim, 168);
AT(buddy_host, ir_op, 176);
AT(buddy_host, ir_set_result, 184);
AT(buddy_host, extension, 192);

LEAST(buddy_op, 64);
AT(buddy_op, name, 0);
AT(buddy_op, args, 8);
AT(buddy_op, in_dtypes, 16);
AT(buddy_op, out_dtypes, 20);
AT(buddy_op, benefit, 24);
AT(buddy_op, flags, 28);
AT(buddy_op, match, 32);
AT(buddy_op, emit, 40);
AT(buddy_op, expand, 48);
AT(buddy_op, user, 56);

LEAST(buddy_registry, 112);
AT(buddy_registry, struct_size, 0);
AT(buddy_registry, abi_version, 4);
AT(buddy_registry, llvm_version, 8);
AT(buddy_registry, flags, 12);
AT(buddy_registry, name, 16);
AT(buddy_registry, version, 24);
AT(buddy_registry, vendor, 32);
AT(buddy_registry, license, 40);
AT(buddy_registry, dialects, 48);
AT(buddy_registry, depends, 56);
AT(buddy_registry, schemas, 64);
AT(buddy_registry, ops, 72);
AT(buddy_registry, n_ops, 80);
AT(buddy_registry, op_stride, 84);
AT(buddy_registry, open, 88);
AT(buddy_registry, close, 96);
AT(buddy_registry, extension, 104);

LEAST(buddy_runtime, 16);
AT(buddy_runtime, struct_size, 0);
AT(buddy_runtime, n_symbols, 4);
AT(buddy_runtime, symbols, 8);

LEAST(buddy_elf_note, 244);
AT(buddy_elf_note, namesz, 0);
AT(buddy_elf_note, descsz, 4);
AT(buddy_elf_note, type, 8);
AT(buddy_elf_note, name, 12);
AT(buddy_elf_note, abi_version, 20);
AT(buddy_elf_note, llvm_version, 24);
AT(buddy_elf_note, registry_size, 28);
AT(buddy_elf_note, op_size, 32);
AT(buddy_elf_note, host_size, 36);
AT(buddy_elf_note, n_ops, 40);
AT(buddy_elf_note, sanitizer, 44);
AT(buddy_elf_note, flags, 48);
AT(buddy_elf_note, registry_name, 52);
AT(buddy_elf_note, version, 84);
AT(buddy_elf_note, vendor, 116);
AT(buddy_elf_note, license, 180);

/* Numbers that plugins were compiled with. */
#define X(name, value, meaning) \
  _Static_assert(BUDDY_##name == (value), "code " #name " has another number");
BUDDY_CODES(X)
#undef X
_Static_assert(BUDDY_INTERNAL == 13 && BUDDY_DECLINED == 1 && BUDDY_LIMIT == 11, "codes");
_Static_assert(BUDDY_BOOL == 1 && BUDDY_I64 == 6 && BUDDY_F16 == 10 && BUDDY_F32 == 12 &&
                   BUDDY_F64 == 13 && BUDDY_C64 == 15 && BUDDY_F8E5M2FNUZ == 20,
               "dtypes");
_Static_assert(BUDDY_ARG_TENSOR == 1 && BUDDY_ARG_INTS == 4 && BUDDY_ARG_STRING == 9 &&
                   BUDDY_ARG_GRAPH == 16,
               "kinds of arguments");
_Static_assert(BUDDY_DIM_ADD == 0 && BUDDY_DIM_MIN == 6, "dim arithmetic");
_Static_assert(BUDDY_ROW_STATIC == 1 && BUDDY_REGISTRY_SERIAL == 1, "flags");
