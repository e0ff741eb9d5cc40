// SPDX-License-Identifier: GPL-2.0-only
// Keeps which bytes of a connection are missing among those that have come. What is lost of a train is
// taken to be its end.
#pragma once

#include <cstdint>
#include <limits>
#include <map>

namespace geotrain
{

/// Holes are the missing bytes of one connection. Trains are known by the bytes that the connection
/// had sent with them.
class Holes
{
  public:
    /// Notes that `bytes` of a train are missing.
    void Open(std::int64_t sentUntil, std::int64_t bytes)
    {
        m_bytes[sentUntil] += bytes;
    }

    /// Notes that `bytes` that were missing of a train have come.
    void Fill(std::int64_t sentUntil, std::int64_t bytes)
    {
        const auto hole = m_bytes.find(sentUntil);
        if (hole != m_bytes.end() && (hole->second -= bytes) <= 0)
        {
            m_bytes.erase(hole);
        }
    }

    /// Returns whether bytes of an earlier train are missing.
    bool AreBefore(std::int64_t sentUntil) const
    {
        return !m_bytes.empty() && m_bytes.begin()->first < sentUntil;
    }

    /// Returns the position of the first missing byte; the largest number if none is missing.
    std::int64_t FirstByte() const
    {
        return m_bytes.empty() ? std::numeric_limits<std::int64_t>::max()
                               : m_bytes.begin()->first - m_bytes.begin()->second;
    }

  private:
    std::map<std::int64_t, std::int64_t> m_bytes; ///< missing bytes by `sentUntil`
};

} // namespace geotrain
