// SPDX-License-Identifier: GPL-2.0-only
// The sites of a graph that is imported: their names, positions and distances.
#pragma once

#include "topology-import/graph-file.h"
#include "topology-import/import-options.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace geotrain
{

/// ImportedSites makes a site of each node. Errors are ConfigErrors that name `file`. It keeps
/// references to all that it is given.
class ImportedSites
{
  public:
    /// Throws for no node, more than `mostSites`, an id that two nodes have, a position that is none, and an
    /// entry of the coordinates table that names no node.
    ImportedSites(const std::vector<GraphFile::Node>& nodes,
                  const std::string& file,
                  const ImportOptions& options);

    /// A site is called as its node is labelled, with the id where several nodes have the label.
    const std::vector<WanTopology::Site>& Get() const
    {
        return m_sites;
    }

    /// Returns the site of the node `id`, which the file names in `field`.
    std::uint32_t IndexOf(const std::string& id, const std::string& field) const;

    /// Returns the delay of a fibre along the great circle; 0 where a position is missing, which
    /// RequirePositions() will tell.
    Duration DelayBetween(std::uint32_t from, std::uint32_t to);

    /// Throws where a distance was asked for and a position is missing.
    void RequirePositions() const;

  private:
    void NumberNodes();
    void NameSites();
    void PlaceSites();
    std::string TableRule(const std::string& key) const;
    std::optional<GeoPosition> PositionOf(std::size_t site);
    std::optional<GeoPosition> PositionInTable(std::size_t site);
    GeoPosition Checked(const GeoPosition& position, const std::string& field) const;
    std::optional<double> Number(const std::string& text, const std::string& field) const;

    const std::vector<GraphFile::Node>& m_nodes;
    const std::string& m_file;
    const ImportOptions& m_options;
    std::vector<WanTopology::Site> m_sites;
    std::set<std::uint32_t> m_needed; ///< sites whose positions are not known and would be needed
    std::map<std::string, std::uint32_t> m_index; ///< index of each id
    std::map<std::string, int> m_labelCount;
    std::set<std::string> m_used; ///< keys of the coordinates table that were used
};

} // namespace geotrain
