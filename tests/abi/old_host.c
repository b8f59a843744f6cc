// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/abi/old_host.c: a host of ABI 1.0, built with the frozen header, that loads plugins built
 * with today's: old_host FILE.so…
 *
 * It does what the first host did: query, the descriptor's first fields, rows by op_stride, open
 * with a table of 1.0's size and without extensions, close. The table lies at the end of a page, so
 * that whoever reads after it ends the program. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "buddy/registry.h"

_Static_assert(BUDDY_ABI_MINOR == 0, "this is the host of 1.0");

static const void *no_extension(const char *id) {
  (void)id;
  return NULL;
}

/* The table before a page that cannot be read. */
static const buddy_host *make_host(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE)) return NULL;
  buddy_host *host = (buddy_host *)(void *)(memory + page - sizeof(buddy_host));
  *host = (buddy_host){.struct_size = sizeof(buddy_host),
                       .abi_version = BUDDY_ABI_VERSION,
                       .alloc = malloc,
                       .free = free,
                       .extension = no_extension};
  return host;
}

static int is_sound(const buddy_registry *r) {
  if (r->struct_size < sizeof(buddy_registry) || r->abi_version >> 16 != 1) return 0;
  if (r->op_stride < sizeof(buddy_op) || r->op_stride % 8 || (r->n_ops > 0 && !r->ops)) return 0;
  for (uint32_t i = 0; i < r->n_ops; ++i) {
    const buddy_op *op =
        (const buddy_op *)(const void *)((const char *)r->ops + (size_t)i * r->op_stride);
    if (!op->name || !op->args || !op->emit == !op->expand || !strchr(op->name, '.')) return 0;
  }
  return 1;
}

static int try_plugin(const char *path, const buddy_host *host) {
  char why[256] = "";
  void *state = NULL, *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  union {
    void *symbol;
    buddy_registry_query_fn call;
  } query = {handle ? dlsym(handle, BUDDY_REGISTRY_QUERY) : NULL};
  if (!query.symbol) return printf("%s: %s\n", path, dlerror()), 1;
  const buddy_registry *registry = query.call(BUDDY_ABI_VERSION);
  if (!registry || !is_sound(registry)) return printf("%s: its descriptor is not 1.0's\n", path), 1;
  if (query.call(BUDDY_VERSION(2, 0))) return printf("%s: serves a host of 2.0\n", path), 1;
  if (registry->open && registry->open(host, &state, why, sizeof why) != BUDDY_OK)
    return printf("%s: open: %s\n", path, why), 1;
  if (registry->extension) registry->extension(state, "nobody.knows.this/1");
  if (registry->close) registry->close(state);
  printf("%s: %s %s, %u rows\n", path, registry->name, registry->version, registry->n_ops);
  return 0;
}

int main(int argc, char **argv) {
  int failed = argc < 2;
  const buddy_host *host = make_host();
  if (!host) return 2;
  for (int i = 1; i < argc; ++i) failed |= try_plugin(argv[i], host);
  return failed;
}
