// SPDX-License-Identifier: GPL-2.0-only
// Keeps when the messages of a measurement between two stages were there, and says what they take on
// their ways: one by one while windows open, and in the steady state behind that.
#pragma once

#include "execution/execution-observer.h"

#include <cstddef>
#include <vector>

namespace geotrain
{

/// MessagesByWay are the messages of ways that carry as many, in the order of their arrivals. Those of
/// activations have even numbers, those of gradients odd ones. Times are in seconds, and means over the
/// ways.
class MessagesByWay
{
  public:
    /// A Record is one message.
    struct Record
    {
        double latency = 0;   ///< s, from its sending (its turn) to its arrival
        double delivered = 0; ///< s
    };

    /// `ways` hold at least one message each.
    explicit MessagesByWay(std::vector<std::vector<Record>> ways);

    /// Returns the number of messages of a way.
    std::size_t Places() const;

    /// Returns the latency of the messages of a place, counted from 0.
    double LatencyAt(std::size_t place) const;

    /// Returns the time between the arrivals of an activation and of the one before it.
    double IntervalBefore(std::size_t place) const;

    /// Returns the median latency of the later half: losses while windows opened make some late.
    double LaterLatency() const;

    /// Returns the time between the messages of the later half, in the direction where it is shorter,
    /// since losses while windows opened make the other one late; 0 where a way has one message.
    double LaterInterval() const;

  private:
    std::size_t LaterHalf() const;

    std::vector<std::vector<Record>> m_ways;
};

/// MessageLog keeps when messages were there, by sender.
class MessageLog : public ExecutionObserver
{
  public:
    void MessageDelivered(const Message& message, const MessageTimes& times) override;

    /// Returns the messages of each way. Workers of a stage share one if they take turns.
    MessagesByWay ByWay(bool takesTurns) const;

  private:
    std::vector<std::vector<MessagesByWay::Record>> m_bySender;
};

} // namespace geotrain
