// SPDX-License-Identifier: GPL-2.0-only
// Keeps the Ethernet frames that travel over a live WAN. Links carry records, and a record's
// `offset` is the number of its frame here. A frame is freed when the last of its records has left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/// A FramePool holds frames of one greatest size.
class FramePool
{
  public:
    using FrameNumber = std::uint32_t;

    /// Holds at most `limit` frames of at most `frameBytes` bytes.
    FramePool(std::size_t frameBytes, std::size_t limit);

    /// Returns a frame with one reference and undefined content; nothing where all are taken.
    std::optional<FrameNumber> Take();

    void AddReference(FrameNumber frame);

    /// Takes a reference away.
    void Release(FrameNumber frame);

    std::uint8_t* BytesOf(FrameNumber frame);

    std::size_t FrameBytes() const;
    std::size_t Taken() const;

  private:
    static constexpr std::size_t s_blockFrames = 256;

    void Grow();

    std::size_t m_frameBytes;
    std::size_t m_limit;
    std::vector<std::unique_ptr<std::uint8_t[]>> m_blocks;
    std::vector<std::uint8_t> m_references; ///< by frame
    std::vector<FrameNumber> m_free;
};

inline std::uint8_t*
FramePool::BytesOf(FrameNumber frame)
{
    return m_blocks[frame / s_blockFrames].get() + (frame % s_blockFrames) * m_frameBytes;
}

} // namespace ns3
