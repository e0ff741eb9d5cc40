// SPDX-License-Identifier: GPL-2.0-only
// Notes which messages have come for a worker. A message may come while its receiver is still in
// the pass before the message's own; it is then there when that pass begins.
#pragma once

#include <cstdint>
#include <vector>

namespace geotrain
{

/// An Inbox counts the messages of one worker.
class Inbox
{
  public:
    /// Makes an inbox for a stream of `positions` instructions. Only positions of Receives matter.
    explicit Inbox(std::size_t positions)
        : m_arrivals(positions)
    {
    }

    /// Notes a message. Returns true if it belongs to the pass in progress.
    bool Put(std::size_t receive)
    {
        return ++m_arrivals[receive] == m_pass + 1;
    }

    /// Returns whether the message of the pass in progress is here.
    bool IsHere(std::size_t receive) const
    {
        return m_arrivals[receive] > m_pass;
    }

    void BeginNextPass()
    {
        ++m_pass;
    }

  private:
    std::vector<std::uint32_t> m_arrivals; ///< messages so far, by position of their Receive
    std::uint32_t m_pass = 0;
};

} // namespace geotrain
