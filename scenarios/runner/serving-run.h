// SPDX-License-Identifier: GPL-2.0-only
// Runs the prefill service of a scenario: BubbleTea's controller, the requests, and the network of
// their KV caches. It writes into the trace what became of each request. After the run it looks for
// the smallest dedicated cluster that would serve as well.
#pragma once

#include "filling/bubble.h"
#include "prefill-service/prefill-controller.h"
#include "runner/filler-run.h"
#include "runner/kv-network.h"
#include "runner/serving-recorder.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// ServingRun is BubbleTea in one run.
class ServingRun : public FillerRun
{
  public:
    /// Adds its filler to `host`. `memory` is by worker. The job has an inference section. All must
    /// outlive this.
    ServingRun(const FilledTraining& training,
               const std::vector<WorkerMemory>& memory,
               FillHost& host);

    void Begin() override;
    void Finish(trace::RunEnd& end) override;
    Bytes PeakMemory() const override;
    void CheckConservation() const override;
    void RefuseIfAllWereRefused() const override;

  private:
    void CompareWithDedicated(trace::RunEnd& end) const;

    const std::string& m_file;
    const TrainingSpec& m_spec;
    const InferenceSection& m_inference;
    const std::vector<WorkerMemory>& m_memory;
    ServingRecorder m_recorder;
    KvNetwork m_kvNetwork;
    std::unique_ptr<RequestSource> m_source;
    ServingTimes m_times;
    PrefillController m_controller;
};

} // namespace geotrain
