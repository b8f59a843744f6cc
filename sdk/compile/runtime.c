/* sdk/compile/runtime.c: see runtime.h.
 *
 * A block is one header of 64 bytes and the caller's bytes behind it; the headers of a run form a list. */
#include "sdk/compile/runtime.h"

#include <stdlib.h>
#include <string.h>

#include "sdk/compile/softfloat.h"

struct bd_block {
  _Alignas(64) bd_block *next;
  bd_block **link; /* what points at this block */
  uint64_t state;
};
#define BLOCK_HELD UINT64_C(0x6b636f6c62646462)
_Static_assert(sizeof(bd_block) == 64, "the bytes behind a header must stay aligned");

static _Thread_local bd_run *current_run;

void bd_run_begin(bd_run *run, jmp_buf *exit) {
  *run = (bd_run){.exit = exit, .assertion = -1, .outer = current_run};
  current_run = run;
}

static void unlink_block(bd_block *block) {
  *block->link = block->next;
  if (block->next != NULL) block->next->link = block->link;
}

void bd_run_end(bd_run *run) {
  current_run = run->outer;
  bd_block *block = run->blocks;
  while (block != NULL) {
    bd_block *next = block->next;
    free(block);
    block = next;
  }
  run->blocks = NULL;
}

void *bd_run_allocate(bd_run *run, size_t n_bytes) {
  if (n_bytes > PTRDIFF_MAX - 128) return NULL;
  const size_t rounded = (n_bytes + 63) & ~(size_t)63;
  bd_block *block = aligned_alloc(64, sizeof(bd_block) + rounded);
  if (block == NULL) return NULL;
  *block = (bd_block){.next = run->blocks, .link = &run->blocks, .state = BLOCK_HELD};
  if (block->next != NULL) block->next->link = &block->next;
  run->blocks = block;
  return block + 1;
}

void bd_run_take(bd_run *run, void *bytes) {
  (void)run;
  unlink_block((bd_block *)bytes - 1);
}

void bd_run_free_taken(void *bytes) {
  if (bytes != NULL) free((bd_block *)bytes - 1);
}

int bd_run_owns(const bd_run *run, const void *bytes) {
  for (const bd_block *block = run->blocks; block != NULL; block = block->next) {
    if ((const void *)(block + 1) == bytes) return 1;
  }
  return 0;
}

/* ---- Called by compiled code -------------------------------------------------------------------------------------- */

static _Noreturn void leave(buddy_code code, int64_t assertion) {
  bd_run *run = current_run;
  run->code = code;
  run->assertion = assertion;
  longjmp(*run->exit, 1);
}

static void *on_allocate(size_t n_bytes) {
  void *bytes = bd_run_allocate(current_run, n_bytes);
  if (bytes == NULL) leave(BUDDY_OUT_OF_MEMORY, -1);
  return bytes;
}

static void on_free(void *bytes) {
  if (bytes == NULL) return;
  bd_block *block = (bd_block *)bytes - 1;
  unlink_block(block);
  free(block);
}

static void on_fail(int64_t assertion) { leave(BUDDY_INVALID_ARGUMENT, assertion); }

#define FUNCTION(name, function) {name, (void (*)(void))(function)}

static const buddy_runtime_symbol symbols[] = {
    FUNCTION("_mlir_memref_to_llvm_alloc", on_allocate),
    FUNCTION("_mlir_memref_to_llvm_free", on_free),
    FUNCTION(BD_RUNTIME_FAIL, on_fail),
    FUNCTION("__truncsfbf2", bd_truncsfbf2),
    FUNCTION("__truncdfbf2", bd_truncdfbf2),
    FUNCTION("__truncsfhf2", bd_truncsfhf2),
    FUNCTION("__truncdfhf2", bd_truncdfhf2),
    FUNCTION("__extendhfsf2", bd_extendhfsf2),
    FUNCTION("__gnu_h2f_ieee", bd_extendhfsf2),
    FUNCTION("__gnu_f2h_ieee", bd_truncsfhf2),
};

const buddy_runtime_symbol *bd_runtime_symbols(size_t *out_n) {
  *out_n = sizeof(symbols) / sizeof(symbols[0]);
  return symbols;
}
