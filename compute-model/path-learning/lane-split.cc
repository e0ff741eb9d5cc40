// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/lane-split.h"

#include "units/config-error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace geotrain
{

namespace
{

// All are estimates.
constexpr std::size_t fewestPackets = 20; // of a lane
constexpr std::size_t neighbours = 5;     // of a packet in a lane, to either side
constexpr int mostRounds = 20;

using Indices = std::vector<std::size_t>;

double
DelayOf(const TracedPacket& packet)
{
    return packet.delay->ToSeconds();
}

/// Returns those of `packets` that one of them overtook.
Indices
OvertakenOf(const PacketTrace& trace, const Indices& packets)
{
    Indices overtaken;
    Instant earliest = Instant::FromNanoseconds(INT64_MAX);
    for (auto packet = packets.rbegin(); packet != packets.rend(); ++packet)
    {
        const TracedPacket& one = trace.packets[*packet];
        const Instant arrival = one.sent + *one.delay;
        if (earliest < arrival)
        {
            overtaken.push_back(*packet);
        }
        earliest = std::min(earliest, arrival);
    }
    std::reverse(overtaken.begin(), overtaken.end());
    return overtaken;
}

Indices
ArrivedOf(const PacketTrace& trace)
{
    Indices arrived;
    for (std::size_t i = 0; i < trace.packets.size(); ++i)
    {
        if (trace.packets[i].delay)
        {
            arrived.push_back(i);
        }
    }
    return arrived;
}

/// Returns the median delay of the packets of a lane that were sent around a packet, without it.
double
MedianAround(const PacketTrace& trace, const Indices& lane, std::size_t packet)
{
    const auto at = std::lower_bound(lane.begin(), lane.end(), packet);
    const auto reach = static_cast<std::ptrdiff_t>(neighbours);
    const auto from = at - std::min(reach, at - lane.begin());
    const auto to = at + std::min(reach + 1, lane.end() - at);
    std::vector<double> delays;
    for (auto other = from; other != to; ++other)
    {
        if (*other != packet)
        {
            delays.push_back(DelayOf(trace.packets[*other]));
        }
    }
    if (delays.empty())
    {
        return INFINITY;
    }
    const auto middle = delays.begin() + static_cast<std::ptrdiff_t>(delays.size() / 2);
    std::nth_element(delays.begin(), middle, delays.end());
    return *middle;
}

/// Moves packets to the lane whose delays around them are nearest. Returns whether one was moved.
bool
MoveToNearest(const PacketTrace& trace,
              const Indices& arrived,
              std::size_t lanes,
              std::vector<std::size_t>& laneOf)
{
    std::vector<Indices> packetsOf(lanes);
    for (const std::size_t packet : arrived)
    {
        packetsOf[laneOf[packet]].push_back(packet);
    }
    bool isMoved = false;
    for (const std::size_t packet : arrived)
    {
        std::size_t nearest = laneOf[packet];
        double least = INFINITY;
        for (std::size_t k = 0; k < lanes; ++k)
        {
            const double distance = std::abs(DelayOf(trace.packets[packet]) -
                                             MedianAround(trace, packetsOf[k], packet));
            nearest = distance < least ? k : nearest;
            least = std::min(least, distance);
        }
        isMoved = isMoved || nearest != laneOf[packet];
        laneOf[packet] = nearest;
    }
    return isMoved;
}

/// Puts each lost packet into the lane that was fuller: whose last delay was nearer to its greatest.
void
PlaceLost(const PacketTrace& trace, std::size_t lanes, std::vector<std::size_t>& laneOf)
{
    std::vector<double> least(lanes, INFINITY), greatest(lanes, 0), last(lanes, 0);
    for (std::size_t i = 0; i < trace.packets.size(); ++i)
    {
        if (trace.packets[i].delay)
        {
            const double delay = DelayOf(trace.packets[i]);
            least[laneOf[i]] = std::min(least[laneOf[i]], delay);
            greatest[laneOf[i]] = std::max(greatest[laneOf[i]], delay);
        }
    }
    const auto filling = [&](std::size_t k)
    { return (last[k] - least[k]) / std::max(1e-9, greatest[k] - least[k]); };
    for (std::size_t i = 0; i < trace.packets.size(); ++i)
    {
        if (trace.packets[i].delay)
        {
            last[laneOf[i]] = DelayOf(trace.packets[i]);
            continue;
        }
        for (std::size_t k = 1; k < lanes; ++k)
        {
            laneOf[i] = filling(k) > filling(laneOf[i]) ? k : laneOf[i];
        }
    }
}

} // namespace

std::vector<std::size_t>
SplitLanes(const PacketTrace& trace, std::size_t lanes)
{
    const auto checkEnough = [&](std::size_t packets)
    {
        if (packets < fewestPackets)
        {
            throw ConfigError(trace.name,
                              "",
                              "",
                              "shows no " + std::to_string(lanes) +
                                  " parallel paths: too few packets overtook each other");
        }
    };
    std::vector<std::size_t> laneOf(trace.packets.size());
    if (lanes == 1)
    {
        return laneOf;
    }
    const Indices arrived = ArrivedOf(trace);
    Indices overtaken = arrived;
    for (std::size_t lane = 1; lane < lanes; ++lane)
    {
        overtaken = OvertakenOf(trace, overtaken);
        checkEnough(overtaken.size());
        for (const std::size_t packet : overtaken)
        {
            laneOf[packet] = lane;
        }
    }
    for (int round = 0; round < mostRounds && MoveToNearest(trace, arrived, lanes, laneOf); ++round)
    {
    }
    for (std::size_t lane = 0; lane < lanes; ++lane)
    {
        checkEnough(static_cast<std::size_t>(std::count_if(arrived.begin(),
                                                           arrived.end(),
                                                           [&](std::size_t packet)
                                                           { return laneOf[packet] == lane; })));
    }
    PlaceLost(trace, lanes, laneOf);
    return laneOf;
}

PacketTrace
PacketsOf(const PacketTrace& trace, const std::vector<std::size_t>& laneOf, std::size_t lane)
{
    PacketTrace packets;
    packets.name = trace.name;
    for (std::size_t i = 0; i < trace.packets.size(); ++i)
    {
        if (laneOf[i] == lane)
        {
            packets.packets.push_back(trace.packets[i]);
        }
    }
    return packets;
}

} // namespace geotrain
