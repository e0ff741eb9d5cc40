// SPDX-License-Identifier: GPL-2.0-only
// Models a path as one FIFO buffer with fluid cross traffic, as a recurrence over packets:
//
//     q_i = min(Q, max(0, q_(i-1) + (c - b) (t_i - t_(i-1)))) + s_i     delay = propagation + q_i / b
//
// A packet is dropped where q_i would exceed Q. Cross traffic c is a series of bins, or a network says
// it window by window. The buffer is followed from border to border, so that its running empty or full
// is exact. It has no clock, event loop or packets.
#pragma once

#include "path-learning/fifo-buffer.h"
#include "path-learning/window-predictor.h"
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
    /// A network's residuals come of `draws`; a series of cross traffic needs none.
    explicit PathCell(const PathParameters& parameters,
                      RandomStream draws = {1, "learned-path", ""});

    /// Offers a packet of `size` at `now`, which never goes back. Returns how long after `now` its
    /// last bit leaves the buffer; nothing where it is dropped. The cross traffic's first bin begins
    /// at time 0.
    std::optional<Duration> Offer(Instant now, Bytes size);

    /// Returns the backlog after the last offer, cross traffic included, in bytes.
    double Backlog() const;

  private:
    void Advance(std::int64_t now);
    double NextCrossTraffic();

    CrossTrafficSeries m_crossTraffic;
    std::unique_ptr<WindowPredictor> m_predictor; ///< says the cross traffic; none: the series does
    FifoBuffer m_buffer;
    std::size_t m_nextBin = 0;
    std::int64_t m_binNs = 0;
    std::int64_t m_binEnd; ///< time in ns at which the present bin ends
};

} // namespace geotrain
