// SPDX-License-Identifier: GPL-2.0-only
// Models a path as one FIFO buffer with fluid cross traffic, as a recurrence over packets:
//
//     q_i = min(Q, max(0, q_(i-1) + (c - b) (t_i - t_(i-1)))) + s_i     delay = propagation + q_i / b
//
// A packet is dropped where q_i would exceed Q. Cross traffic c is a series of bins, or a network says
// it window by window, or connections of others yield to the packets (yielding-traffic.h). The buffer
// is followed from border to border, so that its running empty or full is exact. It has no clock, event
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

namespace geotrain
{

/// PathCell is the buffer of one direction.
class PathCell
{
  public:
    /// A network's residuals come of `draws`. A series of cross traffic needs none.
    explicit PathCell(const PathParameters& path, RandomStream draws = {1, "learned-path", ""});

    /// Offers a packet of `size` at `now`, which never goes back. The cross traffic's first bin begins
    /// at time 0. Returns the time until the packet's last bit leaves the buffer; none: it is dropped.
    std::optional<Duration> Offer(Instant now, Bytes size);

  private:
    void Advance(std::int64_t now);
    void BeginBin();

    CrossTrafficSeries m_crossTraffic;
    std::unique_ptr<WindowPredictor> m_predictor; ///< says the cross traffic; none: the series does
    std::optional<YieldingTraffic> m_yielding;    ///< sends the cross traffic; none: the others do
    FifoBuffer m_buffer;
    std::size_t m_nextBin = 0;
    std::int64_t m_binNs = 0;
    std::int64_t m_binEnd; ///< time in ns at which the present bin ends
};

} // namespace geotrain
