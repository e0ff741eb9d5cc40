// SPDX-License-Identifier: GPL-2.0-only
// Derives the settings of each link and of each node's caps from a topology. They are the same for
// every bearer, so that names, queues and streams of random numbers are the same too.
#pragma once

#include "wan-topology/model/link-model.h"
#include "wan-topology/model/node-shaping.h"
#include "wan-topology/model/wan-address-plan.h"
#include "wan/wan-paths.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/// Returns RngSeedManager's seed and run in one number.
std::uint64_t WanSeed();

/// WanSettings holds the settings of one topology.
class WanSettings
{
  public:
    /// `topology` must be valid and must outlive this. Rate steps and outages begin at
    /// `scheduleBegin` (LinkSettings). Random losses use WanSeed().
    WanSettings(const geotrain::WanTopology& topology,
                std::shared_ptr<const geotrain::WanPaths> paths,
                std::shared_ptr<const WanAddressPlan> plan,
                std::shared_ptr<const geotrain::Instant> scheduleBegin);

    /// Returns the settings of both directions of each WAN link in the topology's order: from
    /// `from` to `to`, then back.
    std::vector<LinkModel::Settings> WanDirections() const;

    LinkModel::Settings FromNode(std::uint32_t node) const; ///< settings of its NIC
    LinkModel::Settings ToNode(std::uint32_t node) const;   ///< settings of its router's port

    /// Returns the caps of a node and its pairs; nothing where nothing is capped.
    std::optional<NodeShapingSettings> Shaping(std::uint32_t node, ShapingRemote remote) const;

    /// Returns the caps of the connections that a node sends over; nothing where there are none.
    std::optional<NodeShapingSettings> ConnectionShaping(std::uint32_t node) const;

  private:
    LinkModel::Settings OfNic(std::uint32_t site) const;
    void AddCaps(std::uint32_t node, NodeShapingSettings& settings) const;

    const geotrain::WanTopology& m_topology;
    std::shared_ptr<const geotrain::WanPaths> m_paths;
    std::shared_ptr<const WanAddressPlan> m_plan;
    std::shared_ptr<const geotrain::Instant> m_scheduleBegin;
    std::uint64_t m_seed;
};

} // namespace ns3
