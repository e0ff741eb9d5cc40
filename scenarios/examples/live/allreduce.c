/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums an array of 4 MB over all processes of an MPI job five times, and prints the seconds of each. */
#include <mpi.h>
#include <stdio.h>

#define COUNT 1000000

static float mine[COUNT];
static float sum[COUNT];

int
main(int argc, char** argv)
{
    int rank;
    int size;
    int i;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < COUNT; ++i)
    {
        mine[i] = (float)(rank + 1);
    }
    for (i = 0; i < 5; ++i)
    {
        double begin;
        MPI_Barrier(MPI_COMM_WORLD);
        begin = MPI_Wtime();
        MPI_Allreduce(mine, sum, COUNT, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
        {
            printf("%.6f\n", MPI_Wtime() - begin);
        }
    }
    if (sum[COUNT - 1] != (float)(size * (size + 1) / 2))
    {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
