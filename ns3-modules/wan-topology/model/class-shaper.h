// SPDX-License-Identifier: GPL-2.0-only
// Shapes caps hierarchically, as a cloud's virtual NIC or Linux's HTB does. Each class (here: a
// directed pair of nodes) has its own drop-tail queue and may have a rate, and all classes share a
// parent rate. A class is eligible when its own rate lets its next packet go. The eligible classes
// share the parent by weight in bytes (deficit round robin, Shreedhar and Varghese, SIGCOMM'95), so that
// the outcome is max-min fair. Turns begin with the second class that is backlogged: a class that is
// alone goes when the rates let it, as over a link. Rates hold exactly over any long span; a class or parent that was
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

    /// `quantum` is what a class may send per turn, such as the size of the largest packet.
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
    bool
    Pass(geotrain::Instant now, ClassNumber number, geotrain::Bytes size, std::uint32_t packets = 1)
    {
        Class& c = m_classes[number];
        if (m_queuedBytes > geotrain::Bytes() || !IsFree(m_parent, now) || !IsFree(c.rate, now) ||
            !c.items.HasRoomWhenEmpty(size, packets))
        {
            return false;
        }
        Charge(c, now, size, packets);
        return true;
    }

    /// Returns when the last packet of the item that passed or was released last leaves, where its rates
    /// let its packets go one by one; not before the first one leaves.
    geotrain::Instant LastLeaves() const
    {
        return m_lastLeaves;
    }

    /// Queues an item of several packets. Returns false when the queue of the class for this rank has no
    /// room for all. That is a drop where it is one packet. Time never goes back.
    bool Enqueue(geotrain::Instant now,
                 ClassNumber number,
                 const Item& item,
                 geotrain::Bytes size,
                 int rank = 0,
                 std::uint32_t packets = 1)
    {
        Class& c = m_classes[number];
        const bool wasEmpty = c.items.Empty();
        if (!c.items.Push(rank, item, size, packets, c.leaving.At(now)))
        {
            m_drops += packets == 1 ? 1 : 0;
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

    bool IsEmpty() const
    {
        return m_backlogged == 0;
    }

    /// Returns the earliest time from `now` on at which Release() returns an item; nothing if no
    /// item is queued.
    std::optional<geotrain::Instant> NextRelease(geotrain::Instant now) const
    {
        return IsEmpty() ? std::nullopt : std::optional(NextOfQueued(now));
    }

    /// Returns the same where an item is queued.
    geotrain::Instant NextOfQueued(geotrain::Instant now) const
    {
        const bool isHeld = m_backlogged == 1 ? m_alone.isHeld : m_eligible.Empty();
        const geotrain::Instant next =
            isHeld ? std::max(now, m_backlogged == 1 ? m_alone.at : m_waiting.top().at) : now;
        return m_parent ? std::max(next, m_parent->clock.FreeAt()) : next;
    }

    /// Gives the item whose turn it is at `now`, and LastLeaves(), to `give`, if rates allow one, and returns
    /// whether they did. The item lies in its queue until then, since copies would cost more than the turns.
    template <typename Give>
    bool ReleaseTo(geotrain::Instant now, const Give& give)
    {
        if (m_backlogged < 2)
        {
            return m_backlogged == 1 && ReleaseAlone(now, give);
        }
        WakeWaiting(now);
        if (m_eligible.Empty() || !IsFree(m_parent, now))
        {
            return false;
        }
        BeginTurn();
        while (Front().deficit < Front().items.TopSize())
        {
            Front().hasTurn = false;
            m_eligible.PushBack(m_eligible.PopFront());
            BeginTurn();
        }
        TakeFromFront(now, give);
        return true;
    }

    /// Does the same, and returns the item.
    std::optional<Item> Release(geotrain::Instant now)
    {
        std::optional<Item> released;
        ReleaseTo(now, [&released](const Item& item, geotrain::Instant) { released = item; });
        return released;
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

    using Room = typename RankedQueue<Item>::Room;

    /// A Leaving is what was released last, whose packets take their room until they leave one by one.
    struct Leaving
    {
        geotrain::Instant first; ///< when its first packet left; then its last one
        geotrain::Instant last;
        geotrain::Bytes packet; ///< size
        std::uint32_t packets = 0;

        Room At(geotrain::Instant now) const
        {
            if (now >= last)
            {
                return {};
            }
            const std::int64_t gone =
                (now - first).ToNanoseconds() * (packets - 1) / (last - first).ToNanoseconds();
            const auto left = static_cast<std::uint32_t>(packets - 1 - gone);
            return {packet * left, left};
        }
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

        bool IsHeld(geotrain::Instant now) const
        {
            return rate && rate->clock.FreeAt() > now;
        }

        /// Gives the quantum once per turn. A class that its rate sent away may bring one quantum along, and
        /// one whose next item is larger saves for it.
        void BeginTurn()
        {
            if (!hasTurn)
            {
                deficit = std::min(deficit, std::max(quantum, items.TopSize())) + quantum;
                hasTurn = true;
            }
        }

        RankedQueue<Item> items;
        Leaving leaving;
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

    /// Alone is the place of the only class that is backlogged.
    struct Alone
    {
        ClassNumber number = 0;
        bool isHeld = false;  ///< by its own rate; it may be past, as of a class in m_waiting
        geotrain::Instant at; ///< end of that
    };

    Class& Front()
    {
        return m_classes[m_eligible.Front()];
    }

    void BeginTurn()
    {
        if (m_hasRanks)
        {
            BringHighestForward();
        }
        Front().BeginTurn();
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
        const Alone place{number, c.IsHeld(now), c.rate ? c.rate->clock.FreeAt() : now};
        if (++m_backlogged == 1)
        {
            m_alone = place;
            return;
        }
        if (m_backlogged == 2)
        {
            TakePlace(m_alone);
        }
        TakePlace(place);
    }

    /// Puts a class among the others.
    void TakePlace(const Alone& place)
    {
        if (place.isHeld)
        {
            m_waiting.push({place.at, place.number});
        }
        else
        {
            m_eligible.PushBack(place.number);
        }
    }

    /// Takes the place of the last class that is backlogged from among the others, who have gone.
    void LeaveAlone()
    {
        if (m_eligible.Empty())
        {
            m_alone = {m_waiting.top().number, true, m_waiting.top().at};
            m_waiting.pop();
        }
        else
        {
            m_alone = {m_eligible.PopFront(), false, {}};
        }
    }

    /// Does what ReleaseTo() does where one class is backlogged.
    template <typename Give>
    bool ReleaseAlone(geotrain::Instant now, const Give& give)
    {
        m_alone.isHeld = m_alone.isHeld && m_alone.at > now;
        if (m_alone.isHeld || !IsFree(m_parent, now))
        {
            return false;
        }
        Class& c = m_classes[m_alone.number];
        c.BeginTurn();
        while (c.deficit < c.items.TopSize())
        {
            c.hasTurn = false;
            c.BeginTurn();
        }
        Take(c, now, give);
        if (c.items.Empty())
        {
            --m_backlogged;
        }
        else if (c.IsHeld(now))
        {
            m_alone.isHeld = true;
            m_alone.at = c.rate->clock.FreeAt();
        }
        return true;
    }

    void WakeWaiting(geotrain::Instant now)
    {
        while (!m_waiting.empty() && m_waiting.top().at <= now)
        {
            m_eligible.PushBack(m_waiting.top().number);
            m_waiting.pop();
        }
    }

    template <typename Give>
    void TakeFromFront(geotrain::Instant now, const Give& give)
    {
        const ClassNumber number = m_eligible.Front();
        Class& c = m_classes[number];
        Take(c, now, give);
        if (c.items.Empty())
        {
            m_eligible.PopFront();
            if (--m_backlogged == 1)
            {
                LeaveAlone();
            }
        }
        else if (c.IsHeld(now))
        {
            m_eligible.PopFront();
            m_waiting.push({c.rate->clock.FreeAt(), number});
        }
    }

    /// Takes the first item of a class that has its turn, which ends where the class has no more or is
    /// held.
    template <typename Give>
    void Take(Class& c, geotrain::Instant now, const Give& give)
    {
        const geotrain::Bytes size = c.items.TopSize();
        c.deficit = c.deficit - size;
        m_queuedBytes = m_queuedBytes - size;
        Charge(c, now, size, c.items.TopPackets());
        c.items.Pop([&](const Item& item) { give(item, m_lastLeaves); });
        c.hasTurn = !c.items.Empty() && !c.IsHeld(now);
        if (c.items.Empty())
        {
            c.deficit = geotrain::Bytes();
        }
    }

    static bool IsFree(const std::optional<Rate>& rate, geotrain::Instant now)
    {
        return !rate || !(rate->clock.FreeAt() > now);
    }

    void Charge(Class& c, geotrain::Instant now, geotrain::Bytes size, std::uint32_t packets)
    {
        m_lastLeaves = now;
        Charge(m_parent, now, size, packets);
        Charge(c.rate, now, size, packets);
        if (packets > 1)
        {
            c.leaving = {now, m_lastLeaves, geotrain::Bytes::Of(size.Count() / packets), packets};
        }
    }

    void Charge(std::optional<Rate>& rate,
                geotrain::Instant now,
                geotrain::Bytes size,
                std::uint32_t packets)
    {
        if (!rate)
        {
            return;
        }
        const auto last = geotrain::Bytes::Of(size.Count() / packets);
        if (packets > 1)
        {
            const geotrain::Instant free = rate->clock.Send(now - rate->allowance, size - last);
            m_lastLeaves = std::max(m_lastLeaves, free);
        }
        rate->clock.Send(now - rate->allowance, last);
    }

    geotrain::Bytes m_quantum;
    std::optional<Rate> m_parent;
    std::vector<Class> m_classes;
    std::uint32_t m_backlogged = 0; ///< classes
    Alone m_alone;                  ///< where that is one class; else they are in the next two
    geotrain::GrowingRing<ClassNumber>
        m_eligible; ///< classes that are free to send, in the order of turns
    std::priority_queue<Waiting> m_waiting; ///< classes that are held by their own rate
    geotrain::Bytes m_queuedBytes;
    geotrain::Instant m_lastLeaves;
    std::uint64_t m_drops = 0;
    bool m_hasRanks = false; ///< an item had another rank than 0
};

} // namespace ns3
