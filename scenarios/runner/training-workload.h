// SPDX-License-Identifier: GPL-2.0-only
// Runs one training job on a testbed: its streams, its messages on the job's nodes, what fills its
// bubbles, and what becomes of all that in the trace.
#pragma once

#include "execution/node-view.h"
#include "execution/plan-run.h"
#include "execution/repetition-watch.h"
#include "loader/experiment.h"
#include "runner/baseline.h"
#include "runner/fill-run.h"
#include "runner/in-network-run.h"
#include "runner/loss-warnings.h"
#include "runner/trace-recorder.h"
#include "runner/workload.h"
#include "training-plan/plan-streams.h"

#include <memory>
#include <optional>

namespace geotrain
{

/// TrainingWorkload is one training job in one run.
class TrainingWorkload : public Workload
{
  public:
    /// `spec` is a job of `experiment`; both must outlive this. Throws ConfigError.
    TrainingWorkload(const Experiment& experiment,
                     const TrainingSpec& spec,
                     const Baseline& baseline);
    ~TrainingWorkload() override;

    std::string Name() const override;
    std::vector<NodePair> Pairs() const override;
    std::vector<Network::WarmUp> WarmUps() const override;
    void Describe(trace::RunHeader& header) const override;
    void WarmUp(Testbed& testbed, RecordSink& trace) override;
    void Settle(Testbed& testbed) override;
    void Begin(Testbed& testbed) override;
    bool IsDone() const override;
    std::optional<WorkTimes> Times() const override;
    bool HasFailed() const override;
    double Progress() const override;
    std::string Doing() const override;
    std::string WhoWaits() const override;
    void Finish(Testbed& testbed, trace::RunEnd& end) override;
    void CheckResults() const override;

  private:
    class ComputationCount;

    void BeginNow(Testbed& testbed);
    std::uint32_t RepeatedIterations() const;
    PlanRunSettings RehearsalSettings() const;
    Rehearsal RehearseFor(const Testbed& testbed) const;

    const Experiment& m_experiment;
    const TrainingSpec& m_spec;
    Baseline m_baseline;
    PlanStreams m_plan;
    /// Why replicas that are alike may be in lockstep on this network, which warns of it; empty: they
    /// don't meet, or there are packets, whose losses and bursts put them out of step.
    std::string m_meeting;
    RecordSink* m_trace = nullptr; ///< from the warm-up on
    std::unique_ptr<NodeView>
        m_view; ///< where the job has not all nodes of the testbed, or classes
    std::unique_ptr<PlanRun> m_run;
    std::unique_ptr<MessageLayer> m_layerOfOthers; ///< of fillers; null: they take the run's
    std::unique_ptr<TraceRecorder> m_recorder;
    std::unique_ptr<ComputationCount> m_computations;
    std::unique_ptr<WarmUpLosses> m_warmUpLosses;
    std::unique_ptr<RepetitionWatch> m_repetition; ///< null: all iterations are simulated
    std::unique_ptr<InNetworkRun> m_inNetwork;
    std::unique_ptr<FillRun> m_fills;
};

} // namespace geotrain
