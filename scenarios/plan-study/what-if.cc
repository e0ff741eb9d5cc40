// SPDX-License-Identifier: GPL-2.0-only
#include "plan-study/what-if.h"

#include "loader/assignment.h"
#include "loader/nearest-names.h"
#include "loader/plan-scenario.h"
#include "loader/quantity-text.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace geotrain
{

namespace
{

std::uint32_t
Find(const Cluster& cluster, const std::string& name, const std::string& option)
{
    std::vector<std::string> names;
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        if (cluster.NameOf(index) == name)
        {
            return index;
        }
        names.push_back(cluster.NameOf(index));
    }
    throw ConfigError("", option, name, UnknownName("data centre of the scenario", name, names));
}

void
AddGpus(WhatIf& whatIf, const std::string& assignment)
{
    const auto [name, text] = SplitAssignment(assignment, "--add", "");
    Cluster& cluster = whatIf.scenario.cluster;
    const std::uint32_t index = Find(cluster, name, "--add");
    const std::uint32_t perNode = cluster.dataCenters[index].gpusPerNode;
    std::uint32_t gpus = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), gpus);
    constexpr std::uint32_t most = 10000000;
    if (error != std::errc() || end != text.data() + text.size() || gpus == 0 || gpus > most ||
        gpus % perNode != 0)
    {
        throw ConfigError("",
                          "--add",
                          assignment,
                          "must be DC=GPUS, a positive multiple of the data centre's " +
                              std::to_string(perNode) + " GPUs per node");
    }
    whatIf.subject = name;
    whatIf.valueBefore = static_cast<double>(cluster.GpusOf(index));
    cluster.wan.sites[index].nodes += gpus / perNode;
    SetWritten(whatIf.scenario,
               fmt::format("data_center[{}].nodes", index),
               std::to_string(cluster.wan.sites[index].nodes));
    whatIf.value = static_cast<double>(cluster.GpusOf(index));
}

void
SetWanRate(WhatIf& whatIf, const std::string& text)
{
    Cluster& cluster = whatIf.scenario.cluster;
    const BitRate rate = RateOption("--wan-rate", text);
    whatIf.value = static_cast<double>(rate.ToBitsPerSecond()) * 1e-9;
    bool hasCap = false;
    WanTopology::Caps& caps = cluster.wan.caps;
    for (const auto& [cap, field] : {std::pair(&caps.nodePair, "caps.node_pair"),
                                     std::pair(&caps.nodeEgress, "caps.node_egress"),
                                     std::pair(&caps.nodeIngress, "caps.node_ingress")})
    {
        if (cap->has_value())
        {
            hasCap = true;
            *cap = rate;
            SetWritten(whatIf.scenario, field, text);
        }
    }
    if (hasCap)
    {
        return;
    }
    for (WanTopology::Link& link : cluster.wan.links)
    {
        link.rate = rate;
        link.rateBack.reset();
    }
    SetWritten(whatIf.scenario, "wan_link[*].rate", text);
    SetWritten(whatIf.scenario, "wan_link[*].rate_back", "");
}

} // namespace

std::vector<WhatIf>
MakeWhatIfs(const PlanningScenario& scenario, const WhatIfRequest& request)
{
    std::vector<WhatIf> whatIfs;
    const auto ask = [&](WhatIf::Kind kind, const std::string& question) -> WhatIf&
    {
        WhatIf whatIf;
        whatIf.kind = kind;
        whatIf.question = question;
        whatIf.scenario = scenario;
        whatIfs.push_back(std::move(whatIf));
        return whatIfs.back();
    };
    for (const auto& name : request.without)
    {
        auto& whatIf = ask(WhatIf::Kind::Without, "--without " + name);
        whatIf.subject = name;
        Cluster& cluster = whatIf.scenario.cluster;
        cluster.wan.sites[Find(cluster, name, "--without")].nodes = 0;
    }
    for (const auto& assignment : request.add)
    {
        AddGpus(ask(WhatIf::Kind::Add, "--add " + assignment), assignment);
    }
    for (const auto& rate : request.wanRates)
    {
        SetWanRate(ask(WhatIf::Kind::WanRate, "--wan-rate " + rate), rate);
    }
    return whatIfs;
}

} // namespace geotrain
