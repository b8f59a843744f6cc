// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What products (onednn.c) and convolutions (onednn_convolution.c) share on their way to the
 * library: what a primitive does besides, plans from the cache or new ones, and packed right
 * operands. All of it computes on one thread (threads.h). */
#ifndef BUDDY_PLUGINS_VENDOR_READY_H_
#define BUDDY_PLUGINS_VENDOR_READY_H_

#include "plugins/vendor/plan.h"

/* Describes the plan's operands and finishes it; false when the library cannot do it. */
typedef bool (*bd_plan_build)(bd_plan *plan, dnnl_engine_t engine);

/* Attributes of a primitive, which the caller destroys; NULL on failure. Scratch memory comes from
 * the caller: the library's own belongs to the thread that made the primitive. tail may be NULL;
 * its addend lies as plan->addend says. */
dnnl_primitive_attr_t bd_make_attr(bd_plan *plan, const bd_vendor_tail *tail);

/* What the library is asked for as the layout of a right operand that may be packed. The caller
 * drops it. */
bool bd_want_packed(const bd_plan *plan, bd_desc *wanted);

/* The plan of key from the cache, or a new one, to be released; NULL when the library cannot make
 * it. */
bd_plan *bd_plan_of(const bd_plan_key *key, int64_t dtype, bd_plan_build build);

/* Packs the right operand as the plan says. */
bool bd_pack_by(const bd_plan *plan, const bd_vendor_data data, char *packed);

/* A packed right operand: in the layout of that number (bd_format_number). Without bytes: there is
 * none. */
typedef struct bd_packed {
  int64_t format;
  char *bytes;
} bd_packed;

/* Computes what key says; false when the library cannot. */
bool bd_ready_run(bd_plan_key *key, int64_t dtype, bd_plan_build build, const bd_vendor_data data,
                  const bd_packed *packed);

/* Whether the library is switched off (bd_vendor_library_enable). */
bool bd_library_is_disabled(void);

#endif
