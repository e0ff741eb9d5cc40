// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/shared-links.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

constexpr double rounding = 1e-9; // share of a rate

} // namespace

SharedLinks::SharedLinks(std::vector<double> rates)
    : m_rates(std::move(rates))
{
}

std::size_t
SharedLinks::Add(SharedStream stream, std::function<void()> changed, Queues queues)
{
    m_streams.push_back({std::move(stream), std::move(changed), std::move(queues)});
    return m_streams.size() - 1;
}

void
SharedLinks::SetMost(std::size_t stream, double most)
{
    m_streams[stream].asks.most = most;
}

std::uint64_t
SharedLinks::NextTurn()
{
    return m_turns++;
}

void
SharedLinks::Move(std::size_t stream, std::uint64_t turn, bool hasSpent)
{
    Stream& moving = m_streams[stream];
    if (moving.isMoving && moving.turn == turn && moving.hasSpent == hasSpent)
    {
        return;
    }
    moving.isMoving = true;
    moving.turn = turn;
    moving.hasSpent = hasSpent;
    ShareAnew(stream);
}

void
SharedLinks::Stop(std::size_t stream)
{
    if (std::exchange(m_streams[stream].isMoving, false))
    {
        ShareAnew(stream);
    }
}

/// Shares after `stream` has changed, and tells those others whose rates do.
void
SharedLinks::ShareAnew(std::size_t stream)
{
    const std::vector<double> rates = Share();
    std::vector<std::size_t> changed;
    for (std::size_t number = 0; number < m_streams.size(); ++number)
    {
        if (number != stream && m_streams[number].rate != rates[number])
        {
            changed.push_back(number);
        }
        m_streams[number].rate = rates[number];
    }
    for (const std::size_t number : changed)
    {
        m_streams[number].changed();
    }
}

double
SharedLinks::RateOf(std::size_t stream) const
{
    return m_streams[stream].rate;
}

double
SharedLinks::SendRate(std::size_t stream) const
{
    const SharedStream& asks = m_streams[stream].asks;
    double heartbeats = 0; // bytes per second
    for (const Stream& other : m_streams)
    {
        for (const LinkLoad& load : other.asks.loads)
        {
            heartbeats += load.link == asks.nic ? load.bytesPerSecond : 0;
        }
    }
    return asks.nic ? asks.sent * (1 - heartbeats / m_rates[*asks.nic]) : asks.most;
}

double
SharedLinks::NicWait(std::size_t stream) const
{
    const std::optional<std::size_t> nic = m_streams[stream].asks.heartbeatNic;
    double wait = 0;
    for (const Stream& other : m_streams)
    {
        if (nic && other.isMoving && other.asks.nic == nic && other.queues.inNic)
        {
            wait = std::max(wait, other.queues.inNic());
        }
    }
    return wait;
}

double
SharedLinks::HeartbeatWait(std::size_t stream) const
{
    const std::optional<std::size_t> link = m_streams[stream].asks.heartbeats;
    double waiting = 0; // bytes of payload
    double rate = 0;
    double packet = 0;
    for (const Stream& other : m_streams)
    {
        for (const LinkUse& use : other.asks.uses)
        {
            if (other.isMoving && link == use.link && !use.isBack)
            {
                waiting += other.queues.inLinks ? other.queues.inLinks() : 0;
                rate += other.rate;
                packet = std::max(packet, other.asks.packet * use.bytesPerByte);
            }
        }
    }
    return link ? packet / 2 / m_rates[*link] + (rate > 0 ? waiting / rate : 0) : 0;
}

/// Returns the seconds that a heartbeat waits on a link whose streams have filled its queue with
/// their windows, but for what fits into a loop: those that send more than it carries.
double
SharedLinks::FullWindowsWait(std::size_t link) const
{
    double windows = 0;
    double sent = 0; // bytes per second
    double loop = std::numeric_limits<double>::infinity();
    for (const Stream& other : m_streams)
    {
        for (const LinkUse& use : other.asks.uses)
        {
            if (other.isMoving && link == use.link && !use.isBack)
            {
                windows += other.asks.window * use.bytesPerByte;
                sent += std::max(other.asks.sent, other.asks.most) * use.bytesPerByte;
                loop = std::min(loop, other.asks.loop);
            }
        }
    }
    const bool isFilled = sent > m_rates[link] * (1 + rounding);
    return isFilled ? std::max(0.0, windows / m_rates[link] - loop) : 0;
}

/// What waits for heartbeats has a longer loop, and so less of its window a second.
double
SharedLinks::MostOf(std::size_t stream) const
{
    const SharedStream& asks = m_streams[stream].asks;
    if (!asks.heartbeats || !m_streams[stream].hasSpent)
    {
        return asks.most;
    }
    const double wait = FullWindowsWait(*asks.heartbeats);
    return wait > 0 ? std::min(asks.most, asks.window / (asks.loop + wait)) : asks.most;
}

/// Returns the streams that move: those that share, with the first of those that go in turn, and then
/// one after another.
std::vector<std::vector<std::size_t>>
SharedLinks::Turns() const
{
    std::vector<std::size_t> sharing;
    std::vector<std::size_t> inTurn;
    for (std::size_t stream = 0; stream < m_streams.size(); ++stream)
    {
        if (m_streams[stream].isMoving)
        {
            (m_streams[stream].asks.goesInTurn ? inTurn : sharing).push_back(stream);
        }
    }
    std::sort(inTurn.begin(),
              inTurn.end(),
              [this](std::size_t a, std::size_t b)
              { return m_streams[a].turn < m_streams[b].turn; });
    std::vector<std::vector<std::size_t>> turns{sharing};
    for (const std::size_t stream : inTurn)
    {
        if (stream != inTurn.front())
        {
            turns.emplace_back();
        }
        turns.back().push_back(stream);
    }
    return turns;
}

std::vector<double>
SharedLinks::LeftByHeartbeats() const
{
    // Share of a link that data keep, an estimate: it counts only where heartbeats alone ask for more
    // than nine tenths. Where they ask for all, their queue over packets grows for ever, so that no
    // share is right, and one above zero lets the run end.
    constexpr double least = 0.1;
    std::vector<double> left = m_rates;
    for (const Stream& stream : m_streams)
    {
        for (const LinkLoad& load : stream.asks.loads)
        {
            left[load.link] -= stream.isMoving ? load.bytesPerSecond : 0;
        }
    }
    for (std::size_t link = 0; link < left.size(); ++link)
    {
        left[link] = std::max(left[link], m_rates[link] * least);
    }
    return left;
}

/// Raises the rates of the streams of a turn together; those that can have no more stay behind.
std::vector<double>
SharedLinks::Share() const
{
    std::vector<double> rates(m_streams.size());
    std::vector<double> left = LeftByHeartbeats();
    for (std::vector<std::size_t> rising : Turns())
    {
        for (double level = 0; !rising.empty();)
        {
            level += Rise(rising, level, left);
            for (const std::size_t stream : rising)
            {
                rates[stream] = level;
            }
            const auto stays = [&](std::size_t stream) { return MayNotRise(stream, level, left); };
            rising.erase(std::remove_if(rising.begin(), rising.end(), stays), rising.end());
        }
    }
    return rates;
}

/// Returns by how much `rising` rise above `level` until one of them can have no more, and takes that
/// from what is left of links.
double
SharedLinks::Rise(const std::vector<std::size_t>& rising,
                  double level,
                  std::vector<double>& left) const
{
    std::vector<double> load(left.size()); // bytes of a link for a byte of each
    double rise = std::numeric_limits<double>::infinity();
    for (const std::size_t stream : rising)
    {
        rise = std::min(rise, MostOf(stream) - level);
        for (const LinkUse& use : m_streams[stream].asks.uses)
        {
            load[use.link] += use.bytesPerByte;
        }
    }
    for (std::size_t link = 0; link < load.size(); ++link)
    {
        rise = load[link] > 0 ? std::min(rise, left[link] / load[link]) : rise;
    }
    for (std::size_t link = 0; link < load.size(); ++link)
    {
        left[link] -= load[link] * rise;
        left[link] = left[link] > rounding * m_rates[link] ? left[link] : 0;
    }
    return rise;
}

bool
SharedLinks::MayNotRise(std::size_t stream, double level, const std::vector<double>& left) const
{
    const std::vector<LinkUse>& uses = m_streams[stream].asks.uses;
    return level >= MostOf(stream) * (1 - rounding) ||
           std::any_of(
               uses.begin(), uses.end(), [&](const LinkUse& use) { return left[use.link] <= 0; });
}

} // namespace ns3
