/* sdk/cli/profile_page.c: the page of `buddy profile`: every step as a bar in its module. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/profile.h"

static void write_plain(FILE *file, const char *text) {
  for (size_t i = 0; text[i]; ++i) {
    switch (text[i]) {
      case '<':
        fputs("&lt;", file);
        break;
      case '>':
        fputs("&gt;", file);
        break;
      case '&':
        fputs("&amp;", file);
        break;
      case '"':
        fputs("&quot;", file);
        break;
      default:
        fputc(text[i], file);
    }
  }
}

/* The page is read by people, too: what is not shown there is spelled out. */
static void write_escaped(FILE *file, const char *text, size_t n) {
  char *part = bd_strndup(text, n), *shown = part ? bd_shown(part) : NULL;
  if (shown) write_plain(file, shown);
  free(shown);
  free(part);
}

static void open_bar(FILE *file, double share, const char *name, size_t n, double seconds,
                     const char *colour) {
  fprintf(file, "<div class=\"bar\" style=\"width:%.4f%%\"><div class=\"name %s\" title=\"",
          100 * share, colour);
  write_escaped(file, name, n);
  fprintf(file, ": %.3f ms\">", seconds * 1e3);
  write_escaped(file, name, n);
  fputs("</div>", file);
}

/* Length of the first `depth` parts of a dotted path; SIZE_MAX if it has fewer. */
static size_t prefix(const char *path, size_t depth) {
  size_t n = 0;
  for (size_t k = 0; k < depth; ++k) {
    if (path[n] == '\0') return (size_t)-1;
    n += (k > 0) + strcspn(path + n + (k > 0), ".");
  }
  return n;
}

static double seconds_of(const bd_profile_report *r, size_t first, size_t end) {
  double sum = 0;
  for (size_t i = first; i < end; ++i) sum += r->steps[i]->seconds;
  return sum;
}

enum { MAX_DEPTH = 16 };

/* Steps first to end, which share the first `depth` parts of their modules' paths: neighbours with
 * one more part in common make a bar together. */
static void write_steps(FILE *file, const bd_profile_report *r, size_t first, size_t end,
                        size_t depth) {
  const double whole = seconds_of(r, first, end);
  for (size_t i = first; i < end;) {
    const buddy_step *step = r->steps[i];
    const size_t n = depth < MAX_DEPTH ? prefix(step->module, depth + 1) : (size_t)-1;
    size_t next = i + 1;
    if (n == (size_t)-1) {
      char text[512];
      snprintf(text, sizeof(text), "%s %s [%s] %s", r->origins[i].op, step->nodes, step->kernel,
               step->where);
      open_bar(file, whole > 0 ? step->seconds / whole : 0, text, strlen(text), step->seconds,
               "step");
    } else {
      while (next < end && prefix(r->steps[next]->module, depth + 1) == n &&
             strncmp(r->steps[next]->module, step->module, n) == 0)
        ++next;
      const double seconds = seconds_of(r, i, next);
      open_bar(file, whole > 0 ? seconds / whole : 0, step->module, n, seconds, "module");
      write_steps(file, r, i, next, depth + 1);
    }
    fputs("</div>", file);
    i = next;
  }
}

buddy_code bd_profile_write_page(const char *path, const bd_profile_report *r, buddy_diags *diags) {
  bd_output output;
  BD_TRY(bd_output_open(path, diags, &output));
  fputs(
      "<!DOCTYPE html><meta charset=\"utf-8\"><title>buddy profile</title><style>"
      "body{font:13px sans-serif;margin:16px}.bar{display:inline-block;vertical-align:top;"
      "overflow:hidden}.name{height:18px;line-height:18px;margin:0 1px 1px 0;padding-left:2px;"
      "overflow:hidden;white-space:nowrap;border-radius:2px}.module{background:#cfd8e3}"
      ".step{background:#f4b183}.all{font-size:0}.all .name{font-size:11px}"
      "</style><h1>",
      output.file);
  write_escaped(output.file, r->model, strlen(r->model));
  fprintf(output.file, "</h1><p>%zu steps, %.3f ms; the width of a bar is its share of the time.",
          r->n, r->total * 1e3);
  fputs("</p><div class=\"all\">", output.file);
  write_steps(output.file, r, 0, r->n, 0);
  fputs("</div>\n", output.file);
  return bd_output_close(&output, 1, diags);
}
