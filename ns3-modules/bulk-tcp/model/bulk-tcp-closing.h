// SPDX-License-Identifier: GPL-2.0-only
// Ends a connection (RFC 9293, section 3.6): the own FIN behind the last byte, sent again until
// it is acknowledged, the states that the two FINs lead through, and TIME-WAIT. Not here: what the
// peer's FIN means for the stream that it ends.
#pragma once

#include "bulk-tcp/model/bulk-sender.h"
#include "wan-topology/model/reusable-event.h"

#include <ns3/tcp-socket.h>
#include <ns3/traced-value.h>

#include <cstdint>

namespace ns3
{

/// BulkTcpClosingActions is what a connection does for its closing.
class BulkTcpClosingActions
{
  public:
    virtual ~BulkTcpClosingActions() = default;

    virtual void SendFin() = 0;
    virtual void BecomeClosed() = 0;
};

/// BulkTcpClosing takes one connection from its last byte to CLOSED.
class BulkTcpClosing
{
  public:
    /// `state` is the connection's. All references outlive this. A FIN is sent again after two
    /// smoothed round trips, at the earliest after `minRto`.
    BulkTcpClosing(TracedValue<TcpSocket::TcpStates_t>& state,
                   BulkSender& sender,
                   geotrain::Duration minRto,
                   BulkTcpClosingActions& actions);

    /// Lets a FIN follow the last byte.
    void Begin();
    bool HasBegun() const;

    /// Sends the FIN if it is due: when the whole stream, which ends at `end`, has been sent.
    void SendFinBehind(std::uint64_t end);
    bool HasSentFin() const;

    void OnFinAcked();
    void OnPeerFin();

    /// Stops all repetitions.
    void Stop();

  private:
    void AwaitAck();
    void AwaitOldSegments();
    void OnTimer();

    TracedValue<TcpSocket::TcpStates_t>& m_state;
    BulkSender& m_sender;
    std::int64_t m_minRtoNs;
    BulkTcpClosingActions& m_actions;
    bool m_hasBegun = false;
    bool m_hasSentFin = false;
    std::uint32_t m_retries = 0;
    LazyTimer m_timer; ///< FIN, TIME-WAIT
};

} // namespace ns3
