// The fast network: a message takes latency plus size over bandwidth, where concurrent messages share links
// and caps max-min fairly and a connection is limited to window over round-trip time. What it ignores: slow
// start, loss, queueing delay, cross traffic. Packets are ignored but for their headers' share of the rate.
#pragma once

#include "analytic/event-loop.h"
#include "execution/network.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>
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
    Bytes window; ///< in flight on a connection at most; 0: no limit
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
    ~AnalyticNetwork() override;

    Clock& GetClock() override;
    std::uint32_t ConnectionsBetween(NodeIndex source, NodeIndex destination) const override;
    TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override;
    void Cancel(TransferNumber transfer) override;

    /// Connections here are always warm: nothing to do.
    void Prepare(const std::vector<WarmUp>& pairs) override;

    NetworkCounters Counters() const override;

  private:
    /// On its way over a connection, which carries its transfers one after another.
    struct Flight
    {
        TransferNumber number = 0;
        TransferCallback callback;
        Bytes size;
        double bitsLeft = 0;
        bool begun = false;
    };

    struct Pair;

    struct Ended
    {
        Pair* pair = nullptr;
        Flight flight;
    };

    Pair& PairOf(NodeIndex source, NodeIndex destination) const;
    void RequestUpdate(Instant at);
    void Update();
    void Progress();
    std::vector<Ended> TakeEnded();
    void BeginHeads();
    void ShareRates();
    void ScheduleNextEnd();
    void Deliver(const Pair& pair, Flight flight);
    void Tell(const Flight& flight, TransferEvent::Kind kind, Instant at);

    AnalyticTopology m_topology;
    std::vector<double> m_capacities; ///< payload bits a nanosecond, by link
    EventLoop m_loop;
    mutable std::map<std::pair<NodeIndex, NodeIndex>, std::unique_ptr<Pair>> m_pairs;
    std::vector<Pair*> m_activePairs; ///< in the order in which they became active
    std::unordered_set<TransferNumber> m_cancelled;
    TransferNumber m_lastTransfer = 0;
    Instant m_progressedTo;
    Clock::EventNumber m_update = 0; ///< the scheduled Update(), 0: none
    Instant m_updateAt;
    bool m_isUpdating = false;
    NetworkCounters m_counters;
};

} // namespace geotrain
