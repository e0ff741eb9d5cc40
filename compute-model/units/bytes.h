// SPDX-License-Identifier: GPL-2.0-only
// Sizes in bytes and rates in bit/s. Prefixes are decimal: 1 MB is 1,000,000 bytes.
#pragma once

#include "units/duration.h"

#include <cstdint>

namespace geotrain
{

/// Holds products of bits and nanoseconds, which overflow 64 bits.
__extension__ typedef __int128 WideInteger;

/// A size is a signed number of bytes.
class Bytes
{
  public:
    constexpr Bytes() = default;

    static constexpr Bytes Of(std::int64_t count)
    {
        return Bytes(count);
    }

    constexpr std::int64_t Count() const
    {
        return m_count;
    }

    constexpr Bytes operator+(Bytes other) const
    {
        return Bytes(m_count + other.m_count);
    }

    constexpr Bytes operator-(Bytes other) const
    {
        return Bytes(m_count - other.m_count);
    }

    constexpr Bytes operator*(std::int64_t factor) const
    {
        return Bytes(m_count * factor);
    }

    constexpr Bytes& operator+=(Bytes other)
    {
        m_count += other.m_count;
        return *this;
    }

    constexpr bool operator==(Bytes other) const
    {
        return m_count == other.m_count;
    }

    constexpr bool operator!=(Bytes other) const
    {
        return m_count != other.m_count;
    }

    constexpr bool operator<(Bytes other) const
    {
        return m_count < other.m_count;
    }

    constexpr bool operator<=(Bytes other) const
    {
        return m_count <= other.m_count;
    }

    constexpr bool operator>(Bytes other) const
    {
        return m_count > other.m_count;
    }

  private:
    explicit constexpr Bytes(std::int64_t count)
        : m_count(count)
    {
    }

    std::int64_t m_count = 0;
};

/// A rate is a number of bits per second.
class BitRate
{
  public:
    constexpr BitRate() = default;

    static constexpr BitRate BitsPerSecond(std::int64_t bitsPerSecond)
    {
        return BitRate(bitsPerSecond);
    }

    static constexpr BitRate GigabitsPerSecond(std::int64_t gigabitsPerSecond)
    {
        return BitRate(gigabitsPerSecond * 1000000000);
    }

    constexpr std::int64_t ToBitsPerSecond() const
    {
        return m_bitsPerSecond;
    }

    /// Returns the time that `size` takes on the wire, rounded up to a nanosecond. The rate must be
    /// positive.
    Duration TransmissionTime(Bytes size) const
    {
        const auto bitNanoseconds = static_cast<WideInteger>(size.Count()) * 8 * 1000000000;
        return Duration::Nanoseconds(
            static_cast<std::int64_t>((bitNanoseconds + m_bitsPerSecond - 1) / m_bitsPerSecond));
    }

    /// Returns how much passes in `span`, rounded down. Where `span` is an RTT, this is the
    /// bandwidth-delay product.
    Bytes In(Duration span) const
    {
        const auto bitNanoseconds =
            static_cast<WideInteger>(m_bitsPerSecond) * span.ToNanoseconds();
        return Bytes::Of(static_cast<std::int64_t>(bitNanoseconds / 8 / 1000000000));
    }

    constexpr bool operator==(BitRate other) const
    {
        return m_bitsPerSecond == other.m_bitsPerSecond;
    }

    constexpr bool operator<(BitRate other) const
    {
        return m_bitsPerSecond < other.m_bitsPerSecond;
    }

  private:
    explicit constexpr BitRate(std::int64_t bitsPerSecond)
        : m_bitsPerSecond(bitsPerSecond)
    {
    }

    std::int64_t m_bitsPerSecond = 0;
};

} // namespace geotrain
