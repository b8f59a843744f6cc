// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/order.h: "vendor:tosa:*" and "aten.mm.default=vendor" as data. */
#ifndef BUDDY_CORE_REGISTRY_ORDER_H
#define BUDDY_CORE_REGISTRY_ORDER_H

#include "core/registry/spelling.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_MAX_ORDER 32
#define BD_MAX_OP_NAME 256 /* with its NUL */

typedef struct bd_order {
  size_t n;
  char names[BD_MAX_ORDER][BD_MAX_REGISTRY_NAME]; /* "*" stands for those not named */
} bd_order;

/* `where`: what the text is, for messages: "BUDDY_REGISTRIES". Reports every bad item. "" is an
 * empty order. */
BUDDY_EXPORT buddy_code bd_order_parse(const char *text, const char *where, buddy_diags *diags,
                                       bd_order *out_order);
/* Whether the order names that registry. */
BUDDY_EXPORT bool bd_order_names(const bd_order *order, const char *name);

typedef struct bd_pin {
  char op[BD_MAX_OP_NAME];
  char registry[BD_MAX_REGISTRY_NAME];
} bd_pin;
/* "op=registry,op=registry"; "" is none. *out_pins is freed by bd_free. */
#define BD_MAX_PINS 1024
BUDDY_EXPORT buddy_code bd_pins_parse(const char *text, const char *where, buddy_diags *diags,
                                      bd_pin **out_pins, size_t *out_n);
BUDDY_EXPORT buddy_code bd_pin_parse(const char *text, buddy_diags *diags, bd_pin *out_pin);

#ifdef __cplusplus
}
#endif
#endif
