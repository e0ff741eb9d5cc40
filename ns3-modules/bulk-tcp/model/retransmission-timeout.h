// SPDX-License-Identifier: GPL-2.0-only
// The retransmission timeout (RFC 6298) and that of a SYN: when they expire, how they back off, and
// when a peer is given up (Linux's tcp_retries2 and tcp_syn_retries). A function of times; whoever
// owns it schedules.
#pragma once

#include "bulk-tcp/model/round-trip-estimator.h"
#include "wan-topology/model/reusable-event.h"

#include <cstdint>

namespace ns3
{

class RetransmissionTimeout
{
  public:
    static constexpr std::int64_t s_mostNs = 60000000000; ///< RFC 6298, 2.5
    static constexpr std::uint32_t s_mostInARow = 15;     ///< Linux's tcp_retries2

    explicit RetransmissionTimeout(std::int64_t minNs)
        : m_minNs(minNs)
    {
    }

    RoundTripEstimator& Rtt()
    {
        return m_rtt;
    }

    const RoundTripEstimator& Rtt() const
    {
        return m_rtt;
    }

    /// How long it is, backed off.
    std::int64_t Ns() const;

    void Restart(std::int64_t nowNs)
    {
        m_deadlineNs = nowNs + Ns();
    }

    void Stop()
    {
        m_deadlineNs = LazyTimer::s_never;
    }

    bool IsSet() const
    {
        return m_deadlineNs != LazyTimer::s_never;
    }

    /// LazyTimer::s_never when it is not set.
    std::int64_t DeadlineNs() const
    {
        return m_deadlineNs;
    }

    /// It has expired: doubles it. False when that has happened too often in a row.
    bool BackOff();

    /// New data is acknowledged: the peer is alive.
    void OnProgress()
    {
        m_backoff = 0;
    }

    bool HasBackedOff() const
    {
        return m_backoff > 0;
    }

    /// A SYN goes out.
    void AwaitSynAck(std::int64_t nowNs);

    /// A SYN's timeout has expired. False when that has happened too often.
    bool RetrySyn();

    bool HasRetriedSyn() const
    {
        return m_synRetries > 0;
    }

  private:
    std::int64_t m_minNs;
    RoundTripEstimator m_rtt;
    std::uint32_t m_backoff = 0; ///< timeouts in a row
    std::uint32_t m_synRetries = 0;
    std::int64_t m_deadlineNs = LazyTimer::s_never;
};

} // namespace ns3
