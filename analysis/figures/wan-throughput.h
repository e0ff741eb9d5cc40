// SPDX-License-Identifier: GPL-2.0-only
// Computes the WAN's throughput over time. A trace with samples of WAN links gives a series per
// directed link. A trace without them (an analytic run) gives a series per directed pair of data
// centres; collectives are left out then.
//
// Bits are spread evenly over the time in which they were sent: that of a sample's interval, or from
// the start of a message's sending to the sending of its last byte. A sender hands bytes over faster
// than the caps behind it let them through, and a packet counts whole when it begins. So what would
// exceed the series' capacity waits and goes later, as it does in the queue before a cap. No bit is
// lost by that, and no rate exceeds the capacity.
#pragma once

#include "metrics/capacity-curve.h"
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
    void Add(double startNs, double endNs, double bits);

    /// Returns the mean rate in each bin in bit/s.
    std::vector<double> RatesBps() const;

    /// Returns the bits of all bins together.
    double TotalBits() const;

    const MeasuredSpan& Window() const
    {
        return m_window;
    }

  private:
    MeasuredSpan m_window;
    double m_binNs;
    std::vector<double> m_bits;
};

/// A Sending is bits that are sent evenly over a span of time.
struct Sending
{
    double startNs = 0;
    double endNs = 0; ///< later than startNs
    double bits = 0;
};

/// Adds `sendings` to `binned`, as they leave a queue that sends at most at its capacity.
void
AddShaped(const std::vector<Sending>& sendings, const CapacityCurve& capacity, BinnedBits& binned);

/// WanThroughput holds the series of one run.
struct WanThroughput
{
    bool fromLinks = false; ///< true: from samples of links; false: from messages

    /// Series by name, "A -> B"; those that carried nothing are left out.
    std::map<std::string, BinnedBits> bits;

    /// What a series can't exceed in each bin, on average, by name; older traces don't tell.
    std::map<std::string, std::vector<double>> capacitiesBps;
};

/// Gathers the throughput from samples of WAN links.
WanThroughput GatherWanThroughput(const trace::RunHeader& header,
                                  const std::vector<trace::LinkSample>& samples,
                                  MeasuredSpan window,
                                  std::size_t bins);

/// Gathers the throughput from the tally's samples, or from its messages where it has no samples.
/// With samples, `window` must lie in the tally's LastIteration().
WanThroughput GatherWanThroughput(const RunTally& tally, MeasuredSpan window, std::size_t bins);

} // namespace geotrain
