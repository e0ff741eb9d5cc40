// SPDX-License-Identifier: GPL-2.0-only
// What the collectives of an in-network optimizer have in common: requests that streams carry, each
// worker's for itself. All other collectives go to those that it decorates.
#pragma once

#include "execution/collectives.h"
#include "in-network/optimizer-sites.h"

#include <map>
#include <memory>

namespace geotrain
{

/// StreamCollectives know what is open, and count what has been carried.
class StreamCollectives : public Collectives
{
  public:
    /// Both outlive this.
    StreamCollectives(Clock& clock, OptimizerSites& sites);

    /// Sets who runs all other collectives.
    void SetOthers(std::unique_ptr<Collectives> others);

    void Cancel(CollectiveHandle collective) override;

    /// Returns the payload of the requests that have ended, and packets.
    NetworkCounters Counters() const;

  protected:
    CollectiveHandle
    JoinOthers(const CollectiveRequest& request, std::uint32_t member, CollectiveCallback callback);

    /// Opens the request of a member. What it returns ends it, in an event of the clock after which
    /// the run may stop, and counts what was `carried`.
    std::function<void()> Open(const CollectiveRequest& request,
                               std::uint32_t member,
                               CollectiveCallback callback,
                               Bytes carried);

    bool HasOpen() const;

    /// Fails all requests in an event of the clock.
    void FailSoon(const std::string& reason);

    Clock& GetClock() const;
    OptimizerSites& Sites() const;

  private:
    using Key = std::pair<std::uint64_t, std::uint32_t>; ///< number, member

    void End(const Key& key, Bytes carried);
    void FailAll(const std::string& failure);

    Clock& m_clock;
    OptimizerSites& m_sites;
    std::unique_ptr<Collectives> m_others;
    std::map<Key, CollectiveCallback> m_open;
    Bytes m_carried;
};

} // namespace geotrain
