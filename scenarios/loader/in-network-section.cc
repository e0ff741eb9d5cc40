// SPDX-License-Identifier: GPL-2.0-only
#include "loader/in-network-section.h"

#include "loader/in-network-wan.h"
#include "loader/network-kinds.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace geotrain
{

namespace
{

using scenario::Scenario;

constexpr double measuredInterference = 0.17; // of NCCL's rate, by DisDP's figure 19
constexpr std::int64_t interferedReplicas = 4;
constexpr std::int64_t leastSlots = 512;
constexpr std::int64_t burstPackets = 16; // that a NIC keeps ready (AggregationSettings::Burst)

bool
IsReplicated(const Scenario& scenario)
{
    const auto kind = scenario.parallelism().data_parallelism();
    return kind == scenario::DATA_PARALLELISM_UNSPECIFIED || kind == scenario::REPLICATED;
}

bool
IsInNetwork(const Scenario& scenario)
{
    return scenario.parallelism().data_parallelism() == scenario::IN_NETWORK;
}

/// Refuses what needs replicas of the whole model, or pipelines.
void
CheckLayeredShape(const Scenario& scenario, const ScenarioFile& file)
{
    const auto& parallelism = scenario.parallelism();
    const std::string kind = scenario::DataParallelism_Name(parallelism.data_parallelism());
    const auto refuse = [&](bool isBroken, const char* field, const std::string& value)
    {
        if (isBroken)
        {
            file.Fail(field, value, "must not be so with parallelism.data_parallelism " + kind);
        }
    };
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    refuse(parallelism.pipeline_stages() != 1,
           "parallelism.pipeline_stages",
           number(parallelism.pipeline_stages()));
    refuse(scenario.schedule().virtual_stages() > 1,
           "schedule.virtual_stages",
           number(scenario.schedule().virtual_stages()));
    refuse(scenario.schedule().has_orders(), "schedule.orders", scenario.schedule().orders());
    refuse(scenario.schedule().all_reduce_buckets() > 1,
           "schedule.all_reduce_buckets",
           number(scenario.schedule().all_reduce_buckets()));
    refuse(scenario.has_inference(), "inference", "");
    refuse(scenario.has_fill_jobs(), "fill_jobs", "");
    refuse(scenario.sharing() == scenario::TEMPORAL, "sharing", "TEMPORAL");
    refuse(parallelism.across() == scenario::REPLICAS_HIERARCHICAL,
           "parallelism.across",
           "REPLICAS_HIERARCHICAL");
    refuse(parallelism.shard_optimizer(), "parallelism.shard_optimizer", "true");
    refuse(IsInNetwork(scenario) && scenario.model().microbatches() != 1,
           "model.microbatches",
           number(scenario.model().microbatches()));
    refuse(IsInNetwork(scenario) && scenario.run().scale() != 1,
           "run.scale",
           number(scenario.run().scale()));
}

std::vector<std::uint32_t>
SwitchesOf(const scenario::InNetwork& written)
{
    std::vector<std::uint32_t> switches;
    for (const std::int64_t count : written.switches())
    {
        switches.push_back(Small(count));
    }
    return switches;
}

/// Returns the bytes that go out in a round trip and two heartbeat intervals, in whole payloads.
Bytes
DefaultCredit(const ns3::InNetworkClusterSettings& settings)
{
    const ns3::AggregationSettings& packets = settings.aggregation;
    const double links = static_cast<double>(settings.switches.size()) + 1;
    const double bytesPerSecond =
        static_cast<double>(std::max(settings.nicRate, settings.serverRate).ToBitsPerSecond()) / 8;
    const double seconds =
        2 * links * settings.linkDelay.ToSeconds() + 2 * packets.heartbeatInterval.ToSeconds();
    const auto wire = static_cast<double>((packets.payload + packets.header).Count());
    const auto count =
        std::llround(std::ceil(bytesPerSecond * seconds / wire + 2 * links)) + burstPackets;
    return packets.payload * count;
}

void
ResolvePackets(scenario::InNetwork& written,
               ns3::InNetworkClusterSettings& settings,
               const ScenarioFile& file)
{
    ns3::AggregationSettings& packets = settings.aggregation;
    packets.payload = ParseBytes(written.payload());
    packets.switchMemory = ParseBytes(written.switch_memory());
    packets.heartbeatInterval = ParseDuration(written.heartbeat_interval());
    packets.timeout = ParseDuration(written.timeout());
    packets.retries = Small(written.retries());
    packets.integerBytes = Small(written.integer_bytes());
    if (packets.payload < Bytes::Of(packets.integerBytes))
    {
        file.Fail("in_network.payload", written.payload(), "must hold an integer");
    }
    packets.window = written.has_credit() ? ParseBytes(written.credit()) : DefaultCredit(settings);
    if (packets.window < packets.payload)
    {
        file.Fail("in_network.credit",
                  written.credit(),
                  "must be at least a packet's payload, " + written.payload());
    }
    packets.slots = Small(written.has_slots() ? written.slots()
                                              : std::max(leastSlots, packets.WindowPackets()));
    if (packets.WindowPackets() > packets.slots)
    {
        if (written.has_credit())
        {
            file.Fail("in_network.credit",
                      written.credit(),
                      "must be at most the slots, " + Format(packets.payload * packets.slots));
        }
        packets.window = packets.payload * packets.slots;
    }
    written.set_credit(Format(packets.window));
    written.set_slots(packets.slots);
}

void
CheckBitmap(const ns3::InNetworkClusterSettings& settings,
            std::uint32_t replicas,
            const ScenarioFile& file)
{
    const std::uint32_t most = settings.MostChildren();
    if (most > ns3::AggregationSettings::s_bitmapWidth)
    {
        file.Fail(
            "parallelism.data_parallel",
            std::to_string(replicas),
            fmt::format("must be at most {} below one switch, the width of its bitmap, not {}: "
                        "set in_network.switches to a tree",
                        ns3::AggregationSettings::s_bitmapWidth,
                        most));
    }
}

/// Checks the tree before anything is computed of it.
void
CheckTree(const ns3::InNetworkClusterSettings& settings, const ScenarioFile& file)
{
    std::uint32_t below = settings.workers;
    for (const std::uint32_t switches : settings.switches)
    {
        if (switches > below)
        {
            file.Fail("in_network.switches",
                      std::to_string(switches),
                      fmt::format("must be at most the number of what is below, {}", below));
        }
        below = switches;
    }
    if (settings.switches.back() != 1)
    {
        file.Fail("in_network.switches",
                  std::to_string(settings.switches.back()),
                  "must end with one root, 1");
    }
}

void
ResolveServer(const scenario::InNetwork& written, ns3::OptimizerServerSettings& server)
{
    server.ssd = ParseBitRate(written.ssd_rate());
    server.memory = ParseBitRate(written.memory_rate());
    server.flopsPerSecond = written.cpu_tflops() * 1e12;
    server.threads = written.threads() == scenario::InNetwork::LAYER_CENTRIC
                         ? ns3::OptimizerServerSettings::Threads::LayerCentric
                         : ns3::OptimizerServerSettings::Threads::StepCentric;
}

void
ResolveLinks(scenario::InNetwork& written,
             const WanTopology::Site& site,
             ns3::InNetworkClusterSettings& settings)
{
    settings.nicRate = site.intraRate;
    const auto rateOr = [&settings](const std::string& rate)
    { return rate.empty() ? settings.nicRate : ParseBitRate(rate); };
    settings.serverRate = rateOr(written.server_rate());
    settings.trunkRate = rateOr(written.trunk_rate());
    settings.linkDelay = written.has_link_delay()
                             ? ParseDuration(written.link_delay())
                             : Duration::Nanoseconds(site.intraDelay.ToNanoseconds() / 2);
    written.set_server_rate(Format(settings.serverRate));
    written.set_trunk_rate(Format(settings.trunkRate));
    written.set_link_delay(Format(settings.linkDelay));
    if (written.has_host_cap())
    {
        settings.hostCap = ParseBitRate(written.host_cap());
    }
    settings.impairments.lossRate = written.loss();
    settings.addsAtServer = written.adds_at_server();
    settings.aggregation.acknowledgement =
        written.acknowledgement() == scenario::InNetwork::EACH_PACKET
            ? ns3::AggregationSettings::Acknowledgement::EachPacket
            : ns3::AggregationSettings::Acknowledgement::Heartbeat;
    if (written.has_servers_die_at())
    {
        settings.serversDieAt = ParseDuration(written.servers_die_at());
    }
    if (written.has_switch_dies_at())
    {
        settings.switchDiesAt = ParseDuration(written.switch_dies_at());
    }
}

/// Refuses what the estimate of the analytic network does not know.
void
CheckEstimated(const Scenario& scenario, const ScenarioFile& file)
{
    if (NetworkKindOf(scenario.run()).hasPackets)
    {
        return;
    }
    const auto& written = scenario.in_network();
    if (written.servers() > 1)
    {
        file.Fail("in_network.servers",
                  std::to_string(written.servers()),
                  "must be 1 on the analytic network: run it over packets");
    }
    const auto refuse = [&file](bool isSet, const char* field)
    {
        if (isSet)
        {
            file.Fail(field, "", "must not be set on the analytic network: run it over packets");
        }
    };
    refuse(written.adds_at_server(), "in_network.adds_at_server");
    refuse(written.acknowledgement() == scenario::InNetwork::EACH_PACKET,
           "in_network.acknowledgement");
    if (written.threads() == scenario::InNetwork::LAYER_CENTRIC)
    {
        file.Fail("in_network.threads",
                  "LAYER_CENTRIC",
                  "must be STEP_CENTRIC on the analytic network: run it over packets");
    }
}

/// Refuses baselines that know one data centre alone, and a buffer that nothing would use.
void
CheckBetweenDataCentres(const scenario::InNetwork& written,
                        const InNetworkLayout& layout,
                        const ScenarioFile& file)
{
    const bool isOne = layout.otherSites.empty();
    const auto refuse = [&file](bool isSet, const char* field, const char* rule)
    {
        if (isSet)
        {
            file.Fail(field, "", rule);
        }
    };
    const char* const oneAlone = "must not be set with replicas in another data centre than the "
                                 "servers'";
    refuse(!isOne && written.adds_at_server(), "in_network.adds_at_server", oneAlone);
    refuse(!isOne && written.acknowledgement() == scenario::InNetwork::EACH_PACKET,
           "in_network.acknowledgement",
           oneAlone);
    refuse(isOne && written.has_relay_buffer(),
           "in_network.relay_buffer",
           "must not be set where all replicas are in the servers' data centre");
}

/// Returns the settings of the servers' data centre as far as they follow from who is where.
ns3::InNetworkClusterSettings
ServersOf(const scenario::InNetwork& written, const InNetworkLayout& layout, const WanTopology& wan)
{
    ns3::InNetworkClusterSettings settings;
    settings.servers = Small(written.servers());
    settings.switches = SwitchesOf(written);
    settings.firstWorker = layout.FirstWorkerAt(layout.home);
    settings.workers =
        layout.WorkersAt(layout.home) + static_cast<std::uint32_t>(layout.otherSites.size());
    for (const std::uint32_t site : layout.otherSites)
    {
        settings.name = wan.sites[layout.home].name;
        settings.relayed.push_back(
            {wan.sites[site].name, layout.FirstWorkerAt(site), layout.WorkersAt(site)});
    }
    return settings;
}

} // namespace

void
AddInNetwork(Scenario& scenario, const ScenarioFile& file)
{
    if (IsInNetwork(scenario))
    {
        scenario.mutable_in_network();
    }
    else if (scenario.has_in_network())
    {
        file.Fail(
            "in_network", "", "must not be there without parallelism.data_parallelism IN_NETWORK");
    }
}

void
RequireReplicated(const Scenario& scenario, const ScenarioFile& file, const std::string& who)
{
    if (!IsReplicated(scenario))
    {
        file.Fail("parallelism.data_parallelism",
                  scenario::DataParallelism_Name(scenario.parallelism().data_parallelism()),
                  "must be REPLICATED: " + who + " replicas of the whole model");
    }
}

void
ResolveDataParallelism(Scenario& scenario, TrainingPlan& plan, const ScenarioFile& file)
{
    auto& parallelism = *scenario.mutable_parallelism();
    if (IsReplicated(scenario))
    {
        return;
    }
    CheckLayeredShape(scenario, file);
    plan.dataParallelism =
        IsInNetwork(scenario) ? DataParallelism::InNetwork : DataParallelism::Zero3;
    if (!parallelism.has_prefetch())
    {
        parallelism.set_prefetch(1);
    }
    plan.prefetch = Small(parallelism.prefetch());
    if (IsInNetwork(scenario))
    {
        return;
    }
    if (!parallelism.has_non_preemptive())
    {
        parallelism.set_non_preemptive(true);
    }
    if (!parallelism.has_gemm_interference())
    {
        parallelism.set_gemm_interference(
            parallelism.data_parallel() >= interferedReplicas ? measuredInterference : 0);
    }
    plan.hasTrees = parallelism.collectives() == scenario::TREE;
    if (!parallelism.has_collectives())
    {
        parallelism.set_collectives(scenario::RING);
    }
    plan.contention = {parallelism.non_preemptive(), parallelism.gemm_interference()};
}

InNetworkSection
ResolveInNetwork(Scenario& scenario,
                 const TrainingPlan& plan,
                 const Placement& placement,
                 const Cluster& cluster,
                 const ScenarioFile& file)
{
    auto& written = *scenario.mutable_in_network();
    const InNetworkLayout layout = LayOutInNetwork(written, placement, cluster.wan, file);
    CheckEstimated(scenario, file);
    CheckBetweenDataCentres(written, layout, file);
    if (written.switches_size() == 0)
    {
        written.add_switches(1);
    }
    InNetworkSection section;
    ns3::InNetworkClusterSettings& settings = section.servers;
    settings = ServersOf(written, layout, cluster.wan);
    settings.seed = static_cast<std::uint64_t>(scenario.run().seed());
    CheckTree(settings, file);
    CheckBitmap(settings, plan.dataParallel, file);
    ResolveLinks(written, cluster.wan.sites[layout.home], settings);
    ResolvePackets(written, settings, file);
    ResolveServer(written, settings.server);
    settings.Check((file.name + ": in_network").c_str());
    if (layout.otherSites.empty())
    {
        return section;
    }
    section.wan = ResolveRelays(scenario, layout, settings, placement, cluster.wan, file);
    for (const auto& site : section.wan->sites)
    {
        CheckTree(site.cluster, file);
        CheckBitmap(site.cluster, plan.dataParallel, file);
        site.cluster.Check((file.name + ": in_network").c_str());
    }
    section.warnings = WarningsOfRelays(*section.wan);
    return section;
}

} // namespace geotrain
