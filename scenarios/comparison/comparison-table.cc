// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/comparison-table.h"

#include "comparison/mean-interval.h"
#include "comparison/text-table.h"
#include "loader/quantity-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns `text` as a CSV cell (RFC 4180).
std::string
CsvCell(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos)
    {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

/// Shown is a column of the table for people: the metric, its heading, and its scale.
struct Shown
{
    const char* column;
    const char* heading;
    double factor;
};

constexpr Shown shownColumns[] = {
    {"gpu_utilization", "GPU %", 100},
    {"idle_fill_drain", "fill/drain %", 100},
    {"idle_wan", "WAN wait %", 100},
    {"idle_forward_backward", "fwd-bwd %", 100},
    {"idle_all_reduce", "all-reduce %", 100},
    {"wan_utilization", "WAN util %", 100},
    {"wan_bytes", "WAN GB", 1e-9},
    {"retransmitted_bytes", "retransmitted MB", 1e-6},
};

constexpr Shown shownOfTransfers[] = {
    {"completion_time_p99_s", "p99 s", 1},
    {"goodput_over_capacity", "goodput %", 100},
    {"retransmitted_share", "retransmitted %", 100},
    {"mean_queueing_delay_s", "queueing ms", 1000},
    {"jain_index", "Jain", 1},
    {"jain_index_rival", "Jain, rival", 1},
};

std::string
CellText(const Shown& shown, double mean)
{
    return fmt::format("{:.{}f}", mean * shown.factor, shown.factor == 1 ? 3 : 1);
}

} // namespace

std::string
ColumnName(const Metric& metric)
{
    return metric.unit.empty() ? metric.name : metric.name + "_" + metric.unit;
}

ComparisonTable::ComparisonTable(std::vector<std::string> variedPaths,
                                 std::vector<ComparisonRow> rows)
    : m_variedPaths(std::move(variedPaths)),
      m_rows(std::move(rows))
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

std::optional<ComparisonTable::Cell>
ComparisonTable::CellOf(const ComparisonRow& row, const std::string& column) const
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
    if (samples.empty())
    {
        return std::nullopt;
    }
    const auto interval = MeanOf(samples);
    return Cell{interval.mean, interval.halfWidth};
}

std::optional<double>
ComparisonTable::Speedup(const ComparisonRow& row) const
{
    const auto first = CellOf(m_rows.front(), MainColumn());
    const auto own = CellOf(row, MainColumn());
    if (!first || !own)
    {
        return std::nullopt;
    }
    return first->mean / own->mean;
}

std::vector<ComparedWarning>
ComparisonTable::Warnings() const
{
    std::vector<ComparedWarning> warnings;
    for (const auto& row : m_rows)
    {
        for (const auto& summary : row.summaries)
        {
            for (const auto& text : summary.warnings)
            {
                auto found =
                    std::find_if(warnings.begin(),
                                 warnings.end(),
                                 [&text](const auto& other) { return other.text == text; });
                if (found == warnings.end())
                {
                    found = warnings.insert(found, {text, {}});
                }
                if (found->variants.empty() || found->variants.back() != row.variant)
                {
                    found->variants.push_back(row.variant);
                }
            }
        }
    }
    return warnings;
}

std::string
ComparisonTable::WarningText() const
{
    std::string text;
    for (const auto& warning : Warnings())
    {
        const bool isOfAll = warning.variants.size() == m_rows.size();
        text += fmt::format("warning: {}{}\n",
                            warning.text,
                            isOfAll ? "" : fmt::format(" ({})", fmt::join(warning.variants, ", ")));
    }
    return text;
}

bool
ComparisonTable::IsOfTransfers() const
{
    return std::any_of(m_rows.begin(),
                       m_rows.end(),
                       [](const ComparisonRow& row) {
                           return !row.summaries.empty() &&
                                  row.summaries.front().header.has_transfers();
                       });
}

std::string
ComparisonTable::MainColumn() const
{
    return IsOfTransfers() ? completionTimeColumn : iterationTimeColumn;
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
    std::string text = "variant";
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
    text += "\n";
    for (const auto& row : m_rows)
    {
        text += CsvCell(row.variant);
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
        one["exit_code"] = row.exitCode;
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

std::string
ComparisonTable::Text() const
{
    std::vector<Shown> columns(std::begin(shownColumns), std::end(shownColumns));
    if (IsOfTransfers())
    {
        columns.assign(std::begin(shownOfTransfers), std::end(shownOfTransfers));
    }
    std::vector<std::string> header{
        "variant", IsOfTransfers() ? "message s" : "iteration s", "speed-up"};
    for (const auto& shown : columns)
    {
        header.emplace_back(shown.heading);
    }
    TextTable table(header);
    for (const auto& row : m_rows)
    {
        const auto time = CellOf(row, MainColumn());
        const auto speedup = Speedup(row);
        std::string shownTime =
            time ? fmt::format("{:.3f}", time->mean) : fmt::format("failed, exit {}", row.exitCode);
        if (time && row.summaries.size() > 1)
        {
            shownTime += fmt::format(" ± {:.3f}", time->halfWidth);
        }
        std::vector<std::string> cells{
            row.variant, shownTime, speedup ? fmt::format("{:.2f}x", *speedup) : "-"};
        for (const auto& shown : columns)
        {
            const auto cell = CellOf(row, shown.column);
            cells.push_back(cell ? CellText(shown, cell->mean) : "-");
        }
        table.AddRow(cells);
    }
    return table.Text();
}

Comparison
ComparisonTable::Means() const
{
    Comparison comparison{m_variedPaths, {}};
    for (const auto& row : m_rows)
    {
        if (row.summaries.empty())
        {
            continue;
        }
        VariantSummary variant{row.variant, row.summaries.front()};
        for (auto& metric : variant.summary.metrics)
        {
            const auto cell = CellOf(row, ColumnName(metric));
            metric.value = cell->mean;
            metric.halfWidth = cell->halfWidth;
        }
        for (const auto& value : row.values)
        {
            variant.values.push_back({value, SecondsIn(value)});
        }
        comparison.variants.push_back(variant);
    }
    return comparison;
}

} // namespace geotrain
