// SPDX-License-Identifier: GPL-2.0-only
// Implements the tail loss probe (RFC 8985, section 7): when the last segments of a flight may be
// lost, one more segment asks the receiver for an acknowledgement before the retransmission timeout
// does. It says when to send the probe, and whether the answer shows a loss. It is a function of
// times and acknowledgements.
#pragma once

#include "wan-topology/model/packet-record.h"
#include "wan-topology/model/reusable-event.h"

#include <cstdint>

namespace ns3
{

/// TailLossProbe is the probe of one sender.
class TailLossProbe
{
  public:
    /// A receiver may delay the acknowledgement of fewer than `delayedAckCount` segments.
    /// `minRtoNs` is the least retransmission timeout, which allows for that (Linux).
    TailLossProbe(bool isOn, std::int64_t minRtoNs, std::uint32_t delayedAckCount = 2)
        : m_isOn(isOn),
          m_minRtoNs(minRtoNs),
          m_delayedAckCount(delayedAckCount)
    {
    }

    /// Sets the time of the probe after the last new data or cumulative acknowledgement, which was
    /// at `lastNs`, or to the timeout if that comes first. It is two smoothed round trips later
    /// (section 7.2), plus the floor of Linux's tcp_schedule_loss_probe: 2 ms, or the least timeout
    /// where the acknowledgement of the `segments` outstanding ones may be delayed.
    void Arm(std::int64_t lastNs,
             std::int64_t smoothedRttNs,
             std::uint64_t segments,
             std::int64_t timeoutNs);

    void Stop()
    {
        m_deadlineNs = LazyTimer::s_never;
    }

    /// Returns the time of the probe; LazyTimer::s_never when it is not set.
    std::int64_t DeadlineNs() const
    {
        return m_deadlineNs;
    }

    /// Returns whether a probe may be sent: probes are on, and none is out.
    bool IsReady() const
    {
        return m_isOn && m_end == 0;
    }

    /// Notes that a probe went out. `end` is the first byte that was never sent, after the probe.
    void OnSent(std::uint64_t end, bool isRetransmission)
    {
        m_end = end;
        m_isRetransmission = isRetransmission;
    }

    /// Returns true if the acknowledgement shows that the probe has repaired a loss, which is
    /// congestion (section 7.4.2). `advanced` says that it acknowledges new data cumulatively.
    bool OnAck(const PacketRecord& ack, bool advanced);

    /// Stops waiting for an answer, after a retransmission timeout.
    void Forget()
    {
        m_end = 0;
    }

  private:
    bool IsReported(const PacketRecord& ack) const;

    bool m_isOn;
    std::int64_t m_minRtoNs;
    std::uint32_t m_delayedAckCount;
    std::int64_t m_deadlineNs = LazyTimer::s_never;
    std::uint64_t m_end = 0; ///< first byte never sent after the probe; 0: no probe is out
    bool m_isRetransmission = false;
};

} // namespace ns3
