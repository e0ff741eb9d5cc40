// SPDX-License-Identifier: GPL-2.0-only
#include "wan/topology-import.h"

#include "wan/graph-file.h"
#include "wan/wan-validation.h"

#include "units/config-error.h"
#include "units/text-file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace geotrain
{

namespace
{

using Attributes = std::map<std::string, std::string>;

constexpr double earthRadiusKm = 6371.0088; // mean radius, IUGG
constexpr double fibreKmPerSecond = 200000; // light in fibre, refractive index 1.5
constexpr double maxBitsPerSecond = 1e14;   // the limit of wan-validation.cc

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
          m_options(options)
    {
    }

    WanTopology Run()
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
        m_graph.directionsApart ? AddDirectionPairs() : AddLinks();
        return std::move(m_topology);
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
        std::vector<std::string> unplaced;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        {
            const std::optional<GeoPosition> position = PositionOf(i);
            if (!position)
            {
                unplaced.push_back(m_topology.sites[i].name);
                continue;
            }
            m_topology.sites[i].latitude = position->latitude;
            m_topology.sites[i].longitude = position->longitude;
        }
        if (!unplaced.empty())
        {
            throw ConfigError(
                m_file,
                "node",
                fmt::format("{}", fmt::join(unplaced, "\", \"")),
                "must have a latitude and longitude, here or in the coordinates table");
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
        const Attributes& attributes = m_graph.nodes[i].attributes;
        const std::string field = "node[" + m_topology.sites[i].name + "]";
        const std::optional<double> latitude = Number(attributes, "Latitude", field);
        const std::optional<double> longitude = Number(attributes, "Longitude", field);
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

    std::optional<double>
    Number(const Attributes& attributes, const std::string& name, const std::string& field) const
    {
        const auto found = attributes.find(name);
        if (found == attributes.end() || found->second.empty())
        {
            return std::nullopt;
        }
        char* end = nullptr;
        const double value = std::strtod(found->second.c_str(), &end);
        if (*end != '\0' || !std::isfinite(value))
        {
            throw ConfigError(m_file, field + "." + name, found->second, "must be a number");
        }
        return value;
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

    WanTopology::Link LinkOf(std::size_t edgeIndex) const
    {
        const GraphFile::Edge& edge = m_graph.edges[edgeIndex];
        const std::string field = "edge[" + std::to_string(edgeIndex) + "]";
        WanTopology::Link link;
        link.from = EndOf(edge.source, field + ".source");
        link.to = EndOf(edge.target, field + ".target");
        link.rate = RateOf(edge.attributes, field);
        const auto positionOf = [this](std::uint32_t site) {
            return GeoPosition{*m_topology.sites[site].latitude, *m_topology.sites[site].longitude};
        };
        link.delay = GreatCircleDelay(positionOf(link.from), positionOf(link.to));
        return link;
    }

    BitRate RateOf(const Attributes& attributes, const std::string& field) const
    {
        std::optional<double> bitsPerSecond = Number(attributes, "LinkSpeedRaw", field);
        if (!bitsPerSecond)
        {
            bitsPerSecond = Number(attributes, "LinkSpeed", field);
            if (bitsPerSecond)
            {
                *bitsPerSecond *= UnitOf(attributes, field);
            }
        }
        if (!bitsPerSecond)
        {
            bitsPerSecond = Number(attributes, "capacity", field);
            if (bitsPerSecond)
            {
                *bitsPerSecond *= 1e6;
            }
        }
        if (!bitsPerSecond)
        {
            return m_options.defaultRate;
        }
        if (!(*bitsPerSecond >= 1 && *bitsPerSecond <= maxBitsPerSecond))
        {
            throw ConfigError(m_file,
                              field,
                              fmt::format("{} bit/s", *bitsPerSecond),
                              "must be a rate of 1 bit/s to 100 Tbit/s");
        }
        return BitRate::BitsPerSecond(std::llround(*bitsPerSecond));
    }

    double UnitOf(const Attributes& attributes, const std::string& field) const
    {
        static const std::map<std::string, double> units{
            {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
        const auto name = attributes.find("LinkSpeedUnits");
        const auto unit = name == attributes.end() ? units.end() : units.find(name->second);
        if (unit == units.end())
        {
            throw ConfigError(m_file,
                              field + ".LinkSpeedUnits",
                              name == attributes.end() ? "" : name->second,
                              "must be K, M, G or T");
        }
        return unit->second;
    }

    void AddLinks()
    {
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
        {
            const WanTopology::Link link = LinkOf(i);
            if (link.from != link.to)
            {
                m_topology.links.push_back(link);
            }
        }
    }

    /// Pairs each direction with the first unpaired opposite one of the same rate.
    void AddDirectionPairs()
    {
        using Direction = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>; // from, to, bit/s
        std::map<Direction, std::deque<std::size_t>> unpaired;
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
        {
            const WanTopology::Link link = LinkOf(i);
            if (link.from == link.to)
            {
                continue;
            }
            const std::int64_t rate = link.rate.ToBitsPerSecond();
            const auto opposite = unpaired.find({link.to, link.from, rate});
            if (opposite == unpaired.end())
            {
                unpaired[{link.from, link.to, rate}].push_back(i);
                continue;
            }
            m_topology.links.push_back(LinkOf(opposite->second.front()));
            opposite->second.pop_front();
            if (opposite->second.empty())
            {
                unpaired.erase(opposite);
            }
        }
        if (!unpaired.empty())
        {
            const auto& [direction, edges] = *unpaired.begin();
            throw ConfigError(m_file,
                              "links[" + std::to_string(edges.front()) + "]",
                              m_topology.sites[std::get<0>(direction)].name + " -> " +
                                  m_topology.sites[std::get<1>(direction)].name,
                              "must have an opposite direction of the same capacity");
        }
    }

    GraphFile m_graph;
    const std::string& m_file;
    const ImportOptions& m_options;
    WanTopology m_topology;
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
        break;
    }
    return ReadNodeLink(text, file);
}

GraphFormat
FormatOf(const std::string& path)
{
    const std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
    static const std::map<std::string, GraphFormat> formats{{".gml", GraphFormat::Gml},
                                                            {".graphml", GraphFormat::Graphml},
                                                            {".json", GraphFormat::NodeLink}};
    const auto format = formats.find(ending);
    if (format == formats.end())
    {
        throw ConfigError(
            path, "", ending, "must be a file that ends with .gml, .graphml or .json");
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

WanTopology
ImportTopologyText(const std::string& text,
                   GraphFormat format,
                   const std::string& file,
                   const ImportOptions& options)
{
    return Importer(Read(text, format, file), file, options).Run();
}

WanTopology
ImportTopology(const std::string& path, const ImportOptions& options)
{
    const GraphFormat format = FormatOf(path);
    return ImportTopologyText(ReadTextFile(path), format, path, options);
}

} // namespace geotrain
