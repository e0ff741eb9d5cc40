// SPDX-License-Identifier: GPL-2.0-only
// Decides how much of what a window allows goes as one train. Trains are coarser than a socket's
// bursts where that decides nothing. Without pacing, a train is an eighth of the window's limit.
// With pacing, it is the most of three: what is left of a burst, what waits in the queue anyway,
// and a fortieth of a round trip where the window is open or wide. A paced train is at most a
// sixteenth of the window, but may always be what one acknowledgement answers.
#pragma once

#include "analytic/congestion-window.h"

#include <cstdint>

namespace geotrain
{

/// TrainLength limits the trains of one connection.
class TrainLength
{
  public:
    /// `coarseness` is the factor by which trains are longer than usual. Above 1 all windows count
    /// as wide.
    TrainLength(const CongestionWindow::Settings& settings, double coarseness);

    /// Returns the most bytes per train of a connection whose next bytes wait for `backlog` beyond
    /// a round trip.
    std::int64_t Most(const CongestionWindow& window, Duration backlog) const;

  private:
    std::int64_t OfBursts(const Pacing& pacing, Duration backlog) const;

    double m_segment;       ///< bytes, positive
    double m_limit;         ///< bytes
    std::int64_t m_unpaced; ///< bytes per train without pacing
    double m_coarseness;
};

} // namespace geotrain
