// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/stream-pipe.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Duration;

StreamPipe::StreamPipe(geotrain::Clock& clock,
                       const TransferEstimate& estimate,
                       SharedLinks& links,
                       SharedStream stream,
                       std::size_t ends,
                       const IsReceiver& isReceiver)
    : m_clock(clock),
      m_links(links),
      m_stream(links.Add(std::move(stream), [this] { OnChanged(); })),
      m_acknowledgesEach(estimate.acknowledgesEach),
      m_heartbeats(estimate.interval),
      m_credits(clock, Duration::Seconds(estimate.back)),
      m_arrivals(clock, Duration::Seconds(estimate.there)),
      m_acknowledgements(clock, Duration::Seconds(estimate.back)),
      m_ends(ends)
{
    for (std::size_t end = 0; end < ends; ++end)
    {
        m_ends[end].isReceiver = isReceiver(end);
    }
}

StreamPipe::~StreamPipe()
{
    if (m_isMoving)
    {
        m_clock.Cancel(m_event);
    }
}

void
StreamPipe::Give(std::size_t end, geotrain::Bytes length, std::function<void()> done)
{
    if (!m_ends[end].isReceiver)
    {
        Add(m_ends[end], length, std::move(done));
        return;
    }
    // Senders hear of it with the next heartbeat, or with the acknowledgement of the next packet.
    const double now = m_clock.Now().ToSeconds();
    const double heartbeat = m_heartbeats.Post(now);
    m_credits.AddAt(AfterQueue(m_acknowledgesEach && m_isMoving ? now : heartbeat, m_lastCredit),
                    [this, end, length, done = std::move(done)]() mutable
                    { Add(m_ends[end], length, std::move(done)); });
}

void
StreamPipe::Add(End& end, geotrain::Bytes length, std::function<void()> done)
{
    end.given += length.Count();
    end.buffers.push_back({end.given, std::move(done)});
    Move();
}

/// Moves the bytes up to the end of the first buffer that ends.
void
StreamPipe::Move()
{
    if (m_isMoving)
    {
        return;
    }
    const auto isEmpty = [](const End& end) { return end.buffers.empty(); };
    if (std::any_of(m_ends.begin(), m_ends.end(), isEmpty))
    {
        m_links.SetMoving(m_stream, false);
        return;
    }
    const auto ofFirst = [](const End& a, const End& b)
    { return a.buffers.front().end < b.buffers.front().end; };
    m_next = std::min_element(m_ends.begin(), m_ends.end(), ofFirst)->buffers.front().end;
    m_left = static_cast<double>(m_next - m_moved);
    m_isMoving = true;
    m_links.SetMoving(m_stream, true);
    AwaitMoved();
}

void
StreamPipe::AwaitMoved()
{
    m_rate = m_links.RateOf(m_stream);
    m_asOf = m_clock.Now();
    m_event = m_rate > 0 ? m_clock.Schedule(m_asOf + Duration::Seconds(m_left / m_rate),
                                            [this] { OnMoved(); })
                         : 0; // until it is its turn
}

/// Goes on at the rate that links now give.
void
StreamPipe::OnChanged()
{
    if (m_isMoving)
    {
        const double moved = (m_clock.Now() - m_asOf).ToSeconds() * m_rate;
        m_left = std::max(0.0, m_left - moved);
        m_clock.Cancel(m_event);
        AwaitMoved();
    }
}

void
StreamPipe::OnMoved()
{
    m_isMoving = false;
    m_moved = m_next;
    for (End& end : m_ends)
    {
        if (end.buffers.front().end == m_moved)
        {
            m_arrivals.Add([this,
                            isReceiver = end.isReceiver,
                            done = std::move(end.buffers.front().done)]() mutable
                           { OnArrived(isReceiver, std::move(done)); });
            end.buffers.pop_front();
        }
    }
    Move();
}

/// Ends a buffer whose last packet has arrived.
void
StreamPipe::OnArrived(bool isReceiver, std::function<void()> done)
{
    const double now = m_clock.Now().ToSeconds();
    if (isReceiver)
    {
        m_heartbeats.Fill(now);
    }
    else if (done)
    {
        const double heartbeat = m_acknowledgesEach ? now : m_heartbeats.Next(now);
        m_acknowledgements.AddAt(AfterQueue(heartbeat, m_lastAcknowledgement), std::move(done));
        return;
    }
    if (done)
    {
        done();
    }
}

/// Returns when a heartbeat of `at` has left the queue, behind the one before, which is `last`.
geotrain::Instant
StreamPipe::AfterQueue(double at, double& last) const
{
    last = std::max(last, at + m_links.HeartbeatWait(m_stream));
    return std::max(m_clock.Now(), geotrain::Instant() + Duration::Seconds(last));
}

} // namespace ns3
