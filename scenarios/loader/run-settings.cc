// SPDX-License-Identifier: GPL-2.0-only
// Parses quantities without checks, since the rules of their fields have checked them before.
#include "loader/run-settings.h"

#include "loader/network-kinds.h"
#include "loader/transport-section.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

namespace geotrain
{

RunSettings
ResolveRun(const scenario::Scenario& scenario)
{
    const auto& written = scenario.run();
    RunSettings run;
    run.name = scenario.name();
    run.network = &NetworkKindOf(written);
    run.seed = static_cast<std::uint64_t>(written.seed());
    run.warmUpIterations = static_cast<std::uint32_t>(written.warmup_iterations());
    run.iterations = static_cast<std::uint32_t>(written.iterations());
    run.deadline = ParseDuration(written.deadline());
    run.computeJitter = written.compute_jitter();
    run.sampleInterval = ParseDuration(written.sample_interval());
    run.collectivesOverNetwork = written.all_reduce_fidelity() != scenario::ANALYTIC;
    return run;
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
