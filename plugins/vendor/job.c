// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Cutting a problem, packing its constant operand, and running its parts. */
#include "plugins/vendor/job.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "plugins/vendor/threads.h"

/* ---- Packed slices --------------------------------------------------------------------------- */

/* Packed slices in memory of a keeper, each run by run, begin with this. Of slices there are two
 * kinds, all but the last one and that; and of runs. */
enum { USUAL, LAST, N_ENDS };
typedef struct packed_head {
  _Alignas(64) int64_t formats[N_ENDS][N_ENDS]; /* bd_format_number; 0: not packed */
  int64_t sizes[N_ENDS][N_ENDS];                /* of a run, in bytes: multiples of 64 */
} packed_head;

static int end_of(int64_t n, int64_t i) { return i == n - 1 ? LAST : USUAL; }

/* How many bytes the runs of a slice have before this one. */
static int64_t bytes_before(const packed_head *head, int end, int64_t run) {
  return run * head->sizes[end][USUAL];
}

static int64_t bytes_of_slice(const bd_job *job, const packed_head *head, int end) {
  return bytes_before(head, end, job->n_runs - 1) + head->sizes[end][LAST];
}

static bd_packed packed_piece(const bd_job *job, packed_head *head, const bd_piece *piece) {
  const int slice = end_of(job->n_slices, piece->slice), run = end_of(job->n_runs, piece->run);
  if (!head || head->formats[slice][run] == 0) return (bd_packed){0, NULL};
  return (bd_packed){head->formats[slice][run],
                     (char *)(head + 1) + piece->slice * bytes_of_slice(job, head, USUAL) +
                         bytes_before(head, slice, piece->run)};
}

/* The plan by which a run of a slice is packed, to be released; NULL: the library cannot. */
static bd_plan *plan_of_packing(const bd_job *job, const bd_piece *piece, bd_vendor_data data) {
  bd_plan_key key;
  memset(&key, 0, sizeof(key));
  memset(data, 0, sizeof(bd_vendor_data));
  job->describe(job, piece, &key, data);
  key.is_packing = true;
  return bd_plan_of(&key, job->dtype, job->build);
}

typedef struct packing {
  const bd_job *job;
  packed_head *head;
  atomic_bool has_failed;
} packing;

static bool pack_piece(const packing *p, const bd_piece *piece) {
  bd_vendor_data data;
  const bd_packed packed = packed_piece(p->job, p->head, piece);
  if (!packed.bytes) return true;
  bd_plan *plan = plan_of_packing(p->job, piece, data);
  if (!plan) return false;
  const bool is_done = bd_pack_by(plan, data, packed.bytes);
  bd_plan_cache_release(plan);
  return is_done;
}

static void pack_slices(void *context, int64_t first, int64_t last) {
  packing *p = context;
  const int before = bd_vendor_threads_begin();
  for (int64_t i = first; i < last; ++i) {
    for (int64_t run = 0; run < p->job->n_runs; ++run) {
      const bd_piece piece = {.slice = i, .run = run};
      if (!pack_piece(p, &piece)) atomic_store(&p->has_failed, true);
    }
  }
  bd_vendor_threads_end(before);
}

static void fill(const bd_job *job, packed_head *head, const packed_head *wanted) {
  packing p = {.job = job, .head = head};
  *head = *wanted;
  bd_vendor_spread(pack_slices, &p, job->n_slices, bytes_of_slice(job, wanted, LAST) / 4);
  if (atomic_load(&p.has_failed)) memset(head->formats, 0, sizeof(head->formats));
}

/* The slot's memory, filled by this call if no other has done it; NULL: nothing is packed. */
static packed_head *find_packed(const bd_job *job, const bd_vendor_kept *kept) {
  packed_head wanted = {.formats = {{0}}};
  for (int i = 0; i < N_ENDS * N_ENDS; ++i) {
    const int slice = i / N_ENDS, run = i % N_ENDS;
    const bd_piece piece = {.slice = slice == LAST ? job->n_slices - 1 : 0,
                            .run = run == LAST ? job->n_runs - 1 : 0};
    if (end_of(job->n_slices, piece.slice) != slice || end_of(job->n_runs, piece.run) != run)
      continue; /* there is none */
    bd_vendor_data data;
    bd_plan *plan = plan_of_packing(job, &piece, data);
    if (!plan) return NULL;
    wanted.sizes[slice][run] = ((int64_t)bd_plan_packed_size(plan) + 63) / 64 * 64;
    wanted.formats[slice][run] = wanted.sizes[slice][run] != 0 ? plan->format : 0;
    bd_plan_cache_release(plan);
  }
  int64_t n_bytes = bytes_of_slice(job, &wanted, LAST);
  if (job->n_slices > 1) n_bytes += (job->n_slices - 1) * bytes_of_slice(job, &wanted, USUAL);
  if (n_bytes == 0) return NULL;
  n_bytes += (int64_t)sizeof(wanted);
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

static bool run_part(const running *r, int64_t slice, int64_t part) {
  const bd_job *job = r->job;
  bool is_done = true;
  for (int64_t i = 0; is_done && i < job->n_runs; ++i) {
    bd_plan_key key;
    bd_vendor_data data = {NULL};
    const bd_piece piece = {slice, part, i};
    const bd_packed packed = packed_piece(job, r->head, &piece);
    memset(&key, 0, sizeof(key));
    job->describe(job, &piece, &key, data);
    is_done = job->run(job, &key, data, &packed);
  }
  return is_done;
}

static void run_parts(void *context, int64_t first, int64_t last) {
  running *r = context;
  const bd_job *job = r->job;
  const int before = bd_vendor_threads_begin();
  for (int64_t i = first; i < last && !atomic_load_explicit(&r->has_failed, memory_order_relaxed);
       ++i) {
    if (!run_part(r, i / job->n_parts, i % job->n_parts)) atomic_store(&r->has_failed, true);
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
