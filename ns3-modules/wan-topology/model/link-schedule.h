// SPDX-License-Identifier: GPL-2.0-only
// Says what a link's rate is at each time, and when it is out: steps of the rate and outages are at
// times after a beginning, before which the link has its first rate. An outage that holds packets
// is a rate of 0. What is under way on the wire when an outage begins still arrives.
#pragma once

#include "wan/link-impairments.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/// LinkSchedule is the rate of one direction over time.
class LinkSchedule
{
  public:
    /// A Span is a time of constant rate.
    struct Span
    {
        std::int64_t endNs; ///< end; INT64_MAX: it has none
        std::int64_t bitsPerSecond;
    };

    /// `steps` and `outages` are in the order of time, and no outage overlaps another. `begin` is
    /// read at each call and may be Never; none: time 0.
    LinkSchedule(geotrain::BitRate rate,
                 const std::vector<geotrain::RateStep>& steps,
                 const std::vector<geotrain::Outage>& outages,
                 std::shared_ptr<const geotrain::Instant> begin);

    geotrain::Instant Begin() const; ///< beginning; may be Never

    /// Returns the span that `atNs` is in.
    Span SpanAt(std::int64_t atNs) const;

    /// Returns whether what is sent from `start` until `end` meets an outage that does not hold it.
    bool IsLost(geotrain::Instant start, geotrain::Instant end) const;

  private:
    struct Piece
    {
        std::int64_t beginNs; ///< start after the schedule's beginning
        std::int64_t bitsPerSecond;
    };

    std::vector<Piece> m_pieces; ///< the first one has no beginning
    std::vector<geotrain::Outage> m_outages;
    std::shared_ptr<const geotrain::Instant> m_begin;
};

} // namespace ns3
