// SPDX-License-Identifier: GPL-2.0-only
// Models what a cloud does to a node's traffic at one side of its NIC. It caps traffic with other
// data centres (per node pair, and per node), by shaping or by dropping what exceeds the caps, and
// it always shapes the rate inside the data centre. Each remote node, or each connection, is a class
// of its own. It is a function of time; a class comes into being with its first packet.
#pragma once

#include "wan-topology/model/class-shaper.h"
#include "wan-topology/model/policer.h"
#include "wan-topology/model/wan-address-plan.h"

#include <ns3/packet.h>
#include <ns3/ptr.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/// ShapingRemote says which end of a packet is the remote node.
enum class ShapingRemote
{
    Destination, ///< for traffic that leaves the node
    Source       ///< for traffic to the node
};

/// ShapingClasses say what has a queue and a rate of its own.
enum class ShapingClasses
{
    RemoteNodes,
    Connections ///< of packet records; devices have no such caps
};

/// A DeviceFrame is a packet as an ns-3 device carries it.
struct DeviceFrame
{
    Ptr<Packet> packet; ///< begins with its IPv4 header
    std::uint16_t protocol = 0;

    using Held = DeviceFrame;

    const Held& ToHeld() const
    {
        return *this;
    }

    geotrain::Bytes Size() const;

    std::uint32_t Packets() const
    {
        return 1;
    }

    int Rank() const
    {
        return 0;
    }

    std::uint32_t ClassNumber(ShapingClasses /*classes*/, std::uint32_t remoteNode) const
    {
        return remoteNode;
    }

    /// Returns nothing where the address belongs to no node.
    std::optional<std::uint32_t> RemoteNode(ShapingRemote remote, const WanAddressPlan& plan) const;
};

/// NodeShapingSettings are the caps of one node in one direction.
struct NodeShapingSettings
{
    ShapingRemote remote = ShapingRemote::Destination;
    std::uint32_t site = 0; ///< the node's site
    std::shared_ptr<const WanAddressPlan> plan;
    ShapingClasses classes = ShapingClasses::RemoteNodes;
    std::optional<geotrain::BitRate> classRate; ///< cap of each class with another site
    std::optional<geotrain::BitRate> wanRate;   ///< cap with all of them together
    std::optional<geotrain::BitRate> intraRate; ///< cap with all nodes of the same site together
    std::function<QueueLimit(std::uint32_t remoteNode)> wanQueue;
    QueueLimit intraQueue;
    bool police = false; ///< classRate and wanRate drop instead of shaping
    geotrain::Bytes policerBurst;
    geotrain::Bytes mtu;
};

/// BasicNodeShaping shapes or polices one direction of one node's traffic. `FrameType` is a packet
/// with the functions that DeviceFrame has; `Held` is what a queue keeps of it.
template <typename FrameType>
class BasicNodeShaping
{
  public:
    using Remote = ShapingRemote;
    using Settings = NodeShapingSettings;
    using Frame = FrameType;
    using Held = typename Frame::Held;

    enum class Verdict
    {
        Pass, ///< send it at once
        Held, ///< comes out of ReleaseTo()
        Dropped
    };

    explicit BasicNodeShaping(Settings settings)
        : m_settings(std::move(settings)),
          m_wan(m_settings.police ? std::nullopt : m_settings.wanRate, m_settings.mtu),
          m_intra(m_settings.intraRate, m_settings.mtu)
    {
        m_intra.AddClass({std::nullopt, m_settings.intraQueue});
        if (m_settings.police && m_settings.wanRate)
        {
            m_wanPolicer.emplace(*m_settings.wanRate, m_settings.policerBurst);
        }
    }

    Verdict Offer(geotrain::Instant now, const Frame& frame)
    {
        m_lastLeaves = now;
        const std::optional<std::uint32_t> remote =
            frame.RemoteNode(m_settings.remote, *m_settings.plan);
        if (!remote)
        {
            return Verdict::Pass;
        }
        if (m_settings.plan->SiteOf(*remote) == m_settings.site)
        {
            return m_settings.intraRate ? Queue(m_intra, now, 0, frame) : Verdict::Pass;
        }
        if (!m_settings.classRate && !m_settings.wanRate)
        {
            return Verdict::Pass;
        }
        const std::uint32_t number =
            ClassOf(frame.ClassNumber(m_settings.classes, *remote), *remote);
        return m_settings.police ? Police(now, number, frame.Size())
                                 : Queue(m_wan, now, number, frame);
    }

    /// Returns the least of the rates that shape such a frame; none: none does.
    std::optional<geotrain::BitRate> RateOf(const Frame& frame) const
    {
        const std::optional<std::uint32_t> remote =
            frame.RemoteNode(m_settings.remote, *m_settings.plan);
        if (remote && m_settings.plan->SiteOf(*remote) == m_settings.site)
        {
            return m_settings.intraRate;
        }
        return m_settings.classRate && m_settings.wanRate
                   ? std::min(*m_settings.classRate, *m_settings.wanRate)
                   : (m_settings.classRate ? m_settings.classRate : m_settings.wanRate);
    }

    bool Polices() const
    {
        return m_settings.police;
    }

    /// Does the same as in ClassShaper.
    std::optional<geotrain::Instant> NextRelease(geotrain::Instant now) const
    {
        if (m_intra.IsEmpty())
        {
            return m_wan.NextRelease(now);
        }
        const geotrain::Instant intra = m_intra.NextOfQueued(now);
        return m_wan.IsEmpty() ? intra : std::min(intra, m_wan.NextOfQueued(now));
    }

    /// Returns when the last packet of a frame leaves that has just got the verdict Pass.
    geotrain::Instant LastLeaves() const
    {
        return m_lastLeaves;
    }

    template <typename Give>
    bool ReleaseTo(geotrain::Instant now, const Give& give)
    {
        return m_wan.ReleaseTo(now, give) || m_intra.ReleaseTo(now, give);
    }

    geotrain::Bytes QueuedBytes() const
    {
        return m_wan.QueuedBytes() + m_intra.QueuedBytes();
    }

    std::uint64_t Drops() const
    {
        return m_wan.Drops() + m_intra.Drops() + m_policed;
    }

  private:
    using Shaper = ClassShaper<Held>;

    static constexpr std::uint32_t s_noClass = UINT32_MAX;

    Verdict Police(geotrain::Instant now, std::uint32_t number, geotrain::Bytes size)
    {
        const bool conforms =
            (m_classPolicers.empty() || m_classPolicers[number].Conforms(now, size)) &&
            (!m_wanPolicer || m_wanPolicer->Conforms(now, size));
        if (!conforms)
        {
            ++m_policed;
            return Verdict::Dropped;
        }
        if (!m_classPolicers.empty())
        {
            m_classPolicers[number].Take(size);
        }
        if (m_wanPolicer)
        {
            m_wanPolicer->Take(size);
        }
        return Verdict::Pass;
    }

    Verdict Queue(Shaper& shaper, geotrain::Instant now, std::uint32_t number, const Frame& frame)
    {
        if (shaper.Pass(now, number, frame.Size(), frame.Packets()))
        {
            m_lastLeaves = shaper.LastLeaves();
            return Verdict::Pass;
        }
        return shaper.Enqueue(
                   now, number, frame.ToHeld(), frame.Size(), frame.Rank(), frame.Packets())
                   ? Verdict::Held
                   : Verdict::Dropped;
    }

    /// Returns the class in m_wan of the frames that say they are of class `ofFrame`.
    std::uint32_t ClassOf(std::uint32_t ofFrame, std::uint32_t remoteNode)
    {
        if (ofFrame >= m_classOf.size())
        {
            m_classOf.resize(ofFrame + 1, s_noClass);
        }
        std::uint32_t& number = m_classOf[ofFrame];
        if (number == s_noClass)
        {
            number = m_wan.AddClass({m_settings.classRate, m_settings.wanQueue(remoteNode)});
            if (m_settings.police && m_settings.classRate)
            {
                m_classPolicers.emplace_back(*m_settings.classRate, m_settings.policerBurst);
            }
        }
        return number;
    }

    Settings m_settings;
    geotrain::Instant m_lastLeaves;
    Shaper m_wan;
    Shaper m_intra;                       ///< one class
    std::vector<std::uint32_t> m_classOf; ///< class number in m_wan by that of the frames
    std::optional<Policer> m_wanPolicer;
    std::vector<Policer> m_classPolicers; ///< by class in m_wan
    std::uint64_t m_policed = 0;
};

using NodeShaping = BasicNodeShaping<DeviceFrame>;

} // namespace ns3
