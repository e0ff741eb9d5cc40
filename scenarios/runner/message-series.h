// SPDX-License-Identifier: GPL-2.0-only
// Bulk messages from one node to another, one after another, each striped over several connections
// (execution/striping.h). Warm: all messages over the same connections. Cold: each over new ones.
#pragma once

#include "execution/striping.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

struct MessageSeriesSettings
{
    NodeIndex source = 0;
    NodeIndex destination = 1;
    Bytes size;                    ///< of a message, at least 1 byte
    Bytes chunk;                   ///< what a connection takes at a time, where there are several
    std::uint32_t connections = 1; ///< that share a message
    std::uint32_t messages = 1;    ///< 0: without end
    Duration gap;                  ///< from a delivery to the next message
    bool cold = false;             ///< the network then has `messages` times as many connections
};

/// A message that was delivered.
struct SeriesMessage
{
    std::uint32_t number = 0; ///< from 1
    Instant start;
    Instant firstByte;
    Instant sent;
    Instant delivered;
    double fairness = 1; ///< Jain's index of its bytes on each connection
};

class MessageSeries
{
  public:
    using MessageCallback = std::function<void(const SeriesMessage&)>;

    /// `network` outlives the series; `callback` may be empty.
    MessageSeries(Network& network,
                  const MessageSeriesSettings& settings,
                  MessageCallback callback);

    /// Sends the first message now.
    void Begin();

    std::uint32_t DeliveredMessages() const;

    /// By connection, of cold ones by its place among a message's.
    const std::vector<double>& DeliveredBytes() const;

    /// Why it ended early; empty: it did not.
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
    SeriesMessage m_message;            ///< in work
    std::vector<double> m_messageBytes; ///< delivered of the message in work, by place
    std::vector<double> m_delivered;    ///< by place
    std::uint32_t m_messages = 0;       ///< delivered
    std::string m_failure;
};

} // namespace geotrain
