// SPDX-License-Identifier: GPL-2.0-only
// Times the probes of a closed receive window (RFC 9293, 3.8.6.1): when the next one goes out, with
// growing pauses, and when a peer that does not answer is given up. It is a function of times.
#pragma once

#include "bulk-tcp/model/retransmission-timeout.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// WindowProbe is the probe timer of one sender.
class WindowProbe
{
  public:
    /// Notes that the window is closed, and returns the time of the next probe.
    std::int64_t Await(std::int64_t nowNs, std::int64_t timeoutNs)
    {
        if (m_deadlineNs == LazyTimer::s_never)
        {
            m_deadlineNs = nowNs + std::min(timeoutNs << std::min(m_backoff, s_mostDoublings),
                                            RetransmissionTimeout::s_mostNs);
        }
        return m_deadlineNs;
    }

    /// Unsets the time of the next probe until Await() is called again.
    void Stop()
    {
        m_deadlineNs = LazyTimer::s_never;
    }

    /// Notes that the window is open.
    void OnOpen()
    {
        Stop();
        m_backoff = 0;
    }

    /// Notes that the time of a probe has come.
    void OnExpired()
    {
        Stop();
        ++m_backoff;
    }

    /// Notes that a probe goes out into a closed window. Returns false when too many in a row were
    /// not answered.
    bool OnSent()
    {
        return ++m_unanswered <= RetransmissionTimeout::s_mostInARow;
    }

    /// Notes that the peer has answered.
    void OnAnswer()
    {
        m_unanswered = 0;
    }

  private:
    static constexpr std::uint32_t s_mostDoublings = 9;

    std::int64_t m_deadlineNs = LazyTimer::s_never;
    std::uint32_t m_backoff = 0; ///< probes since the window was open
    std::uint32_t m_unanswered = 0;
};

} // namespace ns3
