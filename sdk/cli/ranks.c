// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/ranks.c: how a process finds its rank, and takes its share of options and files. */
#include "sdk/cli/ranks.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "sdk/cli/launch.h"
#include "sdk/cli/verb.h"

enum { OPTION_RANKS = 512, OPTION_ALL_RANKS, OPTION_TRANSPORT, OPTION_LIMIT, OPTION_GROUP };

static const struct argp_option options[] = {
    {"ranks", OPTION_RANKS, "N", 0,
     "Run as N processes that work together: `mpiexec -n N buddy …` (BUDDY_MPIEXEC names "
     "another launcher). %r in the names of files is the number of each, from 0",
     0},
    {"all-ranks", OPTION_ALL_RANKS, NULL, 0, "Report from all ranks, not from rank 0 alone", 0},
    {"transport", OPTION_TRANSPORT, "NAME", 0,
     "What carries bytes between ranks: libbuddy_NAME.so, or a path with a slash (default: mpi)",
     0},
    {"rank-limit", OPTION_LIMIT, "SECONDS", 0,
     "A rank that does not answer for so long is an error (default: 300)", 0},
    {"group", OPTION_GROUP, "NAME=RANK,…", 0,
     "Which ranks are in a group of the archive; repeat it for each. Group 0 is all of them", 0},
    {0}};

static void add_group(bd_rank_flags *flags, const char *arg, struct argp_state *state) {
  const char *equals = strchr(arg, '=');
  if (!equals || equals == arg || strchr(arg, ';') ||
      strspn(equals + 1, "0123456789,") != strlen(equals + 1))
    bd_usage(state, "--group is written like 1=0,1");
  char *all = NULL;
  if (asprintf(&all, "%s%s%s", flags->groups ? flags->groups : "", flags->groups ? ";" : "", arg) <
      0)
    bd_usage(state, "memory ran out");
  free(flags->groups);
  flags->groups = all;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  bd_rank_flags *flags = &((bd_model_flags *)state->input)->ranks;
  switch (key) {
    case OPTION_RANKS:
      flags->wanted = (int)bd_number(arg, 1, 4096, "ranks", state);
      return 0;
    case OPTION_ALL_RANKS:
      flags->is_every = true;
      return 0;
    case OPTION_TRANSPORT:
      flags->transport = arg;
      return 0;
    case OPTION_LIMIT:
      bd_number(arg, 1, 1000000, "rank-limit", state);
      flags->limit = arg;
      return 0;
    case OPTION_GROUP:
      add_group(flags, arg, state);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

const struct argp bd_rank_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

/* ---- Which one this is ----------------------------------------------------------------------- */
/* What launchers leave: Open MPI's, that of MPICH and its kin, Slurm's srun. */
static void detect(bd_rank_flags *flags) {
  static const char *const variables[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                             {"PMI_RANK", "PMI_SIZE"},
                                             {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); ++i) {
    const char *rank = getenv(variables[i][0]), *size = getenv(variables[i][1]);
    int64_t number, n;
    if (!rank || !size || !bd_int_parse((buddy_sv){rank, strlen(rank)}, &number) ||
        !bd_int_parse((buddy_sv){size, strlen(size)}, &n) || n > INT32_MAX || number < 0 ||
        number >= n)
      continue;
    flags->rank = (int)number;
    flags->size = (int)n;
    return;
  }
}

static buddy_code launch(const bd_rank_flags *flags, int argc, char **argv, buddy_diags *diags) {
  const char *launcher = getenv("BUDDY_MPIEXEC");
  char self[PATH_MAX], number[16];
  if (!launcher) launcher = "mpiexec";
  const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
  const char **words = bd_calloc((size_t)argc + 6, sizeof(*words));
  if (n < 0 || !words) return BUDDY_OUT_OF_MEMORY;
  self[n] = '\0';
  snprintf(number, sizeof(number), "%d", flags->wanted);
  size_t k = 0;
  words[k++] = launcher;
  words[k++] = "-n";
  words[k++] = number;
  words[k++] = self;
  words[k++] = strrchr(argv[0], ' ') + 1;
  for (int i = 1; i < argc; ++i) words[k++] = argv[i];
  const int why = bd_launch((char *const *)(uintptr_t)words);
  bd_free(words);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, launcher,
                         "install an MPI (Debian: mpich, or openmpi-bin), or name its launcher in "
                         "BUDDY_MPIEXEC",
                         "cannot be started: %s", strerror(why));
}

static buddy_code add_setting(bd_rank_flags *flags, const char *name, const char *value) {
  if (!value) return BUDDY_OK;
  if (asprintf(&flags->settings[flags->n_settings], "%s=%s", name, value) < 0)
    return BUDDY_OUT_OF_MEMORY;
  ++flags->n_settings;
  return BUDDY_OK;
}

buddy_code bd_ranks_settle(bd_model_flags *model, int argc, char **argv, buddy_diags *diags) {
  bd_rank_flags *flags = &model->ranks;
  const int n_cut = (int)model->shard.n_ranks;
  detect(flags);
  if (flags->wanted == 0 && flags->size == 0) flags->wanted = n_cut;
  if (flags->wanted > 1 && flags->size == 0) return launch(flags, argc, argv, diags);
  if (flags->wanted > 0 && flags->size > 0 && flags->wanted != flags->size) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "--ranks",
                           "leave it out where a launcher starts the ranks",
                           "%d ranks are wanted, and %d were started", flags->wanted, flags->size);
  }
  const int n = flags->size > 0 ? flags->size : flags->wanted;
  if (n_cut > 0 && n_cut != n) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "--tensor-parallel",
                           "cut it for as many ranks as there are",
                           "the program is to be cut for %d ranks, and runs on %d", n_cut, n);
  }
  if (n_cut > 0) model->shard.rank = (size_t)flags->rank;
  const bool is_alone = flags->wanted == 1 && flags->size == 0;
  if (is_alone) flags->size = 1;
  if (flags->size > 1) bd_report_as(flags->rank);
  if (flags->size > 1) setvbuf(stdout, NULL, _IOFBF, 1 << 16); /* a report in one piece */
  const char *transport = flags->transport ? flags->transport : is_alone ? "self" : NULL;
  BD_TRY(add_setting(flags, "dist.transport", transport));
  BD_TRY(add_setting(flags, "dist.limit", flags->limit));
  return add_setting(flags, "dist.groups", flags->groups);
}

int bd_ranks_speaks(const bd_rank_flags *flags) { return flags->rank == 0; }

buddy_code bd_ranks_name(bd_rank_flags *flags, const char **path) {
  bd_text text;
  char **grown = bd_realloc(flags->names, (flags->n_names + 1) * sizeof(*grown));
  if (!grown) return BUDDY_OUT_OF_MEMORY;
  flags->names = grown;
  bd_text_init(&text);
  for (const char *at = *path; *at; ++at) {
    if (flags->size > 0 && at[0] == '%' && at[1] == 'r') {
      bd_text_format(&text, "%d", flags->rank);
      ++at;
    } else {
      bd_text_char(&text, *at);
    }
  }
  char *copy = text.code == BUDDY_OK ? bd_strdup(text.data) : NULL;
  bd_text_deinit(&text);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  *path = flags->names[flags->n_names++] = copy;
  return BUDDY_OK;
}

/* What all would write is one's to write, but for names with %r. */
buddy_code bd_ranks_name_output(bd_rank_flags *flags, const char **path) {
  if (*path && !bd_ranks_speaks(flags) && !strstr(*path, "%r")) *path = NULL;
  return *path ? bd_ranks_name(flags, path) : BUDDY_OK;
}
