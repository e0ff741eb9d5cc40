// SPDX-License-Identifier: GPL-2.0-only
// Runs the fill jobs of a scenario with PipeFill's filler, and writes into the trace what became of
// each job.
#pragma once

#include "fill-jobs/pipe-filler.h"
#include "runner/filled-training.h"
#include "trace/record-sink.h"

namespace geotrain
{

/// FillJobsRun is PipeFill in one run.
class FillJobsRun
{
  public:
    /// Adds its filler to `host`, whose bubbles are marked. All must outlive this.
    FillJobsRun(const FilledTraining& training, FillHost& host);

    /// Returns whether no job can run, so that there is no use in going on.
    bool HasFailed() const;

    /// Writes the jobs into the trace. Throws ConfigError where it has failed.
    void Finish();

    /// Returns the most memory that training and a job used on one GPU.
    Bytes PeakMemory() const;

  private:
    const std::string& m_file;
    const TrainingSpec& m_spec;
    RecordSink& m_writer;
    PipeFiller m_filler;
};

} // namespace geotrain
