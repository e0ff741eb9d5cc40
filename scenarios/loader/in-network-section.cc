// SPDX-License-Identifier: GPL-2.0-only
#include "loader/in-network-section.h"

#include "loader/in-network-wan.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

using scenario::Scenario;

constexpr double measuredInterference = 0.17; // of NCCL's rate, by DisDP's figure 19
constexpr std::int64_t interferedReplicas = 4;
constexpr std::int64_t leastSlots = 512;
constexpr std::int64_t burstPackets = 16; // that a NIC keeps ready (AggregationSettings::Burst)

/// Returns whether each replica keeps the whole model.
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
    refuse(!isOne && written.acknowledgement() != scenario::InNetwork::HEARTBEAT,
           "in_network.acknowledgement",
           oneAlone);
    refuse(isOne && written.has_relay_buffer(),
           "in_network.relay_buffer",
           "must not be set where all replicas are in the servers' data centre");
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

/// Returns the bytes that go out in a round trip and the heartbeat intervals that an
/// acknowledgement may wait, one at the receiver and one at each switch, in whole payloads.
Bytes
DefaultCredit(const InNetworkClusterSettings& settings)
{
    const AggregationSettings& packets = settings.aggregation;
    const double links = static_cast<double>(settings.switches.size()) + 1;
    const double bytesPerSecond =
        static_cast<double>(std::max(settings.nicRate, settings.serverRate).ToBitsPerSecond()) / 8;
    const double seconds =
        links * (2 * settings.linkDelay.ToSeconds() + packets.heartbeatInterval.ToSeconds());
    const auto wire = static_cast<double>((packets.payload + packets.header).Count());
    const auto count =
        std::llround(std::ceil(bytesPerSecond * seconds / wire + 2 * links)) + burstPackets;
    return packets.payload * count;
}

/// Checks that a packet fits into the MTU.
void
CheckPayload(const Scenario& scenario, const AggregationSettings& packets, const ScenarioFile& file)
{
    const Bytes most = Bytes::Of(scenario.mtu()) - packets.header;
    if (packets.payload > most)
    {
        file.Fail("in_network.payload",
                  scenario.in_network().payload(),
                  fmt::format("must be at most {}, the mtu of {}B without {} of headers",
                              Format(most),
                              scenario.mtu(),
                              Format(packets.header)));
    }
}

void
ResolvePackets(scenario::InNetwork& written, InNetworkClusterSettings& settings)
{
    AggregationSettings& packets = settings.aggregation;
    packets.payload = ParseBytes(written.payload());
    packets.switchMemory = ParseBytes(written.switch_memory());
    packets.heartbeatInterval = ParseDuration(written.heartbeat_interval());
    packets.timeout = ParseDuration(written.timeout());
    packets.retries = Small(written.retries());
    packets.integerBytes = Small(written.integer_bytes());
    packets.window = written.has_credit() ? ParseBytes(written.credit()) : DefaultCredit(settings);
    packets.slots = Small(written.has_slots() ? written.slots()
                                              : std::max(leastSlots, packets.WindowPackets()));
    if (!written.has_credit())
    {
        packets.window = std::min(packets.window, packets.payload * packets.slots);
    }
    written.set_credit(Format(packets.window));
    written.set_slots(packets.slots);
}

void
ResolveServer(const scenario::InNetwork& written, OptimizerServerSettings& server)
{
    server.ssd = ParseBitRate(written.ssd_rate());
    server.memory = ParseBitRate(written.memory_rate());
    server.flopsPerSecond = written.cpu_tflops() * 1e12;
    server.threads = EnumOf<OptimizerServerSettings::Threads>(written.threads());
}

void
ResolveLinks(scenario::InNetwork& written,
             const WanTopology::Site& site,
             InNetworkClusterSettings& settings)
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
        EnumOf<AggregationSettings::Acknowledgement>(written.acknowledgement());
    if (written.has_servers_die_at())
    {
        settings.serversDieAt = ParseDuration(written.servers_die_at());
    }
    if (written.has_switch_dies_at())
    {
        settings.switchDiesAt = ParseDuration(written.switch_dies_at());
    }
}

/// Returns the settings of the servers' data centre as far as they follow from who is where.
InNetworkClusterSettings
ServersOf(const scenario::InNetwork& written, const InNetworkLayout& layout, const WanTopology& wan)
{
    InNetworkClusterSettings settings;
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
RequireReplicated(const Scenario& scenario, const ScenarioFile& file)
{
    if (!IsReplicated(scenario))
    {
        file.Fail("parallelism.data_parallelism",
                  scenario::DataParallelism_Name(scenario.parallelism().data_parallelism()),
                  "must be REPLICATED: a plan is made for replicas of the whole model");
    }
    if (scenario.has_in_network())
    {
        file.Fail("in_network", "", "must not be there: a plan is made for rings");
    }
}

void
ResolveDataParallelism(Scenario& scenario, TrainingPlan& plan)
{
    auto& parallelism = *scenario.mutable_parallelism();
    if (IsReplicated(scenario))
    {
        return;
    }
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
    if (parallelism.collectives() == scenario::TREE)
    {
        plan.collective = "tree";
    }
    if (!parallelism.has_collectives() && !parallelism.has_collective())
    {
        parallelism.set_collectives(scenario::RING);
    }
    plan.contention = {parallelism.non_preemptive(), parallelism.gemm_interference()};
}

void
ResolveInNetwork(Scenario& scenario,
                 TrainingSpec& spec,
                 std::vector<std::string>& warnings,
                 const ScenarioFile& file)
{
    auto& written = *scenario.mutable_in_network();
    const WanTopology& wan = spec.cluster.wan;
    const InNetworkLayout layout = LayOutInNetwork(written, spec.prepared.placement, wan, file);
    CheckBetweenDataCentres(written, layout, file);
    if (written.switches_size() == 0)
    {
        written.add_switches(1);
    }
    InNetworkClusterSettings& settings = spec.inNetwork.emplace(ServersOf(written, layout, wan));
    settings.seed = static_cast<std::uint64_t>(scenario.run().seed());
    ResolveLinks(written, wan.sites[layout.home], settings);
    ResolvePackets(written, settings);
    CheckPayload(scenario, settings.aggregation, file);
    ResolveServer(written, settings.server);
    settings.Check((file.name + ": in_network").c_str());
    if (layout.otherSites.empty())
    {
        return;
    }
    spec.inNetworkWan = ResolveRelays(scenario, layout, spec, file);
    for (const auto& site : spec.inNetworkWan->sites)
    {
        site.cluster.Check((file.name + ": in_network").c_str());
    }
    const auto more = WarningsOfRelays(*spec.inNetworkWan);
    warnings.insert(warnings.end(), more.begin(), more.end());
}

} // namespace geotrain
