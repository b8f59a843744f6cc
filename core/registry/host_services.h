// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/host_services.h: the services that have a file of their own. Contracts:
 * buddy/registry.h, chapter 4. */
#ifndef BUDDY_CORE_REGISTRY_HOST_SERVICES_H
#define BUDDY_CORE_REGISTRY_HOST_SERVICES_H

#include "buddy/extensions.h"
#include "core/registry/call.h"

/* host_expand.c */
buddy_code bd_host_node(buddy_call *call, const char *op, const buddy_named_arg *args,
                        size_t n_args, const buddy_tensor_type *types, size_t n_types,
                        const buddy_value **out_results);
buddy_code bd_host_replace(buddy_call *call, size_t i, const buddy_value *value);

/* host_emit.c */
/* Whether the call is in the phase in which it may use the service; else it has failed. */
bool bd_host_is_in(buddy_call *call, bd_phase phase, const char *service);
buddy_ir_value bd_host_ir_value(buddy_call *call, const buddy_value *value);
buddy_ir_type bd_host_ir_tensor_type(buddy_call *call, const buddy_tensor_type *type);
buddy_ir_type bd_host_ir_type_parse(buddy_call *call, buddy_sv text);
buddy_ir_attr bd_host_ir_attr_parse(buddy_call *call, buddy_sv text);
buddy_ir_attr bd_host_ir_attr_dense(buddy_call *call, const buddy_tensor_type *type,
                                    const void *bytes, size_t n_bytes);
buddy_ir_value bd_host_ir_dim(buddy_call *call, int64_t dim);
buddy_code bd_host_ir_op(buddy_call *call, const buddy_ir_spec *spec, buddy_ir_value *out_results);
buddy_code bd_host_ir_text(buddy_call *call, buddy_sv text, const buddy_ir_value *operands,
                           size_t n_operands, buddy_ir_value *out_results, size_t n_results);
buddy_code bd_host_ir_set_result(buddy_call *call, size_t i, buddy_ir_value value);

/* host_graph.c */
const buddy_graph_services *bd_host_graph_table(void);

#endif
