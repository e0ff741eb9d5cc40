// SPDX-License-Identifier: GPL-2.0-only
#include "plan-study/what-if.h"

#include "loader/assignment.h"
#include "loader/nearest-names.h"
#include "loader/quantity-text.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"

#include <charconv>
#include <functional>
#include <memory>
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

/// Changes the scenario as its plans are written.
void
Change(WhatIf& whatIf, const std::function<void(scenario::Scenario&)>& change)
{
    const auto changed = std::make_shared<scenario::Scenario>(*whatIf.scenario.provenance.resolved);
    change(*changed);
    whatIf.scenario.provenance.resolved = changed;
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
    Change(whatIf,
           [&](scenario::Scenario& scenario)
           {
               auto& dataCenter = *scenario.mutable_data_center(static_cast<int>(index));
               dataCenter.set_nodes(cluster.wan.sites[index].nodes);
           });
    whatIf.value = static_cast<double>(cluster.GpusOf(index));
}

void
SetCaps(scenario::Caps& caps, const std::string& rate)
{
    if (caps.has_node_pair())
    {
        caps.set_node_pair(rate);
    }
    if (caps.has_node_egress())
    {
        caps.set_node_egress(rate);
    }
    if (caps.has_node_ingress())
    {
        caps.set_node_ingress(rate);
    }
}

void
SetWanRate(WhatIf& whatIf, const std::string& text)
{
    Cluster& cluster = whatIf.scenario.cluster;
    const BitRate rate = RateOption("--wan-rate", text);
    whatIf.value = static_cast<double>(rate.ToBitsPerSecond()) * 1e-9;
    bool hasCap = false;
    WanTopology::Caps& caps = cluster.wan.caps;
    for (auto* cap : {&caps.nodePair, &caps.nodeEgress, &caps.nodeIngress})
    {
        hasCap = hasCap || cap->has_value();
        if (cap->has_value())
        {
            *cap = rate;
        }
    }
    for (WanTopology::Link& link : cluster.wan.links)
    {
        link.rate = hasCap ? link.rate : rate;
        link.rateBack = hasCap ? link.rateBack : std::nullopt;
    }
    Change(whatIf,
           [&](scenario::Scenario& scenario)
           {
               if (hasCap)
               {
                   SetCaps(*scenario.mutable_caps(), text);
                   return;
               }
               for (auto& link : *scenario.mutable_wan_link())
               {
                   link.set_rate(text);
                   link.clear_rate_back();
               }
           });
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
