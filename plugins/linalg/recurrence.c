/* plugins/linalg/recurrence.c: layers of LSTM, GRU and plain recurrent cells.
 *
 * Per layer and direction: one product of the whole sequence with the input's weights, then a loop
 * over the steps (scf.for), which carries the states and the layer's result. A step is the product
 * of the state with its weights and the cell's formula, as linalg.generic on tensors inside the
 * loop. f16 and bf16 are computed in f32 throughout. */
#include <string.h>

#include "plugins/linalg/affine.h"
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
  int is_reversed;
  int64_t column;                    /* of the result, where this direction's state goes */
  MlirValue end;                     /* steps as an index */
  MlirValue at;                      /* in a step: the position in the sequence */
  MlirValue state_gates, cell_state; /* likewise: of the state; the new c */
} layer;

static MlirValue op(const be_body *body, const char *name, MlirValue a, MlirValue b) {
  return BE_IN(body, name, same, a, b);
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static tensor wide(buddy_call *call, const buddy_value *v, buddy_dtype dtype) {
  const buddy_tensor_type *type = v != NULL ? be_value_type(call, v) : NULL;
  if (type == NULL) return (tensor){no_value, NULL};
  return (tensor){la_cast(call, buddy_mlir_value(call, v), type, dtype),
                  be_with_dtype(call, type, dtype)};
}

static MlirValue empty_in(const be_body *body, const buddy_tensor_type *type) {
  MlirValue sizes[BE_MAX_RANK];
  size_t n = 0;
  if (type == NULL) return no_value;
  for (uint32_t d = 0; d < type->rank; d++) {
    if (BUDDY_IS_SYMBOLIC(type->dims[d])) sizes[n++] = be_dim_value(body->call, type->dims[d]);
  }
  return be_in(body, "tensor.empty", buddy_mlir_tensor_type(body->call, type), sizes, n, NULL);
}

static const buddy_tensor_type *matrix_type(const layer *l, int64_t columns) {
  const int64_t dims[2] = {l->batch, columns};
  return be_type(l->call, l->dtype, 2, dims);
}

/* An elementwise generic over [batch, columns] inside of a block. */
static MlirValue over_batch(const be_body *body, layer *l, int64_t columns, const MlirValue *input,
                            be_body_fn formula) {
  const buddy_tensor_type *type = matrix_type(l, columns);
  const be_map map = be_map_identity(2);
  const be_generic spec = {.n_loops = 2,
                           .n_inputs = input != NULL ? 1 : 0,
                           .inputs = input,
                           .input_types = &type,
                           .input_maps = &map,
                           .init = empty_in(body, type),
                           .output_type = type,
                           .output_map = map,
                           .body = formula,
                           .user = l};
  return be_in_generic(body, &spec);
}

/* init + x w^T: x [batch, k], w [columns, k] */
static MlirValue multiplied(const be_body *body, const layer *l, MlirValue x, int64_t k,
                            const tensor *w, MlirValue init) {
  if (w->type == NULL) return no_value;
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

/* Column q hidden + j of the gates, of the input or of the state; j is the second loop. */
static MlirValue gate(const be_body *body, const layer *l, int64_t q, int of_state) {
  const MlirValue column =
      la_index_add(body, be_in_loop(body, 1),
                   la_index_dim(body, be_dim(body->call, BUDDY_DIM_MUL, l->hidden, q)));
  const MlirValue in_input[3] = {l->at, be_in_loop(body, 0), column};
  return of_state ? la_element(body, l->state_gates, l->dtype, in_input + 1, 2)
                  : la_element(body, l->gates.value, l->dtype, in_input, 3);
}

static MlirValue whole_gate(const be_body *body, const layer *l, int64_t q) {
  return op(body, "arith.addf", gate(body, l, q, 0), gate(body, l, q, 1));
}

/* What the state's gates start from: the bias, or 0. */
static MlirValue bias_at(const be_body *body, const MlirValue *elements, void *user) {
  const layer *l = user;
  const MlirValue column = be_in_loop(body, 1);
  (void)elements;
  return l->bias.value.ptr != NULL ? la_element(body, l->bias.value, l->dtype, &column, 1)
                                   : be_in_scalar(body, l->dtype, 0);
}

static MlirValue zero_at(const be_body *body, const MlirValue *elements, void *user) {
  (void)elements;
  return be_in_scalar(body, ((const layer *)user)->dtype, 0);
}

/* c' = sigmoid(f) c + sigmoid(i) tanh(g) */
static MlirValue next_cell(const be_body *body, const MlirValue *elements, void *user) {
  const layer *l = user;
  const MlirValue i = sigmoid(body, l->dtype, whole_gate(body, l, 0));
  const MlirValue f = sigmoid(body, l->dtype, whole_gate(body, l, 1));
  const MlirValue g = hyperbolic_tangent(body, whole_gate(body, l, 2));
  return op(body, "arith.addf", op(body, "arith.mulf", f, elements[0]),
            op(body, "arith.mulf", i, g));
}

/* h', from h, or from c' for an LSTM */
static MlirValue next_state(const be_body *body, const MlirValue *elements, void *user) {
  const layer *l = user;
  if (l->cell->kind == LA_LSTM) {
    const MlirValue o = sigmoid(body, l->dtype, whole_gate(body, l, 3));
    return op(body, "arith.mulf", o, hyperbolic_tangent(body, elements[0]));
  }
  if (l->cell->kind == LA_GRU) {
    const MlirValue r = sigmoid(body, l->dtype, whole_gate(body, l, 0));
    const MlirValue z = sigmoid(body, l->dtype, whole_gate(body, l, 1));
    const MlirValue reset = op(body, "arith.mulf", r, gate(body, l, 2, 1));
    const MlirValue n =
        hyperbolic_tangent(body, op(body, "arith.addf", gate(body, l, 2, 0), reset));
    const MlirValue way = op(body, "arith.subf", elements[0], n);
    return op(body, "arith.addf", op(body, "arith.mulf", way, z), n);
  }
  const MlirValue x = whole_gate(body, l, 0);
  return l->cell->kind == LA_RNN_TANH
             ? hyperbolic_tangent(body, x)
             : op(body, "arith.maximumf", x, be_in_scalar(body, l->dtype, 0));
}

typedef struct copying {
  const layer *l;
  MlirValue state;
} copying;

/* One element of the new state into the result. */
static void copy_state(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const copying *c = user;
  const MlirValue element = la_element(body, c->state, c->l->dtype, at, 2);
  const MlirValue to[3] = {c->l->at, at[0],
                           la_index_add(body, at[1], la_index_dim(body, c->l->column))};
  carried[0] = la_write(body, element, carried[0], to, 3);
}

/* carried: the layer's result, h, and for an LSTM c */
static void step(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  layer *l = user;
  const int64_t n = be_dim(l->call, BUDDY_DIM_MUL, l->hidden, l->cell->n_gates);
  l->at = at[0];
  if (l->is_reversed) {
    const MlirValue last = la_index_sub(body, l->end, be_in_index(body, 1));
    l->at = la_index_sub(body, last, at[0]);
  }
  l->state_gates =
      multiplied(body, l, carried[1], l->width, &l->weight, over_batch(body, l, n, NULL, bias_at));
  if (l->cell->kind == LA_LSTM) {
    carried[2] = over_batch(body, l, l->hidden, &carried[2], next_cell);
    carried[1] = over_batch(body, l, l->hidden, &carried[2], next_state);
  } else {
    carried[1] = over_batch(body, l, l->hidden, &carried[1], next_state);
  }
  if (l->projection.type != NULL) {
    carried[1] = multiplied(body, l, carried[1], l->hidden, &l->projection,
                            over_batch(body, l, l->width, NULL, zero_at));
  }
  copying c = {l, carried[1]};
  const MlirValue ends[2] = {be_dim_value(l->call, l->batch), be_dim_value(l->call, l->width)};
  const la_nest nest = {2, ends, 1, copy_state, &c};
  la_run_nest(body, &nest, carried);
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* x w^T + bias over the whole sequence: x [steps, batch, k] */
static tensor input_gates(buddy_call *call, const layer *l, const tensor *x, const tensor *w,
                          const tensor *bias) {
  if (x->type == NULL || w->type == NULL) return (tensor){no_value, NULL};
  const int64_t dims[3] = {l->steps, l->batch, w->type->dims[0]};
  const buddy_tensor_type *type = be_type(call, l->dtype, 3, dims);
  const MlirValue init = bias->type != NULL ? be_broadcast(call, bias->value, bias->type, type)
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

typedef struct network {
  int64_t n_layers, n_directions;
  size_t n_params; /* a layer and direction */
  int has_biases;
  tensor h, c;              /* the initial states */
  MlirValue last_h, last_c; /* being filled */
  const buddy_tensor_type *h_type, *c_type;
} network;

/* Row i of [layers, batch, columns]. */
static MlirValue state_at(const layer *l, const tensor *all, int64_t i, int64_t columns) {
  la_box box = la_whole(l->call, all->type);
  box.offsets[0] = i;
  box.sizes[0] = 1;
  box.dropped = 1;
  return la_extract(l->call, all->value, &box, matrix_type(l, columns));
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
  const tensor none = {no_value, NULL};
  const tensor weight = wide(call, params[0], l->dtype);
  const tensor bias = n->has_biases ? wide(call, params[2], l->dtype) : none;
  l->weight = wide(call, params[1], l->dtype);
  l->bias = n->has_biases ? wide(call, params[3], l->dtype) : none;
  const int has_projection = n->n_params == (n->has_biases ? 5u : 3u);
  l->projection = has_projection ? wide(call, params[n->n_params - 1], l->dtype) : none;
  l->gates = input_gates(call, l, x, &weight, &bias);
  l->end = be_dim_value(call, l->steps);
  const int is_lstm = l->cell->kind == LA_LSTM;
  MlirValue carried[3] = {out, state_at(l, &n->h, i, l->width),
                          is_lstm ? state_at(l, &n->c, i, l->hidden) : no_value};
  const be_body block = la_block(call);
  const la_nest nest = {1, &l->end, is_lstm ? 3 : 2, step, l};
  la_run_nest(&block, &nest, carried);
  n->last_h = with_state(l, n->last_h, n->h_type, i, carried[1]);
  if (is_lstm) n->last_c = with_state(l, n->last_c, n->c_type, i, carried[2]);
  return carried[0];
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

static buddy_code read_network(buddy_call *call, const la_cell *cell, layer *l, network *n) {
  const buddy_arg *states = be_arg(call, STATE), *params = be_arg(call, PARAMS);
  const buddy_tensor_type *input = be_arg_type(call, INPUT);
  la_ignore(call, HAS_BIASES, BATCH_FIRST - HAS_BIASES + 1); /* not each is asked in every case */
  n->n_layers = be_int(call, N_LAYERS, 1);
  n->n_directions = be_bool(call, BIDIRECTIONAL) ? 2 : 1;
  n->has_biases = be_bool(call, HAS_BIASES);
  if (be_bool(call, TRAIN) && be_float(call, DROPOUT, 0) != 0 && n->n_layers > 1)
    return be_decline(call, "dropout between the layers");
  const int64_t n_cells = n->n_layers * n->n_directions;
  n->n_params = n_cells > 0 ? params->n / (size_t)n_cells : 0;
  const size_t expected = n->has_biases ? 4 : 2;
  if (input->rank != 3 || n_cells <= 0 || params->n != n->n_params * (size_t)n_cells ||
      n->n_params < expected || n->n_params > expected + (cell->kind == LA_LSTM))
    return be_decline(call, "%zu weights for %lld layers", params->n, (long long)n->n_layers);
  const buddy_value *h = states->kind == BUDDY_ARG_TENSORS
                             ? (states->n > 0 ? states->as.tensors[0] : NULL)
                             : states->as.tensor;
  if (h == NULL || (cell->kind == LA_LSTM && (states->kind != BUDDY_ARG_TENSORS || states->n != 2)))
    return be_decline(call, "the initial states are missing");
  l->dtype = la_opmath(input->dtype);
  n->h = wide(call, h, l->dtype);
  if (cell->kind == LA_LSTM) n->c = wide(call, states->as.tensors[1], l->dtype);
  if (n->h.type == NULL || n->h.type->rank != 3)
    return be_decline(call, "an initial state that is not [layers, batch, width]");
  const int is_batch_first = be_bool(call, BATCH_FIRST);
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
  const int is_batch_first = be_bool(call, BATCH_FIRST);
  tensor x = {la_tensor_as(call, INPUT, l.dtype),
              be_with_dtype(call, be_arg_type(call, INPUT), l.dtype)};
  if (is_batch_first) x = swapped(call, x);
  n.h_type = n.h.type;
  n.last_h = be_empty(call, n.h_type);
  n.c_type = n.c.type;
  if (n.c_type != NULL) n.last_c = be_empty(call, n.c_type);
  const int64_t dims[3] = {l.steps, l.batch, be_dim(call, BUDDY_DIM_MUL, l.width, n.n_directions)};
  const buddy_tensor_type *type = be_type(call, l.dtype, 3, dims);
  for (int64_t k = 0; k < n.n_layers; k++) {
    MlirValue out = be_empty(call, type);
    for (int64_t d = 0; d < n.n_directions; d++) {
      l.is_reversed = d == 1;
      l.column = be_dim(call, BUDDY_DIM_MUL, l.width, d);
      out = run_direction(&l, &n, k * n.n_directions + d, &x, out);
    }
    x = (tensor){out, type};
  }
  if (is_batch_first && type != NULL) x = swapped(call, x);
  code = give(call, 0, x);
  if (code == BUDDY_OK) code = give(call, 1, (tensor){n.last_h, n.h_type});
  if (code == BUDDY_OK && n.c_type != NULL) code = give(call, 2, (tensor){n.last_c, n.c_type});
  return code;
}

/* data, batch_sizes, …: a batch of sequences of several lengths, packed */
buddy_code la_decline_packed(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return be_decline(call, "packed sequences: pad them to one length");
}
