// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/mpi/mpi.c: buddy.collective/1 over MPI, of this file and two headers alone:
 *
 *   mpicc -std=c17 -O2 -fPIC -shared -I PREFIX/include mpi.c -o libbuddy_mpi.so
 *
 * It is compiled with the MPI that starts the program: in one MPI handles are pointers, in another
 * numbers, and a process cannot tell. Messages are MPI_Isend and MPI_Irecv, and nothing waits inside
 * of MPI: what is under way is asked about until it is done or its time is over. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "buddy/extensions.h"

enum {
  TAG_BYTES = 1,
  TAG_GIVEN_UP = 2,
  MAX_WHY = 512,
  LARGEST = 1 << 30, /* bytes of one message of MPI, which counts in int */
  PATIENCE = 64      /* looks between two at whether somebody has given up */
};

static struct {
  MPI_Comm comm;
  int rank, size;
  int is_ours;            /* to end MPI */
  int is_broken, is_told; /* is_told: by another that gave up */
  double seconds;
  double in_step;         /* seconds for which it looks without giving the processor away */
  char given_up[MAX_WHY]; /* what is being told to all */
} world;

/* Requests under way, and with whom; grows, and is kept. */
static struct {
  MPI_Request *items;
  int *peers;
  int n, n_sends, capacity;
} pending;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Between two looks, so many seconds after the first: at first there is none, for ranks that are in
 * step, as who gives the processor away on a busy machine gets it back milliseconds later; then others
 * may run. Where ranks share processors, those that are waited for may be among them: at once. */
#define IN_STEP 0.01
#define SOON 0.1
static void rest(double waited) {
  const struct timespec shortly = {0, 100000};
  if (waited < world.in_step) return;
  if (waited < SOON) sched_yield();
  if (waited >= SOON) nanosleep(&shortly, NULL);
}

static buddy_code tell(char *why, size_t size, const char *what, int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int n = 0;
  if (code != MPI_SUCCESS) MPI_Error_string(code, text, &n);
  snprintf(why, size, "rank %d: %s%s%s", world.rank, what, n > 0 ? ": " : "", text);
  return BUDDY_IO;
}

/* ---- Meeting ---------------------------------------------------------------------------------
 * MPI_Init waits for all ranks, and cannot be asked to stop: a thread calls it, and is left behind
 * if it does not come back in time. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t is_done;
  int done, code, provided;
} init = {.lock = PTHREAD_MUTEX_INITIALIZER, .is_done = PTHREAD_COND_INITIALIZER};

static void *call_init(void *unused) {
  int provided = 0;
  const int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
  pthread_mutex_lock(&init.lock);
  init.code = code;
  init.provided = provided;
  init.done = 1;
  pthread_cond_signal(&init.is_done);
  pthread_mutex_unlock(&init.lock);
  return unused;
}

static int wait_for_init(double seconds) {
  pthread_t thread;
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  const double whole = (double)end.tv_sec + seconds;
  end.tv_sec = (time_t)whole;
  if (pthread_create(&thread, NULL, call_init, NULL) != 0) return 0;
  pthread_detach(thread);
  pthread_mutex_lock(&init.lock);
  while (!init.done && pthread_cond_timedwait(&init.is_done, &init.lock, &end) == 0) continue;
  const int done = init.done;
  pthread_mutex_unlock(&init.lock);
  return done;
}

static buddy_code start(double seconds, char *why, size_t size) {
  int is_there = 0;
  MPI_Initialized(&is_there);
  if (is_there) {
    MPI_Query_thread(&init.provided);
  } else {
    if (!wait_for_init(seconds)) {
      snprintf(why, size, "MPI_Init: the ranks have not all arrived within %g s", seconds);
      return BUDDY_IO;
    }
    if (init.code != MPI_SUCCESS) return tell(why, size, "MPI_Init failed", init.code);
    world.is_ours = 1;
  }
  if (init.provided >= MPI_THREAD_SERIALIZED) return BUDDY_OK;
  snprintf(why, size, "MPI was started for one thread alone (MPI_THREAD_SERIALIZED is needed)");
  return BUDDY_INCOMPATIBLE;
}

static int wait_for(MPI_Request *request, double end) {
  const double first = now();
  int done = 0;
  while (!done) {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 0;
    if (!done && now() > end) return 0;
    if (!done) rest(now() - first);
  }
  return 1;
}

/* MPI waits for all when it ends. If somebody has gone, the process leaves without: mpirun then says
 * so, and ends the others. */
static void end_mpi(void) {
  MPI_Request barrier;
  int is_over = 0;
  MPI_Finalized(&is_over);
  if (!world.is_ours || world.is_broken || is_over) return;
  if (MPI_Ibarrier(world.comm, &barrier) != MPI_SUCCESS) return;
  if (wait_for(&barrier, now() + world.seconds)) MPI_Finalize();
}

/* What one of Open MPI's and MPICH's variables tells; 0: neither is there. */
static int told(const char *open_mpi, const char *mpich) {
  const char *text = getenv(open_mpi);
  if (!text) text = getenv(mpich);
  return text ? (int)strtol(text, NULL, 10) : 0;
}

static int told_size(void) { return told("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"); }

/* True if the ranks of this machine are more than its processors. */
static int is_crowded(void) {
  return told("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS") > sysconf(_SC_NPROCESSORS_ONLN);
}

static const char *library_name(void) {
  static char name[MPI_MAX_LIBRARY_VERSION_STRING];
  int n = 0;
  MPI_Get_library_version(name, &n);
  name[strcspn(name, ",\n")] = '\0';
  for (char *at = name; *at; ++at) {
    if (*at == '\t') *at = ' ';
  }
  return name;
}

static buddy_code connect_all(double seconds, void **out_state, char *why, size_t size) {
  const double end = now() + seconds;
  MPI_Request request;
  *out_state = &world;
  world.seconds = seconds;
  world.in_step = is_crowded() ? 0 : IN_STEP;
  const buddy_code code = start(seconds, why, size);
  if (code != BUDDY_OK) return code;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  if (told_size() > 1 && world.size == 1) {
    snprintf(
        why, size,
        "the program was started as one of %d ranks, and its libbuddy_mpi.so, of %s, sees one: "
        "compile plugins/mpi/mpi.c with the mpicc of that mpirun",
        told_size(), library_name());
    return BUDDY_INCOMPATIBLE;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int made = MPI_Comm_idup(MPI_COMM_WORLD, &world.comm, &request);
  if (made != MPI_SUCCESS) return tell(why, size, "MPI_Comm_idup failed", made);
  if (!wait_for(&request, end))
    return tell(why, size, "the ranks have not all arrived", MPI_SUCCESS);
  MPI_Comm_set_errhandler(world.comm, MPI_ERRORS_RETURN);
  if (atexit(end_mpi) == 0) return BUDDY_OK;
  return tell(why, size, "the process takes no more functions for its end", MPI_SUCCESS);
}

static int32_t rank_of(void *state) { return (void)state, world.rank; }
static int32_t size_of(void *state) { return (void)state, world.size; }

/* ---- Exchange -------------------------------------------------------------------------------- */
static int make_room(const buddy_message *messages, size_t n, size_t *total) {
  for (size_t i = 0; i < n; ++i) *total += 1 + messages[i].n_bytes / LARGEST;
  if (*total <= (size_t)pending.capacity) return 1;
  if (*total > 1 << 24) return 0;
  MPI_Request *items = realloc(pending.items, *total * sizeof(*items));
  if (items) pending.items = items;
  int *peers = realloc(pending.peers, *total * sizeof(*peers));
  if (peers) pending.peers = peers;
  if (items && peers) pending.capacity = (int)*total;
  return items && peers;
}

/* In pieces that MPI can count; one without bytes is a message all the same. */
static int begin(const buddy_message *m, int is_receive) {
  uint64_t at = 0;
  int code = MPI_SUCCESS;
  do {
    const uint64_t rest_of = m->n_bytes - at;
    const int n = (int)(rest_of < LARGEST ? rest_of : LARGEST);
    char *bytes = (char *)m->bytes + at;
    MPI_Request *request = &pending.items[pending.n];
    code = is_receive ? MPI_Irecv(bytes, n, MPI_BYTE, m->rank, TAG_BYTES, world.comm, request)
                      : MPI_Isend(bytes, n, MPI_BYTE, m->rank, TAG_BYTES, world.comm, request);
    if (code == MPI_SUCCESS) pending.peers[pending.n++] = m->rank;
    at += (uint64_t)n;
  } while (at < m->n_bytes && code == MPI_SUCCESS);
  return code;
}

/* True if another rank makes no more exchanges; its reason. */
static int has_given_up(char *why, size_t size) {
  char text[MAX_WHY] = "";
  MPI_Status status;
  int is_there = 0;
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_GIVEN_UP, world.comm, &is_there, &status) != MPI_SUCCESS)
    return 0;
  if (!is_there) return 0;
  MPI_Recv(text, MAX_WHY - 1, MPI_CHAR, status.MPI_SOURCE, TAG_GIVEN_UP, world.comm, &status);
  snprintf(why, size, "rank %d has given up: %s", status.MPI_SOURCE, text);
  return world.is_told = 1;
}

/* Who is missing: from whom nothing came, or else who took nothing. */
static void name_missing(double seconds, char *why, size_t size) {
  int n_named = 0;
  size_t used = 0;
  for (int pass = 0; pass < 2 && n_named == 0; ++pass) {
    for (int i = pass == 0 ? pending.n_sends : 0; i < (pass == 0 ? pending.n : pending.n_sends);
         ++i) {
      int done = 0, is_known = 0;
      MPI_Test(&pending.items[i], &done, MPI_STATUS_IGNORE);
      for (int k = pass == 0 ? pending.n_sends : 0; k < i; ++k)
        is_known |= pending.peers[k] == pending.peers[i] && pending.items[k] != MPI_REQUEST_NULL;
      if (done || is_known || used + 16 > size) continue;
      used += (size_t)snprintf(why + used, size - used, "%s%d", n_named ? ", " : "rank ",
                               pending.peers[i]);
      ++n_named;
    }
  }
  if (used + 64 < size)
    snprintf(why + used, size - used, "%s did not answer within %g s: dead, stopped, or elsewhere",
             n_named ? "" : "a rank", seconds);
}

/* What is still under way: nothing may be written any more when the caller has its memory back. */
static void cancel(void) {
  for (int i = 0; i < pending.n; ++i) {
    int done = 0;
    if (pending.items[i] == MPI_REQUEST_NULL) continue;
    if (i >= pending.n_sends) MPI_Cancel(&pending.items[i]);
    for (int look = 0; look < 1000 && !done && i >= pending.n_sends; ++look)
      MPI_Test(&pending.items[i], &done, MPI_STATUS_IGNORE);
    if (!done) MPI_Request_free(&pending.items[i]);
  }
}

static buddy_code wait_for_all(double seconds, char *why, size_t size) {
  const double first = now();
  int done = 0, is_late = world.in_step == 0; /* then it looks at everything each time */
  for (long look = 0; !done; ++look) {
    const int code = MPI_Testall(pending.n, pending.items, &done, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS)
      return tell(why, size, "a message did not arrive as it was expected", code);
    if (done) break;
    if (look % PATIENCE != PATIENCE - 1 && !is_late) continue;
    if (has_given_up(why, size)) return BUDDY_IO;
    const double waited = now() - first;
    is_late = waited > world.in_step;
    if (waited > seconds) {
      name_missing(seconds, why, size);
      return BUDDY_IO;
    }
    rest(waited);
  }
  return BUDDY_OK;
}

static buddy_code exchange(void *state, const buddy_message *sends, size_t n_sends,
                           const buddy_message *receives, size_t n_receives, double seconds,
                           char *why, size_t size) {
  size_t total = 0;
  int code = MPI_SUCCESS;
  (void)state;
  pending.n = pending.n_sends = 0;
  if (!make_room(sends, n_sends, &total) || !make_room(receives, n_receives, &total)) {
    snprintf(why, size, "rank %d: memory ran out for messages", world.rank);
    return BUDDY_OUT_OF_MEMORY;
  }
  for (size_t i = 0; i < n_sends && code == MPI_SUCCESS; ++i) code = begin(&sends[i], 0);
  pending.n_sends = pending.n;
  for (size_t i = 0; i < n_receives && code == MPI_SUCCESS; ++i) code = begin(&receives[i], 1);
  const buddy_code result = code == MPI_SUCCESS
                                ? wait_for_all(seconds, why, size)
                                : tell(why, size, "a message could not be begun", code);
  if (result != BUDDY_OK) {
    world.is_broken = 1;
    cancel();
  }
  return result;
}

/* Each is to have the reason before this process ends, as launchers end the others then. Who was told
 * tells it, too, for those whom it has not reached, and waits for none. */
static void give_up(void *state, const char *why) {
  const double end = world.is_told ? 0 : now() + 0.2;
  (void)state;
  world.is_broken = 1;
  snprintf(world.given_up, sizeof(world.given_up), "%s", why);
  const int n = (int)strlen(world.given_up);
  for (int rank = 0; rank < world.size; ++rank) {
    MPI_Request request;
    if (rank == world.rank) continue;
    if (MPI_Issend(world.given_up, n, MPI_CHAR, rank, TAG_GIVEN_UP, world.comm, &request) !=
        MPI_SUCCESS)
      continue;
    if (!wait_for(&request, end)) MPI_Request_free(&request);
  }
}

BUDDY_EXPORT const buddy_collective *buddy_collective_query(uint32_t host_abi);
const buddy_collective *buddy_collective_query(uint32_t host_abi) {
  static const buddy_collective table = {.struct_size = sizeof(table),
                                         .name = "MPI",
                                         .connect = connect_all,
                                         .rank = rank_of,
                                         .size = size_of,
                                         .exchange = exchange,
                                         .give_up = give_up};
  return host_abi >> 16 == BUDDY_ABI_MAJOR ? &table : NULL;
}
