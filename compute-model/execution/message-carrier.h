// SPDX-License-Identifier: GPL-2.0-only
// How pipeline messages cross the network: spatially (each pipeline over its own node pair) or by
// turns (Atlas's temporal sharing).
#pragma once

#include "execution/execution-observer.h"

#include <cstdint>
#include <functional>
#include <string>

namespace geotrain
{

class MessageCarrier
{
  public:
    /// `failure` is empty when the message is whole at its receiver.
    using Callback = std::function<void(const MessageTimes&, const std::string& failure)>;

    /// Names a message of one carrier; that of a message that has ended names nothing.
    using Handle = std::uint64_t;

    virtual ~MessageCarrier() = default;

    /// Carries a message that is ready now. `callback` is called once, after Send has returned.
    virtual Handle Send(const Message& message, Callback callback) = 0;

    /// The message's callback does not come any more, and what is on the way of it is cancelled.
    /// One that has ended is ignored.
    virtual void Cancel(Handle message) = 0;
};

} // namespace geotrain
