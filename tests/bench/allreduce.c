// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/bench/allreduce.c: what MPI_Allreduce itself takes: `allreduce BYTES IN_A_ROW N` prints N times of
 * IN_A_ROW calls each, in seconds, from rank 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 4) return 2;
  const int count = atoi(argv[1]) / 4, in_a_row = atoi(argv[2]), n = atoi(argv[3]);
  float *from = calloc((size_t)count, sizeof *from), *to = calloc((size_t)count, sizeof *to);
  for (int i = 0; from && to && i < n; ++i) {
    const double start = MPI_Wtime();
    for (int k = 0; k < in_a_row; ++k)
      MPI_Allreduce(from, to, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%.9f\n", MPI_Wtime() - start);
  }
  free(from);
  free(to);
  MPI_Finalize();
  return 0;
}
