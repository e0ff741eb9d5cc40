// SPDX-License-Identifier: GPL-2.0-only
// Over packets too, prefills in strict mode leave training alone, whatever happens there, and
// decisions use only the past.
//
//   stages 0, 1: dc-a ==== 10 Gbit/s, 15 ms, loss ==== dc-b: stages 2, 3
#include "fill-runs.h"
#include "training-network/helper/bearer-kinds.h"
#include "training-network/model/training-network.h"

#include "instants.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

FillSetup
FourStages()
{
    FillSetup setup;
    setup.boundary = Bytes::Of(1000000);
    setup.iterations = 4;
    setup.options.policy = PlacementPolicy::Strict;
    setup.options.preemption = Preemption::Instant;
    return setup;
}

WanTopology
TwoDataCentres(double lossRate)
{
    WanTopology topology;
    for (const char* name : {"dc-a", "dc-b"})
    {
        WanTopology::Site site;
        site.name = name;
        site.nodes = 2;
        site.nicRate = BitRate::GigabitsPerSecond(100);
        site.intraRate = site.nicRate;
        site.intraDelay = Duration::Microseconds(10);
        topology.sites.push_back(site);
    }
    WanTopology::Link link;
    link.from = 0;
    link.to = 1;
    link.rate = BitRate::GigabitsPerSecond(10);
    link.delay = Duration::Milliseconds(15);
    link.lossRate = lossRate;
    topology.links.push_back(link);
    topology.mtu = Bytes::Of(9000);
    return topology;
}

FillOutcome
RunOverPackets(const FillSetup& setup, double lossRate = 0)
{
    ns3::RngSeedManager::SetSeed(1);
    ns3::RngSeedManager::SetRun(1);
    FillOutcome outcome;
    {
        const auto bearer =
            ns3::MakeBearer("stock", TwoDataCentres(lossRate), "strict-packets-test");
        const auto network =
            ns3::CreateObject<ns3::TrainingNetwork>(bearer->Links(),
                                                    bearer->MakeTransport({}),
                                                    ns3::TrainingNetwork::ConnectionCounts{4, 1});
        network->Prepare({{1, 2, Bytes::Of(100000)}, {2, 1, Bytes::Of(100000)}});
        outcome = RunFilledOver(*network, setup);
    }
    ns3::Simulator::Destroy();
    return outcome;
}

/// Runs with and without prefills, and returns the outcome of the run with prefills.
FillOutcome
ExpectSameTraining(FillSetup setup, double lossRate = 0)
{
    const auto filled = RunOverPackets(setup, lossRate);
    setup.serves = false;
    EXPECT_TRUE(filled.isDone);
    EXPECT_GT(filled.fills.size(), 10u);
    EXPECT_TRUE(IsSameTraining(filled, RunOverPackets(setup, lossRate)));
    return filled;
}

TEST(StrictModeOverPackets, TrainingIsTheSameUnderLoss)
{
    ExpectSameTraining(FourStages(), 0.001);
}

TEST(StrictModeOverPackets, TrainingIsTheSameUnderComputeJitter)
{
    FillSetup setup = FourStages();
    setup.jitter = 0.2;
    const auto filled = ExpectSameTraining(setup);
    EXPECT_GT(filled.score.misses, 0u);
}

TEST(StrictModeOverPackets, TrainingIsTheSameUnderAnOutage)
{
    FillSetup setup = FourStages();
    setup.outageStart = AtMs(700);
    setup.outageEnd = AtMs(1900);
    ExpectSameTraining(setup);
}

TEST(StrictModeOverPackets, TrainingIsTheSameWhenGradientsComeEarlierThanForecast)
{
    FillSetup setup = FourStages();
    setup.outageStart = AtMs(0);
    setup.outageEnd = AtMs(900);
    const auto filled = ExpectSameTraining(setup);
    const auto preempted = std::count_if(filled.fills.begin(),
                                         filled.fills.end(),
                                         [](const auto& fill) { return fill.end.isPreempted; });
    EXPECT_GT(preempted, 0);
}

TEST(StrictModeOverPackets, AnOutageLeavesEveryDecisionBeforeItAsItWas)
{
    FillSetup setup = FourStages();
    setup.jitter = 0.02;
    const auto calm = RunOverPackets(setup);
    setup.outageStart = AtMs(777);
    setup.outageEnd = AtMs(1400);
    const auto outage = RunOverPackets(setup);
    EXPECT_FALSE(IsSameTraining(calm, outage));
    EXPECT_GT(DecidedBefore(calm, setup.outageStart).size(), 200u);
    EXPECT_EQ(DecidedBefore(calm, setup.outageStart), DecidedBefore(outage, setup.outageStart));
}

/// Returns the misses per iteration of a run of `iterations`.
double
MissesOver(std::uint32_t iterations)
{
    FillSetup setup = FourStages();
    setup.iterations = iterations;
    return static_cast<double>(RunOverPackets(setup).score.misses) / iterations;
}

TEST(StrictModeOverPackets, ForecastComesFromMeasuredIterations)
{
    // The rehearsal knows nothing of packets: it is off by slow start and store-and-forward. What
    // has been measured repeats itself without loss and jitter, so that later iterations miss less.
    EXPECT_LT(MissesOver(8), MissesOver(2));
}

} // namespace
} // namespace geotrain
