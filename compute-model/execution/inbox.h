// SPDX-License-Identifier: GPL-2.0-only
// Which messages have come for a worker. A message may come while its receiver is still in the pass
// before the message's own; it is then here when that pass begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace geotrain
{

class Inbox
{
  public:
    /// For a stream of that many instructions. Only the positions of its Receives matter.
    explicit Inbox(std::size_t positions)
        : m_arrivals(positions)
    {
    }

    /// True if the message is of the pass in progress.
    bool Put(std::size_t receive)
    {
        return ++m_arrivals[receive] == m_pass + 1;
    }

    /// Whether the message of the pass in progress is here.
    bool IsHere(std::size_t receive) const
    {
        return m_arrivals[receive] > m_pass;
    }

    void BeginNextPass()
    {
        ++m_pass;
    }

    /// Begins `pass` at `position`: all that is received before it in the stream is here, and
    /// nothing else.
    void Restart(std::uint32_t pass, std::size_t position)
    {
        m_pass = pass;
        const auto here = m_arrivals.begin() + static_cast<std::ptrdiff_t>(position);
        std::fill(m_arrivals.begin(), here, pass + 1);
        std::fill(here, m_arrivals.end(), pass);
    }

  private:
    std::vector<std::uint32_t> m_arrivals; ///< by position of a Receive: messages come so far
    std::uint32_t m_pass = 0;
};

} // namespace geotrain
