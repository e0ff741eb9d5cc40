// SPDX-License-Identifier: GPL-2.0-only
// Connects the window, the receiver and the count of bytes in flight.
#include "analytic/connection.h"

#include "analytic/train-length.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr int mostDoublings = 9; // of the timeout, bulk-tcp's

} // namespace

Connection::Connection(const AnalyticConnection& settings, Duration roundTrip, double coarseness)
    : m_segment(std::max<std::int64_t>(1, settings.segment.Count())),
      m_receiveWindow(settings.window.Count()),
      m_coarseness(coarseness),
      m_window(settings, roundTrip),
      m_receiver(m_segment, m_receiveWindow, roundTrip),
      m_recovery(m_segment)
{
}

void
Connection::Wake(Instant now, bool hasData)
{
    // An acknowledgement that the receiver held for the longest time has come meanwhile.
    AcknowledgedTrain late;
    late.bytes = m_receiver.ReleaseHeld(now);
    late.firstAcknowledged = now;
    if (late.bytes > 0)
    {
        Acknowledge(late);
    }
    if (hasData && m_sent == 0)
    {
        m_window.Open(now);
    }
    else if (hasData && m_inFlight == 0)
    {
        m_window.RestartAfter(now - m_lastSent);
    }
}

std::int64_t
Connection::Allowed() const
{
    if (!m_recovery.IsProportional())
    {
        return m_window.Size() - Pipe();
    }
    // Where nothing is on the way nothing would be heard, and no more be allowed than a part of a segment.
    return std::max(m_recovery.Window() - Pipe(), Pipe() == 0 ? m_segment : 0);
}

double
Connection::PacedFor(std::int64_t bytes) const
{
    const double rate = m_window.GetPacing().rate;
    return rate > 0 ? static_cast<double>(bytes) / rate : 0;
}

std::int64_t
Connection::LongestTrain(Duration backlog) const
{
    return geotrain::LongestTrain(m_window.GetPacing(), backlog, m_coarseness);
}

std::int64_t
Connection::Allowed(std::int64_t left) const
{
    std::int64_t bytes = std::min(left, Allowed());
    if (m_recovery.InOrderUntil() < m_sent)
    {
        bytes = std::min(bytes, m_recovery.InOrderUntil() + m_receiveWindow - m_sent);
    }
    return InSegments(bytes, left);
}

std::int64_t
Connection::AllowedAgain(std::int64_t left) const
{
    return InSegments(std::min(left, Allowed()), left);
}

/// Returns whole segments, or all that is `left`.
std::int64_t
Connection::InSegments(std::int64_t bytes, std::int64_t left) const
{
    return bytes < left ? bytes - bytes % m_segment : bytes;
}

Reception
Connection::Send(Instant now, std::int64_t bytes, Instant first, Instant last, bool endsMessage)
{
    if (m_sent > 0)
    {
        m_receiver.ResumeAfter(now - m_lastSent);
    }
    Reception reception = m_receiver.Receive(bytes, first, last, endsMessage);
    m_sent += bytes;
    m_transmitted += bytes;
    reception.train.sentUntil = m_sent;
    reception.train.order = m_transmitted;
    m_lastSent = now;
    m_inFlight += bytes;
    m_recovery.NoteSent(bytes);
    m_window.NoteSent(now, bytes, m_sent, m_inFlight);
    return reception;
}

AcknowledgedTrain
Connection::Repair(Instant now, std::int64_t bytes, const AcknowledgedTrain& lost)
{
    m_transmitted += bytes;
    m_lost -= bytes;
    m_lastSent = now;
    m_recovery.NoteSent(bytes);
    m_window.NoteSent(now, bytes, m_sent, Pipe());
    AcknowledgedTrain train;
    train.bytes = bytes;
    train.acknowledgements = (bytes + m_segment - 1) / m_segment; // at once (RFC 5681, section 4.2)
    train.firstSent = train.lastSent = now;
    train.sentUntil = lost.sentUntil;
    train.order = m_transmitted;
    train.isRepair = true;
    return train;
}

void
Connection::Acknowledge(const AcknowledgedTrain& train)
{
    m_inFlight -= train.bytes;
    m_lastAcknowledged = std::max(m_lastAcknowledged, train.lastAcknowledged);
    const bool wasActive = m_recovery.IsActive();
    m_recovery.Acknowledge(train, Pipe());
    m_window.Acknowledge(train, m_sent, m_inFlight, !m_recovery.IsProportional());
    if (wasActive && !m_recovery.IsActive() && m_lost > 0)
    {
        BeginRecovery(1);
    }
}

Instant
Connection::LearnsOf(const AcknowledgedTrain& train) const
{
    if (Holds())
    {
        return m_lastSent; // what comes behind a hole is acknowledged (RFC 5681, section 4.2)
    }
    const Instant since = std::max(m_lastSent, m_lastAcknowledged);
    if (m_recovery.IsActive())
    {
        return since + m_window.Timeout() * (std::int64_t{1} << std::min(
                                                 mostDoublings, m_recovery.TimeoutsInARow()));
    }
    // The probe itself repairs the loss of one segment. Its acknowledgement tells of more.
    const double answer = train.lost > m_segment ? m_window.GetPacing().roundTrip : 0;
    return since + m_window.ProbeTimeout() +
           Duration::Nanoseconds(static_cast<std::int64_t>(answer));
}

void
Connection::Lose(const AcknowledgedTrain& train, double share)
{
    m_missing -= train.lost;
    m_lost += train.lost;
    if (!m_recovery.IsActive())
    {
        BeginRecovery(share);
    }
}

void
Connection::BeginRecovery(double share)
{
    m_window.Reduce(share, m_inFlight);
    m_recovery.Begin(m_sent, m_inFlight, Pipe(), m_window.Size());
}

void
Connection::TimeOut()
{
    m_recovery.TimeOut();
    m_window.Collapse();
}

void
Connection::Rest(Duration by)
{
    m_inFlight = 0;
    m_missing = 0;
    m_lost = 0;
    m_recovery.Reset();
    m_lastSent = m_lastSent - by;
    m_lastAcknowledged = m_lastAcknowledged - by;
    m_window.MoveBack(by);
    m_receiver.Reset();
}

} // namespace geotrain
