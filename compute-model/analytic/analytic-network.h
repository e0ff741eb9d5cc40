// SPDX-License-Identifier: GPL-2.0-only
// The fast network: a message takes latency plus size over bandwidth. Node pairs share NICs and caps
// max-min fairly by their connections (link-sharing.h) and WAN links as queues (link-queue.h); a
// window limits each connection (windowed-pair.h). It ignores cross traffic and outages, and of
// packets it has only the share of the rate that headers take.
#pragma once

#include "analytic/analytic-path.h"
#include "analytic/event-loop.h"
#include "analytic/link-queue.h"
#include "analytic/link-sharing.h"
#include "analytic/pair-sender.h"
#include "execution/network.h"
#include "execution/warm-up-order.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace geotrain
{

/// An AnalyticTopology lists the links and caps, and says which of them each node pair uses.
struct AnalyticTopology
{
    std::vector<BitRate> linkRates; ///< rates of links and caps, each positive
    /// Queues of the links that are hops of a path, each with any rate; empty: none has a limit.
    std::vector<LinkQueue::Settings> queues;
    double payloadShare = 1; ///< payload's share of the bits on a link, in (0, 1]; not headers
    /// Rank of each owner's pairs, of which links serve the highest first; 0 for further owners. Empty:
    /// links serve all in their order.
    std::vector<int> ranks;

    /// Returns the path of a directed pair of different nodes. It is called once per pair and owner.
    std::function<AnalyticPath(NodeIndex source, NodeIndex destination)> pathOf;
};

/// AnalyticNetwork is the Network without packets.
class AnalyticNetwork : public Network
{
  public:
    explicit AnalyticNetwork(AnalyticTopology topology);

    /// Makes a network that runs on another network's clock and shares nothing else with it. The
    /// clock must outlive this.
    AnalyticNetwork(AnalyticTopology topology, Clock& clock);
    ~AnalyticNetwork() override;

    /// It ignores marks, whatever disturbs a link but independent losses, others' traffic, and every
    /// congestion control but Cubic and Reno.
    static const NetworkKind& StaticKind();

    const NetworkKind& Kind() const override;
    Clock& GetClock() override;
    std::uint32_t ConnectionsBetween(NodeIndex source, NodeIndex destination) const override;
    TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override;
    void Cancel(TransferNumber transfer) override;
    bool SpreadsMessages(NodeIndex source, NodeIndex destination) const override;

    /// Returns the bytes whose way from `source` to `relay` takes a small share of the time from
    /// `relay` to `destination`. Smaller parts would cost events and change little.
    Bytes
    PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const override;

    /// Carries the warm-up messages in a separate network with its own time, and takes over the
    /// windows that they leave. Before the first transfer at time 0, each call does so for the
    /// pairs that are new to it. Later calls only open connections, which stay cold.
    void Prepare(const std::vector<WarmUp>& pairs) override;

    NetworkCounters Counters() const override;

  private:
    using MessageIndex = std::uint32_t;

    struct Pair;

    /// A transfer or a striped message.
    struct Message
    {
        Pair* pair = nullptr;
        TransferNumber number = 0;
        TransferCallback callback;
        Bytes size;
    };

    Pair& PairOf(NodeIndex source, NodeIndex destination, OwnerIndex owner = 0) const;
    LinkQueue& QueueOf(std::size_t link) const;
    double RateAlone(const AnalyticPath& path) const;
    MessageIndex NewMessage(Pair& pair, Bytes size, TransferCallback callback);
    void RequestUpdate(Pair& pair);
    void Update();
    void AdvancePair(Pair& pair);
    void Handle(const PairSender::Event& event);
    void JoinOrLeave(Pair& pair);
    void ScheduleNext(Pair& pair);
    void SetRate(Pair& pair, double bytesPerNanosecond);
    void Deliver(MessageIndex index);
    void Tell(MessageIndex index, TransferEvent::Kind kind);
    void CarryWarmUps(const std::vector<WarmUp>& pairs);
    void StartWarmUps(WarmUpOrder& order);
    void StartWarmUp(WarmUpOrder& order, std::size_t index);

    AnalyticTopology m_topology;
    EventLoop m_loop; ///< unused on another network's clock
    Clock& m_clock;
    mutable std::vector<std::unique_ptr<LinkQueue>> m_queues; ///< by link; outlive the pairs
    /// By owner, and by source and destination; never iterated.
    mutable std::map<OwnerIndex, std::unordered_map<std::uint64_t, std::unique_ptr<Pair>>> m_pairs;
    LinkSharing m_sharing;
    std::deque<Message> m_messages; ///< references stay good while callbacks add messages
    std::vector<MessageIndex> m_freeMessages;
    std::vector<Pair*> m_changed;            ///< pairs to advance in this instant's update
    std::vector<Pair*> m_advanced;           ///< pairs advanced in this update
    std::vector<PairSender::Event> m_events; ///< events of the pair that is being advanced
    std::unordered_set<TransferNumber> m_cancelled;
    TransferNumber m_lastTransfer = 0;
    bool m_updateRequested = false;
    NetworkCounters m_counters;
};

} // namespace geotrain
