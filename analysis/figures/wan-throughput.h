// SPDX-License-Identifier: GPL-2.0-only
// Throughput of the WAN over time, as series ready to draw: one a directed link, from the samples
// of WAN links; or, where a trace has none (analytic runs), one a directed pair of data centres,
// from the messages that crossed, each spread evenly from its send start to its last byte's
// sending. That leaves collectives out.
#pragma once

#include "metrics/run-tally.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// Bits spread over equal bins of a window of time.
class BinnedBits
{
  public:
    BinnedBits(MeasuredSpan window, std::size_t bins);

    /// Spreads `bits` evenly over [startNs, endNs]; what lies outside the window is left out. A
    /// span of no length counts as one of 1 ns.
    void Add(std::int64_t startNs, std::int64_t endNs, double bits);

    /// Mean rate in each bin, bit/s.
    std::vector<double> RatesBps() const;

    double TotalBits() const;

  private:
    MeasuredSpan m_window;
    double m_binNs;
    std::vector<double> m_bits;
};

struct WanThroughput
{
    bool fromLinks = false;                 ///< from samples of links; else from messages
    std::map<std::string, BinnedBits> bits; ///< by "A -> B"; only those that carried something
};

/// Of samples of WAN links.
WanThroughput GatherWanThroughput(const std::vector<trace::LinkSample>& samples,
                                  MeasuredSpan window,
                                  std::size_t bins);

/// Of its samples, or else of its messages. `window` lies in the tally's LastIteration(), or the
/// trace has no samples.
WanThroughput GatherWanThroughput(const RunTally& tally, MeasuredSpan window, std::size_t bins);

} // namespace geotrain
