// SPDX-License-Identifier: GPL-2.0-only
// Runs the fill jobs of a scenario with PipeFill's filler, and writes into the trace what became of
// each job.
#pragma once

#include "fill-jobs/pipe-filler.h"
#include "loader/scenario-loader.h"
#include "runner/filler-run.h"
#include "trace/trace-writer.h"

namespace geotrain
{

/// FillJobsRun is PipeFill in one run.
class FillJobsRun : public FillerRun
{
  public:
    /// Adds its filler to `host`, whose bubbles are marked. All must outlive this.
    FillJobsRun(const LoadedScenario& scenario, FillHost& host, TraceWriter& writer);

    bool HasFailed() const override;
    void Finish(trace::RunEnd& end) override;
    Bytes PeakMemory() const override;

  private:
    const LoadedScenario& m_scenario;
    TraceWriter& m_writer;
    PipeFiller m_filler;
};

} // namespace geotrain
