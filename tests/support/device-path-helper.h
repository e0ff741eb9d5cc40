// SPDX-License-Identifier: GPL-2.0-only
// Builds the same path as ExpressPathHelper over ns-3 devices: two hosts with a row of links
// between them, an IPv4 router between two links, and connections that share the path. Links have
// the same names, and so the same random losses.
#pragma once

#include "bulk-tcp/model/bulk-tcp-socket.h"
#include "express-path-helper.h"
#include "wan-topology/model/wan-link-device.h"

#include <ns3/node-container.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// DevicePathHelper builds one path and its connections.
class DevicePathHelper
{
  public:
    /// These do the same as ExpressPathHelper::AddLink.
    void AddLink(const LinkModel::Settings& forward, const LinkModel::Settings& backward);
    void AddLink(const LinkModel::Settings& both);

    /// Sets the queue disc (ns-3 TypeId) in which packets wait at every device. Without it they
    /// wait in the devices.
    void SetQueueDisc(const std::string& type);

    /// Builds nodes and devices for IP packets of `mtu` bytes. Call it once, after all links were
    /// added.
    void Build(geotrain::Bytes mtu);

    /// Adds a connection from the near host to the far one. Connections are numbered in the order
    /// of the calls.
    FlowNumber AddFlow(const BulkTcpOptions& options, std::uint64_t seed = 1);
    FlowNumber AddFlow(const BulkTcpOptions& options, Ptr<TcpCongestionOps> control);

    /// Hands over a message of `size` bytes, at least 1. The log tells when it has been read.
    void Send(FlowNumber flow, std::uint64_t message, std::uint64_t size);

    /// Closes the connection: a FIN follows the last byte in each direction.
    void Close(FlowNumber flow);

    const BulkTcpSocket& Sender(FlowNumber flow) const;
    /// Returns the far socket; null before the connection has reached the far host.
    const BulkTcpSocket* Receiver(FlowNumber flow) const;
    NodeContainer Nodes() const; ///< the near host, the routers, the far host
    Ptr<WanLinkDevice> Forward(std::size_t hop) const;
    TransferLog& Log();

    /// Ends the program unless each receiver has got every byte that its sender has sent exactly
    /// once.
    void CheckConservation() const;

  private:
    struct Message
    {
        std::uint64_t number;
        std::uint64_t end; ///< offset in the stream
    };

    struct Flow
    {
        Ptr<BulkTcpSocket> sender;
        Ptr<BulkTcpSocket> receiver;
        std::deque<Message> messages; ///< messages that are not read as a whole
        std::uint64_t handedOver = 0; ///< bytes
        std::uint64_t written = 0;    ///< bytes written to the socket
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
