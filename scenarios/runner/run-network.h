// SPDX-License-Identifier: GPL-2.0-only
// The network that a run's scenario asks for, ready to be used, whatever its kind.
#pragma once

#include "execution/network.h"
#include "loader/scenario-loader.h"
#include "runner/run-plan.h"
#include "trace/trace-writer.h"

#include <memory>

namespace geotrain
{

class RunNetwork
{
  public:
    virtual ~RunNetwork() = default;

    virtual Network& Get() = 0;

    /// The run begins, after Prepare(), once: from now on rate steps and outages of links are
    /// counted, others' traffic arrives, and samples of flows and links go into the trace, where
    /// the network knows of them.
    virtual void Begin(const LoadedScenario& /*scenario*/, TraceWriter& /*writer*/)
    {
    }

    /// Ends the program with a message if bytes were lost or carried twice.
    virtual void CheckConservation() const
    {
    }
};

/// One packet network a process. Throws ConfigError.
std::unique_ptr<RunNetwork> MakeRunNetwork(const LoadedScenario& scenario, const PlanStreams& plan);

} // namespace geotrain
