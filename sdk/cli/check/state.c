// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/state.c: what belongs to the process, and not to a plugin: locale, folder, signals,
 * environment, descriptors, threads, how floats are rounded. */
#include <dirent.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "sdk/cli/check/check.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum { N_SIGNALS = 65 };

struct bd_process_state {
  char locale[1024], folder[PATH_MAX];
  sigset_t mask;
  struct sigaction actions[N_SIGNALS];
  char **environment; /* copies; null-terminated */
  mode_t umask;
  int rounding;
  unsigned control; /* of the vector unit: flush to zero, rounding, traps */
  size_t n_files, n_threads;
  struct itimerval timer;
  struct rlimit files, stack;
  uid_t user;
};

static size_t count_entries(const char *path) {
  DIR *dir = opendir(path);
  size_t n = 0;
  while (dir && readdir(dir)) ++n;
  if (dir) closedir(dir);
  return n;
}

static char **copy_environment(void) {
  size_t n = 0;
  while (environ && environ[n]) ++n;
  char **copy = bd_calloc(n + 1, sizeof *copy);
  for (size_t i = 0; copy && i < n; ++i) copy[i] = bd_strdup(environ[i]);
  return copy;
}

static unsigned vector_control(void) {
#if defined(__x86_64__)
  return _mm_getcsr() & ~0x3Fu; /* without the flags of what has happened */
#else
  return 0;
#endif
}

bd_process_state *bd_process_state_take(void) {
  bd_process_state *state = bd_calloc(1, sizeof *state);
  if (!state) return NULL;
  const char *locale = setlocale(LC_ALL, NULL);
  snprintf(state->locale, sizeof state->locale, "%s", locale ? locale : "");
  if (!getcwd(state->folder, sizeof state->folder)) state->folder[0] = 0;
  sigprocmask(SIG_BLOCK, NULL, &state->mask);
  for (int i = 1; i < N_SIGNALS; ++i) sigaction(i, NULL, &state->actions[i]);
  state->environment = copy_environment();
  state->umask = umask(0);
  umask(state->umask);
  state->rounding = fegetround();
  state->control = vector_control();
  state->n_files = count_entries("/proc/self/fd");
  state->n_threads = count_entries("/proc/self/task");
  getitimer(ITIMER_REAL, &state->timer);
  getrlimit(RLIMIT_NOFILE, &state->files);
  getrlimit(RLIMIT_STACK, &state->stack);
  state->user = geteuid();
  return state;
}

void bd_process_state_free(bd_process_state *state) {
  for (char **at = state ? state->environment : NULL; at && *at; ++at) free(*at);
  if (state) free(state->environment);
  free(state);
}

static void differs(FILE *out, const char *op, const char *format, ...) BUDDY_PRINTF(3, 4);
static void differs(FILE *out, const char *op, const char *format, ...) {
  char what[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  bd_tell_finding(out, "error", "process", op,
                  "the process is not the plugin's to change; put it back before returning", "%s",
                  what);
}

static void compare_environment(const bd_process_state *before, const bd_process_state *after,
                                const char *op, FILE *out) {
  size_t i = 0;
  if (!before->environment || !after->environment) return;
  for (; before->environment[i] && after->environment[i]; ++i) {
    if (!strcmp(before->environment[i], after->environment[i])) continue;
    differs(out, op, "changes the environment: '%.64s'", after->environment[i]);
    return;
  }
  if (after->environment[i])
    differs(out, op, "adds to the environment: '%.64s'", after->environment[i]);
  if (before->environment[i])
    differs(out, op, "takes from the environment: '%.64s'", before->environment[i]);
}

static void compare_signals(const bd_process_state *before, const bd_process_state *after,
                            const char *op, FILE *out) {
  for (int i = 1; i < N_SIGNALS; ++i) {
    const struct sigaction *a = &before->actions[i], *b = &after->actions[i];
    if (a->sa_handler != b->sa_handler)
      differs(out, op, "installs a handler for signal %d (%s)", i, strsignal(i));
    if (sigismember(&before->mask, i) != sigismember(&after->mask, i))
      differs(out, op, "changes the mask of signal %d (%s)", i, strsignal(i));
  }
}

void bd_process_state_compare(const bd_process_state *before, const char *op, FILE *out) {
  bd_process_state *after = bd_process_state_take();
  if (!before || !after) {
    bd_process_state_free(after);
    return;
  }
  if (strcmp(before->locale, after->locale) != 0)
    differs(out, op, "changes the locale from '%s' to '%s'", before->locale, after->locale);
  if (strcmp(before->folder, after->folder) != 0)
    differs(out, op, "changes the current directory to '%s'", after->folder);
  compare_signals(before, after, op, out);
  compare_environment(before, after, op, out);
  if (before->umask != after->umask)
    differs(out, op, "changes the umask from %03o to %03o", before->umask, after->umask);
  if (before->rounding != after->rounding) differs(out, op, "changes how floats are rounded");
  if (before->control != after->control)
    differs(out, op, "changes the control register of the vector unit from %#x to %#x",
            before->control, after->control);
  if (after->n_files > before->n_files)
    differs(out, op, "leaves %zu descriptors open", after->n_files - before->n_files);
  if (after->n_files < before->n_files)
    differs(out, op, "closes %zu descriptors that are not its own",
            before->n_files - after->n_files);
  if (after->n_threads > before->n_threads)
    bd_tell_finding(out, "warning", "process", op,
                    "threads must not outlive close(), nor hold locks across a fork",
                    "leaves %zu threads running", after->n_threads - before->n_threads);
  if (memcmp(&before->timer.it_interval, &after->timer.it_interval,
             sizeof before->timer.it_interval))
    differs(out, op, "sets an interval timer");
  if (before->files.rlim_cur != after->files.rlim_cur ||
      before->stack.rlim_cur != after->stack.rlim_cur)
    differs(out, op, "changes the limits of the process");
  if (before->user != after->user) differs(out, op, "changes the user of the process");
  bd_process_state_free(after);
}
