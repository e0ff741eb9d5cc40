#include "planning/planning-input.h"

#include "runner/analytic-run-network.h"
#include "schedule/schedule-catalogue.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"
#include "wan/wan-paths.h"

#include <fmt/format.h>

#include <set>

namespace geotrain
{

namespace
{

std::uint32_t
Small(std::int64_t checked)
{
    return static_cast<std::uint32_t>(checked);
}

const std::string&
PriceRegion(const scenario::DataCenter& dataCenter)
{
    return dataCenter.has_region() ? dataCenter.region() : dataCenter.name();
}

// Prices are those of a data centre's region, or of its name.
void
SetPrices(const LoadedScenario& scenario, Cluster& cluster)
{
    std::set<std::string> priced;
    for (int i = 0; i < scenario.resolved.price_size(); ++i)
    {
        const auto& price = scenario.resolved.price(i);
        const auto field = fmt::format("price[{}].region", i);
        if (!priced.insert(price.region()).second)
        {
            throw ConfigError(scenario.file, field, price.region(), "must have one price only");
        }
        bool used = false;
        for (int j = 0; j < scenario.resolved.data_center_size(); ++j)
        {
            const auto& dataCenter = scenario.resolved.data_center(j);
            if (PriceRegion(dataCenter) == price.region() || dataCenter.name() == price.region())
            {
                auto& priceOf = cluster.dataCenters[static_cast<std::size_t>(j)];
                priceOf.dollarsPerGpuHour = price.dollars_per_gpu_hour();
                priceOf.dollarsPerEgressGigabyte = price.dollars_per_egress_gb();
                used = true;
            }
        }
        if (!used)
        {
            throw ConfigError(scenario.file,
                              field,
                              price.region(),
                              "must be the region or the name of a data centre");
        }
    }
}

void
AddDataCenters(const LoadedScenario& scenario, Cluster& cluster)
{
    for (int i = 0; i < scenario.resolved.data_center_size(); ++i)
    {
        const auto& written = scenario.resolved.data_center(i);
        const auto index = static_cast<std::size_t>(i);
        const auto& site = scenario.topology.sites[index];
        Cluster::DataCenter dataCenter;
        dataCenter.name = written.name();
        dataCenter.nodes = site.nodes;
        dataCenter.gpusPerNode = Small(written.gpus_per_node());
        dataCenter.gpu = scenario.training.gpuOfDataCenter[index];
        dataCenter.nicRate = site.nicRate;
        dataCenter.intraRate = site.intraRate;
        dataCenter.intraDelay = site.intraDelay;
        cluster.dataCenters.push_back(dataCenter);
    }
}

std::optional<Cluster::Path>
PathOf(const WanPaths& paths,
       std::uint32_t from,
       std::uint32_t to,
       std::uint32_t fromNode,
       std::uint32_t toNode)
{
    const auto hops = paths.SitePath(from, to);
    const auto delay = paths.NodeDelay(fromNode, toNode);
    if (from == to || !hops || !delay)
    {
        return std::nullopt;
    }
    Cluster::Path path;
    path.delay = *delay;
    for (const auto& hop : *hops)
    {
        path.links.push_back(2 * std::size_t{hop.link} + (hop.forward ? 0 : 1));
    }
    return path;
}

void
AddPaths(const LoadedScenario& scenario, Cluster& cluster)
{
    for (const auto& link : scenario.topology.links)
    {
        cluster.linkRates.insert(cluster.linkRates.end(), 2, link.rate);
    }
    std::vector<std::uint32_t> firstNode;
    std::uint32_t nodes = 0;
    for (const auto& dataCenter : cluster.dataCenters)
    {
        firstNode.push_back(nodes);
        nodes += dataCenter.nodes;
    }
    const WanPaths paths(scenario.topology);
    const auto count = static_cast<std::uint32_t>(cluster.dataCenters.size());
    cluster.paths.resize(count);
    for (std::uint32_t from = 0; from < count; ++from)
    {
        for (std::uint32_t to = 0; to < count; ++to)
        {
            cluster.paths[from].push_back(PathOf(paths, from, to, firstNode[from], firstNode[to]));
        }
    }
}

Cluster
ClusterOf(const LoadedScenario& scenario)
{
    const auto& resolved = scenario.resolved;
    Cluster cluster;
    AddDataCenters(scenario, cluster);
    AddPaths(scenario, cluster);
    SetPrices(scenario, cluster);
    cluster.caps.nodePair = scenario.topology.caps.nodePair;
    cluster.caps.nodeEgress = scenario.topology.caps.nodeEgress;
    cluster.caps.nodeIngress = scenario.topology.caps.nodeIngress;
    const auto& transport = resolved.transport();
    cluster.transport.connections = Small(transport.connections());
    cluster.transport.intraDcConnections = Small(transport.intra_dc_connections());
    cluster.transport.connection = TransportOf(scenario).connection;
    cluster.transport.chunk = ParseBytes(transport.chunk());
    cluster.transport.payloadShare = PayloadShare(resolved.mtu());
    cluster.turnLatency = ParseDuration(resolved.temporal_sharing().turn_latency());
    return cluster;
}

TrainingJob
JobOf(const LoadedScenario& scenario)
{
    const auto& resolved = scenario.resolved;
    TrainingJob job;
    job.model = scenario.model.spec;
    job.recomputation = scenario.model.recomputation;
    job.shardsOptimizer = resolved.parallelism().shard_optimizer();
    job.globalBatch = static_cast<std::uint64_t>(resolved.plan().has_global_batch()
                                                     ? resolved.plan().global_batch()
                                                     : resolved.model().microbatches() *
                                                           resolved.model().microbatch_size() *
                                                           resolved.parallelism().data_parallel());
    if (scenario.model.profile)
    {
        const auto* profile = &*scenario.model.profile;
        const auto* model = &scenario.model.spec;
        job.timeStage = [profile, model](const StageShare& share,
                                         std::uint32_t firstLayer,
                                         const GpuSpec& gpu,
                                         const StageExecution& execution)
        { return profile->TimeStage(*model, share, firstLayer, gpu, execution); };
    }
    return job;
}

template <typename List>
void
Override(std::vector<std::uint32_t>& range, const List& written)
{
    if (!written.empty())
    {
        range.assign(written.begin(), written.end());
    }
}

CrossDc
CrossDcOf(int across)
{
    switch (across)
    {
    case scenario::REPLICAS:
        return CrossDc::ReplicasFlat;
    case scenario::REPLICAS_HIERARCHICAL:
        return CrossDc::ReplicasHierarchical;
    default:
        return CrossDc::Pipeline;
    }
}

WanSharing
SharingOf(int sharing)
{
    return sharing == scenario::TEMPORAL ? WanSharing::Temporal : WanSharing::Spatial;
}

PlanSpace
SpaceOf(const LoadedScenario& scenario, const TrainingJob& job, const Cluster& cluster)
{
    const auto& plan = scenario.resolved.plan();
    PlanSpace space = DefaultPlanSpace(job, cluster);
    Override(space.pipelineStages, plan.pipeline_stages());
    Override(space.tensorParallel, plan.tensor_parallel());
    Override(space.dataParallel, plan.data_parallel());
    Override(space.microbatchSizes, plan.microbatch_size());
    Override(space.warmupFactors, plan.warmup_factor());
    Override(space.cellSizes, plan.cell_size());
    if (plan.schedule_size() > 0)
    {
        space.schedules.assign(plan.schedule().begin(), plan.schedule().end());
    }
    if (plan.sharing_size() > 0)
    {
        space.sharing.clear();
        for (const auto sharing : plan.sharing())
        {
            space.sharing.push_back(SharingOf(sharing));
        }
    }
    if (plan.across_size() > 0)
    {
        space.crossDc.clear();
        for (const auto across : plan.across())
        {
            space.crossDc.push_back(CrossDcOf(across));
        }
    }
    return space;
}

} // namespace

PlanningInput
MakePlanningInput(const LoadedScenario& scenario)
{
    PlanningInput input;
    input.cluster = ClusterOf(scenario);
    input.job = JobOf(scenario);
    input.space = SpaceOf(scenario, input.job, input.cluster);
    return input;
}

TrainingPlan
ShapeOf(const LoadedScenario& scenario)
{
    const auto& resolved = scenario.resolved;
    TrainingPlan shape;
    shape.pipelineStages = Small(resolved.parallelism().pipeline_stages());
    shape.tensorParallel = Small(resolved.parallelism().tensor_parallel());
    shape.microbatchSize = Small(resolved.model().microbatch_size());
    shape.microbatches = Small(resolved.model().microbatches());
    shape.cellSize =
        resolved.parallelism().has_cell_size() ? Small(resolved.parallelism().cell_size()) : 1;
    shape.schedule = resolved.schedule().name();
    shape.warmupFactor = Small(resolved.schedule().warmup_factor());
    const auto* schedule = FindSchedule(shape.schedule);
    shape.virtualStages = resolved.schedule().has_virtual_stages()
                              ? Small(resolved.schedule().virtual_stages())
                          : schedule != nullptr ? DefaultVirtualStages(*schedule)
                                                : 1;
    shape.memoryCap = resolved.schedule().has_memory_cap() ? Small(resolved.schedule().memory_cap())
                      : schedule != nullptr && schedule->fillsMemory ? shape.microbatches
                                                                     : 0;
    shape.sharing = SharingOf(resolved.sharing());
    return shape;
}

} // namespace geotrain
