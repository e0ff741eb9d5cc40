// SPDX-License-Identifier: GPL-2.0-only
// Handles round trips and windows as the sockets of ns-3 3.37 do (TcpSocketBase): millisecond round
// trips, their own PRR, and windows that grow although they are not used. It serves only the
// comparison with those sockets.
#pragma once

#include "bulk-tcp/model/window-rules.h"

namespace ns3
{

/// StockWindowRules are the rules of ns-3's sockets.
class StockWindowRules final : public WindowRules
{
  public:
    void Prepare(TcpSocketState& tcb) const override;
    Ptr<TcpRecoveryOps> MakeReduction() const override;
    bool MeasureRtt(std::int64_t nowNs,
                    const Scoreboard::Progress& progress,
                    std::uint32_t echoMs,
                    RoundTripEstimator& rtt,
                    TcpSocketState& tcb) const override;
    std::uint32_t FirstWindowAfterLostSyn(std::uint32_t segments) const override;
    std::int64_t PacingRttNs(const RoundTripEstimator& rtt,
                             const TcpSocketState& tcb) const override;
    bool GrowsUnused() const override;
    std::uint32_t Growth(std::uint32_t segments, const TcpSocketState& tcb) const override;
    std::uint32_t WindowInUse(std::uint32_t window, std::uint64_t flight) const override;
    bool ReducesByAdvance() const override;
    bool SetsWindowOfAll() const override;
    bool AnswersEachMark() const override;
    bool ReducesOncePerWindow() const override;
    void OnFastRetransmission(TcpSocketState& tcb, std::uint64_t inFlight) const override;
};

} // namespace ns3
