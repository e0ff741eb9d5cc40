// SPDX-License-Identifier: GPL-2.0-only
// Says what a link's rate is at each time, and when it is out: steps of the rate and outages are at
// times after a beginning, before which the link has its first rate. The steps may repeat. An outage
// that holds packets is a rate of 0. What is under way on the wire when an outage begins still
// arrives.
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

    /// `rates` follow `rate`, and `outages` are in the order of time without overlaps. `begin` is
    /// read at each call and may be Never; none: time 0.
    LinkSchedule(geotrain::BitRate rate,
                 const geotrain::RateSchedule& rates,
                 const std::vector<geotrain::Outage>& outages,
                 std::shared_ptr<const geotrain::Instant> begin);

    geotrain::Instant Begin() const; ///< beginning; may be Never

    /// Returns the span that `atNs` is in.
    Span SpanAt(std::int64_t atNs) const;

    /// Returns what the link can send from `from` until `to`, in bits. An outage that loses packets sends
    /// them.
    double BitsIn(geotrain::Instant from, geotrain::Instant to) const;

    /// Returns whether what is sent from `start` until `end` meets an outage that does not hold it.
    bool IsLost(geotrain::Instant start, geotrain::Instant end) const;

  private:
    /// Returns the span without outages. Its end, and `afterNs`, count from the beginning.
    Span RateSpanAt(std::int64_t afterNs) const;

    geotrain::BitRate m_rate; ///< before the first step
    geotrain::RateSchedule m_rates;
    std::vector<geotrain::Outage> m_holds; ///< outages in which packets wait
    std::vector<geotrain::Outage> m_outages;
    std::shared_ptr<const geotrain::Instant> m_begin;
};

} // namespace ns3
