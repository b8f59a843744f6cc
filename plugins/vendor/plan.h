// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A plan: all that one call of the library needs apart from the data, made once per problem and
 * kept.
 *
 * Each operand passes up to three layouts: as the caller has it, row-major (a copy, only where the
 * library cannot describe the caller's strides) and as the primitive wants it (a reorder by the
 * library, only where it differs). The copies of one call lie in one workspace, at offsets that are
 * part of the plan.
 *
 * Where the right operand is constant, what its copy and its reorder make is kept by the caller: it
 * is packed. A plan then lets the library choose the operand's layout, or, where the caller has it
 * in a layout already that another problem chose, takes that one (bd_format). */
#ifndef BUDDY_PLUGINS_VENDOR_PLAN_H_
#define BUDDY_PLUGINS_VENDOR_PLAN_H_

/* Not core/base/hash.h: a plugin has nothing of the core, and this library links nothing of
 * buddy. */
#include <uthash.h>

#include "plugins/vendor/onednn_api.h"
#include "plugins/vendor/problem.h"

enum { BD_OPERAND_MAX_RANK = 3 + BD_VENDOR_MAX_SPATIAL };

/* A primitive of the library with the scratch memory that it asks for. */
typedef struct bd_vendor_step {
  dnnl_primitive_t primitive;
  bd_desc scratch;
  size_t scratch_size;
} bd_vendor_step;

typedef struct bd_vendor_operand {
  bool is_used, is_copied, is_reordered;
  int rank;
  dnnl_dims_t dims, strides; /* as the caller has it */
  bd_desc outside;           /* the caller's layout, or row-major if copied */
  bd_desc inside;            /* the primitive's layout */
  bd_vendor_step reorder;    /* between the two, only if reordered */
  size_t copy_offset, inside_offset;
} bd_vendor_operand;

/* The problem, as bytes; unused ones are zero. */
typedef struct bd_plan_key {
  int64_t is_convolution;
  int64_t is_packing, format; /* of the right operand; format 0: the library's choice */
  union {
    bd_vendor_product product;
    bd_vendor_convolution convolution;
  } problem;
} bd_plan_key;

typedef struct bd_plan {
  bd_plan_key key;
  dnnl_data_type_t type;
  bd_vendor_operand operands[BD_VENDOR_N_OPERANDS];
  bd_vendor_step main;
  bool is_reference;              /* by plain loops, hundreds of times slower than the others */
  bool is_added;                  /* the primitive adds to what the result holds */
  bd_vendor_step fetch;           /* that, as the primitive wants it: only if is_added, reordered */
  bd_desc addend;                 /* the layout that the primitive reads it in */
  int addend_argument;            /* its number among the primitive's arguments */
  int64_t format;                 /* of the packed operand; 0: none is known */
  int64_t n_scaled, scale_stride; /* filters whose copies are multiplied by a scale; 0: none */
  size_t scratch_offset, workspace_size;
  /* The cache's own: calls under way, and whether the table holds it. The last one to let go
   * destroys it. */
  int64_t n_users;
  bool is_kept;
  UT_hash_handle hh;
} bd_plan;

bd_plan *bd_plan_create(const bd_plan_key *key, int64_t dtype);
void bd_plan_destroy(bd_plan *plan);

/* Describes one operand in the caller's layout. dims, strides: rank numbers. With must_copy
 * it is copied to row-major even if the library could describe the strides, because no fast
 * primitive takes them. */
bool bd_plan_describe(bd_plan *plan, int operand, int rank, const int64_t *dims,
                      const int64_t *strides, bool must_copy);

/* Completes a plan whose operands are described with the primitive that desc stands for; attr
 * is what the reorders are made with. */
bool bd_plan_finish(bd_plan *plan, dnnl_engine_t engine, const_dnnl_primitive_desc_t desc,
                    const_dnnl_primitive_attr_t attr);

/* Runs the plan, with workspace of the plan's size. packed: what bd_plan_pack has made of the
 * right operand, or NULL. Thread-safe. */
bool bd_plan_run(const bd_plan *plan, dnnl_engine_t engine, char *workspace,
                 const bd_vendor_data data, char *packed);

/* Bytes of the packed right operand; 0 if the primitive reads it as the caller has it. */
size_t bd_plan_packed_size(const bd_plan *plan);
bool bd_plan_pack(const bd_plan *plan, dnnl_engine_t engine, char *workspace,
                  const bd_vendor_data data, char *packed);

/* Layouts by number (formats.c). All functions are thread-safe. */

/* Layouts have numbers, so that they can be named in memory that outlives plans and their cache.
 * The same layout gets the same number, and a number never names another one; 0 when there are too
 * many or memory is out. */
int64_t bd_format_number(bd_desc_ref desc);
/* False if there is none of that number. */
bool bd_format_get(int64_t number, bd_desc *out);
/* Frees them; their numbers are not used again. */
void bd_formats_clear(void);

/* The cache (plan_cache.c). All functions are thread-safe. */

/* The CPU engine, made on first use; NULL when the library cannot make it. */
dnnl_engine_t bd_plan_cache_engine(void);

/* The kept plan of key, or NULL. Each plan that is found must be released. */
bd_plan *bd_plan_cache_find(const bd_plan_key *key);

/* Adds a plan whose key the cache does not have; the caller uses it from then on and must release
 * it. */
void bd_plan_cache_add(bd_plan *plan);
void bd_plan_cache_release(bd_plan *plan);

/* Lends a 64-byte aligned buffer of at least size bytes, NULL for want of memory. out_capacity
 * is to be handed back with it. */
char *bd_plan_cache_take_workspace(size_t size, size_t *out_capacity);
void bd_plan_cache_give_workspace(char *workspace, size_t capacity);

/* Frees everything. Nothing may be in use. */
void bd_plan_cache_clear(void);

#endif
