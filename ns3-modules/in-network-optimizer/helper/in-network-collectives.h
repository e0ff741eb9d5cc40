// SPDX-License-Identifier: GPL-2.0-only
// Gives the pulls and pushes of an executor's workers to an in-network optimizer, over packets or by
// the estimate. A request's n-th of a worker is that of its n-th forward or backward, or of its n-th
// backward: iterations go through the layers and back. All other collectives go to those that it
// decorates.
#pragma once

#include "execution/collectives.h"
#include "execution/execution-observer.h"
#include "in-network-optimizer/helper/in-network-sites.h"
#include "in-network-optimizer/helper/server-feed.h"
#include "in-network-optimizer/helper/standstill-watch.h"

#include <map>
#include <memory>

namespace ns3
{

/// InNetworkCollectives carry pulls and pushes, and count what they have carried.
class InNetworkCollectives : public geotrain::Collectives
{
  public:
    /// The sites have run nothing else. They and `layer`, over which relays send, outlive this.
    InNetworkCollectives(geotrain::MessageLayer& layer, OptimizerSites& sites, InNetworkJob job);

    /// Sets who runs all other collectives.
    void SetOthers(std::unique_ptr<geotrain::Collectives> others);

    geotrain::CollectiveHandle Join(const geotrain::CollectiveRequest& request,
                                    std::uint32_t member,
                                    geotrain::CollectiveCallback callback) override;
    void Cancel(geotrain::CollectiveHandle collective) override;

    /// Returns what pulls and pushes have carried.
    virtual geotrain::NetworkCounters Counters() const;

  protected:
    bool HasOpen() const;
    const WanRelays* Relays() const; ///< null where there is one data centre

    /// Fails all requests in an event of the clock.
    void FailSoon(const std::string& reason);

  private:
    using Key = std::pair<std::uint64_t, std::uint32_t>; ///< number, member

    void FeedRelays(std::size_t layer, bool isBackward);
    void EndSoon(const Key& key, geotrain::Bytes size);
    void End(const Key& key, geotrain::Bytes size);
    void FailAll(const std::string& failure);

    geotrain::Clock& m_clock;
    OptimizerSites& m_sites;
    const InNetworkJob m_job;
    std::unique_ptr<WanRelays> m_relays; ///< null where there is one data centre
    ServerFeed m_feed;
    std::unique_ptr<geotrain::Collectives> m_others;
    std::vector<std::size_t> m_pulls;  ///< by member: made so far
    std::vector<std::size_t> m_pushes; ///< by member: made so far
    std::map<Key, geotrain::CollectiveCallback> m_open;
    geotrain::Bytes m_carried; ///< payload of requests that have ended
};

/// PacketInNetworkCollectives run on clusters. Observe the executor with it: where nothing moves and
/// nobody computes, all requests fail after as many timeouts as a sender takes to give up, and the
/// reason says who waits for what.
class PacketInNetworkCollectives : public InNetworkCollectives, public geotrain::ExecutionObserver
{
  public:
    PacketInNetworkCollectives(geotrain::MessageLayer& layer,
                               InNetworkSites& sites,
                               InNetworkJob job);

    geotrain::CollectiveHandle Join(const geotrain::CollectiveRequest& request,
                                    std::uint32_t member,
                                    geotrain::CollectiveCallback callback) override;
    geotrain::NetworkCounters Counters() const override;
    void InstructionStarted(geotrain::WorkerIndex worker,
                            std::uint32_t iteration,
                            const geotrain::Instruction& instruction,
                            geotrain::Instant start) override;
    void InstructionEnded(geotrain::WorkerIndex worker,
                          std::uint32_t iteration,
                          const geotrain::Instruction& instruction,
                          geotrain::Instant start,
                          geotrain::Instant end) override;

  private:
    std::string WhoWaits() const;

    InNetworkSites& m_sites;
    std::uint32_t m_computing = 0; ///< workers
    StandstillWatch m_watch;
};

} // namespace ns3
