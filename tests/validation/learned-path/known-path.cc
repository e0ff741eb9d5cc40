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
    // A segment of a file of 1,448 bytes fills a packet; Pareto's shape 100 makes sizes equal.
    const std::string files =
        crossKind == CrossKind::Steady
            ? R"(mean_size: "1448B" shape: 100)"
            : fmt::format(R"(mean_size: "{:.0f}B" shape: 2)", bitsPerSecond / 8 * 4);
    return fmt::format(
        R"(cross_traffic {{ from: "a" to: "b" load: {:.4f} {} }})", crossShare, files);
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
