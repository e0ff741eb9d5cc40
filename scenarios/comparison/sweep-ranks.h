// SPDX-License-Identifier: GPL-2.0-only
// Says which rank of mpirun or srun this process is, and gives each its part in a sweep.
#pragma once

#include "comparison/sweep-lead.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace geotrain
{

/// A SweepRank is the place of this process among those of a launch.
struct SweepRank
{
    int number = 0;
    int count = 1;
};

/// Returns the rank that OpenMPI (OMPI_COMM_WORLD_RANK and _SIZE), Slurm's srun (SLURM_PROCID and
/// SLURM_STEP_NUM_TASKS) or MPICH (PMI_RANK and PMI_SIZE) has put into the environment; else the only one.
SweepRank RankOfLaunch();

/// Serves a sweep where this process is a rank above 0 of a launch, and returns its exit code. Throws
/// ConfigError where a launch of several ranks has no `out` (--out), the folder that they share.
std::optional<int> ServedAsRank(const std::string& out);

/// Returns the lead of a launch of several ranks, of which this is rank 0, each of which makes `jobs` runs
/// at once; null where there is one rank.
std::unique_ptr<SweepLead> LeadOfLaunch(const std::filesystem::path& results, unsigned jobs);

} // namespace geotrain
