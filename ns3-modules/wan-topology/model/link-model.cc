// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/link-model.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

LinkModel::LinkModel(const Settings& settings)
    : m_isPlain(!settings.IsMoreThanLoss() && !settings.learned),
      m_hasLimit(settings.queue.packets != QueueLimit().packets ||
                 settings.queue.bytes != QueueLimit().bytes),
      m_delay(settings.delay),
      m_lossRate(settings.lossRate),
      m_clock(settings.rate),
      m_loss(settings.seed, "wan-link-loss", settings.name),
      m_settings(settings),
      m_impaired(settings.IsMoreThanLoss() ? std::make_unique<ImpairedLink>(settings) : nullptr),
      m_learned(settings.learned ? std::make_unique<LearnedDirection>(settings) : nullptr)
{
}

bool
LinkModel::HasRoom(Instant now, Bytes size)
{
    m_waiting.Forget(now);
    return m_clock.FreeAt() <= now || m_waiting.HasRoom(m_settings.queue, size);
}

void
LinkModel::Wait(Instant until, Bytes size)
{
    m_waiting.Add(until, size);
}

/// Draws whether a packet is lost at random, and counts it.
bool
LinkModel::Loses(Bytes size)
{
    if (m_loss.Uniform() >= m_lossRate)
    {
        return false;
    }
    ++m_counters.lostPackets;
    m_counters.lostBytes += size.Count();
    return true;
}

LinkModel::Outcome
LinkModel::Drop(Bytes size)
{
    ++m_counters.queueDrops;
    m_counters.queueDropBytes += size.Count();
    Outcome outcome;
    outcome.verdict = Verdict::QueueFull;
    return outcome;
}

LinkModel::Outcome
LinkModel::OfferOther(Instant now, Bytes size, bool ecnCapable)
{
    return m_learned ? m_learned->Offer(now, size) : m_impaired->Offer(now, size, ecnCapable);
}

/// Sends a burst where none of its packets can be dropped or lost.
LinkModel::Piece
LinkModel::SendUnbounded(Instant now, const Burst& burst)
{
    const std::int64_t followers = burst.count - 1;
    const Bytes rest = Bytes::Of(burst.size.Count() * followers);
    m_counters.acceptedPackets += burst.count;
    m_counters.acceptedBytes += (burst.size + rest).Count();
    const Instant begin = std::max(m_clock.FreeAt(), now);
    const Instant first = m_clock.Send(now, burst.size);
    const Instant last = m_clock.Send(now, rest);
    const Duration alone = first - begin;
    const Duration lastWait = std::max(last - alone - (now + burst.spread), Duration());
    m_counters.queueingNs += ((begin - now) + lastWait).ToNanoseconds() * burst.count / 2;
    return {0,
            burst.count,
            true,
            first + m_delay,
            std::max(last, now + burst.spread + alone) + m_delay};
}

Instant
LinkModel::Carry(Instant now, Bytes size)
{
    if (!m_isPlain)
    {
        throw std::logic_error("an impaired link carries packets alone");
    }
    m_counters.acceptedBytes += size.Count();
    return m_clock.Send(now, size);
}

bool
LinkModel::MayReorder() const
{
    return m_settings.jitter && m_settings.jitter->reorders;
}

bool
LinkModel::MayMark() const
{
    return m_settings.step || (m_settings.red && m_settings.red->ecn) ||
           (m_settings.coDel && m_settings.coDel->ecn) || (m_settings.pie && m_settings.pie->ecn);
}

Bytes
LinkModel::Backlog(Instant now) const
{
    if (m_learned)
    {
        return m_learned->Backlog(now);
    }
    return m_impaired ? m_impaired->Backlog(now) : m_clock.Backlog(now);
}

Instant
LinkModel::FreeAt() const
{
    if (m_learned)
    {
        return Instant();
    }
    return m_impaired ? m_impaired->FreeAt() : m_clock.FreeAt();
}

Bytes
LinkModel::SentBytes(Instant now) const
{
    const Bytes inOutages = m_impaired ? m_impaired->SentInOutages(now) : Bytes();
    return Bytes::Of(GetCounters().acceptedBytes) - Backlog(now) - inOutages;
}

const LinkModel::Counters&
LinkModel::OtherCounters() const
{
    return m_learned ? m_learned->GetCounters() : m_impaired->GetCounters();
}

} // namespace ns3
