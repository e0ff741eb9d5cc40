// SPDX-License-Identifier: GPL-2.0-only
// What LinkModel does besides sending, each against its formula: bursts of losses, jitter, duplication, the token
// bucket, rate steps and outages.
#include "instants.h"
#include "wan-topology/model/link-model.h"
#include "wan-topology/model/link-schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace
{

using geotrain::AtNs;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;
using geotrain::JitterSettings;
using ns3::LinkModel;
using ns3::QueueLimit;

constexpr std::int64_t packetNs = 12000; // 1,500 bytes at 1 Gbit/s, 1 bit/ns

LinkModel::Settings
CleanLink()
{
    LinkModel::Settings settings;
    settings.rate = BitRate::GigabitsPerSecond(1);
    settings.delay = Duration::Milliseconds(20);
    settings.name = "a -> b";
    return settings;
}

LinkModel::Outcome
Send(LinkModel& link, std::int64_t nowNs, std::int64_t size = 1500)
{
    return link.Offer(AtNs(nowNs), Bytes::Of(size));
}

std::vector<LinkModel::Outcome>
SendBackToBack(LinkModel& link, int packets)
{
    std::vector<LinkModel::Outcome> outcomes;
    for (int i = 0; i < packets; ++i)
    {
        outcomes.push_back(Send(link, i * packetNs));
    }
    return outcomes;
}

double
ExtraMs(const LinkModel::Outcome& outcome)
{
    return ((outcome.arrival - outcome.departure).ToSeconds() - 0.020) * 1e3;
}

TEST(ImpairedLink, IsTheSameAsAPlainLinkWhereItsRateStepChangesNothing)
{
    for (const QueueLimit& queue :
         {QueueLimit(), QueueLimit::Packets(7), QueueLimit::OfBytes(Bytes::Of(20000))})
    {
        LinkModel::Settings settings = CleanLink();
        settings.rate = BitRate::BitsPerSecond(999999937); // a prime: fractions of a nanosecond
        settings.queue = queue;
        settings.lossRate = 0.05;
        LinkModel plain(settings);
        settings.rates.steps = {{Duration::Milliseconds(10), settings.rate}};
        LinkModel impaired(settings);
        std::mt19937 random(3);
        Instant now;
        for (int i = 0; i < 20000; ++i)
        {
            now = now + Duration::Nanoseconds(random() % 12000);
            const auto size = Bytes::Of(40 + random() % 1461);
            const LinkModel::Outcome a = plain.Offer(now, size);
            const LinkModel::Outcome b = impaired.Offer(now, size);
            ASSERT_EQ(a.verdict, b.verdict);
            ASSERT_EQ(a.departure, b.departure);
            ASSERT_EQ(a.arrival, b.arrival);
            ASSERT_EQ(plain.Backlog(now).Count(), impaired.Backlog(now).Count());
        }
        EXPECT_EQ(plain.GetCounters().queueDrops, impaired.GetCounters().queueDrops);
        EXPECT_EQ(plain.GetCounters().queueingNs, impaired.GetCounters().queueingNs);
        EXPECT_EQ(plain.GetCounters().lostBytes, impaired.GetCounters().lostBytes);
    }
}

TEST(BurstLoss, HasTheMeanLossAndTheMeanBurstOfItsChain)
{
    LinkModel::Settings settings = CleanLink();
    settings.burstLoss = {0.01, 0.25, 1};
    LinkModel link(settings);
    int lost = 0;
    int bursts = 0;
    bool wasLost = false;
    const int packets = 400000;
    for (const LinkModel::Outcome& outcome : SendBackToBack(link, packets))
    {
        const bool isLost = outcome.verdict == LinkModel::Verdict::Lost;
        lost += isLost ? 1 : 0;
        bursts += isLost && !wasLost ? 1 : 0;
        wasLost = isLost;
    }
    // p / (p + r) = 3.85 %. Neighbours correlate by 1 - p - r = 0.74: the variance is that of
    // n (1 - 0.74) / (1 + 0.74) draws, 5 standard deviations 0.39 %.
    EXPECT_NEAR(static_cast<double>(lost) / packets, 0.01 / 0.26, 0.004);
    // Geometric with mean 1/r = 4, standard deviation sqrt(1 - r) / r = 3.5, over about 3,850
    // bursts: 5 of them 0.28.
    EXPECT_NEAR(static_cast<double>(lost) / bursts, 4, 0.28);
}

TEST(BurstLoss, LosesAShareOfTheBurstWhereItsLossIsLess)
{
    LinkModel::Settings settings = CleanLink();
    settings.burstLoss = {0.05, 0.05, 0.2};
    LinkModel link(settings);
    SendBackToBack(link, 200000);
    // 0.2 p / (p + r) = 10 %; neighbours in a burst correlate by 0.9: a generous 5 standard
    // deviations of the share of time in bursts are 5 x 0.5 x sqrt(19 / 200000) = 2.4 %, of which a
    // fifth is lost, and 0.4 % of the losses.
    EXPECT_NEAR(static_cast<double>(link.GetCounters().lostPackets) / 200000, 0.1, 0.009);
}

TEST(BurstLoss, LeavesTheDrawsOfIndependentLossesAlone)
{
    LinkModel::Settings settings = CleanLink();
    settings.lossRate = 0.1;
    LinkModel alone(settings);
    settings.burstLoss = {0.01, 0.5, 1};
    settings.duplication = 0.1;
    settings.jitter = JitterSettings{};
    LinkModel both(settings);
    for (int i = 0; i < 5000; ++i)
    {
        const bool isLostAlone = Send(alone, i * packetNs).verdict == LinkModel::Verdict::Lost;
        const bool isLostWithBoth = Send(both, i * packetNs).verdict == LinkModel::Verdict::Lost;
        ASSERT_TRUE(!isLostAlone || isLostWithBoth) << "packet " << i;
    }
    EXPECT_GT(both.GetCounters().lostPackets, alone.GetCounters().lostPackets);
}

TEST(Jitter, IsUniformAroundItsMean)
{
    LinkModel::Settings settings = CleanLink();
    settings.jitter = JitterSettings{JitterSettings::Distribution::Uniform,
                                     Duration::Milliseconds(5),
                                     Duration::Milliseconds(2),
                                     true};
    LinkModel link(settings);
    double sum = 0;
    double least = 1e9;
    double most = 0;
    const int packets = 100000;
    for (const LinkModel::Outcome& outcome : SendBackToBack(link, packets))
    {
        sum += ExtraMs(outcome);
        least = std::min(least, ExtraMs(outcome));
        most = std::max(most, ExtraMs(outcome));
    }
    // Standard deviation 2 ms / sqrt(3); 5 of the mean's are 0.018 ms.
    EXPECT_NEAR(sum / packets, 5, 0.018);
    EXPECT_NEAR(least, 3, 0.001);
    EXPECT_NEAR(most, 7, 0.001);
}

TEST(Jitter, IsNormalTruncatedAtZero)
{
    LinkModel::Settings settings = CleanLink();
    settings.jitter = JitterSettings{JitterSettings::Distribution::Normal,
                                     Duration::Milliseconds(1),
                                     Duration::Milliseconds(2),
                                     true};
    LinkModel link(settings);
    double sum = 0;
    const int packets = 100000;
    for (const LinkModel::Outcome& outcome : SendBackToBack(link, packets))
    {
        EXPECT_GE(ExtraMs(outcome), -1e-9);
        sum += ExtraMs(outcome);
    }
    // mu + sigma phi(a) / (1 - Phi(a)), a = -mu / sigma.
    const double a = -0.5;
    const double density = std::exp(-a * a / 2) / std::sqrt(2 * M_PI);
    const double above = std::erfc(a / std::sqrt(2.0)) / 2;
    // Standard deviation below 2 ms; 5 of the mean's are 0.032 ms.
    EXPECT_NEAR(sum / packets, 1 + 2 * density / above, 0.032);
}

TEST(Jitter, KeepsTheOrderUnlessPacketsMayOvertake)
{
    LinkModel::Settings settings = CleanLink();
    for (const bool reorders : {false, true})
    {
        settings.jitter = JitterSettings{JitterSettings::Distribution::Uniform,
                                         Duration::Microseconds(100),
                                         Duration::Microseconds(100),
                                         reorders};
        LinkModel link(settings);
        EXPECT_EQ(link.MayReorder(), reorders);
        const std::vector<LinkModel::Outcome> outcomes = SendBackToBack(link, 10000);
        const bool isSorted =
            std::is_sorted(outcomes.begin(),
                           outcomes.end(),
                           [](const LinkModel::Outcome& a, const LinkModel::Outcome& b)
                           { return a.arrival < b.arrival; });
        EXPECT_EQ(isSorted, !reorders);
        std::set<std::int64_t> times;
        for (const LinkModel::Outcome& outcome : outcomes)
        {
            EXPECT_TRUE(times.insert(outcome.arrival.ToNanoseconds()).second);
        }
        // Keeping the order only ever adds delay, at most what the packets before it drew, and a
        // nanosecond each.
        for (const LinkModel::Outcome& outcome : outcomes)
        {
            EXPECT_GE(ExtraMs(outcome), -1e-9);
            EXPECT_LE(ExtraMs(outcome), 0.2 + 1e-4);
        }
    }
}

TEST(Duplication, HitsTheGivenShareOfWhatArrives)
{
    LinkModel::Settings settings = CleanLink();
    settings.duplication = 0.1;
    settings.lossRate = 0.5;
    LinkModel link(settings);
    const int packets = 100000;
    std::uint64_t twice = 0;
    for (const LinkModel::Outcome& outcome : SendBackToBack(link, packets))
    {
        EXPECT_FALSE(outcome.duplicated && outcome.verdict == LinkModel::Verdict::Lost);
        EXPECT_TRUE(!outcome.duplicated ||
                    outcome.copyArrival - outcome.arrival == Duration::Nanoseconds(1));
        twice += outcome.duplicated ? 1 : 0;
    }
    // Binomial with n = 50,000: 5 sqrt(n p (1 - p)) = 335, and as many for n's own spread of 790 p.
    EXPECT_NEAR(static_cast<double>(twice), 5000, 345);
    EXPECT_EQ(link.GetCounters().duplicatedPackets, twice);
    EXPECT_EQ(link.GetCounters().acceptedPackets, static_cast<std::uint64_t>(packets));
}

TEST(LinkPolicer, PassesAtMostItsBurstAndItsRateInAnySpan)
{
    LinkModel::Settings settings = CleanLink();
    const std::int64_t rate = 200000000;
    const std::int64_t burst = 30000;
    settings.policer = {BitRate::BitsPerSecond(rate), Bytes::Of(burst)};
    LinkModel link(settings);
    std::mt19937 random(11);
    std::vector<std::pair<std::int64_t, std::int64_t>> passed; // time, bytes so far
    std::int64_t now = 0;
    std::int64_t sum = 0;
    for (int i = 0; i < 2000; ++i)
    {
        now += random() % 40000;
        const std::int64_t size = 40 + random() % 1461;
        if (Send(link, now, size).verdict == LinkModel::Verdict::Accepted)
        {
            sum += size;
            passed.emplace_back(now, sum);
        }
    }
    EXPECT_GT(link.GetCounters().queueDrops, 100u);
    // The arrival curve of RFC 2697's bucket: at most burst + rate t in every span, and in the
    // whole nearly all of it.
    for (std::size_t i = 0; i < passed.size(); ++i)
    {
        for (std::size_t j = i; j < passed.size(); ++j)
        {
            const std::int64_t before = i == 0 ? 0 : passed[i - 1].second;
            const double bound =
                burst + static_cast<double>(passed[j].first - passed[i].first) * rate / 8e9;
            ASSERT_LE(static_cast<double>(passed[j].second - before), bound + 1e-3);
        }
    }
    EXPECT_GE(static_cast<double>(sum), 0.98 * static_cast<double>(now) * rate / 8e9);
}

TEST(RateSteps, TakeHoldInTheMiddleOfAPacket)
{
    LinkModel::Settings settings = CleanLink();
    settings.rates.steps = {{Duration::Nanoseconds(6000), BitRate::BitsPerSecond(500000000)},
                            {Duration::Nanoseconds(100000), BitRate::GigabitsPerSecond(10)}};
    LinkModel link(settings);
    // Half of the 12,000 bits in 6 us, the other half at half the rate.
    EXPECT_EQ(Send(link, 0).departure, AtNs(6000 + 12000));
    EXPECT_EQ(Send(link, 1000).departure, AtNs(18000 + 24000));
    EXPECT_EQ(link.Backlog(AtNs(0)).Count(), 3000);
    EXPECT_EQ(link.Backlog(AtNs(6000)).Count(), 3000 - 750);
    EXPECT_EQ(link.SentBytes(AtNs(18000)).Count(), 1500);
    EXPECT_EQ(Send(link, 200000).departure, AtNs(200000 + 1200));
}

TEST(RateSteps, RepeatAndRestAtZero)
{
    // 12,000 bits at 1 bit/ns for 6 us, at none for 6 us, again and again.
    LinkModel::Settings settings = CleanLink();
    settings.rates.steps = {{Duration(), BitRate::GigabitsPerSecond(1)},
                            {Duration::Nanoseconds(6000), BitRate()}};
    settings.rates.period = Duration::Nanoseconds(12000);
    LinkModel link(settings);
    EXPECT_EQ(Send(link, 0).departure, AtNs(18000));
    EXPECT_EQ(Send(link, 0).departure, AtNs(42000));
    EXPECT_EQ(link.Backlog(AtNs(12000)).Count(), 3000 - 750);
    EXPECT_EQ(Send(link, 12000000 + 7000).departure, AtNs(12000000 + 30000));
    const ns3::LinkSchedule schedule(
        settings.rate,
        settings.rates,
        {{Duration::Nanoseconds(15000), Duration::Nanoseconds(27000), true}},
        nullptr);
    // 6 us, 3 us until what waits, and 3 us of the third round: 12,000 bits.
    EXPECT_NEAR(schedule.BitsIn(AtNs(0), AtNs(30000)), 12000, 1e-6);
}

TEST(RateSteps, LoseNoFractionOfANanosecond)
{
    LinkModel::Settings settings = CleanLink();
    settings.rate = BitRate::GigabitsPerSecond(100);
    settings.rates.steps = {{Duration::Nanoseconds(1000003), BitRate::GigabitsPerSecond(7)},
                            {Duration::Nanoseconds(2000003), BitRate::GigabitsPerSecond(13)}};
    LinkModel link(settings);
    const std::int64_t packets = 1000000;
    Instant departure;
    for (std::int64_t i = 0; i < packets; ++i)
    {
        departure = link.Offer(AtNs(0), Bytes::Of(52)).departure;
    }
    // 416 bits each: 100 and 7 bits a nanosecond until 2,000,003 ns, 13 after it.
    const std::int64_t left = packets * 416 - 1000003 * 100 - 1000000 * 7;
    EXPECT_EQ(departure.ToNanoseconds(), 2000003 + (left + 12) / 13);
}

TEST(RateSteps, WaitForTheBeginningOfTheSchedule)
{
    LinkModel::Settings settings = CleanLink();
    settings.rates.steps = {{Duration::Nanoseconds(0), BitRate::BitsPerSecond(500000000)}};
    settings.outages = {{Duration::Nanoseconds(100000), Duration::Nanoseconds(200000), false}};
    const auto begin = std::make_shared<Instant>(Instant::Never());
    settings.scheduleBegin = begin;
    LinkModel link(settings);
    EXPECT_EQ(Send(link, 100000).departure, AtNs(100000 + packetNs));
    *begin = AtNs(150000);
    EXPECT_EQ(Send(link, 150000).departure, AtNs(150000 + 2 * packetNs));
    EXPECT_EQ(Send(link, 260000).verdict, LinkModel::Verdict::Lost);
    EXPECT_EQ(Send(link, 360000).verdict, LinkModel::Verdict::Accepted);
}

TEST(RateSteps, BeginTogetherOnLinksThatShareABeginning)
{
    LinkModel::Settings settings = CleanLink();
    settings.rates.steps = {{Duration::Nanoseconds(50000), BitRate::BitsPerSecond(500000000)}};
    const auto begin = std::make_shared<Instant>(Instant::Never());
    settings.scheduleBegin = begin;
    LinkModel near(settings);
    LinkModel far(settings);
    *begin = AtNs(100000);
    for (LinkModel* link : {&near, &far})
    {
        EXPECT_EQ(Send(*link, 130000).departure, AtNs(130000 + packetNs));
        EXPECT_EQ(Send(*link, 150000).departure, AtNs(150000 + 2 * packetNs));
    }
}

// Three bits a nanosecond: packets of 500 bytes take 1333.33 ns. The second one has a fraction of a
// nanosecond left when the schedule begins, and is through as if there were none.
TEST(RateSteps, LeaveWhatWasSentBeforeTheBeginningAsItWas)
{
    LinkModel::Settings settings = CleanLink();
    settings.rate = BitRate::GigabitsPerSecond(3);
    settings.rates.steps = {{Duration::Nanoseconds(0), BitRate::BitsPerSecond(1000)}};
    const auto begin = std::make_shared<Instant>(Instant::Never());
    settings.scheduleBegin = begin;
    LinkModel link(settings);
    link.Offer(AtNs(0), Bytes::Of(500));
    EXPECT_EQ(link.Offer(AtNs(0), Bytes::Of(500)).departure, AtNs(2667)); // 2 * 4000 / 3
    *begin = AtNs(1000);
    // 8 bits at 1 kbit/s take 8 ms, from 2,667 ns on.
    EXPECT_EQ(link.Offer(AtNs(1500), Bytes::Of(1)).departure, AtNs(2667 + 8000000));
}

TEST(Outages, LoseWhatIsSentInThem)
{
    LinkModel::Settings settings = CleanLink();
    settings.outages = {{Duration::Nanoseconds(20000), Duration::Nanoseconds(50000), false}};
    LinkModel link(settings);
    std::string fates;
    for (int i = 0; i < 6; ++i)
    {
        const LinkModel::Outcome outcome = Send(link, 0);
        EXPECT_EQ(outcome.departure, AtNs((i + 1) * packetNs)); // sent all the same
        fates += outcome.verdict == LinkModel::Verdict::Lost ? 'x' : '.';
    }
    // Sent in 0-12, 12-24 (cut off), 24-36, 36-48, 48-60 (its beginning is missing), 60-72 us.
    EXPECT_EQ(fates, ".xxxx.");
    EXPECT_EQ(link.GetCounters().lostPackets, 4u);
}

TEST(Outages, ThatHoldMakePacketsWaitAndLoseNone)
{
    LinkModel::Settings settings = CleanLink();
    settings.outages = {{Duration::Nanoseconds(20000), Duration::Nanoseconds(50000), true}};
    settings.queue = QueueLimit::OfBytes(Bytes::Of(3000)); // two packets behind the one in service
    LinkModel link(settings);
    EXPECT_EQ(Send(link, 0).departure, AtNs(12000));
    EXPECT_EQ(Send(link, 0).departure, AtNs(54000)); // 8 us before the outage, 4 us after it
    EXPECT_EQ(Send(link, 0).departure, AtNs(66000));
    EXPECT_EQ(Send(link, 30000).departure, AtNs(78000));
    EXPECT_EQ(link.Backlog(AtNs(40000)).Count(), 500 + 2 * 1500); // nothing moves
    EXPECT_EQ(Send(link, 40000).verdict, LinkModel::Verdict::QueueFull);
    EXPECT_EQ(link.GetCounters().lostPackets, 0u);
}

TEST(Outages, OfAnIdleLinkHoldWhatComesInThem)
{
    LinkModel::Settings settings = CleanLink();
    settings.outages = {{Duration::Nanoseconds(20000), Duration::Nanoseconds(50000), true},
                        {Duration::Nanoseconds(50000), Duration::Nanoseconds(60000), true}};
    LinkModel link(settings);
    const LinkModel::Outcome outcome = Send(link, 30000);
    EXPECT_EQ(outcome.departure, AtNs(60000 + packetNs));
    EXPECT_EQ(outcome.arrival, AtNs(60000 + packetNs + 20000000));
}

} // namespace
