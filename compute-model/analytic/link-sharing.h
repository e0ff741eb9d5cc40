// SPDX-License-Identifier: GPL-2.0-only
// Shares links and caps among node pairs with something to send, max-min fairly by their
// connections (max-min-fairness.h). Where pairs have ranks, each rank shares what those above it
// leave. When a pair begins or ends sending, only rates of pairs that share links with it, directly
// or through others, are computed again. None are where every link of the pair has what its pairs
// would take alone.
#pragma once

#include "analytic/max-min-fairness.h"
#include "units/bytes.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// LinkSharing computes the rate of each node pair.
class LinkSharing
{
  public:
    /// A Member is a node pair as a user of links.
    struct Member
    {
        std::vector<std::size_t> links; ///< each at most once
        std::uint32_t connections = 1;
        int rank = 0;           ///< the highest goes first
        bool isInLinks = false; ///< it has something to send

      private:
        friend class LinkSharing;
        std::int64_t m_alone = 0;    ///< bit/s that it takes if no other uses its links
        std::uint64_t m_visited = 0; ///< stamp of the last gathering that found it
    };

    /// A Rate is a member's rate in bytes per nanosecond.
    using Rate = std::pair<Member*, double>;

    /// `payloadShare` is payload's share of the bits on the links.
    LinkSharing(const std::vector<BitRate>& linkRates, double payloadShare);

    /// Returns the rate of a member alone, in bytes per nanosecond; infinity without links.
    double RateAlone(const std::vector<std::size_t>& links) const;

    /// Adds a member, which begins to send. Returns its rate where others don't matter; otherwise
    /// Share() returns it. Members must outlive this.
    std::optional<double> Join(Member& member);

    /// Removes a member, which has nothing to send any more.
    void Leave(Member& member);

    /// Returns the rates that may have changed since the last call.
    const std::vector<Rate>& Share();

  private:
    struct Link
    {
        double capacity = 0;     ///< payload bytes per nanosecond
        std::int64_t rate = 0;   ///< bit/s
        std::int64_t demand = 0; ///< sum of what its members would take alone, in bit/s
        std::vector<Member*> members;
        std::uint64_t visited = 0;
        std::size_t local = 0; ///< index among the gathered links
    };

    bool HasContention(const Member& member) const;
    void Gather(Member& first);
    void ShareGathered();
    void ShareRank(std::size_t begin, std::size_t end);

    std::vector<Link> m_links;
    std::vector<Member*> m_touched; ///< members whose rates must be computed again
    std::vector<Member*> m_gathered;
    std::vector<std::size_t> m_gatheredLinks;
    std::vector<FlowGroup> m_groups; ///< flows of the gathered members
    std::vector<double> m_capacities;
    std::vector<Rate> m_rates;
    std::uint64_t m_stamp = 0;
};

} // namespace geotrain
