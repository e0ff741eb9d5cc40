// SPDX-License-Identifier: GPL-2.0-only
// Builds the shortest way to a bulk transfer: two hosts with a row of links between them, and
// connections that share it.
#pragma once

#include "bulk-tcp/helper/express-flows.h"
#include "wan-topology/model/light-link.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

/// TransferLog keeps what the connections of a path have told.
class TransferLog : public BulkSenderEvents, public BulkReceiverEvents
{
  public:
    void OnDelivered(std::uint64_t message) override;
    void OnDrained(FlowNumber flow) override;
    void OnFailed(FlowNumber flow, std::uint64_t message) override;

    std::vector<std::uint64_t> delivered;  ///< messages in the order of delivery
    std::vector<std::int64_t> deliveredNs; ///< times of delivery, in the same order
    std::vector<std::uint64_t> failed;
    std::int64_t drainedNs = 0; ///< when the last connection was drained
    std::function<void(std::uint64_t message)> whenDelivered; ///< may be empty
};

/// ExpressPathHelper builds one path and opens connections over it.
class ExpressPathHelper
{
  public:
    /// Adds a link at the far end. `both` is for the same link in both directions, whose names then
    /// end in ">" and "<".
    void AddLink(const LinkModel::Settings& forward, const LinkModel::Settings& backward);
    void AddLink(const LinkModel::Settings& both);

    /// Puts an element before the first forward link. `make` gets the element that comes next.
    using MakeElement = std::function<std::unique_ptr<PacketElement>(PacketElement& next)>;
    void PutBeforeForward(const MakeElement& make);

    /// Builds the links; no more may be added. Call it once.
    void Build();

    /// Adds a connection from the near host to the far one. Connections are numbered in the order
    /// of the calls.
    FlowNumber AddFlow(const BulkTcpOptions& options, std::uint64_t seed = 1);
    FlowNumber AddFlow(const BulkTcpOptions& options, Ptr<TcpCongestionOps> control);

    BulkSender& Sender(FlowNumber flow);
    const BulkReceiver& Receiver(FlowNumber flow) const;
    const LightLink& Forward(std::size_t hop) const;
    TransferLog& Log();

    /// Ends the program unless each receiver has got every byte that its sender has sent exactly
    /// once.
    void CheckConservation() const;

  private:
    static constexpr std::uint32_t s_near = 0;
    static constexpr std::uint32_t s_far = 1;

    std::vector<LinkModel::Settings> m_forwardSettings;
    std::vector<LinkModel::Settings> m_backwardSettings;
    ExpressFlows m_flows{2};
    FlowNumber m_flowCount = 0;
    std::vector<std::unique_ptr<LightLink>> m_forward;  ///< the last hop first
    std::vector<std::unique_ptr<LightLink>> m_backward; ///< the last hop first
    MakeElement m_make;
    std::unique_ptr<PacketElement> m_before;
    bool m_takesBursts = false;
    PacketElement* m_toFar = nullptr;
    PacketElement* m_toNear = nullptr;
    TransferLog m_log;
};

} // namespace ns3
