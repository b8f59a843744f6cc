# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says of every overload of PyTorch whether it is taken, and if not, why: overloads.txt.

    python3 tests/conformance/overloads.py --build build [--write]

The overloads are those of torch.ops in the namespaces of an exported program: aten, prims, quantized_decomposed, torch_nn and the
higher-order ops. Taken is what a registry has a row for (`row`), what the importer says in other ops (`form`), or what writes and
has a form that does not and is taken (`writes`). Of the rest REASONS tells why it is not: it cannot reach a program that
torch.export writes for the CPU, or it is open, which is told as such. An overload of which neither is said has been forgotten;
one that overloads.txt calls taken and that is not any more has been lost. Both fail. It goes by names: which cases of an overload
are taken, the samples of run_conformance.py tell.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import torch
import torch._inductor.inductor_prims  # noqa: F401: registers what Inductor's decompositions add to prims
import torch.ao.quantization.fx._decomposed  # noqa: F401: registers quantized_decomposed
import torch.nn.modules.linear_cross_entropy  # noqa: F401: registers torch_nn

FOLDER = Path(__file__).resolve().parent
IMPORT = FOLDER.parent.parent / "sdk" / "import"
TABLE = FOLDER / "overloads.txt"
NAMESPACES = ("aten", "prims", "quantized_decomposed", "torch_nn")
FORMS = ("normalize_ops.c", "views.c", "sizes.c", "functionalize.c", "functionalize_prepare.c", "numbers.c", "pt2_numbers.c", "pt2_nodes.c",
         "pt2_vmap.c")

# The first pattern that an overload's name matches says why it is not taken.
REASONS = [
    ("open: reachable, nobody takes it", r"aten\.(_?ctc_loss|linalg_lstsq|equal|allclose|is_nonzero|_masked_softmax|_masked_scale"
     r"|_euclidean_dist|_dim_arange|_shape_as_tensor|_fake_quantize_learnable\w*_affine|fused_moving_avg_obs_fake_quant"
     r"|choose_qparams_optimized|_choose_qparams_per_tensor|_upsample_lanczos2d_aa|native_norm"
     r"|_scaled_dot_product_attention_math|_saturate_weight_to_fp16|_sobol_engine_\w+|_foreach_\w+|_batch_norm_impl_index"
     r"|_batch_norm_no_update|_transform_bias_rescale_qkv"
     r"|_compute_linear_combination|_pack_padded_sequence|_pad_packed_sequence|slow_conv\w*|thnn_conv2d|_slow_conv2d_forward|_spdiags"
     r"|_addmm_activation|_aminmax|_efficientzerotensor|_cumm(ax|in)_helper"
     r"|linalg__powsum|slice_inverse|_pad_enum|_grid_sampler_2d_cpu_fallback|set|_philox_\w+|_rowwise_prune|quantize_per_tensor_dynamic"
     r"|_resize_output_?|_lazy_clone|_reshape_from_tensor|unflatten_dense_tensors|_cholesky_solve_helper|_new_zeros_with_same_feature_meta"
     r"|_weight_int4pack_mm_with_scales_and_zeros|_dyn_quant_\w+|_convert_weight_to_int4pack_for_cpu)\."),
    ("open: a gradient that nobody takes", r"aten\..*(_backward|_jvp|_grad|_double_backward)\w*\."),
    ("eager PyTorch has no implementation", r"prims\.xor_sum\."),
    ("effect tokens, which torch.export takes out again", r"(prims\._(make_token|sink_tokens)|aten\._make_dep_token)\."),
    ("asks a generator of CUDA", r"prims\.inductor_rand_eager_offsets?\."),
    ("of sparse tensors", r"aten\.(.*(sparse|coalesce|csr|coo|bsr|bsc|csc)\w*|_?indices\w*|_?values\w*|_?(ccol|col|crow|row)_indices\w*|_nnz|_dim[IV]"
     r"|dense_dim|hspmm|smm|sspaddmm|_?to_dense|_spsolve|_cslt_\w+)\."),
    ("of nested tensors", r"aten\.(.*nested.*|to_padded_tensor|_jagged_\w+|_padded_dense_\w+)\."),
    ("of another device or its library", r"aten\..*(cuda|cudnn|miopen|mkldnn|mps|xpu|vulkan|xla|triton|flash_attention_forward|efficient_attention_forward"
     r"|nnpack|metal|hpu|mtia|cutlass)\w*\."),
    ("of another device or its library", r"aten\.((add|b)?mm\.dtype|baddbmm\.dtype|_scaled_dot_product_(flash_attention\.quantized"
     r"|fused_attention_overrideable\.default))$"),
    ("of another device or its library", r"aten\.(batch_norm_(elemt|gather\w*|stats|update_stats)|_?conv_depthwise[23]d|_scaled_grouped_mm\w*"
     r"|_scaled_mm_v2|_scaled_grouped\w*|_mixed_dtypes_linear|_fill_mem_eff\w*|convolution_overrideable|_weight_int4pack_mm|_convert_weight_to_int4pack"
     r"|_thnn_\w+|_flash\w*|_grouped_mm)\."),
    ("of quantized tensors, which torch.export does not write", r"aten\..*(quantize|quantized|q_per_channel|q_scale|q_zero_point|qscheme|int_repr|fbgemm"
     r"|_wrapped_\w*linear\w*|qlinear)\w*\."),
    ("of an optimizer's or scaler's kernel for CUDA", r"aten\.(_fused_\w+|_amp_\w+)\."),
    ("of forward-mode gradients or functorch", r"aten\.(_fw_primal\w*|_make_dual\w*|_unpack_dual|_(add|remove)_batch_dim)\."),
    ("a question whose answer torch.export writes in place of the call", r"aten\.(is_\w+|numel|size|stride|storage_offset|dim|get_device|output_nr"
     r"|result_type|promote_types|retains?_grad|_version|_has_\w+|_is_zerotensor|_debug_has_internal_overlap|sym_\w+|data|set_data|_nnz|can_cast)\."),
    ("of the running process, not of values", r"aten\.(from_file|_pin_memory|pin_memory|set_|_propagate_xla_data|_copy_from\w*|_to_cpu|_autocast_to_\w+|_print"
     r"|_functional_sym_constrain_range\w*|requires_grad_|_functional_assert\w*)\."),
    ("writes into `out`, which torch.export makes functional", r"aten\..*(_out|\.(\w+_)?out\w*|\.(values|grid|mode|dim_values|names_\w*))$"),
    ("writes, and its functional form is not taken", r"aten\.\w+_\."),
]
# Higher-order ops that are none of a program's own: torch.export takes them out, or they are of eager modes and debuggers.
HIGHER_ORDER = {
    "taken": "associative_scan cond map map_impl scan while_loop wrap wrap_with_set_grad_enabled wrap_with_autocast auto_functionalized"
    " auto_functionalized_v2",
}


def rows_of(build: Path) -> set[str]:
    rows = set()
    for registry in ("tosa", "linalg", "math", "func", "vendor", "lapack", "composite"):
        shown = subprocess.run([build / "bin" / "buddy", "ops", "--registry", registry], capture_output=True, text=True)
        rows |= set(re.findall(r"\b((?:aten|prims|quantized_decomposed|torch_nn|higher_order)\.[\w.]+)", shown.stdout))
    return rows


class Tables:
    """What the importer knows, as its sources have it."""

    def __init__(self, build: Path):
        def read(name: str) -> str:
            return (IMPORT / name).read_text()
        pair = re.compile(r'\{"([^"]+)", "([^"]+)"\}')
        self.rows = rows_of(build)
        self.aliases, self.twins = dict(pair.findall(read("aten_aliases.inc"))), dict(pair.findall(read("aten_functional.inc")))
        self.renamed = dict(pair.findall(read("lists.c")))
        self.known = set(re.findall(r'^\{"([^"]+)", "', read("aten_schemas.inc"), re.MULTILINE))
        self.forms = {name for file in FORMS
                      for name in re.findall(r'"(?:torch\.ops\.)?((?:aten|prims|quantized_decomposed)\.\w+(?:\.\w+)?)"', read(file))}
        self.forms |= {f"prims.{name}" for name in re.findall(r'^    \{"(\w+)"', read("prims.c"), re.MULTILINE)}

    def of_one(self, name: str) -> list[str]:
        """What `name` is for each element of its lists: the overloads that sdk/import/lists.c looks for."""
        found = re.fullmatch(r"aten\._foreach_(\w+?)(_?)\.(\w+)", name)
        if not found or re.fullmatch(r"addc(div|mul)", found[1]) and found[3].startswith("Tensor"):
            return []
        base = self.renamed.get(found[1], found[1]) + found[2]
        kinds = ("out", "unary_out", "Tensor_out", "Scalar_out", "default", "Tensor") if "out" in found[3] else (
            "default", "Tensor", "Scalar", "Tensor_Scalar")
        return [f"aten.{base}.{kind}" for kind in kinds]

    def taken(self, name: str, depth: int = 0) -> str | None:
        base = name.rsplit(".", 1)[0]
        if depth > 4:
            return None
        if name in self.rows:
            return "row"
        if name in self.aliases:
            return self.taken(self.aliases[name], depth + 1)
        if name in self.known and {name, base, base.removesuffix("_")} & self.forms:
            return "form"
        namesakes = [f"aten.{base[6:]}.{overload}" for overload in ("default", "Tensor")] if base.startswith("prims.") else []
        views = [name.replace("_copy.", ".")] if "_copy." in name else []
        if any(other in self.known | set(self.aliases) and self.taken(other, depth + 1) for other in namesakes + views):
            return "form"
        if any(self.taken(other, depth + 1) for other in self.of_one(name)):
            return "form"
        if name in self.twins and self.taken(self.twins[name], depth + 1):
            return "writes"
        return None


def overloads(tables: Tables) -> dict[str, str]:
    """Overload -> what is to be said of it; "" for what nobody has thought of."""
    said = {}
    for schema in torch._C._jit_get_all_schemas():
        namespace, name = schema.name.split("::")
        if namespace not in NAMESPACES:
            continue
        full = f"{namespace}.{name}.{schema.overload_name or 'default'}"
        said[full] = tables.taken(full) or why_not(full, tables)
    for name in torch._ops._higher_order_ops:
        if name in HIGHER_ORDER["taken"].split():
            said[f"higher_order.{name}"] = "form"
        else:
            said[f"higher_order.{name}"] = "of a tracer, a debugger or an eager mode, or open"
    return dict(sorted(said.items()))


def why_not(name: str, tables: Tables) -> str:
    if name not in tables.known and name not in tables.aliases:
        return "on Python's numbers and lists, or TorchScript's own: no node of an exported program"
    return next((reason for reason, pattern in REASONS if re.match(pattern, name)), "")


def is_taken(text: str) -> bool:
    return text in ("row", "form", "writes")


def faults(build: Path) -> list[str]:
    """What has been forgotten, and what has been lost."""
    now = overloads(Tables(build))
    before = dict(line.split("\t") for line in TABLE.read_text().splitlines())
    return [f"{name}: is neither taken nor said why not (overloads.py: REASONS)" for name, text in now.items() if not text] + [
        f"{name}: was taken, and is not any more" for name, text in before.items()
        if is_taken(text) and name in now and not is_taken(now[name])]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write overloads.txt anew")
    args = parser.parse_args()
    said = overloads(Tables(args.build.resolve()))
    if args.write:
        TABLE.write_text("".join(f"{name}\t{text}\n" for name, text in said.items()))
    for text, n in Counter(said.values()).most_common():
        print(f"{n:6} {text or 'NOBODY SAYS WHY NOT'}")
    found = faults(args.build.resolve())
    print("\n".join(found))
    print(f"{len(said) - len(found)} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
