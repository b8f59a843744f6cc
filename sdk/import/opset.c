// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/opset.c: the op definitions of ATen and its kin, from tables that generate_schemas.py
 * writes. */
#include <string.h>

#include "buddy/import.h"
#include "core/base/try.h"
#include "sdk/import/functionalize.h"
#include "sdk/import/tables.h"

static const buddy_schema_row rows[] = {
#include "sdk/import/aten_schemas.inc"
};

typedef struct name_pair {
  const char *from, *to;
} name_pair;

static const name_pair aliases[] = {
#include "sdk/import/aten_aliases.inc"
};

/* Sorted by `from`. */
static const name_pair twins[] = {
#include "sdk/import/aten_functional.inc"
};

buddy_code buddy_aten_opset_create(buddy_opset **out_opset) {
  *out_opset = NULL;
  buddy_opset *opset;
  BD_TRY(buddy_opset_create(&opset));
  buddy_code code = buddy_opset_add_table(opset, rows, sizeof rows / sizeof *rows);
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases && !code; ++i) {
    code = buddy_opset_alias(opset, aliases[i].from, aliases[i].to, NULL);
  }
  if (code) {
    buddy_opset_destroy(opset);
    return code;
  }
  *out_opset = opset;
  return BUDDY_OK;
}

const char *bd_functional_twin(const char *op) {
  const name_pair *found = BD_ROW_OF(op, twins);
  return found ? found->to : NULL;
}
