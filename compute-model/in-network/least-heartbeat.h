// SPDX-License-Identifier: GPL-2.0-only
// Keeps the latest heartbeat of each child and gives the least of them, which speaks for all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// A Heartbeat acknowledges all packets before `ack` and lets those before `creditEnd` be sent:
/// LuWu's Credit, the highest sequence that is acceptable, is creditEnd - 1.
struct Heartbeat
{
    std::int64_t ack = 0;
    std::int64_t creditEnd = 0;
};

/// LeastHeartbeat is a switch's memory of its children's heartbeats.
class LeastHeartbeat
{
  public:
    explicit LeastHeartbeat(std::uint32_t children)
        : m_latest(children)
    {
    }

    /// Keeps the heartbeat of `child`. One that was overtaken by a later one changes nothing.
    void Set(std::uint32_t child, const Heartbeat& heartbeat)
    {
        std::optional<Heartbeat>& latest = m_latest[child];
        if (!latest)
        {
            latest = heartbeat;
            ++m_heard;
            return;
        }
        latest->ack = std::max(latest->ack, heartbeat.ack);
        latest->creditEnd = std::max(latest->creditEnd, heartbeat.creditEnd);
    }

    /// Returns the least ack and the least credit; none until each child has been heard.
    std::optional<Heartbeat> Least() const
    {
        if (m_heard < m_latest.size())
        {
            return std::nullopt;
        }
        Heartbeat least = *m_latest.front();
        for (const std::optional<Heartbeat>& latest : m_latest)
        {
            least.ack = std::min(least.ack, latest->ack);
            least.creditEnd = std::min(least.creditEnd, latest->creditEnd);
        }
        return least;
    }

  private:
    std::vector<std::optional<Heartbeat>> m_latest; ///< by child
    std::size_t m_heard = 0;
};

} // namespace geotrain
