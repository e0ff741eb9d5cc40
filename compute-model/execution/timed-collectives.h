// SPDX-License-Identifier: GPL-2.0-only
// Collectives that take a time of their own instead of crossing the network. Such a collective
// starts when its last member has joined. It ignores that the collective would share links with
// other traffic. All other collectives go to the Collectives that it decorates.
#pragma once

#include "execution/clock.h"
#include "execution/collectives.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace geotrain
{

/// Returns how long a collective takes by itself; nullopt: the network carries it.
using CollectiveTime = std::function<std::optional<Duration>(const CollectiveRequest&)>;

/// TimedCollectives end a collective after its own time.
class TimedCollectives : public Collectives
{
  public:
    /// `timeOf` says which collectives are timed; `others` run the rest. The clock must outlive
    /// this.
    TimedCollectives(Clock& clock, CollectiveTime timeOf, std::unique_ptr<Collectives> others);
    ~TimedCollectives() override;

    CollectiveHandle Join(const CollectiveRequest& request,
                          std::uint32_t member,
                          CollectiveCallback callback) override;
    void Cancel(CollectiveHandle collective) override;

  private:
    struct Wait
    {
        std::vector<CollectiveCallback> callbacks; ///< of the members that have joined
        Clock::EventNumber end = 0;                ///< set once all have joined
    };

    void End(std::uint64_t number, Instant at);

    Clock& m_clock;
    CollectiveTime m_timeOf;
    std::unique_ptr<Collectives> m_others;
    std::map<std::uint64_t, Wait> m_waits; ///< by the number of the collective
};

} // namespace geotrain
