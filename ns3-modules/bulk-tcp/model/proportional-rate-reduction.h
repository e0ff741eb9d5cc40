// SPDX-License-Identifier: GPL-2.0-only
// Implements Proportional Rate Reduction (RFC 9937), as Linux's tcp_cwnd_reduction does, in 64 bits.
// ns-3 3.37's own class is of RFC 6937, compares unsigned differences that can wrap, and counts an
// acknowledgement twice that both advances and SACKs.
#pragma once

#include <ns3/tcp-recovery-ops.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

/// ProportionalRateReduction is the state of one connection.
class ProportionalRateReduction : public TcpRecoveryOps
{
  public:
    static TypeId GetTypeId();

    std::string GetName() const override;

    /// Says whether the acknowledgement that DoRecovery() hears of next is safe: it advances and
    /// shows no further loss (SafeACK). Then the window may catch up by a segment more.
    void SetSafe(bool isSafe)
    {
        m_isSafe = isSafe;
    }

    void EnterRecovery(Ptr<TcpSocketState> tcb,
                       uint32_t dupAckCount,
                       uint32_t unAckDataCount,
                       uint32_t deliveredBytes) override;
    void DoRecovery(Ptr<TcpSocketState> tcb, uint32_t deliveredBytes) override;
    void ExitRecovery(Ptr<TcpSocketState> tcb) override;
    void UpdateBytesSent(uint32_t bytesSent) override;
    Ptr<TcpRecoveryOps> Fork() override;

  private:
    std::int64_t m_delivered = 0;  ///< prr_delivered
    std::int64_t m_out = 0;        ///< prr_out
    std::int64_t m_flightSize = 1; ///< RecoverFS
    bool m_isSafe = false;
};

} // namespace ns3
