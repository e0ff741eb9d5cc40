// SPDX-License-Identifier: GPL-2.0-only
// Models a path without a buffer: a network says delay and loss of the packets of each window. It is
// the baseline beside PathCell, which knows how a FIFO works. Packets don't overtake each other.
#pragma once

#include "path-learning/path-cell.h"

namespace geotrain
{

/// PlainPath is one direction. Its network's output is DelayAndLoss.
class PlainPath
{
  public:
    PlainPath(const PathParameters& path, RandomStream draws, RandomStream losses);

    /// Does the same as PathCell::Offer.
    std::optional<Duration> Offer(Instant now, Bytes size);

  private:
    WindowPredictor m_predictor;
    RandomStream m_losses;
    double m_emptyingNs; ///< time in which the buffer empties
    std::int64_t m_windowNs;
    std::int64_t m_windowEnd = 0;
    std::int64_t m_lastDeparture = 0;
    WindowPrediction m_prediction;
};

} // namespace geotrain
