// SPDX-License-Identifier: GPL-2.0-only
#include "report/run-results.h"

#include "figures/figure-files.h"
#include "figures/run-figures.h"
#include "figures/stacked-timelines-figure.h"
#include "metrics/critical-path.h"
#include "metrics/flows-csv.h"
#include "report/run-report.h"
#include "trace/job-view.h"

#include <utility>

namespace geotrain
{

RunResults::RunResults(std::filesystem::path trace)
    : m_trace(std::move(trace)),
      m_header(TraceReader(m_trace.string()).HeaderOfRun()),
      m_jobs(JobNames(m_header)),
      m_tallies(m_jobs.size())
{
    for (std::uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        TraceReader reader(m_trace.string(), job);
        if (!reader.Header().has_transfers())
        {
            m_tallies[job].emplace(reader);
            m_end = reader.EndOfRun();
        }
    }
}

Summary
RunResults::Summarize() const
{
    std::vector<Summary> summaries;
    auto end = m_end;
    for (std::uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        if (m_tallies[job])
        {
            summaries.push_back(SummaryAsFarAsItGoes(*m_tallies[job]));
            continue;
        }
        TraceReader reader(m_trace.string(), job);
        summaries.push_back(geotrain::Summarize(reader));
        end = reader.EndOfRun();
    }
    return JoinSummaries(m_header, end, std::move(summaries));
}

void
RunResults::WriteTables(const std::filesystem::path& folder) const
{
    for (std::uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        const std::string end = (m_jobs[job].empty() ? "" : "-" + m_jobs[job]) + ".csv";
        if (const auto& tally = m_tallies[job])
        {
            WriteCriticalPathCsv(CriticalPath(tally->History(), tally->LastIteration()),
                                 tally->header,
                                 folder / ("critical-path" + end));
            continue;
        }
        TraceReader reader(m_trace.string(), job);
        if (reader.Header().transfers().flows_size() > 0)
        {
            WriteFlowsCsv(FlowTally(reader), folder / ("flows" + end));
        }
    }
}

std::vector<std::filesystem::path>
RunResults::DrawFigures(const FigurePlace& folder) const
{
    Files files;
    std::vector<const RunTally*> trainings;
    for (std::uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        const auto place = folder.OfJob(m_jobs[job]);
        const auto& tally = m_tallies[job];
        if (!tally)
        {
            Append(files, DrawTransferFigures(m_trace, job, place));
        }
        else if (m_jobs.size() == 1 || tally->MeasuredIterations() > 0)
        {
            trainings.push_back(&*tally);
            Append(files, DrawRunFigures(*tally, place));
        }
    }
    if (trainings.size() > 1)
    {
        Append(files, DrawJobTimelines(trainings, folder / "timeline"));
    }
    return files;
}

} // namespace geotrain
