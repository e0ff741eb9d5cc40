// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/size-classes.h"

#include "metrics/statistics.h"

#include <limits>
#include <string>

namespace geotrain
{

namespace
{

/// A SizeClass takes the messages above the class before and up to `mostBytes`.
struct SizeClass
{
    const char* name;
    double mostBytes;
};

constexpr SizeClass sizeClasses[] = {{"to_10kB", 1e4},
                                     {"to_100kB", 1e5},
                                     {"to_1MB", 1e6},
                                     {"to_10MB", 1e7},
                                     {"above_10MB", std::numeric_limits<double>::infinity()}};

/// Returns the completion times in s of the messages of more than `fromBytes` and at most `toBytes`.
std::vector<double>
CompletionsBetween(const FlowTally& tally, double fromBytes, double toBytes)
{
    std::vector<double> seconds;
    for (const auto& flow : tally.flows)
    {
        for (std::size_t i = 0; i < flow.completionSeconds.size(); ++i)
        {
            const double bytes = flow.completionBytes[i];
            if (bytes > fromBytes && bytes <= toBytes)
            {
                seconds.push_back(flow.completionSeconds[i]);
            }
        }
    }
    return seconds;
}

} // namespace

std::vector<Metric>
CompletionBySize(const FlowTally& tally)
{
    bool areDrawn = false;
    for (std::size_t flow = 0; flow < tally.flows.size(); ++flow)
    {
        areDrawn = areDrawn || tally.Flow(flow).draws_sizes();
    }
    std::vector<Metric> metrics;
    double fromBytes = 0;
    for (const auto& [name, mostBytes] : sizeClasses)
    {
        const auto seconds =
            areDrawn ? CompletionsBetween(tally, fromBytes, mostBytes) : std::vector<double>();
        fromBytes = mostBytes;
        if (seconds.empty())
        {
            continue;
        }
        const std::string suffix = std::string("_") + name;
        metrics.push_back({"completion_time_p50" + suffix, Percentile(seconds, 50), "s"});
        metrics.push_back({"completion_time_p99" + suffix, Percentile(seconds, 99), "s"});
        metrics.push_back({"completion_time_mean" + suffix, MeanOfSamples(seconds), "s"});
        metrics.push_back({"messages" + suffix, static_cast<double>(seconds.size()), ""});
    }
    return metrics;
}

std::vector<std::string>
SizeClassMetricNames()
{
    std::vector<std::string> names;
    for (const auto& sizeClass : sizeClasses)
    {
        for (const char* metric :
             {"completion_time_p50", "completion_time_p99", "completion_time_mean", "messages"})
        {
            names.push_back(std::string(metric) + "_" + sizeClass.name);
        }
    }
    return names;
}

} // namespace geotrain
