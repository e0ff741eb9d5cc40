// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/stream-pipe.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Duration;

StreamPipe::StreamPipe(geotrain::Clock& clock, const TransferEstimate& estimate, std::size_t ends)
    : m_clock(clock),
      m_bytesPerSecond(estimate.bytesPerSecond),
      m_loop(clock, Duration::Seconds(estimate.loopSeconds)),
      m_ends(ends)
{
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
    End& giver = m_ends[end];
    giver.given += length.Count();
    giver.buffers.push_back({giver.given, std::move(done)});
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
            if (end.buffers.front().done)
            {
                m_loop.Add(std::move(end.buffers.front().done));
            }
            end.buffers.pop_front();
        }
    }
    Move();
}

} // namespace ns3
