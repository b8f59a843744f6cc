// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/rates.c: times of registries, read, written and compared. */
#include "sdk/model/rates.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

#define HEAD "buddy rates 1\n"
#define MAX_DISTANCE 3.0 /* of cases that tell something about another */
#define NEAR 0.1         /* added to distances, so that none has all the weight */
#define MAX_NS UINT64_C(1000000000000)
enum { MAX_LINE = 512 };

void bd_rates_deinit(bd_rates *rates) {
  free(rates->items);
  *rates = (bd_rates){0};
}

static bool is_same_case(const bd_case *a, const bd_case *b) {
  return memcmp(a, b, sizeof(*a)) == 0;
}

buddy_code bd_rates_add(bd_rates *rates, const bd_rate *rate) {
  for (size_t i = 0; i < rates->n; ++i) {
    bd_rate *old = &rates->items[i];
    if (!is_same_case(&old->is, &rate->is) || old->n_threads != rate->n_threads ||
        strcmp(old->registry, rate->registry) != 0)
      continue;
    old->ns = rate->ns;
    return BUDDY_OK;
  }
  if (rates->n == BD_RATES_MAX) return BUDDY_LIMIT;
  bd_rate *items = bd_array_grow(rates->items, &rates->capacity, rates->n + 1, sizeof(*items));
  if (!items) return BUDDY_OUT_OF_MEMORY;
  rates->items = items;
  rates->items[rates->n++] = *rate;
  return BUDDY_OK;
}

int bd_rates_know(const bd_rates *rates, const bd_case *c) {
  for (size_t i = 0; i < rates->n; ++i)
    if (is_same_case(&rates->items[i].is, c)) return 1;
  return 0;
}

/* ---- Text ------------------------------------------------------------------------------------ */
char *bd_rates_print(const bd_rates *rates, size_t *out_size) {
  char *text = NULL;
  *out_size = 0;
  FILE *out = open_memstream(&text, out_size);
  if (!out) return NULL;
  fputs(HEAD, out);
  for (size_t i = 0; i < rates->n; ++i) {
    const bd_rate *r = &rates->items[i];
    fprintf(out, "%s %s", bd_case_kind_name(r->is.kind), buddy_dtype_name(r->is.dtype));
    for (size_t k = 0; k < BD_CASE_SIZES; ++k) fprintf(out, " %lld", (long long)r->is.sizes[k]);
    fprintf(out, " %s %d %llu\n", r->registry, r->n_threads, (unsigned long long)r->ns);
  }
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}

static int read_word(const char **at, char end, char *word, size_t size) {
  const char *stop = strchr(*at, end);
  const size_t n = stop ? (size_t)(stop - *at) : 0;
  if (n == 0 || n >= size) return 0;
  memcpy(word, *at, n);
  word[n] = '\0';
  *at = stop + 1;
  return 1;
}

static int read_number(const char **at, char end, uint64_t most, uint64_t *out) {
  char word[24];
  if (!read_word(at, end, word, sizeof(word))) return 0;
  *out = 0;
  for (const char *c = word; *c != '\0'; ++c) {
    if (*c < '0' || *c > '9' || *out > most) return 0;
    *out = 10 * *out + (uint64_t)(*c - '0');
  }
  return *out <= most;
}

static int read_kind(const char *word) {
  int kind = 0;
  while (kind < BD_N_CASE_KINDS && strcmp(word, bd_case_kind_name(kind)) != 0) ++kind;
  return kind;
}

static buddy_dtype read_dtype(const char *word) {
  static const buddy_dtype dtypes[] = {BUDDY_F32, BUDDY_F16, BUDDY_BF16};
  for (size_t i = 0; i < sizeof(dtypes) / sizeof(*dtypes); ++i)
    if (strcmp(word, buddy_dtype_name(dtypes[i])) == 0) return dtypes[i];
  return BUDDY_DTYPE_NONE;
}

/* line: ends with a newline and a NUL. */
static int read_rate(const char *line, bd_rate *out) {
  char word[32];
  uint64_t number = 0;
  *out = (bd_rate){0};
  if (!read_word(&line, ' ', word, sizeof(word))) return 0;
  out->is.kind = read_kind(word);
  if (!read_word(&line, ' ', word, sizeof(word))) return 0;
  out->is.dtype = read_dtype(word);
  for (size_t i = 0; i < BD_CASE_SIZES; ++i) {
    if (!read_number(&line, ' ', INT64_MAX / 16, &number)) return 0;
    out->is.sizes[i] = (int64_t)number;
  }
  if (!read_word(&line, ' ', out->registry, sizeof(out->registry)) ||
      !read_number(&line, ' ', BD_RATES_MAX_THREADS, &number) || number == 0)
    return 0;
  out->n_threads = (int)number;
  return read_number(&line, '\n', MAX_NS, &out->ns) && *line == '\0' && out->ns > 0 &&
         bd_case_is_sane(&out->is);
}

static buddy_code parse_lines(const char *text, size_t size, bd_rates *out) {
  while (size > 0) {
    char line[MAX_LINE];
    bd_rate rate;
    const char *end = memchr(text, '\n', size);
    const size_t n = end ? (size_t)(end + 1 - text) : 0;
    if (n == 0 || n >= sizeof(line) || memchr(text, '\0', n)) return BUDDY_CORRUPT;
    memcpy(line, text, n);
    line[n] = '\0';
    if (!read_rate(line, &rate)) return BUDDY_CORRUPT;
    const buddy_code code = bd_rates_add(out, &rate);
    if (code != BUDDY_OK) return code == BUDDY_LIMIT ? BUDDY_CORRUPT : code;
    text += n;
    size -= n;
  }
  return BUDDY_OK;
}

buddy_code bd_rates_parse(const char *text, size_t size, bd_rates *out) {
  const size_t n = sizeof(HEAD) - 1;
  *out = (bd_rates){0};
  if (size < n || size > BD_RATES_MAX_TEXT || memcmp(text, HEAD, n) != 0) return BUDDY_CORRUPT;
  const buddy_code code = parse_lines(text + n, size - n, out);
  if (code != BUDDY_OK) bd_rates_deinit(out);
  return code;
}

/* ---- Estimates ------------------------------------------------------------------------------- */
/* The nominal time of the case, times the factor by which like cases missed theirs: the nearer they
 * are the more they count. */
int bd_rates_estimate(const bd_rates *rates, const bd_case *c, const char *registry, int n_threads,
                      bd_estimate *out) {
  double weights = 0, sum = 0;
  *out = (bd_estimate){0, 0};
  for (size_t i = 0; i < rates->n; ++i) {
    const bd_rate *r = &rates->items[i];
    if (r->n_threads != n_threads || strcmp(r->registry, registry) != 0) continue;
    if (is_same_case(&r->is, c)) {
      *out = (bd_estimate){(double)r->ns / 1e9, 1};
      return 1;
    }
    const double distance = bd_case_distance(&r->is, c);
    if (distance > MAX_DISTANCE) continue;
    const double weight = 1 / ((distance + NEAR) * (distance + NEAR));
    sum += weight * log((double)r->ns / 1e9 / bd_case_nominal(&r->is));
    weights += weight;
  }
  if (weights == 0) return 0;
  out->seconds = bd_case_nominal(c) * exp(sum / weights);
  return 1;
}

/* ---- Choice ---------------------------------------------------------------------------------- */
enum { MAX_COUNTS = 16 };

static size_t list_threads(const bd_rates *rates, int *counts) {
  size_t n = 0;
  for (size_t i = 0; i < rates->n; ++i) {
    size_t k = 0;
    while (k < n && counts[k] != rates->items[i].n_threads) ++k;
    if (k == n && n < MAX_COUNTS) counts[n++] = rates->items[i].n_threads;
  }
  return n;
}

/* Of one registry's time to another's, over the numbers of threads for which both are known.
 * False: for none, or one of them speaks against it. */
static int compare(const bd_rates *rates, const bd_case *c, const char *order, const char *other,
                   bd_pick *out) {
  int counts[MAX_COUNTS];
  const size_t n = list_threads(rates, counts);
  size_t n_known = 0;
  double sum = 0;
  out->is_measured = true;
  for (size_t i = 0; i < n; ++i) {
    bd_estimate a, b;
    if (!bd_rates_estimate(rates, c, order, counts[i], &a) ||
        !bd_rates_estimate(rates, c, other, counts[i], &b))
      continue;
    b.seconds += bd_case_border(c);
    if (b.seconds > a.seconds) return 0;
    out->is_measured &= a.is_measured && b.is_measured;
    sum += log(b.seconds / a.seconds);
    ++n_known;
  }
  out->ratio = n_known > 0 ? exp(sum / (double)n_known) : 1;
  return n_known > 0;
}

static bool is_known(const bd_rates *rates, const bd_case *c, const char *registry) {
  int counts[MAX_COUNTS];
  bd_estimate estimate;
  const size_t n = list_threads(rates, counts);
  for (size_t i = 0; i < n; ++i)
    if (bd_rates_estimate(rates, c, registry, counts[i], &estimate)) return true;
  return false;
}

int bd_rates_pick(const bd_rates *rates, const bd_case *c, const char *const *registries, size_t n,
                  bd_pick *out) {
  size_t order = 0;
  bool is_found = false;
  /* What was not measured did not take the case. */
  while (order < n && !is_known(rates, c, registries[order])) ++order;
  for (size_t i = order + 1; i < n; ++i) {
    bd_pick pick = {i, 1, order, 0};
    if (!compare(rates, c, registries[order], registries[i], &pick)) continue;
    const double margin = pick.is_measured ? BD_MARGIN_MEASURED : BD_MARGIN_ESTIMATED;
    if (pick.ratio >= 1 - margin || (is_found && pick.ratio >= out->ratio)) continue;
    *out = pick;
    is_found = true;
  }
  return is_found;
}
