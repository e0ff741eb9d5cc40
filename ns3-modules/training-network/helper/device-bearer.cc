// SPDX-License-Identifier: GPL-2.0-only
// Builds the ns-3 nodes and links, and opens sockets on the nodes.
#include "training-network/helper/device-bearer.h"

#include "training-network/model/device-sockets.h"
#include "training-network/model/stock-sockets.h"
#include "training-network/model/stream-transport.h"
#include "wan-topology/helper/wan-builder.h"

namespace ns3
{

namespace
{

std::unique_ptr<StreamSockets>
SocketsOfBulkTcp(const TransportOptions& options, geotrain::Bytes mtu)
{
    return std::make_unique<DeviceSockets>(
        options.ForBulkTcp(mtu), options.streamName.empty() ? "bulk-transport" : options.streamName);
}

std::unique_ptr<StreamSockets>
SocketsOfNs3(const TransportOptions& options, geotrain::Bytes mtu)
{
    return std::make_unique<StockSockets>(
        options.ForStock(mtu), options.streamName.empty() ? "stock-transport" : options.streamName);
}

} // namespace

std::unique_ptr<Bearer>
DeviceBearer::MakeWithBulkTcp(const geotrain::WanTopology& topology, const std::string& file)
{
    return std::make_unique<DeviceBearer>(topology, file, &SocketsOfBulkTcp);
}

std::unique_ptr<Bearer>
DeviceBearer::MakeWithStockTcp(const geotrain::WanTopology& topology, const std::string& file)
{
    return std::make_unique<DeviceBearer>(topology, file, &SocketsOfNs3);
}

DeviceBearer::DeviceBearer(const geotrain::WanTopology& topology,
                           const std::string& file,
                           MakeSockets makeSockets)
    : m_wan(WanBuilder(topology, file).Build()),
      m_makeSockets(makeSockets)
{
}

WanLinks&
DeviceBearer::Links()
{
    return m_wan;
}

std::unique_ptr<MessageTransport>
DeviceBearer::MakeTransport(const TransportOptions& options)
{
    std::vector<TransportNode> nodes;
    for (std::uint32_t node = 0; node < m_wan.Topology().NodeCount(); ++node)
    {
        nodes.push_back({m_wan.NodeAt(node), m_wan.AddressOf(node)});
    }
    std::vector<std::uint8_t> marks;
    for (const geotrain::TrafficClass& one : m_wan.Topology().classes)
    {
        marks.push_back(one.dscp);
    }
    return std::make_unique<StreamTransport>(
        std::move(nodes), m_makeSockets(options, m_wan.Topology().mtu), std::move(marks));
}

} // namespace ns3
