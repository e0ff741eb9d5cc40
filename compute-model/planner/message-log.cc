// SPDX-License-Identifier: GPL-2.0-only
#include "planner/message-log.h"

#include <algorithm>
#include <array>
#include <utility>

namespace geotrain
{

MessagesByWay::MessagesByWay(std::vector<std::vector<Record>> ways)
    : m_ways(std::move(ways))
{
    for (auto& way : m_ways)
    {
        std::stable_sort(way.begin(),
                         way.end(),
                         [](const Record& a, const Record& b)
                         { return a.delivered < b.delivered; });
    }
}

std::size_t
MessagesByWay::Places() const
{
    return m_ways.front().size();
}

double
MessagesByWay::LatencyAt(std::size_t place) const
{
    double sum = 0;
    for (const auto& way : m_ways)
    {
        sum += way.at(place).latency;
    }
    return sum / static_cast<double>(m_ways.size());
}

double
MessagesByWay::IntervalBefore(std::size_t place) const
{
    double sum = 0;
    for (std::size_t way = 0; way < m_ways.size(); way += 2)
    {
        sum += m_ways[way].at(place).delivered - m_ways[way].at(place - 1).delivered;
    }
    return 2 * sum / static_cast<double>(m_ways.size());
}

/// Returns the place behind which the later half begins.
std::size_t
MessagesByWay::LaterHalf() const
{
    return (Places() - 1) / 2;
}

double
MessagesByWay::LaterLatency() const
{
    std::vector<double> latencies;
    for (std::size_t place = Places() - 1; place > LaterHalf(); --place)
    {
        latencies.push_back(LatencyAt(place));
    }
    if (latencies.empty())
    {
        return LatencyAt(0);
    }
    std::sort(latencies.begin(), latencies.end());
    return latencies[(latencies.size() - 1) / 2];
}

double
MessagesByWay::LaterInterval() const
{
    const std::size_t begin = LaterHalf();
    const std::size_t intervals = Places() - 1 - begin;
    if (intervals == 0)
    {
        return 0;
    }
    std::array<double, 2> sums{};
    for (std::size_t way = 0; way < m_ways.size(); ++way)
    {
        sums[way % 2] += m_ways[way].back().delivered - m_ways[way][begin].delivered;
    }
    return std::min(sums[0], sums[1]) / static_cast<double>(intervals * (m_ways.size() / 2));
}

void
MessageLog::MessageDelivered(const Message& message, const MessageTimes& times)
{
    m_bySender.resize(std::max<std::size_t>(m_bySender.size(), message.sender + 1));
    m_bySender[message.sender].push_back({(times.delivered - times.sendStart).ToSeconds(),
                                          (times.delivered - Instant()).ToSeconds()});
}

MessagesByWay
MessageLog::ByWay(bool takesTurns) const
{
    std::vector<std::vector<MessagesByWay::Record>> ways(takesTurns ? 2 : m_bySender.size());
    for (std::size_t sender = 0; sender < m_bySender.size(); ++sender)
    {
        auto& way = ways[takesTurns ? sender % 2 : sender];
        way.insert(way.end(), m_bySender[sender].begin(), m_bySender[sender].end());
    }
    return MessagesByWay(std::move(ways));
}

} // namespace geotrain
