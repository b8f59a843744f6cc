// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/registries.h: what planning asks of loaded registries. */
#ifndef BUDDY_CORE_REGISTRY_REGISTRIES_H
#define BUDDY_CORE_REGISTRY_REGISTRIES_H

#include "core/registry/environment.h"
#include "core/registry/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows that may take an op, in the order of asking; null and 0 if there are none. */
const bd_row *bd_registries_rows(const buddy_registries *registries, const char *op, size_t *out_n);
/* Null: the order stands for every node. */
const buddy_chooser *bd_registries_chooser(const buddy_registries *registries);
/* All rows, by op. */
const bd_row *bd_registries_all_rows(const buddy_registries *registries, size_t *out_n);
/* The transforms of all registries, registry by registry, each in the order of asking. */
const bd_row *bd_registries_transforms(const buddy_registries *registries, size_t *out_n);
/* Pass fragments of all registries, in their order. [any-thread] */
BUDDY_EXPORT size_t bd_registries_n_fragments(const buddy_registries *registries);
BUDDY_EXPORT const buddy_pass_fragment *bd_registries_fragment(const buddy_registries *registries,
                                                               size_t i, const char **out_registry);
/* The registry that brings a function which code may call by this name, with or without the lead of
 * C interfaces; null: none does. */
BUDDY_EXPORT const bd_plugin *bd_registries_provider(const buddy_registries *registries,
                                                     const char *name);
/* The registry that has a row for an op which the opset does not define; null if there is none. */
const char *bd_registries_undefined(const buddy_registries *registries, const char *op);
/* buddy_registries_create with the environment and the services that plugins get. */
BUDDY_EXPORT buddy_code bd_registries_create_in(const buddy_search *search, buddy_opset *opset,
                                                const buddy_registries_options *options,
                                                const bd_environment *environment,
                                                const buddy_host *host, buddy_diags *diags,
                                                buddy_registries **out_registries);

#ifdef __cplusplus
}
#endif
#endif
