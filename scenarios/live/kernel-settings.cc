// SPDX-License-Identifier: GPL-2.0-only
#include "live/kernel-settings.h"

#include <fmt/format.h>

#include <utility>

namespace geotrain
{

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

} // namespace geotrain
