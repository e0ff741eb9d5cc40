// SPDX-License-Identifier: GPL-2.0-only
// Implements H-TCP (Leith and Shorten, PFLDnet 2004; draft-leith-tcp-htcp-06). The window grows by
// alpha segments per round trip, where alpha rises with the time since the last loss. What a loss
// leaves of it is the ratio of the least to the greatest round trip while the throughput is steady.
// It counts segments in doubles, and the window grows by whole segments. It works in ns-3's own
// sockets too.
//
// Time in which nothing was in flight does not count as time since the last loss, which the draft
// leaves open.
#pragma once

#include "bulk-tcp/model/spurious-loss-listener.h"

#include <ns3/nstime.h>
#include <ns3/tcp-congestion-ops.h>

#include <cstdint>
#include <string>

namespace geotrain
{

/// TcpHtcp is the congestion control. ns-3 has a class of the same name in its own namespace.
class TcpHtcp : public ns3::TcpCongestionOps, public ns3::SpuriousLossListener
{
  public:
    static ns3::TypeId GetTypeId();

    TcpHtcp();
    TcpHtcp(const TcpHtcp& other) = default;

    std::string GetName() const override;
    std::uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb,
                              std::uint32_t bytesInFlight) override;
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, std::uint32_t segmentsAcked) override;
    void PktsAcked(ns3::Ptr<ns3::TcpSocketState> tcb,
                   std::uint32_t segmentsAcked,
                   const ns3::Time& rtt) override;
    void CwndEvent(ns3::Ptr<ns3::TcpSocketState> tcb,
                   ns3::TcpSocketState::TcpCAEvent_t event) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

    void OnRecoveryBegins(ns3::Ptr<ns3::TcpSocketState> tcb) override;
    void OnSpuriousRecovery(ns3::Ptr<ns3::TcpSocketState> tcb) override;

  private:
    static constexpr std::int64_t s_none = -1;

    /// An Epoch is the time since the last loss, and what a spurious recovery restores.
    struct Epoch
    {
        std::int64_t startNs = s_none; ///< of congestion avoidance before the first loss
        std::int64_t maxRttNs = 0;
        double beta = 0.5;
        double throughput = 0;     ///< greatest of a round trip, smoothed, in bytes per second
        double lastThroughput = 0; ///< the same before the last loss
        double fraction = 0;       ///< growth that is no whole segment yet
    };

    double Alpha(std::int64_t nowNs) const;
    double Backoff() const;
    void MeasureThroughput(const ns3::TcpSocketState& tcb, std::int64_t nowNs);

    // These are attributes.
    double m_defaultBackoff;
    double m_throughputRatio;
    ns3::Time m_deltaL;
    bool m_adaptsBackoff;
    bool m_scalesWithRtt;

    Epoch m_epoch;
    Epoch m_beforeRecovery;
    std::int64_t m_minRttNs = INT64_MAX;
    std::int64_t m_ackedNs = s_none; ///< when the last acknowledgement came
    std::int64_t m_roundNs = s_none; ///< when the round trip began
    ns3::SequenceNumber32 m_roundBegin;
    ns3::SequenceNumber32 m_roundEnd;
    double m_smoothed = 0; ///< throughput in bytes per second
};

} // namespace geotrain
