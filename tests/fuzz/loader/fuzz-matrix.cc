// SPDX-License-Identifier: GPL-2.0-only
// Loads any lines as the matrix of cross traffic of a scenario. The steps of an accepted pair begin
// at time 0, rise, and offer what is finite and not negative.
#include "loader/scenario-loader.h"

#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace
{

constexpr const char* twoSites = R"(
transfer { size: "1MB" }
data_center { name: "a" nodes: 1 }
data_center { name: "b" nodes: 1 }
transit_site { name: "c" }
wan_link { from: "a" to: "c" rate: "1Gbps" delay: "1ms" }
wan_link { from: "c" to: "b" rate: "2Gbps" delay: "1ms" }
cross_traffic {
)";

/// Returns the scenario's text with the lines of `matrix` in it, each byte escaped.
std::string
WithLines(const std::string& matrix)
{
    std::string scenario = twoSites;
    std::istringstream stream(matrix);
    for (std::string line; std::getline(stream, line);)
    {
        scenario += "  matrix_line: \"";
        for (const char c : line)
        {
            const auto byte = static_cast<unsigned char>(c);
            scenario += {'\\',
                         static_cast<char>('0' + byte / 64),
                         static_cast<char>('0' + byte / 8 % 8),
                         static_cast<char>('0' + byte % 8)};
        }
        scenario += "\"\n";
    }
    return scenario + "}\n";
}

void
CheckSteps(const geotrain::CrossTrafficPair& pair)
{
    geotrain::Duration last = geotrain::Duration::Nanoseconds(-1);
    for (const auto& step : pair.steps)
    {
        if (step.at <= last || !std::isfinite(step.bitsPerSecond) || step.bitsPerSecond < 0)
        {
            std::abort();
        }
        last = step.at;
    }
    if (pair.steps.empty() || pair.steps.front().at > geotrain::Duration())
    {
        std::abort();
    }
}

} // namespace

int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    try
    {
        const auto loaded =
            geotrain::LoadScenario({"fuzz.textproto", "/nonexistent", WithLines(text)});
        for (const auto& pair : loaded.crossTraffic)
        {
            CheckSteps(pair);
        }
    }
    catch (const geotrain::ConfigError&)
    {
    }
    return 0;
}
