// SPDX-License-Identifier: GPL-2.0-only
// The fill jobs of a run: PipeFill's filler, and what became of each job in the trace.
#pragma once

#include "fill-jobs/pipe-filler.h"
#include "loader/scenario-loader.h"
#include "runner/filler-run.h"
#include "trace/trace-writer.h"

namespace geotrain
{

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
