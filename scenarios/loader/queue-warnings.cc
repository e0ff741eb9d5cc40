// SPDX-License-Identifier: GPL-2.0-only
#include "loader/queue-warnings.h"

#include "loader/network-kinds.h"
#include "loader/random-draws.h"

#include <fmt/format.h>

namespace geotrain
{

std::vector<std::string>
WarningsOfQueues(const Experiment& experiment)
{
    const TestbedSpec& testbed = experiment.testbed;
    const bool usesEcn = testbed.transport.ecn || UsesControl(experiment, "TcpDctcp") ||
                         UsesControl(experiment, "TcpPrague");
    std::vector<std::string> warnings;
    for (std::size_t i = 0; i < testbed.wan.links.size(); ++i)
    {
        const auto& link = testbed.wan.links[i];
        if (link.red && link.red->ecn && !link.red->gentle && usesEcn &&
            experiment.run.network->hasPackets)
        {
            warnings.push_back(fmt::format(
                "wan_link[{}].red.gentle: false drops every packet while the average queue is "
                "above "
                "max_threshold, those of ECN-capable connections too, as ns-3's RedQueueDisc does: "
                "most of a transfer may be sent again; gentle: true marks them up to twice "
                "max_threshold",
                i));
        }
    }
    return warnings;
}

} // namespace geotrain
