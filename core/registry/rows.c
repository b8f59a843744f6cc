// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/rows.c: a row names the arguments it consumes, "self, other, alpha", in an order of
 * its own. Here they are looked up once in the op's schema, so that asking a row costs no
 * strings. */
#include "core/registry/rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/try.h"
#include "core/symbols/opdef.h"

typedef struct preparation {
  bd_plugin *plugin;
  const buddy_opset *opset;
  bd_arena *arena;
  buddy_severity severity;
  buddy_diags *diags;
} preparation;

static buddy_code refuse_row(const preparation *p, const bd_row *row, buddy_code code,
                             const char *what) {
  const buddy_registry *registry = &p->plugin->descriptor.registry;
  return buddy_diags_add(p->diags, p->severity, code, p->plugin->path,
                         "this is for the author of the registry to mend",
                         "registry '%s', %s %u (%s): %s", registry->name,
                         row->transform ? "transform" : "row", row->index, row->op->name, what);
}

static buddy_code refuse_argument(const preparation *p, const bd_row *row, buddy_sv name,
                                  const char *what) {
  bd_text text;
  bd_text_init(&text);
  bd_text_string(&text, "lists argument '");
  bd_text_shown(&text, name.data, name.size, 64);
  bd_text_format(&text, "', which %s:", what);
  const size_t n = buddy_opdef_n_args(row->def);
  for (size_t i = 0; i < n; ++i)
    bd_text_format(&text, "%s %s", i ? "," : "", buddy_opdef_arg(row->def, i)->name);
  const buddy_code code = refuse_row(p, row, BUDDY_INVALID_ARGUMENT, text.data);
  bd_text_deinit(&text);
  return code;
}

/* The next of "a, b, c" from *text on, without the blanks around it. */
static buddy_sv next_name(const char **text) {
  const size_t size = strcspn(*text, ",");
  buddy_sv name = {*text, size};
  *text += size + ((*text)[size] == ',');
  while (name.size && *name.data == ' ') ++name.data, --name.size;
  while (name.size && name.data[name.size - 1] == ' ') --name.size;
  return name;
}

static buddy_code add_argument(const preparation *p, bd_row *row, buddy_sv name,
                               uint8_t *arguments) {
  size_t i;
  if (buddy_opdef_arg_find(row->def, name, &i) != BUDDY_OK) {
    return refuse_argument(p, row, name, "the op does not have");
  }
  if (row->listed >> i & 1) return refuse_argument(p, row, name, "it has listed already");
  row->listed |= UINT64_C(1) << i;
  arguments[row->n_arguments++] = (uint8_t)i;
  return BUDDY_OK;
}

static buddy_code take_arguments(const preparation *p, bd_row *row) {
  const size_t n = buddy_opdef_n_args(row->def);
  if (n > BD_MAX_ARGS) return refuse_row(p, row, BUDDY_LIMIT, "the op has more than 64 arguments");
  uint8_t *arguments = bd_arena_bytes(p->arena, n + 1);
  if (!arguments) return BUDDY_OUT_OF_MEMORY;
  row->arguments = arguments;
  buddy_code code = BUDDY_OK;
  const char *text = row->op->args;
  while (*text == ' ') ++text;
  for (bool is_more = *text != 0; is_more;) {
    is_more = strchr(text, ',') != NULL;
    const buddy_code one = add_argument(p, row, next_name(&text), arguments);
    if (code == BUDDY_OK || one == BUDDY_OUT_OF_MEMORY) code = one;
  }
  return code;
}

/* Which of two rows comes first must not be chance. */
static buddy_code check_twins(const preparation *p, bd_row *rows, size_t n) {
  buddy_code code = bd_rows_sort(rows, n);
  for (size_t i = 1; i < n; ++i) {
    const bd_row *a = &rows[i - 1], *b = &rows[i];
    if (strcmp(a->name, b->name) != 0 || a->op->benefit != b->op->benefit) continue;
    char what[128];
    bd_text text;
    bd_text_init_fixed(&text, what, sizeof what);
    bd_text_format(&text, "has the op and the benefit %u of row %u; give one a higher benefit",
                   b->op->benefit, a->index);
    const buddy_code one = refuse_row(p, b, BUDDY_INVALID_ARGUMENT, what);
    if (code == BUDDY_OK || one == BUDDY_OUT_OF_MEMORY) code = one;
  }
  return code;
}

static uint32_t rank_of(const buddy_op *op, size_t registry) {
  return (uint32_t)registry + 1 + (op->flags & BUDDY_ROW_LAST ? 1u << 31 : 0);
}

buddy_code bd_rows_prepare(bd_plugin *plugin, size_t registry, const buddy_opset *opset,
                           bd_arena *arena, buddy_severity severity, buddy_diags *diags,
                           bd_row *rows, size_t *out_n) {
  const preparation p = {plugin, opset, arena, severity, diags};
  const bd_descriptor *descriptor = &plugin->descriptor;
  size_t n = *out_n = 0;
  buddy_code code = BUDDY_OK;
  for (uint32_t i = 0; i < descriptor->registry.n_ops; ++i) {
    const buddy_op *op = &descriptor->registry.ops[i];
    const buddy_opdef *def;
    BD_TRY(bd_opset_look_up(opset, op->name, &def));
    if (!def) continue;
    rows[n] = (bd_row){.op = op,
                       .plugin = plugin,
                       .registry = (uint32_t)registry,
                       .index = i,
                       .rank = rank_of(op, registry),
                       .name = buddy_opdef_name(def),
                       .def = def};
    const buddy_code one = take_arguments(&p, &rows[n++]);
    if (code == BUDDY_OK || one == BUDDY_OUT_OF_MEMORY) code = one;
  }
  const buddy_code twins = check_twins(&p, rows, n);
  *out_n = n;
  return code == BUDDY_OK ? twins : code;
}

static int by_benefit(const void *a, const void *b) {
  const bd_row *x = a, *y = b;
  if (x->op->benefit != y->op->benefit) return x->op->benefit > y->op->benefit ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

buddy_code bd_rows_prepare_transforms(bd_plugin *plugin, size_t registry, const buddy_opset *opset,
                                      bd_arena *arena, buddy_severity severity, buddy_diags *diags,
                                      bd_row *rows, size_t *out_n) {
  const preparation p = {plugin, opset, arena, severity, diags};
  size_t n = *out_n = 0;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < plugin->extensions.n_transforms; ++i) {
    const bd_transform *transform = &plugin->extensions.transforms[i];
    const buddy_opdef *def;
    BD_TRY(bd_opset_look_up(opset, transform->op.name, &def));
    if (!def) continue;
    rows[n] = (bd_row){.op = &transform->op,
                       .plugin = plugin,
                       .transform = transform,
                       .registry = (uint32_t)registry,
                       .index = transform->index,
                       .name = buddy_opdef_name(def),
                       .def = def};
    const buddy_code one = take_arguments(&p, &rows[n++]);
    if (code == BUDDY_OK || one == BUDDY_OUT_OF_MEMORY) code = one;
  }
  if (n > 1) qsort(rows, n, sizeof *rows, by_benefit);
  *out_n = n;
  return code;
}
