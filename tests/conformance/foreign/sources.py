# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where programs come from: each source has names, and makes the program of a name. Imports wait until they are needed."""

from __future__ import annotations

import functools
from typing import Any

import distributions
import gpytorch_kernels
import nnsmith_models
import onnx_nodes
import torch
import transformers_parts
from foreign import Case
from guessed import Guessed
from sized import Sized


class ExportExamples:
    """What torch.export's own documentation shows."""

    def cases(self) -> dict[str, Any]:
        from torch._export.db.examples import all_examples
        return all_examples()

    def names(self) -> list[str]:
        return list(self.cases())

    def make(self, name: str) -> Case:
        case = self.cases()[name]
        return Case(case.model, tuple(case.example_args), dict(case.example_kwargs))


class ModuleDatabase:
    """Every module of torch.nn with each of the constructors and inputs that PyTorch's tests use."""

    @functools.cache
    def samples(self) -> dict[str, tuple]:
        from torch.testing._internal.common_modules import module_db
        found = {}
        for info in module_db:
            torch.manual_seed(0)
            given = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False, training=False)
            found |= {f"{info.name}-{i}": (info.module_cls, one) for i, one in enumerate(given) if one.forward_input is not None}
        return found

    def names(self) -> list[str]:
        return list(self.samples())

    def make(self, name: str) -> Case:
        cls, given = self.samples()[name]
        module = cls(*given.constructor_input.args, **given.constructor_input.kwargs).eval()
        return Case(module, tuple(given.forward_input.args), dict(given.forward_input.kwargs))


# Packages whose public modules are taken from every file: libraries of layers, and models of one paper each.
PACKAGES = """vit_pytorch x_transformers lightly.models lightly.loss e3nn.nn e3nn.o3 efficientnet_pytorch performer_pytorch reformer_pytorch
linformer local_attention rotary_embedding_torch vector_quantize_pytorch pytorch_tabnet perceiver_pytorch conformer snntorch
pytorch_metric_learning.losses esm segment_anything rtdl lpips piq braindecode.models neuralop pytorch_forecasting.models
neuralforecast.models speechbrain.nnet nnAudio.features entmax transformers.activations
agent_attention_pytorch asteroid_filterbanks auraloss axial_attention axial_positional_embedding block_recurrent_transformer_pytorch
bottleneck_transformer_pytorch charformer_pytorch coca_pytorch colt5_attention compressive_transformer_pytorch deepctr_torch
dynamic_network_architectures egnn_pytorch einops_exts fast_transformer_pytorch fightingcv_attention flamingo_pytorch flash_pytorch
g_mlp_pytorch gateloop_transformer h_transformer_1d halonet_pytorch hyper_connections infini_transformer_pytorch
invariant_point_attention iTransformer kan kymatio lambda_networks linformer_pytorch long_short_transformer mambapy mega_pytorch
memory_efficient_attention_pytorch memory_transformer_xl minGRU_pytorch mixture_of_experts mlp_mixer_pytorch ncps nflows normflows
nystrom_attention perceiver_ar_pytorch product_key_memory pytorch_msssim pytorch_optimizer pytorch_tcn pytorchcv pytorchvideo
res_mlp_pytorch resnest routing_transformer rtdl_num_embeddings rtdl_revisiting_models sinkhorn_transformer siren_pytorch
slot_attention soft_moe_pytorch st_moe_pytorch tabm timesformer_pytorch torch_dct torch_rechub torchbnn torchscale tsai
uformer_pytorch x_unet zuko
linear_attention_transformer dalle2_pytorch muse_maskgit_pytorch imagen_pytorch tab_transformer_pytorch mogrifier hiera torchsr
super_image facenet_pytorch encodec vocos lightweight_gan denoising_diffusion_pytorch deepinv.models spandrel compressai pytorch_toolbelt
pytorch_wavelets torchlibrosa torchseg litgpt mambular en_transformer open_clip
a_unet bayesian_torch.layers channel_attention complexPyTorch geffnet geotorch opacus.layers piqa spikingjelly.activation_based.layer
spikingjelly.activation_based.neuron spikingjelly.activation_based.surrogate torchfm yet_another_retnet
cliffordlayers complextorch.nn cplxmodule.nn deel.torchlip FrEIA.modules self_attention_cv tednet.tnn
antialiased_cnns bitnet deformable_attention diffsptk equiformer_pytorch flamo geomloss MEGABYTE_pytorch pyro.distributions rin_pytorch
rsl_rl titans_pytorch torch_frame torchgan torchtune.modules ultralytics.nn video_diffusion_pytorch
x_mlps_pytorch hypll uni2ts.module catalyst.contrib.losses generative.networks.blocks generative.networks.nets make_a_video_pytorch
ring_attention_pytorch pytorch_ood x_clip ezgatr lgatr rl_games.algos_torch all.nn mmdit bert_pytorch cellseg_models_pytorch.modules
timesfm.torch multistream_transformers rela_transformer audio_encoders_pytorch acsconv torchdyn parallel_wavegan.losses
torch_uncertainty.layers torch_uncertainty.losses transformer_in_transformer feedback_transformer_pytorch PEER_pytorch ponder_transformer
DCLS pytorch_adapt torchnlp libauc efficientnet_lite_pytorch graph_transformer_pytorch lie_transformer_pytorch pause_transformer
protein_bert_pytorch token_shift_gpt bit_diffusion gated_state_spaces_pytorch n_grammer_pytorch simplicial_attention uniformer_pytorch
zorro_pytorch snac guided_filter_pytorch bidirectional_cross_attention recurrent_memory_transformer_pytorch isab_pytorch
pixel_level_contrastive_learning segformer_pytorch simple_hierarchical_transformer etsformer_pytorch complex_valued_transformer crfseg
pytorchltr googlenet_pytorch htm_pytorch hamburger_pytorch hourglass_transformer_pytorch torchode tltorch
aft_pytorch allencrf alphagenome_pytorch anymal_belief_state_encoder_decoder_pytorch aptx_activation area_attention azula bitorch brc_pytorch cbloss
compositional_attention_pytorch contextual_conv darkformer_pytorch deep_linear_network deepblocks dgmr dsntnn floydnet fms fttransformer fuzzy_torch
gated_slot_attention gaussian_adaptive_attention givt_pytorch high_order_layers_torch infonce ITTR_pytorch kan_gpt linear_crf logavgexp_pytorch ltn
lumin mace mambabyte masked_convolution memcnn mgiou minimamba mixture_density_nets ml4gw mononet nam nam_pytorch octconv padertorch perslay
pytorch360convert pytorch_hexagdly pytorch_tdnn pytorchse3 quasimetric_attention rcps RLT RoSE rq_transformer scalable_softmax
segmentation_models_pytorch_3d slices slot_attention_pytorch soft_moe spacecutter spline_based_transformer stam_pytorch strnn switch_transformers
tabtransformer tad_mctc tensorkrowch tft_torch tokenlearner_pytorch torch_activation torch_dimensions torch_efficient_distloss torch_fourier_shift
torch_frft torch_kmeans torch_legendre torch_nac torch_pca torch_semiring_einsum torchadf torchbelief torchcurves torchgmm torchinterp1d torchlosses
torchmix torchmodal torchortho torchpwl torchregularize torchtsmixer tversky unet3d uni_transform unified_focal_loss ur_lstm useful_layers
vision_mamba vqvae wavenet_vocoder welford_torch x_metaformer yaunet""".split()

SOURCES = {
    "export_examples": ExportExamples(),
    "module_db": ModuleDatabase(),
    "sized": Sized(),
    "onnx_nodes": onnx_nodes.Nodes(),
    "nnsmith": nnsmith_models.Models(),
    "transformers": transformers_parts.Parts(is_whole=False),
    "transformers_models": transformers_parts.Parts(is_whole=True),
    "torchmetrics": Guessed("torchmetrics.functional", *(f"torchmetrics.functional.{part}" for part in (
        "audio", "classification", "clustering", "image", "nominal", "pairwise", "regression", "retrieval", "segmentation", "shape"))),
    "kornia": Guessed(*(f"kornia.{part}" for part in (
        "color", "contrib", "enhance", "feature", "filters", "geometry", "geometry.transform", "losses", "metrics", "models", "morphology"))),
    "timm_layers": Guessed("timm.layers"),
    "monai": Guessed("monai.networks.blocks", "monai.networks.layers", "monai.networks.nets", "monai.losses"),
    "torchvision": Guessed("torchvision.ops", "torchvision.transforms.functional", "torchvision.transforms.v2", "torchvision.models"),
    "torchaudio": Guessed("torchaudio.functional", "torchaudio.transforms"),
    "torch_geometric": Guessed("torch_geometric.nn", "torch_geometric.utils"),
    "segmentation_models_pytorch": Guessed("segmentation_models_pytorch.losses"),
    "diffusers": Guessed("diffusers.models.attention", "diffusers.models.resnet", "diffusers.models.embeddings", "diffusers.models.normalization",
                         "diffusers.models.activations", "diffusers.models.downsampling", "diffusers.models.upsampling"),
    **{name: Guessed(name, functions=False, is_deep=True) for name in PACKAGES},
    **{name: Guessed(name, is_deep=True) for name in """bicubic_pytorch coral_pytorch dctorch edl_pytorch einconv info_nce IQA_pytorch julius mmcv pykeen.utils pyro.ops
        resize_right roma torch_affine_utils torch_complex torchgeometry
        batchtensor bounds broccoli chola_coreloss complexNN concretedropout continual cw_torch cyclemoid_pytorch dc1d declarative_attention
        deepordinal diffFx_pytorch diffgrf distmap dwt elliptic fftLoss ghonn_models_pytorch grouped_query_attention_pytorch gsa_pytorch
        hadamard_transform inkan kan_mlp_hybrid karbonn minimal_zoom_fft mlable molecule_attention_transformer monotonicnetworks neural_ssm
        online_triplet_loss qw_map recsys_metrics rmi s2d2s score_models self_projection sot spdlayers stack_attention stackformer sweep_loss
        SympNetsTorch timm_3d torch_contour torch_crps torch_fftconv torch_geometric_signed_directed torch_kf torch_l1_snr torch_linear_regression
        torch_log_wmse torch_mdct torchact torchcdt torchcvnn torchebm torchplasma torchrbf torchrecurrent torchspd torchwavelets torchxlstm
        tversky_neural_network vqt""".split()},
    "distributions": distributions.Distributions(),
    "gpytorch": gpytorch_kernels.Kernels(),
    "torch_functional": Guessed("torch.nn.functional", "torch.special"),
}
