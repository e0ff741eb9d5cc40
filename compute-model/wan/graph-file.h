// A graph as its file has it: nodes and edges with text attributes, before anything is made of them. What the readers
// of GML, GraphML and node-link JSON have in common.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace geotrain
{

struct GraphFile
{
    struct Node
    {
        std::string id;
        std::map<std::string, std::string> attributes; ///< "label", "Latitude", ...
    };

    struct Edge
    {
        std::string source; ///< ids of nodes
        std::string target;
        std::map<std::string, std::string> attributes; ///< "LinkSpeedRaw", ...
    };

    /// An edge stands for one direction, so that its opposite must be there too.
    bool directionsApart = false;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
};

/// Each reads the whole text; `file` is named by errors. Throws ConfigError with the line or the field.

/// GML (Himsolt 1997) as Topology Zoo writes it. Lists nest 64 deep at most.
GraphFile ReadGml(const std::string& text, const std::string& file);

/// GraphML as Topology Zoo writes it: keys by attr.name, and yFiles' NodeLabel for a node without a label.
GraphFile ReadGraphml(const std::string& text, const std::string& file);

/// NetworkX's node-link JSON ("nodes" with "id"; "links" or "edges" with "source" and "target").
GraphFile ReadNodeLink(const std::string& text, const std::string& file);

} // namespace geotrain
