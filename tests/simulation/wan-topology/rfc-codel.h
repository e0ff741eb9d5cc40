// SPDX-License-Identifier: GPL-2.0-only
// CoDel as RFC 8289 writes it, to compare with.
#pragma once

#include "queue-reference.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <vector>

namespace ns3
{

/// RfcCoDel is the pseudo-code of RFC 8289, section 5, word for word: a queue from which packets
/// are taken. It marks as Linux does.
class RfcCoDel
{
  public:
    struct Item
    {
        std::size_t number;
        Arrival arrival;
    };

    /// Writes what becomes of packets to `fates`.
    explicit RfcCoDel(Fates& fates)
        : m_fates(fates)
    {
    }

    /// Sends the arrivals through one queue at 100 Mbit/s.
    static Fates Run(const std::vector<Arrival>& arrivals)
    {
        Fates fates(arrivals.size(), '.');
        RfcCoDel queue(fates);
        std::int64_t freeAt = 0;
        std::size_t next = 0;
        while (next < arrivals.size() || queue.m_queued > 0)
        {
            if (queue.m_queued == 0)
            {
                freeAt = std::max(freeAt, arrivals[next].atNs);
            }
            while (next < arrivals.size() && arrivals[next].atNs <= freeAt)
            {
                queue.Push({next, arrivals[next]});
                ++next;
            }
            if (const std::optional<Item> item = queue.Dequeue(freeAt))
            {
                freeAt += item->arrival.size * byteNs;
            }
        }
        return fates;
    }

    void Push(const Item& item)
    {
        m_queued += item.arrival.size;
        m_queue.push_back(item);
    }

    std::int64_t Bytes() const
    {
        return m_queued;
    }

    /// Drops the first packet, which there must be. Returns its size.
    std::int64_t DropFirst()
    {
        const Item first = m_queue.front();
        m_queue.pop_front();
        m_queued -= first.arrival.size;
        m_fates[first.number] = 'x';
        return first.arrival.size;
    }

    std::optional<Item> Dequeue(std::int64_t now)
    {
        Taken taken = Take(now);
        if (m_dropping)
        {
            m_dropping = taken.mayDrop;
            while (m_dropping && now >= m_dropNext)
            {
                ++m_count;
                if (Punish(*taken.item))
                {
                    m_dropNext = ControlLaw(m_dropNext, m_count);
                    return taken.item;
                }
                taken = Take(now);
                m_dropping = taken.mayDrop;
                m_dropNext = m_dropping ? ControlLaw(m_dropNext, m_count) : m_dropNext;
            }
        }
        else if (taken.mayDrop)
        {
            if (!Punish(*taken.item))
            {
                taken = Take(now);
            }
            m_dropping = true;
            const std::int64_t delta = m_count - m_lastCount;
            m_count = delta > 1 && now - m_dropNext < 16 * s_interval ? delta : 1;
            m_dropNext = ControlLaw(now, m_count);
            m_lastCount = m_count;
        }
        return taken.item;
    }

  private:
    struct Taken
    {
        std::optional<Item> item;
        bool mayDrop = false;
    };

    static constexpr std::int64_t s_target = 5000000;
    static constexpr std::int64_t s_interval = 100000000;
    static constexpr std::int64_t s_maxPacket = 1500;

    static std::int64_t ControlLaw(std::int64_t t, std::int64_t count)
    {
        return t + std::llround(s_interval / std::sqrt(static_cast<double>(count)));
    }

    Taken Take(std::int64_t now)
    {
        if (m_queue.empty())
        {
            m_firstAbove = 0;
            return {};
        }
        Taken taken{m_queue.front(), false};
        m_queue.pop_front();
        m_queued -= taken.item->arrival.size;
        if (now - taken.item->arrival.atNs < s_target || m_queued <= s_maxPacket)
        {
            m_firstAbove = 0;
        }
        else if (m_firstAbove == 0)
        {
            m_firstAbove = now + s_interval;
        }
        else
        {
            taken.mayDrop = now >= m_firstAbove;
        }
        return taken;
    }

    /// Returns whether the packet was marked instead.
    bool Punish(const Item& item)
    {
        m_fates[item.number] = item.arrival.ecnCapable ? 'm' : 'x';
        return item.arrival.ecnCapable;
    }

    std::deque<Item> m_queue;
    std::int64_t m_queued = 0;
    Fates& m_fates;
    bool m_dropping = false;
    std::int64_t m_firstAbove = 0;
    std::int64_t m_dropNext = 0;
    std::int64_t m_count = 0;
    std::int64_t m_lastCount = 0;
};

} // namespace ns3
