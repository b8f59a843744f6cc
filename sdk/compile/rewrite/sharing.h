/* sdk/compile/rewrite/sharing.h: the functions around a part of a loop that carry its values from
 * thread to thread; see spread.h. */
#ifndef BUDDY_SDK_COMPILE_SHARING_H
#define BUDDY_SDK_COMPILE_SHARING_H

#include "sdk/compile/ir.h"

/* True if values of the type can be carried. */
int bd_can_be_shared(MlirType type);
/* Writes K.loop_I and K.task_I for K.part_I, which takes values of these types, first and last.
 * cost: of one unit. */
void bd_sharing_write(bd_text *text, const char *kernel, size_t i, const MlirType *types, size_t n,
                      int64_t cost);
/* Parses what was written and moves it into the module. */
buddy_code bd_sharing_finish(bd_text *text, MlirModule module, buddy_diags *diags);

#endif
