// SPDX-License-Identifier: GPL-2.0-only
// Compares FQ-CoDel and PIE with ns-3's discs, and FQ-CoDel and DualPI2 with the pseudo-code of RFC 8290
// and RFC 9332, packet by packet; classes and steps are held against formulas.
#include "queue-reference.h"
#include "rfc-codel.h"

#include "wan-topology/model/class-queue.h"
#include "wan-topology/model/dual-pi2.h"
#include "wan-topology/model/fq-codel.h"
#include "wan-topology/model/pie-queue.h"

#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/fq-codel-queue-disc.h>
#include <ns3/ipv4-queue-disc-item.h>
#include <ns3/packet-filter.h>
#include <ns3/pie-queue-disc.h>
#include <ns3/queue-size.h>
#include <ns3/random-variable-stream.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <list>
#include <memory>
#include <random>

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::DualPi2Settings;
using geotrain::Duration;
using geotrain::FqCoDelSettings;
using geotrain::Instant;
using geotrain::PieSettings;
using geotrain::TrafficClass;

const Bytes mtu = Bytes::Of(1500);

std::uint32_t
FlowOf(const PacketRecord& record)
{
    return record.flow;
}

/// Gives each arrival one of `flows` flows, the lower ones more often.
std::vector<Arrival>
WithFlows(std::vector<Arrival> arrivals, std::uint32_t flows)
{
    std::mt19937 random(99);
    for (Arrival& arrival : arrivals)
    {
        const auto one = static_cast<std::uint32_t>(random() % flows);
        const auto other = static_cast<std::uint32_t>(random() % flows);
        arrival.flow = std::min(one, other);
    }
    return arrivals;
}

/// SourceFilter sorts packets by their source, which DiscReference makes of the flow.
class SourceFilter : public PacketFilter
{
    bool CheckProtocol(Ptr<QueueDiscItem> /*item*/) const override
    {
        return true;
    }

    std::int32_t DoClassify(Ptr<QueueDiscItem> item) const override
    {
        const auto& ip = *DynamicCast<Ipv4QueueDiscItem>(item);
        return static_cast<std::int32_t>(ip.GetHeader().GetSource().Get()) - 1;
    }
};

TEST(FqCoDelReference, SendsAndDropsThePacketsThatNs3DoesWithoutCoDel)
{
    const std::vector<Arrival> arrivals = WithFlows(RandomArrivals(31, 60000, 2000, 0.5), 12);
    const Ptr<FqCoDelQueueDisc> disc = CreateObject<FqCoDelQueueDisc>();
    disc->SetAttribute("MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, 150)));
    disc->SetAttribute("Target", StringValue("100s"));
    disc->SetAttribute("Interval", StringValue("100s"));
    disc->SetQuantum(1500);
    disc->AddPacketFilter(CreateObject<SourceFilter>());
    FqCoDelSettings settings;
    settings.coDel.target = Duration::Seconds(100);
    settings.coDel.interval = Duration::Seconds(100);
    FqCoDel ours(settings, QueueLimit::Packets(150), mtu, FlowOf);
    const Passage passed = PassageOf(ours, arrivals);
    const Passage theirs = DiscReference(disc).Run(arrivals);
    EXPECT_GT(Count(theirs.fates, 'x'), 300);
    EXPECT_EQ(Differences(passed.fates, theirs.fates), 0);
    EXPECT_EQ(passed.departures, theirs.departures);
}

/// RfcFqCoDel is RFC 8290, section 4, as it is written, with 1,024 queues and a quantum of 1,500 bytes.
class RfcFqCoDel
{
  public:
    explicit RfcFqCoDel(std::int64_t limit)
        : m_limit(limit)
    {
    }

    Passage Run(const std::vector<Arrival>& arrivals)
    {
        m_passage.fates.assign(arrivals.size(), '.');
        std::int64_t freeAt = 0;
        bool isBusy = false;
        const auto serve = [&](std::int64_t now)
        {
            const auto item = Dequeue(now);
            isBusy = item.has_value();
            if (item)
            {
                m_passage.departures.push_back(item->number);
                freeAt = now + item->arrival.size * byteNs;
            }
        };
        for (std::size_t i = 0; i < arrivals.size(); ++i)
        {
            while (isBusy && freeAt <= arrivals[i].atNs)
            {
                serve(freeAt);
            }
            Enqueue({i, arrivals[i]});
            if (!isBusy)
            {
                serve(arrivals[i].atNs);
            }
        }
        while (isBusy)
        {
            serve(freeAt);
        }
        return m_passage;
    }

  private:
    struct Queue
    {
        explicit Queue(Fates& fates)
            : coDel(fates)
        {
        }

        RfcCoDel coDel;
        std::int64_t credits = 0;
        bool isActive = false;
    };

    using List = std::list<Queue*>;

    void Enqueue(const RfcCoDel::Item& item)
    {
        auto& queue = m_queues[item.arrival.flow];
        if (!queue)
        {
            queue = std::make_unique<Queue>(m_passage.fates);
        }
        queue->coDel.Push(item);
        if (!queue->isActive)
        {
            queue->isActive = true;
            queue->credits = 1500;
            m_new.push_back(queue.get());
        }
        std::int64_t all = 0;
        Queue* fattest = nullptr;
        for (const auto& [flow, one] : m_queues)
        {
            all += one->coDel.Bytes();
            fattest = !fattest || one->coDel.Bytes() > fattest->coDel.Bytes() ? one.get() : fattest;
        }
        if (all > m_limit)
        {
            const std::int64_t half = fattest->coDel.Bytes() / 2;
            std::int64_t dropped = 0;
            for (int i = 0; i < 64 && (i == 0 || dropped < half); ++i)
            {
                dropped += fattest->coDel.DropFirst();
            }
        }
    }

    std::optional<RfcCoDel::Item> Dequeue(std::int64_t now)
    {
        while (true)
        {
            List& list = m_new.empty() ? m_old : m_new;
            if (list.empty())
            {
                return std::nullopt;
            }
            Queue& queue = *list.front();
            if (queue.credits <= 0)
            {
                queue.credits += 1500;
                list.pop_front();
                m_old.push_back(&queue);
                continue;
            }
            if (const auto item = queue.coDel.Dequeue(now))
            {
                queue.credits -= item->arrival.size;
                return item;
            }
            const bool wasNew = &list == &m_new;
            list.pop_front();
            if (wasNew)
            {
                m_old.push_back(&queue);
            }
            else
            {
                queue.isActive = false;
            }
        }
    }

    std::int64_t m_limit;
    Passage m_passage;
    std::map<std::uint32_t, std::unique_ptr<Queue>> m_queues;
    List m_new;
    List m_old;
};

TEST(FqCoDelReference, SendsDropsAndMarksThePacketsOfTheRfc)
{
    std::ptrdiff_t dropped = 0;
    std::ptrdiff_t marked = 0;
    for (std::uint32_t seed = 40; seed < 50; ++seed)
    {
        // 8 flows that begin in their order, so that of queues of equal length both drop from the first.
        std::vector<Arrival> arrivals = WithFlows(RandomArrivals(seed, 30000, 5000, 0.5), 8);
        for (std::uint32_t i = 0; i < 8; ++i)
        {
            arrivals[i].flow = i;
        }
        FqCoDel ours(FqCoDelSettings(), QueueLimit::OfBytes(Bytes::Of(900000)), mtu, FlowOf);
        const Passage passed = PassageOf(ours, arrivals);
        const Passage theirs = RfcFqCoDel(900000).Run(arrivals);
        EXPECT_EQ(Differences(passed.fates, theirs.fates), 0) << seed;
        EXPECT_EQ(passed.departures, theirs.departures) << seed;
        EXPECT_EQ(static_cast<std::ptrdiff_t>(ours.GetCounters().drops), Count(theirs.fates, 'x'));
        EXPECT_EQ(static_cast<std::ptrdiff_t>(ours.GetCounters().marks), Count(theirs.fates, 'm'));
        EXPECT_EQ(ours.GetCounters().waiting, Bytes());
        dropped += Count(theirs.fates, 'x');
        marked += Count(theirs.fates, 'm');
    }
    EXPECT_GT(dropped, 300);
    EXPECT_GT(marked, 300);
}

/// Returns `count` packets of the MTU that come at once.
std::vector<Arrival>
Burst(std::size_t count, bool ecnCapable)
{
    return std::vector<Arrival>(count, Arrival{1000, 1500, ecnCapable});
}

TEST(FqCoDel, MarksWhatWaitsLongerThanTheCeThreshold)
{
    FqCoDelSettings settings;
    settings.ceThreshold = Duration::Milliseconds(2);
    FqCoDel queue(settings, QueueLimit(), mtu, FlowOf);
    // Packet i waits i x 0.12 ms: the 17th waits 1.92 ms without its own, the 18th 2.04 ms. CoDel
    // does nothing within its interval of 100 ms.
    EXPECT_EQ(PassageOf(queue, Burst(30, true)).fates, Fates(17, '.') + Fates(13, 'm'));
    FqCoDel other(settings, QueueLimit(), mtu, FlowOf);
    EXPECT_EQ(PassageOf(other, Burst(30, false)).fates, Fates(30, '.'));
}

TEST(Step, MarksWhatFindsMoreThanTheThresholdWaiting)
{
    LinkModel::Settings byTime = Link100();
    byTime.step = geotrain::StepSettings{Duration::Milliseconds(2), {}};
    // As above: packet i waits i x 0.12 ms.
    EXPECT_EQ(FatesOnLink(byTime, Burst(30, true)), Fates(17, '.') + Fates(13, 'm'));
    EXPECT_EQ(FatesOnLink(byTime, Burst(30, false)), Fates(30, '.'));
    LinkModel::Settings bySize = Link100();
    bySize.step = geotrain::StepSettings{{}, geotrain::WanQueueSize::OfBytes(Bytes::Of(15000))};
    // Packet i finds i - 1 waiting behind the one being sent; 10 x 1,500 is not more than 15,000.
    EXPECT_EQ(FatesOnLink(bySize, Burst(30, true)), Fates(12, '.') + Fates(18, 'm'));
    bySize.queue = QueueLimit::Packets(20);
    EXPECT_EQ(FatesOnLink(bySize, Burst(30, true)), Fates(12, '.') + Fates(9, 'm') + Fates(9, 'x'));
}

class PieReference : public testing::TestWithParam<PieSettings::Delay>
{
};

TEST_P(PieReference, DropsAndMarksThePacketsThatNs3DoesWithTheSameDraws)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    const std::int64_t stream = 78;
    const bool measures = GetParam() == PieSettings::Delay::DepartureRate;
    // ns-3 scales by the packet's size where the limit is in bytes, so that all have the mean one.
    std::vector<Arrival> arrivals = RandomArrivals(7, 60000, 5000, 0.5);
    std::int64_t last = 0;
    for (Arrival& arrival : arrivals)
    {
        arrival.atNs = last += (arrival.atNs - last) % 1000000;
        arrival.size = 1000;
    }
    const Ptr<PieQueueDisc> disc = CreateObject<PieQueueDisc>();
    disc->SetAttribute("MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, 100000000)));
    disc->SetAttribute("MeanPktSize", UintegerValue(1000));
    disc->SetAttribute("MaxBurstAllowance", TimeValue(Seconds(0)));
    disc->SetAttribute("Tupdate", TimeValue(NanoSeconds(15000007)));
    disc->SetAttribute("QueueDelayReference", TimeValue(MilliSeconds(15)));
    disc->SetAttribute("DequeueThreshold", UintegerValue(16384));
    disc->SetAttribute("UseDequeueRateEstimator", BooleanValue(measures));
    disc->SetAttribute("UseEcn", BooleanValue(true));
    disc->AssignStreams(stream);
    const Ptr<UniformRandomVariable> draws = CreateObject<UniformRandomVariable>();
    draws->SetStream(stream);
    PieSettings settings;
    settings.maxBurst = Duration();
    settings.update = Duration::Nanoseconds(15000007);
    settings.delay = GetParam();
    PieQueue queue(settings, Bytes::Of(1000), [draws] { return draws->GetValue(); });
    Fates ours;
    std::int64_t freeAt = 0;
    const Passage theirs = DiscReference(disc).Run(
        arrivals,
        [&](const Arrival& arrival)
        {
            const auto now = Instant::FromNanoseconds(arrival.atNs);
            const AqmVerdict verdict = queue.Decide(now, arrival.ecnCapable);
            ours += verdict == AqmVerdict::Pass ? '.' : (verdict == AqmVerdict::Mark ? 'm' : 'x');
            if (verdict != AqmVerdict::Drop)
            {
                const std::int64_t turn = std::max(freeAt, arrival.atNs);
                queue.Add(now, Instant::FromNanoseconds(turn), Bytes::Of(arrival.size));
                freeAt = turn + arrival.size * byteNs;
            }
        });
    EXPECT_GT(Count(theirs.fates, 'x'), 300);
    EXPECT_GT(Count(theirs.fates, 'm'), 50); // only below a probability of 0.1
    EXPECT_EQ(Differences(ours, theirs.fates), 0);
}

INSTANTIATE_TEST_SUITE_P(Delay,
                         PieReference,
                         testing::Values(PieSettings::Delay::Timestamps,
                                         PieSettings::Delay::DepartureRate));

/// Returns packets of the MTU at `load` times 100 Mbit/s from `fromNs` on.
std::vector<Arrival>
Steady(double load, std::size_t count, std::int64_t fromNs)
{
    std::vector<Arrival> arrivals;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto after = static_cast<std::int64_t>(static_cast<double>(i) * 1500 * byteNs / load);
        arrivals.push_back({fromNs + after, 1500, false});
    }
    return arrivals;
}

TEST(Pie, DropsNothingOfABurstAfterARest)
{
    LinkModel::Settings link = Link100();
    link.pie = PieSettings();
    // 150 % of the rate from 10 s on: after 30 ms packets wait longer than 15 ms.
    const std::vector<Arrival> arrivals = Steady(1.5, 10000, 10000000000);
    const auto firstDropMs = [&](int burstMs)
    {
        link.pie->maxBurst = Duration::Milliseconds(burstMs);
        const std::size_t first = FatesOnLink(link, arrivals).find('x');
        return static_cast<double>(arrivals.at(first).atNs - 10000000000) / 1e6;
    };
    // Without an allowance, the probability grows to some per cent in 0.2 s. One of 0.5 s begins to run
    // when packets wait, and it ends at an update, which are 15 ms apart.
    EXPECT_LT(firstDropMs(0), 300);
    EXPECT_NEAR(firstDropMs(500), 500 + 15, 15);
}

/// RfcDualPi2 is the pseudo-code of RFC 9332, figures 2 to 9 of appendix A, with the overload of A.2. Its
/// scheduler is that of Linux's sch_dualpi2, or the time-shifted FIFO.
class RfcDualPi2
{
  public:
    explicit RfcDualPi2(bool isShifted)
        : m_isShifted(isShifted)
    {
    }

    Passage Run(const std::vector<Arrival>& arrivals)
    {
        m_passage.fates.assign(arrivals.size(), '.');
        std::int64_t freeAt = 0;
        bool isBusy = false;
        const auto serve = [&](std::int64_t now)
        {
            UpdateUntil(now);
            const auto item = Dequeue(now);
            isBusy = item.has_value();
            if (item)
            {
                m_passage.departures.push_back(item->number);
                freeAt = now + item->arrival.size * byteNs;
            }
        };
        for (std::size_t i = 0; i < arrivals.size(); ++i)
        {
            while (isBusy && freeAt <= arrivals[i].atNs)
            {
                serve(freeAt);
            }
            UpdateUntil(arrivals[i].atNs);
            Enqueue({i, arrivals[i]});
            if (!isBusy)
            {
                serve(arrivals[i].atNs);
            }
        }
        while (isBusy)
        {
            serve(freeAt);
        }
        return m_passage;
    }

    bool wasOverloaded = false;

  private:
    struct Item
    {
        std::size_t number;
        Arrival arrival;
    };

    struct Queue
    {
        std::deque<Item> items;
        std::int64_t bytes = 0;
        double count = 0;

        double Time(std::int64_t now) const
        {
            return items.empty() ? 0 : static_cast<double>(now - items.front().arrival.atNs) * 1e-9;
        }
    };

    static constexpr double s_target = 0.015;
    static constexpr double s_rttMax = 0.1;
    static constexpr double s_interval = 0.015; // min(target, RTT_max / 3)
    static constexpr double s_alpha = 0.1 * s_interval / (s_rttMax * s_rttMax);
    static constexpr double s_beta = 0.3 / s_rttMax;
    static constexpr double s_k = 2;
    static constexpr double s_pCmax = 1 / (s_k * s_k);
    static constexpr double s_minTh = 0.0008;
    static constexpr double s_range = 0.0004;

    void Enqueue(const Item& item)
    {
        if (m_lq.bytes + m_cq.bytes + item.arrival.size > 3000000)
        {
            m_passage.fates[item.number] = 'x';
            return;
        }
        Queue& queue = item.arrival.isEct1 ? m_lq : m_cq;
        queue.items.push_back(item);
        queue.bytes += item.arrival.size;
    }

    bool SchedulesL4s(std::int64_t now) const
    {
        if (m_lq.items.empty() || m_cq.items.empty())
        {
            return m_cq.items.empty();
        }
        return m_isShifted ? m_lq.Time(now) + 0.05 >= m_cq.Time(now) : m_credit <= 0;
    }

    std::optional<Item> Dequeue(std::int64_t now)
    {
        while (m_lq.bytes + m_cq.bytes > 0)
        {
            const bool isL4s = SchedulesL4s(now);
            Queue& queue = isL4s ? m_lq : m_cq;
            const double time = queue.Time(now);
            const Item item = queue.items.front();
            queue.items.pop_front();
            queue.bytes -= item.arrival.size;
            if (!(isL4s ? m_cq : m_lq).items.empty())
            {
                m_credit += (isL4s ? 0.1 : -0.9) * item.arrival.size;
            }
            if (isL4s ? !PassesL4s(item, time) : !PassesClassic(item))
            {
                m_passage.fates[item.number] = 'x';
                continue;
            }
            return item;
        }
        m_credit = 1500 * (0.1 - 0.9);
        return std::nullopt;
    }

    bool PassesL4s(const Item& item, double time)
    {
        if (m_pCl < 1)
        {
            const double native = std::clamp((time - s_minTh) / s_range, 0.0, 1.0);
            if (Recur(m_lq, std::max(native, m_pCl)))
            {
                m_passage.fates[item.number] = 'm';
            }
            return true;
        }
        wasOverloaded = true;
        if (Recur(m_lq, m_pC))
        {
            return false;
        }
        if (Recur(m_lq, m_pCl))
        {
            m_passage.fates[item.number] = 'm';
        }
        return true;
    }

    bool PassesClassic(const Item& item)
    {
        if (Recur(m_cq, m_pC))
        {
            if (!item.arrival.ecnCapable || m_pC >= s_pCmax)
            {
                return false;
            }
            m_passage.fates[item.number] = 'm';
        }
        return true;
    }

    static bool Recur(Queue& queue, double likelihood)
    {
        queue.count += likelihood;
        if (queue.count > 1)
        {
            queue.count -= 1;
            return true;
        }
        return false;
    }

    void UpdateUntil(std::int64_t now)
    {
        for (; m_nextNs <= now; m_nextNs += 15000000)
        {
            const double current = m_cq.items.empty() ? m_lq.Time(m_nextNs) : m_cq.Time(m_nextNs);
            m_p += s_alpha * (current - s_target) + s_beta * (current - m_before);
            m_p = std::min(1.0, std::max(0.0, m_p));
            m_pCl = s_k * m_p;
            m_pC = m_p * m_p;
            m_before = current;
        }
    }

    bool m_isShifted;
    Passage m_passage;
    Queue m_lq;
    Queue m_cq;
    double m_p = 0;
    double m_pCl = 0;
    double m_pC = 0;
    double m_before = 0;
    std::int64_t m_nextNs = 15000000;
    double m_credit = 1500 * (0.1 - 0.9);
};

class DualPi2Reference : public testing::TestWithParam<DualPi2Settings::Scheduler>
{
};

TEST_P(DualPi2Reference, SendsDropsAndMarksThePacketsOfTheRfc)
{
    std::ptrdiff_t dropped = 0;
    std::ptrdiff_t marked = 0;
    int overloads = 0;
    for (std::uint32_t seed = 60; seed < 70; ++seed)
    {
        std::vector<Arrival> arrivals = RandomArrivals(seed, 30000, 5000, 0.6);
        std::mt19937 random(seed);
        for (Arrival& arrival : arrivals)
        {
            // In every other run nearly all is L4S, which overloads.
            arrival.isEct1 = arrival.ecnCapable && random() % 4 > 0;
            if (seed % 2 == 0 && random() % 10 > 0)
            {
                arrival.ecnCapable = arrival.isEct1 = true;
            }
        }
        DualPi2Settings settings;
        settings.threshold = Duration::Microseconds(800);
        settings.ramp = Duration::Microseconds(400);
        settings.scheduler = GetParam();
        DualPi2 ours(settings, QueueLimit::OfBytes(Bytes::Of(3000000)), mtu);
        const Passage passed = PassageOf(ours, arrivals);
        RfcDualPi2 rfc(GetParam() == DualPi2Settings::Scheduler::TimeShiftedFifo);
        const Passage theirs = rfc.Run(arrivals);
        EXPECT_EQ(Differences(passed.fates, theirs.fates), 0) << seed;
        EXPECT_EQ(passed.departures, theirs.departures) << seed;
        dropped += Count(theirs.fates, 'x');
        marked += Count(theirs.fates, 'm');
        overloads += rfc.wasOverloaded ? 1 : 0;
    }
    EXPECT_GT(dropped, 1000);
    EXPECT_GT(marked, 1000);
    EXPECT_GE(overloads, 3);
}

INSTANTIATE_TEST_SUITE_P(Scheduler,
                         DualPi2Reference,
                         testing::Values(DualPi2Settings::Scheduler::Weighted,
                                         DualPi2Settings::Scheduler::TimeShiftedFifo));

TEST(DualPi2, CouplesByTheSquare)
{
    // Both kinds come at 51 % of the rate each. With a step that is never reached, L4S marks are the
    // coupled ones: their share is 2 p', and that of classic drops p'^2.
    std::vector<Arrival> arrivals = Steady(1.02, 100000, 1000);
    for (std::size_t i = 0; i < arrivals.size(); ++i)
    {
        arrivals[i].ecnCapable = arrivals[i].isEct1 = i % 2 == 0;
    }
    DualPi2Settings settings;
    settings.threshold = Duration::Seconds(10);
    DualPi2 queue(settings, QueueLimit(), mtu);
    const Fates fates = PassageOf(queue, arrivals).fates;
    // The last half is settled: what classic drops leave is the rate, so p'^2 x 0.51 = 0.02.
    const Fates settled = fates.substr(fates.size() / 2);
    const double half = static_cast<double>(settled.size()) / 2;
    const double classic = static_cast<double>(Count(settled, 'x')) / half;
    const double l4s = static_cast<double>(Count(settled, 'm')) / half;
    EXPECT_NEAR(classic, 0.02 / 0.51, 0.1 * 0.02 / 0.51); // p' swings a little about its mean
    EXPECT_NEAR(l4s, 2 * std::sqrt(classic), 0.05 * l4s);
}

/// Returns the bytes that each class sent while all had packets waiting: the first 4,000 packets where
/// each class has 4,000.
std::vector<double>
BytesOfClasses(const std::vector<TrafficClass>& classes)
{
    std::vector<Arrival> arrivals;
    for (std::size_t i = 0; i < 4000; ++i)
    {
        for (std::uint32_t number = 0; number < classes.size(); ++number)
        {
            // Unlike sizes: shares are of bytes.
            arrivals.push_back({1, 1500 - 400 * number, false, number});
        }
    }
    ClassQueue queue(classes, QueueLimit(), mtu, FlowOf);
    const std::vector<std::size_t> departures = PassageOf(queue, arrivals).departures;
    std::vector<double> bytes(classes.size());
    for (std::size_t i = 0; i < 4000; ++i)
    {
        const Arrival& arrival = arrivals[departures[i]];
        bytes[arrival.flow] += arrival.size;
    }
    return bytes;
}

TEST(ClassQueue, BackloggedClassesOfOnePriorityShareBytesByWeight)
{
    std::vector<TrafficClass> classes(3);
    classes[0].weight = 1;
    classes[1].weight = 3.5;
    classes[2].weight = 0.5;
    const std::vector<double> bytes = BytesOfClasses(classes);
    const double all = bytes[0] + bytes[1] + bytes[2];
    for (std::size_t i = 0; i < 3; ++i)
    {
        EXPECT_NEAR(bytes[i] / all, classes[i].weight / 5, 0.01 * classes[i].weight / 5);
    }
}

TEST(ClassQueue, TheHighestPriorityGoesFirstAndWeightsShareTheRest)
{
    std::vector<TrafficClass> classes(3);
    classes[1].priority = 2;
    classes[2].weight = 4;
    std::vector<Arrival> arrivals;
    for (std::size_t i = 0; i < 2000; ++i)
    {
        arrivals.push_back({1, 1500, false, i % 2 == 0 ? 0U : 2U});
    }
    for (std::int64_t i = 0; i < 50; ++i)
    {
        arrivals.push_back({2000000 + i * 1000000, 500, false, 1});
    }
    ClassQueue queue(classes, QueueLimit(), mtu, FlowOf);
    const std::vector<std::size_t> departures = PassageOf(queue, arrivals).departures;
    std::int64_t at = 1;
    for (const std::size_t number : departures)
    {
        const Arrival& arrival = arrivals[number];
        if (arrival.flow == 1)
        {
            // At most the packet on the wire, of 1,500 bytes, is before it.
            EXPECT_LE(at - arrival.atNs, 1500 * byteNs);
        }
        at = std::max(at, arrival.atNs) + arrival.size * byteNs;
    }
}

TEST(ClassQueue, AClassIsShapedOrPolicedToItsRate)
{
    const auto tenth = geotrain::BitRate::BitsPerSecond(10000000);
    std::vector<TrafficClass> classes(2);
    classes[0].priority = 1;
    classes[0].rate = tenth;
    // 1,000 packets of 1,500 bytes at once: all leave, at 1.2 ms each; the link is free between.
    std::vector<Arrival> arrivals = Burst(1000, false);
    ClassQueue shaped(classes, QueueLimit(), mtu, FlowOf);
    Instant now = Instant::FromNanoseconds(1000);
    for (std::size_t i = 0; i < arrivals.size(); ++i)
    {
        PacketRecord record{};
        record.wireSize = 1500;
        shaped.Enqueue(now, record);
    }
    int sent = 0;
    while (const auto ready = shaped.Ready(now))
    {
        now = *ready;
        ASSERT_TRUE(shaped.Dequeue(now));
        ++sent;
    }
    EXPECT_EQ(sent, 1000);
    // It may be ahead by one packet, as a cap.
    EXPECT_NEAR(now.ToSeconds(), 998 * 0.0012, 1e-5);
    classes[0].police = true;
    classes[0].burst = Bytes::Of(15000);
    ClassQueue policed(classes, QueueLimit(), mtu, FlowOf);
    // 100 Mbit/s offered for 1.2 s: 10 packets of the bucket, and a tenth of 10,000.
    const Fates fates = PassageOf(policed, Steady(1, 10000, 1000)).fates;
    EXPECT_NEAR(static_cast<double>(Count(fates, '.')), 1010, 2);
}

} // namespace
} // namespace ns3
