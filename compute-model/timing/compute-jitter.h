// Random deviation of compute times: each instruction's duration times max(0.1, 1 + j z) with z
// standard normal, drawn from a stream of its own, so that no other draw and no other instruction
// shifts it.
#pragma once

#include "units/duration.h"

#include <cstdint>

namespace geotrain
{

class ComputeJitter
{
  public:
    /// `relativeDeviation` j is at least 0; 0 leaves durations as they are. Throws
    /// std::invalid_argument.
    ComputeJitter(std::uint64_t seed, double relativeDeviation);

    /// `position` counts the instructions of the worker's stream in the iteration.
    Duration Apply(std::uint32_t worker,
                   std::uint32_t iteration,
                   std::uint64_t position,
                   Duration duration) const;

  private:
    std::uint64_t m_seed;
    double m_relativeDeviation;
};

} // namespace geotrain
