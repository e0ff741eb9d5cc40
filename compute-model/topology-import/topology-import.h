// SPDX-License-Identifier: GPL-2.0-only
// Imports WAN graphs from files: Topology Zoo's GML and GraphML (Knight et al., JSAC'11), NetworkX's
// node-link JSON, SNDlib's JSON, and matrices of delays or rates as CSV.
//
// - A node becomes a transit site without compute nodes, named by its label. Equal labels are made
//   distinct by the id, "? (14)", and a node without a label is named by its id.
// - Rate, delay and loss of a link are those that its edge has, under whatever of the usual names
//   and in whatever unit: see link-attributes.h. The delay is otherwise that of the great circle
//   between the link's ends at 200,000 km/s, light in fibre; real fibre is longer. The rate is
//   otherwise the default.
// - Parallel edges are kept. Self-loops are dropped: they join nothing.
// - Two opposite edges of a directed graph become one link, with a rate and a delay for either
//   direction. An edge without an opposite is refused in JSON. In GML and GraphML it is taken for a
//   cable, with a warning, since yEd and Topology Zoo say "directed" of every graph.
// - A matrix becomes a full mesh without the pairs whose cells are empty. Where one of a pair's two
//   cells is empty, the other holds for both directions.
#pragma once

#include "wan/wan-topology.h"

#include <map>
#include <string>
#include <vector>

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

    std::string rates; ///< path of a matrix of rates, beside one of delays or alone; empty: none
};

/// An ImportedTopology is the topology of a file.
struct ImportedTopology
{
    WanTopology wan;
    std::vector<std::string> warnings; ///< what was guessed, and what was not read
};

/// GraphFormat is the format of a graph's file.
enum class GraphFormat
{
    Gml,
    Graphml,
    NodeLink,
    Matrix
};

/// Imports a file whose format its ending tells: .gml, .graphml, .json or .csv. `path` may be empty
/// where there are `rates`. Throws ConfigError that names the file, the line or field, and the rule;
/// it names nodes whose coordinates are missing all at once.
ImportedTopology ImportTopology(const std::string& path, const ImportOptions& options);

/// Imports a text; errors name `file`.
ImportedTopology ImportTopologyText(const std::string& text,
                                    GraphFormat format,
                                    const std::string& file,
                                    const ImportOptions& options);

} // namespace geotrain
