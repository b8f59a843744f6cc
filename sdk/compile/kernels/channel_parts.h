// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/channel_parts.h: what the parts of the text of channel_tiles.h share. */
#ifndef BUDDY_SDK_COMPILE_CHANNEL_PARTS_H
#define BUDDY_SDK_COMPILE_CHANNEL_PARTS_H

#include <stdbool.h>

#include "sdk/compile/kernels/channel_tiles.h"

/* True if some of a vector's channels are not there: %mask tells which are. */
int bd_channel_is_partial(const bd_channel_tiles *t);
/* The type of one vector of sums. */
void bd_channel_write_vector(bd_text *text, const bd_channel_tiles *t);
/* The operation that loads one; and what ends a load of it or, with a value, a store. Static. */
const char *bd_channel_load_of(const bd_channel_tiles *t);
void bd_channel_write_access_end(bd_text *text, const bd_channel_tiles *t, bool is_load);

/* %sum#P of every place, over the whole window, from %channel and %k_first, the first line of the
 * panel; %to_P: where they go. */
void bd_channel_write_sums(bd_text *text, const bd_channel_tiles *t);

#endif
