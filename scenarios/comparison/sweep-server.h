// SPDX-License-Identifier: GPL-2.0-only
// Makes runs for a comparison that another process leads: what ranks above 0 of mpirun or srun do. No
// message library is needed: the ranks meet in the folder of the results, which all of them see.
#pragma once

#include "comparison/sweep-files.h"

#include <filesystem>

namespace geotrain
{

/// Makes runs for the rank 0 whose results are in `results`, until its sweep ends. Returns the exit
/// code: 0, or 2 where rank 0 died or this process was interrupted. Throws ConfigError where no sweep is
/// seen there in time: the ranks don't share the folder.
int ServeSweep(const std::filesystem::path& results, const SweepTimes& times = {});

} // namespace geotrain
