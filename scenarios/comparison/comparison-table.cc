// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/comparison-table.h"

#include "trace/csv-cell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace geotrain
{

namespace
{

constexpr const char* missedByLoss =
    "no packet was lost, although links lose some at random: too few were sent to tell what that "
    "loss does";

/// Returns what is to be said of the variants whose results are one draw, those that have one seed
/// and draw something; without variants where there is none.
GroupedWarning
OneDrawOf(const std::vector<ComparisonRow>& rows)
{
    std::vector<std::string> draws;
    GroupedWarning warning;
    for (const auto& row : rows)
    {
        if (!row.job.empty() || row.summaries.size() != 1 ||
            row.summaries.front().header.draws().empty())
        {
            continue;
        }
        warning.variants.push_back(row.variant);
        for (const auto& what : row.summaries.front().header.draws())
        {
            if (std::find(draws.begin(), draws.end(), what) == draws.end())
            {
                draws.push_back(what);
            }
        }
    }
    warning.text = fmt::format("one seed, that is one draw of {}: `--seeds 1..10` gives means and "
                               "95 % intervals",
                               fmt::join(draws, ", "));
    return warning;
}

/// Returns the rows, each followed by those of the jobs of its runs.
std::vector<ComparisonRow>
WithRowsOfJobs(const std::vector<ComparisonRow>& rows)
{
    std::vector<ComparisonRow> all;
    for (const auto& row : rows)
    {
        all.push_back(row);
        const auto title = row.title.empty() ? row.variant : row.title;
        all.back().title = title;
        const std::size_t jobs = row.summaries.empty() ? 0 : row.summaries.front().jobs.size();
        for (std::uint32_t job = 0; job < jobs; ++job)
        {
            auto ofJob = row;
            ofJob.jobNumber = job;
            ofJob.job = row.summaries.front().jobs[job].header.job();
            ofJob.title = title + ", job " + ofJob.job;
            for (auto& summary : ofJob.summaries)
            {
                summary = Summary(summary.jobs[job]);
            }
            all.push_back(std::move(ofJob));
        }
    }
    return all;
}

} // namespace

std::string
ColumnName(const Metric& metric)
{
    return metric.unit.empty() ? metric.name : metric.name + "_" + metric.unit;
}

std::vector<double>
SamplesOf(const ComparisonRow& row, const std::string& column)
{
    std::vector<double> samples;
    for (const auto& summary : row.summaries)
    {
        for (const auto& metric : summary.metrics)
        {
            if (ColumnName(metric) == column)
            {
                samples.push_back(metric.value);
            }
        }
    }
    return samples;
}

ComparisonTable::ComparisonTable(std::vector<std::string> variedPaths,
                                 std::vector<ComparisonRow> rows)
    : m_variedPaths(std::move(variedPaths)),
      m_rows(WithRowsOfJobs(rows))
{
}

const std::vector<ComparisonRow>&
ComparisonTable::Rows() const
{
    return m_rows;
}

const std::vector<std::string>&
ComparisonTable::VariedPaths() const
{
    return m_variedPaths;
}

std::vector<std::string>
ComparisonTable::MetricColumns() const
{
    std::vector<std::string> columns;
    for (const auto& row : m_rows)
    {
        for (const auto& summary : row.summaries)
        {
            for (const auto& metric : summary.metrics)
            {
                const auto name = ColumnName(metric);
                if (std::find(columns.begin(), columns.end(), name) == columns.end())
                {
                    columns.push_back(name);
                }
            }
        }
    }
    return columns;
}

std::optional<MeanInterval>
ComparisonTable::CellOf(const ComparisonRow& row, const std::string& column) const
{
    if (column == speedupColumn)
    {
        const auto speedup = Speedup(row);
        return speedup ? std::make_optional(MeanInterval{*speedup, 0}) : std::nullopt;
    }
    const auto samples = SamplesOf(row, column);
    // A seed without a time to first token waits for ever, and so does the mean.
    const bool mustAllHave = column.rfind("ttft_", 0) == 0;
    if (samples.empty() || (mustAllHave && samples.size() < row.summaries.size()))
    {
        return std::nullopt;
    }
    return MeanOf(samples);
}

const ComparisonRow&
ComparisonTable::FirstOf(const ComparisonRow& row) const
{
    return *std::find_if(m_rows.begin(),
                         m_rows.end(),
                         [&row](const ComparisonRow& one) { return one.job == row.job; });
}

std::optional<double>
ComparisonTable::Speedup(const ComparisonRow& row) const
{
    const auto column = MainColumn(row.job);
    const auto first = CellOf(FirstOf(row), column);
    const auto own = CellOf(row, column);
    if (!first || !own)
    {
        return std::nullopt;
    }
    return column == goodputColumn ? own->mean / first->mean : first->mean / own->mean;
}

bool
WasMissedByLoss(const ComparisonRow& row)
{
    return !row.summaries.empty() && std::all_of(row.summaries.begin(),
                                                 row.summaries.end(),
                                                 std::mem_fn(&Summary::WasMissedByLoss));
}

std::vector<GroupedWarning>
ComparisonTable::Warnings() const
{
    WarningGroups groups;
    for (const auto& row : m_rows)
    {
        if (!row.job.empty())
        {
            continue; // all jobs of a run see its warnings
        }
        for (const auto& summary : row.summaries)
        {
            for (const auto& text : summary.warnings)
            {
                groups.Add(text, row.variant);
            }
        }
        if (WasMissedByLoss(row))
        {
            groups.Add(missedByLoss, row.variant);
        }
    }
    auto warnings = groups.Get();
    if (auto oneDraw = OneDrawOf(m_rows); !oneDraw.variants.empty())
    {
        warnings.push_back(std::move(oneDraw));
    }
    return warnings;
}

ComparedKind
ComparisonTable::KindOf(const std::string& job) const
{
    auto kind = ComparedKind::Training;
    for (const auto& row : m_rows)
    {
        if (row.job == job && !row.summaries.empty() &&
            row.summaries.front().header.has_transfers())
        {
            const bool hasFlows = row.summaries.front().header.transfers().flows_size() > 0;
            kind = hasFlows || kind == ComparedKind::Flows ? ComparedKind::Flows
                                                           : ComparedKind::Messages;
        }
    }
    return kind;
}

/// Returns the column of which the rows of a job have a speed-up.
std::string
ComparisonTable::MainColumn(const std::string& job) const
{
    if (KindOf(job) == ComparedKind::Training)
    {
        return iterationTimeColumn;
    }
    const bool hasMessages =
        std::any_of(m_rows.begin(),
                    m_rows.end(),
                    [&](const ComparisonRow& row)
                    { return row.job == job && CellOf(row, completionTimeColumn).has_value(); });
    return hasMessages ? completionTimeColumn : goodputColumn;
}

bool
ComparisonTable::HasJobs() const
{
    return std::any_of(
        m_rows.begin(), m_rows.end(), [](const ComparisonRow& row) { return !row.job.empty(); });
}

bool
ComparisonTable::HasSeveralSeeds() const
{
    return std::any_of(m_rows.begin(),
                       m_rows.end(),
                       [](const ComparisonRow& row) { return row.summaries.size() > 1; });
}

std::string
ComparisonTable::Csv() const
{
    const auto columns = MetricColumns();
    std::string text = "variant,job";
    for (const auto& path : m_variedPaths)
    {
        text += "," + CsvCell(path);
    }
    for (const auto& column : columns)
    {
        text += "," + column;
    }
    text += ",speedup";
    for (const auto& column : columns)
    {
        text += HasSeveralSeeds() ? "," + column + "_ci95" : "";
    }
    const bool isMarked = std::any_of(m_rows.begin(), m_rows.end(), WasMissedByLoss);
    text += isMarked ? ",no_packet_lost\n" : "\n";
    for (const auto& row : m_rows)
    {
        text += CsvCell(row.variant) + "," + CsvCell(row.job);
        for (const auto& value : row.values)
        {
            text += "," + CsvCell(value);
        }
        for (const auto& column : columns)
        {
            const auto cell = CellOf(row, column);
            text += "," + (cell ? fmt::format("{}", cell->mean) : "");
        }
        const auto speedup = Speedup(row);
        text += "," + (speedup ? fmt::format("{}", *speedup) : "");
        for (const auto& column : columns)
        {
            const auto cell = CellOf(row, column);
            text += HasSeveralSeeds() ? "," + (cell ? fmt::format("{}", cell->halfWidth) : "") : "";
        }
        text += !isMarked ? "" : WasMissedByLoss(row) ? ",1" : ",0";
        text += "\n";
    }
    return text;
}

nlohmann::ordered_json
ComparisonTable::Json() const
{
    auto variants = nlohmann::ordered_json::array();
    for (const auto& row : m_rows)
    {
        nlohmann::ordered_json one;
        one["variant"] = row.variant;
        if (HasJobs())
        {
            one["job"] = row.job;
        }
        one["title"] = row.title;
        one["exit_code"] = row.exitCode;
        one["no_packet_lost"] = WasMissedByLoss(row);
        if (!row.error.empty())
        {
            one["error"] = row.error;
        }
        for (std::size_t i = 0; i < m_variedPaths.size(); ++i)
        {
            one[m_variedPaths[i]] = row.values[i];
        }
        for (const auto& column : MetricColumns())
        {
            if (const auto cell = CellOf(row, column))
            {
                one[column] = cell->mean;
                if (HasSeveralSeeds())
                {
                    one[column + "_ci95"] = cell->halfWidth;
                }
            }
        }
        if (const auto speedup = Speedup(row))
        {
            one["speedup"] = *speedup;
        }
        variants.push_back(one);
    }
    auto warnings = nlohmann::ordered_json::array();
    for (const auto& warning : Warnings())
    {
        warnings.push_back({{"text", warning.text}, {"variants", warning.variants}});
    }
    return {{"variants", variants}, {"warnings", warnings}};
}

Comparison
ComparisonTable::Means() const
{
    Comparison comparison{m_variedPaths, {}};
    if (HasJobs())
    {
        comparison.variedPaths.push_back("job");
    }
    for (const auto& row : m_rows)
    {
        if (row.summaries.empty())
        {
            continue;
        }
        VariantSummary variant{row.variant,
                               row.summaries.front(),
                               {},
                               {},
                               row.title,
                               row.summaries.size(),
                               row.jobNumber};
        variant.summary.completionTimes = Pooled(row.summaries, &Summary::completionTimes);
        variant.summary.ttft = Pooled(row.summaries, &Summary::ttft);
        for (const auto& summary : row.summaries)
        {
            const auto& lost = variant.summary.lostPackets; // of all seeds, for WasMissedByLoss()
            variant.summary.lostPackets = lost && summary.lostPackets
                                              ? std::optional(std::max(*lost, *summary.lostPackets))
                                              : std::nullopt;
            auto& doubt = variant.summary.doubt; // of any seed
            doubt = doubt.empty() ? summary.doubt : doubt;
        }
        for (auto& metric : variant.summary.metrics)
        {
            const auto cell = CellOf(row, ColumnName(metric));
            metric.value = cell->mean;
            metric.halfWidth = cell->halfWidth;
        }
        variant.values = row.values;
        if (HasJobs())
        {
            variant.values.push_back(row.job);
        }
        comparison.variants.push_back(variant);
    }
    return comparison;
}

} // namespace geotrain
