// SPDX-License-Identifier: GPL-2.0-only
// The prefill service of a run: BubbleTea's controller, the requests of the scenario, the network
// of their KV caches, and what became of each request in the trace. After the run it looks for the
// smallest cluster of GPUs of its own that would serve as well.
#pragma once

#include "filling/bubble.h"
#include "loader/scenario-loader.h"
#include "prefill-service/prefill-controller.h"
#include "runner/filler-run.h"
#include "runner/kv-network.h"
#include "runner/run-plan.h"
#include "runner/serving-recorder.h"

#include <memory>
#include <vector>

namespace geotrain
{

class ServingRun : public FillerRun
{
  public:
    /// Adds its filler to `host`. `memory` is by worker. The scenario has an inference section. All
    /// must outlive this.
    ServingRun(const LoadedScenario& scenario,
               const std::vector<WorkerMemory>& memory,
               const PlanStreams& plan,
               MessageLayer& layer,
               FillHost& host,
               TraceWriter& writer);

    void Begin() override;
    void Finish(trace::RunEnd& end) override;
    Bytes PeakMemory() const override;
    void CheckConservation() const override;
    void RefuseIfAllWereRefused() const override;

  private:
    void CompareWithDedicated(trace::RunEnd& end) const;

    const LoadedScenario& m_scenario;
    const InferenceSection& m_inference;
    const std::vector<WorkerMemory>& m_memory;
    ServingRecorder m_recorder;
    KvNetwork m_kvNetwork;
    std::unique_ptr<RequestSource> m_source;
    ServingTimes m_times;
    PrefillController m_controller;
};

} // namespace geotrain
