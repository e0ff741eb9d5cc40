// CoDel (RFC 8289, section 5; marks as Linux's codel_impl.h): packets that leave the queue are
// dropped or marked while they have waited too long for too long. One packet after another, in the
// order of the queue: what is said of one depends on those before it alone, so that it can be said
// when the packet arrives. It keeps no packets.
#pragma once

#include "wan-topology/model/aqm-verdict.h"
#include "wan/link-impairments.h"

#include <cstdint>
#include <optional>

namespace ns3
{

class CoDelQueue
{
  public:
    explicit CoDelQueue(const geotrain::CoDelSettings& settings);

    /// Of the next packet, which would leave the queue at `now`, or at the time of the packet
    /// before it if that is dropped, after `sojourn` in it. `isStanding`: the queue holds more than
    /// one packet of the MTU.
    AqmVerdict
    Decide(geotrain::Instant now, geotrain::Duration sojourn, bool isStanding, bool ecnCapable);

  private:
    /// What became of the packet before.
    enum class Previous
    {
        Left,
        FirstDrop, ///< with which dropping began: the next packet leaves
        LaterDrop
    };

    bool MayDrop(geotrain::Instant now, geotrain::Duration sojourn, bool isStanding);
    AqmVerdict GoOnDropping(geotrain::Instant now, bool ecnCapable);
    AqmVerdict BeginDropping(geotrain::Instant now, bool ecnCapable);
    geotrain::Instant ControlLaw(geotrain::Instant from) const;

    geotrain::CoDelSettings m_settings;
    std::optional<geotrain::Instant>
        m_firstAbove; ///< when the wait will have been too long for an interval
    bool m_isDropping = false;
    Previous m_previous = Previous::Left;
    geotrain::Instant m_dropNext;
    std::int64_t m_count = 0;     ///< drops since dropping began
    std::int64_t m_lastCount = 0; ///< with which it began
};

} // namespace ns3
