// SPDX-License-Identifier: GPL-2.0-only
// Resolves a scenario of bulk messages instead of training: between which nodes they go.
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

struct TransferSection
{
    std::uint32_t source = 0;      ///< node, the first of its data centre
    std::uint32_t destination = 0; ///< node
    Bytes size;                    ///< of a message
    std::uint32_t messages = 1;
    Duration gap;      ///< from a delivery to the next message
    bool cold = false; ///< every message on new connections
    std::string
        rival; ///< TypeId of the congestion control of as many more connections; empty: none
};

/// Refuses what only training has. Throws ConfigError.
void RequireNoTraining(const scenario::Scenario& scenario, const ScenarioFile& file);

/// Fills in the data centres and the rival's full name, and gives the NICs a queue that drops
/// nothing of the connections' windows. Throws ConfigError.
TransferSection
ResolveTransfer(scenario::Scenario& scenario, WanTopology& topology, const ScenarioFile& file);

} // namespace geotrain
