// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/model/frame-pool.h"

#include <ns3/abort.h>

namespace ns3
{

FramePool::FramePool(std::size_t frameBytes, std::size_t limit)
    : m_frameBytes((frameBytes + 63) / 64 * 64),
      m_limit(limit)
{
}

std::optional<FramePool::FrameNumber>
FramePool::Take()
{
    if (m_free.empty())
    {
        Grow();
    }
    if (m_free.empty())
    {
        return std::nullopt;
    }
    const FrameNumber frame = m_free.back();
    m_free.pop_back();
    m_references[frame] = 1;
    return frame;
}

void
FramePool::Grow()
{
    const std::size_t first = m_references.size();
    if (first + s_blockFrames > m_limit)
    {
        return;
    }
    m_blocks.push_back(std::make_unique<std::uint8_t[]>(s_blockFrames * m_frameBytes));
    m_references.resize(first + s_blockFrames, 0);
    for (std::size_t i = s_blockFrames; i-- > 0;)
    {
        m_free.push_back(static_cast<FrameNumber>(first + i));
    }
}

void
FramePool::AddReference(FrameNumber frame)
{
    ++m_references[frame];
}

void
FramePool::Release(FrameNumber frame)
{
    NS_ABORT_MSG_IF(m_references[frame] == 0, "frame " << frame << " is released twice");
    if (--m_references[frame] == 0)
    {
        m_free.push_back(frame);
    }
}

std::size_t
FramePool::FrameBytes() const
{
    return m_frameBytes;
}

std::size_t
FramePool::Taken() const
{
    return m_references.size() - m_free.size();
}

} // namespace ns3
