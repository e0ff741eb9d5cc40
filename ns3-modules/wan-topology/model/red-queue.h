// SPDX-License-Identifier: GPL-2.0-only
// Models random early detection (Floyd and Jacobson, ToN 1993) in bytes, as ns-3's RedQueueDisc
// does it without `Wait`: at each arrival the average queue decides whether the packet is dropped
// or marked. It is gentle above the upper threshold (Floyd 2000), and a packet in a forced drop is
// never marked. It ignores Adaptive RED, and keeps no packets.
#pragma once

#include "wan-topology/model/aqm-verdict.h"
#include "wan/link-impairments.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <functional>
#include <optional>

namespace ns3
{

/// RedQueue is the state of RED on one queue.
class RedQueue
{
  public:
    /// The thresholds of `settings` are in bytes. `meanPacket` counts arrivals and idle time, and
    /// `rate` is the link's. `uniform` draws from (0, 1).
    RedQueue(const geotrain::RedSettings& settings,
             geotrain::Bytes meanPacket,
             geotrain::BitRate rate,
             std::function<double()> uniform);

    /// Decides for a packet of `size` that finds `queued` bytes behind the packet being sent.
    /// `idle` is how long the link had nothing to send; none where it has something.
    AqmVerdict Decide(std::optional<geotrain::Duration> idle,
                      geotrain::Bytes queued,
                      geotrain::Bytes size,
                      bool ecnCapable);

  private:
    void Average(std::optional<geotrain::Duration> idle, geotrain::Bytes queued);
    bool DropsEarly(geotrain::Bytes size);
    double BaseProbability() const;

    geotrain::RedSettings m_settings;
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
