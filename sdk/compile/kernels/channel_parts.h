// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/channel_parts.h: what the parts of the text of channel_tiles.h share. */
#ifndef BUDDY_SDK_COMPILE_CHANNEL_PARTS_H
#define BUDDY_SDK_COMPILE_CHANNEL_PARTS_H

#include <stdbool.h>

#include "sdk/compile/kernels/channel_tiles.h"

/* True if some of a vector's channels are not there: %mask tells which are. */
int bd_channel_is_partial(const bd_channel_tiles *t);
/* How vectors of sums are read and written. */
bd_vectors bd_channel_vectors(const bd_channel_tiles *t);
bd_phrase bd_channel_vector(const bd_channel_tiles *t);

/* %sum#P of every place, over the whole window, from %channel and %k_first, the first line of the
 * panel; %to_P: where they go. */
void bd_channel_write_sums(bd_text *text, const bd_channel_tiles *t);

#endif
