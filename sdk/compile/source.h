/* sdk/compile/source.h: an opened archive becomes a module, and its weights the module's. */
#ifndef BUDDY_SDK_COMPILE_SOURCE_H
#define BUDDY_SDK_COMPILE_SOURCE_H

#include "sdk/model/source.h"
#include "sdk/runtime/model.h"

/* Plans and lowers the graph. */
buddy_code bd_source_lower(const bd_model_source *source, buddy_diags *diags,
                           buddy_module **out_module);
/* The bytes of the graph's inputs. */
bd_data_source bd_source_data(const bd_model_source *source);

#endif
