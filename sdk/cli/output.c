// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/output.c: what the command writes: diagnostics, tables, a progress bar, files that appear
 * when whole. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/verb.h"

#define MAX_TEXT (64u << 20)

/* ---- Diagnostics ----------------------------------------------------------------------------- */
static char speaker[24]; /* "rank 1: " */

void bd_report_as(int rank) { snprintf(speaker, sizeof(speaker), "rank %d: ", rank); }

/* In one piece: others may be writing to the same file. */
static void report_one(const buddy_diag *diag, const char *severity) {
  char *text = NULL;
  const int n = asprintf(&text, "buddy: %s%s: %s%s%s\n%s%s%s", speaker, severity, diag->where,
                         *diag->where ? ": " : "", diag->what, *diag->todo ? "  help: " : "",
                         diag->todo, *diag->todo ? "\n" : "");
  if (n >= 0) fputs(text, stderr);
  free(n >= 0 ? text : NULL);
}

void bd_report(const buddy_diags *diags) {
  static const struct {
    const char *plain, *coloured;
  } words[] = {{"error", "\033[1;31merror\033[0m"},
               {"warning", "\033[1;35mwarning\033[0m"},
               {"note", "\033[1;36mnote\033[0m"}};
  const int colour = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    /* A note that nothing asks for is for who sits there. */
    if (diag->severity == BUDDY_NOTE && diag->code == BUDDY_OK && !isatty(STDERR_FILENO)) continue;
    const size_t severity = diag->severity >= 0 && diag->severity < 3 ? (size_t)diag->severity : 0;
    report_one(diag, colour ? words[severity].coloured : words[severity].plain);
  }
}

/* For what failed without a word. */
static const char *sentence_of(buddy_code code) {
  switch (code) {
    case BUDDY_OUT_OF_MEMORY:
      return "memory ran out";
    case BUDDY_IO:
      return "something could not be read or written (IO)";
    case BUDDY_LIMIT:
      return "something is larger than buddy takes (LIMIT)";
    default:
      return buddy_code_name(code);
  }
}

/* Warnings and notes do not say why something failed. */
static bool has_error(const buddy_diags *diags) {
  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    if (buddy_diags_get(diags, i)->severity == BUDDY_ERROR) return true;
  }
  return false;
}

int bd_finish(buddy_code code, buddy_diags *diags) {
  bd_progress(NULL, "", 1.0);
  if (diags) bd_report(diags);
  if (code != BUDDY_OK && !has_error(diags) &&
      !ferror(stdout)) { /* main.c tells of standard output */
    fprintf(stderr, "buddy: error: %s\n", sentence_of(code));
  }
  buddy_diags_destroy(diags);
  return code == BUDDY_OK ? BD_EXIT_OK : BD_EXIT_FAILED;
}

/* ---- Tables ---------------------------------------------------------------------------------- */
struct bd_table {
  size_t n_columns, n_cells, capacity;
  char **cells; /* row by row, headings first */
};

static void add_row(bd_table *table, const char *const *cells) {
  if (table->n_cells + table->n_columns > table->capacity) {
    const size_t capacity = table->capacity * 2 + table->n_columns * 8;
    char **grown = bd_realloc(table->cells, capacity * sizeof(*grown));
    if (!grown) bd_unsayable();
    table->cells = grown;
    table->capacity = capacity;
  }
  for (size_t i = 0; i < table->n_columns; ++i) {
    table->cells[table->n_cells++] = bd_shown(cells[i] ? cells[i] : "");
  }
}

bd_table *bd_table_create(const char *const *headings, size_t n_columns) {
  bd_table *table = bd_calloc(1, sizeof(*table));
  if (!table) bd_unsayable();
  table->n_columns = n_columns;
  add_row(table, headings);
  return table;
}

void bd_table_add(bd_table *table, const char *const *cells) { add_row(table, cells); }

/* Characters that a terminal shows: UTF-8 continuation bytes are none. */
static size_t shown_width(const char *text) {
  size_t width = 0;
  for (; text && *text; ++text) width += ((unsigned char)*text & 0xC0u) != 0x80u;
  return width;
}

void bd_table_print(const bd_table *table, FILE *out) {
  for (size_t row = 0; row < table->n_cells; row += table->n_columns) {
    for (size_t column = 0; column < table->n_columns; ++column) {
      const char *cell = table->cells[row + column];
      if (column + 1 == table->n_columns) {
        fprintf(out, "%s\n", cell);
        break;
      }
      size_t width = 0;
      for (size_t i = column; i < table->n_cells; i += table->n_columns) {
        const size_t w = shown_width(table->cells[i]);
        width = w > width ? w : width;
      }
      fprintf(out, "%s%*s", cell, (int)(width - shown_width(cell) + 2), "");
    }
  }
}

void bd_table_destroy(bd_table *table) {
  if (!table) return;
  for (size_t i = 0; i < table->n_cells; ++i) free(table->cells[i]);
  free(table->cells);
  free(table);
}

/* ---- Progress -------------------------------------------------------------------------------- */
void bd_progress(void *user, const char *stage, double fraction) {
  (void)user;
  static bool is_shown;
  if (!isatty(STDERR_FILENO)) return;
  if (fraction >= 1.0) {
    if (is_shown) fputs("\r\033[K", stderr);
    is_shown = false;
    return;
  }
  char bar[31];
  for (int i = 0; i < 30; ++i) bar[i] = i < (int)(fraction * 30) ? '#' : '.';
  bar[30] = '\0';
  fprintf(stderr, "\r\033[K[%s] %3d %% %s", bar, (int)(fraction * 100), stage);
  fflush(stderr);
  is_shown = true;
}

/* ---- Files ----------------------------------------------------------------------------------- */
static ssize_t write_cookie(void *user, const char *data, size_t size) {
  return bd_outfile_write(user, data, size) == BUDDY_OK ? (ssize_t)size : 0;
}

buddy_code bd_cli_output_open(const char *path, buddy_diags *diags, bd_cli_output *out_output) {
  *out_output = (bd_cli_output){.file = NULL};
  const bool is_standard = !strcmp(path, "-");
  if (is_standard) fflush(stdout); /* what was said before comes first */
  BD_TRY(bd_outfile_open(is_standard ? "/dev/stdout" : path, diags, &out_output->out));
  out_output->file =
      fopencookie(&out_output->out, "w", (cookie_io_functions_t){.write = write_cookie});
  if (out_output->file) return BUDDY_OK;
  bd_outfile_discard(&out_output->out);
  return BUDDY_OUT_OF_MEMORY;
}

buddy_code bd_cli_output_close(bd_cli_output *output, int keep, buddy_diags *diags) {
  fclose(output->file);
  output->file = NULL;
  if (keep || output->out.error) /* whoever wrote knows that it failed, and not why */
    return bd_outfile_commit(&(bd_outfile *){&output->out}, 1, diags);
  bd_outfile_discard(&output->out);
  return BUDDY_OK;
}

buddy_writer bd_cli_output_writer(bd_cli_output *output) { return bd_outfile_writer(&output->out); }

buddy_code bd_read_text(const char *path, buddy_diags *diags, char **out_text) {
  size_t size;
  const buddy_code code = bd_infile_whole(path, MAX_TEXT, NULL, diags, out_text, &size);
  if (code != BUDDY_OK || (size > 0 && !memchr(*out_text, 0, size))) return code;
  bd_free(*out_text);
  *out_text = NULL;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, path, NULL,
                         size > 0 ? "is no text" : "is empty");
}
