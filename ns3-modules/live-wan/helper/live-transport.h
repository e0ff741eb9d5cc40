// SPDX-License-Identifier: GPL-2.0-only
// Carries messages over the kernel's TCP: the MessageTransport of agents.
#pragma once

#include "live-wan/helper/agent-pool.h"
#include "training-network/helper/transport-options.h"
#include "training-network/model/message-transport.h"
#include "wan/wan-topology.h"

#include <deque>
#include <string>
#include <vector>

namespace ns3
{

/// Returns the kernel's name of the congestion control that does what `typeId` does in simulation:
/// "cubic" of geotrain::TcpCubic. Throws geotrain::ConfigError, which names `file` and `field` and
/// lists those that the kernel has, where it lacks it or there is none such.
std::string KernelCongestionControl(const std::string& typeId,
                                    const std::string& file = "",
                                    const std::string& field = "transport.congestion_control");

/// A LiveTransport has one congestion control and window.
class LiveTransport : public MessageTransport
{
  public:
    /// `agents` and `topology` outlive the transport. Throws as KernelCongestionControl() does.
    LiveTransport(AgentPool& agents,
                  const geotrain::WanTopology& topology,
                  const TransportOptions& options);

    void SetObserver(TransportObserver& observer) override;
    ConnectionNumber Open(geotrain::NodeIndex source,
                          geotrain::NodeIndex destination,
                          std::uint32_t trafficClass) override;
    void Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size) override;
    geotrain::Bytes LeastMessage(geotrain::NodeIndex source,
                                 geotrain::NodeIndex destination,
                                 std::uint32_t connections) const override;
    FlowState State(ConnectionNumber connection) const override;
    void CheckConservation() const override;

  private:
    /// A Pending is a message that is not delivered.
    struct Pending
    {
        MessageNumber message;
        bool isSent = false;
    };

    /// A Connection is one of this transport's.
    struct Connection
    {
        std::uint32_t number;            ///< in the pool
        std::int64_t handedOver = 0;     ///< bytes
        std::deque<Pending> undelivered; ///< in the order of sending
        bool isDrained = false;          ///< told by the sender; the receiver may be later
        std::string failure;             ///< empty: it works
    };

    std::int64_t WindowBetween(geotrain::NodeIndex source, geotrain::NodeIndex destination) const;
    std::uint64_t PacingRateBetween(geotrain::NodeIndex source,
                                    geotrain::NodeIndex destination) const;
    std::uint8_t MarkOf(std::uint32_t trafficClass) const;
    void OnEvent(ConnectionNumber connection, const AgentEvent& event);
    void OnSent(ConnectionNumber connection, MessageNumber message);
    void OnDelivered(ConnectionNumber connection, MessageNumber message);
    void TellIfDrained(ConnectionNumber connection);
    void OnFailed(ConnectionNumber connection, const std::string& reason);

    AgentPool& m_agents;
    const geotrain::WanTopology& m_topology;
    std::string m_control;
    std::int64_t m_window;
    bool m_paces;
    std::optional<geotrain::BitRate> m_mostPacingRate; ///< of connections over the WAN
    TransportObserver* m_observer = nullptr;
    std::vector<Connection> m_connections;
};

} // namespace ns3
