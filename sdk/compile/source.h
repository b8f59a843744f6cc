/* sdk/compile/source.h: an archive on its way to code: what is opened and made before anything is
 * compiled. */
#ifndef BUDDY_SDK_COMPILE_SOURCE_H
#define BUDDY_SDK_COMPILE_SOURCE_H

#include "buddy/compile.h"
#include "buddy/import.h"
#include "sdk/runtime/model.h"

/* The graph may be destroyed once its program is bound; the rest must outlive the program, which
 * reads the mapped weights and calls the registries' functions. */
typedef struct bd_source_files {
  buddy_archive *archive;
  buddy_opset *opset;
  buddy_registries *registries;
  buddy_graph *graph;
} bd_source_files;

/* options may be null. After a failure, too, bd_source_close is due. */
buddy_code bd_source_open(const char *path, const buddy_model_options *options, buddy_diags *diags,
                          bd_source_files *out_source);
void bd_source_close(bd_source_files *source);
/* Plans and lowers the graph. */
buddy_code bd_source_lower(const bd_source_files *source, buddy_diags *diags,
                           buddy_module **out_module);
/* The bytes of the graph's inputs. */
bd_data_source bd_source_data(const bd_source_files *source);

#endif
