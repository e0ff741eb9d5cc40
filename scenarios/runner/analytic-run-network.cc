// SPDX-License-Identifier: GPL-2.0-only
#include "runner/analytic-run-network.h"

namespace geotrain
{

namespace
{

std::vector<std::string>
UnknownOf(const WanTopology::Link& link)
{
    std::vector<std::string> unknown;
    const auto add = [&unknown](bool isThere, const char* field)
    {
        if (isThere)
        {
            unknown.push_back(field);
        }
    };
    add(link.lossRate > 0, "loss");
    add(!link.queueDisc.empty(), "queue_disc");
    add(link.red.has_value(), "red");
    add(link.coDel.has_value(), "codel");
    add(link.policer.has_value(), "policer");
    add(link.burstLoss.has_value(), "burst_loss");
    add(link.jitter.has_value(), "jitter");
    add(link.duplication > 0, "duplication");
    add(!link.rateSteps.empty(), "rate_step");
    add(!link.outages.empty(), "outage");
    return unknown;
}

/// Adds the bulk-tcp settings that the analytic network ignores.
void
AddUnknownTo(const ns3::BulkTcpOverrides& tcp, std::vector<std::string>& unknown)
{
    const auto add = [&unknown](bool isThere, const char* field)
    {
        if (isThere)
        {
            unknown.push_back(std::string("transport.") + field);
        }
    };
    add(tcp.minRto.has_value(), "min_rto");
    add(tcp.delayedAckCount.has_value(), "delayed_ack");
    add(tcp.delayedAckTimeout.has_value(), "delayed_ack_timeout");
    add(tcp.hyStart.has_value(), "hystart");
    add(tcp.pacing.has_value(), "pacing");
    add(tcp.tailLossProbe.has_value(), "tail_loss_probe");
    add(tcp.autotuning.has_value(), "autotuning");
}

} // namespace

std::vector<std::string>
UnknownToAnalyticNetwork(const LoadedScenario& scenario)
{
    const WanTopology& wan = scenario.cluster.wan;
    std::vector<std::string> unknown;
    for (std::size_t i = 0; i < wan.links.size(); ++i)
    {
        for (const std::string& field : UnknownOf(wan.links[i]))
        {
            unknown.push_back("wan_link[" + std::to_string(i) + "]." + field);
        }
    }
    if (wan.caps.police)
    {
        unknown.push_back("caps.police");
    }
    if (!scenario.crossTraffic.empty())
    {
        unknown.push_back("cross_traffic");
    }
    if (AnalyticNetwork(AnalyticTopology()).Ignores("transport.congestion_control",
                                    scenario.transport.congestionControl))
    {
        unknown.push_back("transport.congestion_control");
    }
    if (scenario.transport.ecn)
    {
        unknown.push_back("transport.ecn");
    }
    AddUnknownTo(scenario.transport.tcp, unknown);
    return unknown;
}

std::unique_ptr<Network>
MakeAnalyticNetwork(const LoadedScenario& scenario, const PlanStreams& plan)
{
    return std::make_unique<AnalyticNetwork>(
        MakeAnalyticTopology(scenario.cluster.wan, scenario.cluster.transport, plan.pairs));
}

} // namespace geotrain
