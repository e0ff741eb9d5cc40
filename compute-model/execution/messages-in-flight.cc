// SPDX-License-Identifier: GPL-2.0-only
#include "execution/messages-in-flight.h"

#include <utility>

namespace geotrain
{

MessagesInFlight::MessagesInFlight(const LinkedPlan& plan,
                                   MessageCarrier& carrier,
                                   Callback callback)
    : m_plan(plan),
      m_carrier(carrier),
      m_callback(std::move(callback))
{
}

Message
MessagesInFlight::MessageOf(WorkerIndex sender, const Instruction& send, std::uint32_t pass)
{
    const auto& workers = m_plan.Plan().workers;
    Message message;
    message.number = ++m_sent;
    message.iteration = m_plan.IterationOf(pass, send);
    message.sender = sender;
    message.receiver = send.peer;
    message.source = workers[sender].node;
    message.destination = workers[send.peer].node;
    message.payload = send.payload;
    message.stage = send.stage;
    message.microbatch = send.microbatch;
    message.size = send.size;
    return message;
}

void
MessagesInFlight::Send(WorkerIndex sender, std::size_t position, std::uint32_t pass)
{
    const auto slot = m_inFlight.Add({MessageOf(sender, m_plan.StreamOf(sender)[position], pass),
                                      m_plan.ReceiveOf(sender, position),
                                      0});
    InFlight& inFlight = *m_inFlight.Find(slot);
    inFlight.handle =
        m_carrier.Send(inFlight.message,
                       [this, slot](const MessageTimes& times, const std::string& failure)
                       {
                           const InFlight ended = m_inFlight.Take(slot);
                           m_callback(ended.message, ended.receive, times, failure);
                       });
}

void
MessagesInFlight::Cancel()
{
    for (const auto slot : m_inFlight.Handles())
    {
        m_carrier.Cancel(m_inFlight.Take(slot).handle);
    }
}

} // namespace geotrain
