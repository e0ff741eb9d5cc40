// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/recorded-delays.h"

#include <algorithm>

namespace geotrain
{

namespace
{

// Estimates.
constexpr double shortestStall = 0.02; // s
constexpr double stallPackets = 10;    // at the rate
constexpr double catchUpShare = 0.25;  // of a stall, in which what it held back arrives
constexpr double catchUpFactor = 2;    // over the rate
constexpr double emptyPackets = 20;    // at least, up to one that found the buffer empty
constexpr double emptySeconds = 0.1;   // of the rate, the same
constexpr double emptyShare = 0.9;     // of the rate at which they arrive at most
constexpr double emptyJitter = 0.005;  // s, of their arrivals
constexpr double emptyWait = 0.05;     // of the longest wait, that is jitter

/// Returns the places in the trace of what arrived, in the order in which it did.
std::vector<std::size_t>
ArrivalsOf(const PacketTrace& trace)
{
    std::vector<std::size_t> arrivals;
    for (std::size_t i = 0; i < trace.packets.size(); ++i)
    {
        if (trace.packets[i].delay)
        {
            arrivals.push_back(i);
        }
    }
    const auto arrivalOf = [&](std::size_t i)
    { return trace.packets[i].sent + *trace.packets[i].delay; };
    std::stable_sort(arrivals.begin(),
                     arrivals.end(),
                     [&](std::size_t a, std::size_t b) { return arrivalOf(a) < arrivalOf(b); });
    return arrivals;
}

} // namespace

bool
ShowsPropagation(const PacketTrace& trace, BitRate rate)
{
    const std::vector<std::size_t> order = ArrivalsOf(trace);
    const double bytesPerSecond = static_cast<double>(rate.ToBitsPerSecond()) / 8;
    const double least = LeastDelay(trace).ToSeconds();
    double longest = least;
    for (const std::size_t i : order)
    {
        longest = std::max(longest, trace.packets[i].delay->ToSeconds());
    }
    double bytes = 0;
    std::size_t from = 0;
    for (std::size_t k = 1; k < order.size(); ++k)
    {
        const TracedPacket& packet = trace.packets[order[k]];
        const auto size = static_cast<double>(packet.size.Count());
        bytes += size;
        while (bytes > std::max(emptyPackets * size, emptySeconds * bytesPerSecond) && from + 1 < k)
        {
            bytes -= static_cast<double>(trace.packets[order[++from]].size.Count());
        }
        const TracedPacket& first = trace.packets[order[from]];
        const double seconds =
            SecondsOf(packet.sent + *packet.delay) - SecondsOf(first.sent + *first.delay);
        const double jitter = std::max(2 * size / bytesPerSecond, emptyWait * (longest - least));
        const double off = std::max(2 * size, bytesPerSecond * emptyJitter);
        if (packet.delay->ToSeconds() <= least + jitter &&
            bytes + off < emptyShare * bytesPerSecond * seconds)
        {
            return true;
        }
    }
    return false;
}

Duration
LeastPropagation(const PacketTrace& trace, BitRate rate)
{
    Duration least = Duration::Nanoseconds(INT64_MAX);
    for (const TracedPacket& packet : trace.packets)
    {
        if (packet.delay)
        {
            least = std::min(least, *packet.delay - rate.TransmissionTime(packet.size));
        }
    }
    return std::max(least, Duration());
}

std::vector<Stall>
RemoveStalls(PacketTrace& trace, BitRate rate)
{
    std::vector<std::size_t> order = ArrivalsOf(trace);
    const double bytesPerSecond = static_cast<double>(rate.ToBitsPerSecond()) / 8;
    const auto arrivalOf = [&](std::size_t k)
    { return SecondsOf(trace.packets[order[k]].sent + *trace.packets[order[k]].delay); };
    const auto sizeOf = [&](std::size_t k)
    { return static_cast<double>(trace.packets[order[k]].size.Count()); };
    const double propagation = LeastPropagation(trace, rate).ToSeconds();
    std::vector<Stall> stalls;
    for (std::size_t k = 0; k + 1 < order.size(); ++k)
    {
        const double begin = arrivalOf(k);
        const double gap = arrivalOf(k + 1) - begin;
        if (gap < std::max(shortestStall, stallPackets * sizeOf(k + 1) / bytesPerSecond))
        {
            continue;
        }
        const double end = begin + gap * (1 + catchUpShare);
        std::size_t last = k;
        double bytes = 0;
        while (last + 1 < order.size() && arrivalOf(last + 1) <= end)
        {
            bytes += sizeOf(++last);
        }
        if (bytes < catchUpFactor * catchUpShare * gap * bytesPerSecond)
        {
            continue;
        }
        const TracedPacket& before = trace.packets[order[k]];
        stalls.push_back({before.sent + *before.delay, Duration::Seconds(gap)});
        const double until = arrivalOf(last);
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(k + 1),
                  order.begin() + static_cast<std::ptrdiff_t>(last + 1)); // as they were sent
        double arrived = 0;
        for (std::size_t i = k + 1; i <= last; ++i)
        {
            arrived += sizeOf(i);
            TracedPacket& packet = trace.packets[order[i]];
            const double even = begin + (until - begin) * arrived / bytes;
            const double delay =
                std::max(propagation + sizeOf(i) / bytesPerSecond, even - SecondsOf(packet.sent));
            packet.delay = std::min(*packet.delay, Duration::Seconds(delay));
        }
        k = last - 1;
    }
    return stalls;
}

} // namespace geotrain
