// SPDX-License-Identifier: GPL-2.0-only
// Whatever a path does, every byte arrives once and in order. There are thousands of random paths
// with loss, reordering, duplication, outages and rate steps, messages of random sizes and every
// kind of control.
#include "bulk-tcp/model/congestion-control-types.h"
#include "control-names.h"
#include "express-path-helper.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <string>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::BurstLossSettings;
using geotrain::Bytes;
using geotrain::CoDelSettings;
using geotrain::Duration;
using geotrain::JitterSettings;
using geotrain::PolicerSettings;
using geotrain::RedSettings;
using geotrain::WanQueueSize;

class RandomPath
{
  public:
    explicit RandomPath(std::uint64_t seed)
        : m_random(seed, "delivery-test", "path")
    {
    }

    void CarriesEverythingOnceInOrder()
    {
        ExpressPathHelper path;
        LinkModel::Settings link;
        link.rate = BitRate::BitsPerSecond(1000000 + Below(200000000));
        link.delay = Duration::Microseconds(50 + Below(30000));
        link.queue = QueueLimit::OfBytes(Bytes::Of(4000 + Below(500000)));
        link.lossRate = 0.1 * Uniform() * Uniform() * Uniform();
        link.seed = static_cast<std::uint64_t>(Below(1000000));
        link.name = "random";
        LinkModel::Settings back = link;
        back.name = "back";
        MakeHostile(link);
        if (Below(4) == 0)
        {
            MakeHostile(back);
        }
        path.AddLink(link, back);
        path.Build();
        const auto flows = static_cast<std::size_t>(1 + Below(3));
        std::vector<std::vector<std::uint64_t>> sent(flows);
        std::uint64_t message = 0;
        for (std::size_t i = 0; i < flows; ++i)
        {
            const FlowNumber flow = path.AddFlow(DrawOptions(), link.seed);
            const std::int64_t count = 1 + Below(4);
            for (std::int64_t j = 0; j < count; ++j)
            {
                sent[i].push_back(++message);
                path.Sender(flow).Send(message, static_cast<std::uint64_t>(1 + Below(300000)));
            }
        }
        Simulator::Stop(Seconds(100000));
        Simulator::Run();
        path.CheckConservation();
        EXPECT_TRUE(path.Log().failed.empty());
        for (std::size_t i = 0; i < flows; ++i)
        {
            EXPECT_FALSE(path.Sender(static_cast<FlowNumber>(i)).Outstanding());
            std::vector<std::uint64_t> delivered;
            for (const std::uint64_t number : path.Log().delivered)
            {
                if (number >= sent[i].front() && number <= sent[i].back())
                {
                    delivered.push_back(number);
                }
            }
            EXPECT_EQ(delivered, sent[i]);
        }
        Simulator::Destroy();
    }

  private:
    double Uniform()
    {
        return m_random.Uniform();
    }

    std::int64_t Below(std::int64_t bound)
    {
        return static_cast<std::int64_t>(Uniform() * static_cast<double>(bound));
    }

    void MakeHostile(LinkModel::Settings& link)
    {
        link.duplication = Below(2) == 0 ? 0 : 0.05 * Uniform();
        if (Below(2) == 0)
        {
            // The losses are mild, since a connection rightly ends when its SYN is lost seven times
            // in a row.
            link.burstLoss = DrawBurstLoss();
        }
        if (Below(2) == 0)
        {
            link.jitter = DrawJitter();
        }
        DrawQueue(link);
        DrawSchedule(link);
    }

    BurstLossSettings DrawBurstLoss()
    {
        BurstLossSettings burst;
        burst.enter = 0.01 * Uniform();
        burst.leave = 0.3 + 0.7 * Uniform();
        burst.loss = 0.6 * Uniform();
        return burst;
    }

    JitterSettings DrawJitter()
    {
        JitterSettings jitter;
        jitter.distribution = Below(2) == 0 ? JitterSettings::Distribution::Uniform
                                            : JitterSettings::Distribution::Normal;
        jitter.mean = Duration::Nanoseconds(Below(10000000));
        jitter.deviation = Duration::Nanoseconds(Below(25000000));
        jitter.reorders = Below(3) > 0;
        return jitter;
    }

    void DrawQueue(LinkModel::Settings& link)
    {
        const std::int64_t kind = Below(4);
        if (kind == 0)
        {
            link.red = RedSettings();
            const Bytes least = Bytes::Of(2000 + Below(20000));
            link.red->minThreshold = WanQueueSize::OfBytes(least);
            link.red->maxThreshold = WanQueueSize::OfBytes(least + Bytes::Of(2000 + Below(100000)));
            link.red->gentle = Below(2) == 0;
        }
        if (kind == 1)
        {
            link.coDel = CoDelSettings();
            link.coDel->target = Duration::Milliseconds(1 + Below(10));
            link.coDel->interval = Duration::Milliseconds(20 + Below(100));
        }
        if (Below(4) == 0)
        {
            link.policer = PolicerSettings();
            link.policer->rate = BitRate::BitsPerSecond(500000 + Below(200000000));
            link.policer->burst = Bytes::Of(20000 + Below(200000));
        }
    }

    void DrawSchedule(LinkModel::Settings& link)
    {
        Duration at;
        for (std::int64_t steps = Below(4); steps > 0; --steps)
        {
            at += Duration::Nanoseconds(1 + Below(500000000));
            link.rates.steps.push_back({at, BitRate::BitsPerSecond(500000 + Below(200000000))});
        }
        Duration begin;
        for (std::int64_t outages = Below(3); outages > 0; --outages)
        {
            begin += Duration::Nanoseconds(Below(1000000000));
            const Duration end = begin + Duration::Nanoseconds(1 + Below(5000000000));
            link.outages.push_back({begin, end, Below(2) == 0});
            begin = end;
        }
    }

    BulkTcpOptions DrawOptions()
    {
        const bool stock = Below(4) == 0;
        BulkTcpOptions options = stock ? BulkTcpOptions::StockCompatible() : BulkTcpOptions();
        options.congestionControl = hostedControls[static_cast<std::size_t>(
            Below(static_cast<std::int64_t>(hostedControls.size())))];
        options.mtu = Bytes::Of(576 + Below(9000 - 576));
        options.window = Bytes::Of(options.SegmentSize() + Below(4000000));
        options.tailLossProbe = !stock && Below(2) == 0;
        const bool wantsEcn = Below(2) == 0;
        options.ecn = wantsEcn && AnswersMarks(*MakeCongestionControl(
                                      FindCongestionControl(options.congestionControl), 0));
        return options;
    }

    geotrain::RandomStream m_random;
};

class RandomPaths : public testing::TestWithParam<int>
{
};

TEST_P(RandomPaths, CarryEverythingOnceInOrder)
{
    constexpr std::uint64_t pathsPerTest = 250;
    for (std::uint64_t i = 0; i < pathsPerTest; ++i)
    {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * pathsPerTest + i;
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomPath(seed).CarriesEverythingOnceInOrder();
        if (HasFailure())
        {
            return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Hostile, RandomPaths, testing::Range(0, 12));

} // namespace
