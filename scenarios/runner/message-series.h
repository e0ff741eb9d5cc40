// SPDX-License-Identifier: GPL-2.0-only
// Sends bulk messages from one node to another, one after another, each striped over several
// connections (execution/striping.h). A warm series sends all messages over the same connections, a
// cold series sends each over new ones.
#pragma once

#include "execution/striping.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// MessageSeriesSettings describe a series of messages.
struct MessageSeriesSettings
{
    NodeIndex source = 0;
    NodeIndex destination = 1;
    Bytes size;                    ///< size of a message, at least 1 byte
    Bytes chunk;                   ///< bytes per connection at a time, where there are several
    std::uint32_t connections = 1; ///< number of connections that share a message
    std::uint32_t messages = 1;    ///< number of messages; 0: the series never ends
    Duration gap;                  ///< time from a delivery to the start of the next message
    bool cold = false; ///< true: the network must have `messages` times as many connections
};

/// A SeriesMessage is a message that was delivered.
struct SeriesMessage
{
    std::uint32_t number = 0; ///< counted from 1
    Bytes size;
    Instant start;       ///< when the network took it
    Instant firstByte;   ///< when its first byte arrived
    Instant sent;        ///< when its last byte was on the wire for the first time
    Instant delivered;   ///< when it was complete at the receiver
    double fairness = 1; ///< Jain's index of its bytes per connection
};

/// MessageSeries sends one series.
class MessageSeries
{
  public:
    /// MessageCallback is called for each message that was delivered.
    using MessageCallback = std::function<void(const SeriesMessage&)>;

    /// `network` must outlive the series; `callback` may be empty.
    MessageSeries(Network& network,
                  const MessageSeriesSettings& settings,
                  MessageCallback callback);

    /// Sends the first message now.
    void Begin();

    /// Returns the number of messages that were delivered so far.
    std::uint32_t DeliveredMessages() const;

    /// Returns the delivered bytes by connection. Cold connections are summed by their place among
    /// the connections of a message.
    const std::vector<double>& DeliveredBytes() const;

    /// Returns why the series ended early; empty where it did not.
    const std::string& Failure() const;

  private:
    void StartMessage();
    void OnChunkDelivered(std::uint32_t place, Bytes chunk);
    void OnEvent(const TransferEvent& event);
    void EndMessage();

    Clock& m_clock;
    Striping m_striping;
    MessageSeriesSettings m_settings;
    MessageCallback m_callback;
    SeriesMessage m_message;            ///< the message in progress
    std::vector<double> m_messageBytes; ///< delivered bytes of this message, by place
    std::vector<double> m_delivered;    ///< delivered bytes of all messages, by place
    std::uint32_t m_messages = 0;       ///< number of delivered messages
    std::string m_failure;
};

} // namespace geotrain
