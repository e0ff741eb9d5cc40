// SPDX-License-Identifier: GPL-2.0-only
// Sends the flows of a scenario's transfer side by side, for a time. Two clocks run: the flows have one
// that begins with their warm-up, and the network's own begins with the measurement, so that links,
// cross traffic and the trace count from there.
#pragma once

#include "loader/experiment.h"
#include "runner/fair-shares.h"
#include "runner/workload.h"

#include <memory>

namespace geotrain
{

class MeasuredFlows;

/// FlowsWorkload is the flows of one run.
class FlowsWorkload : public Workload
{
  public:
    /// `experiment` has a transfer of flows, and must outlive this.
    explicit FlowsWorkload(const Experiment& experiment);
    ~FlowsWorkload() override;

    std::string Name() const override;
    std::vector<NodePair> Pairs() const override;
    void Describe(trace::RunHeader& header) const override;
    void WarmUp(Testbed& testbed, RecordSink& trace) override;
    void Begin(Testbed& testbed) override;
    std::optional<Instant> End() const override;
    bool IsDone() const override;
    std::optional<WorkTimes> Times() const override;
    double Progress() const override;
    std::string Doing() const override;
    std::string WhoWaits() const override;
    void Finish(Testbed& testbed, trace::RunEnd& end) override;

  private:
    const Experiment& m_experiment;
    std::unique_ptr<MeasuredFlows> m_flows; ///< from the warm-up on
};

} // namespace geotrain
