// SPDX-License-Identifier: GPL-2.0-only
// Finds out that an in-network optimizer stands still: nothing comes forward and nobody works for as
// many timeouts as a sender takes to give up.
#pragma once

#include "in-network-optimizer/model/aggregation-settings.h"
#include "wan-topology/model/reusable-event.h"

#include <functional>
#include <utility>

namespace ns3
{

/// A StandstillWatch looks once a timeout.
class StandstillWatch
{
  public:
    /// `progress` gives a count that grows as long as anything comes forward; `isBusy` says whether
    /// somebody works without it, `isWanted` whether there is still something to wait for.
    StandstillWatch(const AggregationSettings& settings,
                    std::function<std::int64_t()> progress,
                    std::function<bool()> isBusy,
                    std::function<bool()> isWanted,
                    std::function<void()> standsStill)
        : m_timeoutNs(settings.timeout.ToNanoseconds()),
          m_mostIdleLooks(settings.retries + 1),
          m_progress(std::move(progress)),
          m_isBusy(std::move(isBusy)),
          m_isWanted(std::move(isWanted)),
          m_standsStill(std::move(standsStill)),
          m_timer([this] { Look(); })
    {
    }

    /// Begins to look, unless it does already.
    void Begin()
    {
        if (!m_timer.IsSet())
        {
            Look();
        }
    }

  private:
    void Look()
    {
        const std::int64_t progress = m_progress();
        const bool isIdle = progress == m_lastProgress && !m_isBusy();
        m_idleLooks = isIdle ? m_idleLooks + 1 : 0;
        m_lastProgress = progress;
        if (!m_isWanted())
        {
            return;
        }
        if (m_idleLooks > m_mostIdleLooks)
        {
            m_standsStill();
            return;
        }
        m_timer.Set(NowNs() + m_timeoutNs);
    }

    const std::int64_t m_timeoutNs;
    const std::uint32_t m_mostIdleLooks;
    std::function<std::int64_t()> m_progress;
    std::function<bool()> m_isBusy;
    std::function<bool()> m_isWanted;
    std::function<void()> m_standsStill;
    std::int64_t m_lastProgress = -1;
    std::uint32_t m_idleLooks = 0;
    LazyTimer m_timer;
};

} // namespace ns3
