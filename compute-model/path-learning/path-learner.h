// SPDX-License-Identifier: GPL-2.0-only
// Makes a path of the files that a user hands over: packet records, of which it is estimated, and
// iBoxNet's network profiles, which are taken as they are.
#pragma once

#include "path-learning/path-model.h"
#include "path-learning/training-settings.h"

#include <functional>
#include <optional>
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

/// Learns iBoxNet's path of `files`, which are at least one, or a FIFO's. Throws ConfigError.
LearnedFiles LearnIBox(const std::vector<std::string>& files, std::uint64_t seed);
LearnedFiles LearnFifo(const std::vector<std::string>& files, std::uint64_t seed);

/// TrainingInputs are records with the path that a training starts from.
struct TrainingInputs
{
    LearnedFiles learned;
    std::vector<PacketTrace> traces;
};

/// Reads records for the training of a network, and estimates the path of each as LearnIBox() does.
/// Throws ConfigError.
TrainingInputs ReadForTraining(const std::vector<std::string>& files,
                               const TrainingSettings& settings);

/// Returns what `learn` makes of each half of the records, and a FIFO, by the other half; none
/// where a half has hardly any packets.
std::optional<HeldOutErrors>
HeldOutErrorsOf(const std::vector<PacketTrace>& traces,
                const std::function<PathParameters(const PacketTrace&)>& learn);

/// Computes the errors of a path over the records that it was learned from, by the member's rate,
/// propagation and buffer where the records are of different paths.
PathErrors ErrorsOnInputs(const PathModel& model, const std::vector<PacketTrace>& traces);

/// Returns the mean of errors, which are at least one.
PathErrors MeanOf(const std::vector<PathErrors>& errors);

} // namespace geotrain
