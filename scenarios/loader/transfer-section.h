// SPDX-License-Identifier: GPL-2.0-only
// Resolves a scenario of bulk messages instead of training, and the nodes between which they go.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <string>

namespace geotrain
{

/// A TransferSection is the resolved transfer of a scenario.
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
};

/// Throws ConfigError for sections and settings that only training has.
void RequireNoTraining(const scenario::Scenario& scenario, const ScenarioFile& file);

/// Resolves the transfer. It fills in the data centres and the rival's full name, and makes the
/// NICs' queues so large that they never drop the connections' windows. Throws ConfigError.
TransferSection
ResolveTransfer(scenario::Scenario& scenario, WanTopology& topology, const ScenarioFile& file);

} // namespace geotrain
