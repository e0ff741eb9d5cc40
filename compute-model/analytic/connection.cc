// SPDX-License-Identifier: GPL-2.0-only
// Connects the window, the receiver and the count of bytes in flight.
#include "analytic/connection.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

Connection::Connection(std::unique_ptr<CongestionWindow> window,
                       std::unique_ptr<Receiver> receiver,
                       const TrainLength& trainLength,
                       std::int64_t segment)
    : m_window(std::move(window)),
      m_receiver(std::move(receiver)),
      m_trainLength(trainLength),
      m_segment(std::max<std::int64_t>(1, segment))
{
}

void
Connection::Wake(Instant now, bool hasData)
{
    // An acknowledgement that the receiver held for the longest time has come meanwhile.
    AcknowledgedTrain late;
    late.bytes = m_receiver->ReleaseHeld(now);
    late.firstAcknowledged = now;
    if (late.bytes > 0)
    {
        Acknowledge(late);
    }
    if (hasData && m_sent == 0)
    {
        m_window->Open(now);
    }
    else if (hasData && m_inFlight == 0)
    {
        m_window->RestartAfter(now - m_lastSent, m_sent);
    }
}

std::int64_t
Connection::Allowed() const
{
    return m_window->Size() - m_inFlight;
}

std::int64_t
Connection::Allowed(std::int64_t left) const
{
    const std::int64_t bytes = std::min(left, Allowed());
    return bytes < left ? bytes - bytes % m_segment : bytes;
}

Reception
Connection::Send(Instant now, std::int64_t bytes, Instant first, Instant last, bool endsMessage)
{
    if (m_sent > 0)
    {
        m_receiver->ResumeAfter(now - m_lastSent);
    }
    Reception reception = m_receiver->Receive(bytes, first, last, endsMessage);
    m_sent += bytes;
    reception.train.sentUntil = m_sent;
    m_lastSent = now;
    m_inFlight += bytes;
    m_window->NoteSent(now, bytes, m_sent, m_inFlight);
    return reception;
}

void
Connection::Acknowledge(const AcknowledgedTrain& train)
{
    m_inFlight -= train.bytes;
    m_window->Acknowledge(train, m_sent, m_inFlight);
}

void
Connection::Rest(Duration by)
{
    m_inFlight = 0;
    m_lastSent = m_lastSent - by;
    m_window->MoveBack(by);
    m_receiver->Reset();
}

} // namespace geotrain
