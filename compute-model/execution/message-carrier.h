// How pipeline messages cross the network: spatially (each pipeline over its own node pair) or by turns
// (Atlas's temporal sharing).
#pragma once

#include "execution/execution-observer.h"

#include <functional>
#include <string>

namespace geotrain
{

class MessageCarrier
{
  public:
    /// `failure` is empty when the message is whole at its receiver.
    using Callback = std::function<void(const MessageTimes&, const std::string& failure)>;

    virtual ~MessageCarrier() = default;

    /// Carries a message that is ready now. `callback` is called once, after Send has returned.
    virtual void Send(const Message& message, Callback callback) = 0;
};

} // namespace geotrain
