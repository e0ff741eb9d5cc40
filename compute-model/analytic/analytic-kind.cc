// SPDX-License-Identifier: GPL-2.0-only
// Says of what kind the analytic network is, and which fields of a scenario it ignores.
#include "analytic/analytic-network.h"

#include <algorithm>
#include <iterator>

namespace geotrain
{

namespace
{

// Scenario fields that this network doesn't model; transport.congestion_control is checked apart.
constexpr std::string_view ignoredFields[] = {"caps.police",
                                              "cross_traffic",
                                              "in_network.loss",
                                              "in_network.servers_die_at",
                                              "in_network.switch_dies_at",
                                              "run.sample_interval",
                                              "transport.autotuning",
                                              "transport.delayed_ack",
                                              "transport.delayed_ack_timeout",
                                              "transport.ecn",
                                              "transport.hystart",
                                              "transport.min_rto",
                                              "transport.pacing",
                                              "transport.tail_loss_probe",
                                              "wan_link.burst_loss",
                                              "wan_link.codel",
                                              "wan_link.duplication",
                                              "wan_link.jitter",
                                              "wan_link.learned",
                                              "wan_link.outage",
                                              "wan_link.policer",
                                              "wan_link.queue_disc",
                                              "wan_link.rate_step",
                                              "wan_link.red"};

// Congestion controls whose windows it has, without their namespace.
constexpr std::string_view modelledControls[] = {"TcpCubic", "TcpLinuxReno", "TcpNewReno"};

template <typename Texts>
bool
Contains(const Texts& texts, std::string_view text)
{
    return std::find(std::begin(texts), std::end(texts), text) != std::end(texts);
}

bool
IgnoresField(std::string_view field, std::string_view value)
{
    if (field == "transport.congestion_control")
    {
        return !Contains(modelledControls, value.substr(value.rfind(':') + 1)); // npos + 1 is 0
    }
    return Contains(ignoredFields, field);
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
AnalyticNetwork::SpreadsMessages() const
{
    return true;
}

} // namespace geotrain
