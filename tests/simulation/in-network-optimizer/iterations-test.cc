// SPDX-License-Identifier: GPL-2.0-only
// Iterations of an executor whose pulls and pushes go through an in-network optimizer: bounds by hand
// over packets, what a run says when links die, and how far the formula is from the packets.
#include "analytic/event-loop.h"
#include "execution/plan-run.h"
#include "in-network-optimizer/helper/in-network-sites.h"
#include "in-network/formula-sites.h"
#include "in-network/in-network-collectives.h"
#include "schedule/layered-streams.h"
#include "wan-topology/model/simulator-clock.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <cstdio>
#include <functional>
#include <utility>

namespace geotrain
{
namespace
{

/// An UnusedNetwork carries nothing: all that workers send goes through the optimizer.
class UnusedNetwork : public Network
{
  public:
    explicit UnusedNetwork(Clock& clock)
        : m_clock(clock)
    {
    }

    const NetworkKind& Kind() const override
    {
        static const NetworkKind kind{
            "unused", false, [](std::string_view, std::string_view) { return false; }};
        return kind;
    }

    Clock& GetClock() override
    {
        return m_clock;
    }

    std::uint32_t ConnectionsBetween(NodeIndex, NodeIndex) const override
    {
        return 1;
    }

    TransferNumber Transfer(const TransferRequest&, TransferCallback) override
    {
        ADD_FAILURE() << "nothing is sent here";
        return 1;
    }

    void Cancel(TransferNumber) override
    {
    }

    void Prepare(const std::vector<WarmUp>&) override
    {
    }

    NetworkCounters Counters() const override
    {
        return {};
    }

  private:
    Clock& m_clock;
};

/// An OptimizedJob is what is trained.
struct OptimizedJob
{
    std::size_t layers = 8;
    std::int64_t parameters = 8000000; ///< of a layer: 16 MB, 1.3 ms at 100 Gbit/s
    Duration forward;                  ///< of a layer; its backward takes three times as long
    std::uint32_t iterations = 3;
};

/// An OptimizedRun is what came of a run.
struct OptimizedRun
{
    PlanOutcome outcome;
    double iteration = 0; ///< s, without the first one
    NetworkCounters counters;
};

OptimizedRun
TrainOver(OptimizerSites& sites, Clock& clock, const OptimizedJob& job)
{
    const Bytes bytes = Bytes::Of(2 * job.parameters);
    LayeredStreamInputs inputs;
    inputs.dataParallelism = DataParallelism::InNetwork;
    inputs.works = {
        {std::vector<LayerWork>(job.layers, {bytes, job.forward, Duration(), job.forward * 3}),
         Duration()}};
    inputs.iterations = job.iterations;
    inputs.prefetch = 2;
    inputs.workOfWorker.resize(sites.Workers());
    for (NodeIndex node = 0; node < sites.Workers(); ++node)
    {
        inputs.nodeOfWorker.push_back(node);
    }
    const ExecutionPlan plan = BuildLayeredStreams(inputs);
    UnusedNetwork network(clock);
    PlanRun run(plan, network, {});
    auto made = std::make_unique<InNetworkCollectives>(
        run.Layer(),
        sites,
        InNetworkJob{std::vector<std::int64_t>(job.layers, job.parameters), job.iterations});
    const InNetworkCollectives& collectives = *made;
    run.Observe(*made);
    run.Decorate(
        [&made](std::unique_ptr<Collectives> others)
        {
            made->SetOthers(std::move(others));
            return std::move(made);
        });
    OptimizedRun result;
    result.outcome = run.Run(Instant() + Duration::Seconds(1000));
    result.counters = collectives.Counters();
    if (result.outcome.IsDone())
    {
        result.iteration = run.Times().TimeOf({1, job.iterations - 1, 0}).ToSeconds();
    }
    return result;
}

OptimizedRun
TrainOverPackets(const InNetworkClusterSettings& settings, const OptimizedJob& job = {})
{
    OptimizedRun result;
    {
        ns3::SimulatorClock clock;
        ns3::InNetworkSites sites(settings, std::nullopt);
        result = TrainOver(sites, clock, job);
    }
    ns3::Simulator::Destroy();
    return result;
}

double
SecondsByFormula(const InNetworkClusterSettings& settings, const OptimizedJob& job)
{
    EventLoop clock;
    FormulaSites sites(clock, settings, std::nullopt);
    return TrainOver(sites, clock, job).iteration;
}

/// The servers' devices are no bound.
InNetworkClusterSettings
ThreeWorkers()
{
    InNetworkClusterSettings settings;
    settings.workers = 3;
    settings.aggregation.payload = Bytes::Of(4096);
    settings.server.ssd = BitRate::GigabitsPerSecond(1600);
    return settings;
}

TEST(InNetworkIterations, NicsReceiveTwiceTheParametersAndSendThemOnce)
{
    const OptimizedRun run = TrainOverPackets(ThreeWorkers());
    ASSERT_TRUE(run.outcome.IsDone()) << run.outcome.report;
    EXPECT_EQ(run.counters.intraDcPayload, Bytes::Of(3 * 3 * 3 * 8 * 16000000LL));
}

TEST(InNetworkIterations, LongComputeHidesAllButTheFirstLayersUpdate)
{
    OptimizedJob job;
    job.forward = Duration::Milliseconds(3);
    const double iteration = TrainOverPackets(ThreeWorkers(), job).iteration;
    // 8 layers of 3 and 9 ms. Then the first one's gradients go up and its parameters come back
    // alone. Between them the server reads 12 bytes a parameter at 200 GB/s, moves 28 for Adam at 375
    // GB/s, writes 14 and reads 2.
    const double alone = 2 * 16e6 * 4132 / 4096 / 12.5e9;
    const double server = 8e6 * ((12 + 14 + 2) / 200e9 + 28 / 375e9);
    EXPECT_NEAR(iteration, 8 * 12e-3 + alone + server, 50e-6); // heartbeats, and chunks of steps
}

TEST(InNetworkIterations, ServerThatAddsAloneIsNTimesSlower)
{
    InNetworkClusterSettings settings = ThreeWorkers();
    settings.addsAtServer = true;
    // Each iteration pulls 2 S, which cross the server's link once per worker.
    const double floor = 2.0 * 3 * 8 * 16e6 * 4132 / 4096 / 12.5e9;
    const double iteration = TrainOverPackets(settings).iteration;
    EXPECT_GE(iteration, floor);
    EXPECT_LE(iteration, floor * 1.3); // the last update and the first read go alone
}

TEST(InNetworkIterations, TwoRunsOfASeedAreEqualAndAnotherSeedIsNot)
{
    InNetworkClusterSettings settings = ThreeWorkers();
    settings.impairments.lossRate = 1e-4;
    settings.aggregation.timeout = Duration::Microseconds(200);
    const OptimizedRun first = TrainOverPackets(settings);
    const OptimizedRun second = TrainOverPackets(settings);
    ASSERT_TRUE(first.outcome.IsDone());
    EXPECT_EQ(first.outcome.end, second.outcome.end);
    EXPECT_EQ(first.counters.intraDcPackets, second.counters.intraDcPackets);
    settings.seed = 2;
    EXPECT_FALSE(TrainOverPackets(settings).outcome.end == first.outcome.end);
}

TEST(InNetworkIterations, DeadLinksEndTheRunAndItSaysWhoWaits)
{
    InNetworkClusterSettings settings = ThreeWorkers();
    settings.aggregation.timeout = Duration::Milliseconds(1);
    settings.aggregation.retries = 3;
    settings.impairments.outages = {{Duration::Milliseconds(2), Duration::Seconds(1e6), false}};
    const PlanOutcome outcome = TrainOverPackets(settings).outcome;
    EXPECT_FALSE(outcome.IsDone());
    EXPECT_NE(outcome.failure.find("server 0 gave up on packet"), std::string::npos)
        << outcome.failure;
}

/// A BesidePackets is a cell of the comparison.
struct BesidePackets
{
    const char* name;
    std::function<void(InNetworkClusterSettings&)> change;
    Duration forward;
    std::int64_t parameters = 8000000;
    double tolerance = 0.03;
};

void
PrintTo(const BesidePackets& cell, std::ostream* stream)
{
    *stream << cell.name;
}

class FormulaBesidePackets : public testing::TestWithParam<BesidePackets>
{
};

TEST_P(FormulaBesidePackets, IterationIsAlike)
{
    InNetworkClusterSettings settings = ThreeWorkers();
    GetParam().change(settings);
    OptimizedJob job;
    job.forward = GetParam().forward;
    job.parameters = GetParam().parameters;
    const double packets = TrainOverPackets(settings, job).iteration;
    const double formula = SecondsByFormula(settings, job);
    std::printf("%.6f s %.6f s %+6.2f %%\n", packets, formula, 100 * (formula / packets - 1));
    EXPECT_NEAR(formula / packets, 1, GetParam().tolerance);
}

BitRate
Gbps(std::int64_t rate)
{
    return BitRate::GigabitsPerSecond(rate);
}

constexpr std::int64_t megabyteLayer = 500000; // 8 heartbeat intervals at 100 Gbit/s

const BesidePackets besidePackets[] = {
    {"LineRate", [](auto&) {}, {}},
    {"SmallPackets", [](auto& all) { all.aggregation.payload = Bytes::Of(1024); }, {}},
    {"SsdBoundBackward", [](auto& all) { all.server.ssd = Gbps(208); }, {}},
    {"SlowSsd", [](auto& all) { all.server.ssd = Gbps(80); }, {}},
    {"ComputeBound", [](auto&) {}, Duration::Milliseconds(3)},
    {"ComputeBesideTheNetwork", [](auto&) {}, Duration::Microseconds(900)},
    {"HostCap", [](auto& all) { all.hostCap = Gbps(70); }, {}},
    {"TreeOfSwitches",
     [](auto& all)
     {
         all.switches = {2, 1};
         all.aggregation.window = Bytes::Of(1000000);
     },
     {}},
    {"LayerThreads",
     [](auto& all) { all.server.threads = OptimizerServerSettings::Threads::LayerCentric; },
     {}},
    {"TwoServers", [](auto& all) { all.servers = 2; }, {}},
    // Over packets the parameters of servers share the workers' links, where lines serve in turn.
    {"FourServers", [](auto& all) { all.servers = 4; }, {}, 8000000, 0.15},
    // Heartbeats wait behind gradients that fill a queue.
    {"SlowServer", [](auto& all) { all.serverRate = Gbps(50); }, {}, 8000000, 0.05},
    {"EachPacket",
     [](auto& all)
     { all.aggregation.acknowledgement = AggregationSettings::Acknowledgement::EachPacket; },
     {}},
    {"AddsAtServer", [](auto& all) { all.addsAtServer = true; }, {}},
    {"WindowBelowTheLoop", [](auto& all) { all.aggregation.window = Bytes::Of(100000); }, {}},
    {"SmallLayers", [](auto&) {}, {}, megabyteLayer},
    {"SmallLayersOfTwoServers", [](auto& all) { all.servers = 2; }, {}, megabyteLayer},
    {"SmallLayersAt400Gbps",
     [](auto& all)
     {
         all.nicRate = all.serverRate = Gbps(400);
         all.server.memory = Gbps(90000);
         all.server.ssd = Gbps(8000);
         all.aggregation.window = Bytes::Of(1500000);
         all.aggregation.slots = 1024;
     },
     {},
     megabyteLayer},
};

INSTANTIATE_TEST_SUITE_P(All,
                         FormulaBesidePackets,
                         testing::ValuesIn(besidePackets),
                         [](const auto& test) { return test.param.name; });

} // namespace
} // namespace geotrain
