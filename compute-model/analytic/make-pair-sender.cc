// SPDX-License-Identifier: GPL-2.0-only
// All that is coarser than packets is decided here: how many connections form a group, and how long
// trains and moments are.
#include "analytic/make-pair-sender.h"

#include "analytic/bulk-window.h"
#include "analytic/stock-window.h"
#include "analytic/windowed-pair.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

// Where a run has many connections, more than mostSingle of a pair form groups, at least leastGroups
// of them, whose trains are up to coarsenessOfGroups times as long. A search over plans can afford
// that. README.md has the error against packets.
constexpr std::uint32_t mostSingle = 32;
constexpr std::uint32_t leastGroups = 4;
constexpr double coarsenessOfGroups = 4;

// Trains without pacing are this much shorter where they meet those of other pairs in a link's
// queue: pairs that send alike then end alike.
constexpr double finenessOfSharing = 1.0 / 16;

// Moments per round trip. Over bulk-tcp, acknowledgements within one moment count as one.
constexpr std::int64_t momentsOfRoundTrip = 3000;

/// A DirectPair has connections that nothing limits. Messages go into its queue at once, each as
/// one train that no acknowledgement answers.
class DirectPair : public PairSender
{
  public:
    /// `header` is the bytes before each message of a connection.
    DirectPair(std::uint32_t connections, std::int64_t header, Duration delay)
        : m_connections(connections),
          m_header(header),
          m_delay(delay)
    {
    }

    void Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t /*chunks*/) override
    {
        Add(message, bytes + m_header);
    }

    void Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t /*connection*/) override
    {
        Add(message, bytes + m_header);
    }

    void QueueForAll(std::uint32_t message, std::int64_t bytes) override
    {
        Add(message, bytes + m_connections * m_header);
    }

    void Advance(Instant now) override
    {
        m_queue.Serve(now);
        for (const Train& train : m_arrived)
        {
            m_queue.Push(train);
        }
        m_arrived.clear();
    }

  private:
    void Add(std::uint32_t message, std::int64_t bytes)
    {
        Train train;
        train.message = message;
        train.isFirst = true;
        train.isLast = true;
        train.bytes = bytes;
        m_arrived.push_back(train);
    }

    void Begins(const Train& train, Instant at) override
    {
        Tell(Event::Kind::Begun, train.message, at + m_delay);
    }

    void HasLeft(const Train& train, Instant at) override
    {
        Tell(Event::Kind::Sent, train.message, at + m_delay);
        Tell(Event::Kind::Left, train.message, at + m_delay);
    }

    std::uint32_t m_connections;
    std::int64_t m_header;
    Duration m_delay;
    std::vector<Train> m_arrived; ///< trains added since the last Advance
};

/// Returns the window settings of a path in bytes.
CongestionWindow::Settings
WindowSettings(const AnalyticPath& path)
{
    return {path.initialWindow.Count(),
            path.window.Count(),
            path.firstFlight.Count(),
            path.segment.Count()};
}

Connection
MakeConnection(const AnalyticPath& path, double coarseness)
{
    const auto settings = WindowSettings(path);
    const bool sharesUnpaced = path.tcp == AnalyticTcp::Stock && path.queuesAtLinks;
    const TrainLength trainLength(settings, sharesUnpaced ? finenessOfSharing : coarseness);
    if (path.tcp == AnalyticTcp::Bulk)
    {
        return {
            std::make_unique<BulkWindow>(
                settings, path.restartsAfterIdle, path.roundTrip, path.isReno),
            std::make_unique<DelayingReceiver>(settings.segment, settings.limit, path.roundTrip),
            trainLength,
            settings.segment,
            settings.limit};
    }
    return {std::make_unique<StockWindow>(settings),
            std::make_unique<StockReceiver>(settings.segment),
            trainLength,
            settings.segment,
            settings.limit};
}

TrainRoute
MakeRoute(const std::vector<AnalyticPath::Hop>& hops, Duration delay, const LinkQueueOf& queueOf)
{
    std::vector<TrainRoute::Hop> stages;
    for (const AnalyticPath::Hop& hop : hops)
    {
        stages.push_back({&queueOf(hop.link), hop.delay});
        delay = delay - hop.delay;
    }
    return {stages, delay};
}

} // namespace

std::unique_ptr<PairSender>
MakePairSender(const AnalyticPath& path, const LinkQueueOf& queueOf)
{
    if (!path.IsLimitedByWindow())
    {
        return std::make_unique<DirectPair>(path.connections, path.header.Count(), path.delay);
    }
    const bool isBulk = path.tcp == AnalyticTcp::Bulk;
    WindowedPair::Settings settings;
    settings.header = path.header.Count();
    settings.delay = path.delay;
    settings.queue = static_cast<double>(path.queue.Count());
    settings.dropPhase = path.dropPhase;
    settings.segment = std::max<std::int64_t>(1, path.segment.Count());
    settings.returnDelay = path.roundTrip - path.delay;
    settings.oneTakesAllChunks = !isBulk && path.connections == 1;
    const bool isInGroups = path.mayGroup && path.connections > mostSingle;
    settings.membersOfGroup = isInGroups ? path.connections / leastGroups : 1;
    if (isBulk)
    {
        settings.moment =
            Duration::Nanoseconds(path.roundTrip.ToNanoseconds() / momentsOfRoundTrip);
    }
    const double coarseness = settings.membersOfGroup > 1 ? coarsenessOfGroups : 1;
    std::vector<ConnectionGroup> groups;
    for (std::uint32_t first = 0; first < path.connections; first += settings.membersOfGroup)
    {
        groups.emplace_back(std::min(settings.membersOfGroup, path.connections - first),
                            MakeConnection(path, coarseness));
    }
    TrainRoute there = MakeRoute(path.hops, path.delay, queueOf);
    TrainRoute back = MakeRoute(path.returnHops, path.roundTrip - path.delay, queueOf);
    back.KeepTrains(path.roundTrip);
    return std::make_unique<WindowedPair>(
        settings, std::move(groups), std::move(there), std::move(back));
}

} // namespace geotrain
