// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/expectations.h"

#include "comparison/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr const char* intervalSuffix = "_ci95"; // as in comparison.csv

/// Returns the value of a metric that is named as in summary.csv, or as a column of comparison.csv.
std::optional<double>
ValueIn(const Summary& summary, const std::string& name)
{
    for (const auto& metric : summary.metrics)
    {
        if (metric.name == name || ColumnName(metric) == name)
        {
            return metric.value;
        }
    }
    return std::nullopt;
}

/// Returns the column of comparison.csv that holds a metric of the row's runs.
std::string
ColumnOf(const ComparisonRow& row, const std::string& metric)
{
    for (const auto& summary : row.summaries)
    {
        for (const auto& one : summary.metrics)
        {
            if (one.name == metric)
            {
                return ColumnName(one);
            }
        }
    }
    return metric;
}

/// Returns the mean of a metric over the row's seeds, or the half width of its interval where the
/// metric's name ends with intervalSuffix.
std::optional<double>
GivenIn(const ComparisonTable& table, const ComparisonRow& row, const std::string& metric)
{
    const std::string suffix = intervalSuffix;
    const bool isInterval =
        metric.size() > suffix.size() &&
        metric.compare(metric.size() - suffix.size(), suffix.size(), suffix) == 0;
    const auto name = isInterval ? metric.substr(0, metric.size() - suffix.size()) : metric;
    const auto cell = table.CellOf(row, ColumnOf(row, name));
    return !cell        ? std::nullopt
           : isInterval ? std::make_optional(cell->halfWidth)
                        : std::make_optional(cell->mean);
}

} // namespace

bool
ExpectedValue::Holds() const
{
    return given && std::abs(*given - value) <= tolerance * (value == 0 ? 1 : std::abs(value));
}

std::vector<ExpectedValue>
GivenBy(const ComparisonTable& table, const std::vector<ListedExpectation>& expectations)
{
    std::vector<ExpectedValue> given;
    const auto& rows = table.Rows();
    for (const auto& expected : expectations)
    {
        ExpectedValue value{expected};
        bool isThere = false;
        for (const auto& row : rows)
        {
            const bool isOfVariant = row.variant == expected.variant;
            isThere = isThere || isOfVariant;
            if (isOfVariant && row.job == expected.job)
            {
                value.given = GivenIn(table, row, expected.metric);
            }
        }
        if (isThere)
        {
            given.push_back(value);
        }
    }
    return given;
}

std::vector<ExpectedValue>
GivenBy(const Summary& run, const std::vector<ListedExpectation>& expectations)
{
    std::vector<ExpectedValue> given;
    for (const auto& expected : expectations)
    {
        if (expected.variant.empty())
        {
            given.push_back({expected});
            for (const auto* part : PartsOf(run))
            {
                if (part->header.job() == expected.job)
                {
                    given.back().given = ValueIn(*part, expected.metric);
                }
            }
        }
    }
    return given;
}

std::string
ExpectationText(const std::vector<ExpectedValue>& given)
{
    if (given.empty())
    {
        return "";
    }
    const auto held = std::count_if(
        given.begin(), given.end(), [](const ExpectedValue& one) { return one.Holds(); });
    auto text = fmt::format("expected values: {} of {} hold\n", held, given.size());
    for (const auto& one : given)
    {
        if (!one.Holds())
        {
            text += fmt::format("  {}{}{}{} is {}, not {} within {} {}\n",
                                one.variant,
                                one.variant.empty() ? "" : ": ",
                                one.metric,
                                one.job.empty() ? "" : " of job " + one.job,
                                one.given ? ShortNumber(*one.given) : "not there",
                                ShortNumber(one.value),
                                one.value == 0 ? one.tolerance : 100 * one.tolerance,
                                one.value == 0 ? "around it" : "%");
        }
    }
    return text;
}

nlohmann::ordered_json
ExpectationJson(const std::vector<ExpectedValue>& given)
{
    auto array = nlohmann::ordered_json::array();
    for (const auto& one : given)
    {
        nlohmann::ordered_json object;
        if (!one.variant.empty())
        {
            object["variant"] = one.variant;
        }
        if (!one.job.empty())
        {
            object["job"] = one.job;
        }
        object["metric"] = one.metric;
        object["value"] = one.value;
        object["tolerance"] = one.tolerance;
        if (one.given)
        {
            object["given"] = *one.given;
        }
        object["holds"] = one.Holds();
        array.push_back(object);
    }
    return array;
}

} // namespace geotrain
