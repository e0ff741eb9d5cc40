// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-shaper.h"

#include "wan-topology/model/light-link.h"

#include <algorithm>

namespace ns3
{

LightShaper::LightShaper(const NodeShapingSettings& settings,
                         const FlowTable& flows,
                         PacketElement& next,
                         PacketLedger* ledger)
    : m_shaping(settings),
      m_flows(flows),
      m_next(next),
      m_ledger(ledger),
      m_timer([this] { Release(); })
{
}

void
LightShaper::Receive(const PacketRecord& record)
{
    const auto now = geotrain::Instant::FromNanoseconds(NowNs());
    if (record.Packets() > 1 && LeavesSlowly(record))
    {
        CutUp(record);
        return;
    }
    switch (m_shaping.Offer(now, {record, m_flows}))
    {
    case Shaping::Verdict::Pass:
        GiveOn(record, m_shaping.LastLeaves() - now);
        break;
    case Shaping::Verdict::Held:
        Release();
        break;
    case Shaping::Verdict::Dropped:
        if (record.Packets() > 1)
        {
            CutUp(record);
        }
        else if (m_ledger)
        {
            m_ledger->Dropped(record);
        }
        break;
    }
}

/// Takes the packets of a burst one by one, as if all came with the first one: the cap spaces them anew.
void
LightShaper::CutUp(const PacketRecord& burst)
{
    for (std::uint32_t i = 0; i < burst.Packets(); ++i)
    {
        Receive(burst.Part(i, 1));
    }
}

/// Returns whether a link that is as slow as the shaper would cut up a burst.
bool
LightShaper::LeavesSlowly(const PacketRecord& burst) const
{
    const auto rate = m_shaping.RateOf({burst, m_flows});
    const auto rest = geotrain::Bytes::Of(burst.WireBytes() - burst.wireSize);
    const auto most = geotrain::Duration::Nanoseconds(LightLink::s_mostSpreadNs);
    return rate && rest > rate->In(most);
}

/// Gives on a record whose last packet leaves after `spread`, or when it comes.
void
LightShaper::GiveOn(const PacketRecord& record, geotrain::Duration spread)
{
    if (record.Packets() == 1 || spread.ToNanoseconds() <= record.spreadNs)
    {
        m_next.Receive(record);
        return;
    }
    PacketRecord burst = record;
    burst.spreadNs = static_cast<std::uint32_t>(spread.ToNanoseconds());
    m_next.Receive(burst);
}

void
LightShaper::Release()
{
    const auto now = geotrain::Instant::FromNanoseconds(NowNs());
    while (m_shaping.ReleaseTo(now,
                               [this, now](const PacketRecord& record, geotrain::Instant last)
                               { GiveOn(record, last - now); }))
    {
    }
    if (const std::optional<geotrain::Instant> next = m_shaping.NextRelease(now))
    {
        m_timer.Set(next->ToNanoseconds());
    }
}

bool
LightShaper::TakesBursts() const
{
    return !m_shaping.Polices();
}

const LightShaper::Shaping&
LightShaper::GetShaping() const
{
    return m_shaping;
}

} // namespace ns3
