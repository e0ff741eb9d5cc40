// SPDX-License-Identifier: GPL-2.0-only
// Makes light links of a WanTopology, as WanBuilder makes ns-3 nodes and devices of it. Names,
// delays, queues, caps, paths and random losses are the same (WanSettings). Hosts, which send and
// receive the packets, are given: any PacketElement can be one.
//
//     host -> caps (of connections, then of pairs and nodes) -> NIC -> router -> WAN links and routers -> caps -> router's port -> host
//
// Where packets don't go in their order, a LightQueue stands before the link: before all of them where
// the topology has classes of traffic.
#pragma once

#include "wan-topology/helper/wan-settings.h"
#include "wan-topology/model/flow-ends.h"
#include "wan-topology/model/light-link.h"
#include "wan-topology/model/light-queue.h"
#include "wan-topology/model/light-router.h"
#include "wan-topology/model/light-shaper.h"
#include "wan-topology/model/light-share.h"
#include "wan-topology/model/light-source-meter.h"
#include "wan-topology/model/wan-links.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// LightWan is a WAN of light links. Its hosts are the nodes, in their order, and then one host at
/// the router of each site, whose traffic passes no NIC and no cap.
class LightWan : public WanLinks
{
  public:
    static std::size_t HostCount(const geotrain::WanTopology& topology);

    /// `hosts` has HostCount() elements, which outlive the last packet. `file` is named by errors.
    /// Throws geotrain::ConfigError where the topology is not valid. It names no queue disc.
    /// `ledger`, where there is one, outlives the WAN too.
    LightWan(const geotrain::WanTopology& topology,
             const std::vector<PacketElement*>& hosts,
             const std::string& file = "",
             PacketLedger* ledger = nullptr);
    LightWan(const LightWan&) = delete;
    LightWan& operator=(const LightWan&) = delete;

    /// Returns the number of the host at the router of `site`.
    std::uint32_t HostAtRouter(std::uint32_t site) const;

    /// Numbers a connection between two hosts, in the order of the calls.
    FlowNumber AddFlow(const FlowEnds& hosts);

    /// Returns the two ends of a connection, with its mark.
    const FlowEnds& EndsOf(FlowNumber flow) const;

    /// Returns the element that takes the packets of `host`.
    PacketElement& EntryFrom(std::uint32_t host);

    /// Returns whether bursts may go as one record: no link does more than to delay, to drop what its queue
    /// has no room for and to lose at random, and nobody observes its packets. What it refers to lives as
    /// long as this, and becomes false with the first observer (ObservePackets()).
    const bool& TakesBursts() const;

    const geotrain::WanTopology& Topology() const override;
    std::size_t LinkCount() const override;
    const WanLink& LinkAt(std::size_t number) const override;
    WanLinkCounters CountersAt(std::size_t number) const override;
    void ObservePackets(std::size_t number, const PacketObserver& observer) override;
    LinkModel* NicQueue(std::uint32_t node, bool sends) override;
    void BeginSchedules() override;

  private:
    /// Hop is one direction of a link, and what stands before it.
    struct Hop
    {
        WanLink description;
        std::unique_ptr<LightLink> link;
        std::vector<std::unique_ptr<LightShaper>> shapers; ///< of caps, the last one ahead
        std::unique_ptr<LightSourceMeter> meter; ///< of a WAN link
        std::unique_ptr<LightQueue> queue;       ///< none: packets go in their order

        PacketElement& Entry() const;
        bool TakesBursts() const;
    };

    std::unique_ptr<LightLink>
    MakeLink(LinkModel::Settings settings, PacketElement& next, std::uint32_t host) const;
    bool WaitsBefore(const LinkModel::Settings& link) const;
    std::unique_ptr<QueueDiscipline> MakeDiscipline(const LinkModel::Settings& link,
                                                    bool isWan) const;
    void AddQueue(const LinkModel::Settings& link, Hop& hop) const;
    std::uint32_t BucketOf(const PacketRecord& record, std::int64_t buckets) const;
    void MakeWanLinks(const WanSettings& settings);
    void MakeNics(const WanSettings& settings, const std::vector<PacketElement*>& hosts);
    void AddNic(const LinkModel::Settings& link,
                const std::vector<std::optional<NodeShapingSettings>>& caps,
                PacketElement& next,
                std::uint32_t host);
    void AddRoutes(const geotrain::WanPaths& paths);
    void AddWays(const geotrain::WanPaths& paths);
    void SetWays(FlowEnds& flow) const;
    void Reroute();
    PacketElement& EntryOf(const geotrain::WanHop& hop, const geotrain::WanPaths& paths);
    void AddRoutesTo(std::uint32_t host, std::uint32_t site, const geotrain::WanPaths& paths);

    geotrain::WanTopology m_topology;
    std::shared_ptr<const WanAddressPlan> m_plan;
    PacketLedger* m_ledger;
    FlowTable m_flows;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_connections; ///< by ends
    std::vector<LightRouter> m_routers; ///< by site
    std::shared_ptr<const geotrain::WanPaths> m_paths;
    /// Number of the first way of each pair of sites that has routes; the others follow it.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_firstWays;
    bool m_takesBursts = true;
    std::vector<Hop> m_hops;            ///< WAN directions, then each node's NIC and port
    std::map<std::uint32_t, LightShare>
        m_shares; ///< by the hop in m_hops of the first of the links
};

} // namespace ns3
