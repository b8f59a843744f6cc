// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panels/sizes.c: how many panels there are, how wide and how deep. */
#include "sdk/compile/kernels/panels/panels.h"

const bd_element *bd_panels_element(const bd_panels *p) {
  return p->words ? p->words->element : p->element;
}

int bd_panels_width(const bd_panels *p) { return p->vectors * p->lanes; }

int64_t bd_panels_count(const bd_panels *p) { return bd_divide_up(p->n, bd_panels_width(p)); }

int64_t bd_panels_columns(const bd_panels *p) { return bd_panels_count(p) * bd_panels_width(p); }

int bd_panels_are_shifted(const bd_panels *p) { return p->words && p->words->is_shifted; }

int64_t bd_panels_depth_of_panel(const bd_panels *p) { return p->k + bd_panels_are_shifted(p); }

int64_t bd_panels_parts(const bd_panels *p) { return p->segments * p->pieces; }

int64_t bd_panels_depth(const bd_panels *p) { return p->k / bd_panels_parts(p); }
