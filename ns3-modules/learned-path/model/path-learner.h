// SPDX-License-Identifier: GPL-2.0-only
// Makes a path of the files that a user hands over: packet records, of which it is estimated, and
// iBoxNet's network profiles, which are taken as they are.
#pragma once

#include "learned-path/model/path-model.h"

#include <string>
#include <vector>

namespace geotrain
{

/// LearnedFiles is a path and what was noticed on the way.
struct LearnedFiles
{
    PathModel model;
    std::vector<std::string> warnings;
};

/// Learns iBoxNet's path of `files`, which are at least one. Throws ConfigError.
LearnedFiles LearnIBox(const std::vector<std::string>& files, std::uint64_t seed);

/// Returns the mean of errors, which are at least one.
PathErrors MeanOf(const std::vector<PathErrors>& errors);

} // namespace geotrain
