// SPDX-License-Identifier: GPL-2.0-only
// Resolves a scenario of bulk messages or flows instead of training, and the nodes between which
// they go.
#pragma once

#include "loader/flow-section.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <string>

namespace geotrain
{

/// A TransferSection is the resolved transfer of a scenario. Messages have a size, flows a
/// duration.
struct TransferSection
{
    std::uint32_t source = 0;      ///< node that sends, the first of its data centre
    std::uint32_t destination = 0; ///< node that receives, the first of its data centre
    Bytes size;                    ///< size of a message
    std::uint32_t messages = 1;    ///< number of messages
    Duration gap;                  ///< time from a delivery to the start of the next message
    bool cold = false;             ///< every message goes over new connections

    /// TypeId of the competing connections' congestion control; empty where there are none.
    std::string rival;

    /// Time and bytes of the warm-up; 0 and 0: none is written.
    Duration warmUpTime;
    Bytes warmUpBytes;
    Duration startSpread;            ///< greatest of the drawn delays of starts
    Duration duration;               ///< measured time of the flows; 0 for messages
    std::vector<TransferFlow> flows; ///< none: it is a transfer of messages

    bool IsOfFlows() const
    {
        return !flows.empty();
    }

    bool HasWarmUp() const
    {
        return warmUpTime > Duration() || warmUpBytes > Bytes();
    }
};

/// Resolves the transfer. It fills in the data centres and the rival's full name, and makes the
/// NICs' queues so large that they never drop the connections' windows. Throws ConfigError.
TransferSection
ResolveTransfer(scenario::Scenario& scenario, WanTopology& topology, const ScenarioFile& file);

} // namespace geotrain
