// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/child.c: children that may die.
 *
 * A child leads a process group of its own, so that what it started dies with it. What it or the
 * plugin prints goes to a file, for registries must not print. It ends with exit(), so that the
 * plugin's close() is watched as well. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "sdk/cli/check/check.h"
#include "sdk/cli/json.h"

#define MAX_LINE (4u << 20)
#define MAX_MEMORY ((rlim_t)24 << 30)

/* ---- Telling --------------------------------------------------------------------------------- */
void bd_tell(FILE *out, json_t *object) {
  json_dumpf(object, out, JSON_COMPACT);
  fputc('\n', out);
  fflush(out);
  json_decref(object);
}

static json_t *finding(const char *severity, const char *stage, const char *op, const char *todo,
                       const char *what) {
  return json_pack("{s:s, s:o, s:o, s:o, s:o}", "severity", severity, "stage", bd_json_text(stage),
                   "op", bd_json_text(op), "what", bd_json_text(what), "todo", bd_json_text(todo));
}

void bd_tell_finding(FILE *out, const char *severity, const char *stage, const char *op,
                     const char *todo, const char *format, ...) {
  char what[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  bd_tell(out, finding(severity, stage, op, todo, what));
}

void bd_tell_step(FILE *out, const char *format, ...) {
  char step[512];
  va_list args;
  va_start(args, format);
  vsnprintf(step, sizeof step, format, args);
  va_end(args);
  bd_tell(out, json_pack("{s:o}", "step", bd_json_text(step)));
}

/* ---- The child ------------------------------------------------------------------------------- */
static void run_child(const bd_check *check, bd_child_body body, void *user, int pipe, int output) {
  setpgid(0, 0);
  setrlimit(RLIMIT_CORE, &(const struct rlimit){0, 0});
#if !defined(__SANITIZE_ADDRESS__)
  setrlimit(RLIMIT_AS,
            &(const struct rlimit){MAX_MEMORY, MAX_MEMORY}); /* a sanitizer's shadow is larger */
#endif
  const int null = open("/dev/null", O_RDONLY);
  if (null >= 0) dup2(null, 0);
  if (null > 2) close(null);
  dup2(output, 1);
  dup2(output, 2);
  FILE *out = fdopen(pipe, "w");
  if (!out) _exit(70);
  body(check, user, out);
  bd_tell_step(out, "close() at the end of the process");
  exit(0);
}

/* ---- The parent ------------------------------------------------------------------------------ */
typedef struct watch {
  bd_check *check;
  json_t *told;
  char *text; /* the line that is being read */
  size_t size;
  char step[512];
  int told_output;
} watch;

static void take_line(watch *w, const char *line, size_t size) {
  json_t *object = json_loadb(line, size, 0, NULL);
  const json_t *step = json_object_get(object, "step");
  if (step) {
    snprintf(w->step, sizeof w->step, "%s", json_string_value(step) ? json_string_value(step) : "");
  } else if (json_object_get(object, "severity")) {
    json_array_append(w->check->findings, object);
  } else if (object && w->told) {
    json_array_append(w->told, object);
  }
  json_decref(object);
}

static void take_bytes(watch *w, const char *data, size_t n) {
  if (w->size + n > MAX_LINE) w->size = 0; /* no line of ours */
  char *text = n > MAX_LINE ? NULL : bd_realloc(w->text, w->size + n);
  if (!text) return;
  w->text = text;
  memcpy(w->text + w->size, data, n);
  w->size += n;
  for (char *end; (end = memchr(w->text, '\n', w->size));) {
    const size_t line = (size_t)(end - w->text) + 1;
    take_line(w, w->text, line - 1);
    memmove(w->text, w->text + line, w->size - line);
    w->size -= line;
  }
}

/* Reads until the child closes the pipe, or nothing comes for too long. 0: too long. */
static int read_all(watch *w, int pipe) {
  char data[65536];
  int64_t deadline = bd_milliseconds() + (int64_t)w->check->seconds * 1000;
  for (;;) {
    const int64_t left = deadline - bd_milliseconds();
    struct pollfd wait = {.fd = pipe, .events = POLLIN};
    const int ready = left > 0 ? poll(&wait, 1, (int)left) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return 0;
    const ssize_t n = read(pipe, data, sizeof data);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 1;
    take_bytes(w, data, (size_t)n);
    deadline = bd_milliseconds() + (int64_t)w->check->seconds * 1000;
  }
}

/* The pipe is closed, but the process may still be ending. 0: it did not in time. */
static int wait_for(pid_t child, unsigned seconds, int *status) {
  const int64_t deadline = bd_milliseconds() + (int64_t)seconds * 1000;
  for (;;) {
    const pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == child) return 1;
    if (ended < 0 && errno != EINTR) return 1;
    if (bd_milliseconds() >= deadline) return 0;
    const struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
  }
}

static void add(watch *w, const char *severity, const char *stage, const char *op, const char *todo,
                const char *what) {
  json_array_append_new(w->check->findings, finding(severity, stage, op, todo, what));
}

static void report_output(watch *w, int output, const char *stage, const char *op, bool is_dead) {
  char text[400] = "";
  const ssize_t n = pread(output, text, sizeof text - 1, 0);
  if (n <= 0) return;
  text[n] = 0;
  for (char *at = text; *at; ++at) {
    if ((unsigned char)*at < 32 || (unsigned char)*at > 126) *at = *at == '\n' ? ' ' : '?';
  }
  char what[640];
  snprintf(what, sizeof what, "%s: \"%s\"", is_dead ? "printed before it ended" : "prints", text);
  add(w, is_dead ? "note" : "warning", stage, op,
      is_dead ? NULL : "a registry is silent: say it through decline, fail or open's `why`", what);
}

static int judge(watch *w, const char *stage, const char *op, int in_time, int status) {
  char what[768];
  if (!in_time) {
    snprintf(what, sizeof what, "%s: not done in %u seconds", w->step, w->check->seconds);
    add(w, "error", stage, op, "a callback must end by itself; --seconds gives more time", what);
    return 0;
  }
  if (WIFSIGNALED(status)) {
    snprintf(what, sizeof what, "%s: ended the process by signal %d (%s)", w->step,
             WTERMSIG(status), strsignal(WTERMSIG(status)));
    add(w, "error", stage, op, "run the command under a debugger: set follow-fork-mode child",
        what);
    return 0;
  }
  if (WEXITSTATUS(status) != 0) {
    snprintf(what, sizeof what, "%s: ended the process with exit status %d", w->step,
             WEXITSTATUS(status));
    add(w, "error", stage, op, "a registry never calls exit or abort", what);
    return 0;
  }
  /* Exit status 0 before the body was through: the plugin called exit(0). */
  if (strncmp(w->step, "close()", 7) != 0) {
    snprintf(what, sizeof what, "%s: ended the process with exit status 0", w->step);
    add(w, "error", stage, op, "a registry never calls exit", what);
    return 0;
  }
  return 1;
}

int bd_child_run(bd_check *check, const char *stage, const char *op, bd_child_body body, void *user,
                 json_t *told) {
  int ends[2];
  const int output = bd_memory_file("", 0, false);
  if (output < 0 || pipe2(ends, O_CLOEXEC)) return 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(check, body, user, ends[1], output);
  }
  close(ends[1]);
  watch w = {.check = check, .told = told, .step = "before anything was done"};
  int status = 0;
  int in_time = child > 0 && read_all(&w, ends[0]) && wait_for(child, check->seconds, &status);
  if (child > 0) kill(-child, SIGKILL); /* and whatever it has started */
  if (child > 0 && !in_time) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  close(ends[0]);
  const bool is_well = judge(&w, stage, op, in_time, status);
  report_output(&w, output, stage, op, !is_well);
  close(output);
  free(w.text);
  return is_well;
}
