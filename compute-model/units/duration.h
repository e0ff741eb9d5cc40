// SPDX-License-Identifier: GPL-2.0-only
// Time is counted in int64 nanoseconds. A Duration is a span of time. An Instant is a point since
// the start of the measured run (time 0). Instants before 0 belong to the warming of connections.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace geotrain
{

/// A Duration is a signed span of time in nanoseconds.
class Duration
{
  public:
    constexpr Duration() = default;

    static constexpr Duration Nanoseconds(std::int64_t nanoseconds)
    {
        return Duration(nanoseconds);
    }

    static constexpr Duration Microseconds(std::int64_t microseconds)
    {
        return Duration(microseconds * 1000);
    }

    static constexpr Duration Milliseconds(std::int64_t milliseconds)
    {
        return Duration(milliseconds * 1000000);
    }

    /// Rounds `seconds` to the nearest nanosecond.
    static Duration Seconds(double seconds)
    {
        return Duration(std::llround(seconds * 1e9));
    }

    constexpr std::int64_t ToNanoseconds() const
    {
        return m_nanoseconds;
    }

    constexpr double ToSeconds() const
    {
        return static_cast<double>(m_nanoseconds) * 1e-9;
    }

    constexpr Duration operator+(Duration other) const
    {
        return Duration(m_nanoseconds + other.m_nanoseconds);
    }

    constexpr Duration operator-(Duration other) const
    {
        return Duration(m_nanoseconds - other.m_nanoseconds);
    }

    constexpr Duration operator*(std::int64_t factor) const
    {
        return Duration(m_nanoseconds * factor);
    }

    constexpr Duration& operator+=(Duration other)
    {
        m_nanoseconds += other.m_nanoseconds;
        return *this;
    }

    constexpr bool operator==(Duration other) const
    {
        return m_nanoseconds == other.m_nanoseconds;
    }

    constexpr bool operator!=(Duration other) const
    {
        return m_nanoseconds != other.m_nanoseconds;
    }

    constexpr bool operator<(Duration other) const
    {
        return m_nanoseconds < other.m_nanoseconds;
    }

    constexpr bool operator<=(Duration other) const
    {
        return m_nanoseconds <= other.m_nanoseconds;
    }

    constexpr bool operator>(Duration other) const
    {
        return m_nanoseconds > other.m_nanoseconds;
    }

    constexpr bool operator>=(Duration other) const
    {
        return m_nanoseconds >= other.m_nanoseconds;
    }

  private:
    explicit constexpr Duration(std::int64_t nanoseconds)
        : m_nanoseconds(nanoseconds)
    {
    }

    std::int64_t m_nanoseconds = 0;
};

/// An Instant is a point in simulated time, in nanoseconds since the start of the measured run.
class Instant
{
  public:
    constexpr Instant() = default;

    static constexpr Instant FromNanoseconds(std::int64_t nanoseconds)
    {
        return Instant(nanoseconds);
    }

    /// Returns a point that is later than every event of a run.
    static constexpr Instant Never()
    {
        return Instant(std::numeric_limits<std::int64_t>::max());
    }

    constexpr std::int64_t ToNanoseconds() const
    {
        return m_nanoseconds;
    }

    constexpr double ToSeconds() const
    {
        return static_cast<double>(m_nanoseconds) * 1e-9;
    }

    constexpr Instant operator+(Duration span) const
    {
        return Instant(m_nanoseconds + span.ToNanoseconds());
    }

    constexpr Instant operator-(Duration span) const
    {
        return Instant(m_nanoseconds - span.ToNanoseconds());
    }

    constexpr Duration operator-(Instant other) const
    {
        return Duration::Nanoseconds(m_nanoseconds - other.m_nanoseconds);
    }

    constexpr bool operator==(Instant other) const
    {
        return m_nanoseconds == other.m_nanoseconds;
    }

    constexpr bool operator!=(Instant other) const
    {
        return m_nanoseconds != other.m_nanoseconds;
    }

    constexpr bool operator<(Instant other) const
    {
        return m_nanoseconds < other.m_nanoseconds;
    }

    constexpr bool operator<=(Instant other) const
    {
        return m_nanoseconds <= other.m_nanoseconds;
    }

    constexpr bool operator>(Instant other) const
    {
        return m_nanoseconds > other.m_nanoseconds;
    }

    constexpr bool operator>=(Instant other) const
    {
        return m_nanoseconds >= other.m_nanoseconds;
    }

  private:
    explicit constexpr Instant(std::int64_t nanoseconds)
        : m_nanoseconds(nanoseconds)
    {
    }

    std::int64_t m_nanoseconds = 0;
};

} // namespace geotrain
