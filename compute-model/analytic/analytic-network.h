// The fast network: a message takes latency plus size over bandwidth, where node pairs with something to send share links
// and caps max-min fairly by their connections, and a connection is limited by its window (windowed-pair.h). What it
// ignores: loss, cross traffic, outages. Packets are ignored but for their headers' share of the rate, and queues but for the
// one of each pair.
//
// When a pair's queue fills or empties, only rates of pairs that share links with it, directly or through others, are
// worked out again; none where no link of its has less than its pairs would take alone.
#pragma once

#include "analytic/event-loop.h"
#include "analytic/max-min-fairness.h"
#include "analytic/windowed-pair.h"
#include "execution/network.h"
#include "execution/warm-up-order.h"

#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace geotrain
{

/// What a connection has in flight (analytic/congestion-window.h).
struct AnalyticConnection
{
    Bytes window;                   ///< in flight at most; 0: no limit
    Bytes initialWindow;            ///< where it has carried nothing; 0: `window`, always warm
    Bytes firstFlight;              ///< before its first acknowledgement at most; 0: no such limit
    Bytes segment;                  ///< windows count in whole ones of this payload; 0: to the byte
    Bytes header;                   ///< of a transfer, and of each chunk of a striped message
    bool isBulkTcp = false;         ///< windows as bulk-tcp's; else as those of ns-3's own sockets
    bool restartsAfterIdle = false; ///< bulk-tcp's windows, as in RFC 2861
};

/// How a pair of nodes is connected.
struct AnalyticPath : AnalyticConnection
{
    std::vector<std::size_t> links; ///< indices into AnalyticTopology::linkRates, each at most once
    Duration delay;                 ///< one way
    Duration roundTrip;
    std::uint32_t connections = 1;
    bool crossesWan = false;
};

struct AnalyticTopology
{
    std::vector<BitRate> linkRates; ///< of links and caps, each positive
    double payloadShare = 1;        ///< of the bits on a link, in (0, 1]: the rest is headers

    /// The path of a directed pair of different nodes; called once a pair.
    std::function<AnalyticPath(NodeIndex source, NodeIndex destination)> pathOf;
};

/// Inside a data centre a window opens in microseconds: one that is as much as the path holds or more is left out, and all
/// goes at once.
void LeaveOutLooseWindow(AnalyticPath& path, const std::vector<BitRate>& linkRates);

class AnalyticNetwork : public Network
{
  public:
    explicit AnalyticNetwork(AnalyticTopology topology);

    /// On another network's clock, beside that network and apart from it. The clock must outlive this.
    AnalyticNetwork(AnalyticTopology topology, Clock& clock);
    ~AnalyticNetwork() override;

    std::string Name() const override;
    bool HasPackets() const override;

    /// Loss, marks, queue limits, whatever disturbs a link, others' traffic, every congestion control but Cubic.
    bool Ignores(std::string_view field, std::string_view value) const override;

    Clock& GetClock() override;
    std::uint32_t ConnectionsBetween(NodeIndex source, NodeIndex destination) const override;
    TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override;
    void Cancel(TransferNumber transfer) override;
    bool SpreadsMessages() const override;

    /// What takes a small share of the time from `relay` to `destination` on the way from `source`: parts that are smaller
    /// would cost events and change little.
    Bytes
    PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const override;

    /// Carries the warm-up messages in a network and a time of their own, and takes the windows that they leave. At
    /// time 0, before the first transfer, this goes for each call and for the pairs that are new to it; later the
    /// connections are opened and stay cold.
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

    struct Link
    {
        double capacity = 0;     ///< payload bytes a nanosecond
        std::int64_t rate = 0;   ///< bit/s
        std::int64_t demand = 0; ///< bit/s that its pairs would take, each alone
        std::vector<Pair*> pairs;
        std::uint64_t visited = 0;
        std::size_t local = 0; ///< index among the links gathered
    };

    Pair& PairOf(NodeIndex source, NodeIndex destination) const;
    double RateOf(const AnalyticPath& path) const;
    std::int64_t SlowestRate(const AnalyticPath& path) const;
    bool HasContention(const Pair& pair) const;
    MessageIndex NewMessage(Pair& pair, Bytes size, TransferCallback callback);
    void RequestUpdate(Pair& pair);
    void Update();
    void AdvancePair(Pair& pair);
    void Handle(const WindowedPair::Event& event);
    void Join(Pair& pair);
    void Leave(Pair& pair);
    void ScheduleNext(Pair& pair);
    void ShareRates();
    void Gather(Pair& first);
    void ShareGathered();
    void SetRate(Pair& pair, double bytesPerNanosecond);
    void Deliver(MessageIndex index);
    void Tell(MessageIndex index, TransferEvent::Kind kind);
    void CarryWarmUps(const std::vector<WarmUp>& pairs);
    void StartWarmUps(WarmUpOrder& order);
    void StartWarmUp(WarmUpOrder& order, std::size_t index);

    AnalyticTopology m_topology;
    EventLoop m_loop; ///< unused on another network's clock
    Clock& m_clock;
    mutable std::unordered_map<std::uint64_t, std::unique_ptr<Pair>> m_pairs; ///< never iterated
    std::vector<Link> m_links;
    std::deque<Message> m_messages; ///< references stay good while callbacks add messages
    std::vector<MessageIndex> m_freeMessages;
    std::vector<Pair*> m_changed;              ///< to be advanced in this instant's update
    std::vector<Pair*> m_advanced;             ///< in this update
    std::vector<Pair*> m_touched;              ///< whose rates are to be worked out
    std::vector<WindowedPair::Event> m_events; ///< of the pair that is advanced
    std::vector<Pair*> m_gatheredPairs;
    std::vector<std::size_t> m_gatheredLinks;
    std::vector<FlowGroup> m_groups; ///< of the pairs gathered
    std::vector<double> m_capacities;
    std::uint64_t m_stamp = 0;
    std::unordered_set<TransferNumber> m_cancelled;
    TransferNumber m_lastTransfer = 0;
    bool m_updateRequested = false;
    NetworkCounters m_counters;
};

} // namespace geotrain
