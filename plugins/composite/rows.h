/* plugins/composite/rows.h: the expansions, by file; registry.c puts them into the table. */
#ifndef BUDDY_PLUGINS_COMPOSITE_ROWS_H
#define BUDDY_PLUGINS_COMPOSITE_ROWS_H

#include "plugins/composite/expand.h"

typedef buddy_code cp_expansion(void *state, const buddy_op *self, buddy_call *call);

/* shape.c */
cp_expansion cp_op_view, cp_op_expand, cp_op_broadcast_tensors, cp_op_same, cp_op_permute,
    cp_op_transpose, cp_op_reverse, cp_op_movedim, cp_op_pieces, cp_op_select, cp_op_narrow,
    cp_op_stack, cp_op_repeat, cp_op_repeat_interleave, cp_op_diff, cp_op_one_hot, cp_op_filled,
    cp_op_full, cp_op_arange;
/* arrange.c */
cp_expansion cp_op_stack_along, cp_op_split_along, cp_op_meshgrid, cp_op_pixel_shuffle,
    cp_op_channel_shuffle, cp_op_flip, cp_op_rot90;
/* activation.c */
cp_expansion cp_op_formula, cp_op_gelu, cp_op_hardtanh, cp_op_clamp_bound, cp_op_elu, cp_op_celu,
    cp_op_leaky_relu, cp_op_prelu, cp_op_softplus, cp_op_threshold, cp_op_hardshrink,
    cp_op_softshrink, cp_op_glu, cp_op_addc, cp_op_rsub, cp_op_lerp_number, cp_op_lerp_tensor,
    cp_op_logaddexp, cp_op_xlogy, cp_op_masked_fill, cp_op_nan_to_num;
/* normalization.c */
cp_expansion cp_op_softmax, cp_op_log_softmax, cp_op_safe_softmax, cp_op_logsumexp,
    cp_op_layer_norm, cp_op_rms_norm, cp_op_batch_norm, cp_op_group_norm, cp_op_native_group_norm,
    cp_op_instance_norm;
value cp_softmax(buddy_call *call, value x, uint32_t dim);
value cp_safe_softmax(buddy_call *call, value x, uint32_t dim);
/* einsum.c */
cp_expansion cp_op_einsum;
/* product.c */
cp_expansion cp_op_linear, cp_op_addmm, cp_op_matmul, cp_op_dot, cp_op_mv, cp_op_outer, cp_op_conv,
    cp_op_conv_padding, cp_op_conv_transpose, cp_op_attention, cp_op_adaptive_avg_pool;
/* reduce.c */
cp_expansion cp_op_mean, cp_op_variance, cp_op_variance_and_mean, cp_op_vector_norm,
    cp_op_count_nonzero, cp_op_aminmax;
/* loss.c */
cp_expansion cp_op_loss, cp_op_kl_div, cp_op_binary_cross_entropy,
    cp_op_binary_cross_entropy_with_logits, cp_op_poisson_nll_loss, cp_op_soft_margin_loss,
    cp_op_hinge_embedding_loss, cp_op_margin_ranking_loss, cp_op_nll_loss, cp_op_cross_entropy,
    cp_op_cosine_similarity, cp_op_pairwise_distance, cp_op_triplet_margin_loss;

#endif
