// SPDX-License-Identifier: GPL-2.0-only
// Resolves the flows of a scenario that transfers for a time: who sends to whom, under which
// congestion control, and when.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-network/helper/transport-options.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// FlowSizes say which sizes the messages of a flow have.
enum class FlowSizes
{
    Equal,
    WebSearch ///< drawn, with the flow's size as their mean; see scenario.proto
};

/// A TransferFlow is one flow, with the options of its connections.
struct TransferFlow : ns3::TransportOptions
{
    std::string name;              ///< unique in its scenario
    std::string group;             ///< name of the flows that are alike: that of their entry
    std::uint32_t source = 0;      ///< node that sends
    std::uint32_t destination = 0; ///< node that receives
    std::uint32_t connections = 1;
    std::optional<Duration> start; ///< since time 0; nothing: it begins with the warm-up
    Duration stop;                 ///< since time 0
    Bytes size;                    ///< size of a message, or the mean; 0: the flow is steady
    FlowSizes sizes = FlowSizes::Equal;
    Duration gap;                 ///< time from a delivery to the start of the next message
    double arrivalsPerSecond = 0; ///< rate of Poisson arrivals; 0: messages follow each other
    bool cold = false;            ///< every message goes over new connections

    bool IsSteady() const
    {
        return size == Bytes();
    }
};

/// Returns the flows in their order, those of one entry together; none where the scenario transfers
/// messages. What an entry leaves out is filled in from the transfer and the transport, whose
/// defaults must have been. Throws ConfigError.
std::vector<TransferFlow>
ResolveFlows(scenario::Scenario& scenario, const WanTopology& topology, const ScenarioFile& file);

/// Returns the first node of the data centre called `name`. Throws ConfigError that names `field`.
std::uint32_t FirstNodeOf(const std::string& name,
                          const std::string& field,
                          const WanTopology& topology,
                          const ScenarioFile& file);

} // namespace geotrain
