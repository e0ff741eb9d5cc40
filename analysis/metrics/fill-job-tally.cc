// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/fill-job-tally.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the share of [startNs, endNs] that is inside `measured`; 1 or 0 for an instant.
double
ShareInside(std::int64_t startNs, std::int64_t endNs, MeasuredSpan measured)
{
    const std::int64_t from = std::max(startNs, measured.startNs);
    const std::int64_t to = std::min(endNs, measured.endNs);
    if (startNs == endNs)
    {
        return from <= to ? 1 : 0;
    }
    return static_cast<double>(std::max<std::int64_t>(to - from, 0)) /
           static_cast<double>(endNs - startNs);
}

} // namespace

void
FillJobTally::Take(const trace::Record& record)
{
    if (record.has_fill_span() && record.fill_span().kind() == trace::FILL_KIND_FILL_JOB)
    {
        m_spans.push_back(record.fill_span());
    }
    else if (record.has_fill_job())
    {
        m_jobs[record.fill_job().number()] = record.fill_job();
    }
    else if (record.has_training_hold())
    {
        m_holds.push_back(record.training_hold());
    }
}

bool
FillJobTally::IsEmpty() const
{
    return m_jobs.empty() && m_spans.empty();
}

FillJobTotals
FillJobTally::TotalsIn(MeasuredSpan measured) const
{
    constexpr double nano = 1e-9;
    FillJobTotals totals;
    for (const auto& span : m_spans)
    {
        const double share = ShareInside(span.start_ns(), span.end_ns(), measured);
        const auto lostNs = span.end_ns() - span.start_ns() - span.useful_ns();
        totals.usefulSeconds += share * nano * static_cast<double>(span.useful_ns());
        totals.discardedSeconds +=
            span.preempted() ? share * nano * static_cast<double>(lostNs) : 0;
        totals.flops += share * span.flops();
        const auto job = m_jobs.find(span.job());
        if (job != m_jobs.end() && job->second.dedicated_flops_per_second() > 0)
        {
            totals.dedicatedSeconds +=
                share * span.flops() / job->second.dedicated_flops_per_second();
        }
    }
    std::map<std::uint32_t, double> heldSeconds;
    for (const auto& hold : m_holds)
    {
        const double share =
            ShareInside(hold.ready_ns(), hold.ready_ns() + hold.held_ns(), measured);
        double& held = heldSeconds[hold.worker()];
        held += share * nano * static_cast<double>(hold.held_ns());
        totals.slowdown = std::max(totals.slowdown, held / measured.Seconds());
    }
    return totals;
}

FillJobOutcomes
FillJobTally::Outcomes() const
{
    FillJobOutcomes outcomes;
    for (const auto& [number, job] : m_jobs)
    {
        const bool hasEnded = job.end_ns() > 0;
        if (hasEnded)
        {
            outcomes.completionSeconds.push_back(
                static_cast<double>(job.end_ns() - job.arrival_ns()) / 1e9);
        }
        outcomes.refused += job.refused().empty() ? 0 : 1;
        outcomes.deadlines += job.deadline_ns() > 0 ? 1 : 0;
        outcomes.deadlinesMet +=
            job.deadline_ns() > 0 && hasEnded && job.end_ns() <= job.deadline_ns() ? 1 : 0;
    }
    return outcomes;
}

} // namespace geotrain
