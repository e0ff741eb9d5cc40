// SPDX-License-Identifier: GPL-2.0-only
// Gives the pulls and pushes of an executor's workers to an in-network optimizer over packets; the
// estimate is in estimated-collectives.h. A request's n-th of a worker is that of its n-th forward or backward, or of its n-th
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
class InNetworkCollectives : public geotrain::Collectives, public geotrain::ExecutionObserver
{
  public:
    InNetworkCollectives(InNetworkJob job, std::uint32_t workers);

    /// Sets who runs all other collectives.
    void SetOthers(std::unique_ptr<geotrain::Collectives> others);

    geotrain::CollectiveHandle Join(const geotrain::CollectiveRequest& request,
                                    std::uint32_t member,
                                    geotrain::CollectiveCallback callback) override;
    void Cancel(geotrain::CollectiveHandle collective) override;

    /// Returns what pulls and pushes have carried.
    virtual geotrain::NetworkCounters Counters() const = 0;

  protected:
    /// A Request is one worker's pull or push.
    struct Request
    {
        std::uint64_t number = 0;
        std::uint32_t member = 0;
        std::size_t ofMember = 0; ///< how many of its kind the member has made before
        geotrain::Bytes size;
    };

    virtual void Pull(const Request& request) = 0;
    virtual void Push(const Request& request) = 0;

    /// Calls the worker back, unless the request was cancelled.
    void End(const Request& request, geotrain::Instant at, const std::string& failure = {});

    /// Ends all requests that have not ended.
    void FailAll(geotrain::Instant at, const std::string& failure);

    bool HasOpen() const;
    const InNetworkJob& Job() const;

    geotrain::Bytes m_carried; ///< payload of requests that have ended

  private:
    using Key = std::pair<std::uint64_t, std::uint32_t>; ///< number, member

    const InNetworkJob m_job;
    std::unique_ptr<geotrain::Collectives> m_others;
    std::vector<std::size_t> m_pulls;  ///< by member: made so far
    std::vector<std::size_t> m_pushes; ///< by member: made so far
    std::map<Key, geotrain::CollectiveCallback> m_open;
};

/// PacketInNetworkCollectives run on clusters, which have run nothing else and outlive this. Observe
/// the executor with it: where nothing moves and nobody computes, all requests fail after as many
/// timeouts as a sender takes to give up, and the reason says who waits for what.
class PacketInNetworkCollectives : public InNetworkCollectives
{
  public:
    /// Relays send over `layer`, which outlives this.
    PacketInNetworkCollectives(geotrain::MessageLayer& layer,
                               InNetworkSites& sites,
                               InNetworkJob job);

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
    void Pull(const Request& request) override;
    void Push(const Request& request) override;
    void EndSoon(const Request& request);
    void FeedRelays(std::size_t layer, bool isBackward);
    std::string WhoWaits() const;
    void FailSoon(const std::string& reason);

    geotrain::Clock& m_clock;
    InNetworkSites& m_sites;
    std::unique_ptr<WanRelays> m_relays; ///< null where there is one data centre
    ServerFeed m_feed;
    std::uint32_t m_computing = 0; ///< workers
    StandstillWatch m_watch;
};

} // namespace ns3
