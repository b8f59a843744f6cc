// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/artifact.c: a compiled program as data in an LLVM module.
 *
 * Each C struct is written as an LLVM struct of the same fields in the same order: LLVM lays it out
 * as C does, so that padding is its business. */
#include "sdk/compile/ahead/artifact.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include "sdk/compile/ahead/glue.h"
#include "sdk/compile/code/objects.h"

/* The structs below are written field by field: whoever adds a field to one of them is told
 * here. */
_Static_assert(sizeof(buddy_port) == 40, "bd_artifact_write writes buddy_port");
_Static_assert(sizeof(bd_step) == 16, "bd_artifact_write writes bd_step");
_Static_assert(sizeof(bd_size) == 32, "bd_artifact_write writes bd_size");
_Static_assert(sizeof(bd_symbol) == 24, "bd_artifact_write writes bd_symbol");
_Static_assert(sizeof(bd_input) == 48, "bd_artifact_write writes bd_input");
_Static_assert(sizeof(bd_output) == 104, "bd_artifact_write writes bd_output");
_Static_assert(sizeof(bd_signature) == 128, "bd_artifact_write writes bd_signature");
_Static_assert(sizeof(bd_size_guard) == 40, "bd_artifact_write writes bd_size_guard");
_Static_assert(sizeof(bd_batch_note) == 24, "bd_artifact_write writes bd_batch_note");
_Static_assert(sizeof(bd_assertion) == 16, "bd_artifact_write writes bd_assertion");
_Static_assert(sizeof(bd_weight) == 40, "bd_artifact_write writes bd_weight");
_Static_assert(sizeof(bd_artifact_import) == 24, "bd_artifact_write writes bd_artifact_import");
_Static_assert(sizeof(bd_supplier) == 32, "bd_artifact_write writes bd_supplier");
_Static_assert(sizeof(bd_artifact) == 168, "bd_artifact_write writes bd_artifact");

typedef struct writer {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTypeRef pointer;
  bool is_lost; /* memory was out */
} writer;

/* ---- Constants ---- */

static LLVMValueRef number(const writer *w, unsigned bits, uint64_t value) {
  return LLVMConstInt(LLVMIntTypeInContext(w->context, bits), value, 0);
}
static LLVMValueRef i32(const writer *w, uint64_t value) { return number(w, 32, value); }
static LLVMValueRef i64(const writer *w, uint64_t value) { return number(w, 64, value); }
static LLVMValueRef null(const writer *w) { return LLVMConstPointerNull(w->pointer); }

#define STRUCT(w, ...)                                                  \
  LLVMConstStructInContext((w)->context, (LLVMValueRef[]){__VA_ARGS__}, \
                           sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef), 0)

/* Data of this object alone, and its address. */
static LLVMValueRef place(const writer *w, LLVMValueRef value, unsigned alignment) {
  LLVMValueRef global = LLVMAddGlobal(w->module, LLVMTypeOf(value), "");
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetAlignment(global, alignment);
  return global;
}

static LLVMValueRef bytes(const writer *w, const void *data, size_t n, unsigned alignment) {
  return place(w, LLVMConstStringInContext2(w->context, data, n, 1), alignment);
}

static LLVMValueRef text(const writer *w, const char *string) {
  return !string ? null(w) : bytes(w, string, strlen(string) + 1, 1);
}

/* An array whose elements one(w, list, i) makes. */
static LLVMValueRef array(writer *w, const void *list, size_t n,
                          LLVMValueRef (*one)(writer *w, const void *list, size_t i)) {
  if (n == 0 || !list) return null(w);
  LLVMValueRef *items = bd_calloc(n, sizeof(LLVMValueRef));
  if (!items) {
    w->is_lost = true;
    return null(w);
  }
  for (size_t i = 0; i < n; ++i) items[i] = one(w, list, i);
  LLVMValueRef value = LLVMConstArray2(LLVMTypeOf(items[0]), items, n);
  free(items);
  return place(w, value, 8);
}

static LLVMValueRef one_i64(writer *w, const void *list, size_t i) {
  return i64(w, (uint64_t)((const int64_t *)list)[i]);
}

static LLVMValueRef one_u32(writer *w, const void *list, size_t i) {
  return i32(w, ((const uint32_t *)list)[i]);
}

/* ---- The signature ---- */

static LLVMValueRef one_step(writer *w, const void *list, size_t i) {
  const bd_step *step = (const bd_step *)list + i;
  return STRUCT(w, i32(w, (uint64_t)step->kind), i64(w, (uint64_t)step->operand));
}

static LLVMValueRef size_of(writer *w, const bd_size *size) {
  return STRUCT(w, i64(w, (uint64_t)size->number), array(w, size->steps, size->n_steps, one_step),
                i64(w, size->n_steps), text(w, size->text));
}

static LLVMValueRef one_size(writer *w, const void *list, size_t i) {
  return size_of(w, (const bd_size *)list + i);
}

static LLVMValueRef one_symbol(writer *w, const void *list, size_t i) {
  const bd_symbol *symbol = (const bd_symbol *)list + i;
  return STRUCT(w, text(w, symbol->name), i64(w, (uint64_t)symbol->min),
                i64(w, (uint64_t)symbol->max));
}

static LLVMValueRef port_of(writer *w, const buddy_port *port) {
  return STRUCT(w, text(w, port->name), text(w, port->target), i32(w, (uint64_t)port->kind),
                i32(w, (uint64_t)port->dtype), i32(w, port->rank),
                array(w, port->dims, port->rank, one_i64));
}

static LLVMValueRef one_input(writer *w, const void *list, size_t i) {
  const bd_input *input = (const bd_input *)list + i;
  return STRUCT(w, port_of(w, &input->port), array(w, input->sizes, input->port.rank, one_size));
}

static LLVMValueRef one_output(writer *w, const void *list, size_t i) {
  const bd_output *output = (const bd_output *)list + i;
  LLVMTypeRef real = LLVMDoubleTypeInContext(w->context);
  uint64_t bits; /* exact, whatever the number is */
  memcpy(&bits, &output->number, sizeof(bits));
  return STRUCT(w, port_of(w, &output->port), i32(w, (uint64_t)output->source),
                i64(w, output->result), size_of(w, &output->value),
                LLVMConstBitCast(i64(w, bits), real),
                array(w, output->sizes, output->port.rank, one_size));
}

static LLVMValueRef one_guard(writer *w, const void *list, size_t i) {
  const bd_size_guard *guard = (const bd_size_guard *)list + i;
  return STRUCT(w, size_of(w, &guard->predicate), text(w, guard->where));
}

static LLVMValueRef one_growth(writer *w, const void *list, size_t i) {
  const bd_growth *growth = (const bd_growth *)list + i;
  return STRUCT(w, i64(w, growth->input), i64(w, growth->dim), i64(w, growth->symbol));
}

static LLVMValueRef signature_of(writer *w, const bd_signature *s) {
  return place(
      w,
      STRUCT(w, array(w, s->symbols, s->n_symbols, one_symbol), i64(w, s->n_symbols),
             array(w, s->inputs, s->n_inputs, one_input), i64(w, s->n_inputs),
             array(w, s->outputs, s->n_outputs, one_output), i64(w, s->n_outputs), null(w),
             array(w, s->guards, s->n_guards, one_guard), i64(w, s->n_guards),
             STRUCT(w, i64(w, s->rows.symbol), i64(w, s->rows.is_repeatable), text(w, s->rows.why)),
             array(w, s->growths, s->n_growths, one_growth), i64(w, s->n_growths),
             array(w, s->unread, s->n_unread, one_i64), i64(w, s->n_unread)),
      8);
}

/* ---- The artifact ---- */

static LLVMValueRef one_assertion(writer *w, const void *list, size_t i) {
  const bd_assertion *assertion = (const bd_assertion *)list + i;
  return STRUCT(w, text(w, assertion->message), text(w, assertion->where));
}

static LLVMValueRef one_weight(writer *w, const void *list, size_t i) {
  const bd_artifact_content *content = list;
  const bd_weight *weight = &content->weights[i];
  return STRUCT(
      w, i64(w, (uint64_t)weight->at), i64(w, weight->n_bytes), i64(w, (uint64_t)weight->offset),
      array(w, weight->strides, content->compiled->signature->inputs[i].port.rank, one_i64),
      !weight->bytes ? null(w) : bytes(w, weight->bytes, weight->n_bytes, 64));
}

/* A function that is called through a slot. */
typedef struct import_slot {
  LLVMValueRef name, place;
  uint64_t supplier;
} import_slot;

typedef struct slots {
  import_slot *items;
  size_t n;
} slots;

static LLVMValueRef one_import(writer *w, const void *list, size_t i) {
  const import_slot *own = (const import_slot *)list + i;
  return STRUCT(w, own->name, own->place, i64(w, own->supplier));
}

static LLVMValueRef one_supplier(writer *w, const void *list, size_t i) {
  const bd_supplier *supplier = &((const bd_supplied *)list)[i].supplier;
  return STRUCT(w, text(w, supplier->registry), text(w, supplier->version), text(w, supplier->file),
                text(w, supplier->folder));
}

static LLVMValueRef declare(const writer *w, const char *name, LLVMTypeRef type) {
  LLVMValueRef known = LLVMGetNamedFunction(w->module, name);
  return known ? known : LLVMAddFunction(w->module, name, type);
}

/* Null where nothing is loaded: the linker leaves that part of the runtime out. */
static LLVMValueRef bind_of(const writer *w, const bd_suppliers *suppliers) {
  if (!suppliers || suppliers->n_loaded == 0) return null(w);
  LLVMTypeRef parameters[] = {w->pointer, w->pointer};
  return declare(w, "buddy_runtime_bind",
                 LLVMFunctionType(LLVMInt32TypeInContext(w->context), parameters, 2, 0));
}

static LLVMValueRef allocate_of(const writer *w) {
  LLVMTypeRef parameters[] = {LLVMInt64TypeInContext(w->context)};
  return declare(w, "_mlir_memref_to_llvm_alloc", LLVMFunctionType(w->pointer, parameters, 1, 0));
}

static LLVMValueRef artifact_of(writer *w, const bd_artifact_content *c, const slots *imports) {
  const buddy_program *p = c->compiled;
  const size_t n_suppliers = c->suppliers ? c->suppliers->n_loaded : 0;
  char features[256], producer[64];
  bd_cpu_features(c->target->triple, c->target->cpu, c->target->features, BD_X86_FEATURES, features,
                  sizeof(features));
  snprintf(producer, sizeof(producer), "buddy %s", buddy_version());
  LLVMValueRef data = null(w);
  if (c->placement == BD_IN_OBJECT && c->n_data > 0) data = bytes(w, c->data, c->n_data, 64);
  if (c->placement == BD_IN_FILE) data = text(w, c->data);
  return STRUCT(w, i32(w, BD_ARTIFACT_FORMAT), i32(w, c->placement), text(w, c->name),
                text(w, producer), text(w, features), signature_of(w, p->signature),
                array(w, p->assertions.items, p->assertions.n, one_assertion),
                i64(w, p->assertions.n), array(w, p->result_ranks, p->n_results, one_u32),
                i64(w, p->n_results), LLVMGetNamedFunction(w->module, c->entry), allocate_of(w),
                array(w, c, p->signature->n_inputs, one_weight),
                array(w, c->passing, p->signature->n_outputs, one_u32), data, i64(w, c->n_data),
                bytes(w, c->identity, BD_IDENTITY_SIZE, 1),
                array(w, imports->items, imports->n, one_import), i64(w, imports->n),
                array(w, c->suppliers ? c->suppliers->items : NULL, n_suppliers, one_supplier),
                i64(w, n_suppliers), bind_of(w, c->suppliers));
}

/* ---- What the code reads and calls ---- */

static void *find_address(const bd_symbol_table *symbols, const char *name) {
  for (size_t i = 0; i < bd_symbol_table_count(symbols); ++i) {
    const bd_symbol_address symbol = bd_symbol_table_get(symbols, i);
    if (strcmp(symbol.name, name) == 0) return symbol.address;
  }
  return NULL;
}

/* Constants that were kept out of LLVM's passes (constants.c) come into the object now. */
static buddy_code place_constants(const writer *w, const bd_symbol_table *symbols,
                                  buddy_diags *diags) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(w->module);
  LLVMValueRef global = LLVMGetFirstGlobal(w->module);
  while (global) {
    LLVMValueRef next = LLVMGetNextGlobal(global);
    if (LLVMIsDeclaration(global)) {
      const char *name = LLVMGetValueName(global);
      const void *from = find_address(symbols, name);
      if (!from) {
        return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, "", NULL,
                               "the compiled code reads %s, which nobody defines", name);
      }
      const size_t n = (size_t)LLVMABISizeOfType(layout, LLVMGlobalGetValueType(global));
      LLVMReplaceAllUsesWith(global, bytes(w, from, n, 64));
      LLVMDeleteGlobal(global);
    }
    global = next;
  }
  return BUDDY_OK;
}

/* vector_math.c hides libm's functions from LLVM behind names of its own: they get theirs back. */
static void restore_names(const writer *w, const bd_symbol_table *symbols) {
  static const char prefix[] = "buddy_";
  LLVMValueRef function = LLVMGetFirstFunction(w->module);
  while (function) {
    LLVMValueRef next = LLVMGetNextFunction(function);
    const char *name = LLVMGetValueName(function);
    char own[64] = "";
    if (LLVMIsDeclaration(function) && strncmp(name, prefix, sizeof(prefix) - 1) == 0)
      snprintf(own, sizeof(own), "%s", name + sizeof(prefix) - 1);
    LLVMValueRef known = LLVMGetNamedFunction(w->module, own);
    if (*own == '\0' || !find_address(symbols, own)) {
      /* no function of libm */
    } else if (!known) {
      LLVMSetValueName2(function, own, strlen(own));
    } else {
      LLVMReplaceAllUsesWith(function, known);
      LLVMDeleteFunction(function);
    }
    function = next;
  }
}

/* Calls of f become calls of what the slot holds. False if f is used in another way. */
static int call_through(const writer *w, LLVMValueRef f, LLVMValueRef slot) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(w->context);
  bool is_called = true;
  LLVMUseRef use = LLVMGetFirstUse(f);
  while (use && is_called) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    is_called = LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f;
    if (!is_called) break;
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
                   LLVMBuildLoad2(builder, w->pointer, slot, ""));
  }
  LLVMDisposeBuilder(builder);
  return is_called;
}

/* Whether calls of the function go through a slot, and whose file has it. */
static bool is_import(const bd_artifact_content *content, LLVMValueRef f, uint64_t *out_supplier) {
  const char *name = LLVMGetValueName(f);
  *out_supplier = 0;
  if (!content->registries || !LLVMIsDeclaration(f) || !LLVMGetFirstUse(f)) return false;
  return !content->suppliers
             ? bd_registries_provider(content->registries, name) != NULL
             : bd_suppliers_find(content->suppliers, content->registries, name, out_supplier);
}

static buddy_code add_slot(const writer *w, LLVMValueRef f, uint64_t supplier, buddy_diags *diags,
                           slots *out) {
  const char *name = LLVMGetValueName(f);
  import_slot *items = bd_realloc(out->items, (out->n + 1) * sizeof(import_slot));
  if (!items) return BUDDY_OUT_OF_MEMORY;
  out->items = items;
  LLVMValueRef own = place(w, null(w), 8);
  LLVMSetGlobalConstant(own, 0);
  items[out->n++] = (import_slot){text(w, name), own, supplier};
  if (call_through(w, f, own)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, name, NULL,
                         "the code takes the address of a registry's function");
}

static buddy_code redirect_imports(const writer *w, const bd_artifact_content *content,
                                   buddy_diags *diags, slots *out) {
  *out = (slots){NULL, 0};
  LLVMValueRef f = LLVMGetFirstFunction(w->module);
  while (f) {
    LLVMValueRef next = LLVMGetNextFunction(f);
    uint64_t supplier;
    if (is_import(content, f, &supplier)) BD_TRY(add_slot(w, f, supplier, diags, out));
    f = next;
  }
  return BUDDY_OK;
}

static void hide_functions(const writer *w) {
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f; f = LLVMGetNextFunction(f)) {
    if (!LLVMIsDeclaration(f) && LLVMGetVisibility(f) != LLVMHiddenVisibility)
      LLVMSetLinkage(f, LLVMInternalLinkage);
  }
}

static LLVMValueRef define(const writer *w, LLVMValueRef value, const char *name) {
  LLVMValueRef global = LLVMAddGlobal(w->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetAlignment(global, 64);
  return global;
}

void bd_artifact_write_part(LLVMModuleRef module, const bd_symbol_table *symbols) {
  const writer w = {.module = module, .context = LLVMGetModuleContext(module)};
  restore_names(&w, symbols);
}

buddy_code bd_artifact_write(LLVMModuleRef module, const bd_artifact_content *content,
                             buddy_diags *diags) {
  writer w = {module, LLVMGetModuleContext(module), NULL, 0};
  w.pointer = LLVMPointerTypeInContext(w.context, 0);
  char name[1024];
  BD_TRY(place_constants(&w, content->symbols, diags));
  slots imports;
  restore_names(&w, content->symbols);
  buddy_code code = redirect_imports(&w, content, diags, &imports);
  if (code != BUDDY_OK) {
    free(imports.items);
    return code;
  }
  hide_functions(&w);
  snprintf(name, sizeof(name), "%s_artifact", content->name);
  if (content->is_library)
    snprintf(name, sizeof(name), BD_ARTIFACT_SYMBOL "%s%s", content->program ? "." : "",
             content->program ? content->program : "");
  LLVMValueRef artifact = define(&w, artifact_of(&w, content, &imports), name);
  if (content->is_library && content->programs) {
    const size_t n = strlen(content->programs);
    define(&w, LLVMConstStringInContext2(w.context, content->programs, n, 0),
           content->program ? BD_PROGRAMS_SYMBOL : BD_PROGRAM_SYMBOL);
  }
  free(imports.items);
  if (!content->is_library) LLVMSetLinkage(artifact, LLVMInternalLinkage);
  if (content->has_functions)
    code = bd_glue_write(module, content->name, artifact, content->compiled->signature,
                         content->passing);
  return w.is_lost ? BUDDY_OUT_OF_MEMORY : code;
}

/* ---- What a module calls ---- */

int bd_calls_vector_math(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) && strncmp(LLVMGetValueName(f), "_ZGV", 4) == 0 && LLVMGetFirstUse(f))
      return 1;
  }
  return 0;
}
