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

/// Returns what the hosts of a plan are but for their names.
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
    return kinds;
}

bool
IsSameButForNames(const TrainingPlan& a, TrainingPlan b, const Cluster& cluster)
{
    const bool areAlike = KindOfHosts(a, cluster) == KindOfHosts(b, cluster);
    b.hosts = a.hosts;
    return areAlike && IsSamePlan(a, b);
}

} // namespace

bool
HaveAlikeHosts(const TrainingPlan& a, const TrainingPlan& b, const Cluster& cluster)
{
    if (a.schedule != b.schedule || a.pipelineStages != b.pipelineStages ||
        a.dataParallel != b.dataParallel || a.microbatchSize != b.microbatchSize)
    {
        return false; // soon, since a search has many
    }
    TrainingPlan mirrored = b;
    std::reverse(mirrored.hosts.begin(), mirrored.hosts.end());
    std::reverse(mirrored.layersPerStage.begin(), mirrored.layersPerStage.end());
    return IsSameButForNames(a, b, cluster) || IsSameButForNames(a, mirrored, cluster);
}

bool
AreAboutEqual(double seconds, double others)
{
    constexpr double sameTime = 0.001;
    return std::abs(others - seconds) <= sameTime * seconds;
}

bool
AreTwins(const TrainingPlan& a,
         double secondsOfA,
         const TrainingPlan& b,
         double secondsOfB,
         const Cluster& cluster)
{
    TrainingPlan other = b;
    other.schedule = a.schedule;
    other.warmupFactor = a.warmupFactor;
    other.memoryCap = a.memoryCap;
    if (IsSamePlan(a, other))
    {
        return secondsOfA == secondsOfB;
    }
    const bool mayBe =
        DataCentersOf(a) == DataCentersOf(b) || AreAboutEqual(secondsOfA, secondsOfB);
    return mayBe && HaveAlikeHosts(a, secondsOfA == secondsOfB ? other : b, cluster);
}

} // namespace geotrain
