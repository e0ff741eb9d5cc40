// SPDX-License-Identifier: GPL-2.0-only
// A script of acknowledgements and losses for TcpBbr3, without a sender. The path of the script carries 80 Mbit/s over
// 100 ms, a bandwidth-delay product of 1 MB; one acknowledgement stands for a round trip.
#pragma once

#include "bulk-tcp/model/tcp-bbr3.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

namespace ns3
{

constexpr std::uint32_t bbr3ScriptSegment = 1000; ///< bytes

/// One acknowledgement, which ends a round trip unless `sameRound`.
struct Bbr3Ack
{
    double rateMbps = 80;
    std::uint32_t inFlight = 1000000; ///< bytes, before and after it
    std::uint32_t lost = 0;           ///< bytes that it shows lost
    double afterMs = 100;
    double rttMs = 100;
    bool sameRound = false;
    std::uint64_t sentAt =
        0; ///< what had been delivered when its packet was sent; 0: all of the round before
    bool appLimited = false;
    bool windowLimited = false; ///< the window is set to what is in flight
};

inline Bbr3Ack
Lossy(std::uint32_t lost, double rateMbps = 80)
{
    Bbr3Ack ack;
    ack.lost = lost;
    ack.rateMbps = rateMbps;
    return ack;
}

inline Bbr3Ack
WithInFlight(std::uint32_t bytes)
{
    Bbr3Ack ack;
    ack.inFlight = bytes;
    return ack;
}

/// A control and a clock that acknowledgements move on.
class Bbr3Script
{
  public:
    explicit Bbr3Script(std::int64_t stream = 1)
    {
        m_tcb->m_segmentSize = bbr3ScriptSegment;
        m_tcb->m_initialCWnd = 10;
        m_control->SetStream(stream);
        m_control->Init(m_tcb);
        m_tcb->m_cWnd = 10 * bbr3ScriptSegment;
    }

    ~Bbr3Script()
    {
        Simulator::Destroy();
    }

    void Wait(double ms)
    {
        Simulator::Stop(NanoSeconds(static_cast<std::uint64_t>(ms * 1e6)));
        Simulator::Run();
    }

    void Send(const Bbr3Ack& ack)
    {
        Wait(ack.afterMs);
        const auto acked = static_cast<std::uint32_t>(ack.rateMbps * 1e6 / 8 * ack.rttMs / 1e3);
        TcpRateOps::TcpRateSample sample;
        // Packets of a new round were sent when what was delivered last had been delivered.
        const std::uint64_t sentAt = ack.sentAt > 0 ? ack.sentAt : m_connection.m_delivered;
        sample.m_priorDelivered = static_cast<std::uint32_t>(ack.sameRound ? m_roundBegin : sentAt);
        m_roundBegin = ack.sameRound ? m_roundBegin : m_connection.m_delivered;
        m_connection.m_delivered += ack.sameRound ? bbr3ScriptSegment : acked;
        sample.m_delivered = static_cast<std::int32_t>(acked);
        sample.m_ackedSacked = ack.sameRound ? bbr3ScriptSegment : acked;
        sample.m_deliveryRate = DataRate(static_cast<std::uint64_t>(ack.rateMbps * 1e6));
        sample.m_bytesLoss = ack.lost;
        sample.m_priorInFlight = ack.inFlight;
        sample.m_isAppLimited = ack.appLimited;
        m_tcb->m_lastRtt = NanoSeconds(static_cast<std::uint64_t>(ack.rttMs * 1e6));
        m_tcb->m_bytesInFlight = ack.inFlight;
        if (ack.windowLimited)
        {
            m_tcb->m_cWnd = ack.inFlight;
        }
        m_control->CongControl(m_tcb, m_connection, sample);
    }

    void Send(int count, const Bbr3Ack& ack)
    {
        for (int i = 0; i < count; ++i)
        {
            Send(ack);
        }
    }

    /// Three rounds without growth after the first: the pipe is full.
    void Fill()
    {
        Send(4, Bbr3Ack());
    }

    void Reach(TcpBbr3::Phase phase)
    {
        for (int i = 0; i < 100 && m_control->GetPhase().Get() != phase; ++i)
        {
            Send(Bbr3Ack());
        }
        ASSERT_EQ(m_control->GetPhase().Get(), phase);
    }

    /// Recovery begins or the timer expires, as the sender's socket would say it.
    void Congestion(TcpSocketState::TcpCongState_t state)
    {
        m_control->CongestionStateSet(m_tcb, state);
        m_tcb->m_congState = state;
    }

    /// Recovery begins or the timer expires, with a sender that can undo it.
    void BeginRecovery(TcpSocketState::TcpCongState_t state)
    {
        m_control->OnRecoveryBegins(m_tcb);
        Congestion(state);
    }

    /// The last recovery turns out to be spurious.
    void Undo()
    {
        m_control->OnSpuriousRecovery(m_tcb);
        Congestion(TcpSocketState::CA_OPEN);
    }

    void StartAfterIdle()
    {
        m_tcb->m_bytesInFlight = 0;
        m_control->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_TX_START);
    }

    std::uint64_t Delivered() const
    {
        return m_connection.m_delivered;
    }

    const TcpBbr3& Control() const
    {
        return *m_control;
    }

    TcpSocketState& State()
    {
        return *m_tcb;
    }

  private:
    Ptr<TcpSocketState> m_tcb = CreateObject<TcpSocketState>();
    Ptr<TcpBbr3> m_control = CreateObject<TcpBbr3>();
    TcpRateOps::TcpRateConnection m_connection;
    std::uint64_t m_roundBegin = 0;
};

} // namespace ns3
