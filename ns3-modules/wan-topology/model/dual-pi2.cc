// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/dual-pi2.h"

#include <algorithm>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

DualPi2::DualPi2(const geotrain::DualPi2Settings& settings, const QueueLimit& limit, Bytes mtu)
    : m_settings(settings),
      m_limit(limit),
      m_interval(
          std::min(settings.target, Duration::Nanoseconds(settings.maxRtt.ToNanoseconds() / 3))),
      m_alpha(0.1 * m_interval.ToSeconds() /
              (settings.maxRtt.ToSeconds() * settings.maxRtt.ToSeconds())),
      m_beta(0.3 / settings.maxRtt.ToSeconds()),
      m_mostClassic(std::min(1 / (settings.coupling * settings.coupling), 1.0)),
      m_firstCredit(static_cast<double>(mtu.Count()) * (2 * settings.classicShare - 1)),
      m_nextUpdate(Instant() + m_interval),
      m_credit(m_firstCredit)
{
}

bool
DualPi2::Queue::Recurs(double likelihood)
{
    due += likelihood;
    if (due > 1)
    {
        due -= 1;
        return true;
    }
    return false;
}

Duration
DualPi2::Queue::WaitOfFirst(Instant now) const
{
    return packets.Empty() ? Duration() : now - packets.Front().since;
}

void
DualPi2::Enqueue(Instant now, const PacketRecord& record)
{
    Update(now);
    const auto size = Bytes::Of(record.wireSize);
    const std::size_t packets = m_l4s.packets.Size() + m_classic.packets.Size();
    if (static_cast<std::int64_t>(packets) >= m_limit.packets ||
        m_limit.bytes < GetCounters().waiting + size)
    {
        DropBefore(record);
        return;
    }
    const bool isL4s =
        (record.flags & (PacketRecord::Ect1 | PacketRecord::CongestionExperienced)) != 0;
    (isL4s ? m_l4s : m_classic).packets.PushBack({record, now});
    Added(record);
}

/// Brings p' up to `now`. Nothing has come or gone since the last call.
void
DualPi2::Update(Instant now)
{
    for (; m_nextUpdate <= now; m_nextUpdate = m_nextUpdate + m_interval)
    {
        // Where no classic packet waits, it is the L4S queue that must not grow (section A.2).
        const Queue& queue = m_classic.packets.Empty() ? m_l4s : m_classic;
        const Duration wait = queue.WaitOfFirst(m_nextUpdate);
        m_base += m_alpha * (wait - m_settings.target).ToSeconds() +
                  m_beta * (wait - m_waitBefore).ToSeconds();
        m_base = std::clamp(m_base, 0.0, 1.0);
        m_waitBefore = wait;
        if (m_base == 0 && wait == Duration() && queue.packets.Empty())
        {
            // It stays so until a packet comes.
            const std::int64_t idle = (now - m_nextUpdate).ToNanoseconds();
            const std::int64_t interval = m_interval.ToNanoseconds();
            m_nextUpdate = m_nextUpdate + Duration::Nanoseconds(idle / interval * interval);
        }
    }
}

bool
DualPi2::IsL4sNext(Instant now) const
{
    if (m_l4s.packets.Empty() || m_classic.packets.Empty())
    {
        return m_classic.packets.Empty();
    }
    if (m_settings.scheduler == geotrain::DualPi2Settings::Scheduler::TimeShiftedFifo)
    {
        return m_l4s.WaitOfFirst(now) + m_settings.timeShift >= m_classic.WaitOfFirst(now);
    }
    return m_credit <= 0;
}

/// Moves the credit while both queues have packets, as Linux's sch_dualpi2.
void
DualPi2::Credit(bool isL4s, Bytes size)
{
    const Queue& other = isL4s ? m_classic : m_l4s;
    if (!other.packets.Empty())
    {
        const double share = isL4s ? m_settings.classicShare : m_settings.classicShare - 1;
        m_credit += share * static_cast<double>(size.Count());
    }
}

std::optional<PacketRecord>
DualPi2::Dequeue(Instant now)
{
    Update(now);
    while (GetCounters().waiting > Bytes())
    {
        const bool isL4s = IsL4sNext(now);
        const Waiting first = (isL4s ? m_l4s : m_classic).packets.PopFront();
        Credit(isL4s, first.Size());
        const AqmVerdict verdict =
            isL4s ? DecideL4s(now - first.since) : DecideClassic(first.IsEcnCapable());
        if (verdict == AqmVerdict::Drop)
        {
            DropWaiting(first);
            continue;
        }
        return Leave(first, now, verdict == AqmVerdict::Mark);
    }
    m_credit = m_firstCredit;
    return std::nullopt;
}

AqmVerdict
DualPi2::DecideL4s(Duration wait)
{
    const double coupled = m_settings.coupling * m_base;
    if (coupled >= 1) // p_Lmax
    {
        if (m_l4s.Recurs(ClassicProbability()))
        {
            return AqmVerdict::Drop;
        }
        return m_l4s.Recurs(coupled) ? AqmVerdict::Mark : AqmVerdict::Pass;
    }
    const bool isMarked = m_l4s.Recurs(std::max(NativeProbability(wait), coupled));
    return isMarked ? AqmVerdict::Mark : AqmVerdict::Pass;
}

AqmVerdict
DualPi2::DecideClassic(bool ecnCapable)
{
    if (!m_classic.Recurs(ClassicProbability()))
    {
        return AqmVerdict::Pass;
    }
    const bool isOverload = ClassicProbability() >= m_mostClassic;
    return ecnCapable && !isOverload ? AqmVerdict::Mark : AqmVerdict::Drop;
}

/// Returns p'_L, a step or a ramp above the threshold (section A.1).
double
DualPi2::NativeProbability(Duration wait) const
{
    const Duration above = wait - m_settings.threshold;
    if (above >= m_settings.ramp)
    {
        return 1;
    }
    return above > Duration() ? above.ToSeconds() / m_settings.ramp.ToSeconds() : 0;
}

/// Returns p_C.
double
DualPi2::ClassicProbability() const
{
    return m_base * m_base;
}

} // namespace ns3
