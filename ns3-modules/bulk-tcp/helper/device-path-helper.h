// SPDX-License-Identifier: GPL-2.0-only
// ExpressPathHelper's twin over the device bearer: two hosts with a row of links between them, an
// IPv4 router between two links, and connections that share the path. Links have the same names,
// and so the same random losses.
#pragma once

#include "bulk-tcp/helper/express-path-helper.h"
#include "bulk-tcp/model/bulk-tcp-socket.h"
#include "wan-topology/model/wan-link-device.h"

#include <ns3/node-container.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class DevicePathHelper
{
  public:
    /// As ExpressPathHelper::AddLink.
    void AddLink(const LinkModel::Settings& forward, const LinkModel::Settings& backward);
    void AddLink(const LinkModel::Settings& both);

    /// The queue disc (ns-3 TypeId) in which packets wait at every device; without it they wait in
    /// the devices.
    void SetQueueDisc(const std::string& type);

    /// Builds nodes and devices for IP packets of `mtu` bytes. Once; no more links may be added.
    void Build(geotrain::Bytes mtu);

    /// A connection from the near host to the far one, numbered in the order of the calls.
    FlowNumber AddFlow(const BulkTcpOptions& options, std::uint64_t seed = 1);
    FlowNumber AddFlow(const BulkTcpOptions& options, Ptr<TcpCongestionOps> control);

    /// Hands over a message of `size` bytes, at least 1; the log tells when it has been read.
    void Send(FlowNumber flow, std::uint64_t message, std::uint64_t size);

    /// FINs follow the last bytes, both ways.
    void Close(FlowNumber flow);

    const BulkTcpSocket& Sender(FlowNumber flow) const;
    /// Null before the connection has come to the far host.
    const BulkTcpSocket* Receiver(FlowNumber flow) const;
    NodeContainer Nodes() const; ///< the near host, routers, the far host
    Ptr<WanLinkDevice> Forward(std::size_t hop) const;
    TransferLog& Log();

    /// Ends the program unless what each connection has sent is what its receiver has got, once.
    void CheckConservation() const;

  private:
    struct Message
    {
        std::uint64_t number;
        std::uint64_t end; ///< in the stream
    };

    struct Flow
    {
        Ptr<BulkTcpSocket> sender;
        Ptr<BulkTcpSocket> receiver;
        std::deque<Message> messages; ///< not read whole
        std::uint64_t handedOver = 0; ///< bytes
        std::uint64_t written = 0;    ///< to the socket
        std::uint64_t read = 0;
        bool closing = false;
    };

    void AddHop(std::size_t hop, geotrain::Bytes mtu);
    void Write(Flow& flow);
    void OnAccepted(Flow& flow, Ptr<Socket> socket);
    void OnReadable(Flow& flow, Ptr<Socket> socket);
    void OnError(Flow& flow);

    std::vector<LinkModel::Settings> m_forwardSettings;
    std::vector<LinkModel::Settings> m_backwardSettings;
    std::string m_queueDisc;
    NodeContainer m_nodes;
    std::vector<Ptr<WanLinkDevice>> m_forward;
    TransferLog m_log;
    std::vector<std::unique_ptr<Flow>> m_flows;
};

} // namespace ns3
