// SPDX-License-Identifier: GPL-2.0-only
// Members that share links, directly or through others, are gathered and get their rates together.
#include "analytic/link-sharing.h"

#include <algorithm>
#include <limits>

namespace geotrain
{

namespace
{

// Share of a link that those above leave to a lower rank at least. It is nothing, but lets every queue
// have a time at which it will be empty.
constexpr double leastShare = 1e-6;

} // namespace

LinkSharing::LinkSharing(const std::vector<BitRate>& linkRates, double payloadShare)
    : m_links(linkRates.size())
{
    for (std::size_t link = 0; link < m_links.size(); ++link)
    {
        m_links[link].rate = linkRates[link].ToBitsPerSecond();
        m_links[link].capacity = static_cast<double>(m_links[link].rate) * payloadShare / 8e9;
    }
}

double
LinkSharing::RateAlone(const std::vector<std::size_t>& links) const
{
    double rate = std::numeric_limits<double>::infinity();
    for (const std::size_t link : links)
    {
        rate = std::min(rate, m_links[link].capacity);
    }
    return rate;
}

/// Returns whether a link of the member has less than its members would take alone.
bool
LinkSharing::HasContention(const Member& member) const
{
    return std::any_of(member.links.begin(),
                       member.links.end(),
                       [this](std::size_t link)
                       { return m_links[link].demand > m_links[link].rate; });
}

std::optional<double>
LinkSharing::Join(Member& member)
{
    member.isInLinks = true;
    member.m_alone = std::numeric_limits<std::int64_t>::max();
    for (const std::size_t link : member.links)
    {
        member.m_alone = std::min(member.m_alone, m_links[link].rate);
    }
    for (const std::size_t link : member.links)
    {
        m_links[link].members.push_back(&member);
        m_links[link].demand += member.m_alone;
    }
    if (HasContention(member))
    {
        m_touched.push_back(&member);
        return std::nullopt;
    }
    return RateAlone(member.links);
}

/// Touches one member per link of the leaving one, where it frees a share; Gather() finds the
/// others.
void
LinkSharing::Leave(Member& member)
{
    const bool freesShares = HasContention(member);
    member.isInLinks = false;
    for (const std::size_t link : member.links)
    {
        m_links[link].demand -= member.m_alone;
        auto& members = m_links[link].members;
        members.erase(std::find(members.begin(), members.end(), &member));
        if (freesShares && !members.empty())
        {
            m_touched.push_back(members.front());
        }
    }
}

const std::vector<LinkSharing::Rate>&
LinkSharing::Share()
{
    ++m_stamp;
    m_rates.clear();
    for (Member* member : m_touched)
    {
        // A member that was touched may have left since.
        if (member->m_visited != m_stamp && member->isInLinks)
        {
            Gather(*member);
            ShareGathered();
        }
    }
    m_touched.clear();
    return m_rates;
}

/// Gathers all members that share links with `first`, directly or through others, and these links.
void
LinkSharing::Gather(Member& first)
{
    m_gathered.assign(1, &first);
    m_gatheredLinks.clear();
    first.m_visited = m_stamp;
    for (std::size_t next = 0; next < m_gathered.size(); ++next)
    {
        for (const std::size_t index : m_gathered[next]->links)
        {
            Link& link = m_links[index];
            if (link.visited == m_stamp)
            {
                continue;
            }
            link.visited = m_stamp;
            link.local = m_gatheredLinks.size();
            m_gatheredLinks.push_back(index);
            for (Member* other : link.members)
            {
                if (other->m_visited != m_stamp)
                {
                    other->m_visited = m_stamp;
                    m_gathered.push_back(other);
                }
            }
        }
    }
}

void
LinkSharing::ShareGathered()
{
    if (m_gathered.size() == 1)
    {
        m_rates.emplace_back(m_gathered.front(), RateAlone(m_gathered.front()->links));
        return;
    }
    m_capacities.clear();
    for (const std::size_t link : m_gatheredLinks)
    {
        m_capacities.push_back(m_links[link].capacity);
    }
    const auto isAbove = [](const Member* a, const Member* b) { return a->rank > b->rank; };
    std::stable_sort(m_gathered.begin(), m_gathered.end(), isAbove);
    for (std::size_t begin = 0; begin < m_gathered.size();)
    {
        const auto end =
            std::upper_bound(m_gathered.begin(), m_gathered.end(), m_gathered[begin], isAbove);
        const auto next = static_cast<std::size_t>(end - m_gathered.begin());
        ShareRank(begin, next);
        begin = next;
    }
}

/// Shares what is left of the links among the gathered members from `begin` to `end`, which have one
/// rank.
void
LinkSharing::ShareRank(std::size_t begin, std::size_t end)
{
    m_groups.resize(end - begin);
    for (std::size_t index = 0; index < m_groups.size(); ++index)
    {
        const Member& member = *m_gathered[begin + index];
        m_groups[index].weight = member.connections;
        m_groups[index].links.clear();
        for (const std::size_t link : member.links)
        {
            m_groups[index].links.push_back(m_links[link].local);
        }
    }
    const auto rates = MaxMinFairRates(m_groups, m_capacities);
    for (std::size_t index = 0; index < rates.size(); ++index)
    {
        Member& member = *m_gathered[begin + index];
        const double rate = rates[index] * m_groups[index].weight;
        m_rates.emplace_back(&member, rate);
        for (const std::size_t link : member.links)
        {
            double& left = m_capacities[m_links[link].local];
            left = std::max(left - rate, m_links[link].capacity * leastShare);
        }
    }
}

} // namespace geotrain
