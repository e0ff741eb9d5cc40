// SPDX-License-Identifier: GPL-2.0-only
// Tells when a sender whose rate changes at known times has sent what it was given, to a fraction
// of a nanosecond. TransmissionClock does the same for a constant rate. A change takes hold in the
// middle of a packet. What was sent before the schedule begins keeps its departure.
#pragma once

#include "wan-topology/model/link-schedule.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/// ScheduledClock is the sending side of one link.
class ScheduledClock
{
  public:
    explicit ScheduledClock(const LinkSchedule& schedule);

    const LinkSchedule& Schedule() const;

    /// These do the same as in TransmissionClock.
    geotrain::Instant FreeAt() const;
    geotrain::Instant Send(geotrain::Instant earliest, geotrain::Bytes size);
    geotrain::Bytes Backlog(geotrain::Instant now) const;

  private:
    LinkSchedule m_schedule;
    geotrain::Instant m_begin; ///< the schedule's, as of the last Send()
    std::int64_t m_wholeNs = std::numeric_limits<std::int64_t>::min() / 2;
    /// Fraction of a nanosecond, in units of 1/rate of the span that m_wholeNs is in.
    std::int64_t m_fraction = 0;
};

} // namespace ns3
