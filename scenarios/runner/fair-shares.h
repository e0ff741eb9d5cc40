// SPDX-License-Identifier: GPL-2.0-only
// Says when each flow of a transfer begins, and what each steady flow would get at which time by
// max-min fairness.
#pragma once

#include "loader/transfer-section.h"

#include <vector>

namespace geotrain
{

/// Returns the delay of each flow's start, which is drawn uniformly between 0 and the transfer's
/// start_spread.
std::vector<Duration> DrawnDelays(const TransferSection& transfer, std::uint64_t seed);

/// FlowTimes are the measured times of one flow.
struct FlowTimes
{
    Duration start; ///< 0 where it begins in the warm-up
    Duration stop;  ///< not before the start
};

/// Returns the times of all flows, whose starts are drawn from `seed`.
std::vector<FlowTimes> TimesOf(const TransferSection& transfer, std::uint64_t seed);

/// A FairStep is the fair share of a flow from a time on.
struct FairStep
{
    Duration from;
    double bitsPerSecond = 0; ///< payload
};

/// Returns the fair shares of each flow while it is there; none for a flow of messages. All steady
/// flows share NICs, caps and links by max-min fairness, each bound by its windows and its round trip
/// without queues, and by the caps of its connections. Links follow their rate steps, not their outages.
std::vector<std::vector<FairStep>>
FairSharesOf(const WanTopology& wan, const TransferSection& transfer, std::uint64_t seed);

/// Returns the payload of a full packet as a share of its size.
double PayloadShareOf(const WanTopology& topology);

} // namespace geotrain
