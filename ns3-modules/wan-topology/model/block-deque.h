// SPDX-License-Identifier: GPL-2.0-only
// Defines a queue for many small records, as links and TCP's scoreboard hold them per packet in
// flight.
#pragma once

#include <boost/container/deque.hpp>

#include <cstddef>

namespace ns3
{

/// BlockDeque is a FIFO in blocks that are given back: its memory is what it holds.
template <typename T>
using BlockDeque = boost::container::deque<
    T,
    void,
    typename boost::container::deque_options<boost::container::block_size<256>>::type>;

/// Prefetches the record two places after `position`, so that a window larger than the caches costs
/// little more.
template <typename T>
void
FetchAhead(const BlockDeque<T>& queue, std::size_t position = 0)
{
    constexpr std::size_t ahead = 2;
    constexpr std::size_t cacheLine = 64; // bytes
    if (position + ahead < queue.size())
    {
        const auto* bytes = reinterpret_cast<const char*>(&queue[position + ahead]);
        __builtin_prefetch(bytes);
        __builtin_prefetch(bytes + cacheLine);
    }
}

} // namespace ns3
