// SPDX-License-Identifier: GPL-2.0-only
#include "runner/crossing-times.h"

#include "runner/fair-shares.h"
#include "wan/capacity.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

CrossingTimes::CrossingTimes(const WanTopology& topology,
                             std::optional<CellLayout> turns,
                             Bytes inFlight,
                             std::optional<BitRate> mostRate)
    : m_topology(topology),
      m_turns(std::move(turns)),
      m_inFlight(inFlight),
      m_mostRate(mostRate)
{
}

CrossingTimes::Crossing
CrossingTimes::Of(const Message& message)
{
    const std::pair<std::uint32_t, std::uint32_t> sites{m_topology.SiteOf(message.source),
                                                        m_topology.SiteOf(message.destination)};
    auto found = m_paths.find(sites);
    if (found == m_paths.end())
    {
        found = m_paths.emplace(sites, PathOf(message)).first;
    }
    const Path& path = found->second;
    const double bits = 8 * static_cast<double>(message.size.Count());
    const Duration serialisation = Duration::Seconds(bits / path.payloadBps);
    const Duration atWindows = Duration::Seconds(bits / path.windowBps);
    return {path.propagation, serialisation, std::max(Duration(), atWindows - serialisation)};
}

CrossingTimes::Path
CrossingTimes::PathOf(const Message& message) const
{
    const auto pairs = NodePairsOf(message);
    Path path;
    const Resources resources(m_topology, {});
    path.propagation = resources.Delay(message.source, message.destination);
    const double roundTrip = resources.RoundTrip(message.source, message.destination).ToSeconds();
    const double windows = 8 * static_cast<double>(m_inFlight.Count()) / roundTrip;
    path.windowBps =
        static_cast<double>(pairs.size()) *
        (m_mostRate ? std::min(windows, static_cast<double>(m_mostRate->ToBitsPerSecond()))
                    : windows);
    path.payloadBps = UsableWanCapacity(m_topology, pairs) * PayloadShareOf(m_topology);
    return path;
}

/// Returns the node pairs that carry the message.
std::vector<NodePair>
CrossingTimes::NodePairsOf(const Message& message) const
{
    if (!m_turns)
    {
        return {{message.source, message.destination}};
    }
    const std::uint32_t workersOfCell = m_turns->stages * m_turns->cellSize;
    const WorkerIndex first = message.sender / workersOfCell * workersOfCell;
    std::vector<NodePair> pairs;
    for (std::uint32_t lane = 0; lane < m_turns->cellSize; ++lane)
    {
        const auto nodeOf = [&](WorkerIndex worker) {
            return m_turns->nodeOfWorker[first + lane * m_turns->stages + worker % m_turns->stages];
        };
        pairs.emplace_back(nodeOf(message.sender), nodeOf(message.receiver));
    }
    return pairs;
}

} // namespace geotrain
