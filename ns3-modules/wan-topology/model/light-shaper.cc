// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-shaper.h"

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
    switch (m_shaping.Offer(now, {record, m_flows}))
    {
    case Shaping::Verdict::Pass:
        m_next.Receive(record);
        break;
    case Shaping::Verdict::Held:
        Release();
        break;
    case Shaping::Verdict::Dropped:
        if (m_ledger)
        {
            m_ledger->Dropped(record);
        }
        break;
    }
}

void
LightShaper::Release()
{
    const auto now = geotrain::Instant::FromNanoseconds(NowNs());
    while (m_shaping.ReleaseTo(now, [this](const PacketRecord& record) { m_next.Receive(record); }))
    {
    }
    if (const std::optional<geotrain::Instant> next = m_shaping.NextRelease(now))
    {
        m_timer.Set(next->ToNanoseconds());
    }
}

const LightShaper::Shaping&
LightShaper::GetShaping() const
{
    return m_shaping;
}

} // namespace ns3
