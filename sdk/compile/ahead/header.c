// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/header.c: the C header of a model that is compiled ahead of time; see glue.h.
 * It stands alone: a program that includes it needs nothing else of buddy's. */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/registry/spelling.h"
#include "sdk/compile/ahead/artifact.h"
#include "sdk/compile/ahead/glue.h"
#include "sdk/compile/ahead/names.h"
#include "sdk/compile/ahead/passing.h"

#define SIZES "_sizes"
#define MAX_IDENTIFIER 48 /* characters of a name that comes from the archive */

/* C's types by dtype. Floats that C does not have are their bits, complex numbers pairs. */
static const struct {
  const char *type;
  const char *note;
} c_types[] = {
    [BUDDY_BOOL] = {"uint8_t", "0 or 1"},
    [BUDDY_U8] = {"uint8_t", ""},
    [BUDDY_I8] = {"int8_t", ""},
    [BUDDY_I16] = {"int16_t", ""},
    [BUDDY_I32] = {"int32_t", ""},
    [BUDDY_I64] = {"int64_t", ""},
    [BUDDY_U16] = {"uint16_t", ""},
    [BUDDY_U32] = {"uint32_t", ""},
    [BUDDY_U64] = {"uint64_t", ""},
    [BUDDY_F16] = {"uint16_t", "the bits of IEEE 754 half precision"},
    [BUDDY_BF16] = {"uint16_t", "the upper half of a float's bits"},
    [BUDDY_F32] = {"float", ""},
    [BUDDY_F64] = {"double", ""},
    [BUDDY_C32] = {"uint16_t", "pairs: real, imaginary, each the bits of IEEE 754 half precision"},
    [BUDDY_C64] = {"float", "pairs: real, imaginary"},
    [BUDDY_C128] = {"double", "pairs: real, imaginary"},
    [BUDDY_F8E4M3FN] = {"uint8_t", "the bits of an 8-bit float"},
    [BUDDY_F8E5M2] = {"uint8_t", "the bits of an 8-bit float"},
    [BUDDY_F8E4M3FNUZ] = {"uint8_t", "the bits of an 8-bit float"},
    [BUDDY_F8E5M2FNUZ] = {"uint8_t", "the bits of an 8-bit float"},
    [BUDDY_F8E8M0FNU] = {"uint8_t", "the exponent of a power of two, plus 127"},
};

/* One parameter of NAME_run that stands for a symbol, an input or an output. */
typedef struct parameter {
  char name[MAX_IDENTIFIER + 16];
} parameter;

typedef struct header {
  FILE *out;
  const bd_header_facts *facts;
  const bd_signature *signature;
  const uint32_t *passing;
  char *is_told;         /* by symbol */
  parameter *parameters; /* symbols, then inputs, then outputs: as many as the signature has */
} header;

/* ---- Names ---- */

/* Whether parameter k has sizes beside it: "y_sizes" of an output y that the call allocates. */
static bool has_sizes(const header *h, size_t k) {
  const size_t first = h->signature->n_symbols + h->signature->n_inputs;
  return k >= first && h->passing[k - first] == BD_PASSING_ALLOCATED;
}

static bool are_sizes_of(const char *name, const char *sizes) {
  const size_t n = strlen(name);
  return strncmp(name, sizes, n) == 0 && strcmp(sizes + n, SIZES) == 0;
}

static bool is_taken(const header *h, size_t n, const char *name) {
  static const char *const own[] = {"model", "why", "why_size"};
  if (bd_is_keyword(name)) return true;
  for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); ++i) {
    if (strcmp(own[i], name) == 0) return true;
  }
  for (size_t i = 0; i < n; ++i) {
    const char *other = h->parameters[i].name;
    if (strcmp(other, name) == 0 || (has_sizes(h, i) && are_sizes_of(other, name)) ||
        (has_sizes(h, n) && are_sizes_of(name, other)))
      return true;
  }
  return strcmp(h->facts->name, name) == 0;
}

/* A C identifier that is like `wanted` and that no parameter before the n-th has, nor what tells the sizes
 * of one. */
static void name_parameter(const header *h, size_t n, const char *wanted) {
  char base[MAX_IDENTIFIER + 1];
  size_t used = 0;
  if (!isalpha((unsigned char)*wanted)) base[used++] = 'p';
  for (; *wanted != '\0' && used < MAX_IDENTIFIER; ++wanted)
    base[used++] = isalnum((unsigned char)*wanted) ? *wanted : '_';
  base[used] = '\0';
  char *name = h->parameters[n].name;
  snprintf(name, sizeof(h->parameters[n].name), "%s", base);
  for (unsigned k = 2; is_taken(h, n, name); ++k)
    snprintf(name, sizeof(h->parameters[n].name), "%s_%u", base, k);
}

static buddy_code name_parameters(header *h) {
  const bd_signature *s = h->signature;
  size_t n = 0;
  h->is_told = bd_calloc(s->n_symbols + 1, 1);
  h->parameters = bd_calloc(s->n_symbols + s->n_inputs + s->n_outputs + 1, sizeof(parameter));
  if (!h->is_told || !h->parameters) return BUDDY_OUT_OF_MEMORY;
  bd_artifact_symbols(s, h->is_told);
  for (size_t i = 0; i < s->n_symbols; ++i) name_parameter(h, n++, s->symbols[i].name);
  for (size_t i = 0; i < s->n_inputs; ++i) name_parameter(h, n++, s->inputs[i].port.name);
  for (size_t i = 0; i < s->n_outputs; ++i) name_parameter(h, n++, s->outputs[i].port.name);
  return BUDDY_OK;
}

static const char *symbol_name(const header *h, size_t i) { return h->parameters[i].name; }
static const char *input_name(const header *h, size_t i) {
  return h->parameters[h->signature->n_symbols + i].name;
}
static const char *output_name(const header *h, size_t i) {
  return h->parameters[h->signature->n_symbols + h->signature->n_inputs + i].name;
}

/* Text from outside within a comment: it cannot end it. */
static void say(const header *h, const char *text) {
  for (char before = ' '; *text != '\0'; before = *text++) {
    const int ends = (before == '*' && *text == '/') || (before == '/' && *text == '*');
    fputc(ends || !isprint((unsigned char)*text) ? '?' : *text, h->out);
  }
}

/* ---- The comment ---- */

static void say_type(const header *h, const buddy_port *port, const bd_size *sizes) {
  fprintf(h->out, "%s[", buddy_dtype_name(port->dtype));
  for (uint32_t d = 0; d < port->rank; ++d) {
    if (d > 0) fputc(',', h->out);
    if (sizes[d].number >= 0)
      fprintf(h->out, "%" PRId64, sizes[d].number);
    else
      say(h, sizes[d].text);
  }
  fputc(']', h->out);
  const char *note = c_types[port->dtype].note;
  if (*note != '\0') fprintf(h->out, "  %s", note);
}

static void say_ports(const header *h) {
  const bd_signature *s = h->signature;
  for (size_t i = 0; i < s->n_symbols; ++i) {
    if (!h->is_told[i]) continue;
    fprintf(h->out, " *   size    %-24s at least %" PRId64, symbol_name(h, i), s->symbols[i].min);
    if (s->symbols[i].max != INT64_MAX) fprintf(h->out, ", at most %" PRId64, s->symbols[i].max);
    fputc('\n', h->out);
  }
  for (size_t i = 0; i < s->n_inputs; ++i) {
    if (s->inputs[i].port.kind != BUDDY_INPUT_USER) continue;
    fprintf(h->out, " *   input   %-24s ", input_name(h, i));
    say_type(h, &s->inputs[i].port, s->inputs[i].sizes);
    fputc('\n', h->out);
  }
  for (size_t i = 0; i < s->n_outputs; ++i) {
    if (h->passing[i] == BD_PASSING_NONE) continue;
    fprintf(h->out, " *   output  %-24s ", output_name(h, i));
    say_type(h, &s->outputs[i].port, s->outputs[i].sizes);
    fprintf(h->out, "%s\n", h->passing[i] == BD_PASSING_ALLOCATED ? "  allocated by the call" : "");
  }
}

/* Files that have to go where the model goes. */
static void say_suppliers(const header *h) {
  const bd_suppliers *suppliers = h->facts->suppliers;
  if (suppliers->n_loaded == 0) return;
  fprintf(h->out,
          " *\n"
          " * Needs at run time, beside the library or program that the model is part of, or in a\n"
          " * folder of BUDDY_PLUGIN_PATH:\n");
  for (size_t i = 0; i < suppliers->n_loaded; ++i) {
    const bd_supplier *supplier = &suppliers->items[i].supplier;
    fprintf(h->out, " *   %s  of registry %s ", supplier->file, supplier->registry);
    say(h, supplier->version);
    fputc('\n', h->out);
  }
  fprintf(h->out, " * for the functions:\n");
  for (size_t i = 0; i < suppliers->n_functions; ++i)
    fprintf(h->out, " *   %s\n", bd_bare_symbol(suppliers->functions[i]));
}

static void write_comment(const header *h) {
  const bd_header_facts *facts = h->facts;
  fprintf(h->out, "/* %s: written by buddy %s from ", facts->file, buddy_version());
  say(h, facts->source);
  if (facts->program) {
    fprintf(h->out, ", program ");
    say(h, facts->program);
  }
  fprintf(h->out, ", for %s.\n *\n", facts->target);
  say_ports(h);
  fprintf(h->out,
          " *\n"
          " * Pointers are to the elements, dense and in row-major order; those to outputs are to\n"
          " * memory for all of them.\n"
          " *\n"
          " * Link with: %s\n",
          facts->linking);
  say_suppliers(h);
  fprintf(h->out, " */\n");
}

/* ---- The declarations ---- */

/* True if the call writes into this input of the user. */
static bool is_written(const header *h, const bd_input *input) {
  for (size_t i = 0; i < h->signature->n_outputs; ++i) {
    const buddy_port *port = &h->signature->outputs[i].port;
    if (port->kind == BUDDY_OUTPUT_INPUT_MUTATION && strcmp(port->target, input->port.name) == 0)
      return true;
  }
  return false;
}

static void write_load(const header *h) {
  const char *name = h->facts->name;
  fprintf(h->out, "typedef struct %s %s;\n\n", name, name);
  if (h->facts->placement == BD_IN_OBJECT) {
    fprintf(h->out, "/* The weights (%" PRIu64 " bytes) are part of the object: weights is null.",
            h->facts->n_weights);
  } else {
    fprintf(h->out,
            "/* weights: path of the file with the weights (%" PRIu64
            " bytes), which is mapped, and\n"
            " * stays as it is while the model is used; null: %s, beside the library or the\n"
            " * program that the model is part of.",
            h->facts->n_weights, h->facts->weights);
  }
  fprintf(h->out,
          " Null after a failure: then why, unless it is null,\n"
          " * holds a sentence, cut to why_size bytes. */\n"
          "%s *%s_load(const char *weights, char *why, size_t why_size);\n\n",
          name, name);
}

static void write_run(const header *h) {
  const bd_signature *s = h->signature;
  const char *name = h->facts->name;
  fprintf(h->out,
          "/* 0, or the number of an error, with a sentence in why: outputs hold anything then. "
          "Several\n"
          " * threads may run one model at once. */\n"
          "int32_t %s_run(const %s *model",
          name, name);
  for (size_t i = 0; i < s->n_symbols; ++i) {
    if (h->is_told[i]) fprintf(h->out, ",\n    int64_t %s", symbol_name(h, i));
  }
  for (size_t i = 0; i < s->n_inputs; ++i) {
    if (s->inputs[i].port.kind != BUDDY_INPUT_USER) continue;
    fprintf(h->out, ",\n    %s%s *%s", is_written(h, &s->inputs[i]) ? "" : "const ",
            c_types[s->inputs[i].port.dtype].type, input_name(h, i));
  }
  for (size_t i = 0; i < s->n_outputs; ++i) {
    if (h->passing[i] == BD_PASSING_NONE) continue;
    const char *type = c_types[s->outputs[i].port.dtype].type, *own = output_name(h, i);
    if (h->passing[i] == BD_PASSING_GIVEN)
      fprintf(h->out, ",\n    %s *%s", type, own);
    else /* a size of 0 is no array in C */
      fprintf(h->out, ",\n    %s **%s, /* free() it */ int64_t %s" SIZES "[%u]", type, own, own,
              s->outputs[i].port.rank > 0 ? s->outputs[i].port.rank : 1);
  }
  fprintf(h->out, ",\n    char *why, size_t why_size);\n\n");
}

static void write_all(const header *h) {
  const char *name = h->facts->name;
  write_comment(h);
  fprintf(h->out, "#ifndef %s_H\n#define %s_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n",
          name, name);
  fprintf(h->out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  write_load(h);
  write_run(h);
  fprintf(
      h->out,
      "/* On how many threads runs go that begin from now on; 0, as after loading: BUDDY_THREADS,\n"
      " * else OMP_NUM_THREADS, else the CPUs that the process may run on. */\n"
      "void %s_set_threads(%s *model, int32_t n_threads);\n\n",
      name, name);
  fprintf(h->out, "/* Null is allowed. */\nvoid %s_destroy(%s *model);\n\n", name, name);
  fprintf(h->out, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

buddy_code bd_header_write(const bd_header_facts *facts, const bd_signature *signature,
                           const uint32_t *passing, const buddy_writer *writer) {
  char *text = NULL;
  size_t size = 0;
  header h = {.facts = facts, .signature = signature, .passing = passing};
  buddy_code code = name_parameters(&h);
  if (code == BUDDY_OK) {
    h.out = open_memstream(&text, &size);
    if (!h.out) code = BUDDY_OUT_OF_MEMORY;
  }
  if (code == BUDDY_OK) {
    write_all(&h);
    if (fclose(h.out) != 0) code = BUDDY_OUT_OF_MEMORY;
  }
  if (code == BUDDY_OK) code = writer->write(writer->user, text, size);
  free(text);
  free(h.is_told);
  free(h.parameters);
  return code;
}
