// SPDX-License-Identifier: GPL-2.0-only
#include "known-path.h"

#include "units/random-stream.h"

#include <fmt/format.h>

#include <cmath>

namespace geotrain
{

namespace
{

constexpr std::uint64_t drawSeed = 17;

double
LogUniform(RandomStream& stream, double least, double most)
{
    return least * std::pow(most / least, stream.Uniform());
}

} // namespace

std::string
KnownPath::Link() const
{
    return fmt::format(R"(rate: "{:.0f}bps" delay: "{:.0f}us" queue: "{:.0f}B")",
                       bitsPerSecond,
                       delaySeconds * 1e6,
                       BufferBytes());
}

std::string
KnownPath::CrossTraffic() const
{
    return fmt::format(
        R"(cross_traffic {{ from: "a" to: "b" load: {:.4f} mean_size: "{:.0f}B" shape: 2 }})",
        crossShare,
        bitsPerSecond / 8 / 2);
}

PathParameters
KnownPath::WithSteadyTraffic(std::uint64_t seed, int seconds) const
{
    constexpr double packetBits = 8 * 1500;
    constexpr double binSeconds = 0.001;
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(std::llround(bitsPerSecond));
    path.propagation = Duration::Nanoseconds(std::llround(delaySeconds * 1e9));
    path.buffer = Bytes::Of(std::llround(BufferBytes()));
    path.crossTraffic.bin = Duration::Milliseconds(1);
    path.crossTraffic.bitsPerSecond.resize(static_cast<std::size_t>(seconds / binSeconds));
    RandomStream stream(seed, "learned-path", "steady-traffic");
    const double meanGap = packetBits / (crossShare * bitsPerSecond);
    double at = -meanGap * std::log(stream.Uniform());
    while (at < seconds)
    {
        path.crossTraffic.bitsPerSecond.at(static_cast<std::size_t>(at / binSeconds)) +=
            packetBits / binSeconds;
        at -= meanGap * std::log(stream.Uniform());
    }
    return path;
}

double
KnownPath::BufferBytes() const
{
    return bandwidthDelayProducts * bitsPerSecond / 8 * 2 * delaySeconds;
}

std::vector<KnownPath>
DrawKnownPaths(int count, CrossKind crossKind)
{
    RandomStream stream(drawSeed, "learned-path", "known-paths");
    std::vector<KnownPath> paths;
    for (int i = 0; i < count; ++i)
    {
        KnownPath path;
        path.bitsPerSecond = LogUniform(stream, 1e6, 100e6);
        path.delaySeconds = LogUniform(stream, 0.010, 0.150);
        path.bandwidthDelayProducts = LogUniform(stream, 0.5, 4);
        path.crossShare = 0.6 * stream.Uniform();
        path.crossKind = crossKind;
        paths.push_back(path);
    }
    return paths;
}

std::string
KnownPathScenario(const std::string& link, const std::string& crossTraffic, int seconds)
{
    return fmt::format(R"(
data_center {{ name: "a" nodes: 1 nic_rate: "1Gbps" }}
data_center {{ name: "b" nodes: 1 nic_rate: "1Gbps" }}
wan_link {{ from: "a" to: "b" {} }}
transport {{ congestion_control: "TcpCubic" window: "64MB" }}
transfer {{ duration: "{}s" }}
{}
run {{ packet_trace: "a -> b" }}
)",
                       link,
                       seconds,
                       crossTraffic);
}

} // namespace geotrain
