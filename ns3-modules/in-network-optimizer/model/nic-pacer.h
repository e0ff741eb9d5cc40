// SPDX-License-Identifier: GPL-2.0-only
// Lets a NIC's engines fill its link no further than a short burst, so that heartbeats don't wait
// behind a window of data. One event paces a burst of packets instead of each.
#pragma once

#include "wan-topology/model/transmission-clock.h"

#include <algorithm>

namespace ns3
{

/// NicPacer knows when the link will have sent what it was given.
class NicPacer
{
  public:
    /// `rate` is that of the slowest link behind the NIC, and `burst` what may wait there.
    NicPacer(geotrain::BitRate rate, geotrain::Bytes burst)
        : m_clock(rate),
          m_burstNs(rate.TransmissionTime(burst).ToNanoseconds())
    {
    }

    bool HasRoom(std::int64_t nowNs) const
    {
        return m_clock.FreeAt().ToNanoseconds() < nowNs + m_burstNs;
    }

    /// Returns when half a burst will be left, so that the link never runs dry.
    std::int64_t RoomAtNs(std::int64_t nowNs) const
    {
        return std::max(nowNs, m_clock.FreeAt().ToNanoseconds() - m_burstNs / 2);
    }

    void Send(std::int64_t nowNs, std::int64_t wireBytes)
    {
        m_clock.Send(geotrain::Instant::FromNanoseconds(nowNs), geotrain::Bytes::Of(wireBytes));
    }

  private:
    TransmissionClock m_clock;
    std::int64_t m_burstNs;
};

} // namespace ns3
