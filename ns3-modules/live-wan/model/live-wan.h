// SPDX-License-Identifier: GPL-2.0-only
// Carries real frames over the light links of a WAN by the wall clock. A frame that a node sends
// becomes a packet record at the time when the kernel took it; the record travels over the same
// links, caps, queues and losses as in a simulation, and the frame leaves to its destination when
// the record arrives there. Links tell classes of traffic by the marks of the frames (RFC 2474).
// Simulated time follows the wall clock, so that a loop that wakes late
// is late only at the end of a packet's way, which is measured.
#pragma once

#include "bulk-tcp/helper/express-wan.h"
#include "live-wan/model/frame-pool.h"
#include "live-wan/model/live-wan-report.h"
#include "live-wan/model/packet-port.h"
#include "wan-topology/model/packet-ledger.h"

#include <ns3/pcap-file.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// A LiveWan connects one port a node. A process can have only one, since ns-3's simulator is
/// global.
class LiveWan : private PacketLedger
{
  public:
    /// `ports` has one port a node, in their order, and outlives the WAN. `report` is shared with
    /// whoever reads it. Throws geotrain::ConfigError, which names `file`, where the topology is
    /// not valid.
    LiveWan(const geotrain::WanTopology& topology,
            const std::vector<PacketPort*>& ports,
            LiveWanReport& report,
            const std::string& file = "");
    ~LiveWan() override;

    /// Carries frames until `isOver` holds, which is asked at least every 10 ms.
    void Run(const std::function<bool()>& isOver);

    /// Returns the links, whose schedules begin with BeginSchedules().
    LightWan& Links();

    /// Returns the links and the simulated connections between routers over them.
    ExpressWan& Express();

    /// Wakes the WAN when `descriptor` is readable, so that it asks whether it is over.
    void WakeOn(int descriptor);

    /// Records what the port of `node` takes and gives in `path` (pcap, Ethernet).
    void Capture(std::uint32_t node, const std::string& path);

  private:
    /// A Host is a node's end of the light WAN.
    class Host : public PacketElement
    {
      public:
        Host(LiveWan& wan, std::uint32_t node);
        void Receive(const PacketRecord& record) override;

      private:
        LiveWan& m_wan;
        std::uint32_t m_node;
    };

    /// A Taken is a packet that a port took.
    struct Taken
    {
        std::int64_t atNs;
        std::uint32_t node;
        PacketRecord record;
    };

    /// A Due is a frame that waits for the next flush of its port.
    struct Due
    {
        std::int64_t dueNs;
        FramePool::FrameNumber frame;
    };

    void Dropped(const PacketRecord& record) override;
    void Copied(const PacketRecord& record) override;
    bool IsOfFrame(const PacketRecord& record) const;

    FlowNumber FlowOf(std::uint32_t source, std::uint32_t destination, std::uint8_t dscp) const;
    std::int64_t WallNs() const;
    void Take(std::uint32_t node, const PacketPort::Frame& frame);
    void CarryTaken();
    void AdvanceTo(std::int64_t ns);
    void Give(std::uint32_t node, const PacketRecord& record);
    void Flush();
    void Flush(std::uint32_t node);
    void Rest();
    void AwaitFrames();
    void WritePcap(std::uint32_t node, std::int64_t atNs, const std::uint8_t* bytes);

    std::vector<PacketPort*> m_ports;
    LiveWanReport& m_report;
    FramePool m_frames;
    std::vector<std::unique_ptr<Host>> m_hosts;
    std::unique_ptr<ExpressWan> m_links;
    std::vector<FlowNumber> m_flows; ///< by source, destination and class of traffic
    std::vector<Taken> m_taken;
    std::vector<std::vector<Due>> m_due; ///< by node
    std::vector<std::uint32_t> m_dueNodes;
    std::vector<std::uint32_t> m_ready; ///< nodes whose ports may have frames
    std::map<std::uint32_t, PcapFile> m_captures;
    std::int64_t m_startNs = 0;    ///< CLOCK_MONOTONIC at time 0
    std::int64_t m_realtimeNs = 0; ///< CLOCK_REALTIME at time 0
    std::int64_t m_wokeNs = 0;     ///< time when it last had waited for frames
    int m_poll = -1;
};

} // namespace ns3
