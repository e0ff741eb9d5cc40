#include "wan-topology/model/node-shaping.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Instant;

namespace
{

constexpr std::uint32_t noClass = UINT32_MAX;

Bytes
SizeOf(const NodeShaping::Frame& frame)
{
    return Bytes::Of(frame.packet->GetSize());
}

} // namespace

NodeShaping::NodeShaping(Settings settings)
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

NodeShaping::Verdict
NodeShaping::Offer(Instant now, const Frame& frame)
{
    const std::optional<std::uint32_t> remote = RemoteNode(*frame.packet);
    if (!remote)
    {
        return Verdict::Pass;
    }
    if (m_settings.plan->SiteOf(*remote) == m_settings.site)
    {
        return m_settings.intraRate ? Queue(m_intra, now, 0, frame) : Verdict::Pass;
    }
    if (!m_settings.pairRate && !m_settings.wanRate)
    {
        return Verdict::Pass;
    }
    const std::uint32_t number = ClassOf(*remote);
    return m_settings.police ? Police(now, number, SizeOf(frame))
                             : Queue(m_wan, now, number, frame);
}

std::optional<std::uint32_t>
NodeShaping::RemoteNode(const Packet& packet) const
{
    // Addresses of an IPv4 header (RFC 791): source at byte 12, destination at byte 16.
    std::array<std::uint8_t, 20> header;
    if (packet.CopyData(header.data(), header.size()) < header.size())
    {
        return std::nullopt;
    }
    const std::size_t at = m_settings.remote == Remote::Source ? 12 : 16;
    return m_settings.plan->NodeOf(Ipv4Address::Deserialize(&header[at]).Get());
}

NodeShaping::Verdict
NodeShaping::Police(Instant now, std::uint32_t number, Bytes size)
{
    const bool conforms = (m_pairPolicers.empty() || m_pairPolicers[number].Conforms(now, size)) &&
                          (!m_wanPolicer || m_wanPolicer->Conforms(now, size));
    if (!conforms)
    {
        ++m_policed;
        return Verdict::Dropped;
    }
    if (!m_pairPolicers.empty())
    {
        m_pairPolicers[number].Take(size);
    }
    if (m_wanPolicer)
    {
        m_wanPolicer->Take(size);
    }
    return Verdict::Pass;
}

NodeShaping::Verdict
NodeShaping::Queue(Shaper& shaper, Instant now, std::uint32_t number, const Frame& frame)
{
    return shaper.Enqueue(now, number, frame, SizeOf(frame)) ? Verdict::Held : Verdict::Dropped;
}

std::uint32_t
NodeShaping::ClassOf(std::uint32_t remoteNode)
{
    if (remoteNode >= m_classOf.size())
    {
        m_classOf.resize(remoteNode + 1, noClass);
    }
    std::uint32_t& number = m_classOf[remoteNode];
    if (number == noClass)
    {
        number = m_wan.AddClass({m_settings.pairRate, m_settings.wanQueue(remoteNode)});
        if (m_settings.police && m_settings.pairRate)
        {
            m_pairPolicers.emplace_back(*m_settings.pairRate, m_settings.policerBurst);
        }
    }
    return number;
}

std::optional<Instant>
NodeShaping::NextRelease(Instant now) const
{
    const std::optional<Instant> wan = m_wan.NextRelease(now);
    const std::optional<Instant> intra = m_intra.NextRelease(now);
    return wan && intra ? std::min(*wan, *intra) : (wan ? wan : intra);
}

std::optional<NodeShaping::Frame>
NodeShaping::Release(Instant now)
{
    std::optional<Frame> frame = m_wan.Release(now);
    return frame ? frame : m_intra.Release(now);
}

Bytes
NodeShaping::QueuedBytes() const
{
    return m_wan.QueuedBytes() + m_intra.QueuedBytes();
}

std::uint64_t
NodeShaping::Drops() const
{
    return m_wan.Drops() + m_intra.Drops() + m_policed;
}

} // namespace ns3
