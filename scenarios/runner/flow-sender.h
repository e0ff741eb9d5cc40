// SPDX-License-Identifier: GPL-2.0-only
// Sends one flow of a scenario over TCP connections of its own: a steady flow keeps each of its
// connections supplied with data, and a flow of messages sends them one after another or as they
// arrive by a Poisson process.
#pragma once

#include "execution/clock.h"
#include "loader/flow-section.h"
#include "runner/message-series.h"
#include "training-network/helper/bearer-kinds.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace geotrain
{

/// FlowSenderSettings are what a flow has in common with others.
struct FlowSenderSettings
{
    Bytes chunk;            ///< a steady flow hands over so many bytes at a time
    std::uint64_t seed = 1; ///< of the arrivals
};

/// FlowSender is one flow.
class FlowSender : protected ns3::TransportObserver
{
  public:
    /// Is called for each message that was delivered, with the flow's number.
    using MessageCallback = std::function<void(const SeriesMessage& message)>;

    /// Makes a flow. All references outlive it.
    static std::unique_ptr<FlowSender> Make(const TransferFlow& flow,
                                            const FlowSenderSettings& settings,
                                            ns3::Bearer& bearer,
                                            Clock& clock,
                                            MessageCallback callback);

    /// Begins to send, over new connections.
    virtual void Begin();

    /// Lets what was handed over be carried, and hands over nothing more.
    void Stop();

    bool HasBegun() const;

    const TransferFlow& Flow() const;

    /// Returns the states of all connections; of a flow with many short ones it takes a while.
    std::vector<ns3::FlowState> States() const;

    /// Returns the payload that the other end has, since the beginning.
    virtual Bytes Delivered() const = 0;

    /// Returns the number of messages that began; 0 for a steady flow.
    virtual std::uint64_t StartedMessages() const;

    /// Returns why a connection gave up; empty where none has.
    const std::string& Failure() const;

    /// Ends the program with a message if bytes were lost or carried twice.
    void CheckConservation() const;

  protected:
    FlowSender(const TransferFlow& flow, ns3::Bearer& bearer, Clock& clock);

    ns3::ConnectionNumber Open();
    void Send(ns3::ConnectionNumber connection, ns3::MessageNumber part, Bytes size);
    bool IsStopped() const;
    Clock& GetClock() const;

    void OnFirstByte(ns3::MessageNumber part) override;
    void OnSent(ns3::MessageNumber part) override;
    void OnDelivered(ns3::MessageNumber part) override;
    void OnDrained(ns3::ConnectionNumber connection) override;
    void OnFailed(ns3::ConnectionNumber connection,
                  ns3::MessageNumber part,
                  const std::string& reason) override;

  private:
    const TransferFlow& m_flow;
    Clock& m_clock;
    std::unique_ptr<ns3::MessageTransport> m_transport;
    std::uint32_t m_connections = 0; ///< that were opened
    bool m_hasBegun = false;
    bool m_isStopped = false;
    std::string m_failure;
};

} // namespace geotrain
