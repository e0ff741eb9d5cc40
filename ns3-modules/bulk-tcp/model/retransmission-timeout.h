// SPDX-License-Identifier: GPL-2.0-only
// Implements the retransmission timeout (RFC 6298) and that of a SYN: when they expire, how they
// back off, and when a peer is given up (Linux's tcp_retries2 and tcp_syn_retries). It is a
// function of times; its owner schedules the events.
#pragma once

#include "bulk-tcp/model/round-trip-estimator.h"
#include "wan-topology/model/reusable-event.h"

#include <cstdint>

namespace ns3
{

/// RetransmissionTimeout is the timeout of one sender.
class RetransmissionTimeout
{
  public:
    static constexpr std::int64_t s_mostNs = 60000000000; ///< longest timeout: RFC 6298, 2.5
    /// Most timeouts in a row: Linux's tcp_retries2.
    static constexpr std::uint32_t s_mostInARow = 15;

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

    /// Returns how long the timeout is, backed off, in nanoseconds.
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

    /// Returns when it expires; LazyTimer::s_never when it is not set.
    std::int64_t DeadlineNs() const
    {
        return m_deadlineNs;
    }

    /// Doubles the timeout after it has expired. Returns false when it has expired too often in a
    /// row.
    bool BackOff();

    /// Notes that new data is acknowledged, which ends the backing off.
    void OnProgress()
    {
        m_backoff = 0;
    }

    bool HasBackedOff() const
    {
        return m_backoff > 0;
    }

    /// Sets the timeout of a SYN that goes out.
    void AwaitSynAck(std::int64_t nowNs);

    /// Notes that a SYN's timeout has expired. Returns false when that has happened too often.
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
