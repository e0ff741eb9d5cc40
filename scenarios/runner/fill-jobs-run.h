// SPDX-License-Identifier: GPL-2.0-only
// Runs the fill jobs of a scenario with PipeFill's filler, and writes into the trace what became of
// each job.
#pragma once

#include "fill-jobs/pipe-filler.h"
#include "runner/filler-run.h"
#include "trace/record-sink.h"

namespace geotrain
{

/// FillJobsRun is PipeFill in one run.
class FillJobsRun : public FillerRun
{
  public:
    /// Adds its filler to `host`, whose bubbles are marked. All must outlive this.
    FillJobsRun(const FilledTraining& training, FillHost& host);

    bool HasFailed() const override;
    void Finish(trace::RunEnd& end) override;
    Bytes PeakMemory() const override;

  private:
    const std::string& m_file;
    const TrainingSpec& m_spec;
    RecordSink& m_writer;
    PipeFiller m_filler;
};

} // namespace geotrain
