// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/interrupt-coalescing.h"

#include <algorithm>
#include <utility>

namespace ns3
{

InterruptCoalescing::InterruptCoalescing(geotrain::Duration wait, Host host)
    : m_waitNs(wait.ToNanoseconds()),
      m_host(std::move(host)),
      m_interrupt([this] { Interrupt(); }),
      m_lateTimer([this] { TakeLate(); })
{
}

void
InterruptCoalescing::Receive(const PacketRecord& data)
{
    if (m_late.length > 0)
    {
        m_late.spreadNs = 0; // they have come before this record
        TakeLate();
    }
    Keep(data);
}

void
InterruptCoalescing::Keep(const PacketRecord& data)
{
    if (data.Packets() > 1 && data.spreadNs > 0 && CutLate(data))
    {
        return;
    }
    Add(data);
    if (data.offset + data.length == data.message.end)
    {
        m_interrupt.Stop();
        Interrupt();
    }
}

/// Keeps those packets of a burst that come up to the next interrupt, where others come behind it, or where
/// the last one ends a message: these come by themselves. Returns whether there are such.
bool
InterruptCoalescing::CutLate(const PacketRecord& burst)
{
    const std::int64_t now = NowNs();
    const std::int64_t untilInterrupt =
        m_interrupt.IsSet() ? m_interrupt.DeadlineNs() - now : m_waitNs;
    const bool endsMessage = burst.offset + burst.length == burst.message.end;
    const std::int64_t inTime = untilInterrupt * burst.followers / burst.spreadNs + 1;
    const std::int64_t most = endsMessage ? burst.followers : burst.Packets();
    const auto count = static_cast<std::uint32_t>(std::clamp<std::int64_t>(inTime, 1, most));
    if (count == burst.Packets())
    {
        return false;
    }
    m_late = burst.Part(count, burst.Packets() - count);
    m_lateTimer.Set(now + burst.LagNs(count));
    Add(burst.Part(0, count));
    return true;
}

/// Takes those packets of a burst that had not come yet.
void
InterruptCoalescing::TakeLate()
{
    m_lateTimer.Stop();
    const PacketRecord late = std::exchange(m_late, {});
    Keep(late);
}

void
InterruptCoalescing::Add(const PacketRecord& data)
{
    if (m_kept.Add(data))
    {
        m_interrupt.Set(NowNs() + m_waitNs);
    }
}

void
InterruptCoalescing::Interrupt()
{
    for (const ReceiveOffload::Run& run : m_kept.Take())
    {
        m_host(run.data, run.packets);
    }
}

} // namespace ns3
