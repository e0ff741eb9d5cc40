// SPDX-License-Identifier: GPL-2.0-only
#include "loader/declared-results.h"

#include "loader/assignment.h"
#include "loader/field-path.h"
#include "loader/field-rules.h"
#include "loader/scenario-loader.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace geotrain
{

namespace
{

/// Throws ConfigError where `path` is no field of a scenario, whatever its lists hold. "grid" stands
/// for the titles of grids.
void
RequirePath(const std::string& path, const std::string& file, const std::string& place)
{
    scenario::Scenario any;
    if (path != "grid" && path != "job")
    {
        static const std::regex index("\\[[0-9*]+\\]");
        SetField(any, std::regex_replace(path, index, "[0]"), "", file + ": " + place);
    }
}

/// Returns the lines "PATH=VALUE" of a field as pairs.
template <typename Lines>
std::vector<FieldValue>
ValuesIn(const Lines& lines, const std::string& file, const std::string& place)
{
    std::vector<FieldValue> values;
    for (int i = 0; i < lines.size(); ++i)
    {
        const auto where = fmt::format("{}.where[{}]", place, i);
        values.push_back(SplitAssignment(lines.Get(i), file, where));
        RequirePath(values.back().first, file, where);
    }
    return values;
}

DeclaredLine
LineOf(const scenario::ReferenceLine& written, const std::string& file, const std::string& place)
{
    DeclaredLine line{written.name(),
                      {written.x().begin(), written.x().end()},
                      {written.y().begin(), written.y().end()}};
    if (line.y.size() != std::max<std::size_t>(line.x.size(), 1))
    {
        throw ConfigError(file, place + ".y", "", "must be one level, or one for each x");
    }
    if (!std::is_sorted(line.x.begin(), line.x.end()))
    {
        throw ConfigError(file, place + ".x", "", "must rise");
    }
    return line;
}

DeclaredFigure
FigureOf(const scenario::Figure& written, const std::string& file, const std::string& place)
{
    DeclaredFigure figure;
    figure.name = written.name();
    figure.metric = written.metric();
    figure.label = written.label();
    figure.factor = written.factor();
    figure.across = written.across();
    figure.acrossLabel = written.across_label();
    figure.acrossFactor = written.across_factor();
    figure.by = written.by();
    figure.isMap = written.map();
    figure.logX = written.log_x();
    figure.where = ValuesIn(written.where(), file, place);
    figure.setting = written.setting();
    for (int i = 0; i < written.line_size(); ++i)
    {
        figure.lines.push_back(LineOf(written.line(i), file, fmt::format("{}.line[{}]", place, i)));
    }
    return figure;
}

Criterion
CriterionOf(const scenario::Criterion& written, const std::string& file, const std::string& place)
{
    Criterion criterion;
    criterion.what = written.what();
    criterion.metric = written.metric();
    criterion.unit = written.unit();
    criterion.factor = written.factor();
    criterion.by = written.by();
    criterion.where = ValuesIn(written.where(), file, place);
    criterion.atLeast =
        written.has_at_least() ? std::make_optional(written.at_least()) : std::nullopt;
    criterion.atMost = written.has_at_most() ? std::make_optional(written.at_most()) : std::nullopt;
    criterion.reference = written.reference();
    criterion.source = written.source();
    if (criterion.atLeast && criterion.atMost && *criterion.atLeast > *criterion.atMost)
    {
        throw ConfigError(
            file, place + ".at_least", fmt::format("{}", *criterion.atLeast), "must be <= at_most");
    }
    return criterion;
}

} // namespace

std::vector<DeclaredFigure>
ReadFigures(const ScenarioText& text)
{
    const auto scenario = ReadScenario(text, {});
    std::vector<DeclaredFigure> figures;
    for (int i = 0; i < scenario.figure_size(); ++i)
    {
        auto written = scenario.figure(i);
        const auto place = fmt::format("figure[{}]", i);
        ApplyFieldRules(written, text.file, place + ".");
        auto figure = FigureOf(written, text.file, place);
        RequirePath(figure.across, text.file, place + ".across");
        RequirePath(figure.by, text.file, place + ".by");
        const auto hasName = [&](const DeclaredFigure& other) { return other.name == figure.name; };
        if (std::any_of(figures.begin(), figures.end(), hasName))
        {
            throw ConfigError(
                text.file, place + ".name", figure.name, "must be the name of no other figure");
        }
        figures.push_back(std::move(figure));
    }
    return figures;
}

std::vector<Criterion>
ReadCriteria(const ScenarioText& text)
{
    const auto scenario = ReadScenario(text, {});
    std::vector<Criterion> criteria;
    for (int i = 0; i < scenario.criterion_size(); ++i)
    {
        auto written = scenario.criterion(i);
        const auto place = fmt::format("criterion[{}]", i);
        ApplyFieldRules(written, text.file, place + ".");
        criteria.push_back(CriterionOf(written, text.file, place));
        RequirePath(criteria.back().by, text.file, place + ".by");
    }
    return criteria;
}

} // namespace geotrain
