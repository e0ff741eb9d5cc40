// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/packet-trace.h"

#include "units/config-error.h"

#include <algorithm>
#include <numeric>

namespace geotrain
{

namespace
{

// A clock that is set jumps by any amount. These limits are estimates of what no path does.
const Duration longestOvertaking = Duration::Milliseconds(1000);
const Duration longestRise = Duration::Milliseconds(10000);
const Duration longestPause = Duration::Milliseconds(600000);

/// Returns whether a clock was set between two packets that arrived one after the other.
bool
JumpsBetween(const TracedPacket& before, const TracedPacket& packet)
{
    const Duration apart = packet.sent - before.sent;
    const Duration rise = *packet.delay - *before.delay;
    return rise > longestRise || rise + apart + longestOvertaking < Duration();
}

void
CheckPauses(const PacketTrace& trace)
{
    for (std::size_t i = 1; i < trace.packets.size(); ++i)
    {
        const Duration pause = trace.packets[i].sent - trace.packets[i - 1].sent;
        if (pause < Duration() || pause > longestPause)
        {
            throw ConfigError(trace.name + ":" + std::to_string(trace.packets[i].line),
                              "",
                              std::to_string(pause.ToSeconds()) + " s",
                              "after the packet before: a clock jumps, or the record has a gap");
        }
    }
}

} // namespace

void
FinishTrace(PacketTrace& trace)
{
    CheckPauses(trace);
    const TracedPacket* before = nullptr;
    std::size_t arrived = 0;
    for (const TracedPacket& packet : trace.packets)
    {
        if (!packet.delay)
        {
            continue;
        }
        if (before && JumpsBetween(*before, packet))
        {
            throw ConfigError(trace.name + ":" + std::to_string(packet.line),
                              "",
                              std::to_string(packet.delay->ToSeconds()) + " s",
                              "is a delay after one of " +
                                  std::to_string(before->delay->ToSeconds()) + " s: a clock jumps");
        }
        before = &packet;
        ++arrived;
    }
    if (arrived < 2)
    {
        throw ConfigError(trace.name,
                          "",
                          std::to_string(trace.packets.size()),
                          "packets were sent and " + std::to_string(arrived) +
                              " arrived: a path is learned from at least two that arrive");
    }
    const Duration first = trace.packets.front().sent - Instant();
    for (TracedPacket& packet : trace.packets)
    {
        packet.sent = Instant() + (packet.sent - Instant() - first);
    }
}

std::int64_t
TickOf(const PacketTrace& trace)
{
    std::int64_t tick = 0;
    for (const TracedPacket& packet : trace.packets)
    {
        tick = std::gcd(tick, (packet.sent - Instant()).ToNanoseconds());
        tick = std::gcd(tick, packet.delay ? packet.delay->ToNanoseconds() : 0);
    }
    return std::max<std::int64_t>(tick, 1);
}

Duration
LeastDelay(const PacketTrace& trace)
{
    Duration least = Duration::Nanoseconds(INT64_MAX);
    for (const TracedPacket& packet : trace.packets)
    {
        least = std::min(least, packet.delay.value_or(least));
    }
    return least;
}

PacketTrace
HalfOf(const PacketTrace& trace, bool isSecond)
{
    PacketTrace half;
    half.name = trace.name;
    const Instant middle =
        Instant::FromNanoseconds((trace.packets.back().sent - Instant()).ToNanoseconds() / 2);
    for (const TracedPacket& packet : trace.packets)
    {
        if ((packet.sent >= middle) == isSecond)
        {
            half.packets.push_back(packet);
        }
    }
    FinishTrace(half);
    return half;
}

} // namespace geotrain
