// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/stream-pipe.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Duration;

StreamPipe::StreamPipe(geotrain::Clock& clock,
                       const TransferEstimate& estimate,
                       std::size_t ends,
                       const IsReceiver& isReceiver)
    : m_clock(clock),
      m_bytesPerSecond(estimate.bytesPerSecond),
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
    // Senders hear of it with the next heartbeat.
    m_credits.AddAt(InstantOf(m_heartbeats.Post(m_clock.Now().ToSeconds())),
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
    const auto isEmpty = [](const End& end) { return end.buffers.empty(); };
    if (m_isMoving || std::any_of(m_ends.begin(), m_ends.end(), isEmpty))
    {
        return;
    }
    const auto ofFirst = [](const End& a, const End& b)
    { return a.buffers.front().end < b.buffers.front().end; };
    const std::int64_t next =
        std::min_element(m_ends.begin(), m_ends.end(), ofFirst)->buffers.front().end;
    m_isMoving = true;
    const double seconds = static_cast<double>(next - m_moved) / m_bytesPerSecond;
    m_event = m_clock.Schedule(m_clock.Now() + Duration::Seconds(seconds),
                               [this, next] { OnMoved(next); });
}

void
StreamPipe::OnMoved(std::int64_t moved)
{
    m_isMoving = false;
    m_moved = moved;
    for (End& end : m_ends)
    {
        if (end.buffers.front().end == moved)
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
        m_acknowledgements.AddAt(InstantOf(m_heartbeats.Next(now)), std::move(done));
        return;
    }
    if (done)
    {
        done();
    }
}

geotrain::Instant
StreamPipe::InstantOf(double seconds) const
{
    return std::max(m_clock.Now(), geotrain::Instant() + Duration::Seconds(seconds));
}

} // namespace ns3
