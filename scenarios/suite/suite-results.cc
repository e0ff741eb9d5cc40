// SPDX-License-Identifier: GPL-2.0-only
#include "suite/suite-results.h"

#include <algorithm>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// Returns the index of the element of `all` called `name`.
template <typename Named>
std::size_t
IndexOfName(const std::vector<Named>& all, const std::string& name)
{
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
    if (found == all.end())
    {
        throw std::out_of_range("the suite has no series or point " + name);
    }
    return static_cast<std::size_t>(found - all.begin());
}

const Metric*
FindMetric(const Summary& summary, const std::string& name)
{
    const auto found = std::find_if(summary.metrics.begin(),
                                    summary.metrics.end(),
                                    [&](const Metric& metric) { return metric.name == name; });
    return found == summary.metrics.end() ? nullptr : &*found;
}

} // namespace

SetResults::SetResults(RunSet set, const ComparisonTable& table, std::filesystem::path folder)
    : m_set(std::move(set)),
      m_means(table.Rows().size())
{
    const auto means = table.Means();
    auto mean = means.variants.begin();
    for (std::size_t i = 0; i < table.Rows().size(); ++i)
    {
        const auto& row = table.Rows()[i];
        m_seeds.push_back(row.summaries);
        if (row.summaries.empty())
        {
            continue; // it failed, and Means() leaves it out
        }
        auto variant = *mean++;
        variant.trace = folder / row.variant;
        variant.trace /=
            m_set.seeds.size() > 1 ? "seed-" + std::to_string(m_set.seeds.front()) : "";
        variant.trace /= "trace.pb";
        variant.title = m_set.series[i / std::max<std::size_t>(1, m_set.points.size())].title;
        m_means[i] = variant;
    }
}

const RunSet&
SetResults::Set() const
{
    return m_set;
}

std::size_t
SetResults::SeriesOf(const std::string& name) const
{
    return IndexOfName(m_set.series, name);
}

std::size_t
SetResults::PointOf(const std::string& name) const
{
    return IndexOfName(m_set.points, name);
}

std::size_t
SetResults::Index(std::size_t series, std::size_t point) const
{
    return series * std::max<std::size_t>(1, m_set.points.size()) + point;
}

const VariantSummary*
SetResults::At(std::size_t series, std::size_t point) const
{
    const auto& mean = m_means.at(Index(series, point));
    return mean ? &*mean : nullptr;
}

const std::vector<Summary>&
SetResults::SeedsAt(std::size_t series, std::size_t point) const
{
    return m_seeds.at(Index(series, point));
}

SuiteCurve
SetResults::Curve(std::size_t series, const std::string& metric, double factor) const
{
    SuiteCurve curve{m_set.series.at(series).title, {}, {}};
    for (std::size_t point = 0; point < m_set.points.size(); ++point)
    {
        const auto* variant = At(series, point);
        const auto* found = variant ? FindMetric(variant->summary, metric) : nullptr;
        if (found)
        {
            curve.points.emplace_back(m_set.points[point].x, factor * found->value);
            curve.halfWidths.push_back(factor * found->halfWidth);
        }
    }
    if (m_set.seeds.size() < 2)
    {
        curve.halfWidths.clear();
    }
    return curve;
}

std::vector<SuiteCurve>
SetResults::Curves(const std::string& metric, double factor) const
{
    std::vector<SuiteCurve> curves;
    for (std::size_t series = 0; series < m_set.series.size(); ++series)
    {
        auto curve = Curve(series, metric, factor);
        if (!curve.points.empty())
        {
            curves.push_back(std::move(curve));
        }
    }
    return curves;
}

} // namespace geotrain
