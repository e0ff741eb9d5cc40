// SPDX-License-Identifier: GPL-2.0-only
#include "loader/transfer-section.h"

#include "loader/transport-section.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

#include <algorithm>

namespace geotrain
{

namespace
{

using scenario::Scenario;

constexpr double largestPortQueue = 1e12; // bytes; the limit of WanTopology

/// Makes the queues of the hosts' NICs so large that only the WAN drops packets.
void
WidenPortQueues(const Scenario& scenario,
                const std::vector<TransferFlow>& flows,
                WanTopology& topology)
{
    const std::int64_t connections =
        scenario.transport().connections() * (scenario.transfer().has_rival() ? 2 : 1);
    double windows = static_cast<double>(ParseBytes(scenario.transport().window()).Count()) *
                     static_cast<double>(connections);
    for (const auto& flow : flows)
    {
        windows += static_cast<double>(flow.window.Count()) * flow.connections;
    }
    topology.portQueue = std::max(
        topology.portQueue,
        Bytes::Of(static_cast<std::int64_t>(std::min(2 * windows, largestPortQueue))));
}

/// Limits the number of cold connections, since their state stays in memory until the run ends.
void
CheckColdConnections(const Scenario& scenario, const ScenarioFile& file)
{
    constexpr std::int64_t most = 100000;
    const auto& transfer = scenario.transfer();
    if (transfer.cold() && transfer.messages() * scenario.transport().connections() > most)
    {
        file.Fail("transfer.messages",
                  std::to_string(transfer.messages()),
                  "times transport.connections must be at most 100000 where messages are cold");
    }
}

void
ResolveRival(Scenario& scenario, const ScenarioFile& file)
{
    auto& transfer = *scenario.mutable_transfer();
    if (!transfer.has_rival() || transfer.rival().empty())
    {
        transfer.clear_rival();
        return;
    }
    transfer.set_rival(FullNameOfControl(transfer.rival(), "transfer.rival", file));
    RequireOfBearer(
        scenario.transport(), ns3::BearerFeature::Rival, "transfer.rival", transfer.rival(), file);
    CheckAnswersMarks(scenario.transport(), transfer.rival(), file);
}

} // namespace

TransferSection
ResolveTransfer(Scenario& scenario, WanTopology& topology, const ScenarioFile& file)
{
    auto& transfer = *scenario.mutable_transfer();
    if (scenario.data_center_size() < 2)
    {
        file.Fail("data_center", "", "must be given at least twice: a transfer has two ends");
    }
    if (!transfer.has_from())
    {
        transfer.set_from(scenario.data_center(0).name());
    }
    if (!transfer.has_to())
    {
        transfer.set_to(scenario.data_center(1).name());
    }
    TransferSection section;
    section.source = FirstNodeOf(transfer.from(), "transfer.from", topology, file);
    section.destination = FirstNodeOf(transfer.to(), "transfer.to", topology, file);
    if (section.source == section.destination)
    {
        file.Fail("transfer.to", transfer.to(), "must be another data centre than transfer.from");
    }
    CheckColdConnections(scenario, file);
    ResolveRival(scenario, file);
    section.flows = ResolveFlows(scenario, topology, file);
    WidenPortQueues(scenario, section.flows, topology);
    if (transfer.has_warm_up())
    {
        section.warmUpBytes = ParseBytes(transfer.warm_up().bytes());
        section.warmUpTime = ParseDuration(transfer.warm_up().time());
    }
    section.startSpread = ParseDuration(transfer.start_spread());
    if (transfer.has_duration())
    {
        section.duration = ParseDuration(transfer.duration());
        if (section.duration > ParseDuration(scenario.run().deadline()))
        {
            file.Fail("transfer.duration", transfer.duration(), "must be <= run.deadline");
        }
        return section;
    }
    section.size = ParseBytes(transfer.size());
    section.messages = Small(transfer.messages());
    section.gap = ParseDuration(transfer.gap());
    section.cold = transfer.cold();
    section.rival = transfer.rival();
    return section;
}

} // namespace geotrain
