// SPDX-License-Identifier: GPL-2.0-only
// Where the parts of a run write their records: into the trace, or through a job's writer, which says
// whose they are.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>

namespace geotrain
{

/// RecordSink takes the records of a run in the order in which they end.
class RecordSink
{
  public:
    virtual ~RecordSink() = default;

    /// Writes any record but a RunHeader or a RunEnd.
    virtual void Write(const trace::Record& record) = 0;
};

/// JobTraceWriter writes the records of one job into the trace of its run.
class JobTraceWriter : public RecordSink
{
  public:
    /// `run` must outlive it. `job` is the job's number.
    JobTraceWriter(RecordSink& run, std::uint32_t job)
        : m_run(run),
          m_job(job)
    {
    }

    void Write(const trace::Record& record) override
    {
        trace::Record ofJob = record;
        ofJob.set_job(m_job);
        m_run.Write(ofJob);
    }

  private:
    RecordSink& m_run;
    std::uint32_t m_job;
};

} // namespace geotrain
