// SPDX-License-Identifier: GPL-2.0-only
// Finds congestion controls by name. Any TypeId that derives from ns3::TcpCongestionOps and can be
// constructed is one.
#pragma once

#include <ns3/tcp-congestion-ops.h>
#include <ns3/type-id.h>

#include <string>
#include <vector>

namespace ns3
{

/// Returns the TypeId called `name`, where "ns3::" may be left out. Throws geotrain::ConfigError
/// for an unknown one, or for one that is no congestion control.
TypeId FindCongestionControl(const std::string& name);

/// Makes a control. `stream` is the number of its random stream, if it draws random numbers
/// (TcpBbr).
Ptr<TcpCongestionOps> MakeCongestionControl(TypeId type, std::int64_t stream);

/// Returns every registered congestion control in the order of their names.
std::vector<TypeId> AllCongestionControls();

} // namespace ns3
