// SPDX-License-Identifier: GPL-2.0-only
// Says what becomes of the packets that pass one direction of a learned path, whatever its model is: a
// PathCell or a PlainPath, and losses at random behind it. It has no clock.
#pragma once

#include "path-learning/path-cell.h"
#include "path-learning/plain-path.h"

#include <string>
#include <variant>

namespace geotrain
{

/// LearnedPassage is one direction.
class LearnedPassage
{
  public:
    /// `seed` and `name` name its streams of random numbers.
    LearnedPassage(const PathParameters& path, std::uint64_t seed, const std::string& name);

    /// Does the same as PathCell::Offer.
    std::optional<Duration> Offer(Instant now, Bytes size);

    /// Draws whether a packet that has left its buffer is lost.
    bool DrawLoss();

  private:
    std::variant<PathCell, PlainPath> m_path;
    double m_lossShare; ///< of what leaves a buffer
    RandomStream m_losses;
};

} // namespace geotrain
