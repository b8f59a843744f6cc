// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/launch.c: starts ranks by an MPI's launcher, and looks after what they leave.
 *
 * MPICH, and UCX below it, make a file in /dev/shm and remove its name once all ranks of the machine
 * have opened it; a rank that is killed in between leaves the file there for ever. What this launch left
 * is found by name, owner and time; a file that a process has open or mapped is another program's. */
#include "sdk/cli/launch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/infile.h"

#define SHARED "/dev/shm"

/* ---- What is left ---------------------------------------------------------------------------- */
static bool has_open(const char *process, const char *path) {
  char folder[64], name[PATH_MAX], target[PATH_MAX];
  snprintf(folder, sizeof folder, "/proc/%.20s/fd", process);
  DIR *files = opendir(folder);
  bool is_found = false;
  for (struct dirent *file; files && !is_found && (file = readdir(files));) {
    snprintf(name, sizeof name, "%s/%s", folder, file->d_name);
    const ssize_t n = readlink(name, target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    is_found = strcmp(target, path) == 0;
  }
  if (files) closedir(files);
  return is_found;
}

static bool has_mapped(const char *process, const char *path) {
  char name[64], *line = NULL;
  size_t capacity = 0;
  bool is_found = false;
  snprintf(name, sizeof name, "/proc/%.20s/maps", process);
  bd_infile file;
  bd_fault fault;
  FILE *maps = bd_infile_try(name, &file, &fault) ? bd_infile_stream(&file) : NULL;
  while (maps && !is_found && getline(&line, &capacity, maps) > 0)
    is_found = strstr(line, path) != NULL;
  if (maps) fclose(maps);
  free(line);
  return is_found;
}

/* Whoever makes such a file closes it after it is mapped: one of the two is seen in this order. */
static bool is_used(const char *path) {
  DIR *processes = opendir("/proc");
  bool is_found = !processes;
  for (struct dirent *one; processes && !is_found && (one = readdir(processes));) {
    if (isdigit((unsigned char)one->d_name[0]))
      is_found = has_open(one->d_name, path) || has_mapped(one->d_name, path);
  }
  if (processes) closedir(processes);
  return is_found;
}

static bool is_ours(const char *path, time_t since) {
  struct stat about;
  return lstat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
         about.st_mtim.tv_sec >= since;
}

static void remove_left(time_t since) {
  static const char *const names[] = {"mpich_shar_tmp", "ucx_shm_posix_"};
  char path[PATH_MAX];
  DIR *folder = opendir(SHARED);
  for (struct dirent *file; folder && (file = readdir(folder));) {
    bool is_known = false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
      is_known |= strncmp(file->d_name, names[i], strlen(names[i])) == 0;
    snprintf(path, sizeof path, SHARED "/%s", file->d_name);
    if (is_known && is_ours(path, since) && !is_used(path)) unlink(path);
  }
  if (folder) closedir(folder);
}

/* ---- The launcher ---------------------------------------------------------------------------- */
static volatile pid_t launcher;

/* A terminal's signals come to the launcher by themselves. */
static void pass_on(int number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_code <= 0) kill(launcher, number);
}

/* 0, or errno. If this process is killed, the launcher ends its ranks. */
static int start(char *const *words) {
  int ends[2], why = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  const pid_t self = getpid();
  fflush(NULL);
  launcher = fork();
  if (launcher == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == self) execvp(words[0], words);
    why = errno;
    _exit(write(ends[1], &why, sizeof why) < 0 ? 126 : 127);
  }
  if (launcher < 0) why = errno;
  close(ends[1]);
  if (launcher > 0 && read(ends[0], &why, sizeof why) == sizeof why) waitpid(launcher, NULL, 0);
  close(ends[0]);
  return why;
}

int bd_launch(char *const *words) {
  static const int passed[] = {SIGINT, SIGTERM, SIGHUP};
  const struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
  const time_t since = time(NULL);
  int status = 0;
  const int why = start(words);
  if (why != 0) return why;
  for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); ++i) {
    struct sigaction before;
    if (sigaction(passed[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(passed[i], &action, NULL); /* nohup's stays ignored, also by the launcher */
  }
  while (waitpid(launcher, &status, 0) < 0 && errno == EINTR) continue;
  if (status != 0) remove_left(since);
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
