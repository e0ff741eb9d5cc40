// SPDX-License-Identifier: GPL-2.0-only
#include "runner/live-warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns warnings of classes that have the mark of another, by which alone a router knows them.
std::vector<std::string>
WarningsOfMarks(const std::vector<TrafficClass>& classes)
{
    const auto nameOf = [&](std::uint32_t number)
    {
        const TrafficClass& one = classes[number];
        return one.name.empty() ? fmt::format("other traffic of priority {}", one.priority)
                                : fmt::format("traffic_class \"{}\"", one.name);
    };
    std::vector<std::string> warnings;
    for (std::uint32_t own = 0; own < classes.size(); ++own)
    {
        const std::uint32_t known = ClassOfMark(classes[own].dscp, classes);
        if (classes[own].waitsIn.value_or(own) != classes[known].waitsIn.value_or(known))
        {
            warnings.push_back(fmt::format(
                "a live run serves {} as {}, which has the same dscp", nameOf(own), nameOf(known)));
        }
    }
    return warnings;
}

/// Returns a warning that names the fields of `transport` that are set and that the kernel's TCP does not
/// take; empty where there are none.
std::string
WarningOfKernelSettings(const ns3::BulkTcpOverrides& tcp)
{
    std::string names;
    for (const auto& [isSet, name] :
         {std::pair(tcp.initialWindow.has_value(), "initial_window"),
          std::pair(tcp.minRto.has_value(), "min_rto"),
          std::pair(tcp.delayedAckCount.has_value(), "delayed_ack"),
          std::pair(tcp.delayedAckTimeout.has_value(), "delayed_ack_timeout"),
          std::pair(tcp.hyStart.has_value(), "hystart"),
          std::pair(tcp.tailLossProbe.has_value(), "tail_loss_probe"),
          std::pair(tcp.autotuning.has_value(), "autotuning"),
          std::pair(tcp.offloads.has_value(), "offload"),
          std::pair(tcp.interruptCoalescing.has_value(), "interrupt_coalescing")})
    {
        names += isSet ? (names.empty() ? "" : ", ") + std::string(name) : "";
    }
    return names.empty() ? ""
                         : fmt::format("of transport, {} change nothing live: the kernel's TCP has "
                                       "its own settings",
                                       names);
}

} // namespace

bool
IsLive(const Experiment& experiment)
{
    return experiment.testbed.transport.bearer == "live";
}

std::vector<std::string>
WarningsOfLive(const Experiment& experiment, const std::vector<NodePair>& pairs)
{
    const TestbedSpec& testbed = experiment.testbed;
    if (!IsLive(experiment))
    {
        return {};
    }
    std::vector<std::string> warnings;
    if (std::any_of(pairs.begin(),
                    pairs.end(),
                    [&testbed](const NodePair& pair)
                    { return testbed.paths->AreShared(pair.first, pair.second); }))
    {
        warnings.emplace_back(
            "a live run deals node pairs, not connections, out to parallel WAN links");
    }
    const auto alike = WarningsOfMarks(testbed.wan.classes);
    warnings.insert(warnings.end(), alike.begin(), alike.end());
    if (std::any_of(testbed.wan.links.begin(),
                    testbed.wan.links.end(),
                    [](const auto& link) { return link.fqCoDel.has_value(); }))
    {
        warnings.emplace_back(
            "a live run's fq_codel takes all that a node sends another for one flow");
    }
    if (auto ofKernel = WarningOfKernelSettings(testbed.transport.tcp); !ofKernel.empty())
    {
        warnings.push_back(std::move(ofKernel));
    }
    return warnings;
}

} // namespace geotrain
