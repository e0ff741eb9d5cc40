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

    /// From now on samples of flows and links go into the trace. Not every network has any.
    virtual void RecordSamples(TraceWriter& /*writer*/)
    {
    }

    /// Rate steps and outages of links are counted from now on, where the network knows of them. After Prepare(), once.
    virtual void BeginSchedules()
    {
    }

    /// Others' traffic begins, where the scenario has some and the network knows of it.
    virtual void BeginCrossTraffic(const LoadedScenario& /*scenario*/)
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
