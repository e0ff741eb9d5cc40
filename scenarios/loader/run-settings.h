// SPDX-License-Identifier: GPL-2.0-only
// How a scenario is run, and by which transport, as typed values: nobody behind the loader parses a
// quantity.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "execution/network-kind.h"
#include "loader/schema-types.h"
#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <string>

namespace geotrain
{

struct RunSettings
{
    std::string name;                     ///< of the scenario
    const NetworkKind* network = nullptr; ///< of NetworkKinds()
    std::uint64_t seed = 1;
    std::uint32_t warmUpIterations = 0;
    std::uint32_t iterations = 1; ///< measured, after the warm-up iterations
    Duration deadline;            ///< of simulated time
    double computeJitter = 0;     ///< relative standard deviation of compute times
    Duration sampleInterval;
    bool collectivesOverNetwork = true; ///< false: inside a data centre they take a computed time
};

struct TransportSettings
{
    std::string bearer = "express";       ///< of ns3::BearerKinds()
    std::string congestionControl;        ///< TypeId
    Bytes window;                         ///< per connection, payload in flight at most
    std::uint32_t connections = 1;        ///< per node pair over the WAN
    std::uint32_t intraDcConnections = 1; ///< per node pair inside a data centre
    bool slowStartAfterIdle = true;
    bool ecn = false;
    ns3::BulkTcpOverrides tcp; ///< what the scenario sets of its connections
    Bytes chunk;               ///< what a connection takes of a message at a time
};

/// Of a scenario that is resolved.
RunSettings ResolveRun(const scenario::Scenario& scenario);

/// Of a scenario that is resolved.
TransportSettings SettingsOfTransport(const scenario::Transport& transport);

} // namespace geotrain
