// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/channel_parts.c: vectors of channels, and how they are loaded and stored. */
#include "sdk/compile/kernels/channel_parts.h"

int bd_channel_is_partial(const bd_channel_tiles *t) { return t->valid < t->d->lanes; }

void bd_channel_write_vector(bd_text *text, const bd_channel_tiles *t) {
  bd_text_format(text, "vector<%dx%s>", t->d->lanes, t->d->element->name);
}

void bd_channel_write_access_end(bd_text *text, const bd_channel_tiles *t, bool is_load) {
  if (bd_channel_is_partial(t) && is_load) bd_text_format(text, ", %%mask, %%zero");
  bd_text_format(text, " : memref<?x%s>, ", t->d->element->name);
  if (bd_channel_is_partial(t)) {
    bd_text_format(text, "vector<%dxi1>, ", t->d->lanes);
    bd_channel_write_vector(text, t);
    if (is_load) bd_text_format(text, " into ");
  }
  if (!bd_channel_is_partial(t) || is_load) bd_channel_write_vector(text, t);
  bd_text_format(text, "\n");
}

const char *bd_channel_load_of(const bd_channel_tiles *t) {
  return bd_channel_is_partial(t) ? "vector.maskedload" : "vector.load";
}
