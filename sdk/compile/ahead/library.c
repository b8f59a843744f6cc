// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/library.c: linking a shared library, by lld.
 *
 * lld links the objects with the static runtime and against the target's C and maths libraries, so
 * that whatever is missing is told now and not by the dynamic linker of some other machine. */
#define _GNU_SOURCE /* dladdr */
#include "sdk/compile/ahead/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/assert.h"
#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "sdk/compile/code/objects.h"
#include "sdk/compile/code/pipe.h"
#include "sdk/runtime/artifact.h"

#define MAX_PATH 4096

typedef struct path {
  char text[MAX_PATH];
} path;

static int exists(const char *text) { return access(text, R_OK) == 0; }

/* ---- The runtime ---- */

/* <folder of libbuddy_runtime.so>/libbuddy_runtime.a, or for another target
 * <folder>/buddy/runtime/<target>/libbuddy_runtime.a. */
static buddy_code find_runtime(const bd_library *library, buddy_diags *diags, path *out) {
  Dl_info info;
  void *own;
  const __typeof__(&buddy_runtime_load) function = buddy_runtime_load;
  char folder[128];
  if (library->runtime) {
    snprintf(out->text, sizeof(out->text), "%s", library->runtime);
  } else {
    memcpy(&own, &function, sizeof(own));
    const char *file = dladdr(own, &info) != 0 ? info.dli_fname : "";
    const char *slash = strrchr(file, '/');
    const int n = slash ? (int)(slash - file) + 1 : 0;
    bd_triple_folder(library->target->triple, folder, sizeof(folder));
    if (library->target->is_host)
      snprintf(out->text, sizeof(out->text), "%.*slibbuddy_runtime.a", n, file);
    else
      snprintf(out->text, sizeof(out->text), "%.*sbuddy/runtime/%s/libbuddy_runtime.a", n, file,
               folder);
  }
  if (exists(out->text)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, out->text,
                         "build one from sdk/runtime with that target's compiler, or write a .o or "
                         ".a, which need none",
                         "there is no runtime library for %s", library->target->triple);
}

/* ---- Archives of registries ---- */

/* Beside the registry; for another target, beside its runtime. */
static buddy_code find_archive(const bd_library *library, const bd_supplied *item,
                               const path *runtime, buddy_diags *diags, path *out) {
  const char *slash = strrchr(runtime->text, '/');
  const int n = slash ? (int)(slash - runtime->text) : 0;
  const int size = library->target->is_host ? snprintf(out->text, sizeof(out->text), "%s/%s",
                                                       item->folder, item->supplier.file)
                                            : snprintf(out->text, sizeof(out->text), "%.*s/%s", n,
                                                       runtime->text, item->supplier.file);
  if (size < MAX_PATH && exists(out->text)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, out->text,
                         "build it with that target's compiler, or write a .o or .a, and link it "
                         "there",
                         "there is no %s with the functions of registry '%s' for %s",
                         item->supplier.file, item->supplier.registry, library->target->triple);
}

/* One path for each; the caller frees it. */
static buddy_code find_archives(const bd_library *library, const path *runtime, buddy_diags *diags,
                                path **out_archives, size_t *out_n) {
  const bd_suppliers *s = library->suppliers;
  const size_t n = s ? s->n - s->n_loaded : 0;
  *out_archives = bd_calloc(n + 1, sizeof(path));
  *out_n = n;
  if (!*out_archives) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i)
    BD_TRY(find_archive(library, &s->items[s->n_loaded + i], runtime, diags, &(*out_archives)[i]));
  return BUDDY_OK;
}

/* ---- The C library ---- */

/* Where Linux systems keep libraries; %s is the target as folders are called. */
static const char *const folders[] = {"%s/lib/%s/",        "%s/usr/lib/%s/", "%s/lib64/%.0s",
                                      "%s/usr/lib64/%.0s", "%s/lib/%.0s",    "%s/usr/lib/%.0s"};

static int find_in(const char *root, const char *triple, const char *name, path *out) {
  for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); ++i) {
    char folder[MAX_PATH / 2];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* a table of this file */
    snprintf(folder, sizeof(folder), folders[i], root, triple);
#pragma GCC diagnostic pop
    snprintf(out->text, sizeof(out->text), "%s%s", folder, name);
    if (exists(out->text)) return 1;
  }
  return 0;
}

static buddy_code find_system(const bd_library *library, const char *name, buddy_diags *diags,
                              path *out) {
  char triple[128], root[192];
  bd_triple_folder(library->target->triple, triple, sizeof(triple));
  snprintf(root, sizeof(root), "%s%s", library->target->is_host ? "" : "/usr/",
           library->target->is_host ? "" : triple);
  if (find_in(library->sysroot ? library->sysroot : root, triple, name, out)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, name,
                         "install the target's C library (Debian: libc6-ARCH-cross), name its root "
                         "with --sysroot, or write a .o or .a, which need none",
                         "the library of %s was found nowhere", triple);
}

/* ---- The call ---- */

static const char *loader_of(const char *triple) {
  static const struct {
    const char *lead, *name;
  } loaders[] = {{"x86_64", "ld-linux-x86-64.so.2"},
                 {"aarch64", "ld-linux-aarch64.so.1"},
                 {"riscv64", "ld-linux-riscv64-lp64d.so.1"}};
  for (size_t i = 0; i < sizeof(loaders) / sizeof(loaders[0]); ++i) {
    if (strncmp(triple, loaders[i].lead, strlen(loaders[i].lead)) == 0) return loaders[i].name;
  }
  return NULL;
}

/* The libraries of the target that the code may call. */
typedef struct system_libraries {
  path libm, libc, loader;
  path libmvec; /* "": not asked for */
  path libgcc;  /* arithmetic that the processor lacks; "": there is none */
} system_libraries;

static buddy_code find_all(const bd_library *library, buddy_diags *diags, system_libraries *out) {
  const char *loader = loader_of(library->target->triple);
  out->libmvec.text[0] = out->libgcc.text[0] = '\0';
  if (!loader) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, library->target->triple,
                           "write a .o or .a, and link it with the target's own tools",
                           "shared libraries are linked for x86_64, aarch64 and riscv64 on Linux");
  }
  BD_TRY(find_system(library, "libm.so.6", diags, &out->libm));
  BD_TRY(find_system(library, "libc.so.6", diags, &out->libc));
  BD_TRY(find_system(library, loader, diags, &out->loader));
  if (library->has_vector_math) BD_TRY(find_system(library, "libmvec.so.1", diags, &out->libmvec));
  if (find_system(library, "libgcc_s.so.1", NULL, &out->libgcc) != BUDDY_OK)
    out->libgcc.text[0] = '\0';
  return BUDDY_OK;
}

/* What lld is told, in the order of its command line. */
typedef struct command {
  const char **words;
  size_t n;
} command;

static void say(command *c, const char *word) {
  if (*word != '\0') c->words[c->n++] = word;
}

/* An object as a file of this process. */
typedef struct memory_file {
  int descriptor;
  char path[32];
} memory_file;

static void close_objects(memory_file *files, size_t n) {
  for (size_t i = 0; i < n; ++i) close(files[i].descriptor);
  free(files);
}

static buddy_code open_objects(const bd_library *library, buddy_diags *diags,
                               memory_file **out_files) {
  memory_file *files = bd_calloc(library->n_objects + 1, sizeof(memory_file));
  *out_files = NULL;
  if (!files) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < library->n_objects; ++i) {
    const bd_member *object = &library->objects[i];
    files[i].descriptor = bd_memory_file(object->object, object->n_bytes, false);
    if (files[i].descriptor < 0) {
      const int error = errno;
      close_objects(files, i);
      return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, "linking", NULL,
                             "there is no room for an object of %zu bytes: %s", object->n_bytes,
                             strerror(error));
    }
    snprintf(files[i].path, sizeof(files[i].path), "/proc/self/fd/%d", files[i].descriptor);
  }
  *out_files = files;
  return BUDDY_OK;
}

/* What all of it is linked from. */
typedef struct inputs {
  path runtime, *archives;
  size_t n_archives;
  system_libraries system;
  memory_file *objects;
} inputs;

static buddy_code link_to(const bd_library *library, const inputs *in, const char *output,
                          buddy_diags *diags) {
  const system_libraries *all = &in->system;
  /* -Bsymbolic: every library has a description of one name, and is to find its own where a process has
   * several. */
  const char *const lead[] = {"-shared",
                              "-Bsymbolic",
                              "--threads=1",
                              "--hash-style=gnu",
                              "--build-id=none",
                              "-z",
                              "relro",
                              "-z",
                              "defs",
                              "--gc-sections",
                              "--exclude-libs=ALL",
                              "-soname",
                              library->soname,
                              "-o",
                              output};
  const char *const tail[] = {in->runtime.text, "--as-needed",     all->libm.text,  all->libc.text,
                              all->loader.text, all->libmvec.text, all->libgcc.text};
  const size_t n_lead = sizeof(lead) / sizeof(lead[0]), n_tail = sizeof(tail) / sizeof(tail[0]);
  command c = {bd_calloc(n_lead + library->n_objects + in->n_archives + n_tail + 1, sizeof(char *)),
               0};
  if (!c.words) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n_lead; ++i) say(&c, lead[i]);
  for (size_t i = 0; i < library->n_objects; ++i) say(&c, in->objects[i].path);
  for (size_t i = 0; i < in->n_archives; ++i) say(&c, in->archives[i].text);
  for (size_t i = 0; i < n_tail; ++i) say(&c, tail[i]);
  const buddy_code code = bd_link(c.words, diags);
  free(c.words);
  return code;
}

static buddy_code link_all(const bd_library *library, const inputs *in, const buddy_writer *out,
                           buddy_diags *diags) {
  bd_pipe pipe;
  buddy_code code = bd_pipe_open(&pipe, diags);
  if (code == BUDDY_OK) code = link_to(library, in, pipe.path, diags);
  if (code == BUDDY_OK) code = bd_pipe_end(&pipe);
  if (code == BUDDY_OK) code = out->write(out->user, pipe.bytes.data, pipe.bytes.size);
  bd_pipe_close(&pipe);
  return code;
}

buddy_code bd_library_link(const bd_library *library, const buddy_writer *out, buddy_diags *diags) {
  inputs in = {.archives = NULL};
  buddy_code code = find_all(library, diags, &in.system);
  if (code == BUDDY_OK) code = find_runtime(library, diags, &in.runtime);
  if (code == BUDDY_OK)
    code = find_archives(library, &in.runtime, diags, &in.archives, &in.n_archives);
  if (code == BUDDY_OK) code = open_objects(library, diags, &in.objects);
  if (code == BUDDY_OK) {
    BD_ASSERT(in.objects);
    code = link_all(library, &in, out, diags);
    close_objects(in.objects, library->n_objects);
  }
  free(in.archives);
  return code;
}
