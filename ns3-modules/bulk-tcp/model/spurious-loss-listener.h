// SPDX-License-Identifier: GPL-2.0-only
// Declares what a congestion control implements to restore its own state when a recovery or timeout
// turns out to be spurious (RFC 4015).
#pragma once

#include <ns3/ptr.h>
#include <ns3/tcp-socket-state.h>

namespace ns3
{

/// SpuriousLossListener is a congestion control that restores its own state when a recovery or
/// timeout turns out to be spurious.
class SpuriousLossListener
{
  public:
    virtual ~SpuriousLossListener() = default;

    /// Called when a loss recovery begins, before the control reduces: the control keeps what it
    /// needs for an undo.
    virtual void OnRecoveryBegins(Ptr<TcpSocketState> tcb) = 0;

    /// Called when the last recovery or timeout turns out to be spurious, after the engine has
    /// restored cwnd and ssthresh to their values before it.
    virtual void OnSpuriousRecovery(Ptr<TcpSocketState> tcb) = 0;
};

} // namespace ns3
