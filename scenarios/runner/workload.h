// SPDX-License-Identifier: GPL-2.0-only
// What runs on a testbed. A kind of workload says which nodes it uses, begins, and writes what became
// of it; the run knows no kind (run-experiment.h).
#pragma once

#include "execution/network.h"
#include "schema/trace.pb.h"
#include "trace/record-sink.h"
#include "wan/resources.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

class Testbed;

/// WorkTimes say when a workload worked, and of which time its slowdown is measured.
struct WorkTimes
{
    Instant begin;
    Instant end;
    Instant measuredFrom;
    Instant measuredUntil; ///< as measuredFrom where it has no slowdown
};

/// A Workload is one job, one transfer, or what others send.
class Workload
{
  public:
    virtual ~Workload() = default;

    /// Returns its name among the jobs of the run; empty where it is the only workload with results.
    virtual std::string Name() const
    {
        return "";
    }

    /// Returns the pairs of the testbed's nodes between which it sends.
    virtual std::vector<NodePair> Pairs() const
    {
        return {};
    }

    /// Returns the messages that open and warm its connections before time 0.
    virtual std::vector<Network::WarmUp> WarmUps() const
    {
        return {};
    }

    /// Adds to the header what it is.
    virtual void Describe(trace::RunHeader& /*header*/) const
    {
    }

    /// Carries what comes before the connections of WarmUps() are opened. Its records go to `trace`,
    /// which outlives it. Throws UnfinishedRun.
    virtual void WarmUp(Testbed& /*testbed*/, RecordSink& /*trace*/)
    {
    }

    /// Carries what comes between that and time 0. Throws UnfinishedRun.
    virtual void Settle(Testbed& /*testbed*/)
    {
    }

    /// Begins, at time 0.
    virtual void Begin(Testbed& testbed) = 0;

    /// Returns when it ends, whatever has become of it; nullopt: when its work is done.
    virtual std::optional<Instant> End() const
    {
        return std::nullopt;
    }

    /// Returns whether its work is done. What has no work of its own, as others' traffic, is done
    /// from the beginning.
    virtual bool IsDone() const = 0;

    /// Returns when it worked, once its work is done; nothing for what others send.
    virtual std::optional<WorkTimes> Times() const
    {
        return std::nullopt;
    }

    /// Returns whether it can't go on, so that the run ends.
    virtual bool HasFailed() const
    {
        return false;
    }

    /// Returns the share of its work that is done.
    virtual double Progress() const
    {
        return 1;
    }

    /// Says in a phrase what it is doing, for who watches the run; empty for nothing worth it.
    virtual std::string Doing() const
    {
        return "";
    }

    /// Says who waits for what where its work is not done.
    virtual std::string WhoWaits() const
    {
        return "";
    }

    /// Writes its results into the trace and into `end`. Throws ConfigError where the input was at
    /// fault.
    virtual void Finish(Testbed& /*testbed*/, trace::RunEnd& /*end*/)
    {
    }

    /// Ends the program with a message where bytes were lost or carried twice. Throws ConfigError
    /// where all work was refused. It is called where all work is done.
    virtual void CheckResults() const
    {
    }
};

using Workloads = std::vector<std::unique_ptr<Workload>>;

/// Returns what `get` returns for all workloads, one after another.
template <typename Element>
std::vector<Element>
CollectFrom(const Workloads& workloads, std::vector<Element> (Workload::*get)() const)
{
    std::vector<Element> all;
    for (const auto& workload : workloads)
    {
        const auto more = ((*workload).*get)();
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

} // namespace geotrain
