// SPDX-License-Identifier: GPL-2.0-only
// A result with several seeds has a spread. Two of these differ beyond it by Welch's t-test at 95 %;
// a single run differs from one where it is outside of the interval in which 95 % of single runs
// are expected.
#include "comparison/earlier-results.h"

#include "comparison/mean-interval.h"
#include "comparison/planned-runs.h"
#include "comparison/table-report.h"
#include "comparison/text-table.h"
#include "figures/comparison-figures.h"
#include "runner/stderr-text.h"
#include "trace/result-file.h"
#include "trace/result-folder.h"
#include "units/config-error.h"
#include "units/csv-cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace geotrain
{

namespace
{

[[noreturn]] void
RefuseResults(const std::string& folder, const std::string& rule)
{
    throw ConfigError("--results", "", folder, rule);
}

bool
HasRun(const std::filesystem::path& folder)
{
    return std::filesystem::exists(folder / "summary.csv") && WhyNoTrace(folder).empty();
}

/// Returns the folder itself, or its folders of seeds; empty where there is no run that ended.
std::vector<std::filesystem::path>
EndedRunsIn(const std::filesystem::path& folder)
{
    if (HasRun(folder))
    {
        return {folder};
    }
    std::vector<std::filesystem::path> runs;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (entry.path().filename().string().rfind("seed-", 0) == 0 && HasRun(entry.path()))
        {
            runs.push_back(entry.path());
        }
    }
    std::sort(runs.begin(), runs.end());
    return runs;
}

/// Returns the variants of a comparison, each once, in its order.
std::vector<std::string>
VariantsIn(const std::filesystem::path& folder)
{
    std::ifstream file(folder / "comparison.csv");
    std::string line;
    std::getline(file, line);
    std::vector<std::string> variants;
    while (std::getline(file, line))
    {
        const auto name = CsvCells(line).front();
        if (std::find(variants.begin(), variants.end(), name) == variants.end())
        {
            variants.push_back(name);
        }
    }
    return variants;
}

/// Returns "A", "B", ..., "Z", "AA", ...
std::string
LetterOf(std::size_t result)
{
    const std::string last(1, static_cast<char>('A' + result % 26));
    return result < 26 ? last : LetterOf(result / 26 - 1) + last;
}

} // namespace

EarlierResults::EarlierResults(const std::vector<std::filesystem::path>& folders)
{
    for (const auto& folder : folders)
    {
        Read(folder.lexically_normal());
    }
    if (m_rows.size() < 2)
    {
        RefuseResults(folders.front().string(), "is one result; at least two are needed");
    }
    const auto isTransfer = [](const ComparisonRow& row)
    { return row.summaries.front().header.has_transfers(); };
    for (const auto& row : m_rows)
    {
        if (isTransfer(row) != isTransfer(m_rows.front()))
        {
            RefuseResults(row.variant, "is of bulk messages, or the first is, and not both");
        }
    }
    m_rows = WithRowsOfJobs(m_rows);
}

void
EarlierResults::Read(const std::filesystem::path& folder)
{
    auto name = folder.string();
    name.erase(name.find_last_not_of('/') + 1);
    if (!std::filesystem::is_directory(folder))
    {
        RefuseResults(name, "must be a folder that run or compare wrote");
    }
    if (const auto runs = EndedRunsIn(folder); !runs.empty())
    {
        Add(name, runs);
        return;
    }
    if (!std::filesystem::exists(folder / "comparison.csv"))
    {
        const bool isRun = std::filesystem::exists(folder / "scenario.textproto");
        RefuseResults(name,
                      isRun ? "holds a run without " +
                                  std::string(std::filesystem::exists(folder / "trace.pb")
                                                  ? "summary.csv: it did not end"
                                                  : "trace.pb, from which results are compared")
                            : "must hold a run that ended, or a comparison");
    }
    for (const auto& variant : VariantsIn(folder))
    {
        const auto own = folder / variant;
        if (std::filesystem::is_directory(own) && !EndedRunsIn(own).empty())
        {
            Add(name + "/" + variant, EndedRunsIn(own));
        }
    }
}

void
EarlierResults::Add(const std::string& name, const std::vector<std::filesystem::path>& runs)
{
    ComparisonRow row;
    row.variant = name;
    for (const auto& run : runs)
    {
        row.summaries.push_back(SummaryOf(run));
    }
    m_rows.push_back(std::move(row));
    m_traces.emplace(name, runs.front() / "trace.pb");
}

std::vector<double>
EarlierResults::SamplesOf(std::size_t result, const std::string& column) const
{
    std::vector<double> samples;
    for (const auto& summary : m_rows[result].summaries)
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

std::vector<std::string>
EarlierResults::Columns() const
{
    std::vector<std::string> columns;
    for (const auto& row : m_rows)
    {
        for (const auto& metric : row.summaries.front().metrics)
        {
            const auto name = ColumnName(metric);
            if (std::find(columns.begin(), columns.end(), name) == columns.end())
            {
                columns.push_back(name);
            }
        }
    }
    return columns;
}

/// Returns the first result of the same job.
std::size_t
EarlierResults::FirstOf(std::size_t result) const
{
    const auto first =
        std::find_if(m_rows.begin(),
                     m_rows.end(),
                     [&](const ComparisonRow& row) { return row.job == m_rows[result].job; });
    return static_cast<std::size_t>(first - m_rows.begin());
}

bool
EarlierResults::IsSpreadKnown(std::size_t result) const
{
    return m_rows[FirstOf(result)].summaries.size() > 1 || m_rows[result].summaries.size() > 1;
}

/// Returns whether the metric differs from that of the job's first result by more than the spread
/// of seeds; nullopt where the spread is unknown or one of the two has no such metric.
std::optional<bool>
EarlierResults::Exceeds(std::size_t result, const std::string& column) const
{
    const auto first = SamplesOf(FirstOf(result), column);
    const auto own = SamplesOf(result, column);
    if (first.empty() || own.empty())
    {
        return std::nullopt;
    }
    return ExceedsSpread(first, own);
}

bool
EarlierResults::Differs(const std::string& column) const
{
    const double first = SamplesOf(0, column).empty() ? 0 : SamplesOf(0, column).front();
    for (std::size_t result = 0; result < m_rows.size(); ++result)
    {
        const auto samples = SamplesOf(result, column);
        const auto isOther = [first](double sample) { return sample != first; };
        if (samples.empty() || std::any_of(samples.begin(), samples.end(), isOther))
        {
            return true;
        }
    }
    return false;
}

/// Returns whether there is a result before this one to hold it against.
bool
EarlierResults::IsCompared(std::size_t result) const
{
    return FirstOf(result) != result;
}

/// Returns the table of the results; it makes the rows of jobs itself.
ComparisonTable
EarlierResults::Table() const
{
    auto rows = m_rows;
    const auto isOfJob = [](const ComparisonRow& row) { return !row.job.empty(); };
    rows.erase(std::remove_if(rows.begin(), rows.end(), isOfJob), rows.end());
    return {{}, rows};
}

std::string
EarlierResults::CellOf(std::size_t result, const std::string& column) const
{
    const auto samples = SamplesOf(result, column);
    if (samples.empty())
    {
        return "-";
    }
    const auto interval = MeanOf(samples);
    const auto text = samples.size() > 1 ? ShortMean(interval.mean, interval.halfWidth)
                                         : ShortNumber(interval.mean);
    return text + (IsCompared(result) && Exceeds(result, column).value_or(false) ? " *" : "");
}

/// Returns the first result beside those from `first` to `end`.
TextTable
EarlierResults::Page(std::size_t first, std::size_t end) const
{
    std::vector<std::string> header{"metric", LetterOf(0)};
    for (auto result = first; result < end; ++result)
    {
        header.push_back(LetterOf(result));
    }
    TextTable table(header);
    for (const auto& column : Columns())
    {
        if (!Differs(column) && column != Columns().front())
        {
            continue;
        }
        std::vector<std::string> cells{column, CellOf(0, column)};
        for (auto result = first; result < end; ++result)
        {
            cells.push_back(CellOf(result, column));
        }
        table.AddRow(cells);
    }
    return table;
}

std::string
EarlierResults::Notes(std::size_t width) const
{
    std::string unknown;
    bool isKnown = false;
    for (std::size_t result = 1; result < m_rows.size(); ++result)
    {
        if (!IsCompared(result))
        {
            continue;
        }
        isKnown = isKnown || IsSpreadKnown(result);
        unknown += IsSpreadKnown(result) ? "" : (unknown.empty() ? "" : ", ") + LetterOf(result);
    }
    std::string text = "metrics that are equal in all are left out\n";
    text += isKnown ? "*: differs from A by more than the spread of seeds (95 %)\n" : "";
    if (!unknown.empty())
    {
        text +=
            BrokenIntoLines(
                fmt::format("the spread of seeds is unknown between A and {}: neither has several "
                            "seeds (`geotrain compare SCENARIO --seeds 1..10` runs them)",
                            unknown),
                width) +
            "\n";
    }
    return text;
}

std::string
EarlierResults::Text(std::size_t width) const
{
    std::string text;
    for (std::size_t result = 0; result < m_rows.size(); ++result)
    {
        const auto& row = m_rows[result];
        const auto seeds = row.summaries.size();
        text += fmt::format("{}: {}{}\n",
                            LetterOf(result),
                            row.title,
                            seeds > 1 ? fmt::format(" ({} seeds)", seeds) : "");
    }
    for (std::size_t first = 1; first < m_rows.size();)
    {
        auto end = first + 1;
        while (end < m_rows.size() && Page(first, end + 1).Width() <= width)
        {
            ++end;
        }
        text += "\n" + Page(first, end).Text();
        first = end;
    }
    return text + "\n" + Notes(width);
}

std::string
EarlierResults::Csv() const
{
    std::istringstream lines(Table().Csv());
    std::string line;
    std::getline(lines, line);
    std::string csv = line + ",exceeds_spread\n";
    for (std::size_t result = 0; std::getline(lines, line); ++result)
    {
        std::string exceeding;
        for (const auto& column : Columns())
        {
            if (IsCompared(result) && Exceeds(result, column).value_or(false))
            {
                exceeding += (exceeding.empty() ? "" : " ") + column;
            }
        }
        const bool isUnknown = IsCompared(result) && !IsSpreadKnown(result);
        csv += line + "," + (isUnknown ? "unknown" : exceeding) + "\n";
    }
    return csv;
}

nlohmann::ordered_json
EarlierResults::Json() const
{
    auto results = nlohmann::ordered_json::array();
    for (std::size_t result = 0; result < m_rows.size(); ++result)
    {
        nlohmann::ordered_json one;
        one["result"] = m_rows[result].variant;
        if (!m_rows[result].job.empty())
        {
            one["job"] = m_rows[result].job;
        }
        one["seeds"] = m_rows[result].summaries.size();
        one["spread_known"] = IsSpreadKnown(result);
        for (const auto& column : Columns())
        {
            const auto samples = SamplesOf(result, column);
            if (samples.empty())
            {
                continue;
            }
            const auto interval = MeanOf(samples);
            one["metrics"][column]["mean"] = interval.mean;
            if (samples.size() > 1)
            {
                one["metrics"][column]["ci95"] = interval.halfWidth;
            }
            if (const auto exceeds = Exceeds(result, column); IsCompared(result) && exceeds)
            {
                one["metrics"][column]["exceeds_spread"] = *exceeds;
            }
        }
        results.push_back(one);
    }
    return {{"results", results}};
}

void
EarlierResults::Write(const std::filesystem::path& folder) const
{
    WriteIntoPlace(folder / "comparison.csv", Csv());
    const auto table = Table();
    auto comparison = table.Means();
    for (auto& variant : comparison.variants)
    {
        variant.trace = m_traces.at(variant.variant);
    }
    try
    {
        DrawComparisonFigures(comparison, folder / "figures");
    }
    catch (const TraceError& error)
    {
        PrintToStderr("geotrain: warning: no figures: {}\n", error.what());
    }
    WriteReport(table, folder);
}

} // namespace geotrain
