#include "runner/analytic-run-network.h"

#include "units/quantity-parser.h"

namespace geotrain
{

namespace
{

std::vector<std::string>
UnknownOf(const scenario::WanLink& link)
{
    std::vector<std::string> unknown;
    const auto add = [&unknown](bool isThere, const char* field)
    {
        if (isThere)
        {
            unknown.push_back(field);
        }
    };
    add(link.loss() > 0, "loss");
    add(link.has_queue_disc(), "queue_disc");
    add(link.has_red(), "red");
    add(link.has_codel(), "codel");
    add(link.has_policer(), "policer");
    add(link.has_burst_loss(), "burst_loss");
    add(link.has_jitter(), "jitter");
    add(link.duplication() > 0, "duplication");
    add(link.rate_step_size() > 0, "rate_step");
    add(link.outage_size() > 0, "outage");
    return unknown;
}

} // namespace

std::vector<std::string>
UnknownToAnalyticNetwork(const LoadedScenario& scenario)
{
    std::vector<std::string> unknown;
    for (int i = 0; i < scenario.resolved.wan_link_size(); ++i)
    {
        for (const std::string& field : UnknownOf(scenario.resolved.wan_link(i)))
        {
            unknown.push_back("wan_link[" + std::to_string(i) + "]." + field);
        }
    }
    if (scenario.resolved.caps().police())
    {
        unknown.push_back("caps.police");
    }
    if (!scenario.crossTraffic.empty())
    {
        unknown.push_back("cross_traffic");
    }
    return unknown;
}

std::unique_ptr<Network>
MakeAnalyticNetwork(const LoadedScenario& scenario, const PlanStreams& plan)
{
    return std::make_unique<AnalyticNetwork>(
        MakeAnalyticTopology(scenario.cluster.wan, scenario.cluster.transport, plan.pairs));
}

} // namespace geotrain
