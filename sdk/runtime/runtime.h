// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/runtime.h: what compiled code calls: memory, failure, and the arithmetic that
 * processors lack.
 *
 * A run is one call of a program on one thread. All memory that the compiled code asks for is
 * remembered by its run, so that nothing leaks, whichever way the run ends. A failing check, and
 * memory running out, leave the compiled code by longjmp to buddy_program_run: between the two
 * there are only frames of compiled code, which own nothing.
 *
 * Memory goes back to the program's pool, where the next run finds it without asking the system for
 * new pages. */
#ifndef BUDDY_SDK_COMPILE_RUNTIME_H
#define BUDDY_SDK_COMPILE_RUNTIME_H

#include <setjmp.h>
#include <stdbool.h>

#include "buddy/base.h"
#include "sdk/runtime/random.h"

typedef struct bd_block bd_block;
typedef struct bd_cache bd_cache;

/* What the runs of one program leave to the next: memory, and where random numbers go on.
 * [any-thread] */
typedef struct bd_run_pool bd_run_pool;
buddy_code bd_run_pool_create(bd_run_pool **out_pool);
/* The generator of the program's random numbers, which lives as long as the pool. */
bd_random *bd_run_pool_random(bd_run_pool *pool);
/* On how many threads runs go that begin from now on; 0: as many as by default (threads.h). */
int bd_run_pool_threads(const bd_run_pool *pool);
void bd_run_pool_set_threads(bd_run_pool *pool, int n);
/* Milliseconds that runs may go on which begin from now on; 0: any. */
void bd_run_pool_set_time_limit(bd_run_pool *pool, uint64_t milliseconds);
/* What users set for the functions of registries (buddy_model_options.settings): copies "NAME=VALUE"
 * texts, in the place of those before. Not while runs go on. */
buddy_code bd_run_pool_set_settings(bd_run_pool *pool, const char *const *settings, size_t n);
/* The value; null: it was not set. */
const char *bd_run_pool_setting(const bd_run_pool *pool, const char *name);
void bd_run_pool_destroy(bd_run_pool *pool);
/* What is kept across runs: see prepacked.h. */
struct bd_prepacked *bd_run_pool_prepacked(bd_run_pool *pool);

/* Memory of the caller's that a result is to have; bytes null: it has memory of the run. */
typedef struct bd_destination {
  void *bytes;
  size_t n_bytes;
} bd_destination;

enum { BD_MAX_WATCHERS = 4 };
typedef struct bd_run {
  jmp_buf *exit;               /* where failures go */
  buddy_code code;             /* why, after a failure */
  int64_t assertion;           /* which check failed; -1: none */
  bd_block *blocks;            /* all memory that is still held, the newest first */
  int64_t n_blocks;            /* that it ever took: each has its number */
  const bd_destination *given; /* one per result; null: none is given */
  const bd_destination *next;  /* what the next allocation is for; null: for nobody in particular */
  bd_run_pool *pool;
  bd_cache *cache; /* what this run takes its memory from; of the pool, but for now nobody else's */
  struct bd_profile *profile; /* null: the code does not measure itself */
  struct bd_run *outer;       /* a run of this thread that called out and came back to us */
  void *scratch;    /* what BD_RUNTIME_PACK gave last, a block of the run; null: nothing */
  size_t n_scratch; /* bytes of it */
  void *left; /* the block of the last BD_RUNTIME_PACK, whose slot has another's by now; or null */
  struct bd_left *all_left; /* the same of BD_RUNTIME_KEEP, which the run may read until it ends */
  bool is_packing;          /* what is packed now goes to the scratch memory */
  bool is_filling;   /* it has the lock of what is kept: a run that fails must give it back */
  int n_threads;     /* that its loops may have */
  uint64_t deadline; /* nanoseconds of bd_nanoseconds; 0: none */
  struct {           /* who is told that it ended (buddy_run.at_end) */
    void (*ended)(void *user, buddy_code code);
    void *user;
  } watchers[BD_MAX_WATCHERS];
  int n_watchers;
  buddy_code
      why_code;       /* of the function that failed, and its sentence, a block of the run; null: */
  char *why;          /* none has */
  const char *reason; /* the sentence of the error that it ended with; null: of none */
  bool is_spread;     /* a loop is under way: another inside it stays on its thread */
} bd_run;

/* Makes `run` the one that compiled code on this thread belongs to, until bd_run_end, which takes
 * its memory back. */
buddy_code bd_run_begin(bd_run *run, bd_run_pool *pool, jmp_buf *exit);
void bd_run_end(bd_run *run);
/* Makes `run` the one that compiled code on this thread belongs to while it helps `lead`, as the
 * helper of that place, until bd_run_leave. The caller sets run->exit. */
buddy_code bd_run_join(bd_run *run, bd_run *lead, int place);
void bd_run_leave(bd_run *run);
/* The run that compiled code on this thread belongs to. */
bd_run *bd_run_current(void);
/* Leaves the compiled code of this thread's run. assertion: which check failed; -1: none. */
__attribute__((noreturn)) void bd_run_fail(buddy_code code, int64_t assertion);
/* Leaves it where the deadline is over: between pieces of work that have no end of their own. */
void bd_run_check_deadline(const bd_run *run);
/* Memory of the run, 64-byte aligned; null when memory is out. */
void *bd_run_allocate(bd_run *run, size_t n_bytes);
/* True if `bytes` is the start of a block of the run that nothing else has taken. Costs the number
 * of blocks that the run still holds. */
int bd_run_owns(const bd_run *run, const void *bytes);
/* Takes a block out of the run, for a caller who frees it with bd_run_free_taken. */
void bd_run_take(void *bytes);
void bd_run_free_taken(void *bytes);

/* The functions themselves, by the names that compiled code knows. Static; *out_n of them. */
const buddy_runtime_symbol *bd_runtime_symbols(size_t *out_n);
/* Name of the function that ends the run. */
#define BD_RUNTIME_FAIL "buddy_runtime_fail"
/* Name of the function that says, with the number of a result, that the next allocation is for it: it gets the memory
 * that the caller gave, if there is any and it has as many bytes. */
#define BD_RUNTIME_RESULT "buddy_runtime_result"
/* Names of the functions that free what an iteration of a loop leaves behind: the first gives the scope that the
 * run's memory is taken in from now on, before the loop; at the end of each iteration, the second is told the
 * addresses that the next one reads, and the third frees every other block of the scope, and ends a run whose
 * time is over. Scopes nest. */
#define BD_RUNTIME_SCOPE_BEGIN "buddy_runtime_scope_begin"
#define BD_RUNTIME_SCOPE_HOLD "buddy_runtime_scope_hold"
#define BD_RUNTIME_SCOPE_FREE "buddy_runtime_scope_free"

/* Code that was compiled ahead of time is linked with them by name, so that all that
 * bd_runtime_symbols lists is a symbol of this library, too. */
void *_mlir_memref_to_llvm_alloc(size_t n_bytes);
void _mlir_memref_to_llvm_free(void *bytes);
void buddy_runtime_fail(int64_t assertion);
void buddy_runtime_result(int64_t result);
int64_t buddy_runtime_scope_begin(void);
void buddy_runtime_scope_hold(int64_t scope, int64_t address);
void buddy_runtime_scope_free(int64_t scope);
void *buddy_runtime_keep(int64_t slot, int64_t n_bytes); /* see prepacked.h */
void buddy_runtime_keep_filled(int64_t slot);
void *buddy_runtime_pack(int64_t slot, int64_t n_bytes);
void buddy_runtime_packed(int64_t slot);
int64_t buddy_runtime_keeper(void);
int64_t bd_run_random_seed(void) __asm__(BD_RANDOM_SEED);
int64_t bd_run_random_stream(void) __asm__(BD_RANDOM_STREAM);

#endif
