// SPDX-License-Identifier: GPL-2.0-only
// Reads NetworkX's node-link JSON. An undirected graph has each edge once; in a directed one an
// edge is one direction.
#include "wan/graph-file.h"

#include "units/config-error.h"
#include "units/json-text.h"

#include <nlohmann/json.hpp>

namespace geotrain
{

using nlohmann::json;

namespace
{

class NodeLinkReader
{
  public:
    explicit NodeLinkReader(const std::string& file)
        : m_file(file)
    {
    }

    GraphFile Read(const std::string& text) const
    {
        const json root = ParseJson(text, m_file);
        if (!root.is_object())
        {
            throw ConfigError(m_file, "", "", "must be one JSON object with nodes and links");
        }
        GraphFile graph;
        const auto directed = root.find("directed");
        graph.directionsApart = directed != root.end() && *directed == true;
        ForEach(root,
                "nodes",
                [&](const json& item, const std::string& field) {
                    graph.nodes.push_back({Id(item, field, "id"), AttributesOf(item)});
                });
        const char* edges = root.contains("links") ? "links" : "edges";
        ForEach(root,
                edges,
                [&](const json& item, const std::string& field)
                {
                    graph.edges.push_back(
                        {Id(item, field, "source"), Id(item, field, "target"), AttributesOf(item)});
                });
        return graph;
    }

  private:
    template <typename Use>
    void ForEach(const json& root, const std::string& name, Use use) const
    {
        const auto list = root.find(name);
        if (list == root.end() || !list->is_array())
        {
            throw ConfigError(m_file, name, "", "must be a list");
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

    static std::string Text(const json& value)
    {
        return value.is_string() ? value.get<std::string>() : value.dump();
    }

    static std::map<std::string, std::string> AttributesOf(const json& item)
    {
        std::map<std::string, std::string> attributes;
        for (const auto& [name, value] : item.items())
        {
            if (value.is_string() || value.is_number())
            {
                attributes.emplace(name, Text(value));
            }
        }
        return attributes;
    }

    const std::string& m_file;
};

} // namespace

GraphFile
ReadNodeLink(const std::string& text, const std::string& file)
{
    return NodeLinkReader(file).Read(text);
}

} // namespace geotrain
