// SPDX-License-Identifier: GPL-2.0-only
// LinkModel against its formulas: departure = max(arrival, last departure) + bits / rate; arrival = departure + delay.
#include "instants.h"
#include "wan-topology/model/link-model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace
{

using geotrain::AtNs;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;
using geotrain::TransmissionClock;
using ns3::LinkModel;
using ns3::QueueLimit;

LinkModel::Settings
GigabitLink(QueueLimit queue = {}, double lossRate = 0)
{
    LinkModel::Settings settings;
    settings.rate = BitRate::GigabitsPerSecond(1);
    settings.delay = Duration::Milliseconds(20);
    settings.queue = queue;
    settings.lossRate = lossRate;
    settings.name = "a -> b";
    return settings;
}

TEST(LinkModel, IdleLinkSendsAtOnce)
{
    LinkModel link(GigabitLink());
    const LinkModel::Outcome outcome = link.Offer(AtNs(1000), Bytes::Of(1500));
    EXPECT_EQ(outcome.verdict, LinkModel::Verdict::Accepted);
    EXPECT_EQ(outcome.departure.ToNanoseconds(), 1000 + 1500 * 8); // 1 Gbit/s: 1 bit/ns
    EXPECT_EQ(outcome.arrival.ToNanoseconds(), 1000 + 1500 * 8 + 20000000);
}

TEST(LinkModel, BusyLinkSendsOneAfterAnother)
{
    LinkModel link(GigabitLink());
    link.Offer(AtNs(0), Bytes::Of(1500));
    EXPECT_EQ(link.Offer(AtNs(100), Bytes::Of(500)).departure.ToNanoseconds(), 12000 + 4000);
    EXPECT_EQ(link.Backlog(AtNs(1000)).Count(), 2000 - 1000 / 8);
    EXPECT_EQ(link.SentBytes(AtNs(1000)).Count(), 1000 / 8);
    EXPECT_EQ(link.Backlog(AtNs(16000)).Count(), 0);
}

TEST(LinkModel, FractionsOfANanosecondAddUpExactly)
{
    LinkModel::Settings settings = GigabitLink();
    settings.rate = BitRate::GigabitsPerSecond(100);
    LinkModel link(settings);
    Instant departure;
    for (int i = 0; i < 1000000; ++i)
    {
        departure = link.Offer(AtNs(0), Bytes::Of(52)).departure;
    }
    EXPECT_EQ(departure.ToNanoseconds(), 1000000LL * 52 * 8 / 100);
}

// FreeAt() = ceil(sum of 8e9 * size / rate), while nothing comes late.
TEST(LinkModel, SizesThatAlternateAddUpExactlyAndTheBacklogIsWhatIsLeft)
{
    constexpr std::int64_t rate = 7000000001;
    constexpr std::int64_t startNs = 1000;
    TransmissionClock clock(BitRate::BitsPerSecond(rate));
    std::mt19937 random(1);
    const auto below = [&random](std::int64_t bound)
    { return static_cast<std::int64_t>(random()) % bound; };
    geotrain::WideInteger work = 0;
    for (int i = 0; i < 10000; ++i)
    {
        const Bytes size = Bytes::Of(below(3) == 0 ? 52 : 1 + below(1500));
        work += static_cast<geotrain::WideInteger>(size.Count()) * 8000000000;
        const std::int64_t endNs = startNs + static_cast<std::int64_t>((work + rate - 1) / rate);
        ASSERT_EQ(clock.Send(AtNs(startNs), size), AtNs(endNs));
        const Instant now = AtNs(startNs + below(endNs - startNs + 2));
        // Work is in billionths of a bit, and what was sent by now is rate x time of it.
        const auto done = static_cast<geotrain::WideInteger>(now.ToNanoseconds() - startNs) * rate;
        const auto left = std::max<geotrain::WideInteger>(0, work - done);
        ASSERT_EQ(clock.Backlog(now).Count(),
                  static_cast<std::int64_t>((left + 7999999999) / 8000000000));
    }
}

TEST(LinkModel, ByteQueueCountsWholePacketsBehindTheOneBeingSent)
{
    LinkModel link(GigabitLink(QueueLimit::OfBytes(Bytes::Of(3000))));
    for (int i = 0; i < 3; ++i) // one is being sent, two wait
    {
        EXPECT_EQ(link.Offer(AtNs(0), Bytes::Of(1500)).verdict, LinkModel::Verdict::Accepted);
    }
    EXPECT_EQ(link.Offer(AtNs(11999), Bytes::Of(1)).verdict, LinkModel::Verdict::QueueFull);
    EXPECT_EQ(link.Offer(AtNs(12000), Bytes::Of(1500)).verdict, LinkModel::Verdict::Accepted);
    EXPECT_EQ(link.GetCounters().queueDrops, 1u);
    EXPECT_EQ(link.GetCounters().queueDropBytes, 1);
}

TEST(LinkModel, PacketQueueCountsWhatWaitsBehindTheOneBeingSent)
{
    LinkModel link(GigabitLink(QueueLimit::Packets(2)));
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_EQ(link.Offer(AtNs(0), Bytes::Of(1500)).verdict, LinkModel::Verdict::Accepted);
    }
    EXPECT_EQ(link.Offer(AtNs(11999), Bytes::Of(64)).verdict, LinkModel::Verdict::QueueFull);
    EXPECT_EQ(link.Offer(AtNs(12000), Bytes::Of(64)).verdict, LinkModel::Verdict::Accepted);
}

TEST(LinkModel, LosesAtTheGivenRateAndStillTakesTheTimeToSend)
{
    const double rate = 0.01;
    const int packets = 100000;
    LinkModel link(GigabitLink({}, rate));
    Instant departure;
    for (int i = 0; i < packets; ++i)
    {
        departure = link.Offer(AtNs(0), Bytes::Of(1500)).departure;
    }
    // Binomial: 5 standard deviations are 5 sqrt(n p (1 - p)) = 157.
    EXPECT_NEAR(static_cast<double>(link.GetCounters().lostPackets), packets * rate, 157);
    EXPECT_EQ(departure.ToNanoseconds(), packets * 12000LL);
}

TEST(LinkModel, LossesFollowTheNameAndTheSeedAlone)
{
    const auto losses = [](const std::string& name, std::uint64_t seed)
    {
        LinkModel::Settings settings = GigabitLink({}, 0.5);
        settings.name = name;
        settings.seed = seed;
        LinkModel link(settings);
        std::string pattern;
        for (int i = 0; i < 64; ++i)
        {
            pattern +=
                link.Offer(AtNs(0), Bytes::Of(100)).verdict == LinkModel::Verdict::Lost ? 'x' : '.';
        }
        return pattern;
    };
    EXPECT_EQ(losses("a -> b", 1), losses("a -> b", 1));
    EXPECT_NE(losses("a -> b", 1), losses("b -> a", 1));
    EXPECT_NE(losses("a -> b", 1), losses("a -> b", 2));
}

TEST(LinkModel, ConservesPacketsAndOrder)
{
    std::mt19937 random(7);
    LinkModel link(GigabitLink(QueueLimit::OfBytes(Bytes::Of(20000)), 0.05));
    std::uint64_t offered = 0;
    std::uint64_t accepted = 0;
    Instant now;
    Instant lastArrival;
    for (; offered < 20000; ++offered)
    {
        now = now + Duration::Nanoseconds(random() % 8000);
        const LinkModel::Outcome outcome = link.Offer(now, Bytes::Of(40 + random() % 1461));
        if (outcome.verdict == LinkModel::Verdict::Accepted)
        {
            ++accepted;
            ASSERT_LT(lastArrival, outcome.arrival);
            lastArrival = outcome.arrival;
        }
        ASSERT_LE(link.Backlog(now), Bytes::Of(20000 + 1500)); // with the packet being sent
    }
    const LinkModel::Counters& counters = link.GetCounters();
    EXPECT_GT(counters.queueDrops, 0u);
    EXPECT_EQ(accepted + counters.lostPackets, counters.acceptedPackets);
    EXPECT_EQ(counters.acceptedPackets + counters.queueDrops, offered);
    EXPECT_EQ(link.SentBytes(lastArrival).Count(), counters.acceptedBytes);
}

} // namespace
