"""The C library through ctypes: loads a .pt2 archive with a registry order, and runs it on torch tensors."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass
from pathlib import Path

import torch

DTYPES = {
    1: torch.bool, 2: torch.uint8, 3: torch.int8, 4: torch.int16, 5: torch.int32, 6: torch.int64, 7: torch.uint16,
    8: torch.uint32, 9: torch.uint64, 10: torch.float16, 11: torch.bfloat16, 12: torch.float32, 13: torch.float64,
    14: torch.complex32, 15: torch.complex64, 16: torch.complex128,
}
UNSUPPORTED = 4  # BUDDY_UNSUPPORTED: some nodes were taken by nobody
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
        try:
            self.warnings = library.check(code, self.diags)
        except BuddyError:
            self.close()
            raise

    def seed(self, seed: int) -> None:
        self.library.c.buddy_model_seed(self.model, ctypes.c_uint64(seed))

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


@dataclass
class Decision:
    """What the plan says of one node of the archive."""

    op: str
    module: str  # path of the torch module that called it
    is_taken: bool
    reasons: list[str]  # of the rows that did not take it


def plan(library: Library, path: Path, order: str) -> list[Decision]:
    """The decisions for an archive's nodes; nothing is lowered."""
    c = library.c
    made: list[tuple[c_void_p, str]] = []  # with the function that frees it, in the order of creation

    def create(function: str, destroy: str, *arguments) -> c_void_p:
        handle = c_void_p()
        code = getattr(c, function)(*arguments, byref(handle))
        if handle:
            made.append((handle, destroy))
        if code and not (code == UNSUPPORTED and handle):
            raise BuddyError(code, library.diagnostics(diags) if diags else function)
        return handle

    diags = None
    try:
        diags = create("buddy_diags_create", "buddy_diags_destroy")
        opset = create("buddy_aten_opset_create", "buddy_opset_destroy")
        options = sized(RegistriesOptions, order=order.encode())
        search = create("buddy_search_create", "buddy_search_destroy", None, diags)
        registries = create("buddy_registries_create", "buddy_registries_destroy", search, opset, byref(options), diags)
        archive = create("buddy_archive_open", "buddy_archive_close", str(path).encode(), diags)
        graph = create("buddy_archive_import", "buddy_graph_destroy", archive, opset, diags)
        handle = create("buddy_plan_create", "buddy_plan_destroy", registries, graph, diags)
        decisions = []
        for i in range(c.buddy_plan_n_decisions(handle)):
            one = ctypes.cast(c.buddy_plan_decision(handle, c_size_t(i)), POINTER(CDecision)).contents
            reasons = [one.tries[k].reason.decode() for k in range(one.n_tries) if one.tries[k].code]
            decisions.append(Decision(one.op.decode(), (one.location.module or b"").decode(), bool(one.is_taken),
                                      reasons))
        return decisions
    except BuddyError as error:
        if error.code != UNSUPPORTED:
            raise
        return []  # it is the import that declined
    finally:
        for handle, destroy in reversed(made):
            getattr(c, destroy)(handle)
