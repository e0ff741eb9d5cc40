// SPDX-License-Identifier: GPL-2.0-only
#include "loader/declared-results.h"

#include "loader/assignment.h"
#include "loader/field-path.h"
#include "loader/field-rules.h"
#include "loader/scenario-file.h"
#include "loader/scenario-loader.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"
#include "units/text-pattern.h"

#include <fmt/format.h>

#include <algorithm>

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
        static const TextPattern index("\\[([0-9*]+)\\]");
        std::string first = path;
        for (auto found = index.FindIn(first); !found.empty();)
        {
            const auto at = static_cast<std::size_t>(found[1].data() - first.data());
            first.replace(at, found[1].size(), "0");
            found = index.FindIn(first, at);
        }
        SetField(any, first, "", file + ": " + place);
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
        const auto where = fmt::format("{}[{}]", place, i);
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

PublishedPoints
PublishedOf(const scenario::PublishedPoints& written,
            const std::string& file,
            const std::string& place)
{
    PublishedPoints published{written.name(),
                              {},
                              {written.half_height().begin(), written.half_height().end()}};
    if (written.x_size() == 0 || written.y_size() != written.x_size())
    {
        throw ConfigError(file, place + ".y", "", "must be one for each x");
    }
    if (!published.halfWidths.empty() && written.half_height_size() != written.x_size())
    {
        throw ConfigError(file, place + ".half_height", "", "must be none, or one for each x");
    }
    for (int i = 0; i < written.x_size(); ++i)
    {
        published.points.emplace_back(written.x(i), written.y(i));
    }
    return published;
}

DeclaredFigure
FigureOf(const scenario::Figure& written, const std::string& file, const std::string& place)
{
    DeclaredFigure figure;
    figure.name = written.name();
    figure.content = EnumOf<FigureContent>(written.content());
    for (const auto& panel : written.panel())
    {
        figure.panels.push_back({EnumOf<SampledQuantity>(panel.quantity()), panel.link()});
    }
    figure.metric = written.metric();
    figure.label = written.label();
    figure.factor = written.factor();
    figure.across = written.across();
    figure.acrossLabel = written.across_label();
    figure.acrossFactor = written.across_factor();
    figure.by = written.by();
    figure.acrossMetric = written.across_metric();
    figure.isMap = written.map();
    figure.logX = written.log_x();
    figure.logShades = written.log_shades();
    figure.where = ValuesIn(written.where(), file, place + ".where");
    figure.over = ValuesIn(written.over(), file, place + ".over");
    figure.variants = {written.variant().begin(), written.variant().end()};
    figure.setting = written.setting();
    for (int i = 0; i < written.line_size(); ++i)
    {
        figure.lines.push_back(LineOf(written.line(i), file, fmt::format("{}.line[{}]", place, i)));
    }
    for (int i = 0; i < written.published_size(); ++i)
    {
        const auto& published = written.published(i);
        figure.published.push_back(
            PublishedOf(published, file, fmt::format("{}.published[{}]", place, i)));
        if (!published.source().empty())
        {
            figure.setting +=
                (figure.setting.empty() ? "published: " : "; published: ") + published.source();
        }
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
    criterion.where = ValuesIn(written.where(), file, place + ".where");
    criterion.atLeast =
        written.has_at_least() ? std::make_optional(written.at_least()) : std::nullopt;
    criterion.atMost = written.has_at_most() ? std::make_optional(written.at_most()) : std::nullopt;
    criterion.reference = written.reference();
    criterion.source = written.source();
    for (const auto& number : written.kernel())
    {
        criterion.kernel.push_back(
            {number.control(),
             number.value(),
             number.has_half_width() ? std::make_optional(number.half_width()) : std::nullopt});
    }
    criterion.kernelVersion = written.kernel_version();
    criterion.exponentAcross = written.exponent_across();
    criterion.overMetric = written.over_metric();
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
    scenario::Scenario declared;
    *declared.mutable_figure() = ReadScenario(text, {}).figure();
    ApplyFieldRules(declared, text.file);
    std::vector<DeclaredFigure> figures;
    for (int i = 0; i < declared.figure_size(); ++i)
    {
        const auto place = fmt::format("figure[{}]", i);
        auto figure = FigureOf(declared.figure(i), text.file, place);
        if (figure.ShowsMetric())
        {
            RequirePath(figure.across, text.file, place + ".across");
        }
        RequirePath(figure.by, text.file, place + ".by");
        figures.push_back(std::move(figure));
    }
    return figures;
}

std::vector<Criterion>
ReadCriteria(const ScenarioText& text)
{
    scenario::Scenario declared;
    *declared.mutable_criterion() = ReadScenario(text, {}).criterion();
    ApplyFieldRules(declared, text.file);
    std::vector<Criterion> criteria;
    for (int i = 0; i < declared.criterion_size(); ++i)
    {
        const auto place = fmt::format("criterion[{}]", i);
        criteria.push_back(CriterionOf(declared.criterion(i), text.file, place));
        RequirePath(criteria.back().by, text.file, place + ".by");
        if (!criteria.back().exponentAcross.empty())
        {
            RequirePath(criteria.back().exponentAcross, text.file, place + ".exponent_across");
        }
    }
    return criteria;
}

} // namespace geotrain
