// SPDX-License-Identifier: GPL-2.0-only
#include "battery/card-lines.h"

#include "battery/power-law.h"
#include "comparison/mean-interval.h"
#include "comparison/text-table.h"
#include "figures/number-with-unit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

std::string
ValueInRow(const ComparisonTable& table, const ComparisonRow& row, const std::string& path)
{
    const auto& paths = table.VariedPaths();
    const auto column =
        static_cast<std::size_t>(std::find(paths.begin(), paths.end(), path) - paths.begin());
    return column < row.values.size() ? row.values[column] : "";
}

/// Returns the criterion's metric in a run; nothing where the run lacks it.
std::optional<double>
ValueIn(const ComparisonRow& row, std::size_t seed, const Criterion& criterion)
{
    if (seed >= row.summaries.size())
    {
        return std::nullopt;
    }
    const Metric* metric = row.summaries[seed].MetricNamed(criterion.metric);
    if (metric == nullptr || criterion.overMetric.empty())
    {
        return metric == nullptr ? std::nullopt : std::optional(metric->value);
    }
    const Metric* over = row.summaries[seed].MetricNamed(criterion.overMetric);
    return over == nullptr ? std::nullopt : std::optional(metric->value / over->value);
}

/// Returns the exponent of the metric over the values of a field, in the runs of one seed.
std::optional<double>
ExponentIn(const ComparisonTable& table,
           const std::vector<const ComparisonRow*>& rows,
           std::size_t seed,
           const Criterion& criterion)
{
    std::vector<PowerLawPoint> points;
    for (const ComparisonRow* row : rows)
    {
        const auto x = ParseNumberWithUnit(ValueInRow(table, *row, criterion.exponentAcross));
        const auto y = ValueIn(*row, seed, criterion);
        if (x && y)
        {
            points.push_back({x->value, *y});
        }
    }
    return ExponentOf(points);
}

/// Returns the criterion's number of the rows of one control, in its unit, with its interval over the
/// seeds; nothing where no seed has it. It is that of the first row, or an exponent over all.
std::optional<MeanInterval>
NumberIn(const ComparisonTable& table,
         const std::vector<const ComparisonRow*>& rows,
         const Criterion& criterion)
{
    std::vector<double> numbers;
    for (std::size_t seed = 0; !rows.empty() && seed < rows.front()->summaries.size(); ++seed)
    {
        const auto number = criterion.exponentAcross.empty()
                                ? ValueIn(*rows.front(), seed, criterion)
                                : ExponentIn(table, rows, seed, criterion);
        if (number)
        {
            numbers.push_back(criterion.factor * *number);
        }
    }
    return numbers.empty() ? std::nullopt : std::optional(MeanOf(numbers));
}

std::string
NumberText(const MeanInterval& number, const std::string& unit, std::size_t seeds)
{
    const auto text =
        seeds > 1 ? ShortMean(number.mean, number.halfWidth) : ShortNumber(number.mean);
    return text + (unit.empty() ? "" : " ") + unit;
}

/// Returns the bounds and what they come from: "at least 90 %: Reno's mean".
std::string
ReferenceText(const Criterion& criterion)
{
    const auto unit = (criterion.unit.empty() ? "" : " ") + criterion.unit;
    std::string bounds;
    if (criterion.atLeast && criterion.atMost)
    {
        bounds = fmt::format("{:g} to {:g}{}: ", *criterion.atLeast, *criterion.atMost, unit);
    }
    else if (criterion.atLeast)
    {
        bounds = fmt::format("at least {:g}{}: ", *criterion.atLeast, unit);
    }
    else if (criterion.atMost)
    {
        bounds = fmt::format("at most {:g}{}: ", *criterion.atMost, unit);
    }
    return bounds + criterion.reference;
}

/// Returns how far a number is from the best one: the side of the bounds says which that is, and between
/// two bounds the middle is. Nothing where there are no bounds.
std::optional<double>
DistanceFromBest(const Criterion& criterion, double number)
{
    if (criterion.atLeast && criterion.atMost)
    {
        return std::abs(number - (*criterion.atLeast + *criterion.atMost) / 2);
    }
    if (criterion.atLeast)
    {
        return -number;
    }
    return criterion.atMost ? std::optional(number) : std::nullopt;
}

/// Returns the best number of all controls under a criterion, and its control.
std::string
BestOf(const ComparisonTable& table, const Criterion& criterion)
{
    std::optional<double> least;
    std::string best;
    for (const auto& row : table.Rows())
    {
        const auto control = ValueInRow(table, row, criterion.by);
        const auto number = NumberIn(table, RowsFor(table, criterion, control), criterion);
        const auto distance = number ? DistanceFromBest(criterion, number->mean) : std::nullopt;
        if (distance && (!least || *distance < *least))
        {
            least = distance;
            best = fmt::format(
                "{}, {}", NumberText(*number, criterion.unit, row.summaries.size()), control);
        }
    }
    return best;
}

/// Returns what the kernel's controls reach: "TcpCubic 40.2 ± 1.1 %, TcpBbr 94 % (Linux 6.18, ...)".
std::string
KernelText(const Criterion& criterion)
{
    std::vector<std::string> numbers;
    for (const KernelNumber& number : criterion.kernel)
    {
        numbers.push_back(number.control + " " +
                          NumberText({number.value, number.halfWidth.value_or(0)},
                                     criterion.unit,
                                     number.halfWidth ? 2 : 1));
    }
    return numbers.empty()
               ? ""
               : fmt::format("{} ({})", fmt::join(numbers, ", "), criterion.kernelVersion);
}

/// Returns why there is no number.
std::string
WhyNone(const std::vector<const ComparisonRow*>& rows, const Criterion& criterion)
{
    if (rows.empty())
    {
        return "no such variant";
    }
    const auto& row = *rows.front();
    if (row.summaries.empty())
    {
        return fmt::format("failed: {}", row.error);
    }
    return criterion.exponentAcross.empty()
               ? fmt::format("no {}", criterion.metric)
               : fmt::format("no two values of {}", criterion.exponentAcross);
}

} // namespace

Verdict
VerdictOn(const Criterion& criterion, const std::optional<MeanInterval>& number)
{
    if (!number)
    {
        return Verdict::NotRun;
    }
    if (!criterion.atLeast && !criterion.atMost)
    {
        return Verdict::NumberOnly;
    }
    const double low = number->mean - number->halfWidth;
    const double high = number->mean + number->halfWidth;
    const bool isWithin = (!criterion.atLeast || low >= *criterion.atLeast) &&
                          (!criterion.atMost || high <= *criterion.atMost);
    return isWithin ? Verdict::Pass : Verdict::Look;
}

std::vector<const ComparisonRow*>
RowsFor(const ComparisonTable& table, const Criterion& criterion, const std::string& control)
{
    std::vector<const ComparisonRow*> rows;
    for (const auto& row : table.Rows())
    {
        const auto has = [&](const FieldValue& value)
        { return ValueInRow(table, row, value.first) == value.second; };
        if (ValueInRow(table, row, criterion.by) == control &&
            std::all_of(criterion.where.begin(), criterion.where.end(), has))
        {
            rows.push_back(&row);
        }
    }
    return rows;
}

std::vector<CardLine>
CardLinesOf(const ComparisonTable& table,
            const std::vector<Criterion>& criteria,
            const std::string& control)
{
    std::vector<CardLine> lines;
    for (const auto& criterion : criteria)
    {
        CardLine line;
        line.what = criterion.what;
        line.reference = ReferenceText(criterion);
        line.source = criterion.source;
        const auto rows = RowsFor(table, criterion, control);
        const auto number = NumberIn(table, rows, criterion);
        line.number = number ? NumberText(*number, criterion.unit, rows.front()->summaries.size())
                             : WhyNone(rows, criterion);
        line.verdict = VerdictOn(criterion, number);
        const auto cubic = RowsFor(table, criterion, "TcpCubic");
        if (const auto itsNumber = NumberIn(table, cubic, criterion))
        {
            line.cubic = NumberText(*itsNumber, criterion.unit, cubic.front()->summaries.size());
        }
        line.best = BestOf(table, criterion);
        line.kernel = KernelText(criterion);
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace geotrain
