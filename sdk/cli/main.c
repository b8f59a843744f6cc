// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/main.c: the `buddy` program: finds the verb and runs it. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buddy/resolve.h"
#include "sdk/cli/verb.h"
#include "sdk/config/config.h"

/* Those that need no more than libbuddy. */
static const bd_verb *const light_verbs[] = {&bd_verb_registries, &bd_verb_new_registry,
                                             &bd_verb_config, NULL};

static const bd_verb *const *load_verbs(const char *name) {
  /* LAZY: binding every name of MLIR and LLVM at once would double the start-up time. Found through
   * the program's run path, in the build tree and in an install tree alike. */
  void *module = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!module) {
    fprintf(stderr, "buddy: error: the installation is incomplete: %s\n", dlerror());
    return NULL;
  }
  const bd_verb *const *verbs = NULL;
  void *symbol = dlsym(module, BD_VERBS_SYMBOL);
  memcpy(&verbs, &symbol, sizeof(verbs));
  const bd_verb *const **lent = dlsym(module, BD_PROGRAM_VERBS_SYMBOL);
  if (lent) *lent = light_verbs;
  return verbs;
}

static const bd_verb *find_verb(const bd_verb *const *verbs, const char *name) {
  for (; verbs && *verbs; ++verbs) {
    if (strcmp(name, (*verbs)->name) == 0) return *verbs;
  }
  return NULL;
}

static int print_help(FILE *out) {
  const bd_verb *const *verbs = load_verbs(BD_VERBS_MODULE);
  fprintf(out,
          "Usage: buddy VERB [OPTION...]\n"
          "Brings PyTorch programs (.pt2 archives of torch.export.save) to MLIR, and runs them.\n\n"
          "Verbs:\n");
  for (const bd_verb *const *verb = verbs; verb && *verb; ++verb) {
    fprintf(out, "  %-12s %s\n", (*verb)->name, (*verb)->summary);
  }
  for (const bd_verb *const *verb = light_verbs; *verb; ++verb) {
    fprintf(out, "  %-12s %s\n", (*verb)->name, (*verb)->summary);
  }
  fprintf(
      out,
      "\n`buddy VERB --help` tells more of one. A first round:\n"
      "  buddy run model.pt2 --input x.npy --output-dir out   run it, results as .npy\n"
      "  buddy import model.pt2 -o model.mlir                 its MLIR\n"
      "  buddy explain model.pt2                              which registry takes which op, "
      "and why\n\n"
      "Environment:\n"
      "  BUDDY_REGISTRIES    order of registries, `*` for all the others "
      "(default " BUDDY_DEFAULT_ORDER
      ")\n"
      "  BUDDY_PLUGIN_PATH   folders with further registries, separated by `:`\n"
      "  BUDDY_PINS          op=registry, …: that registry is asked first for that op\n"
      "  BUDDY_CONFIG        a buddy.toml to take the settings from; see `buddy config --help`\n\n"
      "Exit status: 0 done, 1 failed, 2 the command line is wrong.\n");
  return verbs ? BD_EXIT_OK : BD_EXIT_FAILED;
}

static void forget_config(void) { bd_config_deinit(&bd_config_in_force); }

/* A word of help must be had whatever a file says. */
static int asks_for_help(int argc, char **argv) {
  for (int i = 2; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "--usage") == 0) return 1;
  }
  return strcmp(argv[1], "completion") == 0;
}

static int read_config(void) {
  buddy_diags *diags = NULL;
  atexit(forget_config);
  buddy_code code = buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = bd_config_apply(&bd_config_in_force, NULL, diags);
  return bd_finish(code, diags);
}

/* ---- Standard output ------------------------------------------------------------------------- */
/* A descriptor that is closed would be the next file's that is opened, and what is printed would go
 * there. The null device takes its place, so opened that using it fails as it would have. */
static void occupy(int descriptor, int mode) {
  if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) return;
  const int file = open("/dev/null", mode);
  if (file >= 0 && file != descriptor) {
    dup2(file, descriptor);
    close(file);
  }
}

/* What was printed and did not arrive is a failure, whatever the verb, and however it ends: its output
 * may be a full disk, or a pipe that nobody reads. */
static void finish_output(int status, void *unused) {
  (void)unused;
  bool is_whole = !ferror(stdout);
  if (is_whole) {
    is_whole = fflush(stdout) == 0;
  } else {
    clearerr(stdout);
    errno = 0;
    if (putchar('\n') != EOF) fflush(stdout); /* it fails once more, and says why */
  }
  if (is_whole) return;
  fprintf(stderr, "buddy: error: standard output: cannot be written: %s\n",
          errno ? strerror(errno) : "not all of it arrived");
  if (status == BD_EXIT_OK) _exit(BD_EXIT_FAILED);
}

/* A daemon's children may come with SIGCHLD ignored, and then no child can be waited for: how it ended
 * would be lost. Alarms are what ends children of ours. */
static void own_signals(void) {
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, SIGCHLD);
  sigaddset(&ours, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &ours, NULL);
  signal(SIGCHLD, SIG_DFL);
  signal(SIGALRM, SIG_DFL);
}

int main(int argc, char **argv) {
  occupy(STDIN_FILENO, O_WRONLY);
  occupy(STDOUT_FILENO, O_RDONLY);
  occupy(STDERR_FILENO, O_RDONLY);
  on_exit(finish_output, NULL);
  own_signals();
  argp_err_exit_status = BD_EXIT_USAGE;
  if (argc < 2) {
    print_help(stderr);
    return BD_EXIT_USAGE;
  }
  const char *name = argv[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    return print_help(stdout);
  }
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
    printf("buddy %s (plugin ABI %u.%u)\n", buddy_version(), BUDDY_ABI_MAJOR, BUDDY_ABI_MINOR);
    return BD_EXIT_OK;
  }
  const bd_verb *verb = find_verb(light_verbs, name);
  const int runs = strcmp(name, "run") == 0 || strcmp(name, "cache") == 0;
  const bd_verb *const *verbs = verb ? NULL : load_verbs(runs ? BD_RUN_MODULE : BD_VERBS_MODULE);
  if (!verb && !verbs) return BD_EXIT_FAILED;
  if (!verb) verb = find_verb(verbs, name);
  if (!verb) {
    fputs("buddy: error: there is no verb '", stderr);
    bd_put_shown(name, stderr);
    fputs("'; see `buddy --help`\n", stderr);
    return BD_EXIT_USAGE;
  }
  if (!asks_for_help(argc, argv) && read_config() != BD_EXIT_OK) return BD_EXIT_FAILED;
  static char full_name[64]; /* argp keeps it */
  snprintf(full_name, sizeof(full_name), "buddy %s", verb->name);
  argv[1] = full_name;
  return verb->run(argc - 1, argv + 1);
}
