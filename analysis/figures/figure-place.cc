// SPDX-License-Identifier: GPL-2.0-only
#include "figures/figure-place.h"

#include "figures/style.h"
#include "figures/text-lines.h"
#include "trace/trace-error.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr double titleLinePoints = 12;

} // namespace

double
FigurePage::TitlePoints() const
{
    return titleLinePoints * static_cast<double>(title.size());
}

double
FigurePage::FromLeft(double points) const
{
    return points / width;
}

double
FigurePage::FromRight(double points) const
{
    return 1 - points / width;
}

double
FigurePage::FromTop(double points) const
{
    return 1 - (TitlePoints() + points) / height;
}

double
FigurePage::FromBottom(double points) const
{
    return points / height;
}

FigurePlace::FigurePlace(std::filesystem::path path, FigureChoices* choices)
    : m_path(std::move(path)),
      m_choices(choices),
      m_figure(m_path.filename().string())
{
}

FigurePlace
FigurePlace::operator/(const std::string& name) const
{
    FigurePlace place(*this);
    place.m_path /= name + m_suffix;
    place.m_figure = name;
    return place;
}

FigurePlace
FigurePlace::WithCaution(const std::string& caution) const
{
    FigurePlace place(*this);
    place.m_caution = caution;
    return place;
}

FigurePlace
FigurePlace::Numbered(std::size_t number) const
{
    FigurePlace page(*this);
    page.m_path += number == 1 ? "" : fmt::format("-{}", number);
    return page;
}

FigurePlace
FigurePlace::OfJob(const std::string& job) const
{
    FigurePlace place(*this);
    place.m_suffix = job.empty() ? "" : "-" + job;
    return place;
}

const std::filesystem::path&
FigurePlace::Path() const
{
    return m_path;
}

bool
FigurePlace::Offer() const
{
    if (m_choices)
    {
        m_choices->offered.insert(m_figure);
    }
    return IsChosen();
}

double
FigurePlace::Width(double usual) const
{
    return Choices().widthPoints.value_or(usual);
}

FigurePage
FigurePlace::Page(double usualWidth, double height, const std::string& title) const
{
    FigurePage page{Width(usualWidth), height};
    for (const auto& text : {Choices().title.value_or(title), m_caution})
    {
        const auto lines = WrappedText(text, titleFontPoints, page.width - 16);
        page.title.insert(page.title.end(), lines.begin(), lines.end());
    }
    page.height += page.TitlePoints();
    return page;
}

std::pair<double, double>
FigurePlace::TimeRange(double from, double to) const
{
    if (m_choices && IsChosen())
    {
        m_choices->haveTime = true;
    }
    const double chosenFrom = std::max(from, Choices().fromSeconds.value_or(from));
    const double chosenTo = std::min(to, Choices().toSeconds.value_or(to));
    if (chosenFrom < chosenTo || (chosenFrom <= from && chosenTo >= to))
    {
        return {chosenFrom, chosenTo};
    }
    if (!IsChosen())
    {
        return {from, to};
    }
    const auto part = chosenFrom >= to ? fmt::format("--from {:g}s", chosenFrom)
                                       : fmt::format("--to {:g}s", chosenTo);
    throw TraceError(
        m_path.filename().string(),
        fmt::format("{} leaves nothing of this figure, which is {:g} s long", part, to - from));
}

const std::vector<std::string>&
FigurePlace::Formats() const
{
    return Choices().formats;
}

std::optional<bool>
FigurePlace::LogAxes() const
{
    return Choices().logAxes;
}

bool
FigurePlace::IsChosen() const
{
    return Choices().only.empty() || Choices().only.count(m_figure) > 0;
}

const FigureChoices&
FigurePlace::Choices() const
{
    static const FigureChoices none;
    return m_choices ? *m_choices : none;
}

} // namespace geotrain
