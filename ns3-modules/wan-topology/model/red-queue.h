// SPDX-License-Identifier: GPL-2.0-only
// Models random early detection (Floyd and Jacobson, ToN 1993) in bytes, as ns-3's RedQueueDisc
// does it without `Wait`: at each arrival the average queue decides whether the packet is dropped
// or marked. It is gentle above the upper threshold (Floyd 2000), and a packet in a forced drop is
// never marked. It ignores Adaptive RED, and keeps no packets.
#pragma once

#include "wan-topology/model/aqm-verdict.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <functional>
#include <optional>

namespace ns3
{

/// RedSettings are RED's parameters.
struct RedSettings
{
    geotrain::Bytes minThreshold; ///< threshold of the average queue; positive
    geotrain::Bytes maxThreshold; ///< above minThreshold
    double maxProbability = 0.1;  ///< drop probability at maxThreshold, in (0, 1] (Floyd 1997)
    /// Weight of one arrival in the average, in (0, 1] (Floyd and Jacobson, section 6).
    double weight = 0.002;
    /// Whether the probability grows from there to 1 at twice maxThreshold; otherwise all packets
    /// are dropped there.
    bool gentle = true;
    bool ecn = true; ///< ECN-capable packets are marked instead of dropped at random
};

/// RedQueue is the state of RED on one queue.
class RedQueue
{
  public:
    /// `meanPacket` counts arrivals and idle time, and `rate` is the link's. `uniform` draws from
    /// (0, 1).
    RedQueue(const RedSettings& settings,
             geotrain::Bytes meanPacket,
             geotrain::BitRate rate,
             std::function<double()> uniform);

    /// Decides for a packet of `size` that finds `queued` bytes behind the packet being sent.
    /// `idle` is how long the link had nothing to send; none where it has something.
    AqmVerdict Decide(std::optional<geotrain::Duration> idle,
                      geotrain::Bytes queued,
                      geotrain::Bytes size,
                      bool ecnCapable);

    double AverageBytes() const;

  private:
    void Average(std::optional<geotrain::Duration> idle, geotrain::Bytes queued);
    bool DropsEarly(geotrain::Bytes size);
    double BaseProbability() const;

    RedSettings m_settings;
    double m_min;
    double m_max;
    std::int64_t m_meanPacket;
    double m_packetsPerSecond;
    std::function<double()> m_uniform;
    double m_average = 0;
    std::int64_t m_bytesSinceDrop = 0; ///< bytes since the last drop or mark
    bool m_above = false; ///< the average is above minThreshold since an earlier packet
};

} // namespace ns3
