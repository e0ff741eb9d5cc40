// SPDX-License-Identifier: GPL-2.0-only
// Holds what waits for a link or a cap in one drop-tail queue per rank. The first item of the highest
// rank goes first (strict priority, as Linux's prio and ns-3's PrioQueueDisc serve their bands). Each
// rank has the whole limit, so that what waits of one rank takes no room from another.
#pragma once

#include "units/growing-ring.h"
#include "wan-topology/model/queue-limit.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// A RankedQueue has as many queues as ranks have come.
template <typename Item>
class RankedQueue
{
  public:
    explicit RankedQueue(const QueueLimit& limit)
        : m_limit(limit)
    {
    }

    /// Room is what packets take.
    struct Room
    {
        geotrain::Bytes bytes;
        std::uint32_t packets = 0;
    };

    /// Queues an item of several packets. Returns false when the queue of its rank, which holds `besides`
    /// too, has no room for all.
    bool Push(int rank,
              const Item& item,
              geotrain::Bytes size,
              std::uint32_t packets = 1,
              const Room& besides = {})
    {
        OfRank& queue = QueueOf(rank);
        if (queue.packets + besides.packets + packets > m_limit.packets ||
            m_limit.bytes < queue.bytes + besides.bytes + size)
        {
            return false;
        }
        queue.items.PushBack({item, size, packets});
        queue.bytes += size;
        queue.packets += packets;
        m_bytes += size;
        ++m_count;
        return true;
    }

    /// Returns whether Push() takes such an item where nothing is queued.
    bool HasRoomWhenEmpty(geotrain::Bytes size, std::uint32_t packets = 1) const
    {
        return packets <= m_limit.packets && !(m_limit.bytes < size);
    }

    bool Empty() const
    {
        return m_count == 0;
    }

    geotrain::Bytes QueuedBytes() const
    {
        return m_bytes;
    }

    /// Returns the rank of the item that goes first. There must be one; the same holds below.
    int TopRank() const
    {
        return Top()->rank;
    }

    geotrain::Bytes TopSize() const
    {
        return Top()->items.Front().size;
    }

    std::uint32_t TopPackets() const
    {
        return Top()->items.Front().packets;
    }

    /// Gives that item to `give`, takes it out and returns its size.
    template <typename Give>
    geotrain::Bytes Pop(const Give& give)
    {
        OfRank& queue = m_ranks[static_cast<std::size_t>(Top() - m_ranks.begin())];
        const geotrain::Bytes size = queue.items.Front().size;
        const std::uint32_t packets = queue.items.Front().packets;
        give(std::as_const(queue.items).Front().item);
        queue.items.DropFront();
        queue.bytes = queue.bytes - size;
        queue.packets -= packets;
        m_bytes = m_bytes - size;
        --m_count;
        return size;
    }

  private:
    struct Queued
    {
        Item item;
        geotrain::Bytes size;
        std::uint32_t packets;
    };

    struct OfRank
    {
        int rank = 0;
        geotrain::GrowingRing<Queued> items;
        geotrain::Bytes bytes;
        std::int64_t packets = 0;
    };

    auto Top() const
    {
        return std::find_if(m_ranks.begin(),
                            m_ranks.end(),
                            [](const OfRank& queue) { return !queue.items.Empty(); });
    }

    OfRank& QueueOf(int rank)
    {
        auto found = std::find_if(m_ranks.begin(),
                                  m_ranks.end(),
                                  [rank](const OfRank& queue) { return queue.rank <= rank; });
        if (found == m_ranks.end() || found->rank != rank)
        {
            found = m_ranks.insert(found, OfRank{rank, {}, {}});
        }
        return *found;
    }

    QueueLimit m_limit;
    std::vector<OfRank> m_ranks; ///< the highest first
    geotrain::Bytes m_bytes;
    std::size_t m_count = 0;
};

} // namespace ns3
