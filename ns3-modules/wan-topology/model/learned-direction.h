// SPDX-License-Identifier: GPL-2.0-only
// Models one direction of a link that was learned: what LinkModel answers for packets that pass a
// learned path (compute-model/path-learning). All flows share its buffer.
#pragma once

#include "path-learning/learned-passage.h"
#include "wan-topology/model/link-settings.h"
#include "wan-topology/model/waiting-packets.h"

namespace ns3
{

/// LearnedDirection is one direction of such a link.
class LearnedDirection
{
  public:
    /// `settings.learned` is there.
    explicit LearnedDirection(const LinkSettings& settings);

    /// These do the same as in LinkModel. A backlog is without cross traffic.
    LinkOutcome Offer(geotrain::Instant now, geotrain::Bytes size);
    geotrain::Bytes Backlog(geotrain::Instant now) const;
    const LinkCounters& GetCounters() const;

  private:
    geotrain::LearnedPassage m_passage;
    geotrain::BitRate m_rate;
    geotrain::Duration m_propagation;
    mutable WaitingPackets m_unsent; ///< what was sent by the last question is forgotten
    LinkCounters m_counters;
};

} // namespace ns3
