// SPDX-License-Identifier: GPL-2.0-only
// Compares LinkModel's drop-tail queue, RED and CoDel with ns-3's FifoQueueDisc, RedQueueDisc and
// CoDelQueueDisc, packet by packet.
#include "queue-reference.h"
#include "rfc-codel.h"

#include <ns3/boolean.h>
#include <ns3/codel-queue-disc.h>
#include <ns3/data-rate.h>
#include <ns3/double.h>
#include <ns3/fifo-queue-disc.h>
#include <ns3/queue-size.h>
#include <ns3/random-variable-stream.h>
#include <ns3/red-queue-disc.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/uinteger.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::RedSettings;
using geotrain::WanQueueSize;

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
        const Fates theirs = DiscReference(disc).Run(arrivals).fates;
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
    RedQueue queue(red, Bytes::Of(1500), Link100().rate, [draws] { return draws->GetValue(); });
    DiscReference reference(disc);
    Fates ours;
    const Passage theirs = reference.Run(
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
    EXPECT_GT(Count(theirs.fates, 'x'), 300);
    EXPECT_GT(Count(theirs.fates, 'm'), 300);
    EXPECT_EQ(Differences(ours, theirs.fates), 0);
}

TEST_P(RedReference, KeepsTheSameQueueAndAverageOnALink)
{
    red.maxProbability = 1e-12; // no draw ever drops: the average alone decides
    const std::vector<Arrival> arrivals = RandomArrivals(2, 60000, 2000, 0);
    LinkModel::Settings settings = Link100();
    settings.red = red;
    const Fates ours = FatesOnLink(settings, arrivals);
    const Fates theirs = DiscReference(MakeDisc()).Run(arrivals).fates;
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
    const Fates theirs = DiscReference(MakeDisc()).Run(arrivals).fates;
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
        const Fates theirs = RfcCoDel::Run(arrivals);
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
    const Fates theirs = RfcCoDel::Run(arrivals);
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
    const Fates theirs = DiscReference(disc).Run(arrivals).fates;
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
