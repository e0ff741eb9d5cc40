// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-twins.h"

#include "planner/plan-candidates.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace geotrain
{

namespace
{

/// Returns what the hosts of a plan are but for their names, from the end that comes first.
auto
KindOfHosts(const TrainingPlan& plan, const Cluster& cluster)
{
    std::vector<std::tuple<std::string, std::size_t, std::uint32_t, double, double, std::uint32_t>>
        kinds;
    for (const TrainingPlan::Host& host : plan.hosts)
    {
        const Cluster::DataCenter& dataCenter = cluster.dataCenters[host.dataCenter];
        kinds.emplace_back(dataCenter.gpu.name,
                           dataCenter.otherGpus.size(),
                           dataCenter.gpusPerNode,
                           dataCenter.dollarsPerGpuHour,
                           dataCenter.dollarsPerEgressGigabyte,
                           host.count);
    }
    auto mirrored = kinds;
    std::reverse(mirrored.begin(), mirrored.end());
    return std::min(kinds, mirrored);
}

} // namespace

bool
AreTwins(const RankedPlan& a, const RankedPlan& b, const Cluster& cluster)
{
    TrainingPlan other = b.plan;
    other.schedule = a.plan.schedule;
    other.warmupFactor = a.plan.warmupFactor;
    other.memoryCap = a.plan.memoryCap;
    if (IsSamePlan(a.plan, other))
    {
        return a.simulation.iterationTime == b.simulation.iterationTime;
    }
    constexpr double sameTime = 0.001;
    const double seconds = a.simulation.iterationTime.ToSeconds();
    const double difference = b.simulation.iterationTime.ToSeconds() - seconds;
    other = b.plan;
    other.hosts = a.plan.hosts;
    return IsSamePlan(a.plan, other) &&
           KindOfHosts(a.plan, cluster) == KindOfHosts(b.plan, cluster) &&
           (DataCentersOf(a.plan) == DataCentersOf(b.plan) ||
            std::abs(difference) <= sameTime * seconds);
}

} // namespace geotrain
