# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small archives with integer weights and zero points, written by hand, and forged afterwards."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path
from typing import Any

from archive import rewrite

CHAR, LONG, FLOAT = 2, 5, 7
ROWS, COLUMNS = 3, 4


def meta(dtype: int, *sizes: int) -> dict[str, Any]:
    strides = [1] * len(sizes)
    for i in range(len(sizes) - 1, 0, -1):
        strides[i - 1] = strides[i] * sizes[i]
    return {"dtype": dtype, "sizes": [{"as_int": n} for n in sizes], "requires_grad": False,
            "device": {"type": "cpu", "index": None}, "strides": [{"as_int": n} for n in strides],
            "storage_offset": {"as_int": 0}, "layout": 7}


def tensor(name: str) -> dict[str, Any]:
    return {"as_tensor": {"name": name}}


def program(values: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """w·1 of per-channel weights: their values, less zero points, times scales, times the input."""
    numbers = {"axis": {"as_int": 0}, "quant_min": {"as_int": -128}, "quant_max": {"as_int": 127}, "dtype": {"as_scalar_type": CHAR}}
    dequantize = {"input": tensor("p_w"), "scales": tensor("p_s"), "zero_points": tensor("p_z")} | numbers
    nodes = [("quantized_decomposed.dequantize_per_channel.default", dequantize, "d"),
             ("aten.mul.Tensor", {"self": tensor("d"), "other": tensor("x")}, "y")]
    graph = {"inputs": [tensor(f"p_{name}") for name in "wsz"] + [tensor("x")], "outputs": [tensor("y")],
             "nodes": [{"target": f"torch.ops.{op}", "inputs": [{"name": key, "arg": arg, "kind": 1} for key, arg in args.items()],
                        "outputs": [tensor(out)], "metadata": {}, "is_hop_single_tensor_return": None} for op, args, out in nodes],
             "tensor_values": values, "sym_int_values": {}, "sym_bool_values": {}, "sym_float_values": {},
             "custom_obj_values": {}, "is_single_tensor_return": False}
    specs = [{"parameter": {"arg": {"name": f"p_{name}"}, "parameter_name": name}} for name in "wsz"]
    signature = {"input_specs": [*specs, {"user_input": {"arg": tensor("x")}}], "output_specs": [{"user_output": {"arg": tensor("y")}}]}
    return {"graph_module": {"graph": graph, "signature": signature, "module_call_graph": [], "metadata": {}},
            "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20}, "verifiers": [],
            "torch_version": "2.13.0", "guards_code": []}


def write(path: Path, zeros: list[int], model: str = "model") -> Path:
    """An archive whose zero points are these, one for each of three rows."""
    types = {"w": meta(CHAR, ROWS, COLUMNS), "s": meta(FLOAT, ROWS), "z": meta(LONG, ROWS)}
    values = {f"p_{name}": type_ for name, type_ in types.items()} | {name: meta(FLOAT, ROWS, COLUMNS) for name in "xdy"}
    weights = {"w": struct.pack("<12b", *range(-6, 6)), "s": struct.pack("<3f", 0.5, 1, 2), "z": struct.pack("<3q", *zeros)}
    config = {name: {"path_name": f"weight_{i}", "is_param": True, "use_pickle": False, "tensor_meta": types[name]}
              for i, name in enumerate(weights)}
    entries = {f"q/data/weights/weight_{i}": data for i, data in enumerate(weights.values())}
    entries |= {f"q/data/weights/{model}_weights_config.json": json.dumps({"config": config}).encode(),
                f"q/data/constants/{model}_constants_config.json": b'{"config": {}}',
                f"q/models/{model}.json": json.dumps(program(values)).encode(), "q/archive_format": b"pt2",
                "q/archive_version": b"0", "q/byteorder": b"little"}
    plain = path.with_suffix(".zip")
    with zipfile.ZipFile(plain, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    rewrite(plain, path, lambda name, data: data)
    plain.unlink()
    return path


def expected(zeros: list[int]) -> list[float]:
    """Of an input that is 1 everywhere."""
    return [scale * (4 * row + column - 6 - zeros[row]) for row, scale in enumerate((0.5, 1, 2)) for column in range(COLUMNS)]


def forge(path: Path, out: Path, entry: str, data: bytes) -> Path:
    """Other bytes in place of an entry's, whose checksum stays what it was."""
    with zipfile.ZipFile(path) as archive:
        info = next(one for one in archive.infolist() if one.filename.endswith(entry))
    content = bytearray(path.read_bytes())
    n_name, n_extra = struct.unpack_from("<HH", content, info.header_offset + 26)
    at = info.header_offset + 30 + n_name + n_extra
    assert len(data) == info.file_size
    content[at:at + len(data)] = data
    out.write_bytes(content)
    return out
