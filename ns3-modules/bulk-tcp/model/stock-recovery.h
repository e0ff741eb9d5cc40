// SPDX-License-Identifier: GPL-2.0-only
// Does loss recovery and delivery rates as the sockets of ns-3 3.37 do (TcpSocketBase, TcpTxBuffer,
// TcpRateLinux), with their faults: a lost retransmission is not noticed, and a retransmission
// stays in flight until it is acknowledged cumulatively. It serves only the comparison with those
// sockets.
#pragma once

#include "bulk-tcp/model/loss-recovery.h"

#include <array>

namespace ns3
{

/// StockDeliveryRate takes the end of the acknowledgement phase from the previous sample, and keeps
/// the segment it sampled last from one acknowledgement to the next.
class StockDeliveryRate final : public DeliveryRate
{
  public:
    /// Does the work of OnDelivered(), and is called in its place.
    void OnDeliveredAsStock(std::int64_t now,
                            const DeliverySnapshot& snapshot,
                            std::int64_t sentNs,
                            std::uint32_t length);

  private:
    void Measure(std::int64_t minRttNs) override;

    std::int64_t m_ackNs = 0; ///< length of the acknowledgement phase
};

/// StockRecovery declares an original lost when three segments behind it are SACKed (RFC 6675).
class StockRecovery final : public LossRecovery
{
  public:
    StockRecovery()
        : LossRecovery(m_rate, false)
    {
    }

    Segment* NextDoubtful() override;
    void OnSentAgain(const Segment& segment) override;
    Reaction React(const Situation& situation) override;
    std::uint64_t LostOfSample(std::uint64_t lost, std::uint64_t notRepairedBefore) const override;
    bool KeepsTimeout(TcpSocketState::TcpCongState_t state, bool again) const override;
    bool IsFirstTimeout(TcpSocketState::TcpCongState_t state) const override;
    bool GrowsInDisorder(bool advances) const override;

  private:
    static constexpr std::size_t s_duplicateThreshold =
        3; ///< segments and acknowledgements (RFC 5681)

    void OnDelivered(std::int64_t nowNs, std::uint64_t number, const Segment& segment) override;
    void AfterAck() override;
    void Detect(std::int64_t nowNs, bool inRecovery, const RoundTrips& roundTrips) override;
    void AfterTimeout() override;
    bool AfterRetransmission(Segment& segment, std::int64_t nowNs) override;
    void CountInFlight();

    bool HasLostBehindHead();
    void MarkHeadLost();

    StockDeliveryRate m_rate;
    std::uint64_t m_scan = 0;     ///< number of the first original that may still be found lost
    std::uint64_t m_doubtful = 0; ///< NextDoubtful() returns no segment below this number
    std::array<std::uint64_t, s_duplicateThreshold>
        m_highestDelivered{}; ///< numbers + 1, descending; 0: none
};

} // namespace ns3
