// SPDX-License-Identifier: GPL-2.0-only
// Puts connections of bulk-tcp on the light links of a WanTopology.
#pragma once

#include "bulk-tcp/helper/express-flows.h"
#include "wan-topology/helper/light-wan.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// ExpressWan is a WAN of light links and the connections over it.
class ExpressWan
{
  public:
    /// `nodes` stand in the place of the first hosts, which then have no connections; `ledger` may be
    /// null. Throws geotrain::ConfigError as LightWan does.
    explicit ExpressWan(const geotrain::WanTopology& topology,
                        const std::string& file = "",
                        const std::vector<PacketElement*>& nodes = {},
                        PacketLedger* ledger = nullptr);

    /// Opens a connection between two hosts. Connections are numbered in the order of the calls.
    /// `options` must have the topology's MTU. Those who hear the events outlive the last
    /// packet.
    FlowNumber Open(const FlowEnds& hosts,
                    const BulkTcpOptions& options,
                    Ptr<TcpCongestionOps> control,
                    const FlowEvents& events);

    /// Sends a message of `bytes` on a connection.
    void Send(FlowNumber flow, std::uint64_t message, std::uint64_t bytes);

    LightWan& Links();
    ExpressFlows& Flows();
    const ExpressFlows& Flows() const;

  private:
    PacketElement& EntryFrom(std::uint32_t host, geotrain::Duration delay);

    ExpressFlows m_flows;
    LightWan m_links;
    /// Between hosts and their NICs, of connections with a round trip of their own.
    std::vector<std::unique_ptr<LightLink>> m_delays;
};

} // namespace ns3
