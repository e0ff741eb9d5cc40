// The fast network: a message takes latency plus size over bandwidth, where concurrent messages share links
// and caps max-min fairly and a connection is limited by its window. What it ignores: loss, queueing delay,
// cross traffic, outages. Packets are ignored but for their headers' share of the rate.
//
// A connection sends at most one window a round trip (connection-windows.h), so that a message of n windows and a rest L
// takes n round trips and L / r on it. The connections of a pair are taken in turn.
//
// A striped message is one flow over as many connections as it has chunks, not a flow for each chunk. When flows
// come or go, only rates of flows that share links with them, directly or through others, are worked out again.
#pragma once

#include "analytic/connection-windows.h"
#include "analytic/event-loop.h"
#include "execution/network.h"

#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace geotrain
{

/// How a pair of nodes is connected.
struct AnalyticPath
{
    std::vector<std::size_t> links; ///< indices into AnalyticTopology::linkRates, each at most once
    Duration delay;                 ///< one way
    Duration roundTrip;
    std::uint32_t connections = 1;
    Bytes window;        ///< in flight on a connection at most; 0: no limit
    Bytes initialWindow; ///< of a connection that has carried nothing; 0: `window`, always warm
    Bytes segment;       ///< windows count in whole ones of this payload; 0: to the bit
    bool crossesWan = false;
};

struct AnalyticTopology
{
    std::vector<BitRate> linkRates; ///< of links and caps, each positive
    double payloadShare = 1;        ///< of the bits on a link, in (0, 1]: the rest is headers

    /// The path of a directed pair of different nodes; called once a pair.
    std::function<AnalyticPath(NodeIndex source, NodeIndex destination)> pathOf;
};

class AnalyticNetwork : public Network
{
  public:
    explicit AnalyticNetwork(AnalyticTopology topology);

    /// On another network's clock, beside that network and apart from it. The clock must outlive this.
    AnalyticNetwork(AnalyticTopology topology, Clock& clock);
    ~AnalyticNetwork() override;

    Clock& GetClock() override;
    std::uint32_t ConnectionsBetween(NodeIndex source, NodeIndex destination) const override;
    TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override;
    void Cancel(TransferNumber transfer) override;
    void SendStriped(NodeIndex source,
                     NodeIndex destination,
                     Bytes size,
                     TransferCallback callback) override;

    /// Opens the windows of the pairs' connections by what their warm-up messages carry; it takes no time.
    void Prepare(const std::vector<WarmUp>& pairs) override;

    NetworkCounters Counters() const override;

  private:
    using FlowIndex = std::uint32_t;

    struct Pair;

    /// A transfer on its connection, or a striped message on its connections.
    struct Flow
    {
        Pair* pair = nullptr;
        TransferNumber number = 0;
        TransferCallback callback;
        Bytes size;
        std::uint32_t connection = 0; ///< of a transfer; of a striped message the first
        std::uint32_t wanted = 0;     ///< connections that a striped message can use; 0: a transfer
        std::uint32_t connections = 0; ///< that carry it now
        double bitsLeft = 0;
        double bitsLeftInPhase =
            0; ///< until its windows allow another rate; infinity: the last phase
        double limitOfConnection = 0; ///< bits a nanosecond in this phase; 0: none
        double bitsPerNanosecond = 0; ///< of all its connections
        Instant progressedTo;
        Clock::EventNumber end = 0; ///< the scheduled end, where hasEnd
        bool hasEnd = false;
        bool isUnderWay = false;
        std::uint64_t visited = 0; ///< stamp of the last gathering of flows that share links
    };

    struct Link
    {
        double capacity = 0; ///< payload bits a nanosecond
        std::vector<FlowIndex> flows;
        std::uint64_t visited = 0;
        std::size_t local = 0; ///< index among the links gathered
    };

    Pair& PairOf(NodeIndex source, NodeIndex destination) const;
    FlowIndex NewFlow(Pair& pair, Bytes size, TransferCallback callback);
    void RequestUpdate();
    void Update();
    void EndFlow(FlowIndex index);
    void StartWaiting(Pair& pair);
    void StartStriped(Pair& pair);
    void Begin(FlowIndex index);
    void Join(FlowIndex index);
    void StartPhase(Flow& flow);
    void EndPhase(FlowIndex index);
    void Progress(Flow& flow);
    void Leave(FlowIndex index);
    void Touch(FlowIndex index);
    void ShareRates();
    void Gather(FlowIndex first);
    void ShareGathered();
    void SetRate(FlowIndex index, double bitsPerNanosecond);
    void Deliver(FlowIndex index, Instant at);
    void Tell(FlowIndex index, TransferEvent::Kind kind, Instant at);

    AnalyticTopology m_topology;
    EventLoop m_loop; ///< unused on another network's clock
    Clock& m_clock;
    mutable std::unordered_map<std::uint64_t, std::unique_ptr<Pair>> m_pairs; ///< never iterated
    std::vector<Link> m_links;
    std::deque<Flow> m_flows; ///< references stay good while callbacks add flows
    std::vector<FlowIndex> m_freeFlows;
    std::vector<FlowIndex> m_ended; ///< since the last update
    std::vector<FlowIndex> m_phaseEnded;
    std::vector<Pair*> m_toStart;     ///< pairs with something that may begin
    std::vector<FlowIndex> m_touched; ///< flows whose rates are to be worked out
    std::vector<FlowIndex> m_gatheredFlows;
    std::vector<std::size_t> m_gatheredLinks;
    std::uint64_t m_stamp = 0;
    std::unordered_set<TransferNumber> m_cancelled;
    TransferNumber m_lastTransfer = 0;
    bool m_updateRequested = false;
    NetworkCounters m_counters;
};

} // namespace geotrain
