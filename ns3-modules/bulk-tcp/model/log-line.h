// SPDX-License-Identifier: GPL-2.0-only
// Writes lines to ns-3's log for components of bulk-tcp. They are switched on like ns-3's own:
// NS_LOG="BulkSender=level_info" or LogComponentEnable(). ns-3's macros are empty in programs that
// are built without NS3_LOG_ENABLE; these lines are not.
#pragma once

#include "wan-topology/model/reusable-event.h"

#include <ns3/log.h>

#include <iostream>

namespace ns3
{

/// Writes the simulated time in seconds, the component and `parts` to std::clog if `component` is
/// enabled at `level`.
template <typename... Parts>
void
LogLine(const LogComponent& component, LogLevel level, const Parts&... parts)
{
    if (component.IsEnabled(level))
    {
        std::clog << '+' << static_cast<double>(NowNs()) / 1e9 << "s " << component.Name() << ": ";
        (std::clog << ... << parts) << '\n';
    }
}

} // namespace ns3
