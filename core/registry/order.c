// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/order.c: parser of
 *
 *   1  order   item { ":" item }   at most 32 items, none twice
 *   2  item    "*" | name          name: [a-z][a-z0-9_]*
 *   3  pin     op "=" name         op: [A-Za-z0-9_.:]+
 *
 * The text may come from the environment, so it is shown escaped and cut. */
#include "core/registry/order.h"

#include <string.h>

#include "core/base/memory.h"

static buddy_code refuse_item(buddy_diags *diags, const char *where, size_t i, buddy_sv item,
                              const char *rule) {
  bd_text shown;
  bd_text_init(&shown);
  bd_text_shown(&shown, item.data, item.size, 64);
  const buddy_code code =
      buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where,
                      "give names of registries separated by colons, like tosa:linalg or tosa:*",
                      "item %zu, '%s', %s", i + 1, shown.data, rule);
  bd_text_deinit(&shown);
  return code;
}

static size_t count_items(const char *text) {
  size_t n = 1;
  for (; *text; ++text) n += *text == ':';
  return n;
}

/* Null if the item may stand after those that the order has already. */
static const char *broken_rule(const bd_order *order, buddy_sv item) {
  if (item.size == 0) return "is empty";
  const bool is_star = item.size == 1 && *item.data == '*';
  if (!is_star && !bd_is_registry_name(item.data, item.size)) {
    return "is no name of a registry: [a-z][a-z0-9_]*, at most 31 letters";
  }
  for (size_t i = 0; i < order->n; ++i) {
    if (strlen(order->names[i]) == item.size && !memcmp(order->names[i], item.data, item.size)) {
      return "is there twice";
    }
  }
  return NULL;
}

buddy_code bd_order_parse(const char *text, const char *where, buddy_diags *diags,
                          bd_order *out_order) {
  *out_order = (bd_order){0};
  if (!*text) return BUDDY_OK;
  const size_t n = count_items(text);
  if (n > BD_MAX_ORDER) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where, "use * for the rest",
                           "the order has %zu items, at most %d are allowed", n, BD_MAX_ORDER);
  }
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n; ++i) {
    const buddy_sv item = {text, strcspn(text, ":")};
    const char *rule = broken_rule(out_order, item);
    if (rule) {
      code = refuse_item(diags, where, i, item, rule);
    } else {
      memcpy(out_order->names[out_order->n], item.data, item.size);
      ++out_order->n;
    }
    text += item.size + 1;
  }
  if (code != BUDDY_OK) *out_order = (bd_order){0};
  return code;
}

bool bd_order_names(const bd_order *order, const char *name) {
  for (size_t i = 0; i < order->n; ++i) {
    if (!strcmp(order->names[i], name)) return true;
  }
  return false;
}

buddy_code bd_pin_parse(const char *text, buddy_diags *diags, bd_pin *out_pin) {
  *out_pin = (bd_pin){0};
  const char *equals = text ? strchr(text, '=') : NULL;
  const size_t size = equals ? (size_t)(equals - text) : 0, tail = equals ? strlen(equals + 1) : 0;
  if (equals && size < BD_MAX_OP_NAME && bd_is_op_name(text, size) &&
      bd_is_registry_name(equals + 1, tail)) {
    memcpy(out_pin->op, text, size);
    memcpy(out_pin->registry, equals + 1, tail);
    return BUDDY_OK;
  }
  bd_text shown;
  bd_text_init(&shown);
  bd_text_shown(&shown, text ? text : "", text ? strlen(text) : 0, 80);
  const buddy_code code = buddy_diags_add(
      diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "pin", "write it like aten.mm.default=vendor",
      "'%s' is not an op, =, and the name of a registry", shown.data);
  bd_text_deinit(&shown);
  return code;
}

buddy_code bd_pins_parse(const char *text, const char *where, buddy_diags *diags, bd_pin **out_pins,
                         size_t *out_n) {
  *out_pins = NULL;
  *out_n = 0;
  if (!*text) return BUDDY_OK;
  size_t n = 1;
  for (const char *at = text; *at; ++at) n += *at == ',';
  if (n > BD_MAX_PINS) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where, NULL,
                           "there are %zu pins, at most %d are allowed", n, BD_MAX_PINS);
  }
  bd_pin *pins = bd_calloc(n, sizeof *pins);
  if (!pins) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; code == BUDDY_OK && i < n; ++i) {
    const size_t size = strcspn(text, ",");
    char item[BD_MAX_OP_NAME + BD_MAX_REGISTRY_NAME + 2]; /* what is cut is malformed anyway */
    bd_text one;
    bd_text_init_fixed(&one, item, sizeof item);
    bd_text_append(&one, text, size);
    code = bd_pin_parse(item, diags, &pins[i]);
    text += size + 1;
  }
  if (code == BUDDY_OK) {
    *out_pins = pins;
    *out_n = n;
  } else {
    bd_free(pins);
  }
  return code;
}
