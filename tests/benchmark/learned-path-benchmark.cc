// SPDX-License-Identifier: GPL-2.0-only
// Measures what a learned path costs per packet. Items are packets.
#include "wan-topology/model/learned-direction.h"

#include <benchmark/benchmark.h>

namespace
{

/// Packets come at 90 % of the rate, beside cross traffic that changes every 100 ms.
void
OfferToLearnedPath(benchmark::State& state)
{
    geotrain::PathParameters path;
    path.rate = geotrain::BitRate::BitsPerSecond(100000000);
    path.propagation = geotrain::Duration::Milliseconds(20);
    path.buffer = geotrain::Bytes::Of(500000);
    path.crossTraffic = {geotrain::Duration::Milliseconds(100), {5e6, 20e6, 0}};
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

BENCHMARK(OfferToLearnedPath)->Name("LearnedPath/offer");

} // namespace
