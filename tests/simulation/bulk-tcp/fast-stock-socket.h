// SPDX-License-Identifier: GPL-2.0-only
// Defines ns-3's own TCP socket without its scan of the sent list, as a live reference at large
// windows. While nothing is lost, SACKed or sent again, TcpTxBuffer::NextSeg's walk ends behind the
// last segment sent, which is known without the walk. The sender's loop calls AvailableWindow().
// Here that function sends such segments itself, as SendPendingData() does, and then reports no
// window. Everything else is ns-3's.
#pragma once

#include <ns3/tcp-socket-base.h>

namespace ns3
{

class FastStockSocket : public TcpSocketBase
{
  public:
    static TypeId GetTypeId();

    /// Makes a socket on a node with ns-3's TCP, like TcpL4Protocol::CreateSocket, but without
    /// congestion control.
    static Ptr<FastStockSocket> Create(Ptr<Node> node);

  protected:
    uint32_t AvailableWindow() const override;

  private:
    bool NeedsScan() const;
    void SendNew(uint32_t window);
    bool SendOne(uint32_t window);
};

} // namespace ns3
