// SPDX-License-Identifier: GPL-2.0-only
// Counts how late packets left a live WAN after their due time, in a histogram whose bins are 1/16
// of a power of two wide: a percentile is exact within 6.3 %. It is trivially copyable, so that
// processes can share it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3
{

/// Lateness is a histogram of times in nanoseconds.
class Lateness
{
  public:
    void Add(std::int64_t ns)
    {
        const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0));
        ++m_bins[BinOf(value)];
        ++m_count;
        m_max = std::max(m_max, value);
    }

    void Add(const Lateness& other)
    {
        for (std::size_t bin = 0; bin < m_bins.size(); ++bin)
        {
            m_bins[bin] += other.m_bins[bin];
        }
        m_count += other.m_count;
        m_max = std::max(m_max, other.m_max);
    }

    std::uint64_t Count() const
    {
        return m_count;
    }

    std::int64_t MaxNs() const
    {
        return static_cast<std::int64_t>(m_max);
    }

    /// Returns the time that a share of `share`, in 0..1, does not exceed: the upper bound of its
    /// bin; 0 where nothing was counted.
    std::int64_t PercentileNs(double share) const
    {
        const double wanted = share * static_cast<double>(m_count);
        std::uint64_t below = 0;
        for (std::size_t bin = 0; bin < m_bins.size(); ++bin)
        {
            below += m_bins[bin];
            if (m_bins[bin] > 0 && static_cast<double>(below) >= wanted)
            {
                return static_cast<std::int64_t>(std::min(UpperBoundOf(bin), m_max));
            }
        }
        return MaxNs();
    }

  private:
    static constexpr std::uint32_t s_fractionBits = 4;
    static constexpr std::size_t s_bins = std::size_t(64 - s_fractionBits + 1) << s_fractionBits;

    static std::size_t BinOf(std::uint64_t value)
    {
        if (value < (1U << s_fractionBits))
        {
            return value;
        }
        const std::uint32_t power = 63 - static_cast<std::uint32_t>(__builtin_clzll(value));
        const std::uint32_t shift = power - s_fractionBits;
        return (std::size_t(shift + 1) << s_fractionBits) +
               ((value >> shift) & ((1U << s_fractionBits) - 1));
    }

    static std::uint64_t UpperBoundOf(std::size_t bin)
    {
        if (bin < (1U << s_fractionBits))
        {
            return bin;
        }
        const std::size_t shift = (bin >> s_fractionBits) - 1;
        const std::uint64_t mantissa =
            (1U << s_fractionBits) + (bin & ((1U << s_fractionBits) - 1));
        return ((mantissa + 1) << shift) - 1;
    }

    std::array<std::uint64_t, s_bins> m_bins{};
    std::uint64_t m_count = 0;
    std::uint64_t m_max = 0;
};

} // namespace ns3
