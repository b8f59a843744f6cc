// What products (onednn.c) and convolutions (onednn_convolution.c) share on their way to the
// library: what a primitive does besides, plans from the cache or new ones, and packed right
// operands.
#ifndef BUDDY_PLUGINS_VENDOR_READY_H_
#define BUDDY_PLUGINS_VENDOR_READY_H_

#include "plugins/vendor/plan.h"

// Describes the plan's operands and finishes it; false when the library cannot do it.
typedef bool (*bd_plan_build)(bd_plan *plan, dnnl_engine_t engine);

// Attributes of a primitive, which the caller destroys; NULL on failure. Scratch memory comes from
// the caller: the library's own belongs to the thread that made the primitive. |tail| may be NULL;
// its addend lies as plan->addend says. With |is_accumulating| the primitive adds to what the
// result holds.
dnnl_primitive_attr_t bd_make_attr(bd_plan *plan, const bd_vendor_tail *tail, bool is_accumulating);

// What the library is asked for as the layout of a right operand that may be packed. The caller
// drops it.
bool bd_want_packed(const bd_plan *plan, bd_desc *wanted);

// A plan and its right operand, packed or NULL.
typedef struct bd_ready {
  bd_plan *plan;
  char *packed;
} bd_ready;

// The plan of |key| from the cache, or a new one; NULL when the library cannot make it. The right
// operand is packed if |kept| is not NULL, and there is memory for it.
bd_ready bd_ready_make(bd_plan_key *key, int64_t dtype, dnnl_engine_t engine, bd_plan_build build,
                       const bd_vendor_data data, const bd_vendor_kept *kept);

// Runs the plan and releases it.
bool bd_ready_run(const bd_ready *ready, dnnl_engine_t engine, const bd_vendor_data data);

// Whether the library is switched off (bd_vendor_library_enable).
bool bd_library_is_disabled(void);

#endif  // BUDDY_PLUGINS_VENDOR_READY_H_
