// SPDX-License-Identifier: GPL-2.0-only
// Holds a graph as its file has it: nodes and edges with text attributes, before they are
// interpreted. The readers of GML, GraphML, node-link JSON and matrices share it.
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
        /// "label", "Latitude", ...; "coordinates.lat" in a list or object of the node.
        std::map<std::string, std::string> attributes;
    };

    /// An Edge joins two nodes.
    struct Edge
    {
        std::string source; ///< ids of nodes
        std::string target;
        std::map<std::string, std::string> attributes; ///< "LinkSpeedRaw", ...
        bool isDirected = false;                       ///< it is from source to target only
    };

    /// A LoneArc is a directed edge without an opposite one. Links go both ways.
    enum class LoneArc
    {
        Refused,
        Warned, ///< is taken for both directions, which a warning tells
        Taken   ///< is taken for both directions
    };

    LoneArc loneArcs = LoneArc::Refused;
    std::string unitOfRates; ///< of numbers without a unit of their own; empty: not told
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<std::string> warnings; ///< what of the file is doubtful
};

// The readers below parse a whole text. They throw ConfigError that names `file` and the line or
// the field.

/// Reads GML (Himsolt 1997) as Topology Zoo writes it. Lists nest 64 deep at most.
GraphFile ReadGml(const std::string& text, const std::string& file);

/// Reads GraphML as Topology Zoo writes it: keys by attr.name with their defaults, and yFiles'
/// NodeLabel for a node without a label.
GraphFile ReadGraphml(const std::string& text, const std::string& file);

/// Reads NetworkX's node-link JSON ("nodes" with "id"; "links" or "edges" with "source" and
/// "target"), and SNDlib's, which looks the same. Ends are ids of nodes, or positions in "nodes"
/// (NetworkX before 2.0, D3 before 4.0) where they are no ids.
GraphFile ReadNodeLink(const std::string& text, const std::string& file);

/// Reads a matrix as CSV, with commas, semicolons or tabs: names in the first row and in the first
/// column, and what goes from a row's site to a column's in the cells. It becomes a directed graph
/// whose edges have the attribute "latency", "rtt" or "bandwidth".
///
/// The first cell may say what the cells are, and in which unit: "rtt_ms", "Mbps". Otherwise the
/// units of the cells tell it, or else they are `rates` in Gbit/s or one-way delays in ms, with a
/// warning.
GraphFile ReadMatrix(const std::string& text, const std::string& file, bool rates);

} // namespace geotrain
