// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/plugins/closer.c: tells on stderr when it is opened and closed. -DNAME,
 * -DNEEDS. */
#include <stdio.h>

#include "buddy/registry.h"

#ifdef QUIET
#define TELL(...) ((void)0)
#else
#define TELL(...) fprintf(stderr, __VA_ARGS__)
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

static int n_opened;

static buddy_code open_registry(const buddy_host *host, void **out_state, char *why,
                                size_t why_size) {
  (void)host;
  (void)why;
  (void)why_size;
  *out_state = &n_opened;
  ++n_opened;
  TELL("open %s %d;", TEXT(NAME), n_opened);
  return BUDDY_OK;
}

static void close_registry(void *state) {
  (void)state;
  TELL("close %s %d;", TEXT(NAME), *(int *)state);
}

static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  (void)call;
  return BUDDY_DECLINED;
}

static const buddy_op ops[] = {{.name = "closer.one.default", .args = "self", .emit = emit}};
static const char *const depends[] = {
#ifdef NEEDS
    TEXT(NEEDS),
#endif
    NULL};

#define MAKE(name)                                                                    \
  BUDDY_REGISTRY(name, "1.0.0", "buddy tests", "MIT", 0u, ops, .open = open_registry, \
                 .close = close_registry, .depends = depends)
MAKE(NAME);
