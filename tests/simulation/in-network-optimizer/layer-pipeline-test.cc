// SPDX-License-Identifier: GPL-2.0-only
// Layers go through the server's steps at the rates of its devices.
#include "in-network/layer-pipeline.h"
#include "wan-topology/model/reusable-event.h"
#include "wan-topology/model/simulator-clock.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;

/// NetworkStub moves one request at a time at 100 Gbit/s in each direction.
class NetworkStub : public geotrain::StreamEnd
{
  public:
    void Push(Bytes length, std::function<void()> done) override
    {
        Move(m_out, length, std::move(done));
    }

    void Pull(Bytes length, std::function<void()> done) override
    {
        Move(m_in, length, std::move(done));
    }

  private:
    static void Move(geotrain::TransmissionClock& clock, Bytes length, std::function<void()> done)
    {
        geotrain::Instant end = geotrain::Instant::FromNanoseconds(NowNs());
        for (std::int64_t left = length.Count(); left > 0; left -= 1000000)
        {
            end = clock.Send(geotrain::Instant::FromNanoseconds(NowNs()),
                             Bytes::Of(std::min<std::int64_t>(left, 1000000)));
        }
        Simulator::Schedule(NanoSeconds(end.ToNanoseconds() - NowNs()), std::move(done));
    }

    geotrain::TransmissionClock m_out{BitRate::GigabitsPerSecond(100)};
    geotrain::TransmissionClock m_in{BitRate::GigabitsPerSecond(100)};
};

/// A PipelineRun is what `layers` backward layers took.
struct PipelineRun
{
    geotrain::LayerPipeline::Counters counters;
    double seconds = 0;
};

PipelineRun
RunBackward(const geotrain::OptimizerServerSettings& settings,
            std::size_t layers,
            std::int64_t parameters)
{
    NetworkStub network;
    SimulatorClock clock;
    geotrain::LayerPipeline pipeline(clock, settings, network);
    PipelineRun run;
    pipeline.OnThrough([&run](bool) { run.seconds = static_cast<double>(NowNs()) * 1e-9; });
    for (std::size_t layer = 0; layer < layers; ++layer)
    {
        pipeline.Add(layer, parameters, true);
    }
    Simulator::Run();
    Simulator::Destroy();
    EXPECT_EQ(pipeline.Unfinished(), 0);
    run.counters = pipeline.GetCounters();
    return run;
}

TEST(LayerPipelineTest, SixLayersAreInFlightWithThreadsAStep)
{
    const geotrain::OptimizerServerSettings settings;
    EXPECT_EQ(settings.LayersInFlight(), 6);
    EXPECT_EQ(RunBackward(settings, 24, 100000000).counters.mostInFlight, 6);
}

TEST(LayerPipelineTest, ThreeLayersAreInFlightWithThreadsALayer)
{
    geotrain::OptimizerServerSettings settings;
    settings.threads = geotrain::OptimizerServerSettings::Threads::LayerCentric;
    EXPECT_EQ(settings.LayersInFlight(), 3); // 104 / 32
    EXPECT_EQ(RunBackward(settings, 24, 100000000).counters.mostInFlight, 3);
}

TEST(LayerPipelineTest, SlowSsdBoundsBackward)
{
    // 14 bytes a parameter in each direction at 26 GB/s: 24 x 1e8 x 14 / 26e9 = 1.292 s. The first
    // layer's way to its last step comes before: (2 + 12) x 1e8 / 26e9 + 2 x 2e8 / 12.5e9 + 1.7e9 /
    // 563e9 = 0.089 s. The two steps that read share the SSD, which costs up to 3 %.
    const double bound = 1.292 + 0.089;
    const PipelineRun run = RunBackward(geotrain::OptimizerServerSettings(), 24, 100000000);
    EXPECT_GE(run.seconds, bound);
    EXPECT_LE(run.seconds, bound * 1.03);
}

TEST(LayerPipelineTest, DevicesMoveTheBytesOfTheSteps)
{
    constexpr std::int64_t parameters = 24 * 100000000LL;
    const geotrain::LayerPipeline::Counters counters =
        RunBackward(geotrain::OptimizerServerSettings(), 24, 100000000).counters;
    EXPECT_EQ(counters.ssdReadBytes, 14 * parameters);
    EXPECT_EQ(counters.ssdWriteBytes, 14 * parameters);
    EXPECT_EQ(counters.memoryBytes, 60 * parameters);
    EXPECT_EQ(counters.flops, 17 * parameters);
}

TEST(LayerPipelineTest, LayerIsReadAgainOnlyWhenItsUpdateWasWritten)
{
    NetworkStub network;
    SimulatorClock clock;
    geotrain::LayerPipeline pipeline(clock, geotrain::OptimizerServerSettings(), network);
    std::vector<bool> through;
    pipeline.OnThrough([&through](bool isBackward) { through.push_back(isBackward); });
    pipeline.Add(0, 100000000, true);
    pipeline.Add(0, 100000000, false);
    Simulator::Run();
    Simulator::Destroy();
    EXPECT_EQ(through, (std::vector<bool>{true, false}));
}

} // namespace
} // namespace ns3
