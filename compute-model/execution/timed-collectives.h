// SPDX-License-Identifier: GPL-2.0-only
// Collectives that take a time of their own instead of crossing the network. Such a collective
// starts when its last member has joined. Those in progress share what they use: each goes on at the
// rate at which the most demanded of its NICs and links carries all. It ignores all other traffic.
// All other collectives go to the Collectives that it decorates.
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

/// A CollectiveDemand is what a collective takes where no other is in progress.
struct CollectiveDemand
{
    /// Makes the demand of a collective that shares nothing.
    CollectiveDemand(Duration time)
        : alone(time)
    {
    }

    Duration alone;
    std::map<std::size_t, double> shareOf = {}; ///< by NIC or link: part of its rate that is taken
};

/// Returns what a collective takes; nullopt: the network carries it.
using CollectiveTime = std::function<std::optional<CollectiveDemand>(const CollectiveRequest&)>;

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
        std::optional<CollectiveDemand> demand;    ///< set once all have joined
        Duration left;                             ///< time alone that was left when last counted
        Instant counted;
        double speed = 0; ///< 1: as if alone
        Clock::EventNumber end = 0;
    };

    void End(std::uint64_t number, Instant at);
    void Load(const CollectiveDemand& demand, double sign);
    void SetSpeed(std::uint64_t number, Wait& wait);

    Clock& m_clock;
    CollectiveTime m_timeOf;
    std::unique_ptr<Collectives> m_others;
    std::map<std::uint64_t, Wait> m_waits; ///< by the number of the collective
    std::map<std::size_t, double> m_loads; ///< by NIC or link: sum of the shares
};

} // namespace geotrain
