// SPDX-License-Identifier: GPL-2.0-only
// Models a NIC that keeps what comes for a connection and interrupts its host a while after the first packet
// (ethtool's rx-usecs), so that TCP takes what has come in runs (ReceiveOffload). The last packet of a
// message, which is pushed, interrupts at once. A burst of several packets counts as its packets, each at
// its time.
#pragma once

#include "bulk-tcp/model/receive-offload.h"
#include "wan-topology/model/reusable-event.h"

#include "units/duration.h"

#include <cstdint>
#include <functional>

namespace ns3
{

/// InterruptCoalescing is such a NIC, for one connection.
class InterruptCoalescing
{
  public:
    /// Takes a run of so many packets.
    using Host = std::function<void(const PacketRecord& run, std::uint32_t packets)>;

    /// The NIC interrupts `wait` after the first packet since the last interrupt.
    InterruptCoalescing(geotrain::Duration wait, Host host);

    void Receive(const PacketRecord& data);

  private:
    void Keep(const PacketRecord& data);
    bool CutLate(const PacketRecord& burst);
    void TakeLate();
    void Add(const PacketRecord& data);
    void Interrupt();

    std::int64_t m_waitNs;
    Host m_host;
    ReceiveOffload m_kept;
    LazyTimer m_interrupt;
    PacketRecord m_late{}; ///< packets of a burst that come behind the next interrupt; empty: none
    LazyTimer m_lateTimer; ///< of the first of them
};

} // namespace ns3
