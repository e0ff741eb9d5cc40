// SPDX-License-Identifier: GPL-2.0-only
// Tells when a sender of constant rate has sent what it was given, to a fraction of a nanosecond.
// So the rounding of single packets never adds up (an acknowledgement of 52 bytes takes 4.16 ns at
// 100 Gbit/s).
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <limits>

namespace geotrain
{

/// TransmissionClock is the sending side of one link of constant rate.
class TransmissionClock
{
  public:
    /// `rate` must be positive.
    explicit TransmissionClock(BitRate rate)
        : m_rate(rate)
    {
    }

    /// Returns the end of the last transmission, rounded up to a nanosecond; before the first one,
    /// a time long ago.
    Instant FreeAt() const
    {
        return Instant::FromNanoseconds(m_wholeNs + (m_fraction > 0 ? 1 : 0));
    }

    /// Sends `size` (up to 100 MB) after what was sent before, but not before `earliest`. Returns
    /// FreeAt().
    Instant Send(Instant earliest, Bytes size)
    {
        if (earliest.ToNanoseconds() > m_wholeNs)
        {
            m_wholeNs = earliest.ToNanoseconds();
            m_fraction = 0;
        }
        const std::int64_t rate = m_rate.ToBitsPerSecond();
        // Most packets of a direction have one size; a division for each would cost time.
        if (size != m_lastSize)
        {
            Divide(size);
        }
        m_wholeNs += m_lastWholeNs;
        m_fraction += m_lastFraction;
        if (m_fraction >= rate)
        {
            m_fraction -= rate;
            ++m_wholeNs;
        }
        return FreeAt();
    }

    /// Returns what is still to be sent at `now`, in bytes, rounded up.
    Bytes Backlog(Instant now) const
    {
        if (m_wholeNs < now.ToNanoseconds())
        {
            return Bytes();
        }
        const WideInteger work = // billionths of a bit
            static_cast<WideInteger>(m_wholeNs - now.ToNanoseconds()) * m_rate.ToBitsPerSecond() +
            m_fraction;
        return Bytes::Of(static_cast<std::int64_t>((work + s_byteNs - 1) / s_byteNs));
    }

  private:
    void Divide(Bytes size)
    {
        const std::int64_t work = size.Count() * 8 * s_nanosecondsPerSecond;
        m_lastSize = size;
        m_lastWholeNs = work / m_rate.ToBitsPerSecond();
        m_lastFraction = work % m_rate.ToBitsPerSecond();
    }

    static constexpr std::int64_t s_nanosecondsPerSecond = 1000000000;
    static constexpr std::int64_t s_byteNs = 8 * s_nanosecondsPerSecond;

    BitRate m_rate;
    std::int64_t m_wholeNs = std::numeric_limits<std::int64_t>::min() / 2;
    std::int64_t m_fraction = 0; ///< fraction of a nanosecond, in units of 1/rate
    Bytes m_lastSize;
    std::int64_t m_lastWholeNs = 0; ///< whole nanoseconds that m_lastSize takes; then the rest
    std::int64_t m_lastFraction = 0;
};

} // namespace geotrain
