// SPDX-License-Identifier: GPL-2.0-only
// Shapes caps hierarchically, as a cloud's virtual NIC or Linux's HTB does. Each class (here: a
// directed pair of nodes) has its own drop-tail queue and may have a rate, and all classes share a
// parent rate. A class is eligible when its own rate lets its next packet go. The eligible classes
// share the parent by weight in bytes (deficit round robin, Shreedhar and Varghese, SIGCOMM'95), so that
// the outcome is max-min fair. Rates hold exactly over any long span; a class or parent that was
// idle may be ahead of its rate by one quantum (virtual scheduling, ITU-T I.371). The shaper is a
// function of time and knows no clock. Items may have ranks (RankedQueue): those of the highest rank go
// first inside a class, and among the eligible classes too. It ignores borrowing between classes.
#pragma once

#include "units/transmission-clock.h"
#include "wan-topology/model/ranked-queue.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{

/// A ClassShaper holds the queued items of all classes and releases them in their turns.
template <typename Item>
class ClassShaper
{
  public:
    using ClassNumber = std::uint32_t;

    struct ClassSettings
    {
        std::optional<geotrain::BitRate> rate; ///< rate of the class; none: only the parent's holds
        QueueLimit queue;
        double weight = 1; ///< quanta that it may send per turn, at least 1
    };

    /// `quantum` is what a class may send per turn, at least the size of the largest packet.
    ClassShaper(std::optional<geotrain::BitRate> parentRate, geotrain::Bytes quantum)
        : m_quantum(quantum)
    {
        if (parentRate)
        {
            m_parent.emplace(*parentRate, quantum);
        }
    }

    /// Classes are numbered from 0 in the order of these calls.
    ClassNumber AddClass(const ClassSettings& settings)
    {
        m_classes.emplace_back(settings, m_quantum);
        return static_cast<ClassNumber>(m_classes.size() - 1);
    }

    /// Returns true where nothing is queued and an item would be released at once; it then counts as sent.
    /// Otherwise it must be queued. Most packets that come at a cap's rate pass so.
    bool Pass(geotrain::Instant now, ClassNumber number, geotrain::Bytes size)
    {
        Class& c = m_classes[number];
        if (m_queuedBytes > geotrain::Bytes() || !IsFree(m_parent, now) || !IsFree(c.rate, now) ||
            !c.items.HasRoomWhenEmpty(size))
        {
            return false;
        }
        Charge(m_parent, now, size);
        Charge(c.rate, now, size);
        return true;
    }

    /// Queues an item. Returns false, and counts a drop, when the queue of the class for this rank is
    /// full. Time never goes back.
    bool Enqueue(
        geotrain::Instant now, ClassNumber number, Item item, geotrain::Bytes size, int rank = 0)
    {
        Class& c = m_classes[number];
        const bool wasEmpty = c.items.Empty();
        if (!c.items.Push(rank, std::move(item), size))
        {
            ++m_drops;
            return false;
        }
        m_queuedBytes += size;
        m_hasRanks = m_hasRanks || rank != 0;
        if (wasEmpty)
        {
            Activate(now, number);
        }
        return true;
    }

    /// Returns the earliest time from `now` on at which Release() returns an item; nothing if no
    /// item is queued.
    std::optional<geotrain::Instant> NextRelease(geotrain::Instant now) const
    {
        if (m_eligible.Empty() && m_waiting.empty())
        {
            return std::nullopt;
        }
        geotrain::Instant next = m_eligible.Empty() ? std::max(now, m_waiting.top().at) : now;
        return m_parent ? std::max(next, m_parent->clock.FreeAt()) : next;
    }

    /// Returns the item whose turn it is at `now`, if rates allow one.
    std::optional<Item> Release(geotrain::Instant now)
    {
        WakeWaiting(now);
        if (m_eligible.Empty() || (m_parent && m_parent->clock.FreeAt() > now))
        {
            return std::nullopt;
        }
        BeginTurn();
        while (Front().deficit < Front().items.TopSize())
        {
            Front().hasTurn = false;
            m_eligible.PushBack(m_eligible.PopFront());
            BeginTurn();
        }
        return TakeFromFront(now);
    }

    geotrain::Bytes QueuedBytes() const
    {
        return m_queuedBytes;
    }

    geotrain::Bytes QueuedBytes(ClassNumber number) const
    {
        return m_classes[number].items.QueuedBytes();
    }

    std::uint64_t Drops() const
    {
        return m_drops;
    }

  private:
    struct Rate
    {
        Rate(geotrain::BitRate rate, geotrain::Bytes quantum)
            : clock(rate),
              allowance(rate.TransmissionTime(quantum))
        {
        }

        geotrain::TransmissionClock clock;
        geotrain::Duration allowance; ///< time by which a late release is made up for
    };

    struct Class
    {
        Class(const ClassSettings& settings, geotrain::Bytes least)
            : items(settings.queue),
              quantum(geotrain::Bytes::Of(
                  std::llround(settings.weight * static_cast<double>(least.Count()))))
        {
            if (settings.rate)
            {
                rate.emplace(*settings.rate, least);
            }
        }

        RankedQueue<Item> items;
        std::optional<Rate> rate;
        geotrain::Bytes quantum;
        geotrain::Bytes deficit;
        bool hasTurn = false;
    };

    struct Waiting
    {
        geotrain::Instant at;
        ClassNumber number;

        /// The top of a std::priority_queue is the greatest element: here the earliest, then the
        /// one with the lowest number.
        bool operator<(const Waiting& other) const
        {
            return at != other.at ? at > other.at : number > other.number;
        }
    };

    Class& Front()
    {
        return m_classes[m_eligible.Front()];
    }

    /// Gives the front its quantum once per turn. A class that its rate sent away may bring one
    /// quantum along.
    void BeginTurn()
    {
        if (m_hasRanks)
        {
            BringHighestForward();
        }
        Class& c = Front();
        if (!c.hasTurn)
        {
            c.deficit = std::min(c.deficit, c.quantum) + c.quantum;
            c.hasTurn = true;
        }
    }

    /// Lets the next class be the front whose first item has the highest rank.
    void BringHighestForward()
    {
        int highest = Front().items.TopRank();
        for (const ClassNumber number : m_eligible)
        {
            highest = std::max(highest, m_classes[number].items.TopRank());
        }
        while (Front().items.TopRank() < highest)
        {
            m_eligible.PushBack(m_eligible.PopFront());
        }
    }

    void Activate(geotrain::Instant now, ClassNumber number)
    {
        const Class& c = m_classes[number];
        if (c.rate && c.rate->clock.FreeAt() > now)
        {
            m_waiting.push({c.rate->clock.FreeAt(), number});
        }
        else
        {
            m_eligible.PushBack(number);
        }
    }

    void WakeWaiting(geotrain::Instant now)
    {
        while (!m_waiting.empty() && m_waiting.top().at <= now)
        {
            m_eligible.PushBack(m_waiting.top().number);
            m_waiting.pop();
        }
    }

    Item TakeFromFront(geotrain::Instant now)
    {
        const ClassNumber number = m_eligible.Front();
        Class& c = m_classes[number];
        auto queued = c.items.Pop();
        c.deficit = c.deficit - queued.size;
        m_queuedBytes = m_queuedBytes - queued.size;
        Charge(m_parent, now, queued.size);
        Charge(c.rate, now, queued.size);
        const bool held = c.rate && c.rate->clock.FreeAt() > now;
        if (c.items.Empty() || held)
        {
            m_eligible.PopFront();
            c.hasTurn = false;
        }
        if (c.items.Empty())
        {
            c.deficit = geotrain::Bytes();
        }
        else if (held)
        {
            m_waiting.push({c.rate->clock.FreeAt(), number});
        }
        return std::move(queued.item);
    }

    static bool IsFree(const std::optional<Rate>& rate, geotrain::Instant now)
    {
        return !rate || !(rate->clock.FreeAt() > now);
    }

    static void Charge(std::optional<Rate>& rate, geotrain::Instant now, geotrain::Bytes size)
    {
        if (rate)
        {
            rate->clock.Send(now - rate->allowance, size);
        }
    }

    geotrain::Bytes m_quantum;
    std::optional<Rate> m_parent;
    std::vector<Class> m_classes;
    geotrain::GrowingRing<ClassNumber>
        /// Classes that are backlogged and free to send, in the order of their turns.
        m_eligible;
    std::priority_queue<Waiting>
        m_waiting; ///< classes that are backlogged, but held by their own rate
    geotrain::Bytes m_queuedBytes;
    std::uint64_t m_drops = 0;
    bool m_hasRanks = false; ///< an item had another rank than 0
};

} // namespace ns3
