// SPDX-License-Identifier: GPL-2.0-only
// Says how pipeline messages cross the network: spatially (each pipeline over its own node pair) or
// by turns (Atlas's temporal sharing).
#pragma once

#include "execution/execution-observer.h"

#include <cstdint>
#include <functional>
#include <string>

namespace geotrain
{

/// A MessageCarrier carries the pipeline messages of one job.
class MessageCarrier
{
  public:
    /// Is called when a message has ended. `failure` is empty if it is whole at its receiver.
    using Callback = std::function<void(const MessageTimes&, const std::string& failure)>;

    /// A Handle names a message of one carrier. The handle of a message that has ended names
    /// nothing.
    using Handle = std::uint64_t;

    virtual ~MessageCarrier() = default;

    /// Carries a message that is ready now. `callback` is called once, after Send has returned.
    virtual Handle Send(const Message& message, Callback callback) = 0;

    /// Cancels what is on the way of the message, whose callback is not called any more. A message
    /// that has ended is ignored.
    virtual void Cancel(Handle message) = 0;
};

} // namespace geotrain
