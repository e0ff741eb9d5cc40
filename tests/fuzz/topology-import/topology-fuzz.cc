// SPDX-License-Identifier: GPL-2.0-only
// Feeds bytes to the importers of GML, GraphML, node-link JSON and matrices; the first byte that is
// not blank selects one, a comma or a semicolon the last. An accepted topology must have all its link ends, and a path wherever there is a
// delay.
#include "units/config-error.h"
#include "topology-import/topology-import.h"
#include "wan/wan-paths.h"
#include "wan/wan-validation.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace
{

geotrain::GraphFormat
FormatOf(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const char c = first == std::string::npos ? ' ' : text[first];
    if (c == '<')
    {
        return geotrain::GraphFormat::Graphml;
    }
    if (c == ',' || c == ';')
    {
        return geotrain::GraphFormat::Matrix;
    }
    return c == '{' || c == '[' ? geotrain::GraphFormat::NodeLink : geotrain::GraphFormat::Gml;
}

void
CheckPaths(const geotrain::WanTopology& topology)
{
    const geotrain::WanPaths paths(topology);
    for (std::uint32_t to = 0; to < topology.sites.size(); ++to)
    {
        if (paths.SitePath(0, to).has_value() != paths.SiteDelay(to, 0).has_value())
        {
            std::abort();
        }
    }
}

} // namespace

int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    geotrain::ImportOptions options;
    options.defaultRate = geotrain::BitRate::GigabitsPerSecond(10);
    options.coordinates = {{"0", {47.6, -122.3}}, {"1", {40.7, -74.0}}};
    try
    {
        const geotrain::WanTopology topology =
            geotrain::ImportTopologyText(text, FormatOf(text), "fuzz", options).wan;
        if (topology.sites.size() <= 64)
        {
            CheckPaths(topology);
        }
        geotrain::Validate(topology, "fuzz");
    }
    catch (const geotrain::ConfigError&)
    {
    }
    return 0;
}
