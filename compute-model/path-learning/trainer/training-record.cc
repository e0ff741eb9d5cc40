// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/training-record.h"

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

TrainingRecord::TrainingRecord(const PacketTrace& trace, Duration window)
    : m_trace(trace),
      m_window(window)
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
    WindowFeatures features(path, m_window);
    inputs = {features.Finish()};
    crossTraffic.clear();
    delays.clear();
    bool hasArrived = false;
    const auto finish = [&]
    {
        inputs.push_back(features.Finish());
        crossTraffic.push_back(CrossTrafficOf(inputs.back()));
        delays.push_back({inputs.back()[3], hasArrived ? 1.0 : 0.0, false, false});
        hasArrived = false;
    };
    for (const TracedPacket& packet : m_trace.packets)
    {
        while (inputs.size() <= WindowOf(packet))
        {
            finish();
        }
        std::optional<double> stay;
        if (packet.delay)
        {
            stay = static_cast<double>((*packet.delay - path.propagation).ToNanoseconds());
            hasArrived = true;
        }
        features.Add((packet.sent - Instant()).ToNanoseconds(),
                     static_cast<double>(packet.size.Count()),
                     stay);
    }
    finish();
    inputs.pop_back();
}

std::vector<std::optional<double>>
TrainingRecord::RecordedShares(const PathParameters& path, std::size_t slots) const
{
    const Duration slot =
        Duration::Nanoseconds(m_window.ToNanoseconds() / static_cast<std::int64_t>(slots));
    return RecordedCrossTraffic(m_trace, path, slot, Windows() * slots);
}

std::vector<TrainingChunk>
TrainingRecord::Chunks(std::size_t record, std::size_t length, std::size_t anchorWindows) const
{
    std::vector<TrainingChunk> chunks;
    std::size_t at = 0;
    for (std::size_t first = 0; first < Windows(); first += length)
    {
        const std::size_t last = std::min(first + length, Windows());
        const Instant begin = Instant() + m_window * static_cast<std::int64_t>(first);
        TrainingChunk chunk{record, first, last - first, {{}, 1}, {}, {}, {}, {}};
        std::vector<FifoPacket> packets;
        std::size_t nextAnchor = 0;
        bool isAnchored = false;
        for (; at < m_trace.packets.size() && WindowOf(m_trace.packets[at]) < last; ++at)
        {
            const TracedPacket& packet = m_trace.packets[at];
            const std::size_t window = WindowOf(packet) - first;
            FifoPacket one;
            one.sent = (packet.sent - begin).ToSeconds();
            one.bytes = static_cast<double>(packet.size.Count());
            one.isLost = !packet.delay;
            one.delay = packet.delay ? packet.delay->ToSeconds() : 0;
            one.isAnchor = packet.delay && window >= nextAnchor;
            if (one.isAnchor)
            {
                nextAnchor = (window / anchorWindows + 1) * anchorWindows;
                isAnchored = true;
            }
            chunk.windowOfPacket.push_back(static_cast<std::int64_t>(window));
            chunk.delays.push_back(one.delay);
            chunk.losses.push_back(one.isLost ? 1 : 0);
            chunk.weights.push_back(isAnchored && !one.isAnchor ? 1 : 0);
            packets.push_back(one);
        }
        chunk.recursion = FifoRecursion(std::move(packets), m_window.ToSeconds());
        chunks.push_back(std::move(chunk));
    }
    return chunks;
}

} // namespace geotrain
