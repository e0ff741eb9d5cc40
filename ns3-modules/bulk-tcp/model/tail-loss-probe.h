// SPDX-License-Identifier: GPL-2.0-only
// The tail loss probe (RFC 8985, section 7): when the last segments of a flight may be lost, one
// more segment asks the receiver for an acknowledgement before the retransmission timeout does.
// Says when, and whether the answer tells of a loss; a function of times and acknowledgements.
#pragma once

#include "wan-topology/model/packet-record.h"
#include "wan-topology/model/reusable-event.h"

#include <cstdint>

namespace ns3
{

class TailLossProbe
{
  public:
    /// `delayedAckNs` is how long a receiver may keep the acknowledgement of a lone segment back.
    TailLossProbe(bool isOn, std::int64_t delayedAckNs)
        : m_isOn(isOn),
          m_delayedAckNs(delayedAckNs)
    {
    }

    /// Section 7.2: two smoothed round trips after the last new data or cumulative acknowledgement,
    /// and instead of the timeout where that would come first. `isLone`: one segment is in flight.
    void Arm(std::int64_t lastNs, std::int64_t smoothedRttNs, bool isLone, std::int64_t timeoutNs);

    void Stop()
    {
        m_deadlineNs = LazyTimer::s_never;
    }

    /// LazyTimer::s_never when it is not set.
    std::int64_t DeadlineNs() const
    {
        return m_deadlineNs;
    }

    /// Whether a probe may be sent: it is on, and none is out.
    bool IsReady() const
    {
        return m_isOn && m_end == 0;
    }

    /// A probe went out; `end` is the first byte that was never sent, after it.
    void OnSent(std::uint64_t end, bool isRetransmission)
    {
        m_end = end;
        m_isRetransmission = isRetransmission;
    }

    /// Section 7.4.2. True where the acknowledgement says that the probe has repaired a loss, which
    /// is congestion. `advanced`: it acknowledges new data cumulatively.
    bool OnAck(const PacketRecord& ack, bool advanced);

    /// After a retransmission timeout no answer is awaited.
    void Forget()
    {
        m_end = 0;
    }

  private:
    bool m_isOn;
    std::int64_t m_delayedAckNs;
    std::int64_t m_deadlineNs = LazyTimer::s_never;
    std::uint64_t m_end = 0; ///< the first byte never sent, at a probe; 0: none is out
    bool m_isRetransmission = false;
};

} // namespace ns3
