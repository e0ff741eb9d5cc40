#include "training-network/model/warm-up-order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

WarmUpOrder::WarmUpOrder(std::vector<geotrain::Network::WarmUp> pairs)
    : m_pairs(std::move(pairs)),
      m_waiting(m_pairs.size())
{
    std::iota(m_waiting.begin(), m_waiting.end(), std::size_t{0});
}

std::size_t
WarmUpOrder::TakeNext()
{
    const auto found = std::find_if(m_waiting.begin(),
                                    m_waiting.end(),
                                    [this](std::size_t pair)
                                    {
                                        return m_busy.count(m_pairs[pair].source) == 0 &&
                                               m_busy.count(m_pairs[pair].destination) == 0;
                                    });
    if (found == m_waiting.end())
    {
        return Count();
    }
    const std::size_t pair = *found;
    m_waiting.erase(found);
    m_busy.insert({m_pairs[pair].source, m_pairs[pair].destination});
    return pair;
}

void
WarmUpOrder::End(std::size_t pair)
{
    m_busy.erase(m_pairs.at(pair).source);
    m_busy.erase(m_pairs.at(pair).destination);
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

const geotrain::Network::WarmUp&
WarmUpOrder::At(std::size_t pair) const
{
    return m_pairs.at(pair);
}

} // namespace ns3
