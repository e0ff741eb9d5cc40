// SPDX-License-Identifier: GPL-2.0-only
// Implements the retransmission timeout (RFC 6298) and that of a SYN: when they expire, how they
// back off, and when a peer is given up (Linux's tcp_retries2 and tcp_syn_retries). As in Linux,
// the least timeout bounds the variation of the round trip, not the sum. It is a function of times;
// its owner schedules the events.
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

    /// Formula is how the least timeout enters.
    enum class Formula
    {
        Linux,  ///< SRTT + max(4 RTTVAR, least)
        Rfc6298 ///< max(SRTT + max(1 ms, 4 RTTVAR), least), as ns-3's sockets
    };

    /// `synSpread` is the share by which a SYN's timeout is longer than 1 s.
    explicit RetransmissionTimeout(std::int64_t minNs,
                                   Formula formula = Formula::Linux,
                                   double synSpread = 0)
        : m_minNs(minNs),
          m_formula(formula),
          m_synSpread(synSpread)
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

    /// Notes that new data is acknowledged: the peer is there.
    void OnProgress()
    {
        m_inARow = 0;
    }

    /// Notes that a round trip was measured, which ends the backing off (RFC 6298, section 5).
    void OnSample()
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

    /// Lets the timeout be 3 s until the first measurement, since a SYN was lost (RFC 6298, 5.7).
    /// ns-3's sockets keep 1 s.
    void OnLostSyn();

  private:
    std::int64_t m_minNs;
    Formula m_formula;
    double m_synSpread;
    RoundTripEstimator m_rtt;
    std::int64_t m_firstNs = 1000000000; ///< before the first measurement: RFC 6298, 2.1
    std::uint32_t m_backoff = 0;         ///< timeouts since the last measurement
    std::uint32_t m_inARow = 0;          ///< timeouts without progress
    std::uint32_t m_synRetries = 0;
    std::int64_t m_deadlineNs = LazyTimer::s_never;
};

} // namespace ns3
