// SPDX-License-Identifier: GPL-2.0-only
// Holds connections of bulk-tcp whose packets are records: their senders, their receivers, and the
// hosts that give them their packets. The caller provides the links between the hosts.
#pragma once

#include "bulk-tcp/model/bulk-receiver.h"
#include "bulk-tcp/model/bulk-sender.h"
#include "wan-topology/model/flow-ends.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/// FlowPath names the elements to which the two ends of a connection give their packets.
struct FlowPath
{
    FlowEnds ends; ///< hosts
    PacketElement& fromSource;
    PacketElement& fromDestination;
    const bool* takesBursts = nullptr; ///< as in FlowExit, of fromSource
};

/// FlowEvents name who hears what happens at the two ends of a connection.
struct FlowEvents
{
    BulkSenderEvents& ofSender;
    BulkReceiverEvents& ofReceiver;
};

/// ExpressFlows are the connections between a number of hosts.
class ExpressFlows
{
  public:
    explicit ExpressFlows(std::size_t hosts);
    ExpressFlows(const ExpressFlows&) = delete;
    ExpressFlows& operator=(const ExpressFlows&) = delete;

    PacketElement& Host(std::uint32_t number);
    std::vector<PacketElement*> Hosts();

    /// Makes the ends of connection `flow`, which must not be open. The elements of `path` and those
    /// who hear the events outlive the last packet.
    void Open(FlowNumber flow,
              const FlowPath& path,
              const BulkTcpOptions& options,
              Ptr<TcpCongestionOps> control,
              const FlowEvents& events);

    BulkSender& Sender(FlowNumber flow);
    const BulkSender& Sender(FlowNumber flow) const;
    const BulkReceiver& Receiver(FlowNumber flow) const;

    /// Ends the program unless each receiver has got every byte that its sender has sent exactly
    /// once.
    void CheckConservation() const;

  private:
    struct Connection
    {
        std::unique_ptr<BulkSender> sender;
        std::unique_ptr<BulkReceiver> receiver;
        std::uint32_t source = 0;      ///< host of the sender
        std::uint32_t destination = 0; ///< host of the receiver
    };

    /// A LocalHost gives the packets that come to it to the ends of their connections.
    class LocalHost : public PacketElement
    {
      public:
        LocalHost(std::uint32_t number, const std::vector<Connection>& connections)
            : m_number(number),
              m_connections(connections)
        {
        }

        void Receive(const PacketRecord& record) override;

      private:
        std::uint32_t m_number;
        const std::vector<Connection>& m_connections;
    };

    std::vector<LocalHost> m_hosts;
    std::vector<Connection> m_connections; ///< by flow; empty: the flow is not of bulk-tcp
};

} // namespace ns3
