// SPDX-License-Identifier: GPL-2.0-only
// The pipeline messages of a job that are on their way from one worker to another.
#pragma once

#include "execution/linked-plan.h"
#include "execution/message-carrier.h"
#include "execution/slots.h"

#include <cstdint>
#include <functional>
#include <string>

namespace geotrain
{

/// MessagesInFlight sends the messages of a job and cancels them.
class MessagesInFlight
{
  public:
    /// Is called when a message has ended. `receive` is the position in the receiver's stream.
    /// `failure` is empty if the message is whole there.
    using Callback = std::function<void(const Message& message,
                                        std::size_t receive,
                                        const MessageTimes& times,
                                        const std::string& failure)>;

    /// The references must outlive this.
    MessagesInFlight(const LinkedPlan& plan, MessageCarrier& carrier, Callback callback);

    /// Sends the message of the Send at `position` of the sender's stream.
    void Send(WorkerIndex sender, std::size_t position, std::uint32_t pass);

    /// Cancels all messages.
    void Cancel();

  private:
    struct InFlight
    {
        Message message;
        std::size_t receive = 0;
        MessageCarrier::Handle handle = 0;
    };

    Message MessageOf(WorkerIndex sender, const Instruction& send, std::uint32_t pass);

    const LinkedPlan& m_plan;
    MessageCarrier& m_carrier;
    Callback m_callback;
    Slots<InFlight> m_inFlight;
    std::uint64_t m_sent = 0;
};

} // namespace geotrain
