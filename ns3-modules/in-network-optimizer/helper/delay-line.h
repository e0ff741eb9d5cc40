// SPDX-License-Identifier: GPL-2.0-only
// Calls back later, in the order of the calls, with one event of a clock at a time.
#pragma once

#include "execution/clock.h"

#include <deque>
#include <functional>
#include <utility>

namespace ns3
{

/// A DelayLine holds what is on its way for a fixed time, or for times that never end before that of
/// the call before. What is in it when it ends is never called.
class DelayLine
{
  public:
    /// `clock` outlives the line.
    DelayLine(geotrain::Clock& clock, geotrain::Duration delay)
        : m_clock(clock),
          m_delay(delay)
    {
    }

    ~DelayLine()
    {
        if (!m_waiting.empty())
        {
            m_clock.Cancel(m_event);
        }
    }

    DelayLine(const DelayLine&) = delete;
    DelayLine& operator=(const DelayLine&) = delete;

    void Add(std::function<void()> call)
    {
        AddAt(m_clock.Now(), std::move(call));
    }

    /// Calls the fixed time after `at`, which is not in the past.
    void AddAt(geotrain::Instant at, std::function<void()> call)
    {
        m_waiting.emplace_back(at + m_delay, std::move(call));
        if (m_waiting.size() == 1)
        {
            Await();
        }
    }

  private:
    void Await()
    {
        m_event = m_clock.Schedule(m_waiting.front().first, [this] { End(); });
    }

    void End()
    {
        const std::function<void()> call = std::move(m_waiting.front().second);
        m_waiting.pop_front();
        if (!m_waiting.empty())
        {
            Await();
        }
        call();
    }

    geotrain::Clock& m_clock;
    const geotrain::Duration m_delay;
    std::deque<std::pair<geotrain::Instant, std::function<void()>>> m_waiting;
    geotrain::Clock::EventNumber m_event = 0;
};

} // namespace ns3
