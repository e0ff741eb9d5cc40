// SPDX-License-Identifier: GPL-2.0-only
// What the server asks of its machine at line rate: table III of the paper, 12 numbers. Its GB are
// GiB. r = B / 2 bytes parameters/s cross a NIC of rate B.
#include "in-network/layer-pipeline.h"
#include "wan-topology/model/simulator-clock.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

namespace ns3
{
namespace
{

/// A ServerDemand is what a phase asks for, in GFLOP/s (2^30) and GiB/s.
struct ServerDemand
{
    double flops;
    double memory;
    double ssdRead;
};

/// A FastNetwork moves everything in a nanosecond.
class FastNetwork : public geotrain::StreamEnd
{
  public:
    void Push(geotrain::Bytes /*length*/, std::function<void()> done) override
    {
        Simulator::Schedule(NanoSeconds(1), std::move(done));
    }

    void Pull(geotrain::Bytes /*length*/, std::function<void()> done) override
    {
        Simulator::Schedule(NanoSeconds(1), std::move(done));
    }
};

/// Returns what ten layers of a phase ask for while the network takes them at `gbps`.
ServerDemand
DemandAt(double gbps, bool isBackward)
{
    constexpr std::int64_t parameters = 10000000;
    FastNetwork network;
    SimulatorClock clock;
    geotrain::LayerPipeline pipeline(clock, geotrain::OptimizerServerSettings(), network);
    for (std::size_t layer = 0; layer < 10; ++layer)
    {
        pipeline.Add(layer, parameters, isBackward);
    }
    Simulator::Run();
    Simulator::Destroy();
    const double seconds = 10.0 * 2 * parameters / (gbps / 8 * 1e9);
    const double unit = seconds * 1073741824.0;
    const geotrain::LayerPipeline::Counters& counters = pipeline.GetCounters();
    EXPECT_EQ(counters.ssdWriteBytes, isBackward ? counters.ssdReadBytes : 0);
    return {static_cast<double>(counters.flops) / unit,
            static_cast<double>(counters.memoryBytes) / unit,
            static_cast<double>(counters.ssdReadBytes) / unit};
}

void
ExpectDemand(const ServerDemand& demand, double flops, double memory, double ssd)
{
    EXPECT_NEAR(demand.flops, flops, 0.02 * flops);
    EXPECT_NEAR(demand.memory, memory, 0.02 * memory);
    EXPECT_NEAR(demand.ssdRead, ssd, 0.02 * ssd);
}

TEST(LuwuServerTest, DemandIsThatOfTableThree)
{
    ExpectDemand(DemandAt(100, false), 0, 23.3, 11.6);
    ExpectDemand(DemandAt(100, true), 99.0, 349, 81.4);
    ExpectDemand(DemandAt(200, false), 0, 46.6, 23.3);
    ExpectDemand(DemandAt(200, true), 198, 698, 163);
}

} // namespace
} // namespace ns3
