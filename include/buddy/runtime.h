// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/runtime.h: buddy.runtime/1 of a registry: functions that emitted code calls, what they are
 * told, and what their calls say of themselves. registry.h includes it. */
#ifndef BUDDY_RUNTIME_H
#define BUDDY_RUNTIME_H

#include "buddy/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Functions that emitted code calls by name, linked into JIT-compiled code. */
#define BUDDY_RUNTIME_ID "buddy.runtime/1"
typedef struct buddy_runtime_symbol {
  const char *name; /* as the emitted code spells it */
  void (*function)(
      void); /* cast from its real type; null: it is in the library that buddy.ahead/1 names,
                             which is loaded when code that calls one of the functions is linked */
} buddy_runtime_symbol;
typedef struct buddy_runtime {
  uint32_t struct_size;
  uint32_t n_symbols;
  const buddy_runtime_symbol *symbols;
} buddy_runtime;
/* void (int32_t n): a function of the table with this name and the registry's after it, as in
 * "buddy_threads_acme", is called before each run of code that calls others of the table. n: how many
 * threads they may use on the calling thread from then on. */
#define BUDDY_THREADS_FUNCTION "buddy_threads_"
/* void (const buddy_crew *crew): a function of the table with this name and the registry's after
 * it, as in "buddy_crew_acme", is given the host's thread pool, right after the function above was
 * called; null: there is none from then on. A table that has this one wants no threads of its own,
 * which would be in the way of the host's. The pool lives as long as the code that runs. */
#define BUDDY_CREW_FUNCTION "buddy_crew_"
typedef struct buddy_crew {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  /* Calls units(context, first, last), for the units from `first` to before `last`, until all of
   * 0 to n_units are done, each once, on the threads that the run of the calling thread has, and
   * returns then. Their order is not said; units must not depend on one another. cost: of one
   * unit, about as many as a loop does simple operations on elements. What is spread from within a
   * unit stays on its thread, and so does what is spread by a thread that runs no compiled code. */
  void (*spread)(void (*units)(void *context, int64_t first, int64_t last), void *context,
                 int64_t n_units, int64_t cost);
} buddy_crew;

/* void (const buddy_run *run): a function of the table with this name and the registry's after it,
 * as in "buddy_run_acme", is given, before each run, what functions that the run calls may ask of
 * it: those whose calls have effects (BUDDY_CALL_EFFECTS) need it to fail. Its functions are for the
 * run's thread alone, inside of a call that the run makes. It lives as long as the code that runs. */
#define BUDDY_RUN_FUNCTION "buddy_run_"
typedef struct buddy_run {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  /* Keeps why the function that is being called fails, a sentence, and gives what it returns then,
   * which is not 0: the run ends, and its error is `code` with that sentence and the place in the
   * model. The first reason is kept. */
  int64_t (*fail)(buddy_code code, const char *why);
  /* `ended` is called once when this run ends, with BUDDY_OK or why it failed. Asking again with the
   * same two changes nothing. */
  buddy_code (*at_end)(void (*ended)(void *user, buddy_code code), void *user);
  /* What the user has set (buddy_model_options.settings) under a name such as "acme.speed"; else the
   * variable BUDDY_ACME_SPEED, unless the process has raised rights; else null. Lent for the call. */
  const char *(*setting)(const char *name);
  /* The address of `symbol` in a library, which is judged as registries are before any code of it
   * runs, and stays loaded. file: a path with a slash, or a name that is looked for in the folders of
   * BUDDY_PLUGIN_PATH and beside the file that `beside` lies in. Null: fail() has the reason. */
  void *(*library)(const char *file, const char *symbol, const void *beside);
  /* Inside of `ended`: the sentence of the error that the run ended with; null after BUDDY_OK. Lent
   * for the call. */
  const char *(*reason)(void);
} buddy_run;

/* What emitted code may say of its calls of such functions, as i64 attributes of the func.call;
 * bk_call (kit.h) writes them. A set of operands has the bit 1 << i for operand i, a memref.
 *
 *   buddy.inputs  a number n: the first n operands are read, and written to by nobody; no other
 *                 memory is read, and the same operands give the same results
 *   buddy.pixels  a set: images of four axes n, c, h, w that the function reads and writes at any
 *                 strides, best where channels lie innermost. The host may then let them lie so
 *   buddy.keeps   a set of inputs of which the function makes something that it can use again:
 *                 weights in an order of its own. The last two operands are i64, and 0 as emitted.
 *                 Where all of the set is constant as long as the program lives, the host puts
 *                 there the number of a slot, and the address of a buddy_keeper
 *   buddy.effects 1: others see that the call was made (another process, a device). It is made once
 *                 in each run where the program has it, in the program's order; it is not dropped,
 *                 merged, moved or computed once, and what it gives is not the same in the next run,
 *                 whatever buddy.inputs says. Its op is of a kind that is not dropped either:
 *                 side_effect. It returns an i64, which a cf.assert after it holds to be 0;
 *                 buddy_run.fail says why it is not */
/* What it may say of a loop, a unit attribute of the scf.for:
 *
 *   buddy.apart   no iteration reads what another one has written: they may go in any order, and at
 *                 once. Memory that is allocated before the loop and used in it alone is an
 *                 iteration's own: each writes what it reads there. Elements of all else that is
 *                 written are at the loop's own index, along one axis always the same */
#define BUDDY_LOOP_APART "buddy.apart"

#define BUDDY_CALL_INPUTS "buddy.inputs"
#define BUDDY_CALL_PIXELS "buddy.pixels"
#define BUDDY_CALL_KEEPS "buddy.keeps"
#define BUDDY_CALL_EFFECTS "buddy.effects"
typedef struct buddy_keeper {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  /* The slot's memory: n_bytes, aligned to 64, for as long as the compiled program lives; null when
   * memory is out. Who asks first says how large it is. With *out_is_filled 0 it is the caller who
   * fills it and then calls filled(); others who ask wait for that. Only from the function that was
   * given the slot, on the thread that called it. */
  void *(*get)(int64_t slot, int64_t n_bytes, int32_t *out_is_filled);
  void (*filled)(int64_t slot);
} buddy_keeper;

#ifdef __cplusplus
}
#endif
#endif
