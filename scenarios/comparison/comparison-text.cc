// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/comparison-text.h"

#include "comparison/text-table.h"
#include "figures/answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace geotrain
{

namespace
{

/// Longest line of a variant's title; a longer title is broken between words.
constexpr std::size_t titleWidth = 26;
/// Most variants that a warning names; of more, it gives the number.
constexpr std::size_t mostNamed = 4;

/// Shown is a column of the tables: the metric, its heading, its scale and its digits.
struct Shown
{
    const char* column;
    const char* heading;
    double factor;
    int digits;
    bool isLeftOutAtZero = false; ///< no column where it is 0 for all variants
};

constexpr Shown shownOfTraining[] = {
    {iterationTimeColumn, "iteration\ns", 1, 3},
    {speedupColumn, "speed-up\nx", 1, 2},
    {"slowdown", "slow-\ndown x", 1, 2},
    {"job_fairness", "Jain,\njobs", 1, 3},
    {"gpu_utilization", "training\n%", 100, 1},
    {"fill_utilization", "fill\n%", 100, 1, true},
    {"total_utilization", "total\n%", 100, 1},
    {"total_utilization_all_gpus", "all\nGPUs %", 100, 1},
    {"requests_served_share", "served\n%", 100, 1},
    {"ttft_p50_s", "TTFT\np50 s", 1, 3},
    {"ttft_p99_s", "TTFT\np99 s", 1, 3},
    {"promise_kept_share", "TTFT\nkept %", 100, 1},
    {"prefill_tokens_per_second", "prompt\ntokens/s", 1, 0},
    {"decode_gpus", "decode\nGPUs", 1, 0},
    {"decode_utilization", "decod-\ning %", 100, 1},
    {"dedicated_gpus", "GPUs of\nits own", 1, 0},
    {"fill_job_gain", "gain\n%", 100, 1},
    {"idle_fill_drain", "fill/\ndrain %", 100, 1},
    {"idle_wan", "WAN\nwait %", 100, 1},
    {"idle_forward_backward", "fwd-\nbwd %", 100, 1},
    {"idle_imbalance", "imba-\nlance %", 100, 1, true},
    {"idle_local", "in DC\n%", 100, 1, true},
    {"idle_all_reduce", "all-\nreduce %", 100, 1},
    {"wan_utilization", "WAN\nused %", 100, 1},
    {"wan_bytes", "WAN\nGB", 1e-9, 1},
    {"retransmitted_bytes", "resent\nMB", 1e-6, 1},
};

constexpr Shown shownOfTransfers[] = {
    {completionTimeColumn, "message\nmedian s", 1, 3},
    {speedupColumn, "speed-up\nx", 1, 2},
    {"completion_time_p99_s", "message\np99 s", 1, 3},
    {"goodput_over_capacity", "goodput\n%", 100, 1},
    {"retransmitted_share", "resent\n%", 100, 1},
    {"mean_queueing_delay_s", "queueing\nms", 1000, 1},
    {"jain_index", "Jain", 1, 3},
    {"jain_index_rival", "Jain,\nrival", 1, 3},
};

constexpr Shown shownOfFlows[] = {
    {goodputColumn, "goodput\nMbit/s", 1e-6, 1},
    {speedupColumn, "times the\nfirst", 1, 2},
    {"bottleneck_utilization", "link\nused %", 100, 1},
    {"retransmitted_share", "resent\n%", 100, 2},
    {"queue_delay_p50_s", "queue\np50 ms", 1000, 1},
    {"queue_delay_p95_s", "queue\np95 ms", 1000, 1},
    {"jain_index", "Jain", 1, 3},
    {"convergence_time_s", "conver-\ngence s", 1, 1},
    {"leave_convergence_time_s", "after a\nleave s", 1, 1},
    {completionTimeColumn, "message\nmedian s", 1, 3},
    {"completion_time_p99_s", "message\np99 s", 1, 3},
};

/// What stands where a variant does not have a metric.
constexpr const char* noCell = "-";

/// Returns the digits behind the point that an interval of `halfWidth` leaves of `most`: those behind
/// its own first digit are chance.
int
DigitsWithin(double halfWidth, int most)
{
    return halfWidth > 0 ? std::clamp(static_cast<int>(-std::floor(std::log10(halfWidth))), 0, most)
                         : most;
}

std::string
CellText(const Shown& shown, const std::optional<MeanInterval>& cell, bool hasInterval)
{
    if (!cell)
    {
        return noCell;
    }
    const double mean = cell->mean * shown.factor;
    if (!hasInterval || shown.column == std::string_view(speedupColumn))
    {
        return fmt::format("{:.{}f}", mean, shown.digits);
    }
    const double halfWidth = cell->halfWidth * shown.factor;
    return fmt::format(
        "{1:.{0}f} ± {2:.{0}f}", DigitsWithin(halfWidth, shown.digits), mean, halfWidth);
}

/// Returns whether a column would tell nothing: no variant has the metric, it is 0 for all where that
/// is left out, or the same for all of several variants.
bool
IsLeftOut(const ComparisonTable& table, const Shown& shown)
{
    std::vector<std::string> texts;
    bool isZero = true;
    for (const auto& row : table.Rows())
    {
        const auto cell = table.CellOf(row, shown.column);
        isZero = isZero && (!cell || cell->mean == 0);
        texts.push_back(CellText(shown, cell, false));
    }
    const auto areAll = [&texts](const std::string& text) {
        return std::all_of(
            texts.begin(), texts.end(), [&](const auto& one) { return one == text; });
    };
    const bool isEqual = texts.size() > 1 && areAll(texts.front());
    return isEqual || areAll(noCell) || (isZero && shown.isLeftOutAtZero);
}

/// Returns what is shown of the rows, each metric once.
std::vector<Shown>
ShownOf(const ComparisonTable& table)
{
    std::vector<Shown> all;
    const auto add = [&all](const auto& ofKind)
    {
        for (const Shown& shown : ofKind)
        {
            const auto isIt = [&](const Shown& one)
            { return std::string_view(one.column) == shown.column; };
            if (std::none_of(all.begin(), all.end(), isIt))
            {
                all.push_back(shown);
            }
        }
    };
    for (const auto& row : table.Rows())
    {
        switch (table.KindOf(row.job))
        {
        case ComparedKind::Training:
            add(shownOfTraining);
            break;
        case ComparedKind::Messages:
            add(shownOfTransfers);
            break;
        case ComparedKind::Flows:
            add(shownOfFlows);
            break;
        }
    }
    return all;
}

/// Returns a sentence on what of the runs was computed by a formula; nothing where all was simulated.
std::string
PartsByFormula(const ComparisonTable& table, std::size_t width)
{
    std::set<std::string> parts;
    for (const auto& row : table.Rows())
    {
        for (const auto& summary : row.summaries)
        {
            const auto& analytic = summary.header.analytic_parts();
            parts.insert(analytic.begin(), analytic.end());
        }
    }
    auto names = fmt::format("{}", fmt::join(parts, ", "));
    std::replace(names.begin(), names.end(), '_', '-');
    return names.empty() ? ""
                         : Paragraph("by a formula instead of simulated messages: " + names, width);
}

/// Returns which of the variants gave a warning, in brackets; nothing where all did.
std::string
GiversOf(const GroupedWarning& warning, const ComparisonTable& table)
{
    const auto& rows = table.Rows();
    const auto variants = static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [](const ComparisonRow& row) { return row.job.empty(); }));
    if (warning.variants.size() == variants)
    {
        return "";
    }
    if (warning.variants.size() > mostNamed)
    {
        return fmt::format(" ({} of {} variants)", warning.variants.size(), variants);
    }
    std::vector<std::string> titles;
    for (const auto& row : rows)
    {
        const auto& names = warning.variants;
        if (row.job.empty() && std::find(names.begin(), names.end(), row.variant) != names.end())
        {
            titles.push_back(row.title);
        }
    }
    return fmt::format(" ({})", fmt::join(titles, "; "));
}

} // namespace

std::string
ComparisonText(const ComparisonTable& table, std::size_t width)
{
    auto shown = ShownOf(table);
    const auto isLeftOut = [&](const Shown& one) { return IsLeftOut(table, one); };
    const auto second =
        shown.begin() + (shown.empty() ? 0 : 1); // the first metric stays in any case
    shown.erase(std::remove_if(second, shown.end(), isLeftOut), shown.end());
    std::vector<std::string> header{"variant"};
    for (const auto& one : shown)
    {
        header.emplace_back(one.heading);
    }
    TextTable text(header);
    for (const auto& row : table.Rows())
    {
        const auto mark = WasMissedByLoss(row) ? " (no packet lost)" : "";
        std::vector<std::string> cells{BrokenIntoLines(row.title + mark, titleWidth)};
        for (const auto& one : shown)
        {
            const bool saysWhy = cells.size() == 1 && row.summaries.empty();
            cells.push_back(
                saysWhy ? fmt::format("exit {}", row.exitCode)
                        : CellText(one, table.CellOf(row, one.column), row.summaries.size() > 1));
        }
        text.AddRow(std::move(cells));
    }
    return text.Text(width) + PartsByFormula(table, width);
}

std::string
AnswerText(const ComparisonTable& table, std::size_t width)
{
    std::string text;
    for (const auto& answer : AnswersOf(table.Means()))
    {
        text += Paragraph("answer: " + answer, width);
    }
    return text;
}

std::string
WarningText(const ComparisonTable& table, std::size_t width)
{
    std::string text;
    for (const auto& warning : table.Warnings())
    {
        text += Paragraph("warning: " + warning.text + GiversOf(warning, table), width);
    }
    return text;
}

} // namespace geotrain
