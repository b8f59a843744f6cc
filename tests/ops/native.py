"""The C library through ctypes: loads a .pt2 archive with a registry order, and runs it on torch tensors."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from pathlib import Path

import torch

DTYPES = {
    1: torch.bool, 2: torch.uint8, 3: torch.int8, 4: torch.int16, 5: torch.int32, 6: torch.int64, 7: torch.uint16,
    8: torch.uint32, 9: torch.uint64, 10: torch.float16, 11: torch.bfloat16, 12: torch.float32, 13: torch.float64,
    14: torch.complex32, 15: torch.complex64, 16: torch.complex128,
}
NUMBERS = {dtype: number for number, dtype in DTYPES.items()}


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
                ("user", c_void_p)]


class ModelOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("search", POINTER(SearchOptions)),
                ("registries", POINTER(RegistriesOptions)), ("compile", POINTER(CompileOptions))]


class BuddyError(Exception):
    """A code that is not OK, with the diagnostics."""

    def __init__(self, code: int, text: str):
        super().__init__(f"code {code}\n{text}")
        self.code = code


def sized(kind, **fields):
    return kind(struct_size=ctypes.sizeof(kind), **fields)


class Library:
    """libbuddy_mlir.so of a build tree, and what it depends on."""

    def __init__(self, build: Path):
        self.c = ctypes.CDLL(str(next((build / "lib").glob("libbuddy_mlir.so"))), mode=ctypes.RTLD_LOCAL)
        for name in ("buddy_diags_get", "buddy_model_input", "buddy_model_output"):
            getattr(self.c, name).restype = c_void_p
        for name in ("buddy_diags_count", "buddy_model_n_inputs", "buddy_model_n_outputs"):
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


class Strided:
    """A torch tensor as the library sees it; keeps what it points to."""

    def __init__(self, tensor: torch.Tensor):
        self.tensor = tensor.detach()
        rank = tensor.dim()
        self.sizes = (c_int64 * max(rank, 1))(*tensor.shape)
        self.strides = (c_int64 * max(rank, 1))(*tensor.stride())
        self.c = Tensor(NUMBERS[tensor.dtype], rank, self.sizes, self.strides, tensor.data_ptr(), None, None)


def to_torch(tensor: Tensor) -> torch.Tensor:
    """A copy of a dense tensor."""
    sizes = [tensor.sizes[d] for d in range(tensor.rank)]
    out = torch.empty(sizes, dtype=DTYPES[tensor.dtype])
    if out.numel():
        ctypes.memmove(out.data_ptr(), tensor.bytes, out.numel() * out.element_size())
    return out


class Model:
    def __init__(self, library: Library, path: Path, order: str, opt_level: int = 0):
        self.library, self.model, self.diags = library, c_void_p(), c_void_p()
        c = library.c
        c.buddy_diags_create(byref(self.diags))
        registries = sized(RegistriesOptions, order=order.encode())
        compile_options = sized(CompileOptions, opt_level=opt_level)
        options = sized(ModelOptions, registries=ctypes.pointer(registries), compile=ctypes.pointer(compile_options))
        code = c.buddy_model_load(str(path).encode(), byref(options), self.diags, byref(self.model))
        self.warnings = library.check(code, self.diags)

    def run(self, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
        c = self.library.c
        strided = [Strided(tensor) for tensor in inputs]
        given = (Tensor * max(len(strided), 1))(*[s.c for s in strided])
        n = c.buddy_model_n_outputs(self.model)
        taken = (Tensor * max(n, 1))()
        code = c.buddy_model_run(self.model, given, c_size_t(len(strided)), taken, c_size_t(n), self.diags)
        self.library.check(code, self.diags)
        outputs = [to_torch(taken[i]) for i in range(n)]
        for i in range(n):
            c.buddy_tensor_release(byref(taken[i]))
        return outputs

    def close(self) -> None:
        self.library.c.buddy_model_destroy(self.model)
        self.library.c.buddy_diags_destroy(self.diags)
        self.model = self.diags = None
