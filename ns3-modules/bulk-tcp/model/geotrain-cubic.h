// SPDX-License-Identifier: GPL-2.0-only
// Implements CUBIC (RFC 9438; section numbers are the RFC's), with its Reno-friendly region. It
// counts segments in doubles, so that delayed and stretched acknowledgements and any segment size
// give the same growth, and the window grows by whole segments. It works in ns-3's own sockets too.
//
// It takes the last round trip for the smoothed one (4.2) and the window for the flight size (4.6),
// which is why it grows only while the window is the limit (5.8).
//
// The rules of Linux (net/ipv4/tcp_cubic.c of 6.18) count in whole segments instead, which rounds the
// target up. A window of tens of segments then grows by up to one a round trip in the cubic region.
#pragma once

#include "bulk-tcp/model/hystart-plus-plus.h"
#include "bulk-tcp/model/spurious-loss-listener.h"

#include <ns3/tcp-congestion-ops.h>

#include <cstdint>
#include <string>

namespace geotrain
{

/// TcpCubic is the congestion control. ns-3 has a class of the same name in its own namespace.
class TcpCubic : public ns3::TcpCongestionOps, public ns3::SpuriousLossListener
{
  public:
    enum Rules
    {
        RFC,  ///< RFC 9438
        LINUX ///< whole segments, and 0.53 segments a round trip at all windows
    };

    static ns3::TypeId GetTypeId();

    TcpCubic();
    TcpCubic(const TcpCubic& other) = default;

    std::string GetName() const override;
    std::uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb,
                              std::uint32_t bytesInFlight) override;
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, std::uint32_t segmentsAcked) override;
    void PktsAcked(ns3::Ptr<ns3::TcpSocketState> tcb,
                   std::uint32_t segmentsAcked,
                   const ns3::Time& rtt) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                            ns3::TcpSocketState::TcpCongState_t newState) override;
    void CwndEvent(ns3::Ptr<ns3::TcpSocketState> tcb,
                   ns3::TcpSocketState::TcpCAEvent_t event) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

    void OnRecoveryBegins(ns3::Ptr<ns3::TcpSocketState> tcb) override;
    void OnSpuriousRecovery(ns3::Ptr<ns3::TcpSocketState> tcb) override;

    /// Takes the window for the limit whenever it is asked to grow it: the host asks only then. It
    /// knows of packets that wait for a larger burst.
    void LeaveLimitToHost()
    {
        m_looksForLimit = false;
    }

  private:
    static constexpr std::int64_t s_none = -1;

    /// An Epoch is what a spurious recovery restores (4.9). Windows are in segments.
    struct Epoch
    {
        double maxWindow = 0;          ///< W_max; 0: undefined (4.8, 4.10)
        double priorWindow = 0;        ///< cwnd_prior
        double friendlyWindow = 0;     ///< W_est
        double origin = 0;             ///< where the cubic function is flat
        double k = 0;                  ///< seconds from the start to there
        double fraction = 0;           ///< growth that is no whole segment yet
        std::int64_t acked = 0;        ///< segments that W_est has not counted yet, with LINUX
        std::int64_t startNs = s_none; ///< t_epoch, later by what was not limited by the window
    };

    std::uint32_t GrowInSlowStart(ns3::TcpSocketState& tcb, std::uint32_t segmentsAcked);
    void GrowInAvoidance(ns3::TcpSocketState& tcb, std::uint32_t segmentsAcked);
    void GrowAsLinux(ns3::TcpSocketState& tcb, std::uint32_t segmentsAcked);
    std::int64_t SegmentsPerGrowth(std::int64_t window, std::int64_t nowNs);
    std::int64_t CountFriendly(std::int64_t window);
    void BeginEpoch(double window, std::int64_t nowNs);
    void EndEpoch();
    double CubicWindow(double seconds) const;
    bool IsWindowTheLimit(const ns3::TcpSocketState& tcb) const;
    bool NoteFlight(const ns3::TcpSocketState& tcb, std::uint32_t segmentsAcked);
    bool RunsHyStart(const ns3::TcpSocketState& tcb) const;

    // These are attributes.
    bool m_fastConvergence;
    double m_beta;
    double m_c;
    double m_alphaAbovePrior;
    bool m_usesHyStart;
    Rules m_rules;

    Epoch m_epoch;
    Epoch m_beforeRecovery;
    std::int64_t m_ackedNs = s_none; ///< when the last acknowledgement came
    bool m_looksForLimit = true;
    bool m_wasLimit = true;          ///< the window was the limit at that acknowledgement
    std::uint32_t m_flight = 0;      ///< most bytes in flight in this round trip
    std::uint32_t m_lastFlight = 0;  ///< the same in the last round trip
    ns3::SequenceNumber32 m_roundEnd;
    ns3::HyStartPlusPlus m_hyStart;
    std::int64_t m_credit = 0; ///< acknowledged segments that have not grown the window (LINUX)
    std::int64_t m_leastRttNs = s_none; ///< (LINUX)
};

} // namespace geotrain
