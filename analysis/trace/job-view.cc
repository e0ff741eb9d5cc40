// SPDX-License-Identifier: GPL-2.0-only
#include "trace/job-view.h"

namespace geotrain
{

namespace
{

/// Returns `run` with the fields of its entry `job` in place of its list of jobs.
template <typename Message>
Message
OfJob(const Message& run, std::uint32_t job)
{
    Message whole = run;
    whole.clear_jobs();
    if (job < static_cast<std::uint32_t>(run.jobs_size()))
    {
        whole.MergeFrom(run.jobs(static_cast<int>(job)));
    }
    return whole;
}

} // namespace

std::vector<std::string>
JobNames(const trace::RunHeader& run)
{
    std::vector<std::string> names;
    for (const auto& job : run.jobs())
    {
        names.push_back(job.job());
    }
    return names.empty() ? std::vector<std::string>{""} : names;
}

trace::RunHeader
HeaderOfJob(const trace::RunHeader& run, std::uint32_t job)
{
    return OfJob(run, job);
}

trace::RunEnd
EndOfJob(const trace::RunEnd& run, std::uint32_t job)
{
    return OfJob(run, job);
}

bool
IsOfRun(const trace::Record& record)
{
    return record.has_link_sample() || record.has_warning() || record.has_run_end() ||
           (record.has_flow_sample() && record.flow_sample().flow_number() == 0);
}

} // namespace geotrain
