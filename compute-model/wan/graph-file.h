// SPDX-License-Identifier: GPL-2.0-only
// Holds a graph as its file has it: nodes and edges with text attributes, before they are
// interpreted. The readers of GML, GraphML and node-link JSON share it.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// A GraphFile is one parsed graph.
struct GraphFile
{
    /// A Node is a point of the graph.
    struct Node
    {
        std::string id;
        std::map<std::string, std::string> attributes; ///< "label", "Latitude", ...
    };

    /// An Edge joins two nodes.
    struct Edge
    {
        std::string source; ///< ids of nodes
        std::string target;
        std::map<std::string, std::string> attributes; ///< "LinkSpeedRaw", ...
    };

    /// Whether an edge stands for one direction only, so that its opposite must be there too.
    bool directionsApart = false;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
};

// The readers below parse a whole text. They throw ConfigError that names `file` and the line or
// the
// field.

/// Reads GML (Himsolt 1997) as Topology Zoo writes it. Lists nest 64 deep at most.
GraphFile ReadGml(const std::string& text, const std::string& file);

/// Reads GraphML as Topology Zoo writes it: keys by attr.name, and yFiles' NodeLabel for a node
/// without a label.
GraphFile ReadGraphml(const std::string& text, const std::string& file);

/// Reads NetworkX's node-link JSON ("nodes" with "id"; "links" or "edges" with "source" and
/// "target").
GraphFile ReadNodeLink(const std::string& text, const std::string& file);

} // namespace geotrain
