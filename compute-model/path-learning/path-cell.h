// SPDX-License-Identifier: GPL-2.0-only
// Models a path as one FIFO buffer with fluid cross traffic, as a recurrence over packets:
//
//     q_i = min(Q, max(0, q_(i-1) + (c - b) (t_i - t_(i-1)))) + s_i     delay = propagation + q_i / b
//
// A packet is dropped where q_i would exceed Q. Cross traffic c is a series of bins, or a network says
// it window by window, or connections of others yield to the packets (yielding-traffic.h). The buffer is followed from border to border, so that its running empty or full
// is exact. A path may be several such buffers side by side, its lanes: each packet takes one of them at
// random, as likely as the network says, so that packets overtake each other. It has no clock, event
// loop or packets.
#pragma once

#include "path-learning/fifo-buffer.h"
#include "path-learning/window-predictor.h"
#include "path-learning/yielding-traffic.h"
#include "units/duration.h"
#include "units/random-stream.h"
#include "wan/learned-link.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace geotrain
{

/// LanePassage is what became of a packet.
struct LanePassage
{
    std::size_t lane = 0;         ///< 0 where there is one buffer
    std::optional<Duration> stay; ///< until its last bit leaves the buffer; none: dropped
};

/// PathCell is the buffer, or the buffers, of one direction.
class PathCell
{
  public:
    /// A network's residuals come of `draws`, and the lanes of packets of `choices`. A series of cross
    /// traffic needs neither.
    explicit PathCell(const PathParameters& path,
                      RandomStream draws = {1, "learned-path", ""},
                      RandomStream choices = {1, "learned-path-lane", ""});

    /// Offers a packet of `size` at `now`, which never goes back. The cross traffic's first bin begins
    /// at time 0.
    LanePassage Offer(Instant now, Bytes size);

  private:
    void Advance(std::int64_t now);
    void BeginBin();
    std::size_t ChooseLane();

    CrossTrafficSeries m_crossTraffic;
    std::unique_ptr<WindowPredictor> m_predictor; ///< says the cross traffic; none: the series does
    std::optional<YieldingTraffic> m_yielding;    ///< sends the cross traffic; none: the others do
    RandomStream m_choices;
    std::vector<FifoBuffer> m_buffers; ///< by lane
    std::vector<double> m_likelihoods; ///< by lane, in the present bin; empty with one lane
    std::size_t m_nextBin = 0;
    std::int64_t m_binNs = 0;
    std::int64_t m_binEnd; ///< time in ns at which the present bin ends
};

} // namespace geotrain
