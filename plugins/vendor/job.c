// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Cutting a problem, packing its constant operand, and running its parts. */
#include "plugins/vendor/job.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "plugins/vendor/threads.h"

/* ---- Packed slices --------------------------------------------------------------------------- */

/* Packed slices in memory of a keeper begin with this. There are two kinds of them: all but the
 * last one, and that. */
enum { USUAL, LAST, N_KINDS };
typedef struct packed_head {
  _Alignas(64) int64_t formats[N_KINDS]; /* bd_format_number; 0: not packed */
  int64_t sizes[N_KINDS];                /* of a slice, in bytes: multiples of 64 */
} packed_head;

static int kind_of(const bd_job *job, int64_t slice) {
  return slice == job->n_slices - 1 ? LAST : USUAL;
}

static bd_packed packed_slice(const bd_job *job, packed_head *head, int64_t slice) {
  const int kind = kind_of(job, slice);
  if (!head || head->formats[kind] == 0) return (bd_packed){0, NULL};
  return (bd_packed){head->formats[kind], (char *)(head + 1) + slice * head->sizes[USUAL]};
}

/* The plan by which a slice is packed, to be released; NULL: the library cannot. */
static bd_plan *plan_of_slice(const bd_job *job, int64_t slice, bd_vendor_data data) {
  bd_plan_key key;
  memset(&key, 0, sizeof(key));
  memset(data, 0, sizeof(bd_vendor_data));
  job->describe(job, slice, 0, &key, data);
  key.is_packing = true;
  return bd_plan_of(&key, job->dtype, job->build);
}

typedef struct packing {
  const bd_job *job;
  packed_head *head;
  atomic_bool has_failed;
} packing;

static bool pack_slice(const packing *p, int64_t slice) {
  bd_vendor_data data;
  const bd_packed packed = packed_slice(p->job, p->head, slice);
  if (!packed.bytes) return true;
  bd_plan *plan = plan_of_slice(p->job, slice, data);
  if (!plan) return false;
  const bool is_done = bd_pack_by(plan, data, packed.bytes);
  bd_plan_cache_release(plan);
  return is_done;
}

static void pack_slices(void *context, int64_t first, int64_t last) {
  packing *p = context;
  const int before = bd_vendor_threads_begin();
  for (int64_t i = first; i < last; ++i) {
    if (!pack_slice(p, i)) atomic_store(&p->has_failed, true);
  }
  bd_vendor_threads_end(before);
}

static void fill(const bd_job *job, packed_head *head, const packed_head *wanted) {
  packing p = {.job = job, .head = head};
  *head = *wanted;
  bd_vendor_spread(pack_slices, &p, job->n_slices, wanted->sizes[LAST] / 4);
  if (atomic_load(&p.has_failed)) memset(head->formats, 0, sizeof(head->formats));
}

/* The slot's memory, filled by this call if no other has done it; NULL: nothing is packed. */
static packed_head *find_packed(const bd_job *job, const bd_vendor_kept *kept) {
  packed_head wanted = {.formats = {0}};
  int64_t n_bytes = sizeof(wanted);
  for (int kind = USUAL; kind < N_KINDS; ++kind) {
    bd_vendor_data data;
    const int64_t n = kind == USUAL ? job->n_slices - 1 : 1;
    if (n == 0) continue;
    bd_plan *plan = plan_of_slice(job, kind == USUAL ? 0 : job->n_slices - 1, data);
    if (!plan) return NULL;
    wanted.sizes[kind] = ((int64_t)bd_plan_packed_size(plan) + 63) / 64 * 64;
    wanted.formats[kind] = wanted.sizes[kind] != 0 ? plan->format : 0;
    n_bytes += n * wanted.sizes[kind];
    bd_plan_cache_release(plan);
  }
  if (n_bytes == sizeof(wanted)) return NULL;
  int32_t is_filled = 0;
  packed_head *head = kept->keeper->get(kept->slot, n_bytes, &is_filled);
  if (!head || is_filled != 0) return head;
  fill(job, head, &wanted);
  kept->keeper->filled(kept->slot);
  return head;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

typedef struct running {
  const bd_job *job;
  packed_head *head;
  atomic_bool has_failed;
} running;

static void run_parts(void *context, int64_t first, int64_t last) {
  running *r = context;
  const bd_job *job = r->job;
  const int before = bd_vendor_threads_begin();
  for (int64_t i = first; i < last && !atomic_load_explicit(&r->has_failed, memory_order_relaxed);
       ++i) {
    bd_plan_key key;
    bd_vendor_data data = {NULL};
    memset(&key, 0, sizeof(key));
    const int64_t slice = i / job->n_parts;
    const bd_packed packed = packed_slice(job, r->head, slice);
    job->describe(job, slice, i % job->n_parts, &key, data);
    if (!job->run(job, &key, data, &packed)) atomic_store(&r->has_failed, true);
  }
  bd_vendor_threads_end(before);
}

bool bd_job_run(const bd_job *job, const bd_vendor_kept *kept) {
  const int before = bd_vendor_threads_begin();
  packed_head *head = kept ? find_packed(job, kept) : NULL;
  bd_vendor_threads_end(before);
  running r = {.job = job, .head = head};
  bd_vendor_spread(run_parts, &r, job->n_slices * job->n_parts, job->cost);
  return !atomic_load(&r.has_failed);
}
