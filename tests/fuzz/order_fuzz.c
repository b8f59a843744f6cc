// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/order_fuzz.c: orders of registries, pins and plugin paths as they come from the
 * environment. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/registry/environment.h"
#include "core/registry/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_order(const char *text, buddy_diags *diags) {
  bd_order order;
  const buddy_code code = bd_order_parse(text, "fuzz", diags, &order);
  if ((code == BUDDY_OK) != (buddy_diags_count(diags) == 0) || order.n > BD_MAX_ORDER) abort();
  for (size_t i = 0; i < order.n; ++i) {
    const char *name = order.names[i];
    if (strcmp(name, "*") != 0 && !bd_is_registry_name(name, strlen(name))) abort();
  }
}

static void check_pin(const char *text, buddy_diags *diags) {
  bd_pin pin;
  if (bd_pin_parse(text, diags, &pin) != BUDDY_OK) return;
  if (!bd_is_op_name(pin.op, strlen(pin.op)) ||
      !bd_is_registry_name(pin.registry, strlen(pin.registry)))
    abort();
}

static void check_pins(const char *text, buddy_diags *diags) {
  bd_pin *pins;
  size_t n;
  if (bd_pins_parse(text, "fuzz", diags, &pins, &n) != BUDDY_OK) return;
  for (size_t i = 0; i < n; ++i) {
    if (!bd_is_op_name(pins[i].op, strlen(pins[i].op))) abort();
  }
  bd_free(pins);
}

static void check_path(const char *text, buddy_diags *diags) {
  const bd_environment environment = {.plugin_path = text};
  buddy_search *search;
  if (bd_search_create_in(NULL, &environment, diags, &search) != BUDDY_OK) return;
  for (size_t i = 0; i < buddy_search_n_dirs(search); ++i) {
    if (buddy_search_dir(search, i)[0] != '/') abort();
  }
  buddy_search_destroy(search);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static void (*const checks[])(const char *, buddy_diags *) = {check_order, check_pin, check_pins,
                                                                check_path};
  char *text = malloc(size + 1);
  buddy_diags *diags;
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
    if (buddy_diags_create(&diags) != BUDDY_OK) break;
    checks[i](text, diags);
    buddy_diags_destroy(diags);
  }
  free(text);
  return 0;
}
