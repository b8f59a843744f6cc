// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/recurrence.c: layers of LSTM, GRU and plain recurrent cells.
 *
 * Per layer and direction: one product of the whole sequence with the input's weights, then a loop
 * over the steps (scf.for), which carries the states and the layer's result. A step is the product
 * of the state with its weights, added up where the input's gates of this step lie already, and the
 * cell's formula over slices of them. All that is carried is written in place: a step copies no more
 * than the new state into the result. A GRU's reset gate comes between the two products of its last
 * gate, so that its state's gates are a matrix of their own, made before the loop. f16 and bf16 are
 * computed in f32 throughout. */
#include "plugins/linalg/affine.h"

#include <stdbool.h>
#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

const la_cell la_lstm = {.n_gates = 4, .kind = LA_LSTM}, la_gru = {.n_gates = 3, .kind = LA_GRU},
              la_rnn_tanh = {.n_gates = 1, .kind = LA_RNN_TANH},
              la_rnn_relu = {.n_gates = 1, .kind = LA_RNN_RELU};

enum { INPUT, STATE, PARAMS, HAS_BIASES, N_LAYERS, DROPOUT, TRAIN, BIDIRECTIONAL, BATCH_FIRST };

/* A tensor and its type, of the dtype computed in. */
typedef struct tensor {
  MlirValue value;
  const buddy_tensor_type *type;
} tensor;

typedef struct layer {
  buddy_call *call;
  const la_cell *cell;
  buddy_dtype dtype;
  int64_t steps, batch, hidden, width; /* width: of the state h, projected or not */
  tensor weight, bias, projection;     /* of the state; bias, projection: maybe null */
  tensor gates;                        /* [steps, batch, n_gates hidden], of the input */
  bool is_reversed;
  int64_t column;        /* of the result, where this direction's state goes */
  MlirValue end;         /* steps as an index */
  MlirValue state_gates; /* of a GRU: the matrix for them */
  MlirValue wide_state;  /* likewise for what is projected */
} layer;

static const tensor none = {{NULL}, NULL};

static MlirValue op(const be_body *body, const char *name, MlirValue a, MlirValue b) {
  return BE_IN(body, name, same, a, b);
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static tensor wide(buddy_call *call, const buddy_value *v, buddy_dtype dtype) {
  const buddy_tensor_type *type = v ? be_value_type(call, v) : NULL;
  if (!type) return (tensor){no_value, NULL};
  return (tensor){la_cast(call, buddy_mlir_value(call, v), type, dtype),
                  be_with_dtype(call, type, dtype)};
}

static const buddy_tensor_type *matrix_type(const layer *l, int64_t columns) {
  const int64_t dims[2] = {l->batch, columns};
  return be_type(l->call, l->dtype, 2, dims);
}

/* An elementwise generic over matrices; what is at hand is written to `init`, whose elements are
 * the last that the formula gets. */
static MlirValue over_batch(const be_body *body, layer *l, int64_t columns, const MlirValue *inputs,
                            size_t n, MlirValue init, be_body_fn formula) {
  const buddy_tensor_type *type = matrix_type(l, columns);
  const buddy_tensor_type *const types[] = {type, type, type, type, type, type};
  const be_map map = be_map_identity(2), maps[] = {map, map, map, map, map, map};
  const be_generic spec = {.n_loops = 2,
                           .n_inputs = n,
                           .inputs = inputs,
                           .input_types = types,
                           .input_maps = maps,
                           .init = init,
                           .output_type = type,
                           .output_map = map,
                           .body = formula,
                           .user = l};
  return be_in_generic(body, &spec);
}

/* The row of each line of `init`. */
static MlirValue repeated(const be_body *body, const layer *l, const tensor *row, MlirValue init) {
  const be_map map = {{1}};
  const be_generic spec = {.n_loops = 2,
                           .n_inputs = 1,
                           .inputs = &row->value,
                           .input_types = &row->type,
                           .input_maps = &map,
                           .init = init,
                           .output_type = matrix_type(l, row->type->dims[0]),
                           .output_map = be_map_identity(2),
                           .body = la_first};
  return be_in_generic(body, &spec);
}

/* init + x w^T: x [batch, k], w [columns, k] */
static MlirValue multiplied(const be_body *body, const layer *l, MlirValue x, int64_t k,
                            const tensor *w, MlirValue init) {
  if (!w->type) return no_value;
  const buddy_tensor_type *types[2] = {matrix_type(l, k), w->type};
  const MlirValue inputs[2] = {x, w->value};
  const be_map maps[2] = {{{0, 2}}, {{1, 2}}};
  buddy_dtype dtypes[3] = {l->dtype, l->dtype, l->dtype};
  const be_generic spec = {.n_loops = 3,
                           .reductions = 1u << 2,
                           .n_inputs = 2,
                           .inputs = inputs,
                           .input_types = types,
                           .input_maps = maps,
                           .init = init,
                           .output_type = matrix_type(l, w->type->dims[0]),
                           .output_map = be_map_identity(2),
                           .body = la_multiply_add,
                           .user = dtypes};
  return be_in_generic(body, &spec);
}

/* ---- A step ---------------------------------------------------------------------------------- */

static MlirValue sigmoid(const be_body *body, buddy_dtype dtype, MlirValue x) {
  const MlirValue one = be_in_scalar(body, dtype, 1);
  const MlirValue e = BE_IN(body, "math.exp", same, BE_IN(body, "arith.negf", same, x));
  return op(body, "arith.divf", one, op(body, "arith.addf", one, e));
}

static MlirValue hyperbolic_tangent(const be_body *body, MlirValue x) {
  return BE_IN(body, "math.tanh", same, x);
}

/* c' = sigmoid(f) c + sigmoid(i) tanh(g), of i, f, g, c */
static MlirValue next_cell(const be_body *body, const MlirValue *x, void *user) {
  const layer *l = user;
  const MlirValue kept = op(body, "arith.mulf", sigmoid(body, l->dtype, x[1]), x[3]);
  const MlirValue fresh =
      op(body, "arith.mulf", sigmoid(body, l->dtype, x[0]), hyperbolic_tangent(body, x[2]));
  return op(body, "arith.addf", kept, fresh);
}

/* h' = sigmoid(o) tanh(c'), of o, c' */
static MlirValue shown_cell(const be_body *body, const MlirValue *x, void *user) {
  const layer *l = user;
  return op(body, "arith.mulf", sigmoid(body, l->dtype, x[0]), hyperbolic_tangent(body, x[1]));
}

/* h', of r, z, n of the input, of these of the state, and of h */
static MlirValue next_gated(const be_body *body, const MlirValue *x, void *user) {
  const layer *l = user;
  const MlirValue r = sigmoid(body, l->dtype, op(body, "arith.addf", x[0], x[3]));
  const MlirValue z = sigmoid(body, l->dtype, op(body, "arith.addf", x[1], x[4]));
  const MlirValue reset = op(body, "arith.mulf", r, x[5]);
  const MlirValue n = hyperbolic_tangent(body, op(body, "arith.addf", x[2], reset));
  const MlirValue way = op(body, "arith.subf", x[6], n);
  return op(body, "arith.addf", op(body, "arith.mulf", way, z), n);
}

/* h', of the gate */
static MlirValue next_plain(const be_body *body, const MlirValue *x, void *user) {
  const layer *l = user;
  return l->cell->kind == LA_RNN_TANH
             ? hyperbolic_tangent(body, x[0])
             : op(body, "arith.maximumf", x[0], be_in_scalar(body, l->dtype, 0));
}

static MlirValue zero_of(const be_body *body, const MlirValue *x, void *user) {
  (void)x;
  return be_in_scalar(body, ((const layer *)user)->dtype, 0);
}

/* The matrix of one step of [steps, batch, …]: `columns` of it from `column` on. */
static la_box step_box(const layer *l, MlirValue at, int64_t column, int64_t columns) {
  return (la_box){.rank = 3,
                  .dropped = 1,
                  .at = at,
                  .offsets = {0, 0, column},
                  .sizes = {1, l->batch, columns},
                  .strides = {1, 1, 1}};
}

/* The gates of a matrix. */
static void split(const be_body *body, const layer *l, MlirValue gates, MlirValue *out) {
  for (int q = 0; q < l->cell->n_gates; ++q) {
    const la_box box = {.rank = 2,
                        .offsets = {0, be_dim(l->call, BUDDY_DIM_MUL, l->hidden, q)},
                        .sizes = {l->batch, l->hidden},
                        .strides = {1, 1}};
    out[q] = la_extract_in(body, gates, &box, l->dtype);
  }
}

enum { OUT, H, GATES, C, N_CARRIED };

/* The gates of the input and the state together, where those of the input lay. The caller puts them
 * back when they are read, or what comes between would be read from a copy. */
static MlirValue add_state(const be_body *body, const layer *l, const la_box *box,
                           const MlirValue *carried) {
  const MlirValue gates = la_extract_in(body, carried[GATES], box, l->dtype);
  return multiplied(body, l, carried[H], l->width, &l->weight, gates);
}

static void step_lstm(const be_body *body, layer *l, const la_box *box, MlirValue *carried) {
  MlirValue q[4];
  const bool is_projected = l->projection.type != NULL;
  const MlirValue gates = add_state(body, l, box, carried);
  split(body, l, gates, q);
  carried[C] = over_batch(body, l, l->hidden, q, 3, carried[C], next_cell);
  const MlirValue shown[2] = {q[3], carried[C]};
  const MlirValue h = over_batch(body, l, l->hidden, shown, 2,
                                 is_projected ? l->wide_state : carried[H], shown_cell);
  if (is_projected) {
    const MlirValue zeros = over_batch(body, l, l->width, NULL, 0, carried[H], zero_of);
    carried[H] = multiplied(body, l, h, l->hidden, &l->projection, zeros);
  } else {
    carried[H] = h;
  }
  carried[GATES] = la_insert_in(body, gates, carried[GATES], box);
}

static void step_gru(const be_body *body, layer *l, const la_box *box, MlirValue *carried) {
  MlirValue q[6];
  const int64_t n = be_dim(l->call, BUDDY_DIM_MUL, l->hidden, l->cell->n_gates);
  const MlirValue init = l->bias.type ? repeated(body, l, &l->bias, l->state_gates)
                                      : over_batch(body, l, n, NULL, 0, l->state_gates, zero_of);
  split(body, l, la_extract_in(body, l->gates.value, box, l->dtype), q);
  split(body, l, multiplied(body, l, carried[H], l->width, &l->weight, init), q + 3);
  carried[H] = over_batch(body, l, l->hidden, q, 6, carried[H], next_gated);
}

static void step(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  layer *l = user;
  MlirValue now = at[0];
  if (l->is_reversed)
    now = la_index_sub(body, la_index_sub(body, l->end, be_in_index(body, 1)), now);
  const la_box box =
      step_box(l, now, 0, be_dim(l->call, BUDDY_DIM_MUL, l->hidden, l->cell->n_gates));
  const la_box to = step_box(l, now, l->column, l->width);
  if (l->cell->kind == LA_LSTM) {
    step_lstm(body, l, &box, carried);
  } else if (l->cell->kind == LA_GRU) {
    step_gru(body, l, &box, carried);
  } else {
    const MlirValue gates = add_state(body, l, &box, carried);
    carried[H] = over_batch(body, l, l->hidden, &gates, 1, carried[H], next_plain);
    carried[GATES] = la_insert_in(body, gates, carried[GATES], &box);
  }
  carried[OUT] = la_insert_in(body, carried[H], carried[OUT], &to);
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* x w^T + bias over the whole sequence: x [steps, batch, k] */
static tensor input_gates(buddy_call *call, const layer *l, const tensor *x, const tensor *w,
                          const tensor *bias) {
  if (!x->type || !w->type) return (tensor){no_value, NULL};
  const int64_t dims[3] = {l->steps, l->batch, w->type->dims[0]};
  const buddy_tensor_type *type = be_type(call, l->dtype, 3, dims);
  const MlirValue init = bias->type ? be_broadcast(call, bias->value, bias->type, type)
                                    : be_filled(call, type, be_scalar(call, l->dtype, 0));
  const buddy_tensor_type *types[2] = {x->type, w->type};
  const MlirValue inputs[2] = {x->value, w->value};
  const be_map maps[2] = {{{0, 1, 3}}, {{2, 3}}};
  buddy_dtype dtypes[3] = {l->dtype, l->dtype, l->dtype};
  const be_generic spec = {.n_loops = 4,
                           .reductions = 1u << 3,
                           .n_inputs = 2,
                           .inputs = inputs,
                           .input_types = types,
                           .input_maps = maps,
                           .init = init,
                           .output_type = type,
                           .output_map = be_map_identity(3),
                           .body = la_multiply_add,
                           .user = dtypes};
  return (tensor){be_linalg_generic(call, &spec), type};
}

static MlirValue sum_at(const be_body *body, const MlirValue *x, void *user) {
  (void)user;
  return op(body, "arith.addf", x[0], x[1]);
}

/* Of two tensors of one shape; none of none. */
static tensor sum_of(buddy_call *call, const tensor *a, const tensor *b) {
  const MlirValue values[2] = {a->value, b->value};
  const buddy_tensor_type *types[2] = {a->type, b->type};
  if (!a->type || !b->type) return none;
  return (tensor){be_elementwise(call, a->type, values, types, 2, sum_at, NULL), a->type};
}

typedef struct network {
  int64_t n_layers, n_directions;
  size_t n_params; /* a layer and direction */
  bool has_biases;
  tensor h, c;              /* the initial states */
  MlirValue last_h, last_c; /* being filled */
  const buddy_tensor_type *h_type, *c_type;
} network;

static void read_state(const be_body *body, MlirValue *out, void *user) {
  out[0] = be_in_index(body, *(const int64_t *)user);
  out[1] = be_in_loop(body, 0);
  out[2] = be_in_loop(body, 1);
}

/* Row i of [layers, batch, columns], element by element: a tensor of its own, for the loop to write
 * to in place; of a slice the buffer is whoever's it is a slice of. */
static MlirValue state_at(const layer *l, const tensor *all, int64_t i, int64_t columns) {
  return la_rearranged(l->call, all->value, matrix_type(l, columns), 3, read_state, &i);
}

static MlirValue with_state(const layer *l, MlirValue all, const buddy_tensor_type *type, int64_t i,
                            MlirValue state) {
  la_box box = la_whole(l->call, type);
  box.offsets[0] = i;
  box.sizes[0] = 1;
  box.dropped = 1;
  return la_insert(l->call, state, all, &box, type);
}

/* One direction of one layer; writes its columns of `out`. */
static MlirValue run_direction(layer *l, network *n, int64_t i, const tensor *x, MlirValue out) {
  buddy_call *call = l->call;
  const buddy_value *const *params = be_arg(call, PARAMS)->as.tensors + (size_t)i * n->n_params;
  const tensor weight = wide(call, params[0], l->dtype);
  const tensor bias = n->has_biases ? wide(call, params[2], l->dtype) : none;
  l->weight = wide(call, params[1], l->dtype);
  l->bias = n->has_biases ? wide(call, params[3], l->dtype) : none;
  const bool has_projection = n->n_params == (n->has_biases ? 5u : 3u);
  l->projection = has_projection ? wide(call, params[n->n_params - 1], l->dtype) : none;
  const tensor biases = l->cell->kind == LA_GRU ? bias : sum_of(call, &bias, &l->bias);
  l->gates = input_gates(call, l, x, &weight, &biases);
  l->end = be_index(call, l->steps);
  if (l->cell->kind == LA_GRU && l->gates.type)
    l->state_gates = be_empty(call, matrix_type(l, l->gates.type->dims[2]));
  if (has_projection) l->wide_state = be_empty(call, matrix_type(l, l->hidden));
  const bool is_lstm = l->cell->kind == LA_LSTM;
  MlirValue carried[N_CARRIED] = {out, state_at(l, &n->h, i, l->width), l->gates.value,
                                  is_lstm ? state_at(l, &n->c, i, l->hidden) : no_value};
  const be_body block = la_block(call);
  const size_t n_carried = is_lstm ? 4 : l->cell->kind == LA_GRU ? 2 : 3;
  const la_nest nest = {1, &l->end, n_carried, step, l};
  if (!la_is_empty(l->gates.type)) la_run_nest(&block, &nest, carried);
  n->last_h = with_state(l, n->last_h, n->h_type, i, carried[H]);
  if (is_lstm) n->last_c = with_state(l, n->last_c, n->c_type, i, carried[C]);
  return carried[OUT];
}

static tensor swapped(buddy_call *call, tensor x) {
  static const int64_t perm[3] = {1, 0, 2};
  const int64_t dims[3] = {x.type->dims[1], x.type->dims[0], x.type->dims[2]};
  return (tensor){be_transpose(call, x.value, x.type, perm), be_type(call, x.type->dtype, 3, dims)};
}

static buddy_code give(buddy_call *call, size_t i, tensor x) {
  const buddy_tensor_type *to = be_result_type(call, i);
  return be_result(call, i, la_cast(call, x.value, x.type, to->dtype));
}

static bool is_state(const tensor *t) { return t->type && t->type->rank == 3; }

static buddy_code read_network(buddy_call *call, const la_cell *cell, layer *l, network *n) {
  const buddy_arg *states = be_arg(call, STATE), *params = be_arg(call, PARAMS);
  const buddy_tensor_type *input = be_arg_type(call, INPUT);
  la_ignore(call, HAS_BIASES, BATCH_FIRST - HAS_BIASES + 1); /* not each is asked in every case */
  n->n_layers = be_int(call, N_LAYERS, 1);
  n->n_directions = be_bool(call, BIDIRECTIONAL) ? 2 : 1;
  n->has_biases = be_bool(call, HAS_BIASES);
  if (be_bool(call, TRAIN) && be_float(call, DROPOUT, 0) != 0 && n->n_layers > 1)
    return be_decline(call, "dropout between the layers");
  const bool is_known = n->n_layers > 0 && n->n_layers <= (int64_t)params->n;
  const int64_t n_cells = is_known ? n->n_layers * n->n_directions : 0;
  n->n_params = n_cells > 0 ? params->n / (size_t)n_cells : 0;
  const size_t expected = n->has_biases ? 4 : 2;
  if (input->rank != 3 || n_cells <= 0 || params->n != n->n_params * (size_t)n_cells ||
      n->n_params < expected || n->n_params > expected + (cell->kind == LA_LSTM))
    return be_decline(call, "%zu weights for %lld layers", params->n, (long long)n->n_layers);
  const buddy_value *h = states->kind == BUDDY_ARG_TENSORS
                             ? (states->n > 0 ? states->as.tensors[0] : NULL)
                             : states->as.tensor;
  if (!h || (cell->kind == LA_LSTM && (states->kind != BUDDY_ARG_TENSORS || states->n != 2)))
    return be_decline(call, "the initial states are missing");
  l->dtype = la_opmath(input->dtype);
  n->h = wide(call, h, l->dtype);
  if (cell->kind == LA_LSTM) n->c = wide(call, states->as.tensors[1], l->dtype);
  if (!is_state(&n->h) || (cell->kind == LA_LSTM && !is_state(&n->c)))
    return be_decline(call, "an initial state that is not [layers, batch, width]");
  const bool is_batch_first = be_bool(call, BATCH_FIRST);
  l->steps = input->dims[is_batch_first ? 1 : 0];
  l->batch = input->dims[is_batch_first ? 0 : 1];
  l->width = n->h.type->dims[2];
  l->hidden = cell->kind == LA_LSTM ? n->c.type->dims[2] : l->width;
  return BUDDY_OK;
}

/* input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first */
buddy_code la_emit_recurrence(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  layer l = {.call = call, .cell = self->user};
  network n = {0};
  buddy_code code = read_network(call, self->user, &l, &n);
  if (code != BUDDY_OK) return code;
  const bool is_batch_first = be_bool(call, BATCH_FIRST);
  tensor x = {la_tensor_as(call, INPUT, l.dtype),
              be_with_dtype(call, be_arg_type(call, INPUT), l.dtype)};
  if (is_batch_first) x = swapped(call, x);
  n.h_type = n.h.type;
  n.last_h = be_empty(call, n.h_type);
  n.c_type = n.c.type;
  if (n.c_type) n.last_c = be_empty(call, n.c_type);
  const int64_t dims[3] = {l.steps, l.batch, be_dim(call, BUDDY_DIM_MUL, l.width, n.n_directions)};
  const buddy_tensor_type *type = be_type(call, l.dtype, 3, dims);
  for (int64_t k = 0; k < n.n_layers; ++k) {
    MlirValue out = be_empty(call, type);
    for (int64_t d = 0; d < n.n_directions; ++d) {
      l.is_reversed = d == 1;
      l.column = be_dim(call, BUDDY_DIM_MUL, l.width, d);
      out = run_direction(&l, &n, k * n.n_directions + d, &x, out);
    }
    x = (tensor){out, type};
  }
  if (is_batch_first && type) x = swapped(call, x);
  code = give(call, 0, x);
  if (code == BUDDY_OK) code = give(call, 1, (tensor){n.last_h, n.h_type});
  if (code == BUDDY_OK && n.c_type) code = give(call, 2, (tensor){n.last_c, n.c_type});
  return code;
}

/* data, batch_sizes, …: a batch of sequences of several lengths, packed */
buddy_code la_decline_packed(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return be_decline(call, "packed sequences: pad them to one length");
}
