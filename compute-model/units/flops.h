// SPDX-License-Identifier: GPL-2.0-only
// Counts floating-point operations. A multiply-add counts as two.
#pragma once

namespace geotrain
{

/// A Flops is a number of floating-point operations; it is no rate.
class Flops
{
  public:
    constexpr Flops() = default;

    static constexpr Flops Of(double count)
    {
        return Flops(count);
    }

    constexpr double Count() const
    {
        return m_count;
    }

    constexpr Flops operator+(Flops other) const
    {
        return Flops(m_count + other.m_count);
    }

    constexpr Flops operator*(double factor) const
    {
        return Flops(m_count * factor);
    }

  private:
    explicit constexpr Flops(double count)
        : m_count(count)
    {
    }

    double m_count = 0;
};

} // namespace geotrain
