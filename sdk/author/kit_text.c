// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/kit_text.c: IR as text, for what the portable tier cannot build op by op.
 *
 * Every text is one function whose arguments are the tensors, and after them one index for each
 * symbolic dim of what has to be allocated. */
#include "sdk/author/kit_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const buddy_ir_value no_value = {NULL};
enum { MAX_RANK = 16, MAX_TENSORS = 16 };

/* ---- Writing --------------------------------------------------------------------------------- */
void bk_writer_init(bk_writer *writer, buddy_call *call) {
  *writer = (bk_writer){.call = call, .capacity = 1024};
  writer->data = be_scratch(call, writer->capacity, 1);
  if (writer->data) writer->data[0] = 0;
}

static void grow(bk_writer *writer, size_t room) {
  if (writer->capacity - writer->size > room) return;
  const size_t capacity = 2 * (writer->capacity + room);
  char *data = be_scratch(writer->call, capacity, 1);
  if (data) memcpy(data, writer->data, writer->size + 1);
  writer->data = data;
  writer->capacity = capacity;
}

__attribute__((format(printf, 2, 0))) static void write_args(bk_writer *writer, const char *format,
                                                             va_list args) {
  va_list again;
  if (!writer->data) return;
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (n < 0) return;
  grow(writer, (size_t)n + 1);
  if (!writer->data) return;
  vsnprintf(writer->data + writer->size, (size_t)n + 1, format, args);
  writer->size += (size_t)n;
}

void bk_write(bk_writer *writer, const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_args(writer, format, args);
  va_end(args);
}

char *bk_vformat(buddy_call *call, const char *format, va_list args) {
  bk_writer writer;
  bk_writer_init(&writer, call);
  write_args(&writer, format, args);
  return writer.data;
}

char *bk_format(buddy_call *call, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = bk_vformat(call, format, args);
  va_end(args);
  return text;
}

/* ---- Types ----------------------------------------------------------------------------------- */
const char *bk_dtype_text(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_BOOL:
      return "i1";
    case BUDDY_U8:
    case BUDDY_I8:
      return "i8";
    case BUDDY_U16:
    case BUDDY_I16:
      return "i16";
    case BUDDY_U32:
    case BUDDY_I32:
      return "i32";
    case BUDDY_U64:
    case BUDDY_I64:
      return "i64";
    case BUDDY_F16:
      return "f16";
    case BUDDY_BF16:
      return "bf16";
    case BUDDY_F32:
      return "f32";
    case BUDDY_F64:
      return "f64";
    case BUDDY_C32:
      return "complex<f16>";
    case BUDDY_C64:
      return "complex<f32>";
    case BUDDY_C128:
      return "complex<f64>";
    case BUDDY_F8E4M3FN:
      return "f8E4M3FN";
    case BUDDY_F8E5M2:
      return "f8E5M2";
    case BUDDY_F8E4M3FNUZ:
      return "f8E4M3FNUZ";
    case BUDDY_F8E5M2FNUZ:
      return "f8E5M2FNUZ";
    case BUDDY_F8E8M0FNU:
      return "f8E8M0FNU";
    default:
      return "?";
  }
}

void bk_write_dims(bk_writer *writer, const buddy_tensor_type *type) {
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (BUDDY_IS_SYMBOLIC(type->dims[d])) {
      bk_write(writer, "?x");
    } else {
      bk_write(writer, "%lldx", (long long)type->dims[d]);
    }
  }
}

static void write_shaped(bk_writer *writer, const char *kind, const buddy_tensor_type *type) {
  bk_write(writer, "%s<", kind);
  bk_write_dims(writer, type);
  bk_write(writer, "%s>", bk_dtype_text(type->dtype));
}

static void write_tensor(bk_writer *writer, const buddy_tensor_type *type) {
  write_shaped(writer, "tensor", type);
}

const char *bk_type_text(buddy_call *call, const buddy_tensor_type *type) {
  bk_writer writer;
  if (!type) return NULL;
  bk_writer_init(&writer, call);
  write_tensor(&writer, type);
  return writer.data;
}

/* ---- The host's service ---------------------------------------------------------------------- */
static buddy_code text_results(buddy_call *call, const char *text, const buddy_ir_value *operands,
                               size_t n_operands, buddy_ir_value *out_results, size_t n_results) {
  const buddy_text_services *services = be_host->extension(BUDDY_TEXT_ID);
  for (size_t i = 0; i < n_results; ++i) out_results[i] = no_value;
  if (!text) return BUDDY_OUT_OF_MEMORY;
  if (!services || !BUDDY_HAS(services, buddy_text_services, ir_text)) {
    return be_decline(call, "this host has no " BUDDY_TEXT_ID);
  }
  for (size_t i = 0; i < n_operands; ++i) {
    if (!operands[i].ptr) return BUDDY_INVALID_ARGUMENT;
  }
  return services->ir_text(call, (buddy_sv){text, strlen(text)}, operands, n_operands, out_results,
                           n_results);
}

buddy_ir_value bk_text(buddy_call *call, const char *text, const buddy_ir_value *operands,
                       size_t n_operands) {
  buddy_ir_value result;
  text_results(call, text, operands, n_operands, &result, 1);
  return result;
}

/* ---- Allocation of results whose dims may be symbolic ---------------------------------------- */
/* The operands of a text: tensors first, then what dims are. */
typedef struct operands {
  buddy_ir_value values[MAX_TENSORS * (MAX_RANK + 1)];
  size_t n, n_dims;
} operands;

/* Writes "%d0, %d1" for the symbolic dims of a type, and makes them operands. */
static void write_dynamic(bk_writer *writer, const buddy_tensor_type *type, size_t *next) {
  const char *comma = "";
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (!BUDDY_IS_SYMBOLIC(type->dims[d])) continue;
    bk_write(writer, "%s%%d%zu", comma, (*next)++);
    comma = ", ";
  }
}

buddy_ir_value bk_index(buddy_call *call, int64_t dim) { return be_host->ir_dim(call, dim); }

static int add_dims(buddy_call *call, const buddy_tensor_type *type, operands *all) {
  if (type->rank > MAX_RANK) {
    be_decline(call, "rank %u is above %d", type->rank, MAX_RANK);
    return 0;
  }
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (!BUDDY_IS_SYMBOLIC(type->dims[d])) continue;
    all->values[all->n++] = bk_index(call, type->dims[d]);
    ++all->n_dims;
  }
  return 1;
}

static void write_dim_parameters(bk_writer *writer, const char *comma, size_t n) {
  for (size_t i = 0; i < n; ++i, comma = ", ") bk_write(writer, "%s%%d%zu: index", comma, i);
}

buddy_ir_value bk_fill(buddy_call *call, const buddy_tensor_type *type, const char *number) {
  bk_writer w;
  operands all = {.n = 0};
  size_t next = 0;
  if (!add_dims(call, type, &all)) return no_value;
  bk_writer_init(&w, call);
  bk_write(&w, "func.func @fill(");
  write_dim_parameters(&w, "", all.n_dims);
  bk_write(&w, ") -> %s {\n  %%c = ", bk_type_text(call, type));
  bk_write(&w, be_is_complex(type->dtype) ? "complex.constant [%s, 0.0]" : "arith.constant %s",
           number);
  bk_write(&w, " : %s\n  %%e = tensor.empty(", bk_dtype_text(type->dtype));
  write_dynamic(&w, type, &next);
  const char *text = bk_type_text(call, type);
  bk_write(&w, ") : %s\n  %%f = linalg.fill ins(%%c : %s) outs(%%e : %s) -> %s\n", text,
           bk_dtype_text(type->dtype), text, text);
  bk_write(&w, "  func.return %%f : %s\n}\n", text);
  return bk_text(call, w.data, all.values, all.n);
}

/* ---- Loops ----------------------------------------------------------------------------------- */
/* The loop that dim d of `from` runs over when it broadcasts to `to`; -1: index 0. */
static int loop_of(buddy_call *call, const buddy_tensor_type *from, const buddy_tensor_type *to,
                   uint32_t d) {
  const uint32_t loop = d + to->rank - from->rank;
  if (from->dims[d] == to->dims[loop]) return (int)loop;
  if (from->dims[d] != 1) be_decline(call, "dim %u does not broadcast to the result's", d);
  return -1;
}

static void write_loops(bk_writer *w, uint32_t rank) {
  bk_write(w, "affine_map<(");
  for (uint32_t d = 0; d < rank; ++d) bk_write(w, "%sx%u", d ? ", " : "", d);
  bk_write(w, ") -> (");
}

static void write_broadcast_map(bk_writer *w, const buddy_tensor_type *from,
                                const buddy_tensor_type *to) {
  write_loops(w, to->rank);
  for (uint32_t d = 0; d < from->rank; ++d) {
    const int loop = loop_of(w->call, from, to, d);
    if (loop < 0) bk_write(w, "%s0", d ? ", " : "");
    if (loop >= 0) bk_write(w, "%sx%d", d ? ", " : "", loop);
  }
  bk_write(w, ")>");
}

static void write_ins(bk_writer *w, const bk_input *inputs, size_t n) {
  if (n == 0) return;
  bk_write(w, " ins(");
  for (size_t i = 0; i < n; ++i) bk_write(w, "%s%%a%zu", i ? ", " : "", i);
  bk_write(w, " : ");
  for (size_t i = 0; i < n; ++i) {
    if (i) bk_write(w, ", ");
    write_tensor(w, inputs[i].type);
  }
  bk_write(w, ")");
}

static bool are_sound(buddy_call *call, const buddy_tensor_type *to, const bk_input *inputs,
                      size_t n) {
  if (!to || n > MAX_TENSORS || to->rank > MAX_RANK) {
    if (to) be_decline(call, "more than %d operands or dims", MAX_RANK);
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    if (!inputs[i].value.ptr || !inputs[i].type) return false;
    if (inputs[i].type->rank > MAX_RANK) return be_decline(call, "rank above %d", MAX_RANK), 0;
  }
  return true;
}

static void write_parameters(bk_writer *w, const bk_input *inputs, size_t n, size_t n_dims) {
  for (size_t i = 0; i < n; ++i) {
    bk_write(w, "%s%%a%zu: ", i ? ", " : "", i);
    write_tensor(w, inputs[i].type);
  }
  write_dim_parameters(w, n ? ", " : "", n_dims);
}

buddy_ir_value bk_elementwise(buddy_call *call, const buddy_tensor_type *to, const bk_input *inputs,
                              size_t n_inputs, const char *body) {
  bk_writer w;
  operands all = {.n = 0};
  size_t next = 0;
  if (!are_sound(call, to, inputs, n_inputs)) return no_value;
  for (size_t i = 0; i < n_inputs; ++i) {
    if (inputs[i].type->rank > to->rank) {
      be_decline(call, "operand %zu has a higher rank than the result", i);
      return no_value;
    }
    all.values[all.n++] = inputs[i].value;
  }
  if (!add_dims(call, to, &all)) return no_value;
  const char *type = bk_type_text(call, to);
  bk_writer_init(&w, call);
  bk_write(&w, "func.func @loops(");
  write_parameters(&w, inputs, n_inputs, all.n_dims);
  bk_write(&w, ") -> %s {\n  %%e = tensor.empty(", type);
  write_dynamic(&w, to, &next);
  bk_write(&w, ") : %s\n  %%r = linalg.generic {indexing_maps = [", type);
  for (size_t i = 0; i < n_inputs; ++i) {
    write_broadcast_map(&w, inputs[i].type, to);
    bk_write(&w, ", ");
  }
  write_broadcast_map(&w, to, to);
  bk_write(&w, "], iterator_types = [");
  for (uint32_t d = 0; d < to->rank; ++d) bk_write(&w, "%s\"parallel\"", d ? ", " : "");
  bk_write(&w, "]}");
  write_ins(&w, inputs, n_inputs);
  bk_write(&w, " outs(%%e : %s) {\n  ^bb0(", type);
  for (size_t i = 0; i < n_inputs; ++i)
    bk_write(&w, "%%in%zu: %s, ", i, bk_dtype_text(inputs[i].type->dtype));
  bk_write(&w, "%%out: %s):\n%s\n  } -> %s\n  func.return %%r : %s\n}\n", bk_dtype_text(to->dtype),
           body, type, type);
  return bk_text(call, w.data, all.values, all.n);
}

/* The result of a reduction: the dims that are not reduced, or all of them with 1 for the
 * reduced. */
static void write_reduced_map(bk_writer *w, uint32_t rank, uint64_t axes, int keeps) {
  const char *comma = "";
  write_loops(w, rank);
  for (uint32_t d = 0; d < rank; ++d) {
    const bool is_reduced = axes >> d & 1;
    if (is_reduced && !keeps) continue;
    if (is_reduced) bk_write(w, "%s0", comma);
    if (!is_reduced) bk_write(w, "%sx%u", comma, d);
    comma = ", ";
  }
  bk_write(w, ")>");
}

static int counts_agree(buddy_call *call, uint32_t rank, uint32_t to_rank, uint64_t axes,
                        int *out_keeps) {
  uint32_t n = 0;
  for (uint32_t d = 0; d < rank; ++d) n += (uint32_t)(axes >> d & 1);
  *out_keeps = to_rank == rank && n > 0;
  if (to_rank == rank || to_rank + n == rank) return 1;
  be_decline(call, "reducing %u of %u dims does not give %u", n, rank, to_rank);
  return 0;
}

buddy_ir_value bk_reduce(buddy_call *call, const buddy_tensor_type *to, bk_input input,
                         uint64_t axes, const char *init, const char *body) {
  bk_writer w;
  int keeps;
  if (!are_sound(call, to, &input, 1) || !init) return no_value;
  if (!counts_agree(call, input.type->rank, to->rank, axes, &keeps)) return no_value;
  operands all = {.values = {input.value}, .n = 1};
  size_t next = 0;
  if (!add_dims(call, to, &all)) return no_value;
  const char *type = bk_type_text(call, to), *element = bk_dtype_text(to->dtype);
  bk_writer_init(&w, call);
  bk_write(&w, "func.func @reduction(");
  write_parameters(&w, &input, 1, all.n_dims);
  bk_write(&w, ") -> %s {\n  %%c = arith.constant %s : %s\n  %%e = tensor.empty(", type, init,
           element);
  write_dynamic(&w, to, &next);
  bk_write(&w, ") : %s\n  %%f = linalg.fill ins(%%c : %s) outs(%%e : %s) -> %s\n", type, element,
           type, type);
  bk_write(&w, "  %%r = linalg.generic {indexing_maps = [");
  write_broadcast_map(&w, input.type, input.type);
  bk_write(&w, ", ");
  write_reduced_map(&w, input.type->rank, axes, keeps);
  bk_write(&w, "], iterator_types = [");
  for (uint32_t d = 0; d < input.type->rank; ++d) {
    bk_write(&w, "%s\"%s\"", d ? ", " : "", axes >> d & 1 ? "reduction" : "parallel");
  }
  bk_write(&w, "]}");
  write_ins(&w, &input, 1);
  bk_write(&w, " outs(%%f : %s) {\n  ^bb0(%%in0: %s, %%acc: %s):\n%s\n  } -> %s\n", type,
           bk_dtype_text(input.type->dtype), element, body, type);
  bk_write(&w, "  func.return %%r : %s\n}\n", type);
  return bk_text(call, w.data, all.values, all.n);
}

/* ---- Calls ----------------------------------------------------------------------------------- */
/* memref<dims, strided<[?, …], offset: ?>>: any view that a tensor may have become. */
static void write_strided(bk_writer *w, const buddy_tensor_type *type) {
  bk_write(w, "memref<");
  bk_write_dims(w, type);
  bk_write(w, "%s, strided<[", bk_dtype_text(type->dtype));
  for (uint32_t d = 0; d < type->rank; ++d) bk_write(w, "%s?", d ? ", " : "");
  bk_write(w, "], offset: ?>>");
}

static void write_signature(bk_writer *w, const bk_runtime_call *spec) {
  const char *comma = "";
  bk_write(w, "(");
  for (size_t i = 0; i < spec->n_inputs; ++i, comma = ", ")
    bk_write(w, "%smemref<*x%s>", comma, bk_dtype_text(spec->inputs[i].type->dtype));
  for (size_t i = 0; i < spec->n_outputs; ++i, comma = ", ")
    bk_write(w, "%smemref<*x%s>", comma, bk_dtype_text(spec->outputs[i]->dtype));
  for (size_t i = 0; i < spec->n_ints; ++i, comma = ", ") bk_write(w, "%si64", comma);
  for (size_t i = 0; i < spec->n_floats; ++i, comma = ", ") bk_write(w, "%sf64", comma);
  if (spec->keeps != 0) bk_write(w, "%si64, i64", comma);
  bk_write(w, ")");
}

/* LLVM 21 renamed to_memref. */
static const char *to_buffer(void) {
  return be_host->llvm_version >= BUDDY_VERSION(21, 0) ? "to_buffer" : "to_memref";
}

static void write_input(bk_writer *w, const buddy_tensor_type *type, size_t i) {
  bk_write(w, "  %%b%zu = bufferization.%s %%a%zu read_only : ", i, to_buffer(), i);
  if (be_host->llvm_version >= BUDDY_VERSION(20, 0)) {
    write_tensor(w, type);
    bk_write(w, " to ");
  }
  write_strided(w, type);
  bk_write(w, "\n  %%u%zu = memref.cast %%b%zu : ", i, i);
  write_strided(w, type);
  bk_write(w, " to memref<*x%s>\n", bk_dtype_text(type->dtype));
}

static void write_output(bk_writer *w, const buddy_tensor_type *type, size_t i, size_t *next) {
  bk_write(w, "  %%r%zu = memref.alloc(", i);
  write_dynamic(w, type, next);
  bk_write(w, ") {alignment = 64 : i64} : ");
  write_shaped(w, "memref", type);
  bk_write(w, "\n  %%v%zu = memref.cast %%r%zu : ", i, i);
  write_shaped(w, "memref", type);
  bk_write(w, " to memref<*x%s>\n", bk_dtype_text(type->dtype));
}

static void write_numbers(bk_writer *w, const bk_runtime_call *spec) {
  for (size_t i = 0; i < spec->n_ints; ++i)
    bk_write(w, "  %%i%zu = arith.constant %lld : i64\n", i, (long long)spec->ints[i]);
  for (size_t i = 0; i < spec->n_floats; ++i) {
    uint64_t bits;
    memcpy(&bits, &spec->floats[i], sizeof(bits));
    bk_write(w, "  %%f%zu = arith.constant 0x%016llX : f64\n", i, (unsigned long long)bits);
  }
  if (spec->keeps != 0) bk_write(w, "  %%slot = arith.constant 0 : i64\n");
}

static void write_call(bk_writer *w, const bk_runtime_call *spec) {
  const char *comma = "";
  bk_write(w, "  %sfunc.call @%s(", spec->effects ? "%code = " : "", spec->symbol);
  for (size_t i = 0; i < spec->n_inputs; ++i, comma = ", ") bk_write(w, "%s%%u%zu", comma, i);
  for (size_t i = 0; i < spec->n_outputs; ++i, comma = ", ") bk_write(w, "%s%%v%zu", comma, i);
  for (size_t i = 0; i < spec->n_ints; ++i, comma = ", ") bk_write(w, "%s%%i%zu", comma, i);
  for (size_t i = 0; i < spec->n_floats; ++i, comma = ", ") bk_write(w, "%s%%f%zu", comma, i);
  if (spec->keeps != 0) bk_write(w, "%s%%slot, %%slot", comma);
  bk_write(w, ") {" BUDDY_CALL_INPUTS " = %zu : i64", spec->n_inputs);
  if (spec->pixels != 0)
    bk_write(w, ", " BUDDY_CALL_PIXELS " = %llu : i64", (unsigned long long)spec->pixels);
  if (spec->keeps != 0)
    bk_write(w, ", " BUDDY_CALL_KEEPS " = %llu : i64", (unsigned long long)spec->keeps);
  if (spec->effects) bk_write(w, ", " BUDDY_CALL_EFFECTS " = 1 : i64");
  bk_write(w, "} : ");
  write_signature(w, spec);
  bk_write(w, spec->effects ? " -> i64\n" : " -> ()\n");
  if (!spec->effects) return;
  bk_write(w,
           "  %%none = arith.constant 0 : i64\n  %%is_done = arith.cmpi eq, %%code, %%none : i64\n"
           "  cf.assert %%is_done, \"%s failed\"\n",
           spec->symbol);
}

/* Nobody else knows the buffer, so later ops may write into it. */
static void write_results(bk_writer *w, const bk_runtime_call *spec) {
  for (size_t i = 0; i < spec->n_outputs; ++i) {
    bk_write(w, "  %%t%zu = bufferization.to_tensor %%r%zu restrict writable : ", i, i);
    write_shaped(w, "memref", spec->outputs[i]);
    if (be_host->llvm_version >= BUDDY_VERSION(20, 0)) {
      bk_write(w, " to ");
      write_tensor(w, spec->outputs[i]);
    }
    bk_write(w, "\n");
  }
  bk_write(w, "  func.return ");
  for (size_t i = 0; i < spec->n_outputs; ++i) bk_write(w, "%s%%t%zu", i ? ", " : "", i);
  bk_write(w, " : ");
  for (size_t i = 0; i < spec->n_outputs; ++i) {
    if (i) bk_write(w, ", ");
    write_tensor(w, spec->outputs[i]);
  }
  bk_write(w, "\n}\n");
}

static void write_result_types(bk_writer *w, const bk_runtime_call *spec) {
  bk_write(w, ") -> (");
  for (size_t i = 0; i < spec->n_outputs; ++i) {
    if (i) bk_write(w, ", ");
    write_tensor(w, spec->outputs[i]);
  }
  bk_write(w, ") {\n");
}

buddy_code bk_call(buddy_call *call, const bk_runtime_call *spec, buddy_ir_value *out_results) {
  bk_writer w;
  operands all = {.n = 0};
  size_t next = 0;
  for (size_t i = 0; i < spec->n_outputs; ++i) {
    out_results[i] = no_value;
    if (!spec->outputs[i]) return BUDDY_OUT_OF_MEMORY;
  }
  if (spec->n_outputs == 0 || spec->n_outputs + spec->n_inputs > MAX_TENSORS)
    return be_fail(call, BUDDY_INVALID_ARGUMENT, "%s: no output, or too many tensors",
                   spec->symbol);
  if (!are_sound(call, spec->outputs[0], spec->inputs, spec->n_inputs))
    return be_fail(call, BUDDY_INVALID_ARGUMENT, "%s: an input is null", spec->symbol);
  for (size_t i = 0; i < spec->n_ints; ++i) {
    if (BUDDY_IS_SYMBOLIC(spec->ints[i]))
      return be_decline(call, "a number is known only when the program runs");
  }
  for (size_t i = 0; i < spec->n_inputs; ++i) all.values[all.n++] = spec->inputs[i].value;
  for (size_t i = 0; i < spec->n_outputs; ++i) {
    if (!add_dims(call, spec->outputs[i], &all)) return BUDDY_DECLINED;
  }
  bk_writer_init(&w, call);
  bk_write(&w, "func.func private @%s", spec->symbol);
  write_signature(&w, spec);
  bk_write(&w, "%s attributes {llvm.emit_c_interface}\nfunc.func @row(",
           spec->effects ? " -> i64" : "");
  write_parameters(&w, spec->inputs, spec->n_inputs, all.n_dims);
  write_result_types(&w, spec);
  for (size_t i = 0; i < spec->n_inputs; ++i) write_input(&w, spec->inputs[i].type, i);
  for (size_t i = 0; i < spec->n_outputs; ++i) write_output(&w, spec->outputs[i], i, &next);
  write_numbers(&w, spec);
  write_call(&w, spec);
  write_results(&w, spec);
  return text_results(call, w.data, all.values, all.n, out_results, spec->n_outputs);
}
