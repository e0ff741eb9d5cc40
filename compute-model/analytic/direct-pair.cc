// SPDX-License-Identifier: GPL-2.0-only
// A message is one train, which no acknowledgement answers.
#include "analytic/direct-pair.h"

namespace geotrain
{

DirectPair::DirectPair(std::uint32_t connections, std::int64_t header)
    : m_connections(connections),
      m_header(header)
{
}

void
DirectPair::Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t /*chunks*/)
{
    Add(message, bytes + m_header);
}

void
DirectPair::Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t /*connection*/)
{
    Add(message, bytes + m_header);
}

void
DirectPair::QueueForAll(std::uint32_t message, std::int64_t bytes)
{
    Add(message, bytes + m_connections * m_header);
}

void
DirectPair::Add(std::uint32_t message, std::int64_t bytes)
{
    Train train;
    train.message = message;
    train.isFirst = true;
    train.isLast = true;
    train.bytes = bytes;
    m_arrived.push_back(train);
}

void
DirectPair::Advance(Instant now)
{
    m_queue.Serve(now);
    for (const Train& train : m_arrived)
    {
        m_queue.Push(train);
    }
    m_arrived.clear();
}

void
DirectPair::Begins(const Train& train, Instant /*at*/)
{
    Tell(Event::Kind::Begun, train.message);
}

void
DirectPair::HasLeft(const Train& train, Instant /*at*/)
{
    Tell(Event::Kind::Sent, train.message);
    Tell(Event::Kind::Left, train.message);
}

} // namespace geotrain
