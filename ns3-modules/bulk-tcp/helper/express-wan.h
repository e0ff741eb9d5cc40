// SPDX-License-Identifier: GPL-2.0-only
// Makes light links of a WanTopology and puts bulk-tcp connections on them: what WanBuilder does with ns-3 nodes and
// devices. Names, delays, queues, caps, paths and random losses are the same (WanSettings).
//
//     sender -> caps -> NIC -> router -> WAN links and routers -> caps -> router's port -> receiver
#pragma once

#include "bulk-tcp/model/express-host.h"
#include "bulk-tcp/model/express-link.h"
#include "bulk-tcp/model/express-router.h"
#include "bulk-tcp/model/express-shaper.h"
#include "bulk-tcp/model/express-source-meter.h"
#include "wan-topology/helper/wan-settings.h"
#include "wan-topology/model/wan-links.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class ExpressWan : public WanLinks
{
  public:
    /// `file` is named by errors. Throws geotrain::ConfigError where the topology is not valid. It
    /// names no queue disc.
    ExpressWan(const geotrain::WanTopology& topology, const std::string& file = "");
    ExpressWan(const ExpressWan&) = delete;
    ExpressWan& operator=(const ExpressWan&) = delete;

    /// A connection between two nodes, numbered in the order of the calls. `options` has the
    /// topology's MTU; the events outlive the last packet.
    FlowNumber Open(const FlowEnds& ends,
                    const BulkTcpOptions& options,
                    Ptr<TcpCongestionOps> control,
                    BulkSenderEvents& senderEvents,
                    BulkReceiverEvents& receiverEvents);

    /// The same between the routers of two sites, of traffic that no node of the topology sends: it
    /// passes no NIC and no cap.
    FlowNumber OpenBetweenSites(const FlowEnds& sites,
                                const BulkTcpOptions& options,
                                Ptr<TcpCongestionOps> control,
                                BulkSenderEvents& senderEvents,
                                BulkReceiverEvents& receiverEvents);

    std::size_t FlowCount() const;
    BulkSender& Sender(FlowNumber flow);
    const BulkSender& Sender(FlowNumber flow) const;
    const BulkReceiver& Receiver(FlowNumber flow) const;

    /// Ends the program unless what each connection has sent is what its receiver has got, once.
    void CheckConservation() const;

    const geotrain::WanTopology& Topology() const override;
    std::size_t LinkCount() const override;
    const WanLink& LinkAt(std::size_t number) const override;
    WanLinkCounters CountersAt(std::size_t number) const override;

  private:
    /// One direction, and what stands before it.
    struct Hop
    {
        WanLink description;
        std::unique_ptr<ExpressLink> link;
        std::unique_ptr<ExpressShaper> shaper;     ///< none: no caps
        std::unique_ptr<ExpressSourceMeter> meter; ///< of a WAN link

        PacketElement& Entry() const;
    };

    LinkModel& ModelAt(std::size_t number) override;
    void MakeWanLinks(const WanSettings& settings);
    void MakeNics(const WanSettings& settings);
    void AddNic(const LinkModel::Settings& link,
                const std::optional<NodeShapingSettings>& shaping,
                PacketElement& next);
    void AddRoutes(const geotrain::WanPaths& paths);
    void AddSiteRoutes(const geotrain::WanPaths& paths);
    FlowNumber AddFlow(const FlowEnds& ends,
                       PacketElement& fromSource,
                       PacketElement& fromDestination,
                       const BulkTcpOptions& options,
                       Ptr<TcpCongestionOps> control,
                       BulkSenderEvents& senderEvents,
                       BulkReceiverEvents& receiverEvents);

    geotrain::WanTopology m_topology;
    std::shared_ptr<const WanAddressPlan> m_plan;
    FlowTable m_flows;
    std::vector<ExpressHost> m_hosts;     ///< by node, then one at each site's router
    std::vector<ExpressRouter> m_routers; ///< by site
    std::vector<Hop> m_hops;              ///< WAN directions, then each node's NIC and port
    std::vector<std::unique_ptr<BulkSender>> m_senders; ///< by flow
    std::vector<std::unique_ptr<BulkReceiver>> m_receivers;
};

} // namespace ns3
