// SPDX-License-Identifier: GPL-2.0-only
// Carries messages with the kernel's TCP over a live WAN.
#pragma once

#include "live-wan/helper/agent-pool.h"
#include "live-wan/helper/live-transport.h"
#include "live-wan/helper/wan-process.h"
#include "training-network/helper/bearer-kinds.h"

#include <memory>

namespace ns3
{

/// LiveBearer is the bearer "live", which has agents in the nodes. UseWallClock() comes before it.
class LiveBearer : public Bearer
{
  public:
    /// `wan` and `nodes` outlive the bearer.
    LiveBearer(WanProcess& wan, const NodeNamespaces& nodes);
    ~LiveBearer() override;

    WanLinks& Links() override;
    std::unique_ptr<MessageTransport> MakeTransport(const TransportOptions& options) override;

    /// Sends a file by the simulated TCP of the WAN's process.
    void SendFile(const SiteFile& file) override;

    /// Returns how late agents read commands, and the executor what they tell.
    Lateness AgentLateness() const;

  private:
    void OnWanEnd();
    void ForgetWan();

    WanProcess& m_wan;
    AgentPool m_agents;
    int m_wanEnd; ///< readable once the WAN's process has ended; -1: not watched
};

} // namespace ns3
