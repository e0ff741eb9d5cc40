// SPDX-License-Identifier: GPL-2.0-only
#include "runner/fill-jobs-run.h"

#include "units/config-error.h"

namespace geotrain
{

namespace
{

trace::Record
RecordOf(const FillJobRecord& ended)
{
    trace::Record record;
    auto& job = *record.mutable_fill_job();
    job.set_number(ended.job.number);
    job.set_model(ended.job.model);
    job.set_training(ended.job.task == FillTask::Training);
    job.set_arrival_ns(ended.job.arrival.ToNanoseconds());
    job.set_start_ns(ended.start.value_or(Instant()).ToNanoseconds());
    job.set_end_ns(ended.end.value_or(Instant()).ToNanoseconds());
    job.set_deadline_ns(ended.job.deadline.value_or(Instant()).ToNanoseconds());
    job.set_refused(ended.refused);
    job.set_flops(ended.flops);
    job.set_dedicated_flops_per_second(DedicatedFlopsPerSecond(ended.job));
    return record;
}

} // namespace

FillJobsRun::FillJobsRun(const FilledTraining& training, FillHost& host)
    : m_file(training.experiment.provenance.file),
      m_spec(training.spec),
      m_writer(training.writer),
      m_filler(
          host, training.spec.fill.jobs, training.spec.fill.workers, training.spec.fill.options)
{
    host.Add(m_filler);
}

bool
FillJobsRun::HasFailed() const
{
    return !m_filler.Failure().empty();
}

void
FillJobsRun::Finish()
{
    if (HasFailed())
    {
        throw ConfigError(m_file,
                          m_spec.NameOfField("fill_jobs"),
                          "",
                          "must have a job that fits a bubble; the first one doesn't: " +
                              m_filler.Failure());
    }
    for (const FillJobRecord& job : m_filler.Records())
    {
        m_writer.Write(RecordOf(job));
    }
}

Bytes
FillJobsRun::PeakMemory() const
{
    return m_filler.PeakMemory();
}

} // namespace geotrain
