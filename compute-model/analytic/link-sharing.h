// SPDX-License-Identifier: GPL-2.0-only
// How node pairs with something to send share links and caps: max-min fairly by their connections
// (max-min-fairness.h). When a pair begins or ends to send, only rates of pairs that share links
// with it, directly or through others, are worked out again; none where no link of its has less
// than its pairs would take alone.
#pragma once

#include "analytic/max-min-fairness.h"
#include "units/bytes.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

class LinkSharing
{
  public:
    /// A pair of nodes, as far as it uses links.
    struct Member
    {
        std::vector<std::size_t> links; ///< each at most once
        std::uint32_t connections = 1;
        bool isInLinks = false; ///< it has something to send

      private:
        friend class LinkSharing;
        std::int64_t m_alone = 0;    ///< bit/s that it takes of its links if no other does
        std::uint64_t m_visited = 0; ///< stamp of the last gathering
    };

    /// A member's rate, in bytes per nanosecond.
    using Rate = std::pair<Member*, double>;

    /// `payloadShare` is what of the links' bits is payload.
    LinkSharing(const std::vector<BitRate>& linkRates, double payloadShare);

    /// Of a member alone, in bytes per nanosecond; infinite without links.
    double RateAlone(const std::vector<std::size_t>& links) const;

    /// The member begins to send. Its rate, if others don't matter; else Share tells it. Members
    /// must outlive this.
    std::optional<double> Join(Member& member);

    /// The member has nothing to send any more.
    void Leave(Member& member);

    /// The rates that may have changed since the last call.
    const std::vector<Rate>& Share();

  private:
    struct Link
    {
        double capacity = 0;     ///< payload bytes per nanosecond
        std::int64_t rate = 0;   ///< bit/s
        std::int64_t demand = 0; ///< bit/s that its members would take, each alone
        std::vector<Member*> members;
        std::uint64_t visited = 0;
        std::size_t local = 0; ///< index among the links gathered
    };

    bool HasContention(const Member& member) const;
    void Gather(Member& first);
    void ShareGathered();

    std::vector<Link> m_links;
    std::vector<Member*> m_touched; ///< whose rates are to be worked out
    std::vector<Member*> m_gathered;
    std::vector<std::size_t> m_gatheredLinks;
    std::vector<FlowGroup> m_groups; ///< of the members gathered
    std::vector<double> m_capacities;
    std::vector<Rate> m_rates;
    std::uint64_t m_stamp = 0;
};

} // namespace geotrain
