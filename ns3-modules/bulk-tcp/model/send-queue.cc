// SPDX-License-Identifier: GPL-2.0-only
// Keeps the ends of messages in a deque and finds a message by binary search.
#include "bulk-tcp/model/send-queue.h"

#include <algorithm>

namespace ns3
{

void
SendQueue::Add(std::uint64_t message, std::uint64_t size)
{
    m_end += size;
    m_messages.push_back({message, m_end});
    NoteCurrent();
}

bool
SendQueue::Extend(std::uint64_t size)
{
    if (m_sending == m_messages.size())
    {
        return false;
    }
    m_end += size;
    m_messages.back().end = m_end;
    NoteCurrent();
    return true;
}

void
SendQueue::NoteCurrent()
{
    if (m_sending < m_messages.size())
    {
        m_current = TagOf(m_sending);
    }
}

PacketRecord::MessageTag
SendQueue::TagOf(std::size_t message) const
{
    const std::uint64_t begin = message == 0 ? m_ackedEnd : m_messages[message - 1].end;
    return {m_messages[message].number, begin, m_messages[message].end};
}

PacketRecord::MessageTag
SendQueue::At(std::uint64_t offset) const
{
    const auto found =
        std::upper_bound(m_messages.begin(),
                         m_messages.end(),
                         offset,
                         [](std::uint64_t value, const Message& m) { return value < m.end; });
    return TagOf(static_cast<std::size_t>(found - m_messages.begin()));
}

std::uint64_t
SendQueue::FinishCurrent()
{
    const std::uint64_t number = m_current.number;
    ++m_sending;
    NoteCurrent();
    return number;
}

bool
SendQueue::OnAcked(std::uint64_t una)
{
    bool completed = false;
    while (!m_messages.empty() && m_messages.front().end <= una)
    {
        m_ackedEnd = m_messages.front().end;
        m_messages.pop_front();
        --m_sending;
        completed = true;
    }
    return completed && m_messages.empty();
}

std::vector<std::uint64_t>
SendQueue::TakeAll()
{
    std::vector<std::uint64_t> numbers;
    for (const Message& message : m_messages)
    {
        numbers.push_back(message.number);
    }
    m_messages.clear();
    m_sending = 0;
    return numbers;
}

} // namespace ns3
