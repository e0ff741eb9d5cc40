// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/impaired-link.h"

#include <algorithm>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;
using geotrain::RandomStream;

namespace
{

const Duration apart = Duration::Nanoseconds(
    1); ///< least distance of arrivals that jitter or duplication brings together

} // namespace

ImpairedLink::ImpairedLink(const LinkSettings& settings)
    : m_settings(settings),
      m_clock(
          LinkSchedule(settings.rate, settings.rates, settings.outages, settings.scheduleBegin)),
      m_loss(settings.seed, "wan-link-loss", settings.name),
      m_aqmDraws(settings.seed, settings.pie ? "wan-link-pie" : "wan-link-red", settings.name),
      m_duplication(settings.seed, "wan-link-duplication", settings.name)
{
    if (settings.policer)
    {
        m_policer.emplace(settings.policer->rate, settings.policer->burst);
    }
    if (settings.red)
    {
        m_red.emplace(
            *settings.red, settings.mtu, settings.rate, [this] { return m_aqmDraws.Uniform(); });
    }
    if (settings.pie)
    {
        m_pie.emplace(*settings.pie, settings.mtu, [this] { return m_aqmDraws.Uniform(); });
    }
    if (settings.coDel)
    {
        m_coDel.emplace(*settings.coDel);
    }
    if (settings.burstLoss)
    {
        m_burstLoss.emplace(*settings.burstLoss,
                            RandomStream(settings.seed, "wan-link-burst-loss", settings.name));
    }
    if (settings.jitter)
    {
        m_jitter.emplace(*settings.jitter,
                         RandomStream(settings.seed, "wan-link-jitter", settings.name));
    }
}

LinkOutcome
ImpairedLink::Offer(Instant now, Bytes size, bool ecnCapable)
{
    Forget(now);
    if (m_policer)
    {
        if (!m_policer->Conforms(now, size))
        {
            return Drop(size);
        }
        m_policer->Take(size);
    }
    const AqmVerdict atArrival = DecideAtArrival(now, size, ecnCapable);
    if (atArrival == AqmVerdict::Drop || !HasRoom(now, size))
    {
        return Drop(size);
    }
    const AqmVerdict atDeparture = DecideAtDeparture(now, ecnCapable);
    if (atDeparture == AqmVerdict::Drop)
    {
        m_waiting.Add(m_clock.FreeAt(), size);
        return Drop(size);
    }
    return Send(now, size, atArrival == AqmVerdict::Mark || atDeparture == AqmVerdict::Mark);
}

AqmVerdict
ImpairedLink::DecideAtArrival(Instant now, Bytes size, bool ecnCapable)
{
    if (m_pie)
    {
        return m_pie->Decide(now, ecnCapable);
    }
    if (m_settings.step)
    {
        return ecnCapable && ExceedsStep(now) ? AqmVerdict::Mark : AqmVerdict::Pass;
    }
    if (!m_red)
    {
        return AqmVerdict::Pass;
    }
    std::optional<Duration> idle;
    if (m_clock.FreeAt() <= now)
    {
        idle = now - std::max(m_clock.FreeAt(), Instant());
    }
    return m_red->Decide(idle, m_waiting.Size(), size, ecnCapable);
}

bool
ImpairedLink::ExceedsStep(Instant now) const
{
    const geotrain::StepSettings& step = *m_settings.step;
    return step.time ? m_clock.FreeAt() > now + *step.time
                     : static_cast<double>(m_waiting.Size().Count()) > step.size->value;
}

AqmVerdict
ImpairedLink::DecideAtDeparture(Instant now, bool ecnCapable)
{
    if (!m_coDel)
    {
        return AqmVerdict::Pass;
    }
    // A packet's turn comes when the packet before it is sent. A dropped packet takes no time, and
    // the next one has its turn at once.
    const Instant turn = std::max(now, m_clock.FreeAt());
    return m_coDel->Decide(turn, turn - now, m_waiting.Size() > m_settings.mtu, ecnCapable);
}

void
ImpairedLink::Forget(Instant now)
{
    m_waiting.Forget(now);
    m_arrivals.erase(m_arrivals.begin(), m_arrivals.lower_bound(now));
}

bool
ImpairedLink::HasRoom(Instant now, Bytes size) const
{
    return m_clock.FreeAt() <= now || m_waiting.HasRoom(m_settings.queue, size);
}

LinkOutcome
ImpairedLink::Drop(Bytes size)
{
    ++m_counters.queueDrops;
    m_counters.queueDropBytes += size.Count();
    LinkOutcome outcome;
    outcome.verdict = LinkOutcome::Verdict::QueueFull;
    return outcome;
}

LinkOutcome
ImpairedLink::Send(Instant now, Bytes size, bool isMarked)
{
    const Instant start = std::max(now, m_clock.FreeAt());
    ++m_counters.acceptedPackets;
    m_counters.acceptedBytes += size.Count();
    m_counters.markedPackets += isMarked ? 1 : 0;
    m_counters.queueingNs += (start - now).ToNanoseconds();
    if (start > now)
    {
        m_waiting.Add(start, size);
    }
    if (m_pie)
    {
        m_pie->Add(now, start, size);
    }
    LinkOutcome outcome;
    outcome.departure = m_clock.Send(now, size);
    outcome.marked = isMarked;
    // Each packet takes one draw of each stream, whatever the other streams decide.
    const bool isLost = LosesAtRandom();
    const bool isTwice =
        m_settings.duplication > 0 && m_duplication.Uniform() < m_settings.duplication;
    const Duration jitter = m_jitter ? m_jitter->Draw() : Duration();
    const bool isOut = m_clock.Schedule().IsLost(start, outcome.departure);
    if (isOut)
    {
        const Bytes before = m_sentInOutages.empty() ? Bytes() : m_sentInOutages.back().second;
        m_sentInOutages.emplace_back(outcome.departure, before + size);
    }
    if (isLost || isOut)
    {
        ++m_counters.lostPackets;
        m_counters.lostBytes += size.Count();
        outcome.verdict = LinkOutcome::Verdict::Lost;
        return outcome;
    }
    outcome.arrival = ArrivalFrom(outcome.departure + m_settings.delay + jitter);
    if (isTwice)
    {
        ++m_counters.duplicatedPackets;
        outcome.duplicated = true;
        outcome.copyArrival = ArrivalFrom(outcome.arrival + apart);
    }
    return outcome;
}

bool
ImpairedLink::LosesAtRandom()
{
    const bool isLost = m_settings.lossRate > 0 && m_loss.Uniform() < m_settings.lossRate;
    const bool isLostInBurst = m_burstLoss && m_burstLoss->Loses();
    return isLost || isLostInBurst;
}

/// Returns an arrival that is not before the previous one where the order is kept, and never at the
/// time of another one.
Instant
ImpairedLink::ArrivalFrom(Instant earliest)
{
    if (!m_jitter && m_settings.duplication == 0)
    {
        return earliest;
    }
    if (m_settings.jitter && m_settings.jitter->reorders)
    {
        while (!m_arrivals.insert(earliest).second)
        {
            earliest = earliest + apart;
        }
        return earliest;
    }
    m_lastArrival = std::max(earliest, m_lastArrival + apart);
    return m_lastArrival;
}

Bytes
ImpairedLink::Backlog(Instant now) const
{
    return m_clock.Backlog(now);
}

Instant
ImpairedLink::FreeAt() const
{
    return m_clock.FreeAt();
}

const LinkCounters&
ImpairedLink::GetCounters() const
{
    return m_counters;
}

Bytes
ImpairedLink::SentInOutages(Instant now) const
{
    const auto next =
        std::upper_bound(m_sentInOutages.begin(),
                         m_sentInOutages.end(),
                         now,
                         [](Instant time, const auto& packet) { return time < packet.first; });
    return next == m_sentInOutages.begin() ? Bytes() : std::prev(next)->second;
}

} // namespace ns3
