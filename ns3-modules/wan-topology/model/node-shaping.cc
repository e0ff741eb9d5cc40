// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/node-shaping.h"

#include <array>

namespace ns3
{

geotrain::Bytes
DeviceFrame::Size() const
{
    return geotrain::Bytes::Of(packet->GetSize());
}

std::optional<std::uint32_t>
DeviceFrame::RemoteNode(ShapingRemote remote, const WanAddressPlan& plan) const
{
    // An IPv4 header (RFC 791) has the source at byte 12 and the destination at byte 16.
    std::array<std::uint8_t, 20> header;
    if (packet->CopyData(header.data(), header.size()) < header.size())
    {
        return std::nullopt;
    }
    const std::size_t at = remote == ShapingRemote::Source ? 12 : 16;
    return plan.NodeOf(Ipv4Address::Deserialize(&header[at]).Get());
}

} // namespace ns3
