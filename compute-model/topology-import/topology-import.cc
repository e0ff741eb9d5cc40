// SPDX-License-Identifier: GPL-2.0-only
#include "topology-import/topology-import.h"

#include "topology-import/graph-file.h"
#include "topology-import/imported-sites.h"
#include "topology-import/link-attributes.h"
#include "topology-import/opposite-arcs.h"
#include "wan/wan-validation.h"

#include "units/config-error.h"
#include "units/text-file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace geotrain
{

namespace
{

using Attributes = std::map<std::string, std::string>;

class Importer
{
  public:
    Importer(GraphFile graph, const std::string& file, const ImportOptions& options)
        : m_graph(std::move(graph)),
          m_file(file),
          m_options(options),
          m_attributes(m_graph, m_file),
          m_sites(m_graph.nodes, m_file, options)
    {
    }

    ImportedTopology Run()
    {
        m_topology.sites = m_sites.Get();
        AddLinks();
        m_sites.RequirePositions();
        for (const std::string& warning : m_attributes.Warnings())
        {
            m_graph.warnings.push_back(warning);
        }
        return {std::move(m_topology), std::move(m_graph.warnings)};
    }

  private:
    /// Returns an edge's name in an error.
    std::string FieldOf(std::size_t edgeIndex) const
    {
        const GraphFile::Edge& edge = m_graph.edges[edgeIndex];
        return m_graph.loneArcs == GraphFile::LoneArc::Taken
                   ? "cell[" + edge.source + ", " + edge.target + "]"
                   : "edge[" + std::to_string(edgeIndex) + "]";
    }

    /// Returns a link of the edge's ends; its delay is 0 where it is unknown yet.
    WanTopology::Link LinkOf(std::size_t edgeIndex)
    {
        const GraphFile::Edge& edge = m_graph.edges[edgeIndex];
        const std::string field = FieldOf(edgeIndex);
        WanTopology::Link link;
        link.from = m_sites.IndexOf(edge.source, field + ".source");
        link.to = m_sites.IndexOf(edge.target, field + ".target");
        if (link.from == link.to)
        {
            return link;
        }
        const LinkFacts facts = m_attributes.FactsOf(edge, field);
        link.rate = facts.rate.value_or(m_options.defaultRate);
        link.lossRate = facts.loss;
        link.delay = facts.delay ? *facts.delay : m_sites.DelayBetween(link.from, link.to);
        return link;
    }

    void AddLinks()
    {
        std::vector<WanTopology::Link> arcs;
        std::vector<std::string> fields; // of the arcs, in errors
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
        {
            const WanTopology::Link link = LinkOf(i);
            if (link.from == link.to)
            {
                continue;
            }
            const bool isArc = m_graph.edges[i].isDirected;
            (isArc ? arcs : m_topology.links).push_back(link);
            fields.resize(arcs.size(), FieldOf(i));
        }
        std::vector<std::size_t> lone;
        for (const JoinedArc& joined : JoinOpposites(arcs))
        {
            WanTopology::Link& link = m_topology.links.emplace_back(arcs[joined.forward]);
            if (!joined.back)
            {
                lone.push_back(joined.forward);
                continue;
            }
            const WanTopology::Link& back = arcs[*joined.back];
            if (link.lossRate != back.lossRate)
            {
                throw ConfigError(m_file,
                                  fields[*joined.back],
                                  DirectionOf(back),
                                  "must have the loss of its opposite direction");
            }
            link.rateBack = link.rate == back.rate ? link.rateBack : back.rate;
            link.delayBack = link.delay == back.delay ? link.delayBack : back.delay;
        }
        if (!lone.empty())
        {
            TellOfLoneArcs(fields[lone.front()], DirectionOf(arcs[lone.front()]), lone.size());
        }
    }

    std::string DirectionOf(const WanTopology::Link& link) const
    {
        return m_topology.sites[link.from].name + " -> " + m_topology.sites[link.to].name;
    }

    void TellOfLoneArcs(const std::string& field, const std::string& first, std::size_t count)
    {
        if (m_graph.loneArcs == GraphFile::LoneArc::Refused)
        {
            throw ConfigError(m_file, field, first, "must have an opposite direction");
        }
        if (m_graph.loneArcs == GraphFile::LoneArc::Warned)
        {
            const auto text =
                count == 1 ? "has no opposite, and is taken for both directions"
                           : fmt::format("is one of {} directed edges without an opposite, which "
                                         "are taken for both directions",
                                         count);
            m_graph.warnings.emplace_back(ConfigError(m_file, field, first, text).what());
        }
    }

    GraphFile m_graph;
    const std::string& m_file;
    const ImportOptions& m_options;
    LinkAttributes m_attributes;
    ImportedSites m_sites;
    WanTopology m_topology;
};

GraphFile
Read(const std::string& text, GraphFormat format, const std::string& file)
{
    switch (format)
    {
    case GraphFormat::Gml:
        return ReadGml(text, file);
    case GraphFormat::Graphml:
        return ReadGraphml(text, file);
    case GraphFormat::NodeLink:
        return ReadNodeLink(text, file);
    case GraphFormat::Matrix:
        break;
    }
    return ReadMatrix(text, file, false);
}

/// Returns a graph with what both matrices say; they must have the same names.
GraphFile
Join(GraphFile graph, const GraphFile& more, const std::string& fileOfMore)
{
    const auto namesOf = [](const GraphFile& one)
    {
        std::set<std::string> names;
        for (const GraphFile::Node& node : one.nodes)
        {
            names.insert(node.id);
        }
        return names;
    };
    if (namesOf(graph) != namesOf(more))
    {
        throw ConfigError(fileOfMore, "", "", "must have the names of the other matrix");
    }
    graph.edges.insert(graph.edges.end(), more.edges.begin(), more.edges.end());
    std::map<std::pair<std::string, std::string>, Attributes> cells;
    for (const GraphFile::Edge& edge : graph.edges)
    {
        cells[{edge.source, edge.target}].insert(edge.attributes.begin(), edge.attributes.end());
    }
    graph.edges.clear();
    for (auto& [ends, attributes] : cells)
    {
        const auto back = cells.find({ends.second, ends.first});
        if (back != cells.end())
        {
            attributes.insert(back->second.begin(), back->second.end());
        }
        graph.edges.push_back({ends.first, ends.second, attributes, true});
    }
    graph.warnings.insert(graph.warnings.end(), more.warnings.begin(), more.warnings.end());
    return graph;
}

GraphFormat
FormatOf(const std::string& path)
{
    const std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
    static const std::map<std::string, GraphFormat> formats{{".gml", GraphFormat::Gml},
                                                            {".graphml", GraphFormat::Graphml},
                                                            {".json", GraphFormat::NodeLink},
                                                            {".csv", GraphFormat::Matrix}};
    const auto format = formats.find(ending);
    if (format == formats.end())
    {
        throw ConfigError(
            path, "", ending, "must be a file that ends with .gml, .graphml, .json or .csv");
    }
    return format->second;
}

} // namespace

ImportedTopology
ImportTopologyText(const std::string& text,
                   GraphFormat format,
                   const std::string& file,
                   const ImportOptions& options)
{
    return Importer(Read(text, format, file), file, options).Run();
}

ImportedTopology
ImportTopology(const std::string& path, const ImportOptions& options)
{
    if (options.rates.empty())
    {
        const std::string text = ReadTextFile(path);
        return ImportTopologyText(text, FormatOf(path), path, options);
    }
    GraphFile rates = ReadMatrix(ReadTextFile(options.rates), options.rates, true);
    if (path.empty())
    {
        return Importer(std::move(rates), options.rates, options).Run();
    }
    if (FormatOf(path) != GraphFormat::Matrix)
    {
        throw ConfigError(path, "", "", "must be a matrix, too, beside a matrix of rates");
    }
    const GraphFile delays = ReadMatrix(ReadTextFile(path), path, false);
    return Importer(Join(delays, rates, options.rates), path, options).Run();
}

} // namespace geotrain
