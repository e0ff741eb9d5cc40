// SPDX-License-Identifier: GPL-2.0-only
#include "topology-import/imported-sites.h"

#include "topology-import/attribute-name.h"
#include "units/config-error.h"
#include "wan/wan-validation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

/// Returns true for ids that programs number: 0, or n0 as igraph and yEd write it.
bool
IsNumbered(const std::string& id)
{
    const std::size_t digits = id.rfind('n', 0) == 0 ? 1 : 0;
    return id.size() > digits && id.find_first_not_of("0123456789", digits) == std::string::npos;
}

/// A numbered node without a label goes by its name.
std::string
LabelOf(const GraphFile::Node& node)
{
    const auto label = node.attributes.find("label");
    if (label != node.attributes.end() && !label->second.empty())
    {
        return label->second;
    }
    const auto name = node.attributes.find("name");
    const bool isNamed = name != node.attributes.end() && !name->second.empty();
    return isNamed && IsNumbered(node.id) ? name->second : node.id;
}

} // namespace

ImportedSites::ImportedSites(const std::vector<GraphFile::Node>& nodes,
                             const std::string& file,
                             const ImportOptions& options)
    : m_nodes(nodes),
      m_file(file),
      m_options(options)
{
    if (m_nodes.empty())
    {
        throw ConfigError(m_file, "node", "", "is missing: the graph has no nodes");
    }
    if (m_nodes.size() > mostSites)
    {
        throw ConfigError(m_file,
                          "node",
                          std::to_string(m_nodes.size()),
                          "nodes: there must be at most " + std::to_string(mostSites));
    }
    NumberNodes();
    NameSites();
    PlaceSites();
}

void
ImportedSites::NumberNodes()
{
    for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
    {
        if (!m_index.emplace(m_nodes[i].id, i).second)
        {
            throw ConfigError(m_file, "node.id", m_nodes[i].id, "is the id of another node too");
        }
    }
}

void
ImportedSites::NameSites()
{
    for (const GraphFile::Node& node : m_nodes)
    {
        ++m_labelCount[LabelOf(node)];
    }
    std::set<std::string> taken;
    for (const GraphFile::Node& node : m_nodes)
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
        m_sites.push_back(site);
    }
}

void
ImportedSites::PlaceSites()
{
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
    {
        if (const std::optional<GeoPosition> position = PositionOf(i))
        {
            m_sites[i].latitude = position->latitude;
            m_sites[i].longitude = position->longitude;
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

std::string
ImportedSites::TableRule(const std::string& key) const
{
    const auto label = m_labelCount.find(key);
    return label != m_labelCount.end() && label->second > 1
               ? "is the label of several nodes: use their ids"
               : "names no node";
}

std::optional<GeoPosition>
ImportedSites::PositionOf(std::size_t i)
{
    if (const std::optional<GeoPosition> position = PositionInTable(i))
    {
        return position;
    }
    static const std::set<std::string> longitudes{"longitude", "lon", "lng", "long"};
    std::optional<double> latitude;
    std::optional<double> longitude;
    const std::string field = "node[" + m_sites[i].name + "]";
    for (const auto& [name, text] : m_nodes[i].attributes)
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
std::optional<GeoPosition>
ImportedSites::PositionInTable(std::size_t i)
{
    const GraphFile::Node& node = m_nodes[i];
    for (const std::string& key : {node.id, m_sites[i].name})
    {
        const auto found = m_options.coordinates.find(key);
        const auto owner = m_index.find(key);
        if (found != m_options.coordinates.end() && (owner == m_index.end() || owner->second == i))
        {
            m_used.insert(key);
            return Checked(found->second, "coordinates[" + key + "]");
        }
    }
    return std::nullopt;
}

GeoPosition
ImportedSites::Checked(const GeoPosition& position, const std::string& field) const
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
ImportedSites::Number(const std::string& text, const std::string& field) const
{
    const auto parsed = ReadMeasure(text);
    if (!IsMissing(text) && (!parsed || !parsed->unit.empty()))
    {
        throw ConfigError(m_file, field, text, "must be a number");
    }
    return parsed ? std::optional(parsed->number) : std::nullopt;
}

std::uint32_t
ImportedSites::IndexOf(const std::string& id, const std::string& field) const
{
    const auto found = m_index.find(id);
    if (found == m_index.end())
    {
        throw ConfigError(m_file, field, id, "is the id of no node");
    }
    return found->second;
}

Duration
ImportedSites::DelayBetween(std::uint32_t from, std::uint32_t to)
{
    const WanTopology::Site& a = m_sites[from];
    const WanTopology::Site& b = m_sites[to];
    if (a.latitude && b.latitude)
    {
        return GreatCircleDelay({*a.latitude, *a.longitude}, {*b.latitude, *b.longitude});
    }
    m_needed.insert(a.latitude ? to : from);
    m_needed.insert(b.latitude ? from : to);
    return Duration();
}

void
ImportedSites::RequirePositions() const
{
    std::vector<std::string> unplaced;
    for (const std::uint32_t site : m_needed)
    {
        unplaced.push_back(m_sites[site].name);
    }
    if (!unplaced.empty())
    {
        throw ConfigError(m_file,
                          "node",
                          fmt::format("{}", fmt::join(unplaced, "\", \"")),
                          "must have a latitude and longitude, here or in the coordinates table");
    }
}

} // namespace geotrain
