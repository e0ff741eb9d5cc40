// SPDX-License-Identifier: GPL-2.0-only
// Reads NetworkX's node-link JSON. An undirected graph has each edge once; in a directed one an
// edge is one direction.
#include "topology-import/graph-file.h"

#include "units/config-error.h"
#include "units/json-text.h"
#include "units/utf8.h"

#include <nlohmann/json.hpp>

#include <set>
#include <utility>

namespace geotrain
{

using nlohmann::json;

namespace
{

using Attributes = std::map<std::string, std::string>;

std::string
Text(const json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Adds the values of an object by their names, and those of objects and of lists of objects inside
/// it. Names of these begin with the outer one's, of which the first bytes are enough.
void
AddAttributes(const json& item, const std::string& prefix, Attributes& attributes)
{
    constexpr std::size_t longestOuterName = 40; // bytes
    for (const auto& [name, value] : item.items())
    {
        const std::string inner = std::string(TakeBytes(prefix + name, longestOuterName)) + ".";
        if (value.is_object())
        {
            AddAttributes(value, inner, attributes);
        }
        else if (value.is_array())
        {
            for (std::size_t i = 0; i < value.size() && value[i].is_object(); ++i)
            {
                AddAttributes(value[i], inner, attributes);
            }
        }
        else if (!value.is_null())
        {
            attributes.emplace(prefix + name, Text(value));
        }
    }
}

class NodeLinkReader
{
  public:
    explicit NodeLinkReader(const std::string& file)
        : m_file(file)
    {
    }

    GraphFile Read(const std::string& text)
    {
        const json root = ParseJson(text, m_file);
        if (!root.is_object())
        {
            throw ConfigError(m_file, "", "", "must be one JSON object with nodes and links");
        }
        ReadMeta(root);
        ForEach(root,
                "nodes",
                [&](const json& item, const std::string& field) { AddNode(item, field); });
        const char* edges = root.contains("links") ? "links" : "edges";
        const auto directed = root.find("directed");
        const bool isDirected = directed != root.end() && *directed == true;
        ForEach(root,
                edges,
                [&](const json& item, const std::string& field)
                {
                    GraphFile::Edge edge{
                        Id(item, field, "source"), Id(item, field, "target"), {}, isDirected};
                    AddAttributes(item, "", edge.attributes);
                    m_graph.edges.push_back(std::move(edge));
                });
        // NetworkX writes "edges" since its 3.4, and then ids.
        NameEnds(edges == std::string("links"));
        return std::move(m_graph);
    }

  private:
    /// SNDlib's files say in "meta" what their numbers are, "MBITPERSEC" for example.
    void ReadMeta(const json& root)
    {
        const auto meta = root.find("meta");
        const bool hasUnit = meta != root.end() && meta->is_object() && meta->contains("unit") &&
                             meta->at("unit").is_string();
        m_graph.unitOfRates = hasUnit ? meta->at("unit").get<std::string>() : "";
    }

    /// Adds a node; one without an id is its position, and goes by its name.
    void AddNode(const json& item, const std::string& field)
    {
        GraphFile::Node node;
        const bool hasId = item.contains("id");
        node.id = hasId ? Id(item, field, "id") : std::to_string(m_graph.nodes.size());
        AddAttributes(item, "", node.attributes);
        const auto name = node.attributes.find("name");
        if (!hasId && name != node.attributes.end())
        {
            m_idOf.emplace(name->second, node.id);
        }
        m_graph.nodes.push_back(std::move(node));
    }

    template <typename Use>
    void ForEach(const json& root, const std::string& name, Use use) const
    {
        const auto list = root.find(name);
        if (list == root.end() || !list->is_array())
        {
            throw ConfigError(m_file,
                              name,
                              "",
                              "must be a list, as in NetworkX's node_link_data; its adjacency and "
                              "Cytoscape data are not read");
        }
        for (std::size_t i = 0; i < list->size(); ++i)
        {
            const std::string field = name + "[" + std::to_string(i) + "]";
            if (!(*list)[i].is_object())
            {
                throw ConfigError(m_file, field, "", "must be an object");
            }
            use((*list)[i], field);
        }
    }

    std::string Id(const json& item, const std::string& field, const std::string& name) const
    {
        const auto id = item.find(name);
        if (id == item.end() || !(id->is_string() || id->is_number_integer()))
        {
            throw ConfigError(m_file, field + "." + name, "", "must be a string or a whole number");
        }
        return Text(*id);
    }

    /// Replaces positions by ids where ends are positions and no ids. Where they may be either, they
    /// are taken for ids with a warning, if `mayBePositions`.
    void NameEnds(bool mayBePositions)
    {
        std::set<std::string> ids;
        std::map<std::string, std::string> idAt; // by position
        for (const GraphFile::Node& node : m_graph.nodes)
        {
            ids.insert(node.id);
            idAt.emplace(std::to_string(idAt.size()), node.id);
        }
        bool areIds = true;
        bool arePositions = mayBePositions;
        bool isTheSame = true;
        const auto look = [&](const std::string& end)
        {
            const auto at = idAt.find(end);
            areIds = areIds && ids.count(end) != 0;
            arePositions = arePositions && at != idAt.end();
            isTheSame = isTheSame && at != idAt.end() && at->second == end;
        };
        for (GraphFile::Edge& edge : m_graph.edges)
        {
            for (std::string* const end : {&edge.source, &edge.target})
            {
                const auto id = m_idOf.find(*end);
                *end = ids.count(*end) == 0 && id != m_idOf.end() ? id->second : *end;
                look(*end);
            }
        }
        if (arePositions && !isTheSame)
        {
            const char* const doubt =
                areIds ? "have ends that may be ids of nodes or positions in the list of nodes "
                         "(NetworkX before 2.0), and are taken for ids; with ids 0, 1, 2, ... in "
                         "the list's order both are the same"
                       : "have ends that are no ids of nodes, and are taken for positions in the "
                         "list of nodes (NetworkX before 2.0)";
            m_graph.warnings.emplace_back(ConfigError(m_file, "links", "", doubt).what());
        }
        for (GraphFile::Edge& edge : m_graph.edges)
        {
            if (arePositions && !areIds)
            {
                edge.source = idAt.at(edge.source);
                edge.target = idAt.at(edge.target);
            }
        }
    }

    const std::string& m_file;
    std::map<std::string, std::string> m_idOf; ///< of nodes that have a name alone
    GraphFile m_graph;
};

} // namespace

GraphFile
ReadNodeLink(const std::string& text, const std::string& file)
{
    return NodeLinkReader(file).Read(text);
}

} // namespace geotrain
