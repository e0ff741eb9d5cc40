// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/max-min-fairness.h"

#include <algorithm>
#include <limits>

namespace geotrain
{

namespace
{

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A LinkState is what a link has left, and how many flows on it may still rise.
struct LinkState
{
    double left = 0;
    double rising = 0;

    double Share() const
    {
        return rising > 0 ? std::max(0.0, left) / rising : infinity;
    }
};

class Filling
{
  public:
    Filling(const std::vector<FlowGroup>& groups, const std::vector<double>& capacities)
        : m_groups(groups),
          m_links(capacities.size()),
          m_rates(groups.size(), infinity),
          m_fixed(groups.size(), false)
    {
        for (std::size_t link = 0; link < capacities.size(); ++link)
        {
            m_links[link].left = capacities[link];
        }
        for (const FlowGroup& group : groups)
        {
            for (const std::size_t link : group.links)
            {
                m_links[link].rising += group.weight;
            }
        }
    }

    std::vector<double> Rates()
    {
        for (double level = NextLevel(); level < infinity; level = NextLevel())
        {
            FixGroupsAt(level);
        }
        return m_rates;
    }

  private:
    double LevelOf(const FlowGroup& group) const
    {
        double level = group.rateLimit > 0 ? group.rateLimit : infinity;
        for (const std::size_t link : group.links)
        {
            level = std::min(level, m_links[link].Share());
        }
        return level;
    }

    double NextLevel() const
    {
        double level = infinity;
        for (std::size_t group = 0; group < m_groups.size(); ++group)
        {
            if (!m_fixed[group])
            {
                level = std::min(level, LevelOf(m_groups[group]));
            }
        }
        return level;
    }

    void FixGroupsAt(double level)
    {
        // The groups are found first, since rounding moves the links' shares when rates are taken
        // off them.
        std::vector<std::size_t> reached;
        for (std::size_t group = 0; group < m_groups.size(); ++group)
        {
            if (!m_fixed[group] && LevelOf(m_groups[group]) <= level)
            {
                reached.push_back(group);
            }
        }
        for (const std::size_t group : reached)
        {
            m_fixed[group] = true;
            m_rates[group] = level;
            for (const std::size_t link : m_groups[group].links)
            {
                m_links[link].left -= level * m_groups[group].weight;
                m_links[link].rising -= m_groups[group].weight;
            }
        }
    }

    const std::vector<FlowGroup>& m_groups;
    std::vector<LinkState> m_links;
    std::vector<double> m_rates;
    std::vector<bool> m_fixed;
};

} // namespace

std::vector<double>
MaxMinFairRates(const std::vector<FlowGroup>& groups, const std::vector<double>& capacities)
{
    return Filling(groups, capacities).Rates();
}

} // namespace geotrain
