// SPDX-License-Identifier: GPL-2.0-only
// Adds a random deviation to compute times. Each instruction's duration is multiplied by max(0.1, 1
// + j z) with z standard normal. Each z comes from a stream of its own, so no other draw and no
// other instruction shifts it. A run without a deviation may still need its ties broken.
#pragma once

#include "units/duration.h"

#include <cstdint>

namespace geotrain
{

/// ComputeJitter stretches the durations of compute instructions at random.
class ComputeJitter
{
  public:
    /// `relativeDeviation` is j, at least 0; 0 leaves durations as they are. Throws
    /// std::invalid_argument for others.
    ComputeJitter(std::uint64_t seed, double relativeDeviation);

    /// Returns the stretched duration. `position` counts the instructions of the worker's stream in
    /// the iteration.
    Duration Apply(std::uint32_t worker,
                   std::uint32_t iteration,
                   std::uint64_t position,
                   Duration duration) const;

  private:
    std::uint64_t m_seed;
    double m_relativeDeviation;
};

/// Returns a compute time with 0 to 15 ns more, by worker and position, so that no two replicas that
/// are alike send at the same nanosecond for ever. An iteration has the same times as the one before.
Duration
BreakTie(std::uint32_t worker, std::uint32_t iteration, std::uint64_t position, Duration duration);

} // namespace geotrain
