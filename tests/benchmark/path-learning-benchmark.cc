// SPDX-License-Identifier: GPL-2.0-only
// Measures what a learned path costs per packet. Items are packets.
#include "units/random-stream.h"
#include "wan-topology/model/learned-direction.h"

#include <benchmark/benchmark.h>

namespace
{

/// Returns a path of 100 Mbit/s with cross traffic that changes every 100 ms.
geotrain::PathParameters
BenchmarkedPath()
{
    geotrain::PathParameters path;
    path.rate = geotrain::BitRate::BitsPerSecond(100000000);
    path.propagation = geotrain::Duration::Milliseconds(20);
    path.buffer = geotrain::Bytes::Of(500000);
    path.crossTraffic = {geotrain::Duration::Milliseconds(100), {5e6, 20e6, 0}};
    return path;
}

/// Returns a network of 16 cells over windows of 10 ms, the defaults of a training.
geotrain::WindowNetwork
BenchmarkedNetwork(geotrain::WindowNetwork::Output output)
{
    geotrain::RandomStream stream(1, "benchmark", "network");
    const auto draw = [&stream](std::size_t count)
    {
        std::vector<double> values(count);
        for (double& value : values)
        {
            value = 0.2 * stream.Normal();
        }
        return values;
    };
    geotrain::WindowNetwork network;
    network.output = output;
    network.window = geotrain::Duration::Milliseconds(10);
    network.hidden = 16;
    network.inputWeights = draw(64 * geotrain::windowFeatures);
    network.stateWeights = draw(64 * 16);
    network.biases = draw(64);
    network.outputWeights = draw(16 * network.Outputs());
    network.outputBiases.assign(network.Outputs(), -2);
    network.featureMeans = draw(geotrain::windowFeatures);
    network.featureDeviations.assign(geotrain::windowFeatures, 1);
    network.residuals = {-0.1, 0, 0.1};
    return network;
}

/// Packets come at 90 % of the rate.
void
OfferTo(const geotrain::PathParameters& path, benchmark::State& state)
{
    ns3::LinkSettings settings;
    settings.learned = std::make_shared<const geotrain::PathParameters>(path);
    ns3::LearnedDirection direction(settings);
    std::int64_t now = 0;
    for (auto _ : state)
    {
        now += 133333; // 1,500 bytes at 90 Mbit/s
        benchmark::DoNotOptimize(
            direction.Offer(geotrain::Instant::FromNanoseconds(now), geotrain::Bytes::Of(1500)));
    }
    state.SetItemsProcessed(state.iterations());
}

void
OfferToLearnedPath(benchmark::State& state)
{
    OfferTo(BenchmarkedPath(), state);
}

void
OfferToNetwork(benchmark::State& state, geotrain::WindowNetwork::Output output)
{
    geotrain::PathParameters path = BenchmarkedPath();
    path.network = std::make_shared<const geotrain::WindowNetwork>(BenchmarkedNetwork(output));
    OfferTo(path, state);
}

BENCHMARK(OfferToLearnedPath)->Name("LearnedPath/offer");
BENCHMARK_CAPTURE(OfferToNetwork, rbu, geotrain::WindowNetwork::Output::CrossTraffic)
    ->Name("LearnedPath/offer-rbu");
BENCHMARK_CAPTURE(OfferToNetwork, lstm, geotrain::WindowNetwork::Output::DelayAndLoss)
    ->Name("LearnedPath/offer-lstm");

} // namespace
