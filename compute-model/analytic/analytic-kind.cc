// SPDX-License-Identifier: GPL-2.0-only
// Says of what kind the analytic network is, and what it lacks of the fields that scenario.proto calls
// those of packets: all but some congestion controls and bearers.
#include "analytic/analytic-network.h"

#include <algorithm>
#include <iterator>

namespace geotrain
{

namespace
{

// Congestion controls whose windows it has, without their namespace.
constexpr std::string_view modelledControls[] = {"TcpCubic", "TcpLinuxReno", "TcpNewReno"};

bool
IgnoresField(std::string_view field, std::string_view value)
{
    const auto name = value.substr(value.rfind(':') + 1); // npos + 1 is 0
    if (field == "transport.congestion_control")
    {
        return std::find(std::begin(modelledControls), std::end(modelledControls), name) ==
               std::end(modelledControls);
    }
    return field != "transport.bearer" || value == "STOCK"; // the other bearers carry bulk-tcp
}

} // namespace

const NetworkKind&
AnalyticNetwork::StaticKind()
{
    static const NetworkKind kind{"analytic", false, &IgnoresField};
    return kind;
}

const NetworkKind&
AnalyticNetwork::Kind() const
{
    return StaticKind();
}

bool
AnalyticNetwork::SpreadsMessages(NodeIndex /*source*/, NodeIndex /*destination*/) const
{
    return true;
}

} // namespace geotrain
