// SPDX-License-Identifier: GPL-2.0-only
// Lists what a node pair has on its way between two data centres, or inside one: the delay, and the
// rates that limit it, by who shares them. It is made once per cluster from what node pairs share
// (wan/resources.h), since a planner reads it for every plan.
#pragma once

#include "training-plan/cluster.h"
#include "training-plan/training-plan.h"

#include <limits>
#include <vector>

namespace geotrain
{

/// A Way leads from one data centre to another. Rates are bit/s on the wire, infinity where nothing
/// limits them.
struct Way
{
    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    Duration delay; ///< one-way delay from node to node
    double source = unlimited;      ///< limit of all that one node sends
    double destination = unlimited; ///< limit of all that one node receives
    double pair = unlimited;        ///< limit between the two nodes in this direction
    double link = unlimited;        ///< limit of all that crosses the slowest WAN link
    double window = unlimited;      ///< payload bit/s that all connections' windows allow
    double payloadShare = 1;        ///< payload's share of the bits on the wire
    bool isThere = false;           ///< false where there is no path, or are no nodes

    /// Returns the payload bit/s of a node pair that shares the way with nobody.
    double PairRate() const;
};

/// A Crowd is workers that send from one data centre to another, or inside one, at once.
struct Crowd
{
    std::uint64_t senders = 1;
    double onSource = 1;      ///< most of them on one sending node
    double onDestination = 1; ///< most of their receivers on one node
    double onPair = 1;        ///< most of them between the same two nodes
};

/// ClusterWays hold the ways between all data centres of a cluster.
class ClusterWays
{
  public:
    /// Makes the ways of a cluster.
    explicit ClusterWays(const Cluster& cluster);

    /// Returns the way from one data centre to another, or inside one.
    const Way& Between(std::uint32_t from, std::uint32_t to) const;

    /// Returns the way between two nodes of a data centre.
    const Way& Inside(std::uint32_t dataCenter) const;

    /// Returns the crowd of so many workers of a plan, as the plan places them and their receivers.
    Crowd CrowdOf(const TrainingPlan& plan,
                  std::uint32_t from,
                  std::uint32_t to,
                  std::uint64_t senders) const;

    /// Returns the payload bit/s of each worker of a crowd.
    double RateOfEach(std::uint32_t from, std::uint32_t to, const Crowd& crowd) const;

    /// Does the same where nothing limits them but what their nodes may send and receive.
    double NodeRateOfEach(std::uint32_t from, std::uint32_t to, const Crowd& crowd) const;

  private:
    std::size_t m_count;
    std::vector<std::uint32_t> m_nodes;       ///< by data centre
    std::vector<std::uint32_t> m_gpusPerNode; ///< by data centre
    std::vector<Way> m_ways;            ///< [from][to], row after row
};

} // namespace geotrain
