// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/stream-buffers.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

void
SendBuffer::Append(Ptr<Packet> packet)
{
    m_chunks.push_back({m_end, packet});
    m_end += packet->GetSize();
}

Ptr<Packet>
SendBuffer::Copy(std::uint64_t offset, std::uint32_t length) const
{
    auto chunk = std::upper_bound(m_chunks.begin(),
                                  m_chunks.end(),
                                  offset,
                                  [](std::uint64_t value, const Chunk& candidate)
                                  { return value < candidate.begin; });
    --chunk;
    Ptr<Packet> copy;
    while (length > 0)
    {
        const auto start = static_cast<std::uint32_t>(offset - chunk->begin);
        const std::uint32_t part = std::min(length, chunk->packet->GetSize() - start);
        const Ptr<Packet> fragment = chunk->packet->CreateFragment(start, part);
        if (copy)
        {
            copy->AddAtEnd(fragment);
        }
        else
        {
            copy = fragment;
        }
        offset += part;
        length -= part;
        ++chunk;
    }
    return copy;
}

void
SendBuffer::Release(std::uint64_t offset)
{
    while (!m_chunks.empty() &&
           m_chunks.front().begin + m_chunks.front().packet->GetSize() <= offset)
    {
        m_chunks.pop_front();
    }
}

std::uint64_t
SendBuffer::End() const
{
    return m_end;
}

void
ReceiveBuffer::Insert(std::uint64_t offset, Ptr<Packet> packet)
{
    if (offset > m_next)
    {
        Keep(offset, packet);
        return;
    }
    Deliver(offset, packet);
    while (!m_outOfOrder.empty() && m_outOfOrder.begin()->first <= m_next)
    {
        Deliver(m_outOfOrder.begin()->first, m_outOfOrder.begin()->second);
        m_outOfOrder.erase(m_outOfOrder.begin());
    }
}

void
ReceiveBuffer::Deliver(std::uint64_t offset, Ptr<Packet> packet)
{
    const std::uint64_t end = offset + packet->GetSize();
    if (end <= m_next)
    {
        return;
    }
    if (offset < m_next)
    {
        packet->RemoveAtStart(static_cast<std::uint32_t>(m_next - offset));
    }
    m_unread += end - m_next;
    m_next = end;
    m_inOrder.push_back(packet);
}

void
ReceiveBuffer::Keep(std::uint64_t offset, Ptr<Packet> packet)
{
    const std::uint64_t end = offset + packet->GetSize();
    std::uint64_t missing = offset;
    auto next = m_outOfOrder.upper_bound(offset);
    if (next != m_outOfOrder.begin())
    {
        const auto before = std::prev(next);
        missing = std::max(missing, before->first + before->second->GetSize());
    }
    while (missing < end)
    {
        const std::uint64_t until = next == m_outOfOrder.end() ? end : std::min(end, next->first);
        if (missing < until)
        {
            m_outOfOrder.emplace_hint(
                next,
                missing,
                packet->CreateFragment(static_cast<std::uint32_t>(missing - offset),
                                       static_cast<std::uint32_t>(until - missing)));
        }
        if (next == m_outOfOrder.end())
        {
            return;
        }
        missing = next->first + next->second->GetSize();
        ++next;
    }
}

Ptr<Packet>
ReceiveBuffer::Take(std::uint32_t most)
{
    if (m_inOrder.empty() || most == 0)
    {
        return nullptr;
    }
    Ptr<Packet> packet = m_inOrder.front();
    if (packet->GetSize() > most)
    {
        m_inOrder.front() = packet->CreateFragment(most, packet->GetSize() - most);
        packet = packet->CreateFragment(0, most);
    }
    else
    {
        m_inOrder.pop_front();
    }
    m_unread -= packet->GetSize();
    return packet;
}

std::uint64_t
ReceiveBuffer::Next() const
{
    return m_next;
}

std::uint64_t
ReceiveBuffer::Unread() const
{
    return m_unread;
}

} // namespace ns3
