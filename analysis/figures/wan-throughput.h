// SPDX-License-Identifier: GPL-2.0-only
// Computes the WAN's throughput over time. A trace with samples of WAN links gives a series per
// directed link. A trace without them (an analytic run) gives a series per directed pair of data
// centres, in which each message is spread evenly from the start of its sending to the sending of
// its last byte; collectives are left out then.
#pragma once

#include "metrics/run-tally.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// BinnedBits are bits spread over equal bins of a window of time.
class BinnedBits
{
  public:
    /// Makes `bins` empty bins over `window`.
    BinnedBits(MeasuredSpan window, std::size_t bins);

    /// Spreads `bits` evenly over [startNs, endNs]. Bits outside the window are left out. A span
    /// without length counts as one of 1 ns.
    void Add(std::int64_t startNs, std::int64_t endNs, double bits);

    /// Returns the mean rate in each bin in bit/s.
    std::vector<double> RatesBps() const;

    /// Returns the bits of all bins together.
    double TotalBits() const;

  private:
    MeasuredSpan m_window;
    double m_binNs;
    std::vector<double> m_bits;
};

/// WanThroughput holds the series of one run.
struct WanThroughput
{
    bool fromLinks = false; ///< true: from samples of links; false: from messages

    /// Series by name, "A -> B"; those that carried nothing are left out.
    std::map<std::string, BinnedBits> bits;
};

/// Gathers the throughput from samples of WAN links.
WanThroughput GatherWanThroughput(const std::vector<trace::LinkSample>& samples,
                                  MeasuredSpan window,
                                  std::size_t bins);

/// Gathers the throughput from the tally's samples, or from its messages where it has no samples.
/// With samples, `window` must lie in the tally's LastIteration().
WanThroughput GatherWanThroughput(const RunTally& tally, MeasuredSpan window, std::size_t bins);

} // namespace geotrain
