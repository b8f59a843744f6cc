// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/compile.h: an MLIR module becomes machine code in this process, and runs. Part of
 * libbuddy_mlir. */
#ifndef BUDDY_COMPILE_H
#define BUDDY_COMPILE_H

#include "buddy/lower.h"
#include "buddy/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a product or a convolution is computed. Texts live as long as the call that tells it. */
typedef struct buddy_kernel_choice {
  size_t struct_size;
  const char *op;     /* "product", "convolution" */
  const char *nodes;  /* as a step has them */
  const char *module; /* as a step has them */
  const char *where;  /* as a step has them */
  const char *kernel; /* how its function's name goes on after "buddy."; "": plain loops */
  const char *why;    /* a phrase: "symbolic sizes: tiles with guarded ends" */
  int is_slow;        /* not 0: for this reason it did not go a faster way */
} buddy_kernel_choice;

/* No optimisation: code that is made soonest, for debugging. */
#define BUDDY_OPT_NONE (-2)
typedef struct buddy_compile_options {
  size_t struct_size;
  int opt_level;        /* 1 to 3, or BUDDY_OPT_NONE; 0 and -1: the default, 2 */
  const char *pipeline; /* text of a pass pipeline from tensors to buffers, in the builtin's place;
                           null: builtin */
  /* Called as compilation goes on, for progress bars; may be null. fraction is 0 to 1.
   * [call-thread] */
  void (*progress)(void *user, const char *stage, double fraction);
  void *user;
  /* Not 0: the code measures its steps (buddy_program_step), and its runs take turns. */
  int profile;
  /* Not 0: every run gets the same bytes for parameters, buffers and constants that the program
   * does not write to, so what is made of them in the first run (weights in the order in which
   * kernels read them) is kept with the program. buddy_model_load sets it. */
  int parameters_are_constant;
  /* Text of MLIR's transform dialect, applied on the way: `module attributes
   * {transform.with_named_sequence}` with sequences @tensors (fused linalg on tensors), @buffers
   * (linalg on buffers) and @loops (after products and convolutions became kernels), or some of
   * them, each with one argument, the module; null: none. A given pipeline goes without
   * @tensors. */
  const char *schedule;
  /* Convolutions of float32 with constant windows of 3×3, steps of one and no groups, in 2.25 times
   * fewer multiplications (Winograd's F(2×2, 3×3)): 0: where that was measured to be faster; 1:
   * wherever it can be done; -1: nowhere. Sums are about as near to the exact ones; infinite ones may be
   * NaN. */
  int winograd;
  /* Not 0: the code may write new values of buffers and parameters over the tensors that are passed for
   * them, so that a cache is not copied to change a row of it. A run that fails on the way may have
   * written some of them. buddy_model_load sets it. It begins where the structs of older callers end. */
  size_t buffers_in_place;
  /* What makes code faster, and can be left out where its numbers are in doubt (`buddy bisect` turns
   * them). 0: where it can be done; -1: nowhere. fusion: operations that follow one another in one
   * loop, and after a product or a convolution while its result is in registers. folding: what
   * depends on parameters and constants alone is computed in the first run, and kept; -1 overrides
   * parameters_are_constant. */
  int fusion, folding;
  /* Features of the processor that the code does not use, beginnings of LLVM's names for them,
   * separated by commas: "amx,avx512"; null: it uses what there is. */
  const char *without;
  /* Told of every product and convolution of the program, with `user`; may be null. Those that are
   * part of a fused attention are not. [call-thread] */
  void (*choice)(void *user, const buddy_kernel_choice *choice);
} buddy_compile_options;

typedef struct buddy_program buddy_program;
/* Takes over the module (destroyed on success and on failure). registries: whose runtime symbols
 * the code may call; may be null; must outlive the program. */
BUDDY_EXPORT buddy_code buddy_compile(buddy_module *module, const buddy_registries *registries,
                                      const buddy_compile_options *options, buddy_diags *diags,
                                      buddy_program **out_program);
BUDDY_EXPORT void buddy_program_destroy(buddy_program *program);

/* The passes that take a module from tensors to the llvm dialect, in their order; each has `progress`
 * told its name when it begins. Some run only where the options or the module ask for them. */
typedef struct buddy_pass {
  size_t struct_size;
  const char *name;  /* "fusing loops". Static, as are the others. */
  const char *stage; /* what the program is made of: tensors, buffers, kernels, loops, llvm */
  const char *needs; /* what it works on */
  const char *gives; /* what those after it find */
} buddy_pass;
/* Calls `visit` with each; the struct lives as long as the call. [any-thread] */
BUDDY_EXPORT void buddy_passes_visit(void (*visit)(void *user, const buddy_pass *pass), void *user);

/* The signature: what run takes and gives, parameters included. dims may be -1: dynamic. */
typedef struct buddy_port {
  const char *name;   /* of the graph's value; "arg0" for parsed modules */
  const char *target; /* fully qualified name of a parameter; "" for user inputs and outputs */
  int kind;           /* buddy_input_kind or buddy_output_kind */
  buddy_dtype dtype;
  uint32_t rank;
  const int64_t *dims;
} buddy_port;
BUDDY_EXPORT size_t buddy_program_n_inputs(const buddy_program *program);
BUDDY_EXPORT const buddy_port *buddy_program_input(const buddy_program *program, size_t i);
BUDDY_EXPORT size_t buddy_program_n_outputs(const buddy_program *program);
BUDDY_EXPORT const buddy_port *buddy_program_output(const buddy_program *program, size_t i);

/* Runs. inputs: one per input port, of the port's dtype and sizes, any strides; they are checked
 * first, and all that is wrong with them reported together. outputs: zeroed tensors are filled with
 * memory that buddy_tensor_release frees; tensors with bytes must fit and are written to: dense ones
 * that share no byte with an input or another output as the run goes, so that a run that fails in the
 * middle leaves anything in them; others by a copy at its end. Two threads may run one program at
 * once. [any-thread] */
BUDDY_EXPORT buddy_code buddy_program_run(const buddy_program *program, const buddy_tensor *inputs,
                                          size_t n_inputs, buddy_tensor *outputs, size_t n_outputs,
                                          buddy_diags *diags);

/* One step of a program that was compiled with `profile`: one kernel, which may do the work of
 * several nodes. Texts live as long as the program; "" is for what is not known. */
typedef struct buddy_step {
  const char *nodes;    /* names of the graph's nodes, joined by + */
  const char *module;   /* the path of the model's module: "layer1.0.conv1" */
  const char *where;    /* "model.py:41" */
  const char *kernel;   /* the function that is called */
  uint64_t n_calls;     /* in all runs so far */
  double seconds;       /* the least that one run spent in it, all its calls together; where
                           clocks would take more than 3 % of the time, not all runs are measured */
  const void *reserved; /* null */
  uint64_t n_bytes;     /* of the tensors that one call is given; 0: known in the run alone */
  uint64_t n_flops; /* operations on floats of one call: a multiplication and an addition are two, a
                         function is one; 0: none, or known in the run alone */
} buddy_step;
BUDDY_EXPORT size_t buddy_program_n_steps(const buddy_program *program); /* 0 without a profile */
/* In the order of the code; null after the last. No run may be under way. */
BUDDY_EXPORT const buddy_step *buddy_program_step(const buddy_program *program, size_t i);

/* What one thread did in the last run of such a program that was measured, in the order in which it ended. Thread 0 is
 * the run's own, whose spans stand one after the other; others help it with loops. */
typedef struct buddy_span {
  int64_t step; /* number of the step; -1: the whole run, which is the last */
  int thread;
  double begin; /* seconds since the run began */
  double seconds;
} buddy_span;
BUDDY_EXPORT size_t buddy_program_n_spans(const buddy_program *program);
/* Null after the last. No run may be under way, and the next one forgets it. */
BUDDY_EXPORT const buddy_span *buddy_program_span(const buddy_program *program, size_t i);

/* Where an intermediate result of such a program lies: of known size, in one block of memory, the
 * arena, from its first step to its last, both of which may use it. Others may have its bytes before
 * and after. Texts are as a step's. */
typedef struct buddy_place {
  const char *nodes, *module, *where;
  uint64_t start, n_bytes; /* in the arena; with what aligns the next */
  size_t first, last;      /* steps */
  const void *reserved;    /* null */
} buddy_place;
BUDDY_EXPORT size_t buddy_program_n_places(const buddy_program *program); /* 0 without a profile */
BUDDY_EXPORT const buddy_place *buddy_program_place(const buddy_program *program, size_t i);
/* Of what a program has made of constants and keeps between runs: weights in the order in which
 * kernels read them. No run may be under way. */
BUDDY_EXPORT uint64_t buddy_program_kept_bytes(const buddy_program *program);

/* Random ops (rand, dropout, bernoulli, …) draw from a generator of the program: each run gets
 * other numbers, and the runs after this call get what the runs after the last call with this
 * seed got. The distributions are PyTorch's, its streams of numbers are not. A new program has seed
 * 0. Runs that go on at the same time share the generator: which of them gets which numbers is not
 * determined then. [any-thread] */
BUDDY_EXPORT void buddy_program_seed(buddy_program *program, uint64_t seed);

/* On how many threads runs go that begin from now on, the caller's among them; 0: BUDDY_THREADS,
 * else OMP_NUM_THREADS, else the CPUs that the process may run on, which is what a new program has.
 * The threads belong to the process: programs that run at the same time share them. Results do not
 * depend on the number. [any-thread] */
BUDDY_EXPORT void buddy_program_set_threads(buddy_program *program, int n_threads);
BUDDY_EXPORT int buddy_program_threads(const buddy_program *program);

/* How long runs may go on that begin from now on, by the clock; 0: as long as they do, which is what a new
 * program has. A run that takes longer ends with BUDDY_LIMIT after a round of a loop of the program's own
 * (while_loop, scan, map), or before its next loop that threads share: what is one piece is not broken
 * off. For programs that nobody vouches for, whose loops may have no end. [any-thread] */
BUDDY_EXPORT void buddy_program_set_time_limit(buddy_program *program, uint64_t milliseconds);

/* ---- A model: the whole road in one object ------------------------------------------------------
 * Archive, graph, plan, module and program together, with parameters bound to the mapped weights,
 * so that run takes the user's inputs alone, and mutated buffers are kept between runs. */
typedef struct buddy_model_options {
  size_t struct_size;
  const buddy_search_options *search;         /* null: defaults */
  const buddy_registries_options *registries; /* null: defaults */
  const buddy_compile_options *compile;       /* null: defaults */
  /* Not 0: compiled code is kept on disk and used again (buddy/cache.h). A cache that cannot be
   * used is a warning. cache_dir: its folder; null: the usual one. */
  int use_cache;
  const char *cache_dir;
  int n_threads; /* as buddy_program_set_threads takes it */
  /* Not 0: every byte of the archive is compared with its checksum first (buddy_archive_check). It
   * begins where the structs of older callers end. */
  size_t verify;
  /* Which program of an archive that holds several; null: as buddy_archive_choose takes it. */
  const char *program;
  /* What the functions of registries may ask for, as "NAME=VALUE", their own name before it:
   * "dist.transport=mpi". Each overrides a variable: BUDDY_DIST_TRANSPORT. Copied. */
  const char *const *settings;
  size_t n_settings;
  /* Not 0: nothing is compiled; BUDDY_NOT_FOUND where the cache has no code for the archive. */
  size_t only_cached;
  /* The program is cut for rank tensor_parallel_rank of tensor_parallel ranks, as buddy_graph_shard does
   * it (buddy/import.h); 0, 1: it is not. Every rank loads the same archive. tensor_parallel_plan: text
   * of the plan, or null. */
  size_t tensor_parallel, tensor_parallel_rank;
  const char *tensor_parallel_plan;
  /* A file that has the parameters, and the text of a table of names, or null, as
   * buddy_archive_take_weights takes them (buddy/import.h); null: the archive has them. */
  const char *weights, *weight_names;
  /* Not 0: where an output is cat([input, new], dim) of an input whose size in dim is symbolic, as
   * caches of keys and values go in and out, the output is left out, and the input is the longer
   * tensor, dim first, whose last part the program writes: [batch, heads, length, width] is
   * [length, batch, heads, width]. For sessions, which keep it with room to grow (buddy/session.h). */
  size_t pairs_in_place;
  /* Sizes that inputs have in every run, as buddy_archive_set_sizes takes them (buddy/import.h); null: as the
   * archive has them. A symbolic program with them is as fast as one that was exported so, and takes no
   * other inputs: several models of one archive, one for each choice, have their weights once by
   * buddy_model_share. */
  const char *sizes;
} buddy_model_options;
typedef struct buddy_model buddy_model;
/* path: of an archive, which is compiled, or, where it ends in .so, of a library, as
 * buddy_model_load_library takes it. What a file holds does not make it a library. */
BUDDY_EXPORT buddy_code buddy_model_load(const char *path, const buddy_model_options *options,
                                         buddy_diags *diags, buddy_model **out_model);
/* path: of a shared library that buddy_model_build wrote for this machine with the shared runtime,
 * whatever its name is. It is native code and runs with the caller's rights, so that the rules of
 * registries hold for it: it and its folder belong to the user or to root, and nobody else may write
 * to them. Of the options, n_threads is for it, and program, where it has several. Those that make
 * another program of an archive (weights, sizes, tensor_parallel, pairs_in_place) are
 * BUDDY_INVALID_ARGUMENT. */
BUDDY_EXPORT buddy_code buddy_model_load_library(const char *path,
                                                 const buddy_model_options *options,
                                                 buddy_diags *diags, buddy_model **out_model);
BUDDY_EXPORT void buddy_model_destroy(buddy_model *model);
/* What the model runs; lent. */
BUDDY_EXPORT const buddy_program *buddy_model_program(const buddy_model *model);
BUDDY_EXPORT size_t buddy_model_n_inputs(const buddy_model *model); /* user inputs, flattened */
BUDDY_EXPORT const buddy_port *buddy_model_input(const buddy_model *model, size_t i);
BUDDY_EXPORT size_t buddy_model_n_outputs(const buddy_model *model); /* user outputs, flattened */
BUDDY_EXPORT const buddy_port *buddy_model_output(const buddy_model *model, size_t i);
/* As buddy_program_run. An input that the program writes to is written where it lies: after a run that
 * fails it may have some of its new values. [any-thread] unless the model mutates buffers: then runs
 * are serialised. */
BUDDY_EXPORT buddy_code buddy_model_run(buddy_model *model, const buddy_tensor *inputs,
                                        size_t n_inputs, buddy_tensor *outputs, size_t n_outputs,
                                        buddy_diags *diags);

/* Makes models that were just loaded have equal things once: weights of the same bytes are read where
 * the first of them has them mapped, and what the code makes of them in its first runs (weights in the
 * order in which kernels read them) is kept once where it is equal. For the programs of one archive,
 * which torch.export writes with weights of their own each, and for archives of one model. Reads all
 * weights. The models are destroyed one by one, in any order; what they map goes with the last. No run
 * may be under way. */
BUDDY_EXPORT buddy_code buddy_model_share(buddy_model *const *models, size_t n_models,
                                          buddy_diags *diags);

/* As buddy_program_seed. [any-thread] */
BUDDY_EXPORT void buddy_model_seed(buddy_model *model, uint64_t seed);
/* As buddy_program_set_threads. [any-thread] */
BUDDY_EXPORT void buddy_model_set_threads(buddy_model *model, int n_threads);
/* As buddy_program_set_time_limit. [any-thread] */
BUDDY_EXPORT void buddy_model_set_time_limit(buddy_model *model, uint64_t milliseconds);

/* ---- Ahead of time -----------------------------------------------------------------------------
 * An archive becomes a file with machine code, and a C header beside it that declares NAME_load,
 * NAME_run, typed, and NAME_destroy. Programs that use it need libbuddy_runtime, which has no LLVM
 * in it; a shared library contains it already. The same input gives the same bytes. */
typedef enum buddy_weights {
  BUDDY_WEIGHTS_BESIDE, /* in a file of their own, NAME.weights, which is mapped */
  BUDDY_WEIGHTS_INSIDE  /* in the code's file; up to 1 GiB */
} buddy_weights;

typedef struct buddy_build_options {
  size_t struct_size;
  const buddy_model_options *model; /* null: defaults */
  const char *target_triple;        /* "aarch64-linux-gnu"; null: this process's */
  const char *target_cpu; /* "znver4", "native", "generic"; null: native for this process's
                             triple, generic for others */
  const char *name;       /* a C identifier that C's library does not have; null: made of the file's
                             name, after model_ where it has that: random.so, model_random_run */
  buddy_weights weights;
  /* For a shared library. sysroot: root of the target's file system, to find its C library; null:
   * "/", or /usr/<target> for another. runtime: path of the target's libbuddy_runtime.a, which
   * becomes part of the library, or .so, which it then needs; null: the installed .a. */
  const char *sysroot, *runtime;
} buddy_build_options;
/* output: a path that ends in .so (a shared library), .a or .o. Beside it: NAME.h and, with
 * BUDDY_WEIGHTS_BESIDE, NAME.weights. All files are written under temporary names and put in
 * place at the end. Of an archive with several programs, none of which is called "model" or chosen in the
 * options, all become one .so or .a, with functions NAME_PROGRAM_load, …, and one file of weights in which
 * equal ones are once. What a program writes to is its own there; buddy_model_load_library takes them out
 * of a .so with the shared runtime, by their names, for sessions (buddy/session.h). */
BUDDY_EXPORT buddy_code buddy_model_build(const char *path, const char *output,
                                          const buddy_build_options *options, buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
