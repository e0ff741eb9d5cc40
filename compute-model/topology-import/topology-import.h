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

#include "topology-import/import-options.h"
#include "wan/wan-topology.h"

#include <string>
#include <vector>

namespace geotrain
{

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
