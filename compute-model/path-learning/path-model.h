// SPDX-License-Identifier: GPL-2.0-only
// Defines a learned path with how it was made, as a model file holds it (schema/path.proto), and
// how paths are combined and drawn from a family.
#pragma once

#include "path-learning/packet-trace.h"
#include "wan/learned-link.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// PathErrors say how far the packets that a path predicts are from recorded ones.
struct PathErrors
{
    double throughput = 0; ///< relative error of the rate of arrivals
    double delayMean = 0;  ///< relative error of the mean delay
    double delayP95 = 0;   ///< relative error of the delay's 95th percentile
    double loss = 0;       ///< difference of the shares of packets lost
};

/// HeldOutErrors are what one half of each record teaches of the other: means over records and
/// halves.
struct HeldOutErrors
{
    PathErrors model;
    PathErrors fifo; ///< of a FIFO without cross traffic

    /// Returns whether the model is better than the FIFO: errors of the delay's 95th percentile of
    /// 10 % weigh as much as 2 points of loss.
    bool IsBetter() const;

    /// Returns whether it is worse by more than that.
    bool IsWorse() const;
};

/// PathModel is one learned path.
struct PathModel
{
    /// "fifo", "ibox", "rbu" or "lstm"; only the latter two have forward.network.
    std::string model;
    PathParameters forward;
    std::optional<PathParameters> backward; ///< none: as forward, without cross traffic
    std::vector<PathParameters> members;    ///< what each input gave by itself
    std::vector<std::string> inputs;        ///< names of the files, without folders
    std::uint64_t packets = 0;              ///< packets in them
    std::uint64_t seed = 1;
    std::optional<PathErrors> errors; ///< over the inputs; none where they have no packets
    /// None of short records.
    std::optional<HeldOutErrors> heldOut;
    /// Losses by epoch; the first is that before the training. Empty: nothing was trained.
    std::vector<double> trainingLosses;
    std::vector<double> heldOutLosses; ///< on what was held out of the training
};

/// Returns the link that has the path from its first end to the other.
LearnedLink LinkOf(const PathModel& model);

/// Returns how far apart the members' rates are: largest over smallest, less 1.
double SpreadOf(const std::vector<PathParameters>& members);

/// Returns one path for several. Members whose spread is small are records of one path: its rate is
/// the largest, its propagation the least, its buffer the largest, since the estimates err to the
/// other side. Others give medians. Cross traffic is that of the members one after another.
PathParameters Combine(const std::vector<PathParameters>& members);

constexpr double samePathSpread = 0.1; ///< spread up to which members are of one path; an estimate

/// Draws `count` paths of the family of `model`'s members: rate, propagation and the time that the
/// buffer takes to empty are log-normal with the members' means and deviations, within the members'
/// range, and cross traffic is a member's, as a share of the rate. Throws std::invalid_argument for
/// fewer than two members.
std::vector<PathModel> DrawLike(const PathModel& model, std::size_t count, std::uint64_t seed);

/// Returns the delays that the path gives to packets of a trace's send times and sizes; none: lost.
/// Of the delays it takes the first packet's, which says what was in the buffer when the trace
/// began.
std::vector<std::optional<Duration>> PredictDelays(const PathParameters& path,
                                                   const PacketTrace& trace);

/// Compares what the path predicts for a trace's send times and sizes with what became of them.
PathErrors ErrorsOn(const PathParameters& path, const PacketTrace& trace);

} // namespace geotrain
