// SPDX-License-Identifier: GPL-2.0-only
// Holds the settings of a run and of its transport as typed values, so that only the loader parses
// quantities.
#pragma once

#include "execution/network-kind.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-network/helper/transport-options.h"
#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// RunSettings say how a scenario is run.
struct RunSettings
{
    std::string name;                     ///< name of the scenario
    const NetworkKind* network = nullptr; ///< one of NetworkKinds()
    std::uint64_t seed = 1;
    std::uint32_t warmUpIterations = 0;
    std::uint32_t iterations = 1; ///< measured iterations, after the warm-up iterations
    Duration deadline;            ///< simulated time at which an unfinished run is ended
    /// Wall-clock time at which an unfinished run is ended; unset: never.
    std::optional<Duration> wallDeadline;
    Bytes memoryLimit;            ///< memory that the run may take
    double computeJitter = 0;     ///< relative standard deviation of compute times
    Duration sampleInterval;      ///< simulated time between two samples
    /// Whether the network carries all collectives; false: those inside a data centre take a
    /// computed time.
    bool collectivesOverNetwork = true;
    bool formulaInside = false;           ///< messages inside data centres are no packets
    std::vector<std::string> packetTrace; ///< names of links whose packets are recorded
    /// Share by which iterations that repeat each other may differ; 0: all are simulated.
    double repeat = 0;
    std::uint32_t scale = 1; ///< what bits are divided by (loader/scale-down.h)
};

/// TransportSettings are the options of a run's connections, and how many there are over what.
struct TransportSettings : ns3::TransportOptions
{
    std::string bearer = "express";       ///< name in ns3::BearerKinds()
    std::uint32_t connections = 1;        ///< per node pair over the WAN
    std::uint32_t intraDcConnections = 1; ///< per node pair inside a data centre
    Bytes chunk; ///< bytes of a message that a connection takes at a time
};

/// Returns the run settings of a scenario whose fields have been checked. It takes what limits the
/// machine's work, and not the simulation, out of the scenario, so that two runs that differ in it
/// alone have the same resolved scenario.
RunSettings ResolveRun(scenario::Scenario& scenario);

/// Returns whether messages inside data centres are by formula, and writes so where the scenario leaves it
/// open and its cluster has many nodes. Throws ConfigError where NICs serve by rank.
bool TakesFormulaInside(scenario::Scenario& scenario,
                        const ScenarioFile& file,
                        std::uint32_t nodes,
                        bool servesByRank);

/// Returns the transport settings of a resolved scenario.
TransportSettings SettingsOfTransport(const scenario::Transport& transport);

} // namespace geotrain
