// SPDX-License-Identifier: GPL-2.0-only
#include "execution/warm-up-order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace geotrain
{

WarmUpOrder::WarmUpOrder(std::vector<Network::WarmUp> pairs)
    : m_pairs(std::move(pairs)),
      m_waiting(m_pairs.size())
{
    std::iota(m_waiting.begin(), m_waiting.end(), std::size_t{0});
    std::size_t nodes = 0;
    for (const auto& pair : m_pairs)
    {
        nodes = std::max({nodes, pair.source + std::size_t{1}, pair.destination + std::size_t{1}});
    }
    m_busy.assign(nodes, false);
}

std::size_t
WarmUpOrder::TakeNext()
{
    const auto found =
        std::find_if(m_waiting.begin(),
                     m_waiting.end(),
                     [this](std::size_t pair) {
                         return !m_busy[m_pairs[pair].source] && !m_busy[m_pairs[pair].destination];
                     });
    if (found == m_waiting.end())
    {
        return Count();
    }
    const std::size_t pair = *found;
    m_waiting.erase(found);
    m_busy[m_pairs[pair].source] = true;
    m_busy[m_pairs[pair].destination] = true;
    return pair;
}

void
WarmUpOrder::End(std::size_t pair)
{
    m_busy[m_pairs.at(pair).source] = false;
    m_busy[m_pairs.at(pair).destination] = false;
    ++m_ended;
}

bool
WarmUpOrder::AllEnded() const
{
    return m_ended == Count();
}

std::size_t
WarmUpOrder::Count() const
{
    return m_pairs.size();
}

const Network::WarmUp&
WarmUpOrder::At(std::size_t pair) const
{
    return m_pairs.at(pair);
}

} // namespace geotrain
