// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/generate/generate.c: text generation without Python, as far as tokens go: their ids in, ids
 * out, one at a time as they come.
 *
 *   generate MODEL.pt2 1,15,7 [--new 32] [--temperature 0.8] [--top-k 40] [--top-p 0.95] [--seed 1]
 *
 * MODEL.pt2 has two programs, prefill and decode (export.py writes such), which take token ids and
 * their positions, give the logits of each, and write their caches to buffers. Without a temperature
 * the likeliest token is taken; else one of the top k, and of those that together have a probability
 * of p, is drawn; the same seed draws the same. Generation ends after N tokens, or where the cache
 * ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/buddy.h"

#define MOST_TOKENS 100000

typedef struct arguments {
  const char *path;
  int64_t *tokens; /* the prompt, and what is generated after it */
  size_t n_tokens, n_new;
  double temperature, top_p;
  size_t top_k; /* 0: all */
  uint64_t seed;
} arguments;

static int complain(const char *what, const char *argument) {
  fprintf(stderr, "generate: %s: %s\n", what, argument);
  return 0;
}

/* "1,15,7" */
static int read_tokens(const char *text, arguments *args) {
  args->tokens = malloc((strlen(text) / 2 + 2 + MOST_TOKENS) * sizeof(int64_t));
  if (!args->tokens) return complain("out of memory", text);
  for (const char *at = text;; ++at) {
    char *end;
    args->tokens[args->n_tokens++] = strtoll(at, &end, 10);
    if (end == at || (*end != ',' && *end != '\0')) return complain("not a list of ids", text);
    if (*end == '\0') return 1;
    at = end;
  }
}

static int read_arguments(int argc, char **argv, arguments *args) {
  if (argc < 3)
    return complain("usage",
                    "generate MODEL.pt2 1,15,7 [--new 32] [--temperature 0.8] "
                    "[--top-k 40] [--top-p 0.95] [--seed 1]");
  args->path = argv[1];
  if (!read_tokens(argv[2], args)) return 0;
  for (int i = 3; i < argc; i += 2) {
    char *end = NULL;
    const double number = i + 1 < argc ? strtod(argv[i + 1], &end) : -1;
    if (!end || *end != '\0' || !(number >= 0 && number <= 1e15))
      return complain("an option needs a number", argv[i]);
    if (strcmp(argv[i], "--new") == 0 && number <= MOST_TOKENS)
      args->n_new = (size_t)number;
    else if (strcmp(argv[i], "--temperature") == 0)
      args->temperature = number;
    else if (strcmp(argv[i], "--top-k") == 0)
      args->top_k = (size_t)number;
    else if (strcmp(argv[i], "--top-p") == 0)
      args->top_p = number;
    else if (strcmp(argv[i], "--seed") == 0)
      args->seed = (uint64_t)number;
    else
      return complain("no such option, or number", argv[i]);
  }
  return 1;
}

/* ---- Choosing a token ------------------------------------------------------------------------ */
/* A number in [0, 1) (splitmix64). */
static double draw(uint64_t *seed) {
  uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct choice {
  int64_t token;
  double weight;
} choice;

static int likelier(const void *a, const void *b) {
  const choice *x = a, *y = b;
  if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
  return (x->token > y->token) - (x->token < y->token);
}

static int64_t likeliest(const float *logits, int64_t n) {
  int64_t best = 0;
  for (int64_t i = 1; i < n; ++i) best = logits[i] > logits[best] ? i : best;
  return best;
}

/* choices: room for n. */
static int64_t choose(const float *logits, int64_t n, arguments *args, choice *choices) {
  const int64_t best = likeliest(logits, n);
  if (args->temperature <= 0) return best;
  double all = 0, some = 0;
  for (int64_t i = 0; i < n; ++i)
    choices[i] = (choice){i, exp(((double)logits[i] - (double)logits[best]) / args->temperature)};
  qsort(choices, (size_t)n, sizeof(choice), likelier);
  if (args->top_k > 0 && (int64_t)args->top_k < n) n = (int64_t)args->top_k;
  for (int64_t i = 0; i < n; ++i) all += choices[i].weight;
  int64_t kept = 0;
  while (kept < n && (kept == 0 || some < args->top_p * all)) some += choices[kept++].weight;
  double left = draw(&args->seed) * some;
  for (int64_t i = 0; i < kept; ++i) {
    left -= choices[i].weight;
    if (left < 0) return choices[i].token;
  }
  return choices[kept - 1].token;
}

/* ---- The model ------------------------------------------------------------------------------- */
enum { PREFILL, DECODE, N_MODELS };

typedef struct generation {
  buddy_diags *diags;
  buddy_model *models[N_MODELS];
  buddy_session *session;
  buddy_tensor logits; /* of the last step */
} generation;

static buddy_code open_models(const arguments *args, generation *g) {
  static const char *const names[] = {"prefill", "decode"};
  buddy_code code = buddy_diags_create(&g->diags);
  for (size_t i = 0; code == BUDDY_OK && i < N_MODELS; ++i) {
    const buddy_model_options options = {
        .struct_size = sizeof(options), .use_cache = 1, .program = names[i]};
    code = buddy_model_load(args->path, &options, g->diags, &g->models[i]);
  }
  if (code == BUDDY_OK) code = buddy_model_share(g->models, N_MODELS, g->diags);
  if (code == BUDDY_OK)
    code = buddy_session_create(g->models, N_MODELS, NULL, g->diags, &g->session);
  return code;
}

/* n tokens from `first` on; the program says how many it takes at a time. */
static buddy_code step(generation *g, size_t model, int64_t *tokens, size_t first, size_t n) {
  int64_t sizes[] = {1, (int64_t)n}, strides[] = {(int64_t)n, 1};
  int64_t *positions = malloc(n * sizeof(int64_t));
  if (!positions) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) positions[i] = (int64_t)(first + i);
  const buddy_tensor inputs[] = {
      {.dtype = BUDDY_I64, .rank = 2, .sizes = sizes, .strides = strides, .bytes = tokens + first},
      {.dtype = BUDDY_I64,
       .rank = 1,
       .sizes = sizes + 1,
       .strides = strides + 1,
       .bytes = positions}};
  buddy_tensor_release(&g->logits);
  const buddy_code code = buddy_session_step(g->session, model, inputs, 2, &g->logits, 1, g->diags);
  free(positions);
  return code;
}

/* The prompt: at once, as far as prefill takes it, the rest one by one. */
static buddy_code read_prompt(generation *g, const arguments *args) {
  const buddy_port *port = buddy_session_input(g->session, PREFILL, 0);
  const int64_t most = port && port->rank == 2 ? port->dims[1] : 0;
  size_t at = 0;
  buddy_code code = BUDDY_OK;
  if (most < 0 && args->n_tokens > 1) at = args->n_tokens;
  if (most > 0 && args->n_tokens >= (size_t)most) at = (size_t)most;
  if (at > 0) code = step(g, PREFILL, args->tokens, 0, at);
  for (; code == BUDDY_OK && at < args->n_tokens; ++at) code = step(g, DECODE, args->tokens, at, 1);
  return code;
}

/* The next token, of the last row of logits: an archive may give any tensor, and another one in each step. */
static buddy_code pick(const generation *g, arguments *args, int64_t *out_token) {
  const buddy_tensor *logits = &g->logits;
  if (logits->dtype != BUDDY_F32 || logits->rank != 3 || logits->sizes[0] != 1 ||
      logits->sizes[1] < 1 || logits->sizes[2] < 1)
    return buddy_diags_add(g->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, args->path, NULL,
                           "the programs' result is not logits, f32[1,tokens,vocabulary]");
  const int64_t n = logits->sizes[2];
  choice *choices = malloc((size_t)n * sizeof(choice));
  if (!choices) return BUDDY_OUT_OF_MEMORY;
  *out_token = choose((const float *)logits->bytes + (logits->sizes[1] - 1) * n, n, args, choices);
  free(choices);
  return BUDDY_OK;
}

static buddy_code generate(generation *g, arguments *args) {
  buddy_code code = read_prompt(g, args);
  for (size_t i = 0; code == BUDDY_OK && i < args->n_new; ++i) {
    int64_t token = 0;
    code = pick(g, args, &token);
    if (code != BUDDY_OK) break;
    printf("%s%lld", i > 0 ? "," : "", (long long)token);
    fflush(stdout);
    args->tokens[args->n_tokens] = token;
    if (i + 1 < args->n_new) code = step(g, DECODE, args->tokens, args->n_tokens, 1);
    ++args->n_tokens;
  }
  printf("\n");
  return code;
}

static int finish(generation *g, buddy_code code) {
  for (size_t i = 0; code != BUDDY_OK && i < buddy_diags_count(g->diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(g->diags, i);
    if (diag->severity == BUDDY_NOTE) continue;
    fprintf(stderr, "%s%s%s\n", diag->where, *diag->where ? ": " : "", diag->what);
  }
  buddy_tensor_release(&g->logits);
  buddy_session_destroy(g->session);
  for (size_t i = 0; i < N_MODELS; ++i) buddy_model_destroy(g->models[i]);
  buddy_diags_destroy(g->diags);
  return code == BUDDY_OK ? 0 : 1;
}

int main(int argc, char **argv) {
  arguments args = {.n_new = 32, .top_p = 1};
  generation g = {.diags = NULL};
  int status = 2;
  if (read_arguments(argc, argv, &args)) {
    buddy_code code = open_models(&args, &g);
    if (code == BUDDY_OK) code = generate(&g, &args);
    status = finish(&g, code);
  }
  free(args.tokens);
  return status;
}
