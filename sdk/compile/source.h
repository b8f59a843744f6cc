// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/source.h: an opened archive becomes a module, and its weights the module's. */
#ifndef BUDDY_SDK_COMPILE_SOURCE_H
#define BUDDY_SDK_COMPILE_SOURCE_H

#include "sdk/model/source.h"
#include "sdk/runtime/model.h"
#include "sdk/runtime/program.h"

/* Plans and lowers the graph. */
buddy_code bd_source_lower(bd_model_source *source, buddy_diags *diags, buddy_module **out_module);
/* One note, when the module is compiled: "412 nodes: 401 linalg, 9 tosa, 2 vendor; 3 convolutions
 * without a kernel". */
buddy_code bd_source_tell(const bd_model_source *source, const buddy_program *program,
                          buddy_diags *diags);
/* The bytes of the graph's inputs. */
bd_data_source bd_source_data(const bd_model_source *source);

#endif
