// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/reduce/trial.c: a command on the files of a program, and what it says of them.
 *
 * It runs by the shell in a process group of its own, so that what it started ends with it, and what
 * it writes goes to a file. Two failures are the same if the status is, and the first line with
 * "error:" but for numbers and the archive's name: those change when a program becomes smaller. */
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "sdk/cli/reduce/reduce.h"

/* ---- The command ----------------------------------------------------------------------------- */
/* As one word of the shell's. */
static void add_word(bd_text *text, const char *word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=,:@";
  if (*word && word[strspn(word, plain)] == 0) {
    bd_text_string(text, word);
    return;
  }
  bd_text_char(text, '\'');
  for (; *word; ++word) {
    if (*word == '\'') bd_text_string(text, "'\\'");
    bd_text_char(text, *word);
  }
  bd_text_char(text, '\'');
}

static void add_inputs(bd_text *text, const char *folder, size_t n_inputs) {
  for (size_t i = 0; i < n_inputs; ++i)
    bd_text_format(text, "%s--input %s/input_%zu.npy", i ? " " : "", folder, i);
}

/* folder, model: words of the shell's. */
static void add_command(bd_text *out, const char *command, const char *model, const char *folder,
                        size_t n_inputs) {
  bool is_named = false;
  for (const char *at = command; *at; ++at) {
    if (strncmp(at, "{model}", 7) == 0) {
      bd_text_string(out, model);
      at += 6;
      is_named = true;
    } else if (strncmp(at, "{inputs}", 8) == 0) {
      add_inputs(out, folder, n_inputs);
      at += 7;
      is_named = true;
    } else {
      bd_text_char(out, *at);
    }
  }
  if (is_named) return;
  bd_text_format(out, " %s ", model);
  add_inputs(out, folder, n_inputs);
}

buddy_code bd_command_script(const bd_command *command, size_t n_inputs, bd_text *out) {
  bd_text text;
  bd_text_init(&text);
  add_command(&text, command->text, "\"$here\"/model.pt2", "\"$here\"", n_inputs);
  bd_text_format(out, "timeout %u sh -c ", command->seconds);
  add_word(out, text.data);
  if (text.code) out->code = text.code;
  bd_text_deinit(&text);
  return out->code;
}

/* ---- The child ------------------------------------------------------------------------------- */
static volatile sig_atomic_t is_over;
static void note_signal(int number) { is_over = number; }

void bd_reduction_watch(void) {
  const struct sigaction action = {.sa_handler = note_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}
bool bd_reduction_is_over(void) { return is_over != 0; }

void bd_child_begin(int output) {
  const struct rlimit none = {0, 0};
  setpgid(0, 0);
  setrlimit(RLIMIT_CORE, &none);
  const int null = open("/dev/null", O_RDONLY);
  if (null >= 0) dup2(null, 0);
  dup2(output, 1);
  dup2(output, 2);
}

char *bd_child_said(int output) {
  enum { MOST = 8 << 20 };
  const off_t end = lseek(output, 0, SEEK_END);
  const size_t size = end < 0 ? 0 : end < MOST ? (size_t)end : MOST;
  char *text = bd_malloc(size + 1);
  const ssize_t n = text ? pread(output, text, size, 0) : 0;
  if (text) text[n > 0 ? n : 0] = 0;
  return text;
}

/* -1: not done in time, or the user wants it to end. */
static int wait_for(pid_t child, int64_t deadline) {
  int status = -1;
  bool is_done = waitpid(child, &status, WNOHANG) == child;
  for (int64_t pause = 1; !is_done && !is_over && bd_milliseconds() < deadline;) {
    const struct timespec time = {0, pause * 1000000};
    nanosleep(&time, NULL);
    if (pause < 20) pause *= 2;
    is_done = waitpid(child, &status, WNOHANG) == child;
  }
  kill(-child, SIGKILL); /* and whatever it has started */
  if (!is_done) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return -1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- What it says ---------------------------------------------------------------------------- */
/* Words with a digit are numbers, addresses, and names that were counted. */
static void make_likeness(const char *message, const char *model, char *out, size_t size) {
  size_t n = 0;
  const size_t n_model = strlen(model);
  for (const char *at = message; *at && n + 2 < size;) {
    const char *end = at;
    bool has_digit = false;
    while (isalnum((unsigned char)*end) || (*end && strchr("_.", *end))) {
      has_digit = has_digit || isdigit((unsigned char)*end);
      ++end;
    }
    if (strncmp(at, model, n_model) == 0) {
      at += n_model;
      out[n++] = '@';
    } else if (has_digit) {
      at = end;
      out[n++] = '#';
    } else {
      do out[n++] = *at++;
      while (at < end && n + 2 < size);
    }
  }
  out[n] = 0;
}

static buddy_code read_message(int output, const char *model, const bd_command *command,
                               bd_verdict *out) {
  char *text = bd_child_said(output), *rest = NULL;
  if (!text) return BUDDY_OUT_OF_MEMORY;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    out->is_expected |= command->expected && strstr(line, command->expected);
    if (!*out->message && strcasestr(line, "error:"))
      snprintf(out->message, sizeof out->message, "%s", line);
  }
  bd_free(text);
  make_likeness(out->message, model, out->likeness, sizeof out->likeness);
  return BUDDY_OK;
}

buddy_code bd_command_start(const bd_command *command, const char *model, const char *folder,
                            size_t n_inputs, bd_running *out) {
  bd_text text, words[2];
  for (int i = 0; i < 2; ++i) bd_text_init(&words[i]);
  bd_text_init(&text);
  add_word(&words[0], model);
  add_word(&words[1], folder);
  add_command(&text, command->text, words[0].data, words[1].data, n_inputs);
  for (int i = 0; i < 2; ++i) bd_text_deinit(&words[i]);
  *out = (bd_running){.output = bd_memory_file("", 0, false),
                      .deadline = bd_milliseconds() + (int64_t)command->seconds * 1000};
  const buddy_code code = out->output >= 0 ? text.code : BUDDY_IO;
  fflush(NULL);
  const pid_t child = code == BUDDY_OK ? fork() : -1;
  if (child == 0) {
    bd_child_begin(out->output);
    execl("/bin/sh", "sh", "-c", text.data, (char *)NULL);
    _exit(127);
  }
  bd_text_deinit(&text);
  if (child > 0) {
    setpgid(child, child);
    out->child = child;
    return BUDDY_OK;
  }
  if (out->output >= 0) close(out->output);
  return code == BUDDY_OK ? BUDDY_IO : code;
}

buddy_code bd_command_finish(const bd_command *command, const char *model, bd_running *running,
                             bd_verdict *out) {
  *out = (bd_verdict){.status = wait_for(running->child, running->deadline)};
  out->is_failure = out->status != 0 && out->status != 125;
  const buddy_code code = read_message(running->output, model, command, out);
  close(running->output);
  running->child = 0;
  return code;
}

void bd_command_stop(bd_running *running) {
  if (!running->child) return;
  wait_for(running->child, 0);
  close(running->output);
  running->child = 0;
}

bool bd_verdict_is_same(const bd_command *command, const bd_verdict *whole, const bd_verdict *cut) {
  if (!cut->is_failure || cut->status != whole->status) return false;
  return command->expected ? cut->is_expected : strcmp(whole->likeness, cut->likeness) == 0;
}
