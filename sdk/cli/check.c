// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check.c: `buddy check`: whether a file is what was written: checksums against bytes, and
 * what can be said of its structure without running any of it. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zlib.h>

#include "core/base/infile.h"
#include "core/base/try.h"
#include "core/registry/elf.h"
#include "sdk/cli/session.h"
#include "sdk/runtime/weights_file.h"

static error_t parse(int key, char *arg, struct argp_state *state) {
  switch (key) {
    case ARGP_KEY_ARG:
      bd_take_archive(state->input, arg, state);
      return 0;
    case ARGP_KEY_END:
      if (!*(const char **)state->input)
        bd_usage(state, "which file? Give the path of a .pt2, .weights or .so file");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    NULL,
    parse,
    "FILE",
    "Checks a file for damage. All bytes of a .pt2 archive are compared with its checksums, and "
    "its programs are imported; all bytes of the .weights that `buddy compile` wrote are compared "
    "with theirs; a library must be whole. None of its code is run.\v"
    "`buddy run --verify` does the same for an archive on the way.",
    NULL,
    NULL,
    NULL};

/* ---- The file, in memory --------------------------------------------------------------------- */
typedef struct mapped {
  const char *path;
  const uint8_t *bytes;
  size_t size;
} mapped;

static buddy_code map_file(const char *path, buddy_diags *diags, mapped *out) {
  bd_infile file;
  bd_fault fault;
  buddy_code code = bd_infile_open(path, NULL, diags, &file);
  if (code) return code;
  *out = (mapped){path, bd_infile_map(&file), file.size};
  if (!out->bytes && file.size == 0) {
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, path, NULL, "the file is empty");
  } else if (!out->bytes) {
    code = bd_fault_errno(&fault, "cannot be mapped");
    buddy_diags_add(diags, BUDDY_ERROR, code, path, NULL, "%s", fault.text);
  }
  bd_infile_close(&file);
  return code;
}

static int begins_with(const mapped *file, const char *magic) {
  const size_t n = strlen(magic);
  return file->size >= n && !memcmp(file->bytes, magic, n);
}

/* ---- An archive ------------------------------------------------------------------------------ */
static size_t count_nodes(const buddy_graph *graph) {
  size_t n = 0;
  for (const buddy_node *node = buddy_graph_first(graph); node; node = buddy_node_next(node)) ++n;
  return n;
}

static buddy_code check_program(bd_session *session, const char *name) {
  buddy_code code = buddy_archive_choose(session->archive, name, session->diags);
  buddy_graph_destroy(session->graph);
  session->graph = NULL;
  if (code == BUDDY_OK) {
    code = buddy_archive_import(session->archive, session->opset, session->diags, &session->graph);
  }
  if (code != BUDDY_OK) return code;
  printf("program ");
  bd_put_shown(name, stdout);
  printf(": imports, %zu nodes, %zu inputs, parameters among them\n", count_nodes(session->graph),
         buddy_graph_n_inputs(session->graph));
  return code;
}

static void list_extra(const buddy_archive *archive) {
  for (size_t i = 0; i < buddy_archive_n_extra(archive); ++i) {
    printf("file extra/");
    bd_put_shown(buddy_archive_extra_name(archive, i), stdout);
    printf("\n");
  }
}

static buddy_code check_archive(bd_session *session, const mapped *file) {
  BD_TRY(buddy_archive_open(file->path, session->diags, &session->archive));
  BD_TRY(buddy_archive_check(session->archive, session->diags));
  BD_TRY(buddy_aten_opset_create(&session->opset));
  buddy_code code = BUDDY_OK;
  printf("every checksum matches\n");
  for (size_t i = 0; i < buddy_archive_n_programs(session->archive); ++i) {
    const buddy_code one = check_program(session, buddy_archive_program(session->archive, i));
    if (one != BUDDY_OK) code = one;
  }
  list_extra(session->archive);
  return code;
}

/* ---- What `buddy compile` wrote -------------------------------------------------------------- */
static buddy_code damaged(bd_session *session, const mapped *file, const char *what) {
  return buddy_diags_add(session->diags, BUDDY_ERROR, BUDDY_CORRUPT, file->path,
                         "copy the file once more, or compile the model again", "%s", what);
}

static buddy_code check_weights(bd_session *session, const mapped *file) {
  char what[160];
  uint64_t size;
  uint32_t crc, has_crc;
  if (file->size < BD_WEIGHTS_HEADER) return damaged(session, file, "the header is cut");
  memcpy(&size, file->bytes + 16, sizeof size);
  memcpy(&crc, file->bytes + 24, sizeof crc);
  memcpy(&has_crc, file->bytes + 28, sizeof has_crc);
  if (size != file->size) {
    snprintf(what, sizeof what, "the file has %zu bytes, and its header says %llu", file->size,
             (unsigned long long)size);
    return damaged(session, file, what);
  }
  if (has_crc != 1) {
    return buddy_diags_add(session->diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, file->path,
                           "compile the model again",
                           "the file has no checksum: an older buddy wrote it, or its header is "
                           "damaged");
  }
  const uint32_t own = (uint32_t)crc32_z(crc32_z(0, NULL, 0), file->bytes + BD_WEIGHTS_HEADER,
                                         file->size - BD_WEIGHTS_HEADER);
  if (own != crc) {
    snprintf(what, sizeof what,
             "the weights do not match their checksum: that is %08x, %08x is theirs", crc, own);
    return damaged(session, file, what);
  }
  printf("the checksum matches\n");
  return BUDDY_OK;
}

static buddy_code check_library(bd_session *session, const mapped *file) {
  static const bd_elf_host any = {0};
  bd_elf_info info;
  bd_elf_inspect_library(file->bytes, file->size, &any, &info);
  if (info.code != BUDDY_OK) return damaged(session, file, info.refusal);
  printf("the library is whole; it has no checksum, and its weights may be a file of their own\n");
  return BUDDY_OK;
}

static buddy_code check(bd_session *session, const char *path) {
  mapped file = {0};
  buddy_code code = map_file(path, session->diags, &file);
  if (code != BUDDY_OK) return code;
  if (begins_with(&file, BD_WEIGHTS_MAGIC)) {
    code = check_weights(session, &file);
  } else if (begins_with(&file, "\177ELF")) {
    code = check_library(session, &file);
  } else {
    code = check_archive(session, &file);
  }
  munmap((void *)(uintptr_t)file.bytes, file.size);
  return code;
}

static int run(int argc, char **argv) {
  const char *path = NULL;
  bd_session session = {0};
  if (argp_parse(&parser, argc, argv, 0, NULL, &path) != 0) return BD_EXIT_USAGE;
  buddy_code code = buddy_diags_create(&session.diags);
  if (code == BUDDY_OK) code = check(&session, path);
  return bd_session_close(&session, code);
}

const bd_verb bd_verb_check = {"check", "compare a file with its checksums", &parser, run};
