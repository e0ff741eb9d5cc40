// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/random-loss.h"

#include "path-learning/bottleneck-rate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace geotrain
{

namespace
{

// All are estimates.
constexpr double fewestLosses = 10; // of packets that found room
constexpr double leastShare = 5e-4; // of packets that found room
constexpr double standardErrors = 3;

/// An Around is where the packets around one stand in the trace; `none` where there is none.
struct Around
{
    static constexpr std::size_t none = SIZE_MAX;

    std::size_t before = none; ///< the last arrival not after it
    std::size_t after = none;  ///< the first arrival not before it
};

/// Returns it for each packet. An arrival is around itself.
std::vector<Around>
ArrivalsAround(const PacketTrace& trace)
{
    std::vector<Around> around(trace.packets.size());
    std::size_t last = Around::none;
    for (std::size_t i = 0; i < around.size(); ++i)
    {
        last = trace.packets[i].delay ? i : last;
        around[i].before = last;
    }
    last = Around::none;
    for (std::size_t i = around.size(); i-- > 0;)
    {
        last = trace.packets[i].delay ? i : last;
        around[i].after = last;
    }
    return around;
}

/// Returns the delay between those of the arrivals around a packet.
Duration
DelayBetween(const PacketTrace& trace, const TracedPacket& packet, Around around)
{
    const TracedPacket& before =
        trace.packets[around.before == Around::none ? around.after : around.before];
    const TracedPacket& after =
        trace.packets[around.after == Around::none ? around.before : around.after];
    const double whole = (after.sent - before.sent).ToSeconds();
    const double share = whole > 0 ? (packet.sent - before.sent).ToSeconds() / whole : 0;
    const double rise = static_cast<double>((*after.delay - *before.delay).ToNanoseconds());
    return *before.delay + Duration::Nanoseconds(std::llround(std::clamp(share, 0.0, 1.0) * rise));
}

/// Counts are of packets around which the wait was short, or long.
struct Counts
{
    double packets = 0;
    double lost = 0;
};

} // namespace

RandomLoss
RandomLossOf(const PacketTrace& trace)
{
    const std::vector<Around> around = ArrivalsAround(trace);
    const Duration least = LeastDelay(trace);
    Duration longest;
    for (const TracedPacket& packet : trace.packets)
    {
        longest = std::max(longest, packet.delay.value_or(longest));
    }
    const auto foundRoom = [&](std::size_t i)
    {
        const auto delayOf = [&](std::size_t at)
        { return at == Around::none ? least : *trace.packets[at].delay; };
        const Duration greatest = std::max(delayOf(around[i].before), delayOf(around[i].after));
        return 2 * (greatest - least).ToNanoseconds() < (longest - least).ToNanoseconds();
    };
    Counts roomy, full;
    for (std::size_t i = 0; i < trace.packets.size(); ++i)
    {
        Counts& counts = foundRoom(i) ? roomy : full;
        counts.packets += 1;
        counts.lost += trace.packets[i].delay ? 0 : 1;
    }
    RandomLoss random{0, trace};
    const double share = roomy.lost / std::max(1.0, roomy.packets);
    const bool hasWaited = ShowsRate(trace);
    if (hasWaited && (roomy.lost < fewestLosses || share < leastShare))
    {
        return random;
    }
    // Where the packets that may have found the buffer full were lost as often as the others, none
    // did.
    const double expected = share * full.packets;
    const bool hasOverflowed =
        hasWaited && full.lost > expected + standardErrors * (std::sqrt(expected) + 1);
    random.share =
        hasOverflowed ? share : (roomy.lost + full.lost) / (roomy.packets + full.packets);
    for (std::size_t i = 0; i < trace.packets.size(); ++i)
    {
        if (!trace.packets[i].delay && (!hasOverflowed || foundRoom(i)))
        {
            random.trace.packets[i].delay = DelayBetween(trace, trace.packets[i], around[i]);
        }
    }
    return random;
}

} // namespace geotrain
