// SPDX-License-Identifier: GPL-2.0-only
#include "training-plan/collective-times.h"

#include "execution/collective-catalogue.h"
#include "execution/hierarchical-all-reduce.h"
#include "execution/node-order.h"
#include "training-plan/prepare-plan.h"
#include "wan/resources.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>

namespace geotrain
{

namespace
{

/// A StepDemand is what a step takes alone.
struct StepDemand
{
    Duration slowest;                        ///< time of its slowest message
    std::map<std::size_t, Duration> takenOf; ///< by resource: time for which it is taken
    std::int64_t times = 0;                  ///< such steps, one after another
};

/// Returns the demand of `steps` that are made at once, in each of which each member sends a message of
/// `size`, and in which what crosses the same NIC, cap or link shares its rate with its headers.
StepDemand
DemandOfSteps(const CollectiveRequest& request,
              const std::vector<CollectiveStep>& steps,
              Bytes size,
              const Resources& resources,
              BitRate nodeLocalRate,
              double payloadShare)
{
    const auto& members = request.members;
    const auto between =
        Bytes::Of(std::llround(static_cast<double>(size.Count()) * request.betweenNodes /
                               payloadShare)); // of a message, on the wire
    StepDemand demand;
    std::map<std::size_t, std::int64_t> messagesOf; // by resource
    std::vector<NodePair> pairs;
    for (std::size_t member = 0; member < members.size(); ++member)
    {
        std::int64_t messagesInNode = 0; // one after another
        for (const CollectiveStep& step : steps)
        {
            const NodePair pair(members[member],
                                members[(member + step.distance) % members.size()]);
            if (step.staysInNode || pair.first == pair.second)
            {
                ++messagesInNode;
                continue;
            }
            pairs.push_back(pair);
            for (const auto resource : resources.Of(pair.first, pair.second))
            {
                ++messagesOf[resource];
            }
        }
        demand.slowest =
            std::max(demand.slowest, nodeLocalRate.TransmissionTime(size * messagesInNode));
    }
    for (const auto& [resource, messages] : messagesOf)
    {
        demand.takenOf[resource] = resources.Rates()[resource].TransmissionTime(between * messages);
    }
    for (const auto& [from, to] : pairs)
    {
        Duration transmission;
        for (const auto resource : resources.Of(from, to))
        {
            transmission = std::max(transmission, demand.takenOf.at(resource));
        }
        demand.slowest = std::max(demand.slowest, transmission + resources.Delay(from, to));
    }
    return demand;
}

/// Adds a step as often as it is made. Shares are then times in seconds.
void
Add(CollectiveDemand& sum, const StepDemand& step)
{
    sum.alone = sum.alone + step.slowest * step.times;
    for (const auto& [resource, taken] : step.takenOf)
    {
        sum.shareOf[resource] += (taken * step.times).ToSeconds();
    }
}

/// Returns all pairs that collectives of the plan's groups may use.
std::vector<NodePair>
PairsOfGroups(const ExecutionPlan& plan)
{
    std::vector<NodePair> pairs;
    for (const auto& group : plan.groups)
    {
        std::vector<NodeIndex> nodes;
        for (const WorkerIndex member : group)
        {
            nodes.push_back(plan.workers[member].node);
        }
        const GroupShape shape = ShapeOf(nodes);
        const std::uint32_t members = shape.members;
        for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
        {
            for (const auto distance : algorithm->Distances(CollectiveKind::AllReduce, shape))
            {
                for (std::uint32_t member = 0; member < members; ++member)
                {
                    const NodePair pair(nodes[member], nodes[(member + distance) % members]);
                    if (pair.first != pair.second)
                    {
                        pairs.push_back(pair);
                    }
                }
            }
        }
    }
    return pairs;
}

/// FastestChoice remembers what it chose, since a run asks for each collective.
class FastestChoice
{
  public:
    FastestChoice(const ExecutionPlan& plan, const WanTopology& wan, BitRate nodeLocalRate)
        : m_resources(wan, PairsOfGroups(plan)),
          m_nodeLocalRate(nodeLocalRate)
    {
    }

    const CollectiveAlgorithm& Of(CollectiveRequest request)
    {
        const CollectiveAlgorithm*& chosen =
            m_chosen[{request.kind, request.size, request.members}];
        if (chosen == nullptr)
        {
            Duration least;
            for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
            {
                request.algorithm = algorithm;
                const Duration time =
                    DemandOfCollective(request, m_resources, m_nodeLocalRate).alone;
                if (algorithm->rewrite == nullptr && (chosen == nullptr || time < least))
                {
                    chosen = algorithm;
                    least = time;
                }
            }
        }
        return *chosen;
    }

  private:
    Resources m_resources;
    BitRate m_nodeLocalRate;
    std::map<std::tuple<CollectiveKind, Bytes, std::vector<NodeIndex>>, const CollectiveAlgorithm*>
        m_chosen;
};

} // namespace

const CollectiveAlgorithm*
CollectiveOf(const TrainingPlan& plan)
{
    if (plan.crossDc == CrossDc::ReplicasHierarchical)
    {
        return &hierarchicalCollective;
    }
    if (plan.collective == fastestCollective)
    {
        return nullptr;
    }
    const CollectiveAlgorithm* const found = FindCollective(plan.collective);
    if (found == nullptr)
    {
        throw std::invalid_argument("there is no collective \"" + plan.collective + "\"");
    }
    return found;
}

GroupShape
ShapeOfReplicas(const Cluster& cluster, const TrainingPlan& plan)
{
    const Placement placement = PlacePlan(cluster, plan);
    std::vector<NodeIndex> nodes;
    for (std::uint32_t replica = 0; replica < plan.dataParallel; ++replica)
    {
        nodes.push_back(placement.nodeOfWorker[placement.WorkerOf(replica, 0)]);
    }
    std::sort(nodes.begin(), nodes.end()); // as groups are, up to the order of nodes
    return ShapeOf(nodes);
}

CollectiveDemand
DemandOfCollective(const CollectiveRequest& request,
                   const Resources& resources,
                   BitRate nodeLocalRate,
                   double payloadShare)
{
    const GroupShape shape = ShapeOf(request.members);
    const std::uint32_t members = shape.members;
    const CollectiveAlgorithm& algorithm = *request.algorithm;
    CollectiveDemand sum{Duration()};
    StepDemand demand;
    const auto sizeOf = [&](const CollectiveStep& step)
    { return Bytes::Of((request.size.Count() * step.parts + members - 1) / members); };
    std::vector<CollectiveStep> atOnce;
    CollectiveStep before;
    for (std::uint32_t number = 0; number < algorithm.Steps(request.kind, shape); ++number)
    {
        const CollectiveStep step = algorithm.stepOf(request.kind, shape, 0, number);
        if (algorithm.sendsAtOnce)
        {
            atOnce.push_back(step);
            continue;
        }
        if (step.distance != before.distance || step.parts != before.parts ||
            step.staysInNode != before.staysInNode)
        {
            Add(sum, demand);
            demand = DemandOfSteps(
                request, {step}, sizeOf(step), resources, nodeLocalRate, payloadShare);
            before = step;
        }
        ++demand.times;
    }
    if (!atOnce.empty())
    {
        demand = DemandOfSteps(
            request, atOnce, sizeOf(atOnce.front()), resources, nodeLocalRate, payloadShare);
        demand.times = 1;
    }
    Add(sum, demand);
    for (auto& [resource, share] : sum.shareOf)
    {
        share /= std::max(sum.alone, Duration::Nanoseconds(1)).ToSeconds();
    }
    return sum;
}

CollectiveChoice
FastestCollectives(const ExecutionPlan& plan, const WanTopology& wan, BitRate nodeLocalRate)
{
    const auto choice = std::make_shared<FastestChoice>(plan, wan, nodeLocalRate);
    return [choice](const CollectiveRequest& request) -> const CollectiveAlgorithm&
    { return choice->Of(request); };
}

} // namespace geotrain
