// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/new_registry.c: `buddy new-registry`: writes a project of one's own from the template
 * that is installed beside the command, share/buddy/template.
 *
 *   common/               for every project
 *   <language>-<tier>/    the sources
 *
 * In every file @word@ is replaced by what the word stands for. The folder appears under its name
 * only when it is whole. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "core/registry/spelling.h"
#include "sdk/cli/options.h"
#include "sdk/cli/outfolder.h"
#include "sdk/cli/verb.h"

#define MAX_FILE (1u << 20)
#define MAX_DEPTH 8

typedef struct arguments {
  const char *name, *language, *tier, *vendor, *license, *folder;
} arguments;

enum { OPTION_LANGUAGE = 256, OPTION_TIER, OPTION_VENDOR, OPTION_LICENSE };
static const struct argp_option options[] = {
    {"language", OPTION_LANGUAGE, "L", 0, "c (the default) or c++, with a guard for exceptions", 0},
    {"tier", OPTION_TIER, "T", 0,
     "portable (the default): host services alone, one file for every LLVM; or native: the MLIR C "
     "API, tied to this LLVM",
     0},
    {"vendor", OPTION_VENDOR, "NAME", 0, "Who makes the registry (default: the user's name)", 0},
    {"license", OPTION_LICENSE, "ID", 0,
     "SPDX identifier, or LicenseRef-… for a closed one (default: LicenseRef-Proprietary)", 0},
    {"output", 'o', "DIR", 0, "The new folder (default: buddy_NAME)", 0},
    {0}};

static void take_word(const char **place, const char *arg, const char *one, const char *other,
                      struct argp_state *state) {
  if (strcmp(arg, one) != 0 && strcmp(arg, other) != 0)
    bd_usage(state, "'%s' is neither %s nor %s", arg, one, other);
  *place = arg;
}

/* What may stand in a string of C's, and be shown. */
static bool is_plain(const char *text) {
  if (!*text || strlen(text) > 63 || strpbrk(text, "\"\\\n@")) return false;
  char *shown = bd_shown(text);
  const bool is_same = strcmp(shown, text) == 0;
  free(shown);
  return is_same;
}

static void check(const arguments *args, struct argp_state *state) {
  if (!args->name) bd_usage(state, "what shall the registry be called?");
  if (!bd_is_registry_name(args->name, strlen(args->name)))
    bd_usage(state, "'%s' is no name of a registry: [a-z][a-z0-9_]*, at most 31 letters",
             args->name);
  const char *texts[] = {args->vendor, args->license};
  for (int i = 0; i < 2; ++i) {
    if (texts[i] && !is_plain(texts[i]))
      bd_usage(state, "'%s' is empty, too long (63 bytes), or has a quote, \\, @ or controls",
               texts[i]);
  }
}

static const bd_slot slots[] = {BD_SLOT(OPTION_VENDOR, arguments, vendor),
                                BD_SLOT(OPTION_LICENSE, arguments, license),
                                BD_SLOT('o', arguments, folder),
                                {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  arguments *args = state->input;
  switch (key) {
    case OPTION_LANGUAGE:
      take_word(&args->language, arg, "c", "c++", state);
      return 0;
    case OPTION_TIER:
      take_word(&args->tier, arg, "portable", "native", state);
      return 0;
    case ARGP_KEY_ARG:
      if (args->name) bd_usage(state, "takes one name, but got '%s' as well", arg);
      args->name = arg;
      return 0;
    case ARGP_KEY_END:
      check(args, state);
      return 0;
    default:
      return bd_take(slots, key, arg, state);
  }
}

static const struct argp parser = {
    options,
    parse,
    "NAME",
    "Writes a project for a registry of your own: sources, CMake files, and tests.\v"
    "Then, in its folder:\n"
    "  cmake -S . -B build -G Ninja && cmake --build build\n"
    "  ctest --test-dir build\n"
    "  cmake --install build --prefix ~/.local/share/buddy\n"
    "The guide is share/buddy/GUIDE.md.",
    NULL,
    NULL,
    NULL};

/* ---- Words ----------------------------------------------------------------------------------- */
typedef struct word {
  const char *name, *text;
} word;
#define N_WORDS 11
typedef struct project {
  word words[N_WORDS];
  buddy_diags *diags;
} project;

static buddy_code fail(const project *p, const char *path, const char *what) {
  return buddy_diags_add(p->diags, BUDDY_ERROR, BUDDY_IO, path, NULL, "%s: %s", what,
                         strerror(errno));
}

static const char *find_word(const project *p, const char *text, size_t size) {
  for (size_t i = 0; i < N_WORDS; ++i) {
    const char *name = p->words[i].name;
    if (name && strlen(name) == size && !memcmp(name, text, size)) return p->words[i].text;
  }
  return NULL;
}

static void write_replaced(const project *p, const char *text, bd_outfile *out) {
  for (const char *at; (at = strchr(text, '@'));) {
    const char *end = strchr(at + 1, '@');
    const char *with = end ? find_word(p, at + 1, (size_t)(end - at - 1)) : NULL;
    bd_outfile_write(out, text, (size_t)(at - text));
    bd_outfile_write(out, with ? with : "@", with ? strlen(with) : 1);
    text = with ? end + 1 : at + 1;
  }
  bd_outfile_write(out, text, strlen(text));
}

/* ---- Files ----------------------------------------------------------------------------------- */
static buddy_code copy_file(const project *p, const char *from, const char *to) {
  char *text;
  size_t n;
  bd_outfile out;
  BD_TRY(bd_infile_whole(from, MAX_FILE, NULL, p->diags, &text, &n));
  buddy_code code = bd_outfile_open(to, p->diags, &out);
  if (code == BUDDY_OK) {
    write_replaced(p, text, &out);
    code = bd_outfile_commit(&(bd_outfile *){&out}, 1, p->diags);
  }
  bd_free(text);
  return code;
}

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static buddy_code copy_folder(const project *p, const char *from, const char *to, int depth) {
  DIR *dir = opendir(from);
  if (!dir) return fail(p, from, "the template cannot be read");
  buddy_code code = BUDDY_OK;
  for (struct dirent *entry; code == BUDDY_OK && (entry = readdir(dir));) {
    char source[PATH_MAX], target[PATH_MAX];
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    const int n = snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
    const int m = snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
    if (n < 0 || m < 0 || (size_t)n >= sizeof source || (size_t)m >= sizeof target) {
      errno = ENAMETOOLONG;
      code = fail(p, to, "cannot be written");
    } else if (!is_folder(source)) {
      code = copy_file(p, source, target);
    } else if (depth == MAX_DEPTH || (mkdir(target, 0777) && errno != EEXIST)) {
      code = fail(p, target, "cannot be made");
    } else {
      code = copy_folder(p, source, target, depth + 1);
    }
  }
  closedir(dir);
  return code;
}

/* <folder of the program>/../share/buddy */
static buddy_code find_data(const project *p, char path[PATH_MAX]) {
  char own[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
  char *slash = NULL;
  if (n > 0) {
    own[n] = 0;
    slash = strrchr(own, '/');
  }
  if (!slash) return fail(p, "buddy", "does not know where it is");
  *slash = 0;
  const int m = snprintf(path, PATH_MAX, "%s/" BUDDY_DATA_FROM_BIN, own);
  return m > 0 && m < PATH_MAX && is_folder(path)
             ? BUDDY_OK
             : buddy_diags_add(p->diags, BUDDY_ERROR, BUDDY_NOT_FOUND, path,
                               "install buddy whole: cmake --install",
                               "the template is not where it should be");
}

static buddy_code fill(const project *p, const char *data, const arguments *args, const char *to) {
  char from[PATH_MAX];
  const int n = snprintf(from, sizeof from, "%s/template/common", data);
  if (n < 0 || (size_t)n >= sizeof from - 32) return BUDDY_LIMIT;
  BD_TRY(copy_folder(p, from, to, 0));
  snprintf(from, sizeof from, "%.*s/template/%s-%s", PATH_MAX - 40, data, args->language,
           args->tier);
  return copy_folder(p, from, to, 0);
}

static buddy_code write_project(project p, const arguments *args, const char *folder) {
  bd_outfolder out;
  char data[PATH_MAX], guide[PATH_MAX + 16];
  BD_TRY(find_data(&p, data));
  char real[PATH_MAX];
  snprintf(guide, sizeof guide, "%s/GUIDE.md", realpath(data, real) ? real : data);
  p.words[N_WORDS - 1] = (word){"guide", guide};
  BD_TRY(bd_outfolder_open(folder, p.diags, &out));
  buddy_code code = fill(&p, data, args, out.writing);
  if (code == BUDDY_OK) code = bd_outfolder_commit(&out, p.diags);
  bd_outfolder_discard(&out);
  return code;
}

static int run(int argc, char **argv) {
  arguments args = {.language = "c", .tier = "portable", .license = "LicenseRef-Proprietary"};
  if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0) return BD_EXIT_USAGE;
  const char *user = getenv("USER");
  const bool is_cxx = !strcmp(args.language, "c++"), is_native = !strcmp(args.tier, "native");
  if (!args.vendor) args.vendor = user && is_plain(user) ? user : "me";
  char folder[64];
  snprintf(folder, sizeof folder, "buddy_%s", args.name);
  if (!args.folder) args.folder = folder;
  project p = {.words = {{"name", args.name},
                         {"vendor", args.vendor},
                         {"license", args.license},
                         {"tier", args.tier},
                         {"tier_word", is_native ? "" : "PORTABLE "},
                         {"components", is_native ? " COMPONENTS native" : ""},
                         {"languages", is_cxx ? "CXX" : "C"},
                         {"standard", is_cxx ? "set(CMAKE_CXX_STANDARD 17)\n"
                                               "set(CMAKE_CXX_STANDARD_REQUIRED ON)"
                                             : "set(CMAKE_C_STANDARD 11)"},
                         {"suffix", is_cxx ? "cpp" : "c"},
                         {"language", args.language}}};
  buddy_code code = buddy_diags_create(&p.diags);
  if (code == BUDDY_OK) code = write_project(p, &args, args.folder);
  if (code == BUDDY_OK) {
    bd_put_shown(args.folder, stdout);
    printf(
        ": a %s registry in %s. Next, in that folder:\n"
        "  cmake -S . -B build -G Ninja && cmake --build build && ctest --test-dir build\n",
        args.tier, args.language);
  }
  return bd_finish(code, p.diags);
}

const bd_verb bd_verb_new_registry = {"new-registry", "write a project for a registry of your own",
                                      &parser, run};
