// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/path-flows.h"

#include "path-learning/trace-readers.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace geotrain
{

namespace
{

constexpr double throughputSeconds = 1; // over which a throughput is a mean

/// Returns the records of a run that hold packets.
std::vector<PacketTrace>
RecordsIn(const std::filesystem::path& folder)
{
    std::vector<PacketTrace> records;
    for (int i = 1;; ++i)
    {
        const auto file = folder / fmt::format("packets-{}.csv", i);
        if (!std::filesystem::exists(file))
        {
            return records;
        }
        try
        {
            records.push_back(ParsePacketTrace(file.string(), ReadMaybeGzipped(file.string())));
        }
        catch (const ConfigError&)
        {
            continue; // Nothing crossed this link, or too little for a figure.
        }
    }
}

/// Returns the rates of arrivals in each whole second.
std::vector<double>
ThroughputsOf(const PacketTrace& record)
{
    std::vector<double> bits;
    for (const TracedPacket& packet : record.packets)
    {
        if (packet.delay)
        {
            const double at = (packet.sent + *packet.delay - Instant()).ToSeconds();
            const auto bin = static_cast<std::size_t>(at / throughputSeconds);
            bits.resize(std::max(bits.size(), bin + 1));
            bits[bin] += 8 * static_cast<double>(packet.size.Count()) / throughputSeconds;
        }
    }
    if (bits.size() > 1)
    {
        bits.pop_back(); // It is not whole.
    }
    return bits;
}

/// Returns the varied values but the congestion control.
std::string
PathNameOf(const Comparison& comparison, const VariantSummary& variant)
{
    std::string name;
    for (std::size_t i = 0; i < comparison.variedPaths.size(); ++i)
    {
        if (comparison.variedPaths[i] != "transport.congestion_control" &&
            !variant.values[i].empty())
        {
            name += (name.empty() ? "" : ", ") + variant.values[i];
        }
    }
    return name.empty() ? "as written" : name;
}

} // namespace

std::vector<PathFlow>
PathFlowsOf(const Comparison& comparison)
{
    std::vector<PathFlow> flows;
    for (const VariantSummary& variant : comparison.variants)
    {
        if (!variant.summary.header.has_transfers())
        {
            continue;
        }
        for (const PacketTrace& record : RecordsIn(variant.trace.parent_path()))
        {
            PathFlow flow{variant.summary.header.congestion_control(),
                          PathNameOf(comparison, variant),
                          {},
                          ThroughputsOf(record)};
            for (const TracedPacket& packet : record.packets)
            {
                if (packet.delay)
                {
                    flow.delays.push_back(packet.delay->ToSeconds());
                }
            }
            flows.push_back(std::move(flow));
        }
    }
    return flows;
}

} // namespace geotrain
