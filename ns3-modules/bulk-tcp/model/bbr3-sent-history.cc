// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/bbr3-sent-history.h"

#include <algorithm>

namespace ns3
{

void
Bbr3SentHistory::Note(const Sent& sent)
{
    if (!m_sent.empty() && m_sent.back().delivered == sent.delivered)
    {
        m_sent.back().inFlight = std::max(m_sent.back().inFlight, sent.inFlight);
        return;
    }
    m_sent.push_back(sent);
}

const Bbr3SentHistory::Sent&
Bbr3SentHistory::Find(std::uint64_t delivered)
{
    while (m_sent.size() > 1 && m_sent.front().delivered < delivered)
    {
        m_sent.pop_front();
    }
    return m_sent.front();
}

} // namespace ns3
