// SPDX-License-Identifier: GPL-2.0-only
#include "training-plan/collective-times.h"

#include "execution/collective-catalogue.h"
#include "execution/hierarchical-all-reduce.h"
#include "wan/resources.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>

namespace geotrain
{

namespace
{

/// Returns the time of a step in which each member sends a message of `size`, and in which what
/// crosses the same NIC, cap or link shares its rate.
Duration
TimeOfStep(const std::vector<NodeIndex>& members,
           std::uint32_t distance,
           Bytes size,
           const Resources& resources,
           BitRate nodeLocalRate)
{
    Duration slowest;
    std::map<std::size_t, std::int64_t> messagesOf; // by resource
    std::vector<NodePair> pairs;
    for (std::size_t member = 0; member < members.size(); ++member)
    {
        const NodePair pair(members[member], members[(member + distance) % members.size()]);
        if (pair.first == pair.second)
        {
            slowest = std::max(slowest, nodeLocalRate.TransmissionTime(size));
            continue;
        }
        pairs.push_back(pair);
        for (const auto resource : resources.Of(pair.first, pair.second))
        {
            ++messagesOf[resource];
        }
    }
    for (const auto& [from, to] : pairs)
    {
        Duration transmission;
        for (const auto resource : resources.Of(from, to))
        {
            const Bytes together = size * messagesOf.at(resource);
            transmission =
                std::max(transmission, resources.Rates()[resource].TransmissionTime(together));
        }
        slowest = std::max(slowest, transmission + resources.Delay(from, to));
    }
    return slowest;
}

/// Returns all pairs that collectives of the plan's groups may use.
std::vector<NodePair>
PairsOfGroups(const ExecutionPlan& plan)
{
    std::vector<NodePair> pairs;
    for (const auto& group : plan.groups)
    {
        const auto members = static_cast<std::uint32_t>(group.size());
        for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
        {
            for (const auto distance : algorithm->Distances(CollectiveKind::AllReduce, members))
            {
                for (std::uint32_t member = 0; member < members; ++member)
                {
                    const NodePair pair(plan.workers[group[member]].node,
                                        plan.workers[group[(member + distance) % members]].node);
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
                const Duration time = TimeOfCollective(request, m_resources, m_nodeLocalRate);
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

Duration
TimeOfCollective(const CollectiveRequest& request,
                 const Resources& resources,
                 BitRate nodeLocalRate)
{
    const auto members = static_cast<std::uint32_t>(request.members.size());
    const CollectiveAlgorithm& algorithm = *request.algorithm;
    Duration sum;
    Duration slowest; // of the members in a step
    CollectiveStep before;
    for (std::uint32_t number = 0; number < algorithm.Steps(request.kind, members); ++number)
    {
        const CollectiveStep step = algorithm.stepOf(request.kind, members, 0, number);
        if (step.distance != before.distance || step.parts != before.parts)
        {
            const auto size =
                Bytes::Of((request.size.Count() * step.parts + members - 1) / members);
            slowest = TimeOfStep(request.members, step.distance, size, resources, nodeLocalRate);
            before = step;
        }
        sum = sum + slowest;
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
