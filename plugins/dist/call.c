// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/dist/call.c: what compiled code calls for every collective.
 *
 * Each exchange begins with a head for each message, which says what its sender is doing: ranks whose
 * programs differ find out there, instead of taking one tensor for another. What is reduced is the
 * same on all ranks, bit for bit, since each element is reduced once or from the same parts, in the
 * order of ranks. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "plugins/dist/rows.h"

enum {
  MAX_RANK = 16,
  SMALL = 1 << 17, /* bytes that others send, up to which every rank reduces everything */
  PIECE = 1 << 25  /* bytes that all ranks together reduce at a time */
};

static const char *const names[DS_N_KINDS] = {"all_reduce", "all_gather_into_tensor",
                                              "reduce_scatter_tensor", "all_to_all_single",
                                              "broadcast"};

/* What comes before a message; the same on both sides. */
typedef struct head {
  int64_t kind, dtype, reduction, n_elements, n_bytes;
} head;

typedef struct collective {
  ds_kind kind;
  buddy_dtype dtype;
  int reduction;
  int64_t number;
  size_t n_splits;
  size_t element;      /* bytes */
  int64_t n_in, n_out; /* elements */
  const bk_runtime_tensor *asked, *input;
  const int64_t *in_sizes, *out_sizes;
  char *out;
  char name[256]; /* of the group */
} collective;

/* Of the one call in progress: inside ds_enter there is no other. */
static ds_group group;
static struct {
  buddy_message sends[2 * DS_MAX_RANKS], receives[2 * DS_MAX_RANKS];
  head sent[DS_MAX_RANKS], received[DS_MAX_RANKS];
  size_t n_sends, n_receives; /* messages; a head and its bytes are two places, but one here */
} mail;
static const void *parts[DS_MAX_RANKS];

/* ---- Tensors --------------------------------------------------------------------------------- */
static int64_t count(const bk_runtime_tensor *t) {
  int64_t n = 1;
  for (int64_t d = 0; d < t->rank; ++d) n *= bk_runtime_size(t, d);
  return n;
}

static char *elements(const bk_runtime_tensor *t, size_t size) {
  return (char *)t->memref->aligned + t->memref->offset * (int64_t)size;
}

static bool is_contiguous(const bk_runtime_tensor *t) {
  int64_t stride = 1;
  for (int64_t d = t->rank; d-- > 0; stride *= bk_runtime_size(t, d)) {
    if (bk_runtime_size(t, d) != 1 && bk_runtime_stride(t, d) != stride) return false;
  }
  return true;
}

/* Row-major; the last axis in one loop. */
static void pack(const bk_runtime_tensor *t, size_t size, char *to) {
  int64_t at[MAX_RANK] = {0};
  const int64_t n = count(t);
  const char *from = elements(t, size);
  if (n > 0 && is_contiguous(t)) memcpy(to, from, (size_t)n * size);
  if (n == 0 || is_contiguous(t)) return;
  const int64_t last = t->rank - 1, length = bk_runtime_size(t, last);
  const int64_t stride = bk_runtime_stride(t, last) * (int64_t)size;
  for (int64_t row = 0; row < n / length; ++row) {
    int64_t offset = 0;
    for (int64_t d = 0; d < last; ++d) offset += at[d] * bk_runtime_stride(t, d);
    const char *line = from + offset * (int64_t)size;
    for (int64_t i = 0; i < length; ++i, to += size) memcpy(to, line + i * stride, size);
    for (int64_t d = last - 1; d >= 0; --d) {
      if (++at[d] < bk_runtime_size(t, d)) break;
      at[d] = 0;
    }
  }
}

/* ---- Messages -------------------------------------------------------------------------------- */
static head head_of(const collective *c, int64_t n_bytes) {
  const int64_t n =
      c->kind == DS_ALL_TO_ALL ? -1 : c->n_in; /* there, ranks may have different ones */
  return (head){(int64_t)c->kind, c->dtype, c->reduction, n, n_bytes};
}

static void send(const collective *c, size_t to, const void *bytes, size_t n) {
  const size_t i = mail.n_sends++;
  mail.sent[i] = head_of(c, (int64_t)n);
  mail.sends[2 * i] = (buddy_message){(int32_t)to, 0, &mail.sent[i], sizeof(head)};
  mail.sends[2 * i + 1] = (buddy_message){(int32_t)to, 0, (void *)(uintptr_t)bytes, n};
}

static void receive(size_t from, void *bytes, size_t n) {
  const size_t i = mail.n_receives++;
  mail.receives[2 * i] = (buddy_message){(int32_t)from, 0, &mail.received[i], sizeof(head)};
  mail.receives[2 * i + 1] = (buddy_message){(int32_t)from, 0, bytes, n};
}

static void describe(const head *h, char *out, size_t size) {
  const char *name = h->kind >= 0 && h->kind < DS_N_KINDS ? names[h->kind] : "something else";
  if (h->n_elements < 0)
    snprintf(out, size, "%s with %lld bytes for it", name, (long long)h->n_bytes);
  else
    snprintf(out, size, "%s of %lld elements", name, (long long)h->n_elements);
}

static int64_t check_heads(const collective *c) {
  char theirs[128], ours[128];
  for (size_t i = 0; i < mail.n_receives; ++i) {
    const head *got = &mail.received[i];
    const head own = head_of(c, (int64_t)mail.receives[2 * i + 1].n_bytes);
    if (memcmp(got, &own, sizeof(own)) == 0) continue;
    describe(got, theirs, sizeof(theirs));
    describe(&own, ours, sizeof(ours));
    return ds_fail(
        BUDDY_INVALID_ARGUMENT,
        "rank %d makes %s where this one makes %s: dtypes, reductions or sizes differ, or "
        "the ranks run different programs",
        (int)mail.receives[2 * i].rank, theirs, ours);
  }
  return 0;
}

static int64_t deliver(const collective *c) {
  int64_t code =
      ds_exchange(&group, mail.sends, 2 * mail.n_sends, mail.receives, 2 * mail.n_receives);
  if (code == 0) code = check_heads(c);
  mail.n_sends = mail.n_receives = 0;
  return code;
}

/* ---- The collectives ------------------------------------------------------------------------- */
static int64_t broadcast(const collective *c) {
  const size_t n_bytes = (size_t)c->n_in * c->element, root = (size_t)c->number;
  if (c->number < 0 || root >= group.n)
    return ds_fail(BUDDY_INVALID_ARGUMENT,
                   "rank %lld, which broadcasts, is none of the %zu of '%s'", (long long)c->number,
                   group.n, c->name);
  if (root == group.own) {
    pack(c->input, c->element, c->out);
    for (size_t r = 0; r < group.n; ++r)
      if (r != root) send(c, r, c->out, n_bytes);
  } else {
    receive(root, c->out, n_bytes);
  }
  return deliver(c);
}

static int64_t all_gather(const collective *c) {
  const size_t n_bytes = (size_t)c->n_in * c->element;
  char *own = c->out + group.own * n_bytes;
  pack(c->input, c->element, own);
  for (size_t r = 0; r < group.n; ++r) {
    if (r == group.own) continue;
    send(c, r, own, n_bytes);
    receive(r, c->out + r * n_bytes, n_bytes);
  }
  return deliver(c);
}

/* Every rank sends `from` to every other one, and reduces all of it to `out`. */
static int64_t reduce_everywhere(const collective *c, const char *from, size_t n_elements,
                                 char *out) {
  const size_t n_bytes = n_elements * c->element;
  char *theirs = ds_scratch(group.n * n_bytes + 1);
  if (!theirs) return -1;
  for (size_t r = 0; r < group.n; ++r) {
    parts[r] = r == group.own ? from : theirs + r * n_bytes;
    if (r == group.own) continue;
    send(c, r, from, n_bytes);
    receive(r, theirs + r * n_bytes, n_bytes);
  }
  const int64_t code = deliver(c);
  if (code == 0) ds_reduce((ds_reduction)c->reduction, c->dtype, parts, group.n, n_elements, out);
  return code;
}

/* Rank r gets from[r], n[r] elements, of all; this one reduces its own to `out`. */
static int64_t reduce_apart(const collective *c, const char *const *from, const size_t *n,
                            char *theirs, char *out) {
  const size_t n_bytes = n[group.own] * c->element;
  for (size_t r = 0; r < group.n; ++r) {
    parts[r] = r == group.own ? from[r] : theirs + r * n_bytes;
    if (r == group.own) continue;
    send(c, r, from[r], n[r] * c->element);
    receive(r, theirs + r * n_bytes, n_bytes);
  }
  const int64_t code = deliver(c);
  if (code == 0) ds_reduce((ds_reduction)c->reduction, c->dtype, parts, group.n, n[group.own], out);
  return code;
}

static const char *slices[DS_MAX_RANKS];
static size_t lengths[DS_MAX_RANKS];

/* Each rank reduces a slice of `n_elements` of `from` to `out`, and gives it to the others. */
static int64_t reduce_in_slices(const collective *c, const char *from, size_t n_elements, char *out,
                                char *theirs) {
  const size_t most = (n_elements + group.n - 1) / group.n;
  for (size_t r = 0; r < group.n; ++r) {
    const size_t first = r * most < n_elements ? r * most : n_elements;
    lengths[r] = n_elements - first < most ? n_elements - first : most;
    slices[r] = from + first * c->element;
  }
  char *own = out + (slices[group.own] - from);
  const int64_t code = reduce_apart(c, slices, lengths, theirs, own);
  if (code != 0) return code;
  for (size_t r = 0; r < group.n; ++r) {
    if (r == group.own) continue;
    send(c, r, own, lengths[group.own] * c->element);
    receive(r, out + (slices[r] - from), lengths[r] * c->element);
  }
  return deliver(c);
}

static int64_t all_reduce(const collective *c) {
  const size_t n_elements = (size_t)c->n_in, piece = PIECE / c->element;
  const bool is_packed = is_contiguous(c->input);
  if (!is_packed) pack(c->input, c->element, c->out);
  const char *from = is_packed ? elements(c->input, c->element) : c->out;
  if ((group.n - 1) * n_elements * c->element <= SMALL)
    return reduce_everywhere(c, from, n_elements, c->out);
  const size_t most = n_elements < piece ? n_elements : piece;
  char *theirs = ds_scratch((most + group.n) * c->element); /* slices are rounded up */
  if (!theirs) return -1;
  int64_t code = 0;
  for (size_t at = 0; at < n_elements && code == 0; at += piece) {
    const size_t n = n_elements - at < piece ? n_elements - at : piece;
    const size_t first = at * c->element;
    code = reduce_in_slices(c, from + first, n, c->out + first, theirs);
  }
  return code;
}

static int64_t reduce_scatter(const collective *c) {
  const size_t n_out = (size_t)c->n_out, whole = PIECE / group.n / c->element;
  const size_t most = whole < n_out ? whole : n_out + 1; /* one at least */
  const size_t n_theirs = group.n * most * c->element;
  const size_t n_packed = is_contiguous(c->input) ? 0 : (size_t)c->n_in * c->element;
  char *theirs = ds_scratch(n_theirs + n_packed), *packed = theirs + n_theirs;
  if (!theirs) return -1;
  if (n_packed > 0) pack(c->input, c->element, packed);
  const char *from = n_packed > 0 ? packed : elements(c->input, c->element);
  int64_t code = 0;
  for (size_t at = 0; code == 0 && (at < n_out || at == 0); at += most) {
    for (size_t r = 0; r < group.n; ++r) {
      lengths[r] = n_out - at < most ? n_out - at : most;
      slices[r] = from + (r * n_out + at) * c->element;
    }
    code = reduce_apart(c, slices, lengths, theirs, c->out + at * c->element);
  }
  return code;
}

/* ---- all_to_all ------------------------------------------------------------------------------ */
static int64_t asked_number(const bk_runtime_tensor *asked, size_t i) {
  const int64_t *data = asked->memref->aligned;
  return data[asked->memref->offset + (int64_t)i * bk_runtime_stride(asked, 0)];
}

/* Rows of the result that come from rank r, or (`is_in`) of the input that go there. */
static int64_t split(const collective *c, int is_in, size_t r) {
  if (c->n_splits > 0) return asked_number(c->asked, DS_ASKED_N + (is_in ? c->n_splits : 0) + r);
  return (is_in ? c->in_sizes[0] : c->out_sizes[0]) / (int64_t)group.n;
}

static int64_t check_splits(const collective *c) {
  int64_t sums[2] = {0, 0};
  if (c->input->rank < 1 || (c->n_splits > 0 && c->n_splits != group.n))
    return ds_fail(BUDDY_INVALID_ARGUMENT,
                   "the tensor is split in %zu, and group '%s' has %zu ranks", c->n_splits, c->name,
                   group.n);
  for (size_t r = 0; r < group.n; ++r) {
    for (int is_in = 0; is_in < 2; ++is_in) {
      const int64_t n = split(c, is_in, r), all = is_in ? c->in_sizes[0] : c->out_sizes[0];
      if (n < 0 || n > all)
        return ds_fail(BUDDY_INVALID_ARGUMENT, "a part of %lld rows of %lld", (long long)n,
                       (long long)all);
      sums[is_in] += n;
    }
  }
  if (sums[0] == c->out_sizes[0] && sums[1] == c->in_sizes[0]) return 0;
  return ds_fail(BUDDY_INVALID_ARGUMENT,
                 "%lld rows go out and %lld come in, and the parts for %zu ranks are %lld and %lld",
                 (long long)c->in_sizes[0], (long long)c->out_sizes[0], group.n, (long long)sums[1],
                 (long long)sums[0]);
}

static int64_t all_to_all(const collective *c) {
  if (check_splits(c) != 0) return -1;
  size_t row = c->element;
  for (int64_t d = 1; d < c->input->rank; ++d) row *= (size_t)c->in_sizes[d];
  const size_t n_packed = is_contiguous(c->input) ? 0 : (size_t)c->n_in * c->element;
  char *packed = ds_scratch(n_packed + 1);
  if (!packed) return -1;
  if (n_packed > 0) pack(c->input, c->element, packed);
  const char *from = n_packed > 0 ? packed : elements(c->input, c->element);
  char *to = c->out;
  for (size_t r = 0; r < group.n; ++r) {
    const size_t n_out = (size_t)split(c, 1, r) * row, n_in = (size_t)split(c, 0, r) * row;
    if (r == group.own && n_out == n_in && n_in > 0) memcpy(to, from, n_in);
    if (r == group.own && n_out != n_in)
      return ds_fail(BUDDY_INVALID_ARGUMENT, "a rank sends itself other rows than it gets");
    if (r != group.own) send(c, r, from, n_out);
    if (r != group.own) receive(r, to, n_in);
    from += n_out;
    to += n_in;
  }
  return deliver(c);
}

/* ---- What is asked --------------------------------------------------------------------------- */
static int read_asked(collective *c, const bk_runtime_tensor *output) {
  const bk_runtime_tensor *asked = c->asked;
  const int64_t n = bk_runtime_size(asked, 0);
  c->kind = (ds_kind)asked_number(asked, DS_ASKED_KIND);
  c->dtype = (buddy_dtype)asked_number(asked, DS_ASKED_DTYPE);
  c->reduction = (int)asked_number(asked, DS_ASKED_REDUCTION);
  c->number = asked_number(asked, DS_ASKED_NUMBER);
  c->n_splits = (size_t)asked_number(asked, DS_ASKED_N_SPLITS);
  const size_t n_name = (size_t)asked_number(asked, DS_ASKED_N_NAME),
               at = DS_ASKED_N + 2 * c->n_splits;
  if (n_name >= sizeof(c->name) || at + n_name != (size_t)n) return 0;
  for (size_t i = 0; i < n_name; ++i) c->name[i] = (char)asked_number(asked, at + i);
  c->name[n_name] = '\0';
  c->element = ds_size_of(c->dtype);
  c->n_in = count(c->input);
  c->n_out = count(output);
  c->in_sizes = c->input->memref->sizes_and_strides;
  c->out_sizes = output->memref->sizes_and_strides;
  c->out = elements(output, c->element);
  return c->element > 0 && c->kind >= 0 && c->kind < DS_N_KINDS && c->input->rank <= MAX_RANK &&
         is_contiguous(output);
}

/* Elements of the result, by those of the input; and of how many ranks the archive thinks. */
static int64_t check_sizes(const collective *c) {
  const int gathers = c->kind == DS_ALL_GATHER, scatters = c->kind == DS_REDUCE_SCATTER;
  const int64_t n = (int64_t)group.n;
  if ((gathers || scatters) && c->number != n)
    return ds_fail(BUDDY_INVALID_ARGUMENT,
                   "the program was made for %lld ranks in group '%s', and there are %lld",
                   (long long)c->number, c->name, (long long)n);
  const int fits = gathers    ? c->n_out == n * c->n_in
                   : scatters ? c->n_in == n * c->n_out
                              : c->n_in == c->n_out || c->kind == DS_ALL_TO_ALL;
  if (fits) return 0;
  return ds_fail(BUDDY_INVALID_ARGUMENT, "%s of %lld elements by %lld ranks does not give %lld",
                 names[c->kind], (long long)c->n_in, (long long)n, (long long)c->n_out);
}

int64_t ds_call(const bk_runtime_tensor *asked, const bk_runtime_tensor *input,
                const bk_runtime_tensor *output) {
  static int64_t (*const functions[DS_N_KINDS])(const collective *c) = {
      all_reduce, all_gather, reduce_scatter, all_to_all, broadcast};
  collective c = {.asked = asked, .input = input};
  if (!read_asked(&c, output)) return ds_fail(BUDDY_INTERNAL, "the call is not as it was emitted");
  if (ds_enter() != 0) return -1;
  mail.n_sends = mail.n_receives = 0;
  if (ds_group_find(c.name, &group) != 0 || check_sizes(&c) != 0) return -1;
  return functions[c.kind](&c);
}
