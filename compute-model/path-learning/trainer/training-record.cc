// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/training-record.h"

#include "path-learning/lane-split.h"
#include "path-learning/trainer/recorded-cross-traffic.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double leastBusyShare = 0.02; // of a window below which its cross traffic is unknown
constexpr double overloadLoss = 0.25;   // share lost from which cross traffic was lost too

WindowTruth
CrossTrafficOf(const WindowFeatures::Values& window)
{
    WindowTruth truth;
    truth.isLeast = window[5] >= overloadLoss;
    truth.hasLoss = window[5] > 0;
    if (window[5] == 1)
    {
        truth.share = truth.weight = 1;
    }
    else if (window[6] >= leastBusyShare)
    {
        truth.share = window[7];
        truth.weight = std::min(1.0, window[6]);
    }
    return truth;
}

} // namespace

TrainingRecord::TrainingRecord(const PacketTrace& trace, Duration window, std::size_t lanes)
    : m_trace(trace),
      m_window(window),
      m_lanes(lanes),
      m_laneOf(SplitLanes(trace, lanes))
{
}

std::size_t
TrainingRecord::WindowOf(const TracedPacket& packet) const
{
    return static_cast<std::size_t>((packet.sent - Instant()).ToNanoseconds() /
                                    m_window.ToNanoseconds());
}

std::size_t
TrainingRecord::Windows() const
{
    return WindowOf(m_trace.packets.back()) + 1;
}

void
TrainingRecord::Describe(const PathParameters& path)
{
    const std::vector<PathLane> lanes = path.Lanes();
    std::vector<WindowFeatures> features;
    for (const PathLane& lane : lanes)
    {
        features.emplace_back(lane, m_window);
    }
    inputs.clear();
    crossTraffic.clear();
    delays.clear();
    std::vector<bool> hasArrived(m_lanes);
    const auto finish = [&](bool isWindow)
    {
        inputs.emplace_back();
        for (std::size_t k = 0; k < m_lanes; ++k)
        {
            const WindowFeatures::Values& values = features[k].Finish();
            inputs.back().insert(inputs.back().end(), values.begin(), values.end());
            if (isWindow)
            {
                crossTraffic.push_back(CrossTrafficOf(values));
                delays.push_back({values[3], hasArrived[k] ? 1.0 : 0.0, false, false});
            }
            hasArrived[k] = false;
        }
    };
    finish(false);
    for (std::size_t i = 0; i < m_trace.packets.size(); ++i)
    {
        const TracedPacket& packet = m_trace.packets[i];
        while (inputs.size() <= WindowOf(packet))
        {
            finish(true);
        }
        const std::size_t lane = m_laneOf[i];
        std::optional<double> stay;
        if (packet.delay)
        {
            stay = static_cast<double>((*packet.delay - lanes[lane].propagation).ToNanoseconds());
            hasArrived[lane] = true;
        }
        features[lane].Add((packet.sent - Instant()).ToNanoseconds(),
                           static_cast<double>(packet.size.Count()),
                           stay);
    }
    finish(true);
    inputs.pop_back();
}

std::vector<std::optional<double>>
TrainingRecord::RecordedShares(const PathParameters& path, std::size_t slots) const
{
    const Duration slot =
        Duration::Nanoseconds(m_window.ToNanoseconds() / static_cast<std::int64_t>(slots));
    const std::size_t count = Windows() * slots;
    const std::vector<PathLane> lanes = path.Lanes();
    std::vector<std::optional<double>> shares(count * m_lanes);
    for (std::size_t k = 0; k < m_lanes; ++k)
    {
        const auto ofLane =
            RecordedCrossTraffic(PacketsOf(m_trace, m_laneOf, k), lanes[k], slot, count);
        for (std::size_t i = 0; i < count; ++i)
        {
            shares[i * m_lanes + k] = ofLane[i];
        }
    }
    return shares;
}

double
TrainingRecord::PacketShare(std::size_t lane) const
{
    return static_cast<double>(std::count(m_laneOf.begin(), m_laneOf.end(), lane)) /
           static_cast<double>(m_laneOf.size());
}

double
TrainingRecord::MeanDelay(std::size_t lane) const
{
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < m_laneOf.size(); ++i)
    {
        if (m_laneOf[i] == lane && m_trace.packets[i].delay)
        {
            sum += m_trace.packets[i].delay->ToSeconds();
            count += 1;
        }
    }
    return sum / std::max(1.0, count);
}

std::vector<TrainingChunk>
TrainingRecord::Chunks(std::size_t record,
                       std::size_t length,
                       std::size_t anchorWindows,
                       double choiceScale) const
{
    std::vector<TrainingChunk> chunks;
    std::size_t at = 0;
    for (std::size_t first = 0; first < Windows(); first += length)
    {
        const std::size_t last = std::min(first + length, Windows());
        const Instant begin = Instant() + m_window * static_cast<std::int64_t>(first);
        TrainingChunk chunk{record, first, last - first, {{}, 1}, {}, {}, {}, {}};
        std::vector<FifoPacket> packets;
        std::vector<std::size_t> nextAnchor(m_lanes);
        std::vector<bool> isAnchored(m_lanes);
        for (; at < m_trace.packets.size() && WindowOf(m_trace.packets[at]) < last; ++at)
        {
            const TracedPacket& packet = m_trace.packets[at];
            FifoPacket one;
            one.window = WindowOf(packet) - first;
            one.lane = m_laneOf[at];
            one.sent = (packet.sent - begin).ToSeconds();
            one.bytes = static_cast<double>(packet.size.Count());
            one.isLost = !packet.delay;
            one.delay = packet.delay ? packet.delay->ToSeconds() : 0;
            one.isAnchor = packet.delay && one.window >= nextAnchor[one.lane];
            if (one.isAnchor)
            {
                nextAnchor[one.lane] = (one.window / anchorWindows + 1) * anchorWindows;
                isAnchored[one.lane] = true;
            }
            chunk.windowOfPacket.push_back(static_cast<std::int64_t>(one.window));
            chunk.delays.push_back(one.delay);
            chunk.losses.push_back(one.isLost ? 1 : 0);
            chunk.weights.push_back(isAnchored[one.lane] && !one.isAnchor ? 1 : 0);
            packets.push_back(one);
        }
        chunk.recursion =
            FifoRecursion(std::move(packets), m_window.ToSeconds(), m_lanes, choiceScale);
        chunks.push_back(std::move(chunk));
    }
    return chunks;
}

} // namespace geotrain
