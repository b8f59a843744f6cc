// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/pipe.c: a pipe and the thread that reads it. */
#define _GNU_SOURCE /* pipe2 */
#include "sdk/compile/code/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* That the other end is closed is no sign of the end: a child of the process, forked meanwhile, may
 * hold it open. */
static bool is_at_end(bd_pipe *p) {
  int n_left = 0;
  return atomic_load(&p->is_ending) && ioctl(p->out, FIONREAD, &n_left) == 0 && n_left == 0;
}

static void *collect(void *user) {
  static const size_t most = 65536;
  bd_pipe *p = user;
  char bytes[65536];
  for (;;) {
    const ssize_t n = read(p->out, bytes, most);
    if (n > 0) bd_bytes_append(&p->bytes, bytes, (size_t)n); /* without memory it is drained */
    if (n == 0 || (n < 0 && errno != EINTR) || is_at_end(p)) return NULL;
  }
}

buddy_code bd_pipe_open(bd_pipe *p, buddy_diags *diags) {
  int ends[2];
  *p = (bd_pipe){.in = -1, .out = -1};
  int error = pipe2(ends, O_CLOEXEC) ? errno : 0;
  if (error == 0) {
    p->out = ends[0];
    p->in = ends[1];
    error = pthread_create(&p->thread, NULL, collect, p);
  }
  if (error == 0) {
    snprintf(p->path, sizeof(p->path), "/proc/self/fd/%d", p->in);
    return BUDDY_OK;
  }
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, "linking", NULL,
                         "there is no pipe for the linker: %s", strerror(error));
}

buddy_code bd_pipe_end(bd_pipe *p) {
  atomic_store(&p->is_ending, true);
  while (write(p->in, "", 1) < 0 && errno == EINTR) continue; /* wakes it */
  pthread_join(p->thread, NULL);
  p->path[0] = '\0';
  if (p->bytes.code == BUDDY_OK) --p->bytes.size; /* the byte that woke it */
  return p->bytes.code;
}

void bd_pipe_close(bd_pipe *p) {
  if (p->path[0] != '\0') bd_pipe_end(p);
  if (p->in >= 0) close(p->in);
  if (p->out >= 0) close(p->out);
  bd_bytes_deinit(&p->bytes);
}
