// What a cloud does to a node's traffic at one side of its NIC: the caps on traffic with other data centres (of each
// node pair, and of the node), by shaping or by dropping what exceeds them, and the rate inside the data centre, always
// by shaping. Each remote node is a class of its own. A function of time; whose classes exist grows with first use.
#pragma once

#include "wan-topology/model/class-shaper.h"
#include "wan-topology/model/policer.h"
#include "wan-topology/model/wan-address-plan.h"

#include <ns3/packet.h>
#include <ns3/ptr.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

class NodeShaping
{
  public:
    /// Which address of a packet names the remote node.
    enum class Remote
    {
        Destination, ///< traffic that leaves the node
        Source       ///< traffic to the node
    };

    struct Settings
    {
        Remote remote = Remote::Destination;
        std::uint32_t site = 0; ///< of the node
        std::shared_ptr<const WanAddressPlan> plan;
        std::optional<geotrain::BitRate> pairRate;  ///< with each node of another site
        std::optional<geotrain::BitRate> wanRate;   ///< with all of them together
        std::optional<geotrain::BitRate> intraRate; ///< with all nodes of the same site together
        std::function<QueueLimit(std::uint32_t remoteNode)> wanQueue;
        QueueLimit intraQueue;
        bool police = false; ///< of pairRate and wanRate
        geotrain::Bytes policerBurst;
        geotrain::Bytes mtu;
    };

    struct Frame
    {
        Ptr<Packet> packet; ///< begins with its IPv4 header
        std::uint16_t protocol = 0;
    };

    enum class Verdict
    {
        Pass, ///< not subject to a shaper: send it now
        Held, ///< comes out of Release()
        Dropped
    };

    explicit NodeShaping(Settings settings);

    Verdict Offer(geotrain::Instant now, const Frame& frame);

    /// As in ClassShaper.
    std::optional<geotrain::Instant> NextRelease(geotrain::Instant now) const;
    std::optional<Frame> Release(geotrain::Instant now);

    geotrain::Bytes QueuedBytes() const;
    std::uint64_t Drops() const;

  private:
    using Shaper = ClassShaper<Frame>;

    std::optional<std::uint32_t> RemoteNode(const Packet& packet) const;
    Verdict Police(geotrain::Instant now, std::uint32_t number, geotrain::Bytes size);
    Verdict Queue(Shaper& shaper, geotrain::Instant now, std::uint32_t number, const Frame& frame);
    std::uint32_t ClassOf(std::uint32_t remoteNode);

    Settings m_settings;
    Shaper m_wan;
    Shaper m_intra;                       ///< one class
    std::vector<std::uint32_t> m_classOf; ///< class number in m_wan of each remote node
    std::optional<Policer> m_wanPolicer;
    std::vector<Policer> m_pairPolicers; ///< by class
    std::uint64_t m_policed = 0;
};

} // namespace ns3
