// WAN graphs from files: Topology Zoo's GML and GraphML (Knight et al., JSAC'11), and NetworkX's node-link JSON.
//
// - A node becomes a transit site without compute nodes, named by its label; equal labels are made distinct by the id,
//   "? (14)", and a node without a label is named by its id.
// - The delay of a link is the great circle between its ends at 200,000 km/s, light in fibre. Real fibre is longer.
// - The rate is LinkSpeedRaw (bit/s), or else LinkSpeed with LinkSpeedUnits (K, M, G, T), or else node-link JSON's
//   `capacity` in Mbit/s (the format names no unit; Mbit/s is our reading), or else the default.
// - Parallel edges are kept. Self-loops are dropped: they join nothing. GML and GraphML edges are cables and stand for
//   both directions, whatever the file says of being directed; in directed JSON the two directions are two edges, of
//   the same attributes, and become one link.
#pragma once

#include "wan/wan-topology.h"

#include <map>
#include <string>

namespace geotrain
{

struct GeoPosition
{
    double latitude = 0;  ///< degrees, -90 to 90
    double longitude = 0; ///< degrees, -180 to 180
};

/// Of light in fibre along the great circle (haversine; mean Earth radius), rounded to a nanosecond.
Duration GreatCircleDelay(const GeoPosition& a, const GeoPosition& b);

struct ImportOptions
{
    BitRate defaultRate; ///< of links whose file names none; positive

    /// Where nodes are, by id, by the imported site's name, or by a label that one node alone has, looked up in this
    /// order. Goes before the coordinates in the file; an entry that names no node is refused.
    std::map<std::string, GeoPosition> coordinates;
};

enum class GraphFormat
{
    Gml,
    Graphml,
    NodeLink
};

/// The format is told by the ending: .gml, .graphml or .json. Throws ConfigError that names the file, the
/// line or field, and the rule; nodes without coordinates are named all at once.
WanTopology ImportTopology(const std::string& path, const ImportOptions& options);

/// The same of a text; `file` is named by errors.
WanTopology ImportTopologyText(const std::string& text,
                               GraphFormat format,
                               const std::string& file,
                               const ImportOptions& options);

} // namespace geotrain
