// SPDX-License-Identifier: GPL-2.0-only
// Holds the settings of a run and of its transport as typed values, so that only the loader parses
// quantities.
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

/// RunSettings say how a scenario is run.
struct RunSettings
{
    std::string name;                     ///< of the scenario
    const NetworkKind* network = nullptr; ///< of NetworkKinds()
    std::uint64_t seed = 1;
    std::uint32_t warmUpIterations = 0;
    std::uint32_t iterations = 1; ///< measured iterations, after the warm-up iterations
    Duration deadline;            ///< simulated time at which an unfinished run is ended
    double computeJitter = 0;     ///< relative standard deviation of compute times
    Duration sampleInterval;
    bool collectivesOverNetwork = true; ///< false: inside a data centre they take a computed time
};

/// TransportSettings describe the connections of a run.
struct TransportSettings
{
    std::string bearer = "express";       ///< name in ns3::BearerKinds()
    std::string congestionControl;        ///< TypeId
    Bytes window;                         ///< payload in flight per connection, at most
    std::uint32_t connections = 1;        ///< per node pair over the WAN
    std::uint32_t intraDcConnections = 1; ///< per node pair inside a data centre
    bool slowStartAfterIdle = true;
    bool ecn = false;
    ns3::BulkTcpOverrides tcp; ///< what the scenario sets of its connections
    Bytes chunk;               ///< what a connection takes of a message at a time
};

/// Returns the run settings of a resolved scenario.
RunSettings ResolveRun(const scenario::Scenario& scenario);

/// Returns the transport settings of a resolved scenario.
TransportSettings SettingsOfTransport(const scenario::Transport& transport);

} // namespace geotrain
