// SPDX-License-Identifier: GPL-2.0-only
// Imports WAN graphs from files: Topology Zoo's GML and GraphML (Knight et al., JSAC'11), and
// NetworkX's node-link JSON.
//
// - A node becomes a transit site without compute nodes, named by its label. Equal labels are made
//   distinct by the id, "? (14)", and a node without a label is named by its id.
// - The delay of a link is the great circle between its ends at 200,000 km/s, light in fibre. Real
//   fibre is longer.
// - The rate is LinkSpeedRaw (bit/s), or else LinkSpeed with LinkSpeedUnits (K, M, G, T), or else
//   node-link JSON's `capacity` in Mbit/s (the format names no unit; Mbit/s is our reading), or
//   else the default.
// - Parallel edges are kept. Self-loops are dropped: they join nothing.
// - GML and GraphML edges are cables and stand for both directions, whatever the file says of being
//   directed. In directed JSON the two directions are two edges of the same attributes and become
//   one link.
#pragma once

#include "wan/wan-topology.h"

#include <map>
#include <string>

namespace geotrain
{

/// A GeoPosition is a point on the Earth.
struct GeoPosition
{
    double latitude = 0;  ///< degrees, -90 to 90
    double longitude = 0; ///< degrees, -180 to 180
};

/// Returns the delay of light in fibre along the great circle (haversine, mean Earth radius),
/// rounded to a nanosecond.
Duration GreatCircleDelay(const GeoPosition& a, const GeoPosition& b);

/// ImportOptions say what the file leaves open.
struct ImportOptions
{
    BitRate defaultRate; ///< rate of links for which the file has none; positive

    /// Positions of nodes by id, by the imported site's name, or by a label that one node alone
    /// has; they are looked up in this order. They take precedence over the coordinates in the
    /// file. An entry that names no node is refused.
    std::map<std::string, GeoPosition> coordinates;
};

/// GraphFormat is the format of a graph's file.
enum class GraphFormat
{
    Gml,
    Graphml,
    NodeLink
};

/// Imports a file whose format its ending tells: .gml, .graphml or .json. Throws ConfigError that
/// names the file, the line or field, and the rule; it names nodes without coordinates all at once.
WanTopology ImportTopology(const std::string& path, const ImportOptions& options);

/// Imports a text; errors name `file`.
WanTopology ImportTopologyText(const std::string& text,
                               GraphFormat format,
                               const std::string& file,
                               const ImportOptions& options);

} // namespace geotrain
