// SPDX-License-Identifier: GPL-2.0-only
#include "figures/sweeps.h"

#include "figures/figure.h"
#include "figures/number-with-unit.h"
#include "figures/spread-text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

namespace geotrain
{

namespace
{

bool
IsDelayOfLinks(const std::string& path)
{
    const std::string list = "wan_link[";
    const std::string field = "].delay";
    return path.rfind(list, 0) == 0 && path.size() > field.size() &&
           path.compare(path.size() - field.size(), field.size(), field) == 0;
}

/// Returns the last part of a field's path.
std::string
FieldOf(const std::string& path)
{
    return path.substr(path.rfind('.') == std::string::npos ? 0 : path.rfind('.') + 1);
}

/// Returns the names of the varied fields but the swept one, as text.
std::vector<std::string>
OthersOf(const Comparison& comparison, std::size_t column)
{
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < comparison.variedPaths.size(); ++i)
    {
        if (i != column)
        {
            fields.push_back(FieldOf(comparison.variedPaths[i]));
            std::replace(fields.back().begin(), fields.back().end(), '_', ' ');
        }
    }
    return fields;
}

std::vector<std::string>
ValuesWithout(const VariantSummary& variant, std::size_t column)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < variant.values.size(); ++i)
    {
        if (i != column)
        {
            texts.push_back(variant.values[i]);
        }
    }
    return texts;
}

std::string
CommonStart(const std::string& a, const std::string& b)
{
    const auto end = std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin());
    return {a.begin(), end.first};
}

/// Returns the parts of a title between its commas.
std::vector<std::string>
PartsOf(const std::string& title)
{
    std::vector<std::string> parts;
    for (std::size_t from = 0; from < title.size();)
    {
        const auto comma = std::min(title.find(", ", from), title.size());
        parts.push_back(title.substr(from, comma - from));
        from = comma + 2;
    }
    return parts;
}

/// Draft is a series while it is collected.
struct Draft
{
    std::vector<std::string> others; // values of all varied paths but the swept one
    std::string start;               // beginning that the titles of its variants share
    std::vector<std::string> parts;  // of the first title, those that all titles have
    std::map<double, std::size_t> variants;
};

/// Keeps of a draft's name what the title of one more of its variants has too.
void
KeepCommon(Draft& draft, const std::string& title)
{
    draft.start = CommonStart(draft.start, title);
    const auto parts = PartsOf(title);
    const auto isMissing = [&](const std::string& part)
    { return std::find(parts.begin(), parts.end(), part) == parts.end(); };
    draft.parts.erase(std::remove_if(draft.parts.begin(), draft.parts.end(), isMissing),
                      draft.parts.end());
}

/// Returns the one value that sets the series apart, a number behind its field's name; `fields` are
/// the names of those that `others` are of. Without a single one, the parts of the titles
/// that its variants share, such as "4 microbatches, GPipe"; without these, the beginning that the
/// titles share, without the connecting marks at its end.
std::string
NameOf(const Draft& draft, const std::vector<std::string>& fields)
{
    std::vector<std::size_t> set;
    for (std::size_t i = 0; i < draft.others.size(); ++i)
    {
        if (!draft.others[i].empty())
        {
            set.push_back(i);
        }
    }
    if (set.size() == 1)
    {
        const auto& value = draft.others[set.front()];
        return ParseNumberWithUnit(value) ? fields[set.front()] + " " + value : value;
    }
    if (draft.parts.size() > 1 || (!draft.parts.empty() && draft.variants.size() > 1))
    {
        return fmt::format("{}", fmt::join(draft.parts, ", "));
    }
    // A title's last part is cut where the titles differ inside it.
    const auto mark = draft.start.find_last_of("-_, ");
    const auto start =
        mark == std::string::npos || mark == 0 ? draft.start : draft.start.substr(0, mark);
    return start.substr(0, start.find_last_not_of("-_, ") + 1);
}

/// Returns the numbers of a column; nothing where a value is no number or has another unit.
std::optional<std::vector<std::optional<NumberWithUnit>>>
NumbersOf(const Comparison& comparison, std::size_t column)
{
    std::vector<std::optional<NumberWithUnit>> numbers;
    std::set<std::string> units;
    for (const auto& variant : comparison.variants)
    {
        const std::string text = column < variant.values.size() ? variant.values[column] : "";
        const auto number = ParseNumberWithUnit(text);
        if (!number && !text.empty())
        {
            return std::nullopt;
        }
        numbers.push_back(number);
        if (number && number->value != 0)
        {
            units.insert(number->unit);
        }
    }
    return units.size() == 1 ? std::optional(numbers) : std::nullopt;
}

std::vector<Draft>
DraftsOf(const Comparison& comparison,
         std::size_t column,
         const std::vector<std::optional<NumberWithUnit>>& numbers,
         double factor)
{
    std::vector<Draft> drafts;
    for (std::size_t i = 0; i < comparison.variants.size(); ++i)
    {
        if (!numbers[i])
        {
            continue;
        }
        const auto others = ValuesWithout(comparison.variants[i], column);
        const auto& title = TitleOf(comparison.variants[i]);
        auto draft = std::find_if(
            drafts.begin(), drafts.end(), [&](const Draft& one) { return one.others == others; });
        if (draft == drafts.end())
        {
            drafts.push_back({others, title, PartsOf(title), {}});
            draft = drafts.end() - 1;
        }
        KeepCommon(*draft, title);
        draft->variants[factor * numbers[i]->value] = i;
    }
    return drafts;
}

/// Gives each series a name of its own: those that share one get a number.
void
NameSeries(std::vector<SweepSeries>& series)
{
    std::map<std::string, int> seen;
    for (auto& one : series)
    {
        const int times = ++seen[one.name];
        if (times > 1)
        {
            one.name += fmt::format(" ({})", times);
        }
    }
}

std::optional<Sweep>
SweepOf(const Comparison& comparison, std::size_t column)
{
    const auto numbers = NumbersOf(comparison, column);
    if (!numbers)
    {
        return std::nullopt;
    }
    const std::string& path = comparison.variedPaths[column];
    const bool isDelay = IsDelayOfLinks(path);
    const auto drafts = DraftsOf(comparison, column, *numbers, isDelay ? 2 : 1);
    std::set<double> values;
    std::size_t longest = 0;
    Sweep sweep;
    for (const auto& draft : drafts)
    {
        longest = std::max(longest, draft.variants.size());
        for (const auto& [value, variant] : draft.variants)
        {
            values.insert(value);
        }
        sweep.series.push_back(
            {drafts.size() == 1 ? "" : NameOf(draft, OthersOf(comparison, column)),
             draft.variants});
    }
    if (values.size() < 2 || (!isDelay && longest < 3))
    {
        return std::nullopt;
    }
    NameSeries(sweep.series);
    std::string unit;
    for (const auto& number : *numbers)
    {
        unit = number && number->value != 0 ? number->unit : unit;
    }
    sweep.field = isDelay ? roundTripField : FieldOf(path);
    std::replace(sweep.field.begin(), sweep.field.end(), '_', '-');
    sweep.label = isDelay ? "Round trip of a WAN link (ms)" : FieldLabel(path, unit);
    sweep.values = {values.begin(), values.end()};
    return sweep;
}

} // namespace

std::string
FieldLabel(const std::string& path, const std::string& unit)
{
    const std::map<std::string, std::string> known{
        {"connections", "Connections per node pair"},
        {"microbatches", "Microbatches"},
        {"loss", "Random loss of packets"},
        {"random_loss", "Random loss of packets"},
        {"rate", "Rate"},
        {"mtu", "MTU"},
        {"pp_degree", "GPUs per prefill"},
        {"ttft_objective", "Objective for the time to first token"},
    };
    const std::string field = FieldOf(path);
    const auto found = known.find(field);
    std::string label = found == known.end() ? field : found->second;
    std::replace(label.begin(), label.end(), '_', ' ');
    label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
    return unit.empty() ? label : fmt::format("{} ({})", label, unit);
}

std::vector<Sweep>
SweepsOf(const Comparison& comparison)
{
    const auto& paths = comparison.variedPaths;
    const auto delays = std::count_if(paths.begin(), paths.end(), IsDelayOfLinks);
    std::vector<Sweep> sweeps;
    for (std::size_t column = 0; column < paths.size(); ++column)
    {
        // Several paths of delays have no round trip in common.
        auto sweep = delays > 1 && IsDelayOfLinks(paths[column]) ? std::nullopt
                                                                 : SweepOf(comparison, column);
        if (sweep)
        {
            sweeps.push_back(std::move(*sweep));
        }
    }
    return sweeps;
}

CurveFamily
CurvesOf(const Comparison& comparison, const Sweep& sweep, const SweptMetric& swept)
{
    CurveFamily family{sweep.label, swept.label};
    family.curvesAre = "series";
    const double least = sweep.values.front() > 0 ? sweep.values.front() : sweep.values[1];
    family.logX = SpanADecade(least, sweep.values.back());
    double lowest = INFINITY;
    double highest = 0;
    std::vector<PointSpread> spreads;
    for (const auto& series : sweep.series)
    {
        CurvePoints points;
        std::vector<double> halfWidths;
        for (const auto& [x, variant] : series.variants)
        {
            if (const auto* metric = comparison.variants[variant].summary.MetricNamed(swept.metric))
            {
                points.emplace_back(x, metric->value * swept.factor);
                halfWidths.push_back(metric->halfWidth * swept.factor);
                lowest = std::min(lowest, points.back().second);
                highest = std::max(highest, points.back().second);
                spreads.push_back({comparison.variants[variant].seeds, halfWidths.back()});
            }
        }
        if (!points.empty())
        {
            family.curves.emplace_back(series.name, std::move(points));
            family.halfWidths.push_back(std::move(halfWidths));
        }
    }
    family.logY = SpanADecade(lowest, highest);
    family.title = SpreadText(spreads);
    return family;
}

} // namespace geotrain
