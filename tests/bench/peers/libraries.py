# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of packages (diffusers, segmentation_models_pytorch, MONAI, torchvision, PyTorch Geometric, spandrel, neuraloperator and
others), at sizes that they are used at: `library:NAME`, where the package is installed in the environment of BUDDY_PYTHON."""

from __future__ import annotations

import importlib
from typing import Any

import torch
from zoo import Sample

Sizes = tuple[int, ...]
DIFFUSERS, SMP, MONAI = "diffusers", "segmentation_models_pytorch", "monai.networks.nets"
IMAGE = ((1, 3, 224, 224),)
EDGES = torch.stack((torch.arange(8000) * 7919 % 1000, torch.arange(8000) * 104729 // 3 % 1000))
STEP = (torch.tensor([7]),)
DOWN, ATTENDING = ("DownBlock2D", "DownBlock2D", "AttnDownBlock2D"), ("CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D")

# By name: the package, the class, its positional arguments, its options; and the inputs, as sizes or as they are.
LIBRARIES: dict[str, tuple[str, str, tuple, dict[str, Any], tuple[Sizes | torch.Tensor, ...]]] = {
    "unet2d": (DIFFUSERS, "UNet2DModel", (), {
        "sample_size": 64, "layers_per_block": 2, "block_out_channels": (64, 128, 128), "down_block_types": DOWN,
        "up_block_types": ("AttnUpBlock2D", "UpBlock2D", "UpBlock2D")}, ((1, 3, 64, 64), *STEP)),
    "unetcond": (DIFFUSERS, "UNet2DConditionModel", (), {
        "sample_size": 32, "layers_per_block": 1, "block_out_channels": (64, 128, 256), "down_block_types": ATTENDING,
        "up_block_types": ("UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"), "cross_attention_dim": 256,
        "attention_head_dim": 8}, ((1, 4, 32, 32), *STEP, (1, 77, 256))),
    "vaedec": (DIFFUSERS, "AutoencoderKL", (), {
        "down_block_types": ("DownEncoderBlock2D",) * 3, "up_block_types": ("UpDecoderBlock2D",) * 3,
        "block_out_channels": (32, 64, 128), "norm_num_groups": 16}, ((1, 3, 128, 128),)),
    "dit": (DIFFUSERS, "DiTTransformer2DModel", (), {
        "num_attention_heads": 6, "attention_head_dim": 64, "in_channels": 4, "out_channels": 8, "num_layers": 4, "sample_size": 32,
        "patch_size": 2, "num_embeds_ada_norm": 1000}, ((1, 4, 32, 32), *STEP, torch.tensor([5]))),
    "sd3": (DIFFUSERS, "SD3Transformer2DModel", (), {
        "sample_size": 32, "num_layers": 3, "attention_head_dim": 64, "num_attention_heads": 6, "joint_attention_dim": 512,
        "caption_projection_dim": 384, "pooled_projection_dim": 256}, ((1, 16, 32, 32), (1, 77, 512), (1, 256), *STEP)),
    "tinyvae": (DIFFUSERS, "AutoencoderTiny", (), {}, ((1, 3, 128, 128),)),
    **{f"smp_{name}": (SMP, kind, (encoder,), {"encoder_weights": None, "classes": 3}, ((1, 3, side, side),))
       for name, kind, encoder, side in (
           ("unet_r18", "Unet", "resnet18", 256), ("fpn_eff", "FPN", "efficientnet-b0", 256),
           ("dlv3p_mnv3", "DeepLabV3Plus", "timm-mobilenetv3_small_100", 256), ("segformer", "Segformer", "mit_b0", 256),
           ("unetpp", "UnetPlusPlus", "resnet18", 128), ("pspnet", "PSPNet", "resnet18", 256), ("manet", "MAnet", "resnet18", 128))},
    "mo_unet3d": (MONAI, "UNet", (3, 1, 2), {"channels": (16, 32, 64, 128), "strides": (2, 2, 2), "num_res_units": 2}, ((1, 1, 64, 64, 64),)),
    "mo_segresnet": (MONAI, "SegResNet", (3, 8, 1, 2), {}, ((1, 1, 48, 48, 48),)),
    "mo_dynunet": (MONAI, "DynUNet", (3, 1, 2, [3, 3, 3], [1, 2, 2], [2, 2]), {"filters": [16, 32, 64]}, ((1, 1, 48, 48, 48),)),
    "mo_swinunetr": (MONAI, "SwinUNETR", (1, 2), {"feature_size": 24, "spatial_dims": 2}, ((1, 1, 128, 128),)),
    "mo_unetr": (MONAI, "UNETR", (1, 2, (96, 96)), {
        "feature_size": 16, "hidden_size": 384, "mlp_dim": 1536, "num_heads": 6, "spatial_dims": 2}, ((1, 1, 96, 96),)),
    **{f"tv_{name}": ("torchvision.models", kind, (), options, inputs) for name, kind, options, inputs in (
        ("densenet", "densenet121", {}, IMAGE), ("googlenet", "googlenet", {"init_weights": False, "aux_logits": False}, IMAGE),
        ("inception", "inception_v3", {"init_weights": False, "aux_logits": False}, ((1, 3, 299, 299),)),
        ("shufflenet", "shufflenet_v2_x1_0", {}, IMAGE), ("squeezenet", "squeezenet1_1", {}, IMAGE), ("mnasnet", "mnasnet1_0", {}, IMAGE),
        ("maxvit", "maxvit_t", {}, IMAGE), ("alexnet", "alexnet", {}, IMAGE), ("vgg11", "vgg11_bn", {}, IMAGE))},
    "tv_lraspp": ("torchvision.models.segmentation", "lraspp_mobilenet_v3_large", (), {"weights_backbone": None}, ((1, 3, 256, 256),)),
    "tv_raft": ("torchvision.models.optical_flow", "raft_small", (), {}, ((1, 3, 128, 128), (1, 3, 128, 128))),
    "tv_r3d": ("torchvision.models.video", "r3d_18", (), {}, ((1, 3, 8, 112, 112),)),
    "tv_s3d": ("torchvision.models.video", "s3d", (), {}, ((1, 3, 16, 224, 224),)),
    "tv_mvit": ("torchvision.models.video", "mvit_v2_s", (), {}, ((1, 3, 16, 224, 224),)),
    **{f"pyg_{kind.lower()}": ("torch_geometric.nn.models", kind, (64, 128, 3, 7), options, ((1000, 64), EDGES))
       for kind, options in (("GCN", {}), ("GAT", {"heads": 4}), ("GIN", {}))},
    "fno": ("neuralop.models", "FNO", ((16, 16), 3, 1, 32), {}, ((1, 3, 64, 64),)),
    "siren": ("siren_pytorch", "SirenNet", (2, 256, 3, 5), {}, ((65536, 2),)),
    "snac": ("snac", "SNAC", (), {"sampling_rate": 24000}, ((1, 1, 24576),)),
    "fttransformer": ("rtdl_revisiting_models", "FTTransformer", (), {
        "n_cont_features": 32, "cat_cardinalities": [10, 20], "d_out": 2, "n_blocks": 3, "d_block": 192, "attention_n_heads": 8,
        "attention_dropout": 0.0, "ffn_d_hidden": None, "ffn_d_hidden_multiplier": 4 / 3, "ffn_dropout": 0.0, "residual_dropout": 0.0},
                      ((256, 32), torch.arange(512).reshape(256, 2) % 10)),
    "tabnet": ("pytorch_tabnet.tab_network", "TabNet", (), {
        "input_dim": 64, "output_dim": 2, "cat_idxs": [], "cat_dims": [], "group_attention_matrix": torch.eye(64)}, ((256, 64),)),
    "kan": ("kan.MultKAN", "KAN", ([4, 5, 1],), {"auto_save": False}, ((1000, 4),)),
    "simplevit1d": ("vit_pytorch.simple_vit_1d", "SimpleViT", (), {
        "seq_len": 256, "patch_size": 16, "num_classes": 10, "dim": 256, "depth": 4, "heads": 8, "mlp_dim": 512}, ((8, 3, 256),)),
    **{f"sr_{kind.lower()}": (f"spandrel.architectures.{module}", kind, (), options, ((1, 3, side, side),)) for module, kind, options, side in (
        ("ESRGAN.__arch.RRDB", "RRDBNet", {"num_blocks": 3}, 64), ("SwinIR", "SwinIR", {"img_size": 56}, 56),
        ("Compact.__arch.SRVGG", "SRVGGNetCompact", {}, 128), ("SAFMN", "SAFMN", {"dim": 36}, 128),
        ("SPAN", "SPAN", {"num_in_ch": 3, "num_out_ch": 3}, 128), ("DAT", "DAT", {"img_size": 32}, 32),
        ("RCAN", "RCAN", {"n_resgroups": 2}, 64), ("PLKSR", "PLKSR", {}, 96), ("SCUNet", "SCUNet", {}, 64),
        ("MixDehazeNet", "MixDehazeNet", {}, 64), ("OmniSR", "OmniSR", {}, 64), ("ATD", "ATD", {}, 32))},
    "mo_dense3d": (MONAI, "DenseNet121", (3, 1, 3), {}, ((1, 1, 48, 48, 48),)),
}


def of_library(name: str) -> Sample:
    package, kind, args, options, inputs = LIBRARIES[name]
    model = getattr(importlib.import_module(package), kind)(*args, **options).eval()
    return Sample(model, tuple(one if isinstance(one, torch.Tensor) else torch.randn(one) for one in inputs))
