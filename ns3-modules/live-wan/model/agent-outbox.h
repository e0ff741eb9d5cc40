// SPDX-License-Identifier: GPL-2.0-only
// Holds what an agent has to tell until its socket takes it, with the time when it happened.
#pragma once

#include "live-wan/model/agent-messages.h"

#include <algorithm>
#include <deque>
#include <sys/socket.h>

namespace ns3
{

/// An AgentOutbox keeps the order of events.
class AgentOutbox
{
  public:
    void Add(const AgentEvent& event)
    {
        m_events.push_back(event);
        m_events.back().toldNs = MonotonicNs();
    }

    bool IsEmpty() const
    {
        return m_events.empty();
    }

    /// Sends as many events as `socket` takes, many in a packet.
    void Flush(int socket)
    {
        while (!m_events.empty())
        {
            AgentEvents events;
            const std::size_t count = std::min(m_events.size(), events.size());
            std::copy_n(m_events.begin(), count, events.begin());
            if (send(socket, events.data(), count * sizeof(AgentEvent), MSG_DONTWAIT | MSG_NOSIGNAL) <
                0)
            {
                return;
            }
            m_events.erase(m_events.begin(), m_events.begin() + std::ptrdiff_t(count));
        }
    }

  private:
    std::deque<AgentEvent> m_events;
};

} // namespace ns3
