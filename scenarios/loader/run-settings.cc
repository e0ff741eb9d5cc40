// SPDX-License-Identifier: GPL-2.0-only
// Parses quantities without checks, since the rules of their fields have checked them before.
#include "loader/run-settings.h"

#include "loader/machine-memory.h"
#include "loader/network-kinds.h"
#include "loader/transport-section.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

namespace geotrain
{

RunSettings
ResolveRun(scenario::Scenario& scenario)
{
    auto& written = *scenario.mutable_run();
    RunSettings run;
    run.name = scenario.name();
    run.network = &NetworkKindOf(written);
    run.seed = static_cast<std::uint64_t>(written.seed());
    run.warmUpIterations = static_cast<std::uint32_t>(written.warmup_iterations());
    run.iterations = static_cast<std::uint32_t>(written.iterations());
    run.deadline = ParseDuration(written.deadline());
    if (written.has_wall_deadline())
    {
        run.wallDeadline = ParseDuration(written.wall_deadline());
        written.clear_wall_deadline();
    }
    run.memoryLimit = MemoryLimitOf(written);
    written.clear_memory_limit();
    run.computeJitter = written.compute_jitter();
    run.sampleInterval = ParseDuration(written.sample_interval());
    run.collectivesOverNetwork = written.all_reduce_fidelity() != scenario::ANALYTIC;
    run.packetTrace.assign(written.packet_trace().begin(), written.packet_trace().end());
    run.repeat = written.repeat();
    run.scale = static_cast<std::uint32_t>(written.scale());
    return run;
}

bool
TakesFormulaInside(scenario::Scenario& scenario,
                   const ScenarioFile& file,
                   std::uint32_t nodes,
                   bool servesByRank)
{
    // Runs of more nodes have most of their packets, and their memory, inside data centres.
    constexpr std::uint32_t mostNodesInPackets = 256;
    auto& written = *scenario.mutable_run();
    if (!written.has_inside_data_center() && NetworkKindOf(written).hasPackets &&
        !scenario.has_transfer() && !servesByRank &&
        scenario.transport().bearer() == scenario::EXPRESS && nodes > mostNodesInPackets)
    {
        written.set_inside_data_center(scenario::Network::FORMULA);
    }
    const bool takes = written.inside_data_center() == scenario::Network::FORMULA;
    if (takes && servesByRank)
    {
        file.Fail("run.inside_data_center",
                  "FORMULA",
                  "does not go with jobs of unlike priority and with traffic_class, by which NICs "
                  "serve packets");
    }
    return takes && NetworkKindOf(written).hasPackets;
}

TransportSettings
SettingsOfTransport(const scenario::Transport& written)
{
    TransportSettings transport;
    transport.bearer = BearerOf(written).name;
    transport.congestionControl = written.congestion_control();
    transport.window = ParseBytes(written.window());
    transport.connections = static_cast<std::uint32_t>(written.connections());
    transport.intraDcConnections = static_cast<std::uint32_t>(written.intra_dc_connections());
    transport.slowStartAfterIdle = written.slow_start_after_idle();
    transport.ecn = written.ecn();
    transport.tcp = TcpOverridesOf(written);
    transport.chunk = ParseBytes(written.chunk());
    return transport;
}

} // namespace geotrain
