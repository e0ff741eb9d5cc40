// SPDX-License-Identifier: GPL-2.0-only
#include "topology-import/topology-import.h"

#include "topology-import/graph-file.h"
#include "topology-import/link-attributes.h"
#include "topology-import/opposite-arcs.h"
#include "wan/wan-validation.h"

#include "units/config-error.h"
#include "units/text-file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace geotrain
{

namespace
{

using Attributes = std::map<std::string, std::string>;

constexpr double earthRadiusKm = 6371.0088; // mean radius, IUGG
constexpr double fibreKmPerSecond = 200000; // light in fibre, refractive index 1.5

double
Radians(double degrees)
{
    return degrees * 3.14159265358979323846 / 180;
}

class Importer
{
  public:
    Importer(GraphFile graph, const std::string& file, const ImportOptions& options)
        : m_graph(std::move(graph)),
          m_file(file),
          m_options(options),
          m_attributes(m_graph, m_file)
    {
    }

    ImportedTopology Run()
    {
        if (m_graph.nodes.empty())
        {
            throw ConfigError(m_file, "node", "", "is missing: the graph has no nodes");
        }
        if (m_graph.nodes.size() > mostSites)
        {
            throw ConfigError(m_file,
                              "node",
                              std::to_string(m_graph.nodes.size()),
                              "nodes: there must be at most " + std::to_string(mostSites));
        }
        NumberNodes();
        NameSites();
        PlaceSites();
        AddLinks();
        RequirePositions();
        for (const std::string& warning : m_attributes.Warnings())
        {
            m_graph.warnings.push_back(warning);
        }
        return {std::move(m_topology), std::move(m_graph.warnings)};
    }

  private:
    void NumberNodes()
    {
        for (std::uint32_t i = 0; i < m_graph.nodes.size(); ++i)
        {
            if (!m_index.emplace(m_graph.nodes[i].id, i).second)
            {
                throw ConfigError(
                    m_file, "node.id", m_graph.nodes[i].id, "is the id of another node too");
            }
        }
    }

    std::string LabelOf(const GraphFile::Node& node) const
    {
        const auto label = node.attributes.find("label");
        return label == node.attributes.end() || label->second.empty() ? node.id : label->second;
    }

    void NameSites()
    {
        for (const GraphFile::Node& node : m_graph.nodes)
        {
            ++m_labelCount[LabelOf(node)];
        }
        std::set<std::string> taken;
        for (const GraphFile::Node& node : m_graph.nodes)
        {
            std::string name = LabelOf(node);
            if (m_labelCount[name] > 1)
            {
                name += " (" + node.id + ")";
            }
            while (!taken.insert(name).second)
            {
                name += " (" + node.id + ")";
            }
            WanTopology::Site site;
            site.name = name;
            m_topology.sites.push_back(site);
        }
    }

    void PlaceSites()
    {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        {
            if (const std::optional<GeoPosition> position = PositionOf(i))
            {
                m_topology.sites[i].latitude = position->latitude;
                m_topology.sites[i].longitude = position->longitude;
            }
        }
        for (const auto& [key, position] : m_options.coordinates)
        {
            if (!m_used.count(key))
            {
                throw ConfigError(m_file, "coordinates", key, TableRule(key));
            }
        }
    }

    std::string TableRule(const std::string& key) const
    {
        const auto label = m_labelCount.find(key);
        return label != m_labelCount.end() && label->second > 1
                   ? "is the label of several nodes: use their ids"
                   : "names no node";
    }

    std::optional<GeoPosition> PositionOf(std::size_t i)
    {
        if (const std::optional<GeoPosition> position = PositionInTable(i))
        {
            return position;
        }
        static const std::set<std::string> longitudes{"longitude", "lon", "lng", "long"};
        std::optional<double> latitude;
        std::optional<double> longitude;
        const std::string field = "node[" + m_topology.sites[i].name + "]";
        for (const auto& [name, text] : m_graph.nodes[i].attributes)
        {
            const std::string plain = PlainName(name);
            const bool isLatitude = plain == "latitude" || plain == "lat";
            if (isLatitude && !latitude)
            {
                latitude = Number(text, field + "." + name);
            }
            else if (!longitude && longitudes.count(plain) != 0)
            {
                longitude = Number(text, field + "." + name);
            }
        }
        if (!latitude || !longitude)
        {
            return std::nullopt;
        }
        return Checked({*latitude, *longitude}, field);
    }

    /// An id takes precedence over a name, and a name over another node's label.
    std::optional<GeoPosition> PositionInTable(std::size_t i)
    {
        const GraphFile::Node& node = m_graph.nodes[i];
        for (const std::string& key : {node.id, m_topology.sites[i].name})
        {
            const auto found = m_options.coordinates.find(key);
            const auto owner = m_index.find(key);
            if (found != m_options.coordinates.end() &&
                (owner == m_index.end() || owner->second == i))
            {
                m_used.insert(key);
                return Checked(found->second, "coordinates[" + key + "]");
            }
        }
        return std::nullopt;
    }

    GeoPosition Checked(const GeoPosition& position, const std::string& field) const
    {
        if (!(std::abs(position.latitude) <= 90) || !(std::abs(position.longitude) <= 180))
        {
            throw ConfigError(m_file,
                              field,
                              fmt::format("{}, {}", position.latitude, position.longitude),
                              "must be a latitude of -90 to 90 and a longitude of -180 to 180");
        }
        return position;
    }

    std::optional<double> Number(const std::string& text, const std::string& field) const
    {
        const auto parsed = ReadMeasure(text);
        if (!IsMissing(text) && (!parsed || !parsed->unit.empty()))
        {
            throw ConfigError(m_file, field, text, "must be a number");
        }
        return parsed ? std::optional(parsed->number) : std::nullopt;
    }

    std::uint32_t EndOf(const std::string& id, const std::string& field) const
    {
        const auto found = m_index.find(id);
        if (found == m_index.end())
        {
            throw ConfigError(m_file, field, id, "is the id of no node");
        }
        return found->second;
    }

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
        link.from = EndOf(edge.source, field + ".source");
        link.to = EndOf(edge.target, field + ".target");
        if (link.from == link.to)
        {
            return link;
        }
        const LinkFacts facts = m_attributes.FactsOf(edge, field);
        link.rate = facts.rate.value_or(m_options.defaultRate);
        link.lossRate = facts.loss;
        link.delay = facts.delay ? *facts.delay : DelayBetween(link.from, link.to);
        return link;
    }

    Duration DelayBetween(std::uint32_t from, std::uint32_t to)
    {
        const WanTopology::Site& a = m_topology.sites[from];
        const WanTopology::Site& b = m_topology.sites[to];
        if (a.latitude && b.latitude)
        {
            return GreatCircleDelay({*a.latitude, *a.longitude}, {*b.latitude, *b.longitude});
        }
        m_needed.insert(a.latitude ? to : from);
        m_needed.insert(b.latitude ? from : to);
        return Duration();
    }

    void RequirePositions() const
    {
        std::vector<std::string> unplaced;
        for (const std::uint32_t site : m_needed)
        {
            unplaced.push_back(m_topology.sites[site].name);
        }
        if (!unplaced.empty())
        {
            throw ConfigError(
                m_file,
                "node",
                fmt::format("{}", fmt::join(unplaced, "\", \"")),
                "must have a latitude and longitude, here or in the coordinates table");
        }
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
    WanTopology m_topology;
    std::set<std::uint32_t> m_needed; ///< sites whose positions are not known and would be needed
    std::map<std::string, std::uint32_t> m_index; ///< index of each id
    std::map<std::string, int> m_labelCount;
    std::set<std::string> m_used; ///< keys of the coordinates table that were used
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

Duration
GreatCircleDelay(const GeoPosition& a, const GeoPosition& b)
{
    const double sinLatitude = std::sin(Radians(b.latitude - a.latitude) / 2);
    const double sinLongitude = std::sin(Radians(b.longitude - a.longitude) / 2);
    const double haversine = sinLatitude * sinLatitude + std::cos(Radians(a.latitude)) *
                                                             std::cos(Radians(b.latitude)) *
                                                             sinLongitude * sinLongitude;
    const double km = 2 * earthRadiusKm * std::asin(std::sqrt(std::min(1.0, haversine)));
    return Duration::Seconds(km / fibreKmPerSecond);
}

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
