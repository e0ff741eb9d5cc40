// SPDX-License-Identifier: GPL-2.0-only
// Says when a receiver of an in-network optimizer sends heartbeats, without an event for each: at
// once when it was silent and gets a buffer, then once an interval until two intervals have ended
// without an open buffer (model/window-receiver.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ns3
{

/// A HeartbeatPhase knows the times of heartbeats, in seconds.
class HeartbeatPhase
{
  public:
    /// `interval` 0 means that each heartbeat goes at once.
    explicit HeartbeatPhase(double interval)
        : m_interval(interval)
    {
    }

    /// Returns whether no heartbeat would come after `at` without a new buffer.
    bool IsSilent(double at) const
    {
        return m_open == 0 && at > m_silentAfter;
    }

    /// Gives a buffer at `at`, and returns when a heartbeat says so.
    double Post(double at)
    {
        const bool wasSilent = IsSilent(at);
        ++m_open;
        if (wasSilent)
        {
            m_lastBeforeSilence = m_silentAfter - m_interval;
            m_phase = at;
        }
        return Next(at);
    }

    /// Fills a buffer at `at`, and returns when a heartbeat says so.
    double Fill(double at)
    {
        const double heartbeat = Next(at);
        m_silentAfter = --m_open == 0 ? heartbeat + m_interval : m_silentAfter;
        return heartbeat;
    }

    /// Returns the time of the last heartbeat before `at`, or of an earlier one before a silence.
    double LastBefore(double at) const
    {
        if (at <= m_phase)
        {
            return m_lastBeforeSilence;
        }
        const double last = Next(at) - m_interval;
        return m_open == 0 ? std::min(last, m_silentAfter - m_interval) : last;
    }

    /// Returns the time of the first heartbeat that isn't before `at`.
    double Next(double at) const
    {
        if (m_interval == 0)
        {
            return at;
        }
        constexpr double rounding = 1e-9; // seconds: clocks count nanoseconds
        return std::max(at,
                        m_phase + std::ceil((at - m_phase - rounding) / m_interval) * m_interval);
    }

  private:
    const double m_interval;
    double m_phase = 0; ///< time of the first heartbeat after a silence
    double m_lastBeforeSilence = -std::numeric_limits<double>::infinity();
    double m_silentAfter = -std::numeric_limits<double>::infinity();
    std::int64_t m_open = 0; ///< buffers
};

} // namespace ns3
