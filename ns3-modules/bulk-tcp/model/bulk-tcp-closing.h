// SPDX-License-Identifier: GPL-2.0-only
// How a connection ends (RFC 9293, section 3.6): the own FIN behind the last byte, sent again until
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

/// What the closing asks of its connection.
class BulkTcpClosingActions
{
  public:
    virtual ~BulkTcpClosingActions() = default;

    virtual void SendFin() = 0;
    virtual void BecomeClosed() = 0;
};

class BulkTcpClosing
{
  public:
    /// `state` is the connection's. All references outlive this. A FIN is sent again after two
    /// smoothed round trips, at the earliest after `minRto`.
    BulkTcpClosing(TracedValue<TcpSocket::TcpStates_t>& state,
                   BulkSender& sender,
                   geotrain::Duration minRto,
                   BulkTcpClosingActions& actions);

    /// A FIN is to follow the last byte.
    void Begin();
    bool HasBegun() const;

    /// Sends the FIN where it is due: the stream, which ends at `end`, has been sent as a whole.
    void SendFinBehind(std::uint64_t end);
    bool HasSentFin() const;

    void OnFinAcked();
    void OnPeerFin();

    /// Nothing is sent again.
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
