/* sdk/cli/profile.c: `buddy profile`: where the time of a model goes: a table by op, and a page
 * that shows each step in its module. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buddy/compile.h"
#include "core/base/memory.h"
#include "sdk/cli/session.h"

enum { OPTION_REPEAT = 256 };

typedef struct arguments {
  bd_registry_flags registry;
  bd_compile_flags compile;
  const char *model, *output;
  unsigned long repeat;
  int is_by_step;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE.html", 0, "Write a page: every step as a bar in its module", 0},
    {"steps", 's', NULL, 0, "List every step, not only the sum of each op", 0},
    {"repeat", OPTION_REPEAT, "N", 0,
     "Run N times and take the least time of each step (default: 10)", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      state->child_inputs[0] = &args->registry;
      state->child_inputs[1] = &args->compile;
      return 0;
    case 'o':
      args->output = arg;
      return 0;
    case 's':
      args->is_by_step = 1;
      return 0;
    case OPTION_REPEAT:
      args->repeat = bd_number(arg, 1, 1000000, "repeat", state);
      return 0;
    case ARGP_KEY_ARG:
      bd_take_archive(&args->model, arg, "", state);
      return 0;
    case ARGP_KEY_END:
      bd_need_archive(args->model, state);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child children[] = {
    {&bd_registry_argp, 0, "Registries:", 1}, {&bd_compile_argp, 0, NULL, 0}, {0}};
static const struct argp parser = {options,
                                   parse,
                                   "MODEL.pt2",
                                   "Compiles a torch.export archive so that it measures itself, "
                                   "runs it on random inputs, and tells where the time goes.",
                                   children,
                                   NULL,
                                   NULL};

/* ---- Ops of steps -----------------------------------------------------------------------------
 */

/* The step's first node has the name, or, for a node that an expansion made, the place. */
static int is_origin(const buddy_node *node, const buddy_step *step, int by_place) {
  const char *name = buddy_node_name(node);
  if (!by_place) {
    const size_t n = strcspn(step->nodes, "+");
    return n > 0 && strncmp(name, step->nodes, n) == 0 && name[n] == '\0';
  }
  const buddy_location *from = buddy_node_location(node);
  char where[256];
  if (!from->file) return 0;
  snprintf(where, sizeof(where), "%s:%u", from->file, from->line);
  return strcmp(where, step->where) == 0 &&
         strcmp(from->module_path ? from->module_path : "", step->module) == 0;
}

/* The op that a step comes from; "" if it is not told. */
static const char *op_of(const bd_session *session, const buddy_step *step) {
  for (int by_place = 0; by_place < 2; ++by_place) {
    const buddy_node *node = buddy_graph_first(session->graph);
    for (; node != NULL; node = buddy_node_next(node)) {
      if (is_origin(node, step, by_place)) return buddy_node_op(node);
    }
  }
  return "";
}

typedef struct entry {
  const char *op;
  const buddy_step *step; /* null: the sum of several */
  double seconds;
  size_t n;
} entry;

typedef struct report {
  const char **ops; /* one per step */
  const buddy_step **steps;
  size_t n;
  double total;
} report;

static int by_time(const void *a, const void *b) {
  const double x = ((const entry *)a)->seconds, y = ((const entry *)b)->seconds;
  return (x < y) - (x > y);
}

static void add_entry(entry *entries, size_t *n, const report *r, size_t i, int is_by_step) {
  size_t k = 0;
  while (k < *n && (is_by_step || strcmp(entries[k].op, r->ops[i]) != 0)) k++;
  if (k == *n) entries[(*n)++] = (entry){r->ops[i], is_by_step ? r->steps[i] : NULL, 0, 0};
  entries[k].seconds += r->steps[i]->seconds;
  entries[k].n++;
}

static void print_entries(const report *r, int is_by_step) {
  static const char *const of_ops[] = {"SHARE", "MS", "STEPS", "OP"};
  static const char *const of_steps[] = {"SHARE", "MS", "OP", "NODES", "KERNEL", "WHERE"};
  entry *entries = bd_calloc(r->n + 1, sizeof(*entries));
  bd_table *table = bd_table_create(is_by_step ? of_steps : of_ops, is_by_step ? 6 : 4);
  size_t n = 0;
  for (size_t i = 0; entries && i < r->n; ++i) add_entry(entries, &n, r, i, is_by_step);
  if (entries) qsort(entries, n, sizeof(*entries), by_time);
  for (size_t i = 0; table && i < n; ++i) {
    char share[32], time[32], count[32];
    const entry *e = &entries[i];
    snprintf(share, sizeof(share), "%5.1f %%", 100 * e->seconds / r->total);
    snprintf(time, sizeof(time), "%8.3f", e->seconds * 1e3);
    snprintf(count, sizeof(count), "%zu", e->n);
    const char *op = *e->op ? e->op : "(between)";
    const char *plain[] = {share, time, count, op};
    if (e->step == NULL) {
      bd_table_add(table, plain);
      continue;
    }
    const char *cells[] = {share, time, op, e->step->nodes, e->step->kernel, e->step->where};
    bd_table_add(table, cells);
  }
  if (table) bd_table_print(table, stdout);
  bd_table_destroy(table);
  free(entries);
}

/* ---- The page ---------------------------------------------------------------------------------
 */
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

static double seconds_of(const report *r, size_t first, size_t end) {
  double sum = 0;
  for (size_t i = first; i < end; ++i) sum += r->steps[i]->seconds;
  return sum;
}

enum { MAX_DEPTH = 16 };

/* Steps first to end, which share the first `depth` parts of their modules' paths: neighbours with
 * one more part in common make a bar together. */
static void write_steps(FILE *file, const report *r, size_t first, size_t end, size_t depth) {
  const double whole = seconds_of(r, first, end);
  for (size_t i = first; i < end;) {
    const buddy_step *step = r->steps[i];
    const size_t n = depth < MAX_DEPTH ? prefix(step->module, depth + 1) : (size_t)-1;
    size_t next = i + 1;
    if (n == (size_t)-1) {
      char text[512];
      snprintf(text, sizeof(text), "%s %s [%s] %s", r->ops[i], step->nodes, step->kernel,
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

static buddy_code write_page(const char *path, const char *model, const report *r,
                             buddy_diags *diags) {
  bd_output output;
  const buddy_code code = bd_output_open(path, diags, &output);
  if (code != BUDDY_OK) return code;
  fputs(
      "<!DOCTYPE html><meta charset=\"utf-8\"><title>buddy profile</title><style>"
      "body{font:13px sans-serif;margin:16px}.bar{display:inline-block;vertical-align:top;"
      "overflow:hidden}.name{height:18px;line-height:18px;margin:0 1px 1px 0;padding-left:2px;"
      "overflow:hidden;white-space:nowrap;border-radius:2px}.module{background:#cfd8e3}"
      ".step{background:#f4b183}.all{font-size:0}.all .name{font-size:11px}"
      "</style><h1>",
      output.file);
  write_escaped(output.file, model, strlen(model));
  fprintf(output.file, "</h1><p>%zu steps, %.3f ms; the width of a bar is its share of the time.",
          r->n, r->total * 1e3);
  fputs("</p><div class=\"all\">", output.file);
  write_steps(output.file, r, 0, r->n, 0);
  fputs("</div>\n", output.file);
  return bd_output_close(&output, 1, diags);
}

/* ---- The verb ---------------------------------------------------------------------------------
 */
static buddy_code run_model(buddy_model *model, unsigned long repeat, buddy_diags *diags) {
  const size_t n_inputs = buddy_model_n_inputs(model), n_outputs = buddy_model_n_outputs(model);
  buddy_tensor *inputs = bd_calloc(n_inputs + n_outputs + 1, sizeof(*inputs));
  if (!inputs) return BUDDY_OUT_OF_MEMORY;
  buddy_tensor *outputs = inputs + n_inputs;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n_inputs && code == BUDDY_OK; ++i)
    code = bd_random_input(buddy_model_input(model, i), i, &inputs[i]);
  for (unsigned long k = 0; k < repeat && code == BUDDY_OK; ++k) {
    code = buddy_model_run(model, inputs, n_inputs, outputs, n_outputs, diags);
    for (size_t i = 0; i < n_outputs; ++i) buddy_tensor_release(&outputs[i]);
  }
  for (size_t i = 0; i < n_inputs; ++i) buddy_tensor_release(&inputs[i]);
  free(inputs);
  return code;
}

static buddy_code tell(const bd_session *session, const buddy_model *model, const arguments *args) {
  const buddy_program *program = buddy_model_program(model);
  report r = {.n = buddy_program_n_steps(program)};
  r.ops = bd_calloc(r.n + 1, sizeof(*r.ops));
  r.steps = bd_calloc(r.n + 1, sizeof(*r.steps));
  buddy_code code = r.ops && r.steps ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < r.n && code == BUDDY_OK; ++i) {
    r.steps[i] = buddy_program_step(program, i);
    r.ops[i] = op_of(session, r.steps[i]);
    r.total += r.steps[i]->seconds;
  }
  if (code == BUDDY_OK) {
    print_entries(&r, args->is_by_step);
    printf("\n%zu steps, %.3f ms in the least of %lu runs each\n", r.n, r.total * 1e3,
           args->repeat);
    if (args->output) code = write_page(args->output, args->model, &r, session->diags);
  }
  free(r.ops);
  free(r.steps);
  return code;
}

static int profile(int argc, char **argv) {
  arguments args = {.repeat = 10, .compile = BD_COMPILE_FLAGS};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  bd_session session;
  buddy_model *model = NULL;
  buddy_code code = bd_session_open_chosen(&session, &args.registry);
  if (code == BUDDY_OK) code = bd_session_import(&session, args.model);
  if (code == BUDDY_OK) code = bd_compile_flags_read(&args.compile, session.diags);
  const buddy_search_options search = bd_search_options(&args.registry);
  buddy_registries_options registries = bd_registries_options(&args.registry);
  buddy_compile_options compile = bd_compile_options(&args.compile);
  registries.chooser = bd_session_chooser(&session, &args.registry);
  compile.profile = 1;
  const buddy_model_options load = {.struct_size = sizeof(load),
                                    .search = &search,
                                    .registries = &registries,
                                    .compile = &compile};
  if (code == BUDDY_OK) code = buddy_model_load(args.model, &load, session.diags, &model);
  bd_progress(NULL, "", 1.0);
  if (code == BUDDY_OK) code = run_model(model, args.repeat, session.diags);
  if (code == BUDDY_OK) code = tell(&session, model, &args);
  buddy_model_destroy(model);
  const int status = bd_session_close(&session, code);
  bd_compile_flags_free(&args.compile);
  bd_registry_flags_free(&args.registry);
  return status;
}

const bd_verb bd_verb_profile = {"profile", "where the time of a model goes", &parser, profile};
