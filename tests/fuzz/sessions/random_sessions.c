// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* random_sessions: conversations over a decoder that join, fork, go back and are dropped at random, and are
 * stepped together. Each must say what it says alone: a script, which a session of its own made before.
 *
 *   random_sessions LIBRARY.so PROGRAM STEPS [SEED]
 *
 * The library is compiled from an archive with the shared runtime; PROGRAM is "-" where it has one. Its
 * decoder takes tokens i64[1,n] (of n 1, where there is a second input, their positions i64[n]), and gives
 * logits. Exits with 1 where a conversation says something else. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/session.h"

enum { LENGTH = 48, MOST = 20, FEW = 5 };

/* Of the logits: the token with the largest, how large these are, and some of them. */
typedef struct answer {
  int64_t token;
  float scale, some[4];
} answer;

/* What a conversation hears, one token after the other, and what it answers to each. */
typedef struct script {
  int n_owners;
  int64_t tokens[LENGTH];
  answer answers[LENGTH];
} script;

typedef struct talk {
  buddy_session *session;
  script *script;
  int at; /* heard so far */
} talk;

/* A step of a talk, and the memory of its tensors. */
typedef struct one_step {
  buddy_tensor inputs[2], output;
  int64_t sizes[2], strides[2], size, stride, tokens[FEW], positions[FEW];
} one_step;

static buddy_session *root; /* which has heard nothing */
static bool has_positions;
static uint64_t state;
static int n_failures;

static uint32_t draw(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % n;
}

static void must(buddy_code code, const char *what) {
  if (code == BUDDY_OK) return;
  fprintf(stderr, "random_sessions: %s: code %d\n", what, (int)code);
  exit(2);
}

/* The next n tokens of the script as the call of a step. */
static void prepare(const talk *t, int n, one_step *s, buddy_session_call *call) {
  *s = (one_step){.sizes = {1, n}, .strides = {n, 1}, .size = n, .stride = 1};
  for (int i = 0; i < n; ++i) {
    s->tokens[i] = t->script->tokens[t->at + i];
    s->positions[i] = t->at + i;
  }
  s->inputs[0] = (buddy_tensor){
      .dtype = BUDDY_I64, .rank = 2, .sizes = s->sizes, .strides = s->strides, .bytes = s->tokens};
  s->inputs[1] = (buddy_tensor){.dtype = BUDDY_I64,
                                .rank = 1,
                                .sizes = &s->size,
                                .strides = &s->stride,
                                .bytes = s->positions};
  *call = (buddy_session_call){.session = t->session,
                               .inputs = s->inputs,
                               .n_inputs = has_positions ? 2 : 1,
                               .outputs = &s->output,
                               .n_outputs = 1};
}

static answer read_answer(const buddy_tensor *logits) {
  const int64_t n = logits->sizes[logits->rank - 1];
  const float *last = (const float *)logits->bytes + buddy_tensor_n_elements(logits) - n;
  answer a = {.token = 0};
  for (int64_t i = 0; i < n; ++i) {
    if (last[i] > last[a.token]) a.token = i;
    if (fabsf(last[i]) > a.scale) a.scale = fabsf(last[i]);
  }
  for (int k = 0; k < 4; ++k) a.some[k] = last[k * n / 4];
  return a;
}

/* Several rows, or several tokens, add up in another order. */
static bool is_same(const answer *a, const answer *b) {
  bool is_near = fabsf(a->scale - b->scale) <= 2e-5f * a->scale;
  for (int k = 0; k < 4; ++k) is_near &= fabsf(a->some[k] - b->some[k]) <= 2e-5f * a->scale;
  return is_near;
}

/* The script of a talk whose first n tokens are there: the model's own answers come after them. */
static void write_script(script *s, int n) {
  talk alone = {.script = s};
  must(buddy_session_fork(root, NULL, &alone.session), "fork");
  for (; alone.at < LENGTH; ++alone.at) {
    one_step step;
    buddy_session_call call;
    prepare(&alone, 1, &step, &call);
    must(buddy_session_step(call.session, 0, call.inputs, call.n_inputs, call.outputs, 1, NULL),
         "a step alone");
    s->answers[alone.at] = read_answer(&step.output);
    if (alone.at + 1 >= n && alone.at + 1 < LENGTH)
      s->tokens[alone.at + 1] = s->answers[alone.at].token;
    buddy_tensor_release(&step.output);
  }
  buddy_session_destroy(alone.session);
}

static script *create_script(const script *from, int n) {
  script *s = calloc(1, sizeof *s);
  if (!s) must(BUDDY_OUT_OF_MEMORY, "a script");
  if (from) memcpy(s->tokens, from->tokens, (size_t)n * sizeof *s->tokens);
  s->n_owners = 1;
  s->tokens[n] = 1 + draw(60);
  write_script(s, n + 1);
  return s;
}

static void release(script *s) {
  if (--s->n_owners == 0) free(s);
}

static talk fork_talk(const talk *of, bool goes_another_way) {
  talk t = *of;
  must(buddy_session_fork(of->session, NULL, &t.session), "fork");
  if (goes_another_way && of->at < LENGTH)
    t.script = create_script(of->script, of->at);
  else
    ++t.script->n_owners;
  return t;
}

static void drop(talk *talks, int *n, int i) {
  buddy_session_destroy(talks[i].session);
  release(talks[i].script);
  talks[i] = talks[--*n];
}

static void go_back(talk *t, const talk *to) {
  must(buddy_session_rewind(t->session, to->session, NULL), "rewind");
  ++to->script->n_owners;
  release(t->script);
  t->script = to->script;
  t->at = to->at;
}

/* Some of them, each by one token, or by a few where the model takes them. */
static int step_some(talk *talks, int n) {
  static one_step steps[MOST];
  buddy_session_call calls[MOST];
  talk *who[MOST];
  int lengths[MOST], n_calls = 0;
  for (int i = 0; i < n; ++i) {
    const int few = has_positions || draw(3) > 0 ? 1 : 1 + (int)draw(FEW);
    if (draw(4) == 0 || talks[i].at + few > LENGTH) continue;
    prepare(&talks[i], few, &steps[n_calls], &calls[n_calls]);
    lengths[n_calls] = few;
    who[n_calls++] = &talks[i];
  }
  must(buddy_session_step_all(calls, (size_t)n_calls, NULL), "a step together");
  for (int i = 0; i < n_calls; ++i) {
    const answer got = read_answer(&steps[i].output);
    who[i]->at += lengths[i];
    n_failures += !is_same(&who[i]->script->answers[who[i]->at - 1], &got);
    buddy_tensor_release(&steps[i].output);
  }
  return n_calls;
}

static int run(long n_events) {
  talk talks[MOST];
  int n = 0, n_steps = 0;
  for (long i = 0; i < n_events; ++i) {
    const uint32_t choice = draw(16);
    const int which = n > 0 ? (int)draw((uint32_t)n) : 0;
    const talk begun = {.session = root};
    if (n == 0 || (choice == 0 && n < MOST)) {
      talk t = begun;
      must(buddy_session_fork(root, NULL, &t.session), "fork");
      t.script = create_script(NULL, 0);
      talks[n++] = t;
    } else if (choice <= 2 && n < MOST) {
      talks[n] = fork_talk(&talks[which], choice == 1);
      ++n;
    } else if (choice == 3) {
      drop(talks, &n, which);
    } else if (choice == 4) {
      go_back(&talks[which], &talks[draw((uint32_t)n)]);
    } else if (talks[which].at == LENGTH) {
      drop(talks, &n, which);
    } else {
      n_steps += step_some(talks, n);
    }
  }
  while (n > 0) drop(talks, &n, 0);
  return n_steps;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "random_sessions LIBRARY.so PROGRAM STEPS [SEED]\n");
    return 2;
  }
  const buddy_model_options options = {.struct_size = sizeof options,
                                       .program = strcmp(argv[2], "-") == 0 ? NULL : argv[2],
                                       .n_threads = 1};
  buddy_model *model = NULL;
  must(buddy_model_load_library(argv[1], &options, NULL, &model), argv[1]);
  must(buddy_session_create(&model, 1, NULL, NULL, &root), "a session");
  has_positions = buddy_session_n_inputs(root, 0) == 2;
  state = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
  const int n_steps = run(strtol(argv[3], NULL, 10));
  printf("%s events, %d steps of conversations, %zu in one run at most, %d wrong\n", argv[3],
         n_steps, buddy_session_most_rows(root, 0), n_failures);
  buddy_session_destroy(root);
  buddy_model_destroy(model);
  return n_failures > 0;
}
