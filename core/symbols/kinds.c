// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/symbols/kinds.c: names of op kinds, and the reading side of op definitions. */
#include <string.h>

#include "core/symbols/opdef.h"

const char *buddy_op_kind_name(buddy_op_kind kind) {
  static const char *const names[] = {
#define BUDDY_X(name, text) [BUDDY_KIND_##name] = (text),
      BUDDY_OP_KINDS(BUDDY_X)
#undef BUDDY_X
  };
  return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

const char *buddy_opdef_name(const buddy_opdef *def) { return def->name; }
const char *buddy_opdef_schema(const buddy_opdef *def) { return def->schema; }
buddy_op_kind buddy_opdef_kind(const buddy_opdef *def) { return def->kind; }
size_t buddy_opdef_n_args(const buddy_opdef *def) { return def->n_args; }
size_t buddy_opdef_n_results(const buddy_opdef *def) { return def->n_results; }

const buddy_schema_arg *buddy_opdef_arg(const buddy_opdef *def, size_t i) {
  return i < def->n_args ? &def->args[i] : NULL;
}

const buddy_schema_arg *buddy_opdef_result(const buddy_opdef *def, size_t i) {
  return i < def->n_results ? &def->results[i] : NULL;
}

buddy_code buddy_opdef_arg_find(const buddy_opdef *def, buddy_sv name, size_t *out_i) {
  *out_i = 0;
  for (size_t i = 0; i < def->n_args; ++i) {
    const char *own = def->args[i].name;
    if (strlen(own) != name.size || memcmp(own, name.data, name.size)) continue;
    *out_i = i;
    return BUDDY_OK;
  }
  return BUDDY_NOT_FOUND;
}
