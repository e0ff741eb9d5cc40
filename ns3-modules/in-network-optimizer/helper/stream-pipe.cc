// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/stream-pipe.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

using geotrain::Duration;

StreamPipe::StreamPipe(geotrain::Clock& clock,
                       const TransferEstimate& estimate,
                       SharedLinks& links,
                       SharedStream stream,
                       std::size_t ends,
                       const IsReceiver& isReceiver,
                       HeartbeatPath* path)
    : m_clock(clock),
      m_links(links),
      m_window(stream.window),
      m_loop(stream.loop),
      m_packet(stream.packet),
      m_stream(links.Add(std::move(stream),
                         [this] { OnChanged(); },
                         {[this] { return InNic(); }, [this] { return Ahead(); }})),
      m_estimate(estimate),
      m_heartbeats(estimate.interval),
      m_path(path),
      m_heartbeatsToCome(clock, Duration()),
      m_heartbeatsNow(clock, Duration()),
      m_heartbeatsSent(clock, Duration()),
      m_arrivals(clock, Duration::Seconds(estimate.there)),
      m_ends(ends)
{
    for (std::size_t end = 0; end < ends; ++end)
    {
        m_ends[end].isReceiver = isReceiver(end);
    }
    if (m_path)
    {
        m_path->Watch(m_heartbeats);
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
    Buffer buffer{length, m_links.NextTurn(), std::move(done)};
    if (!m_ends[end].isReceiver)
    {
        Add(m_ends[end], std::move(buffer));
        return;
    }
    // Senders hear of it with the next heartbeat, or with the acknowledgement of the next packet.
    const double now = m_clock.Now().ToSeconds();
    m_isFirst = m_heartbeats.IsSilent(now);
    const double heartbeat = m_heartbeats.Post(now);
    SendHeartbeat(m_estimate.acknowledgesEach && m_isMoving ? now : heartbeat,
                  [this, end, buffer = std::move(buffer)]() mutable
                  { Add(m_ends[end], std::move(buffer)); });
}

void
StreamPipe::Add(End& end, Buffer buffer)
{
    end.given += buffer.length.Count();
    buffer.end = end.given;
    end.buffers.push_back(std::move(buffer));
    Move();
}

/// Returns the turn of the request that senders are at.
std::uint64_t
StreamPipe::Turn() const
{
    const auto sender =
        std::find_if(m_ends.begin(), m_ends.end(), [](const End& end) { return !end.isReceiver; });
    return sender->buffers.front().turn;
}

/// Begins to move after standing still. Where switches keep heartbeats, a window's loop depends on when
/// they tick.
void
StreamPipe::Begin()
{
    m_ahead = 0;
    m_began = m_clock.Now().ToSeconds();
    m_windowEnd = m_moved + static_cast<std::int64_t>(m_window);
    if (m_path)
    {
        const double heartbeat = m_heartbeats.Next(m_began);
        const double back = m_path->Heard(heartbeat, 0) - heartbeat;
        m_links.SetMost(
            m_stream, m_estimate.RateOfLoop(back + m_packet / m_estimate.line + m_estimate.there));
    }
}

/// Moves the bytes up to the end of the first buffer that ends, or of the first window.
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
        m_stands = true;
        m_links.Stop(m_stream);
        return;
    }
    if (std::exchange(m_stands, false))
    {
        Begin();
    }
    const auto ofFirst = [](const End& a, const End& b)
    { return a.buffers.front().end < b.buffers.front().end; };
    m_next = std::min_element(m_ends.begin(), m_ends.end(), ofFirst)->buffers.front().end;
    const bool hasSpent = m_moved >= m_windowEnd;
    m_next = hasSpent ? m_next : std::min(m_next, m_windowEnd);
    m_left = static_cast<double>(m_next - m_moved);
    m_isMoving = true;
    m_links.Move(m_stream, Turn(), hasSpent);
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

/// Counts what moved since it was counted last.
void
StreamPipe::CountMoved()
{
    m_ahead = Ahead();
    m_left = std::max(0.0, m_left - (m_clock.Now() - m_asOf).ToSeconds() * m_rate);
    m_asOf = m_clock.Now();
}

/// Returns the bytes that have buffers at all ends and that links have not carried yet.
double
StreamPipe::ToCome() const
{
    const auto least = [](const End& a, const End& b) { return a.given < b.given; };
    const auto given = std::min_element(m_ends.begin(), m_ends.end(), least)->given;
    const double moved = (m_clock.Now() - m_asOf).ToSeconds() * m_rate;
    return std::max(0.0, static_cast<double>(given - m_next) + m_left - moved);
}

/// Returns the bytes that have left the senders' NICs and that links have not carried yet. Senders
/// go on at their own line until they have sent all or a window is under way.
double
StreamPipe::Ahead() const
{
    const double ahead =
        m_ahead + (m_links.SendRate(m_stream) - m_rate) * (m_clock.Now() - m_asOf).ToSeconds();
    return std::max(0.0, std::min({ahead, ToCome(), m_window - m_rate * m_loop}));
}

/// Returns the seconds that what a NIC holds takes: it gets 16 packets, and 8 more whenever 8 are
/// left (model/nic-pacer.h).
double
StreamPipe::InNic() const
{
    const double line = m_links.SendRate(m_stream);
    const double packet = m_packet / line; // seconds
    const double sinceFill = std::fmod(m_clock.Now().ToSeconds() - m_began, 8 * packet);
    return std::min(16 * packet - sinceFill, (ToCome() - Ahead()) / line);
}

/// Goes on at the rate that links now give.
void
StreamPipe::OnChanged()
{
    if (m_isMoving)
    {
        CountMoved();
        m_clock.Cancel(m_event);
        AwaitMoved();
    }
}

void
StreamPipe::OnMoved()
{
    CountMoved();
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
        SendHeartbeat(m_estimate.acknowledgesEach ? now : m_heartbeats.Next(now), std::move(done));
        return;
    }
    if (done)
    {
        done();
    }
}

/// Sends a heartbeat at `at`, in seconds, and calls `heard` when senders hear it. What waits in its
/// way is known when it goes, after all that happens at that time.
void
StreamPipe::SendHeartbeat(double at, std::function<void()> heard)
{
    const auto instant = std::max(m_clock.Now(), geotrain::Instant() + Duration::Seconds(at));
    const bool isFirst = std::exchange(m_isFirst, false);
    auto& line = instant > m_clock.Now() ? m_heartbeatsToCome : m_heartbeatsNow;
    line.AddAt(instant, [this, isFirst, heard = std::move(heard)] { OnHeartbeat(isFirst, heard); });
}

/// Sends a heartbeat now. `isFirst` says whether receivers were silent before.
void
StreamPipe::OnHeartbeat(bool isFirst, const std::function<void()>& heard)
{
    const double now = m_clock.Now().ToSeconds();
    const double inNic = m_links.NicWait(m_stream);
    const double onLinks = m_links.HeartbeatWait(m_stream);
    if (m_path && isFirst)
    {
        m_path->Begin(now, inNic, onLinks);
    }
    const double left = now + inNic;
    const double end = m_path ? m_path->Heard(left, onLinks) : left + onLinks + m_estimate.back;
    m_lastHeard = std::max(m_lastHeard, geotrain::Instant() + Duration::Seconds(end));
    m_heartbeatsSent.AddAt(m_lastHeard, heard);
}

} // namespace ns3
