// SPDX-License-Identifier: GPL-2.0-only
// A class that is alone has no turns in ClassShaper. Compares it, packet by packet, with a shaper that
// gives turns to one class too, while classes come and go at random.
#include "wan-topology/model/class-shaper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;
using geotrain::TransmissionClock;
using ns3::QueueLimit;
using Shaper = ns3::ClassShaper<int>; // an item is its number

const Bytes packet = Bytes::Of(1500);

/// PlainShaper is deficit round robin as the paper has it, for any number of classes.
class PlainShaper
{
  public:
    explicit PlainShaper(std::optional<BitRate> rate)
        : m_parent(rate)
    {
    }

    void AddClass(const Shaper::ClassSettings& settings)
    {
        m_classes.emplace_back(settings);
    }

    bool Enqueue(Instant now, std::uint32_t number, int item, Bytes size)
    {
        Class& c = m_classes[number];
        if (c.bytes + size > c.settings.queue.bytes)
        {
            return false;
        }
        c.bytes += size;
        c.items.emplace_back(item, size);
        if (c.items.size() == 1)
        {
            TakePlace(now, number);
        }
        return true;
    }

    std::optional<Instant> NextRelease(Instant now) const
    {
        if (m_eligible.empty() && m_waiting.empty())
        {
            return std::nullopt;
        }
        const Instant ofClass =
            m_eligible.empty() ? std::max(now, m_waiting.begin()->first.first) : now;
        return std::max(ofClass, m_parent.FreeAt());
    }

    std::optional<int> Release(Instant now)
    {
        while (!m_waiting.empty() && m_waiting.begin()->first.first <= now)
        {
            m_eligible.push_back(m_waiting.begin()->second);
            m_waiting.erase(m_waiting.begin());
        }
        if (m_eligible.empty() || m_parent.FreeAt() > now)
        {
            return std::nullopt;
        }
        BeginTurn();
        while (Front().deficit < Front().items.front().second)
        {
            Front().hasTurn = false;
            std::rotate(m_eligible.begin(), m_eligible.begin() + 1, m_eligible.end());
            BeginTurn();
        }
        return TakeFromFront(now);
    }

  private:
    /// Cap is a rate that lets one packet go late.
    struct Cap
    {
        explicit Cap(std::optional<BitRate> rate)
            : allowance(rate ? rate->TransmissionTime(packet) : Duration())
        {
            if (rate)
            {
                clock.emplace(*rate);
            }
        }

        Instant FreeAt() const
        {
            return clock ? clock->FreeAt() : Instant();
        }

        void Charge(Instant now, Bytes size)
        {
            if (clock)
            {
                clock->Send(now - allowance, size);
            }
        }

        std::optional<TransmissionClock> clock;
        Duration allowance;
    };

    struct Class
    {
        explicit Class(const Shaper::ClassSettings& of)
            : settings(of),
              cap(of.rate)
        {
        }

        Shaper::ClassSettings settings;
        Cap cap;
        std::deque<std::pair<int, Bytes>> items;
        Bytes bytes;
        Bytes deficit;
        bool hasTurn = false;
    };

    Class& Front()
    {
        return m_classes[m_eligible.front()];
    }

    void BeginTurn()
    {
        Class& c = Front();
        if (!c.hasTurn)
        {
            const Bytes share =
                Bytes::Of(static_cast<std::int64_t>(c.settings.weight) * packet.Count());
            c.deficit = std::min(c.deficit, share) + share;
            c.hasTurn = true;
        }
    }

    void TakePlace(Instant now, std::uint32_t number)
    {
        const Instant freeAt = m_classes[number].cap.FreeAt();
        if (freeAt > now)
        {
            m_waiting[{freeAt, number}] = number;
        }
        else
        {
            m_eligible.push_back(number);
        }
    }

    int TakeFromFront(Instant now)
    {
        const std::uint32_t number = m_eligible.front();
        Class& c = Front();
        const auto [item, size] = c.items.front();
        c.items.pop_front();
        c.bytes = c.bytes - size;
        c.deficit = c.deficit - size;
        m_parent.Charge(now, size);
        c.cap.Charge(now, size);
        if (c.items.empty() || c.cap.FreeAt() > now)
        {
            m_eligible.pop_front();
            c.hasTurn = false;
            c.deficit = c.items.empty() ? Bytes() : c.deficit;
            if (!c.items.empty())
            {
                TakePlace(now, number);
            }
        }
        return item;
    }

    Cap m_parent;
    std::vector<Class> m_classes;
    std::deque<std::uint32_t> m_eligible;
    std::map<std::pair<Instant, std::uint32_t>, std::uint32_t> m_waiting; ///< by time, then number
};

/// Caps are settings drawn at random: with and without a rate for all, rates of classes, weights and
/// limits, so that now one and now another cap holds.
class Caps
{
  public:
    explicit Caps(std::mt19937& random)
        : m_random(random),
          m_parent(DrawRate()),
          m_shaper(m_parent, packet),
          m_plain(m_parent)
    {
        for (std::uint32_t i = 0; i < 3; ++i)
        {
            Shaper::ClassSettings settings;
            settings.rate = DrawRate();
            settings.weight = static_cast<double>(1 + Below(2));
            settings.queue = QueueLimit::OfBytes(Bytes::Of(1500 * (2 + Below(6))));
            m_shaper.AddClass(settings);
            m_plain.AddClass(settings);
        }
    }

    /// Offers packets to both and lets both release them. Returns how many were released while one class
    /// was backlogged, and while several were.
    std::pair<int, int> Compare()
    {
        for (int item = 0; item < 400; ++item)
        {
            const Instant arrival = m_now + Duration::Nanoseconds(Below(3) == 0 ? Below(40000) : 0);
            ReleaseUntil(arrival);
            m_now = arrival;
            const auto number = static_cast<std::uint32_t>(Below(4) == 0 ? Below(3) : 0);
            const Bytes size = Bytes::Of(52 + Below(1449));
            EXPECT_EQ(m_shaper.Enqueue(m_now, number, item, size),
                      m_plain.Enqueue(m_now, number, item, size));
            // A device asks for the next time first, a light shaper releases what it can.
            if (Below(2) == 0)
            {
                ReleaseAt(m_now);
            }
        }
        ReleaseUntil(m_now + Duration::Seconds(1));
        return m_released;
    }

  private:
    std::int64_t Below(std::int64_t end)
    {
        return static_cast<std::int64_t>(m_random()) % end;
    }

    std::optional<BitRate> DrawRate()
    {
        const std::int64_t draw = Below(4);
        return draw == 0 ? std::nullopt : std::optional(BitRate::BitsPerSecond(300000001 * draw));
    }

    void ReleaseUntil(Instant end)
    {
        for (auto next = m_plain.NextRelease(m_now); next && *next < end;
             next = m_plain.NextRelease(*next))
        {
            ASSERT_EQ(m_shaper.NextRelease(m_now), next);
            m_now = *next;
            ReleaseAt(m_now);
        }
        ASSERT_EQ(m_shaper.NextRelease(m_now), m_plain.NextRelease(m_now));
    }

    void ReleaseAt(Instant now)
    {
        for (bool isMore = true; isMore;)
        {
            const int classes = (m_shaper.QueuedBytes(0) > Bytes() ? 1 : 0) +
                                (m_shaper.QueuedBytes(1) > Bytes() ? 1 : 0) +
                                (m_shaper.QueuedBytes(2) > Bytes() ? 1 : 0);
            const std::optional<int> item = m_shaper.Release(now);
            ASSERT_EQ(item, m_plain.Release(now)) << "at " << now.ToNanoseconds();
            isMore = item.has_value();
            (classes == 1 ? m_released.first : m_released.second) += isMore ? 1 : 0;
        }
    }

    std::mt19937& m_random;
    std::optional<BitRate> m_parent;
    Shaper m_shaper;
    PlainShaper m_plain;
    Instant m_now;
    std::pair<int, int> m_released{0, 0};
};

TEST(ClassShaper, ClassThatIsAloneGoesAsInTurns)
{
    std::mt19937 random(1);
    std::pair<int, int> released{0, 0};
    for (int draw = 0; draw < 2000 && !HasFailure(); ++draw)
    {
        const auto [alone, among] = Caps(random).Compare();
        released.first += alone;
        released.second += among;
    }
    EXPECT_GT(released.first, 50000); // or the test has shown nothing
    EXPECT_GT(released.second, 50000);
}

} // namespace
