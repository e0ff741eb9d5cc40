// SPDX-License-Identifier: GPL-2.0-only
// How much of what a window allows goes as one train. Trains are coarser than a socket's bursts
// where that decides nothing: an eighth of a window that isn't paced; of one that is, a burst, or
// what waits in the queue anyway, or a fortieth of a round trip of a window that is open or wide.
// Never more than a sixteenth of a paced window, nor less than what one acknowledgement answers.
#pragma once

#include "analytic/congestion-window.h"

#include <cstdint>

namespace geotrain
{

class TrainLength
{
  public:
    /// `coarseness` is by how much trains are longer than usual; above 1 all windows count as wide.
    TrainLength(const CongestionWindow::Settings& settings, double coarseness);

    /// Bytes at most, of a connection whose next bytes wait for `backlog` beyond a round trip.
    std::int64_t Most(const CongestionWindow& window, Duration backlog) const;

  private:
    std::int64_t OfBursts(const Pacing& pacing, Duration backlog) const;

    double m_segment;       ///< bytes, positive
    double m_limit;         ///< bytes
    std::int64_t m_unpaced; ///< bytes
    double m_coarseness;
};

} // namespace geotrain
