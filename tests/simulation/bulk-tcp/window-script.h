// SPDX-License-Identifier: GPL-2.0-only
// A script of acknowledgements for a window-based congestion control, without a sender: the window
// is the limit, and a window's worth is acknowledged per round trip.
#pragma once

#include <ns3/object-factory.h>
#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace ns3
{

/// A control with its state, and a clock that acknowledgements move on.
class WindowScript
{
  public:
    /// What the path and the receiver are like.
    struct Path
    {
        double rttMs = 100;
        std::uint32_t segment = 1448;     ///< bytes
        std::uint32_t segmentsPerAck = 1; ///< 2: delayed acknowledgements; more: stretched ones
    };

    WindowScript(const std::string& control, const Path& path)
        : m_path(path)
    {
        ObjectFactory factory(control);
        m_control = factory.Create<TcpCongestionOps>();
        m_tcb->m_segmentSize = path.segment;
        m_tcb->m_initialCWnd = 10;
        m_tcb->m_initialSsThresh = UINT32_MAX;
        m_tcb->m_ssThresh = UINT32_MAX;
        m_tcb->m_congState = TcpSocketState::CA_OPEN;
        m_control->Init(m_tcb);
        m_tcb->m_cWnd = 10 * path.segment;
    }

    ~WindowScript()
    {
        Simulator::Destroy();
    }

    TcpSocketState& State() const
    {
        return *m_tcb;
    }

    const Ptr<TcpSocketState>& StatePointer() const
    {
        return m_tcb;
    }

    const Ptr<TcpCongestionOps>& Control() const
    {
        return m_control;
    }

    double Window() const
    {
        return static_cast<double>(m_tcb->m_cWnd.Get()) / m_path.segment;
    }

    void SetRtt(double ms)
    {
        m_path.rttMs = ms;
    }

    void SetWindow(double segments)
    {
        m_tcb->m_cWnd = static_cast<std::uint32_t>(segments * m_path.segment);
    }

    void Wait(double ms)
    {
        Simulator::Stop(NanoSeconds(static_cast<std::uint64_t>(ms * 1e6)));
        Simulator::Run();
    }

    /// A loss at a window of `segments`, with a recovery of no time.
    void Lose(double segments)
    {
        SetWindow(segments);
        m_control->CongestionStateSet(m_tcb, TcpSocketState::CA_RECOVERY);
        m_tcb->m_ssThresh = m_control->GetSsThresh(m_tcb, m_tcb->m_cWnd);
        m_control->CongestionStateSet(m_tcb, TcpSocketState::CA_OPEN);
        m_tcb->m_cWnd = m_tcb->m_ssThresh.Get();
    }

    /// One acknowledgement of `segments`. `flight` is what was in flight before it, in bytes.
    void Acknowledge(std::uint32_t segments, std::uint32_t flight, bool asksForGrowth = true)
    {
        const std::uint32_t bytes = segments * m_path.segment;
        m_tcb->m_lastRtt = NanoSeconds(static_cast<std::uint64_t>(m_path.rttMs * 1e6));
        m_tcb->m_bytesInFlight = flight - std::min(flight, bytes);
        m_tcb->m_highTxMark = m_tcb->m_lastAckedSeq + flight;
        m_tcb->m_nextTxSequence = m_tcb->m_highTxMark.Get();
        m_tcb->m_lastAckedSeq += bytes;
        m_control->PktsAcked(m_tcb, segments, m_tcb->m_lastRtt);
        if (asksForGrowth)
        {
            m_control->IncreaseWindow(m_tcb, segments);
        }
    }

    /// Round trips in which the window is the limit.
    void Run(double seconds)
    {
        const double endMs = NowMs() + seconds * 1e3;
        while (NowMs() < endMs)
        {
            const std::uint32_t window = m_tcb->m_cWnd;
            Wait(m_path.rttMs * m_path.segmentsPerAck / Window());
            Acknowledge(m_path.segmentsPerAck, window);
        }
    }

    /// The same in round trips.
    void RunRounds(double rounds)
    {
        Run(rounds * m_path.rttMs / 1e3);
    }

  private:
    static double NowMs()
    {
        return static_cast<double>(Simulator::Now().GetNanoSeconds()) / 1e6;
    }

    Path m_path;
    Ptr<TcpSocketState> m_tcb = CreateObject<TcpSocketState>();
    Ptr<TcpCongestionOps> m_control;
};

} // namespace ns3
