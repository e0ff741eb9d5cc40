// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/bbr3-undo.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
Bbr3Undo::Save(const Bbr3PathModel& model)
{
    m_ended.reset();
    m_shortTermBandwidth = model.shortTermBandwidth;
    m_shortTermInflight = model.shortTermInflight;
    m_longTermInflight = model.longTermInflight;
}

std::optional<Bbr3PhaseName>
Bbr3Undo::Restore(Bbr3PathModel& model)
{
    model.shortTermBandwidth = std::max(model.shortTermBandwidth, m_shortTermBandwidth);
    model.shortTermInflight = std::max(model.shortTermInflight, m_shortTermInflight);
    model.longTermInflight = std::max(model.longTermInflight, m_longTermInflight);
    return std::exchange(m_ended, std::nullopt);
}

} // namespace ns3
