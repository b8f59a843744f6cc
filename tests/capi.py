# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C library through ctypes, on plain memory: no PyTorch. native.py puts torch tensors on top."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from pathlib import Path

NAMES = {
    1: "bool", 2: "uint8", 3: "int8", 4: "int16", 5: "int32", 6: "int64", 7: "uint16", 8: "uint32", 9: "uint64",
    10: "float16", 11: "bfloat16", 12: "float32", 13: "float64", 14: "complex32", 15: "complex64", 16: "complex128",
    17: "float8_e4m3fn", 18: "float8_e5m2", 19: "float8_e4m3fnuz", 20: "float8_e5m2fnuz", 21: "float8_e8m0fnu",
}
NUMBERS = {name: number for number, name in NAMES.items()}
INVALID_ARGUMENT = 2  # BUDDY_INVALID_ARGUMENT
UNSUPPORTED = 4  # BUDDY_UNSUPPORTED: some nodes were taken by nobody


class Tensor(Structure):
    _fields_ = [("dtype", c_int32), ("rank", c_uint32), ("sizes", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("bytes", c_void_p), ("release", c_void_p), ("owner", c_void_p)]


class Diag(Structure):
    _fields_ = [("severity", c_int32), ("code", c_int32), ("where", c_char_p), ("what", c_char_p),
                ("todo", c_char_p)]


class SearchOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("plugin_dirs", POINTER(c_char_p)), ("n_plugin_dirs", c_size_t),
                ("plugin_files", POINTER(c_char_p)), ("n_plugin_files", c_size_t), ("no_environment", c_int)]


class RegistriesOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("order", c_char_p), ("pins", POINTER(c_char_p)), ("n_pins", c_size_t),
                ("no_environment", c_int)]


class CompileOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("opt_level", c_int), ("pipeline", c_char_p), ("progress", c_void_p),
                ("user", c_void_p), ("profile", c_int)]


class ModelOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("search", POINTER(SearchOptions)),
                ("registries", POINTER(RegistriesOptions)), ("compile", POINTER(CompileOptions)),
                ("use_cache", c_int), ("cache_dir", c_char_p)]


class Location(Structure):
    _fields_ = [("file", c_char_p), ("line", c_uint32), ("function", c_char_p), ("code", c_char_p),
                ("module", c_char_p)]


class Try(Structure):
    _fields_ = [("registry", c_size_t), ("row", c_void_p), ("code", c_int32), ("reason", c_char_p),
                ("transform", c_char_p)]


class CDecision(Structure):
    _fields_ = [("op", c_char_p), ("name", c_char_p), ("location", Location), ("types", c_char_p),
                ("tries", POINTER(Try)), ("n_tries", c_size_t), ("is_taken", c_int), ("expansion", c_void_p),
                ("n_expansion", c_size_t)]


class BuddyError(Exception):
    """A code that is not OK, with the diagnostics."""

    def __init__(self, code: int, text: str):
        super().__init__(f"code {code}\n{text}")
        self.code = code


def sized(kind, **fields):
    return kind(struct_size=ctypes.sizeof(kind), **fields)


class Library:
    """libbuddy_model.so of a build tree, and what it depends on."""

    def __init__(self, build: Path):
        self.c = ctypes.CDLL(str(next((build / "lib").glob("libbuddy_model.so"))), mode=ctypes.RTLD_LOCAL)
        for name in ("buddy_diags_get", "buddy_model_input", "buddy_model_output", "buddy_plan_decision"):
            getattr(self.c, name).restype = c_void_p
        for name in ("buddy_diags_count", "buddy_model_n_inputs", "buddy_model_n_outputs", "buddy_plan_n_decisions"):
            getattr(self.c, name).restype = c_size_t

    def diagnostics(self, diags: c_void_p) -> str:
        lines = []
        for i in range(self.c.buddy_diags_count(diags)):
            diag = ctypes.cast(self.c.buddy_diags_get(diags, c_size_t(i)), POINTER(Diag)).contents
            lines.append(f"{diag.where.decode()}: {diag.what.decode()} {diag.todo.decode()}")
        return "\n".join(lines)

    def check(self, code: int, diags: c_void_p) -> str:
        """The diagnostics of a call that went well: warnings and notes."""
        text = self.diagnostics(diags)
        self.c.buddy_diags_clear(diags)
        if code:
            raise BuddyError(code, text)
        return text


def dense_strides(sizes: Sequence[int]) -> list[int]:
    strides = [1] * len(sizes)
    for d in reversed(range(len(sizes) - 1)):
        strides[d] = strides[d + 1] * max(sizes[d + 1], 1)
    return strides


class Memory:
    """Somebody else's memory as the library sees it; `owner` is kept alive with it."""

    def __init__(self, owner: object, address: int, dtype: str, sizes: Sequence[int], strides: Sequence[int]):
        self.owner = owner
        rank = len(sizes)
        self.sizes = (c_int64 * max(rank, 1))(*sizes)
        self.strides = (c_int64 * max(rank, 1))(*strides)
        self.c = Tensor(NUMBERS[dtype], rank, self.sizes, self.strides, address, None, None)


class Results:
    """What a run gave: tensors of the library, until release."""

    def __init__(self, library: Library, tensors: ctypes.Array):
        self.library, self.tensors = library, tensors

    def release(self) -> None:
        for tensor in self.tensors:
            self.library.c.buddy_tensor_release(byref(tensor))


class Model:
    """An archive, compiled with a registry order."""

    def __init__(self, library: Library, path: Path, order: str, opt_level: int = -1, use_cache: bool = False,
                 profile: int = 0):
        self.library, self.model, self.diags = library, c_void_p(), c_void_p()
        c = library.c
        c.buddy_diags_create(byref(self.diags))
        registries = sized(RegistriesOptions, order=order.encode())
        compile_options = sized(CompileOptions, opt_level=opt_level or -2, profile=profile)
        options = sized(ModelOptions, registries=ctypes.pointer(registries), compile=ctypes.pointer(compile_options),
                        use_cache=use_cache)
        code = c.buddy_model_load(str(path).encode(), byref(options), self.diags, byref(self.model))
        try:
            self.warnings = library.check(code, self.diags)
        except BuddyError:
            self.close()
            raise

    def seed(self, seed: int) -> None:
        self.library.c.buddy_model_seed(self.model, ctypes.c_uint64(seed))

    def run(self, inputs: Sequence[Memory]) -> Results:
        c = self.library.c
        given = (Tensor * max(len(inputs), 1))(*[memory.c for memory in inputs])
        n = c.buddy_model_n_outputs(self.model)
        taken = (Tensor * n)()
        code = c.buddy_model_run(self.model, given, c_size_t(len(inputs)), taken, c_size_t(n), self.diags)
        self.library.check(code, self.diags)
        return Results(self.library, taken)

    def close(self) -> None:
        self.library.c.buddy_model_destroy(self.model)
        self.library.c.buddy_diags_destroy(self.diags)
        self.model = self.diags = None
