// SPDX-License-Identifier: GPL-2.0-only
// Gives the pulls and pushes of an executor's workers to an in-network optimizer, over packets or by a
// formula. A request's n-th of a worker is that of its n-th forward or backward, or of its n-th
// backward: iterations go through the layers and back.
#pragma once

#include "execution/execution-observer.h"
#include "in-network/server-feed.h"
#include "in-network/stream-collectives.h"
#include "in-network/wan-relays.h"

namespace geotrain
{

/// InNetworkCollectives carry pulls and pushes. Observe the executor with them: where nothing moves
/// over packets and nobody computes, all requests fail after as many timeouts as a sender takes to
/// give up, and the reason says who waits for what.
class InNetworkCollectives : public StreamCollectives, public ExecutionObserver
{
  public:
    /// The sites have run nothing else. They and `layer`, over which relays send, outlive this.
    InNetworkCollectives(MessageLayer& layer, OptimizerSites& sites, InNetworkJob job);
    ~InNetworkCollectives() override;

    CollectiveHandle Join(const CollectiveRequest& request,
                          std::uint32_t member,
                          CollectiveCallback callback) override;
    void InstructionStarted(WorkerIndex worker,
                            std::uint32_t iteration,
                            const Instruction& instruction,
                            Instant start) override;
    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t iteration,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override;

  private:
    void FeedRelays(std::size_t layer, bool isBackward);
    void LookWhetherItStands();
    bool IsBusy() const;
    std::string WhoWaits() const;

    const InNetworkJob m_job;
    WanRelays m_relays;
    ServerFeed m_feed;
    std::vector<std::size_t> m_pulls;  ///< by member: made so far
    std::vector<std::size_t> m_pushes; ///< by member: made so far
    std::uint32_t m_computing = 0;     ///< workers
    std::int64_t m_lastProgress = -1;  ///< when it looked last
    std::uint32_t m_idleLooks = 0;     ///< in a row at which nothing had moved
    bool m_isLooking = false;          ///< m_nextLook is scheduled
    Clock::EventNumber m_nextLook = 0;
};

} // namespace geotrain
