// SPDX-License-Identifier: GPL-2.0-only
// Makes the network that a scenario asks for, behind one interface for all kinds.
#pragma once

#include "execution/network.h"
#include "loader/scenario-loader.h"
#include "runner/run-plan.h"
#include "trace/trace-writer.h"

#include <memory>
#include <string>
#include <vector>

namespace geotrain
{

/// RunNetwork is the network of one run.
class RunNetwork
{
  public:
    virtual ~RunNetwork() = default;

    /// Returns the network to which messages are given.
    virtual Network& Get() = 0;

    /// Begins the run. It must be called once, after Prepare(). From this time on, links follow
    /// their rate steps and outages, cross traffic arrives, and samples of connections and links go
    /// into the trace. A network that has none of these does nothing.
    virtual void Begin(const LoadedScenario& /*scenario*/, TraceWriter& /*writer*/)
    {
    }

    /// Ends the program with a message if bytes were lost or carried twice.
    virtual void CheckConservation() const
    {
    }

    /// Returns why the result of the run, which has ended, is not to be trusted; empty where it is.
    virtual std::string Doubt()
    {
        return "";
    }
};

/// Writes the doubt of a run that has ended, where there is one.
void WriteDoubt(RunNetwork& network, TraceWriter& writer);

/// Makes the network of `scenario` for the node pairs of `plan`. A process can have only one packet
/// network. Throws ConfigError.
std::unique_ptr<RunNetwork> MakeRunNetwork(const LoadedScenario& scenario, const PlanStreams& plan);

} // namespace geotrain
