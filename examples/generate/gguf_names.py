# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a GGUF file calls the parameters that export.py's programs have of a LLaMA and its kin: Mistral, Qwen, SmolLM and others."""

PARTS = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
         "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
         "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}  # fmt: skip
NAMES = {"model.model.embed_tokens.weight": "token_embd.weight", "model.model.norm.weight": "output_norm.weight",
         "model.lm_head.weight": "output.weight"}  # fmt: skip
NAMES |= {f"model.model.layers.*.{ours}.{kind}": f"blk.*.{theirs}.{kind}" for ours, theirs in PARTS.items() for kind in ("weight", "bias")}
