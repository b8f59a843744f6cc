// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/stream.c: conversations, and the thread that steps them; see stream.h.
 *
 *   1. A request is read, a conversation made of it, the request released, and the conversation queued.
 *   2. The thread takes conversations from the queue as long as it has room, and lets each read its
 *      prompt, which gives the first token.
 *   3. It steps all that it has, sends each its token, and drops those that are at their end. */
#include "sdk/serve/triton/stream.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buddy/session.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/serve/triton/errors.h"
#include "sdk/serve/triton/request_tensor.h"
#include "sdk/serve/triton/sampling.h"

enum { PREFILL, DECODE, N_PROGRAMS };
static const char *const program_names[N_PROGRAMS] = {"prefill", "decode"};

typedef struct conversation {
  TRITONBACKEND_ResponseFactory *factory;
  const char *output; /* the name of tokens in answers, lent */
  buddy_session *session;
  bd_sampling sampling;
  int64_t *tokens; /* the prompt, after which its last place holds the newest token */
  size_t n_tokens; /* of the prompt */
  int64_t *stops;
  size_t n_stops;
  int64_t n_left;               /* tokens that may follow */
  int64_t position;             /* of the newest token */
  int64_t sizes[2], strides[2]; /* of the next step's inputs */
  buddy_tensor inputs[2], logits;
  struct conversation *next; /* in the queue */
} conversation;

struct bd_stream {
  const char *name;
  buddy_model *models[N_PROGRAMS];
  buddy_session *session; /* no step was made of it: new ones are its forks */
  size_t n_most;          /* conversations that are stepped together */
  pthread_t thread;
  bool has_thread;
  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t changed;
  conversation *first, *last;
  uint64_t seed;
  bool is_ending;
};

/* What only the thread touches. */
typedef struct stepping {
  bd_stream *stream;
  buddy_diags *diags;
  conversation **all;
  buddy_session_call *calls;
  size_t n;
} stepping;

/* ---- What requests bring ---- */
enum { INPUT_IDS, MAX_TOKENS, STOP_IDS, TEMPERATURE, TOP_K, TOP_P, SEED, N_INPUTS };
enum { USUAL_TOKENS = 32, MOST_TOKENS = 1 << 24 };
static const int64_t any_size[] = {-1}, one[] = {1};
static const buddy_port input_ports[N_INPUTS] = {
    [INPUT_IDS] = {.name = "input_ids", .dtype = BUDDY_I64, .rank = 1, .dims = any_size},
    [MAX_TOKENS] = {.name = "max_tokens", .dtype = BUDDY_I64, .rank = 1, .dims = one},
    [STOP_IDS] = {.name = "stop_ids", .dtype = BUDDY_I64, .rank = 1, .dims = any_size},
    [TEMPERATURE] = {.name = "temperature", .dtype = BUDDY_F32, .rank = 1, .dims = one},
    [TOP_K] = {.name = "top_k", .dtype = BUDDY_I64, .rank = 1, .dims = one},
    [TOP_P] = {.name = "top_p", .dtype = BUDDY_F32, .rank = 1, .dims = one},
    [SEED] = {.name = "seed", .dtype = BUDDY_I64, .rank = 1, .dims = one}};
static const buddy_port token_port = {.name = "token", .dtype = BUDDY_I64, .rank = 1, .dims = one};

static buddy_code put_port(bd_served_port *to, const buddy_port *port) {
  *to = (bd_served_port){
      .port = port,
      .type = port->dtype == BUDDY_F32 ? TRITONSERVER_TYPE_FP32 : TRITONSERVER_TYPE_INT64,
      .is_optional = port != &input_ports[INPUT_IDS] && port != &token_port,
      .name = bd_strdup(port->name)};
  return to->name ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

buddy_code bd_stream_ports_init(bd_served_ports *out_ports) {
  *out_ports = (bd_served_ports){.inputs = bd_calloc(N_INPUTS, sizeof(bd_served_port)),
                                 .outputs = bd_calloc(1, sizeof(bd_served_port)),
                                 .why_no_batch = "each request is a conversation of its own"};
  if (!out_ports->inputs || !out_ports->outputs) return BUDDY_OUT_OF_MEMORY;
  for (; out_ports->n_inputs < N_INPUTS; ++out_ports->n_inputs)
    BD_TRY(put_port(&out_ports->inputs[out_ports->n_inputs], &input_ports[out_ports->n_inputs]));
  BD_TRY(put_port(&out_ports->outputs[0], &token_port));
  out_ports->n_outputs = 1;
  return BUDDY_OK;
}

/* A tensor of any length as numbers of its own; *out: null where the request has none. */
static TRITONSERVER_Error *read_list(const bd_served_port *port, TRITONBACKEND_Request *request,
                                     void **out, size_t *out_n) {
  bd_request_tensor given;
  TRITONBACKEND_Input *input = NULL;
  *out = NULL;
  *out_n = 0;
  if (port->is_optional) {
    TRITONSERVER_Error *missing = TRITONBACKEND_RequestInput(request, port->name, &input);
    if (missing) TRITONSERVER_ErrorDelete(missing);
    if (missing) return NULL;
  }
  TRITONSERVER_Error *error = bd_request_tensor_read(port, request, &given);
  if (error) return error;
  void *numbers = bd_malloc(given.n_bytes + 1);
  if (!numbers) return bd_triton_error(BUDDY_OUT_OF_MEMORY, port->name, NULL);
  error = bd_request_tensor_copy(port, &given, numbers);
  if (error) {
    bd_free(numbers);
    return error;
  }
  *out = numbers;
  *out_n = given.n_bytes / buddy_dtype_size(port->port->dtype);
  return NULL;
}

/* One number from least to most, or `usual`. */
static TRITONSERVER_Error *read_number(const bd_served_port *port, TRITONBACKEND_Request *request,
                                       double usual, double least, double most, double *out) {
  void *numbers;
  size_t n;
  *out = usual;
  TRITONSERVER_Error *error = read_list(port, request, &numbers, &n);
  if (error || !numbers) return error;
  if (n == 1)
    *out = port->port->dtype == BUDDY_F32 ? (double)*(float *)numbers : (double)*(int64_t *)numbers;
  bd_free(numbers);
  if (n == 1 && *out >= least && *out <= most) return NULL;
  return bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG,
                             "input %s: one number from %g to %g is needed", port->name, least,
                             most);
}

static uint64_t next_seed(bd_stream *stream) {
  pthread_mutex_lock(&stream->lock);
  const uint64_t seed = stream->seed++;
  pthread_mutex_unlock(&stream->lock);
  return seed;
}

static TRITONSERVER_Error *read_sampling(bd_stream *stream, const bd_served_port *ports,
                                         TRITONBACKEND_Request *request, conversation *c) {
  double top_k = 0;
  void *seeds = NULL;
  size_t n_seeds = 0;
  TRITONSERVER_Error *error =
      read_number(&ports[TEMPERATURE], request, 0, 0, 1e6, &c->sampling.temperature);
  if (!error) error = read_number(&ports[TOP_K], request, 0, 0, 1e15, &top_k);
  if (!error) error = read_number(&ports[TOP_P], request, 1, 0, 1, &c->sampling.top_p);
  if (!error) error = read_list(&ports[SEED], request, &seeds, &n_seeds);
  c->sampling.top_k = (int64_t)top_k;
  c->sampling.seed = n_seeds == 1 ? (uint64_t)*(int64_t *)seeds : next_seed(stream);
  bd_free(seeds);
  if (error || !seeds || n_seeds == 1) return error;
  return bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG, "input %s: one number is needed",
                             ports[SEED].name);
}

static TRITONSERVER_Error *read_request(bd_stream *stream, const bd_served_port *ports,
                                        TRITONBACKEND_Request *request, conversation *c) {
  bool is_cancelled = false;
  double n_left = 0;
  void *tokens = NULL, *stops = NULL;
  TRITONSERVER_Error *error = TRITONBACKEND_RequestIsCancelled(request, &is_cancelled);
  if (!error && is_cancelled)
    error = bd_triton_error_new(TRITONSERVER_ERROR_CANCELLED, "the request was cancelled");
  if (!error) error = read_list(&ports[INPUT_IDS], request, &tokens, &c->n_tokens);
  c->tokens = tokens;
  if (!error && c->n_tokens == 0)
    error = bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG,
                                "input %s: there is no token to begin with", ports[INPUT_IDS].name);
  if (!error) error = read_list(&ports[STOP_IDS], request, &stops, &c->n_stops);
  c->stops = stops;
  if (!error)
    error = read_number(&ports[MAX_TOKENS], request, USUAL_TOKENS, 0, MOST_TOKENS, &n_left);
  c->n_left = (int64_t)n_left;
  return error ? error : read_sampling(stream, ports, request, c);
}

/* ---- Answers ---- */
static void conversation_destroy(conversation *c) {
  if (!c) return;
  buddy_tensor_release(&c->logits);
  buddy_session_destroy(c->session);
  if (c->factory) bd_triton_error_drop(TRITONBACKEND_ResponseFactoryDelete(c->factory));
  bd_free(c->tokens);
  bd_free(c->stops);
  bd_free(c);
}

/* The last answer: an error, which is deleted, or for null nothing more. */
static void end(conversation *c, TRITONSERVER_Error *error) {
  TRITONBACKEND_Response *response = NULL;
  TRITONSERVER_Error *lost = error ? TRITONBACKEND_ResponseNewFromFactory(&response, c->factory)
                                   : TRITONBACKEND_ResponseFactorySendFlags(
                                         c->factory, TRITONSERVER_RESPONSE_COMPLETE_FINAL);
  if (error && !lost)
    lost = TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error);
  bd_triton_error_drop(lost);
  if (error) TRITONSERVER_ErrorDelete(error);
  conversation_destroy(c);
}

static TRITONSERVER_Error *send_token(const conversation *c, int64_t token) {
  TRITONBACKEND_Response *response = NULL;
  TRITONBACKEND_Output *output = NULL;
  TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
  int64_t device = 0;
  void *to = NULL;
  TRITONSERVER_Error *error = TRITONBACKEND_ResponseNewFromFactory(&response, c->factory);
  if (error) return error;
  error =
      TRITONBACKEND_ResponseOutput(response, &output, c->output, TRITONSERVER_TYPE_INT64, one, 1);
  if (!error) error = TRITONBACKEND_OutputBuffer(output, &to, sizeof token, &memory, &device);
  if (!error && memory == TRITONSERVER_MEMORY_GPU)
    error = bd_triton_error_new(TRITONSERVER_ERROR_UNSUPPORTED,
                                "output %s: it is wanted in a GPU's memory", c->output);
  if (error) {
    bd_triton_error_drop(TRITONBACKEND_ResponseDelete(response));
    return error;
  }
  memcpy(to, &token, sizeof token);
  return TRITONBACKEND_ResponseSend(response, 0, NULL);
}

/* ---- Steps ---- */
/* Tokens [1, n] from `first` of the prompt on, and their positions [n]. */
static void set_inputs(conversation *c, int64_t *tokens, int64_t *positions, int64_t n) {
  c->sizes[0] = 1;
  c->sizes[1] = n;
  c->strides[0] = n;
  c->strides[1] = 1;
  c->inputs[0] = (buddy_tensor){
      .dtype = BUDDY_I64, .rank = 2, .sizes = c->sizes, .strides = c->strides, .bytes = tokens};
  c->inputs[1] = (buddy_tensor){.dtype = BUDDY_I64,
                                .rank = 1,
                                .sizes = c->sizes + 1,
                                .strides = c->strides + 1,
                                .bytes = positions};
}

static buddy_code read_at_once(stepping *s, conversation *c, size_t n) {
  int64_t *positions = bd_calloc(n, sizeof *positions);
  if (!positions) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) positions[i] = (int64_t)i;
  set_inputs(c, c->tokens, positions, (int64_t)n);
  const buddy_code code =
      buddy_session_step(c->session, PREFILL, c->inputs, 2, &c->logits, 1, s->diags);
  bd_free(positions);
  return code;
}

/* At once, as far as prefill takes it, the rest one by one. */
static buddy_code read_prompt(stepping *s, conversation *c) {
  const int64_t most = buddy_session_input(c->session, PREFILL, 0)->dims[1];
  size_t at = 0;
  if (most < 0 && c->n_tokens > 1) at = c->n_tokens;
  if (most > 0 && c->n_tokens >= (size_t)most) at = (size_t)most;
  if (at > 0) BD_TRY(read_at_once(s, c, at));
  for (; at < c->n_tokens; ++at) {
    c->position = (int64_t)at;
    set_inputs(c, c->tokens + at, &c->position, 1);
    buddy_tensor_release(&c->logits);
    BD_TRY(buddy_session_step(c->session, DECODE, c->inputs, 2, &c->logits, 1, s->diags));
  }
  c->position = (int64_t)c->n_tokens - 1;
  return BUDDY_OK;
}

static bool is_stop(const conversation *c, int64_t token) {
  for (size_t i = 0; i < c->n_stops; ++i) {
    if (c->stops[i] == token) return true;
  }
  return false;
}

/* The logits give a token, which is sent and becomes the next step's. False: it was the last. */
static bool give_token(stepping *s, conversation *c, TRITONSERVER_Error **out_error) {
  const bd_stream *stream = s->stream;
  const buddy_tensor *logits = &c->logits;
  const int64_t n = logits->sizes[2], n_rows = logits->sizes[1];
  int64_t token = 0;
  const buddy_code code =
      n > 0 && n_rows > 0
          ? bd_sample(&c->sampling, (const float *)logits->bytes + (n_rows - 1) * n, n, &token)
          : BUDDY_INVALID_ARGUMENT;
  buddy_tensor_release(&c->logits);
  c->logits = (buddy_tensor){0};
  *out_error = code == BUDDY_INVALID_ARGUMENT
                   ? bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG, "%s: no logit is a number",
                                         stream->name)
                   : bd_triton_error(code, stream->name, NULL);
  if (!*out_error) *out_error = send_token(c, token);
  if (*out_error) return false;
  --c->n_left;
  ++c->position;
  c->tokens[0] = token;
  set_inputs(c, c->tokens, &c->position, 1);
  return c->n_left > 0 && !is_stop(c, token);
}

/* After a step; whether it goes on. If not, it is gone. */
static bool go_on(stepping *s, conversation *c, buddy_code code) {
  TRITONSERVER_Error *error = bd_triton_error(code, s->stream->name, s->diags);
  bool is_cancelled = false, goes_on = false;
  if (!error) goes_on = give_token(s, c, &error);
  if (goes_on) error = TRITONBACKEND_ResponseFactoryIsCancelled(c->factory, &is_cancelled);
  if (goes_on && !error && is_cancelled)
    error = bd_triton_error_new(TRITONSERVER_ERROR_CANCELLED, "the request was cancelled");
  if (goes_on && !error) return true;
  end(c, error);
  return false;
}

static void begin(stepping *s, conversation *c) {
  buddy_diags_clear(s->diags);
  if (c->n_left == 0) {
    end(c, NULL);
    return;
  }
  buddy_code code = buddy_session_fork(s->stream->session, s->diags, &c->session);
  if (code == BUDDY_OK) code = read_prompt(s, c);
  if (go_on(s, c, code)) s->all[s->n++] = c;
}

/* A call that fails is made again alone, for its own sentence: it leaves its error among others'. */
static void step_all(stepping *s) {
  size_t n_left = 0;
  for (size_t i = 0; i < s->n; ++i)
    s->calls[i] = (buddy_session_call){.session = s->all[i]->session,
                                       .model = DECODE,
                                       .inputs = s->all[i]->inputs,
                                       .n_inputs = 2,
                                       .outputs = &s->all[i]->logits,
                                       .n_outputs = 1};
  buddy_session_step_all(s->calls, s->n, NULL);
  for (size_t i = 0; i < s->n; ++i) {
    conversation *c = s->all[i];
    buddy_code code = s->calls[i].code;
    buddy_diags_clear(s->diags);
    if (code != BUDDY_OK)
      code = buddy_session_step(c->session, DECODE, c->inputs, 2, &c->logits, 1, s->diags);
    if (go_on(s, c, code)) s->all[n_left++] = c;
  }
  s->n = n_left;
}

/* ---- The thread ---- */
/* Null: none waits, or there is no room. Waits if there is nothing else to do. */
static conversation *take_next(stepping *s, bool *out_is_ending) {
  bd_stream *stream = s->stream;
  pthread_mutex_lock(&stream->lock);
  while (s->n == 0 && !stream->first && !stream->is_ending)
    pthread_cond_wait(&stream->changed, &stream->lock);
  conversation *c = s->n < stream->n_most ? stream->first : NULL;
  if (c) stream->first = c->next;
  if (!stream->first) stream->last = NULL;
  *out_is_ending = stream->is_ending;
  pthread_mutex_unlock(&stream->lock);
  return c;
}

static void *work(void *user) {
  stepping *s = user;
  bool is_ending = false;
  while (!is_ending) {
    conversation *c = take_next(s, &is_ending);
    if (c)
      begin(s, c);
    else if (s->n > 0)
      step_all(s);
  }
  for (size_t i = 0; i < s->n; ++i)
    end(s->all[i], bd_triton_error_new(TRITONSERVER_ERROR_UNAVAILABLE, "%s is being unloaded",
                                       s->stream->name));
  buddy_diags_destroy(s->diags);
  bd_free(s->all);
  bd_free(s->calls);
  bd_free(s);
  return NULL;
}

static buddy_code start(bd_stream *stream) {
  stepping *s = bd_calloc(1, sizeof *s);
  if (!s) return BUDDY_OUT_OF_MEMORY;
  s->stream = stream;
  s->all = bd_calloc(stream->n_most, sizeof(conversation *));
  s->calls = bd_calloc(stream->n_most, sizeof *s->calls);
  if (s->all && s->calls && buddy_diags_create(&s->diags) == BUDDY_OK)
    stream->has_thread = pthread_create(&stream->thread, NULL, work, s) == 0;
  if (stream->has_thread) return BUDDY_OK;
  buddy_diags_destroy(s->diags);
  bd_free(s->all);
  bd_free(s->calls);
  bd_free(s);
  return BUDDY_OUT_OF_MEMORY;
}

/* ---- The model ---- */
static bool is_port(const buddy_port *port, buddy_dtype dtype, uint32_t rank) {
  return port && port->dtype == dtype && port->rank == rank;
}

static buddy_code check_programs(const bd_stream *stream, const char *path, buddy_diags *diags) {
  for (size_t m = 0; m < N_PROGRAMS; ++m) {
    const buddy_session *session = stream->session;
    if (buddy_session_n_inputs(session, m) == 2 && buddy_session_n_outputs(session, m) == 1 &&
        is_port(buddy_session_input(session, m, 0), BUDDY_I64, 2) &&
        is_port(buddy_session_input(session, m, 1), BUDDY_I64, 1) &&
        is_port(buddy_session_output(session, m, 0), BUDDY_F32, 3))
      continue;
    return buddy_diags_add(
        diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, path,
        "export it as examples/generate/export.py does",
        "program %s of a decoupled model takes token ids, i64[1,n], and positions, "
        "i64[n], gives logits, f32[1,n,vocabulary], and keeps the rest; this one does not",
        program_names[m]);
  }
  return BUDDY_OK;
}

static buddy_code load(bd_stream *stream, const char *path, const bd_settings *settings,
                       buddy_diags *diags) {
  for (size_t m = 0; m < N_PROGRAMS; ++m) {
    buddy_model_options options = settings->model;
    options.program = program_names[m];
    const buddy_code code = buddy_model_load(path, &options, diags, &stream->models[m]);
    if (code == BUDDY_NOT_FOUND)
      return buddy_diags_add(diags, BUDDY_ERROR, code, "model_transaction_policy",
                             "leave it out for other models",
                             "a decoupled model has two programs, prefill and decode");
    BD_TRY(code);
  }
  BD_TRY(buddy_model_share(stream->models, N_PROGRAMS, diags));
  BD_TRY(buddy_session_create(stream->models, N_PROGRAMS, NULL, diags, &stream->session));
  return check_programs(stream, path, diags);
}

buddy_code bd_stream_create(const char *path, const char *name, const bd_settings *settings,
                            buddy_diags *diags, bd_stream **out_stream) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  bd_stream *stream = *out_stream = bd_calloc(1, sizeof *stream);
  if (!stream) return BUDDY_OUT_OF_MEMORY;
  pthread_mutex_init(&stream->lock, NULL);
  pthread_cond_init(&stream->changed, NULL);
  stream->name = name;
  stream->n_most = settings->n_sessions;
  stream->seed = settings->seed >= 0 ? (uint64_t)settings->seed : (uint64_t)now.tv_nsec;
  buddy_code code = load(stream, path, settings, diags);
  if (code == BUDDY_OK) code = start(stream);
  if (code == BUDDY_OK) return code;
  bd_stream_destroy(stream);
  *out_stream = NULL;
  return code;
}

void bd_stream_destroy(bd_stream *stream) {
  if (!stream) return;
  pthread_mutex_lock(&stream->lock);
  stream->is_ending = true;
  pthread_cond_signal(&stream->changed);
  pthread_mutex_unlock(&stream->lock);
  if (stream->has_thread) pthread_join(stream->thread, NULL);
  while (stream->first) {
    conversation *c = stream->first;
    stream->first = c->next;
    end(c,
        bd_triton_error_new(TRITONSERVER_ERROR_UNAVAILABLE, "%s is being unloaded", stream->name));
  }
  buddy_session_destroy(stream->session);
  for (size_t m = 0; m < N_PROGRAMS; ++m) buddy_model_destroy(stream->models[m]);
  pthread_cond_destroy(&stream->changed);
  pthread_mutex_destroy(&stream->lock);
  bd_free(stream);
}

int bd_stream_threads(const bd_stream *stream) {
  return buddy_program_threads(buddy_model_program(stream->models[DECODE]));
}

/* ---- Requests ---- */
static void queue(bd_stream *stream, conversation *c) {
  pthread_mutex_lock(&stream->lock);
  if (stream->last)
    stream->last->next = c;
  else
    stream->first = c;
  stream->last = c;
  pthread_cond_signal(&stream->changed);
  pthread_mutex_unlock(&stream->lock);
}

static void refuse(TRITONBACKEND_Request *request, TRITONSERVER_Error *error) {
  TRITONBACKEND_Response *response = NULL;
  TRITONSERVER_Error *lost = TRITONBACKEND_ResponseNew(&response, request);
  if (!lost)
    lost = TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error);
  bd_triton_error_drop(lost);
  TRITONSERVER_ErrorDelete(error);
}

/* Null: the request is answered. */
static conversation *take_one(bd_stream *stream, const bd_served_ports *ports,
                              TRITONBACKEND_Request *request) {
  conversation *c = bd_calloc(1, sizeof *c);
  if (!c) {
    refuse(request, bd_triton_error(BUDDY_OUT_OF_MEMORY, stream->name, NULL));
    return NULL;
  }
  TRITONSERVER_Error *error = read_request(stream, ports->inputs, request, c);
  if (!error) error = TRITONBACKEND_ResponseFactoryNew(&c->factory, request);
  c->output = ports->outputs[0].name;
  if (!error) return c;
  refuse(request, error);
  conversation_destroy(c);
  return NULL;
}

void bd_stream_take(bd_stream *stream, const bd_served_ports *ports,
                    TRITONBACKEND_ModelInstance *instance, TRITONBACKEND_Request **requests,
                    uint32_t n_requests) {
  for (uint32_t k = 0; k < n_requests; ++k) {
    const uint64_t begin = bd_nanoseconds();
    conversation *c = take_one(stream, ports, requests[k]);
    const uint64_t taken = bd_nanoseconds();
    bd_triton_error_drop(TRITONBACKEND_ModelInstanceReportStatistics(
        instance, requests[k], c != NULL, begin, taken, taken, taken));
    bd_triton_error_drop(
        TRITONBACKEND_RequestRelease(requests[k], TRITONSERVER_REQUEST_RELEASE_ALL));
    if (c) queue(stream, c);
  }
}
