// SPDX-License-Identifier: GPL-2.0-only
// Models PIE (RFC 8033): a packet is dropped or marked at random when it comes, with a probability that
// is changed at fixed times by the wait and its growth. The queue is first in, first out, so that its
// state at each of these times is known when the next packet comes, and it needs no events. Of the
// optional parts it has the cap of section 5.5 and the choice of section 4.3; it ignores
// derandomisation (5.4), the scaling of the probability by the packet's size, and switching off (5.3).
#pragma once

#include "wan-topology/model/aqm-verdict.h"
#include "wan/queue-kinds.h"

#include "units/bytes.h"
#include "units/duration.h"
#include "units/growing-ring.h"

#include <functional>

namespace ns3
{

/// PieQueue is the state of PIE on one queue.
class PieQueue
{
  public:
    /// `meanPacket` is half of what may always wait. `uniform` draws from (0, 1).
    PieQueue(const geotrain::PieSettings& settings,
             geotrain::Bytes meanPacket,
             std::function<double()> uniform);

    /// Decides for a packet that comes at `now`, which never goes back.
    AqmVerdict Decide(geotrain::Instant now, bool ecnCapable);

    /// Adds a packet that came at `now` and leaves the queue at `turn`, not before those added earlier.
    void Add(geotrain::Instant now, geotrain::Instant turn, geotrain::Bytes size);

  private:
    struct Waiting
    {
        geotrain::Instant since;
        geotrain::Instant until;
        geotrain::Bytes size;
    };

    void AdvanceTo(geotrain::Instant now);
    void Depart();
    void MeasureRate(const Waiting& packet);
    void Update();
    double Change(double wait) const;
    bool DropsEarly();

    geotrain::PieSettings m_settings;
    geotrain::Bytes m_meanPacket;
    std::function<double()> m_uniform;
    geotrain::GrowingRing<Waiting> m_waiting;
    geotrain::Bytes m_bytes;
    geotrain::Instant m_nextUpdate; ///< the first is at 0
    double m_probability = 0;
    geotrain::Duration m_lastWait; ///< of the packet that left last; 0: none waited behind it
    double m_waitBefore = 0;       ///< s, at the last update
    geotrain::Duration m_burst;    ///< left of the allowance
    double m_bytesPerSecond = 0;   ///< 0: not measured
    bool m_isMeasuring = false;
    geotrain::Instant m_measuredSince;
    geotrain::Bytes m_measured;
};

} // namespace ns3
