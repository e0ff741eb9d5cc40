// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/training-window.h"

#include "path-learning/trainer/recorded-cross-traffic.h"
#include "path-learning/trainer/training-record.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

// All are estimates.
constexpr std::int64_t shortestWindowNs = 10000000;
constexpr std::int64_t longestWindowNs = 3600000000000;
constexpr std::int64_t longestChosenNs = 1000000000; // by noise
constexpr std::int64_t ticksPerWindow = 100;
constexpr std::int64_t mostWindows = 100000;
constexpr double packetsPerWindow = 10;
constexpr double greatestNoise = 0.005; // of the rate
constexpr std::size_t mostSlots = 64;
constexpr std::int64_t slotsPerPacket = 6; // where cross traffic comes in packets
constexpr std::int64_t ticksPerSlot = 10;
constexpr double mostRecordedSlots = 1e6; // so that a model file is of some megabytes

/// Returns how long a packet of mean size takes on the wire.
double
PacketSeconds(const PathParameters& path, const std::vector<PacketTrace>& traces)
{
    double bytes = 0;
    double packets = 0;
    for (const PacketTrace& trace : traces)
    {
        for (const TracedPacket& packet : trace.packets)
        {
            bytes += static_cast<double>(packet.size.Count());
            packets += 1;
        }
    }
    return 8 * bytes / packets / static_cast<double>(path.rate.ToBitsPerSecond());
}

std::int64_t
ShortestFor(const PathParameters& path, const std::vector<PacketTrace>& traces)
{
    std::int64_t window = shortestWindowNs;
    for (const PacketTrace& trace : traces)
    {
        const std::int64_t span = (trace.packets.back().sent - Instant()).ToNanoseconds();
        window = std::max({window, ticksPerWindow * TickOf(trace), span / mostWindows});
    }
    return std::min(
        longestWindowNs,
        std::max<std::int64_t>(window,
                               std::llround(1e9 * packetsPerWindow * PacketSeconds(path, traces))));
}

/// Returns how far below 0 cross traffic is said to be on average, over the rate.
double
NoiseWith(Duration window, const PathModel& path, const std::vector<PacketTrace>& traces)
{
    double noise = 0;
    double weight = 0;
    for (std::size_t i = 0; i < traces.size(); ++i)
    {
        TrainingRecord record(traces[i], window);
        record.Describe(path.members[i]);
        for (const WindowTruth& truth : record.crossTraffic)
        {
            noise += truth.weight * std::max(0.0, -truth.share);
            weight += truth.weight;
        }
    }
    return weight > 0 ? noise / weight : 0;
}

bool
ComeInPackets(const PathModel& path, const std::vector<PacketTrace>& traces)
{
    for (std::size_t i = 0; i < traces.size(); ++i)
    {
        if (ComesInPackets(traces[i], path.members[i]))
        {
            return true;
        }
    }
    return false;
}

} // namespace

Duration
WindowFor(const PathModel& path, const std::vector<PacketTrace>& traces)
{
    std::int64_t window = ShortestFor(path.forward, traces);
    while (2 * window <= longestChosenNs &&
           NoiseWith(Duration::Nanoseconds(window), path, traces) > greatestNoise)
    {
        window *= 2;
    }
    return Duration::Nanoseconds(window);
}

Duration
WholeWindow(Duration window)
{
    constexpr auto parts = static_cast<std::int64_t>(mostSlots);
    return Duration::Nanoseconds(std::max(parts, window.ToNanoseconds() / parts * parts));
}

std::size_t
SlotsFor(Duration window, const PathModel& path, const std::vector<PacketTrace>& traces)
{
    std::int64_t shortest = std::llround(1e9 * PacketSeconds(path.forward, traces));
    shortest /= ComeInPackets(path, traces) ? slotsPerPacket : 1;
    double seconds = 0;
    for (const PacketTrace& trace : traces)
    {
        shortest = std::max(shortest, ticksPerSlot * TickOf(trace));
        seconds += (trace.packets.back().sent - Instant()).ToSeconds();
    }
    shortest = std::max<std::int64_t>(shortest, std::llround(1e9 * seconds / mostRecordedSlots));
    std::size_t slots = 1;
    while (2 * slots <= mostSlots)
    {
        const auto slot =
            Duration::Nanoseconds(window.ToNanoseconds() / static_cast<std::int64_t>(2 * slots));
        if (slot.ToNanoseconds() < shortest || NoiseWith(slot, path, traces) > greatestNoise)
        {
            break;
        }
        slots *= 2;
    }
    return slots;
}

} // namespace geotrain
