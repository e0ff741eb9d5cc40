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

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <set>
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

/// Returns the folder itself, or its folders of seeds; empty where there is no run that ended.
std::vector<std::filesystem::path>
EndedRunsIn(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> runs;
    for (const auto& run : ReadableRunsOf(folder))
    {
        if (std::filesystem::exists(run.folder / "summary.csv"))
        {
            runs.push_back(run.folder);
        }
    }
    return runs;
}

/// Returns "A", "B", ..., "Z", "AA", ...
std::string
LetterOf(std::size_t result)
{
    const std::string last(1, static_cast<char>('A' + result % 26));
    return result < 26 ? last : LetterOf(result / 26 - 1) + last;
}

/// Returns whether there is a result before this one to hold it against.
bool
IsCompared(const ComparisonTable& table, const ComparisonRow& row)
{
    return &table.FirstOf(row) != &row;
}

bool
IsSpreadKnown(const ComparisonTable& table, const ComparisonRow& row)
{
    return table.FirstOf(row).summaries.size() > 1 || row.summaries.size() > 1;
}

/// Returns whether the metric differs from that of the job's first result by more than the spread
/// of seeds; nullopt for the first result itself, and where the spread is unknown or one of the two
/// has no such metric.
std::optional<bool>
Exceeds(const ComparisonTable& table, const ComparisonRow& row, const std::string& column)
{
    const auto first = SamplesOf(table.FirstOf(row), column);
    const auto own = SamplesOf(row, column);
    return !IsCompared(table, row) || first.empty() || own.empty() ? std::nullopt
                                                                   : ExceedsSpread(first, own);
}

/// Returns whether the runs of all results have the metric, with the same value.
bool
IsEqualInAll(const ComparisonTable& table, const std::string& column)
{
    std::set<double> values;
    for (const auto& row : table.Rows())
    {
        const auto samples = SamplesOf(row, column);
        if (samples.empty())
        {
            return false;
        }
        values.insert(samples.begin(), samples.end());
    }
    return values.size() == 1;
}

std::string
CellText(const ComparisonTable& table, const ComparisonRow& row, const std::string& column)
{
    const auto cell = table.CellOf(row, column);
    if (!cell)
    {
        return "-";
    }
    const auto text = SamplesOf(row, column).size() > 1 ? ShortMean(cell->mean, cell->halfWidth)
                                                        : ShortNumber(cell->mean);
    return text + (Exceeds(table, row, column).value_or(false) ? " *" : "");
}

/// Returns the first result beside those from `first` to `end`.
TextTable
PageOf(const ComparisonTable& results, std::size_t first, std::size_t end)
{
    std::vector<std::size_t> shown{0};
    std::vector<std::string> header{"metric", LetterOf(0)};
    for (auto result = first; result < end; ++result)
    {
        shown.push_back(result);
        header.push_back(LetterOf(result));
    }
    TextTable table(header);
    const auto columns = results.MetricColumns();
    for (const auto& column : columns)
    {
        if (IsEqualInAll(results, column) && column != columns.front())
        {
            continue;
        }
        std::vector<std::string> cells{column};
        for (const auto result : shown)
        {
            cells.push_back(CellText(results, results.Rows()[result], column));
        }
        table.AddRow(cells);
    }
    return table;
}

std::string
NotesOn(const ComparisonTable& table, std::size_t width)
{
    std::vector<std::string> unknown;
    std::string text = "metrics that are equal in all are left out\n";
    bool isKnown = false;
    for (std::size_t result = 1; result < table.Rows().size(); ++result)
    {
        const auto& row = table.Rows()[result];
        if (!IsCompared(table, row))
        {
            continue;
        }
        if (IsSpreadKnown(table, row))
        {
            isKnown = true;
        }
        else
        {
            unknown.push_back(LetterOf(result));
        }
    }
    text += isKnown ? "*: differs from A by more than the spread of seeds (95 %)\n" : "";
    if (!unknown.empty())
    {
        text +=
            BrokenIntoLines(
                fmt::format("the spread of seeds is unknown between A and {}: neither has several "
                            "seeds (`geotrain compare SCENARIO --seeds 1..10` runs them)",
                            fmt::join(unknown, ", ")),
                width) +
            "\n";
    }
    return text;
}

} // namespace

EarlierResults::EarlierResults(const std::vector<std::filesystem::path>& folders)
    : m_table({}, {})
{
    std::vector<ComparisonRow> results;
    for (const auto& folder : folders)
    {
        auto name = folder.lexically_normal().string();
        name.erase(name.find_last_not_of('/') + 1);
        Read(name, results);
    }
    if (results.size() < 2)
    {
        RefuseResults(folders.front().string(), "is one result; at least two are needed");
    }
    const auto isTransfer = [](const ComparisonRow& row)
    { return row.summaries.front().header.has_transfers(); };
    for (const auto& row : results)
    {
        if (isTransfer(row) != isTransfer(results.front()))
        {
            RefuseResults(row.variant, "is of bulk messages, or the first is, and not both");
        }
    }
    m_table = ComparisonTable({}, results);
}

/// Adds the results in a folder.
void
EarlierResults::Read(const std::string& folder, std::vector<ComparisonRow>& results)
{
    const std::filesystem::path path(folder);
    if (!std::filesystem::is_directory(path))
    {
        RefuseResults(folder, "must be a folder that run or compare wrote");
    }
    const auto add = [&](const std::string& name, const std::vector<std::filesystem::path>& runs)
    {
        auto& row = results.emplace_back();
        row.variant = name;
        for (const auto& run : runs)
        {
            row.summaries.push_back(SummaryOf(run));
        }
        m_traces.emplace(name, runs.front() / "trace.pb");
    };
    if (const auto runs = EndedRunsIn(path); !runs.empty())
    {
        add(folder, runs);
        return;
    }
    if (!std::filesystem::exists(path / "comparison.csv"))
    {
        const bool isRun = std::filesystem::exists(path / "scenario.textproto");
        RefuseResults(folder,
                      isRun ? "holds a run without " +
                                  std::string(std::filesystem::exists(path / "trace.pb")
                                                  ? "summary.csv: it did not end"
                                                  : "trace.pb, from which results are compared")
                            : "must hold a run that ended, or a comparison");
    }
    for (const auto& variant : VariantsListedIn(path))
    {
        if (const auto runs = EndedRunsIn(path / variant); !runs.empty())
        {
            add(folder + "/" + variant, runs);
        }
    }
}

std::string
EarlierResults::Text(std::size_t width) const
{
    const auto& rows = m_table.Rows();
    std::string text;
    for (std::size_t result = 0; result < rows.size(); ++result)
    {
        const auto seeds = rows[result].summaries.size();
        text += fmt::format("{}: {}{}\n",
                            LetterOf(result),
                            rows[result].title,
                            seeds > 1 ? fmt::format(" ({} seeds)", seeds) : "");
    }
    for (std::size_t first = 1; first < rows.size();)
    {
        auto end = first + 1;
        while (end < rows.size() && PageOf(m_table, first, end + 1).Width() <= width)
        {
            ++end;
        }
        text += "\n" + PageOf(m_table, first, end).Text();
        first = end;
    }
    return text + "\n" + NotesOn(m_table, width);
}

std::string
EarlierResults::Csv() const
{
    std::istringstream lines(m_table.Csv());
    std::string line;
    std::getline(lines, line);
    std::string csv = line + ",exceeds_spread\n";
    for (const auto& row : m_table.Rows())
    {
        std::vector<std::string> exceeding;
        for (const auto& column : m_table.MetricColumns())
        {
            if (Exceeds(m_table, row, column).value_or(false))
            {
                exceeding.push_back(column);
            }
        }
        const bool isUnknown = IsCompared(m_table, row) && !IsSpreadKnown(m_table, row);
        std::getline(lines, line);
        csv += fmt::format(
            "{},{}\n", line, isUnknown ? "unknown" : fmt::format("{}", fmt::join(exceeding, " ")));
    }
    return csv;
}

nlohmann::ordered_json
EarlierResults::Json() const
{
    auto results = nlohmann::ordered_json::array();
    for (const auto& row : m_table.Rows())
    {
        nlohmann::ordered_json one;
        one["result"] = row.variant;
        if (!row.job.empty())
        {
            one["job"] = row.job;
        }
        one["seeds"] = row.summaries.size();
        one["spread_known"] = IsSpreadKnown(m_table, row);
        for (const auto& column : m_table.MetricColumns())
        {
            const auto cell = m_table.CellOf(row, column);
            if (!cell)
            {
                continue;
            }
            auto& metric = one["metrics"][column];
            metric["mean"] = cell->mean;
            if (SamplesOf(row, column).size() > 1)
            {
                metric["ci95"] = cell->halfWidth;
            }
            if (const auto exceeds = Exceeds(m_table, row, column))
            {
                metric["exceeds_spread"] = *exceeds;
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
    auto comparison = m_table.Means();
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
    WriteReport(m_table, folder);
}

} // namespace geotrain
