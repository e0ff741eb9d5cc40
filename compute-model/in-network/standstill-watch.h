// SPDX-License-Identifier: GPL-2.0-only
// Finds out that an in-network optimizer stands still: nothing comes forward and nobody works for as
// many timeouts as a sender takes to give up.
#pragma once

#include "execution/clock.h"
#include "in-network/aggregation-settings.h"

#include <functional>
#include <utility>

namespace geotrain
{

/// A StandstillWatch looks once a timeout.
class StandstillWatch
{
  public:
    /// What it asks: a count that grows as long as anything comes forward, whether somebody works
    /// without it, and whether there is still something to wait for.
    struct Questions
    {
        std::function<std::int64_t()> progress;
        std::function<bool()> isBusy;
        std::function<bool()> isWanted;
    };

    /// `clock` outlives the watch.
    StandstillWatch(Clock& clock,
                    const AggregationSettings& settings,
                    Questions questions,
                    std::function<void()> standsStill)
        : m_clock(clock),
          m_timeout(settings.timeout),
          m_mostIdleLooks(settings.retries + 1),
          m_ask(std::move(questions)),
          m_standsStill(std::move(standsStill))
    {
    }

    ~StandstillWatch()
    {
        if (m_isLooking)
        {
            m_clock.Cancel(m_event);
        }
    }

    StandstillWatch(const StandstillWatch&) = delete;
    StandstillWatch& operator=(const StandstillWatch&) = delete;

    /// Begins to look, unless it does already.
    void Begin()
    {
        if (!m_isLooking)
        {
            Look();
        }
    }

  private:
    void Look()
    {
        m_isLooking = false;
        const std::int64_t progress = m_ask.progress();
        const bool isIdle = progress == m_lastProgress && !m_ask.isBusy();
        m_idleLooks = isIdle ? m_idleLooks + 1 : 0;
        m_lastProgress = progress;
        if (!m_ask.isWanted())
        {
            return;
        }
        if (m_idleLooks > m_mostIdleLooks)
        {
            m_standsStill();
            return;
        }
        m_isLooking = true;
        m_event = m_clock.Schedule(m_clock.Now() + m_timeout, [this] { Look(); });
    }

    Clock& m_clock;
    const Duration m_timeout;
    const std::uint32_t m_mostIdleLooks;
    Questions m_ask;
    std::function<void()> m_standsStill;
    std::int64_t m_lastProgress = -1;
    std::uint32_t m_idleLooks = 0;
    bool m_isLooking = false;
    Clock::EventNumber m_event = 0;
};

} // namespace geotrain
