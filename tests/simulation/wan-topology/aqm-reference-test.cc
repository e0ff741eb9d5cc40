// SPDX-License-Identifier: GPL-2.0-only
// Compares LinkModel's drop-tail queue, RED and CoDel with ns-3's FifoQueueDisc, RedQueueDisc and
// CoDelQueueDisc, packet by packet.
// The same arrivals come to the link, and to the queue disc with a server of the link's rate behind
// it.
#include "wan-topology/model/link-model.h"

#include <ns3/boolean.h>
#include <ns3/codel-queue-disc.h>
#include <ns3/data-rate.h>
#include <ns3/double.h>
#include <ns3/fifo-queue-disc.h>
#include <ns3/ipv4-queue-disc-item.h>
#include <ns3/packet.h>
#include <ns3/queue-disc.h>
#include <ns3/queue-size.h>
#include <ns3/random-variable-stream.h>
#include <ns3/red-queue-disc.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>
#include <ns3/uinteger.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;
using geotrain::RedSettings;
using geotrain::WanQueueSize;

constexpr std::int64_t byteNs = 80; ///< at 100 Mbit/s: no fraction of a nanosecond
const BitRate linkRate = BitRate::BitsPerSecond(100000000);
constexpr std::uint32_t headerBytes = 20;

struct Arrival
{
    std::int64_t atNs;
    std::uint32_t size; ///< IP packet
    bool ecnCapable;
};

/// Fates has a letter per packet: '.' passes, 'm' is marked, 'x' is dropped.
using Fates = std::string;

/// A Reference is a queue disc with a server of 100 Mbit/s behind it.
class Reference
{
  public:
    explicit Reference(Ptr<QueueDisc> disc)
        : m_disc(disc)
    {
        disc->Initialize();
        disc->TraceConnectWithoutContext("Drop", MakeCallback(&Reference::OnDrop, this));
        disc->TraceConnectWithoutContext("Mark", MakeCallback(&Reference::OnMark, this));
    }

    /// `before` is called just before a packet comes to the disc; may be empty.
    Fates Run(const std::vector<Arrival>& arrivals,
              const std::function<void(const Arrival&)>& before = {})
    {
        m_fates.assign(arrivals.size(), '.');
        for (std::size_t i = 0; i < arrivals.size(); ++i)
        {
            Simulator::Schedule(NanoSeconds(arrivals[i].atNs),
                                [this, i, &arrivals, &before]
                                {
                                    // After a departure at the same time.
                                    Simulator::ScheduleNow([this, i, &arrivals, &before]
                                                           { Arrive(i, arrivals[i], before); });
                                });
        }
        Simulator::Run();
        Simulator::Destroy();
        return m_fates;
    }

    bool isBusy = false;
    std::int64_t idleSinceNs = 0;

  private:
    void Arrive(std::size_t number,
                const Arrival& arrival,
                const std::function<void(const Arrival&)>& before)
    {
        if (before)
        {
            before(arrival);
        }
        const Ptr<Packet> packet = Create<Packet>(arrival.size - headerBytes);
        m_numbers[packet->GetUid()] = number;
        Ipv4Header header;
        header.SetEcn(arrival.ecnCapable ? Ipv4Header::ECN_ECT0 : Ipv4Header::ECN_NotECT);
        m_disc->Enqueue(Create<Ipv4QueueDiscItem>(packet, Address(), 0x0800, header));
        if (!isBusy)
        {
            Serve();
        }
    }

    void Serve()
    {
        const Ptr<QueueDiscItem> item = m_disc->Dequeue();
        isBusy = item != nullptr;
        if (!isBusy)
        {
            idleSinceNs = Simulator::Now().GetNanoSeconds();
            return;
        }
        Simulator::Schedule(NanoSeconds(item->GetSize() * byteNs), &Reference::Serve, this);
    }

    void OnDrop(Ptr<const QueueDiscItem> item)
    {
        m_fates[m_numbers.at(item->GetPacket()->GetUid())] = 'x';
    }

    void OnMark(Ptr<const QueueDiscItem> item, const char* /*reason*/)
    {
        m_fates[m_numbers.at(item->GetPacket()->GetUid())] = 'm';
    }

    Ptr<QueueDisc> m_disc;
    std::map<std::uint64_t, std::size_t> m_numbers; ///< by packet
    Fates m_fates;
};

/// Makes spans of overload and of rest of `span` packets each, with packets of random sizes at
/// random times.
std::vector<Arrival>
RandomArrivals(std::uint32_t seed, std::size_t packets, std::size_t span, double ecnShare)
{
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t bound)
    { return static_cast<std::uint32_t>(random() % bound); };
    std::vector<Arrival> arrivals;
    std::int64_t now = 1;
    std::uint32_t load = 0; ///< per cent
    for (std::size_t i = 0; i < packets; ++i)
    {
        if (i % span == 0)
        {
            load = 40 + below(120);
        }
        const std::uint32_t size = 64 + below(1437);
        now += size * byteNs * 2 * below(1000) / 1000 * 100 / load + 1;
        arrivals.push_back({now, size, below(1000) < static_cast<std::uint32_t>(1000 * ecnShare)});
    }
    return arrivals;
}

Fates
FatesOnLink(const LinkModel::Settings& settings, const std::vector<Arrival>& arrivals)
{
    LinkModel link(settings);
    Fates fates;
    for (const Arrival& arrival : arrivals)
    {
        const LinkModel::Outcome outcome = link.Offer(
            Instant::FromNanoseconds(arrival.atNs), Bytes::Of(arrival.size), arrival.ecnCapable);
        fates +=
            outcome.verdict == LinkModel::Verdict::QueueFull ? 'x' : (outcome.marked ? 'm' : '.');
    }
    return fates;
}

std::ptrdiff_t
Count(const Fates& fates, char fate)
{
    return std::count(fates.begin(), fates.end(), fate);
}

int
Differences(const Fates& a, const Fates& b)
{
    int differences = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        differences += a[i] == b[i] ? 0 : 1;
    }
    return differences;
}

LinkModel::Settings
Link100()
{
    LinkModel::Settings settings;
    settings.rate = linkRate;
    settings.name = "a -> b";
    settings.mtu = Bytes::Of(1500);
    return settings;
}

TEST(DropTailReference, DropsTheSamePacketsOfMixedSizes)
{
    const std::vector<Arrival> arrivals = RandomArrivals(5, 60000, 2000, 0);
    struct Limit
    {
        QueueLimit ours;
        QueueSize theirs;
    };
    for (const Limit& limit :
         {Limit{QueueLimit::OfBytes(Bytes::Of(3000)), QueueSize(QueueSizeUnit::BYTES, 3000)},
          Limit{QueueLimit::OfBytes(Bytes::Of(20000)), QueueSize(QueueSizeUnit::BYTES, 20000)},
          Limit{QueueLimit::Packets(20), QueueSize(QueueSizeUnit::PACKETS, 20)}})
    {
        const Ptr<FifoQueueDisc> disc = CreateObject<FifoQueueDisc>();
        disc->SetAttribute("MaxSize", QueueSizeValue(limit.theirs));
        LinkModel::Settings settings = Link100();
        settings.queue = limit.ours;
        const Fates theirs = Reference(disc).Run(arrivals);
        const Fates plain = FatesOnLink(settings, arrivals);
        settings.duplication = 1e-12; // as good as none: ImpairedLink has the same queue
        EXPECT_GT(Count(theirs, 'x'), 300);
        EXPECT_EQ(Differences(plain, theirs), 0) << Count(plain, 'x') << " " << Count(theirs, 'x');
        EXPECT_EQ(Differences(FatesOnLink(settings, arrivals), theirs), 0);
    }
}

class RedReference : public testing::TestWithParam<bool>
{
  protected:
    RedReference()
    {
        red.minThreshold = WanQueueSize::OfBytes(Bytes::Of(30000));
        red.maxThreshold = WanQueueSize::OfBytes(Bytes::Of(90000));
        red.weight = 0.01;
        red.gentle = GetParam();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
    }

    Ptr<RedQueueDisc> MakeDisc() const
    {
        const Ptr<RedQueueDisc> disc = CreateObject<RedQueueDisc>();
        disc->SetAttribute("MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, 10000000)));
        disc->SetAttribute("MinTh", DoubleValue(red.minThreshold.value));
        disc->SetAttribute("MaxTh", DoubleValue(red.maxThreshold.value));
        disc->SetAttribute("LInterm", DoubleValue(1 / red.maxProbability));
        disc->SetAttribute("QW", DoubleValue(red.weight));
        disc->SetAttribute("Gentle", BooleanValue(red.gentle));
        disc->SetAttribute("UseEcn", BooleanValue(red.ecn));
        disc->SetAttribute("Wait", BooleanValue(false));
        disc->SetAttribute("MeanPktSize", UintegerValue(1500));
        disc->SetAttribute("LinkBandwidth", DataRateValue(DataRate("100Mbps")));
        return disc;
    }

    RedSettings red;
};

TEST_P(RedReference, DropsAndMarksTheSamePacketsWithTheSameDraws)
{
    const std::int64_t stream = 77;
    const Ptr<RedQueueDisc> disc = MakeDisc();
    disc->AssignStreams(stream);
    const Ptr<UniformRandomVariable> draws = CreateObject<UniformRandomVariable>();
    draws->SetStream(stream);
    RedQueue queue(red, Bytes::Of(1500), linkRate, [draws] { return draws->GetValue(); });
    Reference reference(disc);
    Fates ours;
    const Fates theirs = reference.Run(
        RandomArrivals(1, 60000, 2000, 0.5),
        [&](const Arrival& arrival)
        {
            std::optional<Duration> idle;
            if (!reference.isBusy)
            {
                idle = Duration::Nanoseconds(arrival.atNs - reference.idleSinceNs);
            }
            const AqmVerdict verdict = queue.Decide(
                idle, Bytes::Of(disc->GetNBytes()), Bytes::Of(arrival.size), arrival.ecnCapable);
            ours += verdict == AqmVerdict::Pass ? '.' : (verdict == AqmVerdict::Mark ? 'm' : 'x');
        });
    EXPECT_GT(Count(theirs, 'x'), 300);
    EXPECT_GT(Count(theirs, 'm'), 300);
    EXPECT_EQ(Differences(ours, theirs), 0);
}

TEST_P(RedReference, KeepsTheSameQueueAndAverageOnALink)
{
    red.maxProbability = 1e-12; // no draw ever drops: the average alone decides
    const std::vector<Arrival> arrivals = RandomArrivals(2, 60000, 2000, 0);
    LinkModel::Settings settings = Link100();
    settings.red = red;
    const Fates ours = FatesOnLink(settings, arrivals);
    const Fates theirs = Reference(MakeDisc()).Run(arrivals);
    if (red.gentle)
    {
        // Between the upper threshold and twice it p rises from 0 to 1, by draws of their own.
        const auto drops = static_cast<double>(Count(theirs, 'x'));
        EXPECT_GT(drops, 300);
        EXPECT_NEAR(static_cast<double>(Count(ours, 'x')), drops, 5 * std::sqrt(2 * drops));
        return;
    }
    EXPECT_GT(Count(theirs, 'x'), 300);
    EXPECT_EQ(Differences(ours, theirs), 0);
}

TEST_P(RedReference, DropsAndMarksAsOftenOnALink)
{
    const std::vector<Arrival> arrivals = RandomArrivals(3, 100000, 2000, 0.5);
    LinkModel::Settings settings = Link100();
    settings.red = red;
    const Fates ours = FatesOnLink(settings, arrivals);
    const Fates theirs = Reference(MakeDisc()).Run(arrivals);
    for (const char fate : {'x', 'm'})
    {
        const auto count = static_cast<double>(Count(theirs, fate));
        EXPECT_GT(count, 300);
        // Draws of their own: the difference of two counts with the variance of Poisson's at most,
        // 5 deviations.
        EXPECT_NEAR(static_cast<double>(Count(ours, fate)), count, 5 * std::sqrt(2 * count));
    }
}

INSTANTIATE_TEST_SUITE_P(Gentle, RedReference, testing::Bool());

/// RfcCoDel is the pseudo-code of RFC 8289, section 5, word for word: a queue from which packets
/// are taken. It marks as Linux does.
class RfcCoDel
{
  public:
    Fates Run(const std::vector<Arrival>& arrivals)
    {
        m_fates.assign(arrivals.size(), '.');
        std::int64_t freeAt = 0;
        std::size_t next = 0;
        while (next < arrivals.size() || !m_queue.empty())
        {
            if (m_queue.empty())
            {
                freeAt = std::max(freeAt, arrivals[next].atNs);
            }
            while (next < arrivals.size() && arrivals[next].atNs <= freeAt)
            {
                m_queued += arrivals[next].size;
                m_queue.push_back({next, arrivals[next]});
                ++next;
            }
            if (const std::optional<Item> item = Dequeue(freeAt))
            {
                freeAt += item->arrival.size * byteNs;
            }
        }
        return m_fates;
    }

  private:
    struct Item
    {
        std::size_t number;
        Arrival arrival;
    };

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

    std::deque<Item> m_queue;
    std::int64_t m_queued = 0;
    Fates m_fates;
    bool m_dropping = false;
    std::int64_t m_firstAbove = 0;
    std::int64_t m_dropNext = 0;
    std::int64_t m_count = 0;
    std::int64_t m_lastCount = 0;
};

class CoDelReference : public testing::TestWithParam<double>
{
  protected:
    static Fates FatesOnCoDelLink(const std::vector<Arrival>& arrivals)
    {
        LinkModel::Settings settings = Link100();
        settings.coDel = geotrain::CoDelSettings();
        return FatesOnLink(settings, arrivals);
    }
};

TEST_P(CoDelReference, DropsAndMarksThePacketsOfTheRfcsPseudoCode)
{
    std::ptrdiff_t hit = 0;
    for (std::uint32_t seed = 10; seed < 30; ++seed)
    {
        const std::vector<Arrival> arrivals = RandomArrivals(seed, 50000, 5000, GetParam());
        const Fates theirs = RfcCoDel().Run(arrivals);
        hit += Count(theirs, 'x') + Count(theirs, 'm');
        EXPECT_EQ(Differences(FatesOnCoDelLink(arrivals), theirs), 0) << "seed " << seed;
    }
    EXPECT_GT(hit, 1000);
}

TEST_P(CoDelReference, DiffersFromTheRfcAtTheEndOfABurstAlone)
{
    // Bursts at twice the rate that end at once: where the RFC asks what is behind a packet when it
    // leaves, there is nothing behind the last one; the link asks what is ahead of it when it
    // comes.
    std::mt19937 random(5);
    std::vector<Arrival> arrivals;
    std::vector<std::size_t> ends;
    std::int64_t now = 0;
    for (int burst = 0; burst < 100; ++burst)
    {
        const std::size_t packets = 1500 + random() % 1000;
        for (std::size_t i = 0; i < packets; ++i)
        {
            now += 1500 * byteNs / 2;
            arrivals.push_back(
                {now, 1500, random() % 1000 < static_cast<std::uint32_t>(1000 * GetParam())});
        }
        ends.push_back(arrivals.size());
        now += 2000000000;
    }
    const Fates ours = FatesOnCoDelLink(arrivals);
    const Fates theirs = RfcCoDel().Run(arrivals);
    EXPECT_GE(Count(theirs, 'x') + Count(theirs, 'm'), 200);
    for (std::size_t i = 0; i < ours.size(); ++i)
    {
        const std::size_t end = *std::lower_bound(ends.begin(), ends.end(), i + 1);
        EXPECT_TRUE(ours[i] == theirs[i] || end - i <= 2)
            << "packet " << i << ", " << end - i << " before the end of a burst";
    }
    // Few bursts end where a drop is due: the measured number is 1 of 201.
    EXPECT_LE(Differences(ours, theirs), 3);
}

TEST_P(CoDelReference, DropsAndMarksAsOftenAsNs3)
{
    const Ptr<CoDelQueueDisc> disc = CreateObject<CoDelQueueDisc>();
    disc->SetAttribute("MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, 100000000)));
    disc->SetAttribute("UseEcn", BooleanValue(true));
    const std::vector<Arrival> arrivals = RandomArrivals(4, 200000, 5000, GetParam());
    const Fates ours = FatesOnCoDelLink(arrivals);
    const Fates theirs = Reference(disc).Run(arrivals);
    const auto hit = [](const Fates& fates)
    { return static_cast<double>(Count(fates, 'x') + Count(fates, 'm')); };
    EXPECT_GT(hit(theirs), 500);
    // ns-3 counts time in 1,024 ns, has a 16-bit square root, and after a mark counts from now and
    // not from when it was due.
    EXPECT_NEAR(hit(ours), hit(theirs), 0.01 * hit(theirs));
}

INSTANTIATE_TEST_SUITE_P(EcnShare, CoDelReference, testing::Values(0, 0.5, 1));

} // namespace
} // namespace ns3
