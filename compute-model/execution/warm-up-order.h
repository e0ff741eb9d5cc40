// SPDX-License-Identifier: GPL-2.0-only
// Decides which warm-up messages may run at the same time. Pairs that share a node go one after
// another, in the order in which they were given; the others run at once.
#pragma once

#include "execution/network.h"

#include <vector>

namespace geotrain
{

/// A WarmUpOrder gives out the warm-ups of a list.
class WarmUpOrder
{
  public:
    explicit WarmUpOrder(std::vector<Network::WarmUp> pairs);

    /// Returns the index of the next pair whose nodes are free, which are then busy; Count() if
    /// there is none.
    std::size_t TakeNext();

    /// Notes that the warm-up of a pair has ended, so that its nodes are free again.
    void End(std::size_t pair);
    bool AllEnded() const;

    std::size_t Count() const;
    const Network::WarmUp& At(std::size_t pair) const;

  private:
    std::vector<Network::WarmUp> m_pairs;
    std::vector<std::size_t> m_waiting;
    std::vector<bool> m_busy; ///< by node
    std::size_t m_ended = 0;
};

} // namespace geotrain
