// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/page.h: the page that `explain`, `profile` and `bisect` write: tables whose rows fold by
 * module. page.html, which is part of the command, tells what its data are. */
#ifndef BUDDY_SDK_CLI_PAGE_H
#define BUDDY_SDK_CLI_PAGE_H

#include <jansson.h>
#include <stdbool.h>

#include "buddy/base.h"

typedef struct bd_page_column {
  const char *name, *kind; /* kind: "text", "choice" or "number" */
  const char *fold;        /* of numbers, what a fold shows: "sum", "max"; null: nothing */
  bool has_heat, is_narrow;
} bd_page_column;

/* Whether a file of this name is to be data for other tools, and no page. */
bool bd_page_is_json(const char *path);

/* Memory that runs out is told by bd_page_write. */
json_t *bd_page_create(const char *title);
void bd_page_note(json_t *page, const char *text);
/* A table; lent: rows are added to it. by: what they fold by; null: they do not. */
json_t *bd_page_view(json_t *page, const char *name, const char *by, const bd_page_column *columns,
                     size_t n);
/* Takes the references: a cell for each column; more: pairs of texts, or null. path: parts between
 * "/". */
void bd_page_row(json_t *view, json_t *cells, json_t *path, json_t *more);
void bd_page_tell(json_t *more, const char *key,
                  const char *text); /* nothing, if there is no text */
/* A table of the nodes of graphs (explorer.h) to which a plan was added. data: node data that the heat
 * is of; fold: as a column's; data may be null. */
void bd_page_nodes(json_t *page, const json_t *graphs, const json_t *data, const char *fold);
/* Takes the reference. */
buddy_code bd_page_write(json_t *page, const char *path, buddy_diags *diags);

#endif
