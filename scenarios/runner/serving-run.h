// SPDX-License-Identifier: GPL-2.0-only
// Runs the prefill service of a scenario: BubbleTea's controller, the requests, and the network of
// their KV caches. It writes into the trace what became of each request. After the run it looks for
// the smallest dedicated cluster that would serve as well.
#pragma once

#include "filling/bubble.h"
#include "prefill-service/prefill-controller.h"
#include "runner/filled-training.h"
#include "runner/kv-network.h"
#include "runner/serving-recorder.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// ServingRun is BubbleTea in one run.
class ServingRun
{
  public:
    /// Adds its filler to `host`. `memory` is by worker. The job has an inference section. All must
    /// outlive this.
    ServingRun(const FilledTraining& training,
               const std::vector<WorkerMemory>& memory,
               FillHost& host);

    /// Begins its work, after FillHost::Begin and before Executor::Run.
    void Begin();

    /// Ends what is left after the run, and writes its results into the trace and into `end`.
    void Finish(trace::RunEnd& end);

    /// Returns the most memory that training and serving used on one GPU.
    Bytes PeakMemory() const;

    /// Ends the program with a message where bytes were lost or carried twice.
    void CheckConservation() const;

    /// Throws ConfigError where requests came and all of them were refused.
    void RefuseIfAllWereRefused() const;

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
