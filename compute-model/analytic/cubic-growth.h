// SPDX-License-Identifier: GPL-2.0-only
// Computes what acknowledged segments add to the window of CUBIC (RFC 9438), and what a loss leaves
// of it, in whole segments as Linux does. Its epoch begins where slow start or recovery ends.
#pragma once

#include "units/duration.h"

#include <optional>

namespace geotrain
{

/// CubicGrowth holds the epoch of one connection.
class CubicGrowth
{
  public:
    /// Returns what a loss leaves of a window of `segments` segments, and ends the epoch (RFC 9438,
    /// sections 4.6 and 4.7).
    double Reduced(double segments);

    /// Returns the window, in segments, after `acknowledged` segments by Linux's bictcp_update: the
    /// larger of the cubic and the Reno-friendly one, which grows by 0.53 segments per round trip.
    /// Begins the epoch where there is none. `roundTrip`, the least one, is in ns.
    double Grown(Instant now, double segments, double acknowledged, double roundTrip);

    /// Moves the epoch's start back by `by`.
    void MoveBack(Duration by);

  private:
    void Begin(Instant now, double segments);
    double CubicWindow(Instant now, double lead) const;

    std::optional<Instant> m_start;
    double m_origin = 0;      ///< W_max of the epoch, in segments
    double m_plateau = 0;     ///< K of the epoch: seconds until W_max
    double m_friendly = 0;    ///< segments of the Reno-friendly window
    double m_maxWindow = 0;   ///< W_max that the last loss left; 0: there was none
};

} // namespace geotrain
