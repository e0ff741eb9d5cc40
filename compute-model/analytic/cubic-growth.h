// SPDX-License-Identifier: GPL-2.0-only
// Computes how many acknowledged segments TcpCubic of ns-3 3.37 takes for one more segment of
// window before any loss (RFC 8312, section 4.1; at most 20). Its epoch begins where slow start
// ends.
#pragma once

#include "units/duration.h"

#include <optional>

namespace geotrain
{

/// CubicGrowth holds the epoch of one connection.
class CubicGrowth
{
  public:
    /// Begins the epoch with a window of `segments` segments.
    void Begin(Instant now, double segments);
    /// Ends the epoch; the next growth begins another.
    void Forget();

    /// Returns the acknowledged segments per segment of growth. Begins the epoch where there is
    /// none. `leastRoundTrip` is in ns.
    double SegmentsForOneMore(Instant now, double segments, double leastRoundTrip);

    /// Moves the epoch's start back by `by`.
    void MoveBack(Duration by);

  private:
    std::optional<Instant> m_start;
    double m_origin = 0; ///< segments of the window at the epoch's start
};

} // namespace geotrain
