// SPDX-License-Identifier: GPL-2.0-only
#include "execution/warm-ups.h"

#include "execution/node-order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

using SizeOfPair = std::map<std::pair<NodeIndex, NodeIndex>, Bytes>;

void
Use(SizeOfPair& pairs, NodeIndex source, NodeIndex destination, Bytes size)
{
    if (source != destination)
    {
        Bytes& largest = pairs[{source, destination}];
        largest = std::max({largest, size, Bytes::Of(1)});
    }
}

/// Notes scatter, WAN part and gather of a message from `sender` to `receiver`.
void
UseCell(SizeOfPair& pairs,
        const CellLayout& cells,
        WorkerIndex sender,
        WorkerIndex receiver,
        Bytes size)
{
    const std::uint32_t cell = sender / cells.stages / cells.cellSize;
    const Bytes part = Bytes::Of(size.Count() / cells.cellSize + 1);
    for (std::uint32_t lane = 0; lane < cells.cellSize; ++lane)
    {
        const std::uint32_t pipeline = cell * cells.cellSize + lane;
        const auto from = cells.nodeOfWorker[pipeline * cells.stages + sender % cells.stages];
        const auto to = cells.nodeOfWorker[pipeline * cells.stages + receiver % cells.stages];
        Use(pairs, cells.nodeOfWorker[sender], from, part);
        Use(pairs, from, to, part);
        Use(pairs, to, cells.nodeOfWorker[receiver], part);
    }
}

/// Knows how far the members of a group send.
class DistanceTable
{
  public:
    const std::vector<std::uint32_t>& Of(const CollectiveRequest& request)
    {
        const GroupShape shape = ShapeOf(request.members);
        const auto [found, isNew] = m_distances.try_emplace(
            {request.algorithm, request.kind, shape.members, shape.perNode});
        if (isNew)
        {
            found->second = request.algorithm->Distances(request.kind, shape);
        }
        return found->second;
    }

  private:
    std::map<std::tuple<const CollectiveAlgorithm*, CollectiveKind, std::uint32_t, std::uint32_t>,
             std::vector<std::uint32_t>>
        m_distances;
};

} // namespace

std::vector<Network::WarmUp>
WarmUpsOf(const ExecutionPlan& plan,
          const std::optional<CellLayout>& cells,
          const CarriedPredicate& isCarried)
{
    SizeOfPair pairs;
    DistanceTable distances;
    const auto crossesWan = [&cells](NodeIndex a, NodeIndex b)
    { return cells->dataCenterOfNode[a] != cells->dataCenterOfNode[b]; };
    for (WorkerIndex worker = 0; worker < plan.workers.size(); ++worker)
    {
        for (const Instruction& in : plan.workers[worker].stream)
        {
            const NodeIndex source = plan.workers[worker].node;
            if (in.kind == InstructionKind::Send)
            {
                const NodeIndex destination = plan.workers[in.peer].node;
                if (cells && crossesWan(source, destination))
                {
                    UseCell(pairs, *cells, worker, in.peer, in.size);
                }
                else
                {
                    Use(pairs, source, destination, in.size);
                }
            }
            else if (IsCollective(in.kind) &&
                     (LaneOf(in.kind) == Lane::Collective || LaneOf(in.kind) == Lane::AllToAll))
            {
                const CollectiveRequest request = plan.RequestOf(in);
                const auto& members = request.members;
                if (!isCarried(members))
                {
                    continue;
                }
                const auto& group = plan.groups[in.group];
                const auto self = static_cast<std::size_t>(
                    std::find(group.begin(), group.end(), worker) - group.begin());
                const auto piece =
                    Bytes::Of(in.size.Count() / static_cast<std::int64_t>(group.size()));
                for (const std::uint32_t distance : distances.Of(request))
                {
                    Use(pairs, source, members[(self + distance) % members.size()], piece);
                }
            }
        }
    }
    std::vector<Network::WarmUp> warmUps;
    for (const auto& [pair, size] : pairs)
    {
        warmUps.push_back({pair.first, pair.second, size});
    }
    return warmUps;
}

std::vector<std::pair<NodeIndex, NodeIndex>>
NodePairsOf(const std::vector<Network::WarmUp>& pairs)
{
    std::vector<std::pair<NodeIndex, NodeIndex>> ends;
    for (const Network::WarmUp& pair : pairs)
    {
        ends.emplace_back(pair.source, pair.destination);
    }
    return ends;
}

} // namespace geotrain
