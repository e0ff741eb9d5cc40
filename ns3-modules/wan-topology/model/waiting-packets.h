// SPDX-License-Identifier: GPL-2.0-only
// Counts what waits at a link behind the packet that is being sent. As in ns-3's queues and Linux's
// bfifo, a packet counts whole until its transmission begins, and not at all from then on.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"
#include "units/growing-ring.h"
#include "wan-topology/model/queue-limit.h"

namespace ns3
{

/// WaitingPackets are the packets in one queue, in the order in which they leave it.
class WaitingPackets
{
  public:
    /// Takes out what leaves the queue up to `now`. The packets of a burst are offered ahead of their time, so
    /// that a later call may have an earlier `now`, and finds nothing.
    void Forget(geotrain::Instant now)
    {
        while (!m_waiting.Empty() && m_waiting.Front().until <= now)
        {
            m_size = m_size - m_waiting.PopFront().size;
        }
    }

    /// Adds a packet that leaves the queue at `until`, not before those added earlier.
    void Add(geotrain::Instant until, geotrain::Bytes size)
    {
        m_waiting.PushBack({until, size});
        m_size += size;
    }

    /// Returns whether a packet of `size` may join.
    bool HasRoom(const QueueLimit& limit, geotrain::Bytes size) const
    {
        return static_cast<std::int64_t>(m_waiting.Size()) < limit.packets &&
               m_size + size <= limit.bytes;
    }

    geotrain::Bytes Size() const
    {
        return m_size;
    }

  private:
    struct Waiting
    {
        geotrain::Instant until;
        geotrain::Bytes size;
    };

    geotrain::GrowingRing<Waiting> m_waiting;
    geotrain::Bytes m_size;
};

} // namespace ns3
