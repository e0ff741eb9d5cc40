// SPDX-License-Identifier: GPL-2.0-only
// Converts the bf16 gradients of a worker to the integers that a switch adds, and sums back. All
// workers share a bound A of the gradients' absolute values. With b bits an integer and N workers a
// value x becomes round(x Q / A), Q = floor((2^(b-1) - 1) / N), so that no sum overflows; a value
// beyond the bound becomes the bound. A gives each integer an error of at most A / (2 Q), so the sum
// of N workers is wrong by at most N A / (2 Q), and their mean by A / (2 Q): with 16 bits and 8
// workers by 1.2e-4 A. bf16 itself rounds a value by up to 2^-9 of it.
#pragma once

#include <cstdint>

namespace ns3
{

/// FixedPoint is the conversion that the NICs of a run share.
class FixedPoint
{
  public:
    /// `bits` is 8 to 32 and `bound` positive. There are so few workers that each has 3 levels.
    FixedPoint(std::uint32_t bits, std::uint32_t workers, double bound);

    std::int32_t FromBf16(std::uint16_t value) const;

    /// Returns the sum that the integers' sum stands for.
    double ToReal(std::int32_t sum) const;

    /// Returns the most that the sum of all workers can be wrong, where no value exceeds the bound.
    double SumErrorBound() const;

    /// Returns the value of a bf16 number, the upper half of an IEEE 754 single.
    static double ValueOfBf16(std::uint16_t value);

  private:
    double m_workers;
    double m_bound;
    double m_levels; ///< Q
};

} // namespace ns3
