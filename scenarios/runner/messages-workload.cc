// SPDX-License-Identifier: GPL-2.0-only
#include "runner/messages-workload.h"

#include "metrics/statistics.h"
#include "runner/testbed.h"
#include "runner/trace-header.h"
#include "units/random-stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace geotrain
{

namespace
{

MessageSeriesSettings
SeriesOf(const TransferSection& transfer, const TransportSettings& transport)
{
    MessageSeriesSettings series;
    series.source = transfer.source;
    series.destination = transfer.destination;
    series.size = transfer.size;
    series.chunk = transport.chunk;
    series.connections = transport.connections;
    series.messages = transfer.messages;
    series.gap = transfer.gap;
    series.cold = transfer.cold;
    return series;
}

/// Returns the message that warms the connections of a series.
Network::WarmUp
WarmUpOf(const MessageSeriesSettings& series, const TransferSection& transfer, OwnerIndex owner)
{
    return {series.source, series.destination, std::max(series.size, transfer.warmUpBytes), owner};
}

OwnerIndex
OwnerBesideJobs(const Experiment& experiment)
{
    return static_cast<OwnerIndex>(experiment.jobs.size());
}

/// Returns a view of all nodes whose connections no job uses.
std::unique_ptr<NodeView>
ViewBesideJobs(const Experiment& experiment, Network& network)
{
    std::vector<NodeIndex> nodes(experiment.testbed.wan.NodeCount());
    std::iota(nodes.begin(), nodes.end(), NodeIndex{0});
    std::vector<std::uint32_t> dataCenters;
    for (const NodeIndex node : nodes)
    {
        dataCenters.push_back(experiment.testbed.wan.SiteOf(node));
    }
    return std::make_unique<NodeView>(
        network, nodes, dataCenters, std::vector<OwnerIndex>{OwnerBesideJobs(experiment)});
}

std::uint64_t
Total(const std::vector<double>& bytes)
{
    return static_cast<std::uint64_t>(
        std::llround(std::accumulate(bytes.begin(), bytes.end(), 0.0)));
}

void
WriteSpan(RecordSink& writer, Bytes size, const SeriesMessage& message)
{
    trace::Record record;
    auto& span = *record.mutable_transfer_span();
    span.set_number(message.number);
    span.set_bytes(static_cast<std::uint64_t>(size.Count()));
    span.set_start_ns(message.start.ToNanoseconds());
    span.set_first_byte_ns(message.firstByte.ToNanoseconds());
    span.set_sent_ns(message.sent.ToNanoseconds());
    span.set_delivered_ns(message.delivered.ToNanoseconds());
    span.set_connection_fairness(message.fairness);
    writer.Write(record);
}

} // namespace

/// PathQueueing measures how long packets queue on each link of the messages' path since Begin().
class PathQueueing
{
  public:
    PathQueueing(const Experiment& experiment, const ns3::WanLinks& links)
        : m_links(links)
    {
        const auto& topology = experiment.testbed.wan;
        const auto path =
            experiment.testbed.paths->SitePath(topology.SiteOf(experiment.transfer->source),
                                               topology.SiteOf(experiment.transfer->destination));
        for (const auto& hop : path.value())
        {
            const std::size_t link = 2 * std::size_t{hop.link} + (hop.forward ? 0 : 1);
            m_atBegin.emplace_back(link, links.CountersAt(link));
        }
    }

    std::int64_t MeanNs() const
    {
        double sum = 0;
        for (const auto& [link, before] : m_atBegin)
        {
            const auto now = m_links.CountersAt(link);
            const auto packets = static_cast<double>(now.packets - before.packets);
            sum +=
                packets > 0 ? static_cast<double>(now.queueingNs - before.queueingNs) / packets : 0;
        }
        return std::llround(sum);
    }

  private:
    const ns3::WanLinks& m_links;
    std::vector<std::pair<std::size_t, ns3::WanLinkCounters>> m_atBegin;
};

MessagesWorkload::MessagesWorkload(const Experiment& experiment)
    : m_experiment(experiment),
      m_transfer(*experiment.transfer),
      m_settings(SeriesOf(m_transfer, experiment.testbed.transport))
{
}

MessagesWorkload::~MessagesWorkload() = default;

std::string
MessagesWorkload::Name() const
{
    return m_experiment.jobs.empty() ? "" : "transfer";
}

std::vector<NodePair>
MessagesWorkload::Pairs() const
{
    return {{m_transfer.source, m_transfer.destination}};
}

std::vector<Network::WarmUp>
MessagesWorkload::WarmUps() const
{
    return m_settings.cold ? std::vector<Network::WarmUp>()
                           : std::vector<Network::WarmUp>{
                                 WarmUpOf(m_settings, m_transfer, OwnerBesideJobs(m_experiment))};
}

void
MessagesWorkload::Describe(trace::RunHeader& header) const
{
    *header.mutable_wan_conditions() =
        PathConditionsOf(m_experiment, m_transfer.source, m_transfer.destination);
    auto& transfers = *header.mutable_transfers();
    transfers.set_source(m_transfer.source);
    transfers.set_destination(m_transfer.destination);
    transfers.set_bytes(static_cast<std::uint64_t>(m_transfer.size.Count()));
    transfers.set_messages(m_transfer.messages);
    transfers.set_connections(m_settings.connections);
    transfers.set_cold(m_transfer.cold);
    transfers.set_rival(ShortNameOf(m_transfer.rival));
}

/// Adds the rival, whose connections are warmed before those of the testbed.
void
MessagesWorkload::WarmUp(Testbed& testbed, RecordSink& trace)
{
    m_trace = &trace;
    m_view = ViewBesideJobs(m_experiment, testbed.GetNetwork());
    m_series =
        std::make_unique<MessageSeries>(*m_view,
                                        m_settings,
                                        [this](const SeriesMessage& message)
                                        {
                                            m_begun = message.number == 1 ? message.start : m_begun;
                                            m_delivered = message.delivered;
                                            WriteSpan(*m_trace, m_settings.size, message);
                                        });
    if (m_transfer.rival.empty())
    {
        return;
    }
    auto transport = m_experiment.testbed.transport;
    transport.congestionControl = m_transfer.rival;
    transport.connections = m_settings.connections;
    auto series = m_settings;
    series.cold = false;
    series.messages = 0;
    series.gap = Duration();
    Network& rivals = testbed.Packets().AddRival(transport);
    rivals.Prepare({WarmUpOf(series, m_transfer, 0)});
    m_rival = std::make_unique<MessageSeries>(rivals, series, nullptr);
}

/// Sends messages that are counted nowhere until the warm-up has had its time. WarmUps() have sent
/// its bytes.
void
MessagesWorkload::Settle(Testbed& testbed)
{
    if (!m_transfer.HasWarmUp())
    {
        return;
    }
    if (m_rival)
    {
        m_rival->Begin();
    }
    auto& clock = testbed.GetClock();
    auto settings = m_settings;
    settings.messages = 1;
    while (clock.Now() - Instant() < m_transfer.warmUpTime)
    {
        MessageSeries message(*m_view, settings, nullptr);
        message.Begin();
        clock.RunUntil(
            [&]
            {
                return message.DeliveredMessages() == 1 || testbed.Early().IsCome() ||
                       !message.Failure().empty();
            },
            testbed.Early().Deadline());
        if (message.DeliveredMessages() == 0)
        {
            throw std::runtime_error(message.Failure());
        }
        clock.Schedule(clock.Now() + settings.gap, [] {}); // so that time goes on
        clock.RunUntil({}, clock.Now() + settings.gap);
    }
    testbed.Packets().Get().CountFromNow();
}

void
MessagesWorkload::Begin(Testbed& testbed)
{
    m_queueing =
        std::make_unique<PathQueueing>(m_experiment, testbed.Packets().GetBearer().Links());
    BeginLater(testbed, *m_series, "transfer-start");
    if (m_rival && !m_transfer.HasWarmUp())
    {
        BeginLater(testbed, *m_rival, "rival-start");
    }
    m_rivalBytesBefore = m_rival ? Total(m_rival->DeliveredBytes()) : 0;
}

/// Lets the series begin after a time that is drawn up to start_spread.
void
MessagesWorkload::BeginLater(Testbed& testbed, MessageSeries& series, const char* stream)
{
    const double spread = m_transfer.startSpread.ToSeconds();
    if (spread == 0)
    {
        series.Begin();
        return;
    }
    RandomStream starts(m_experiment.run.seed, stream, "");
    auto& clock = testbed.GetClock();
    clock.Schedule(clock.Now() + Duration::Seconds(starts.Uniform() * spread),
                   [&series] { series.Begin(); });
}

bool
MessagesWorkload::IsDone() const
{
    return m_series->DeliveredMessages() == m_settings.messages;
}

std::optional<WorkTimes>
MessagesWorkload::Times() const
{
    return IsDone() ? std::optional(WorkTimes{m_begun, m_delivered, Instant(), Instant()})
                    : std::nullopt;
}

bool
MessagesWorkload::HasFailed() const
{
    return !m_series->Failure().empty() || (m_rival && !m_rival->Failure().empty());
}

double
MessagesWorkload::Progress() const
{
    return m_series ? static_cast<double>(m_series->DeliveredMessages()) / m_settings.messages : 0;
}

std::string
MessagesWorkload::Doing() const
{
    return m_series ? fmt::format("{} of {} messages delivered",
                                  m_series->DeliveredMessages(),
                                  m_settings.messages)
                    : "";
}

std::string
MessagesWorkload::WhoWaits() const
{
    return Doing() + (HasFailed() ? ": " + m_series->Failure() : "");
}

void
MessagesWorkload::Finish(Testbed& testbed, trace::RunEnd& /*end*/)
{
    trace::Record record;
    auto& totals = *record.mutable_transfer_totals();
    totals.set_delivered_bytes(Total(m_series->DeliveredBytes()));
    totals.set_rival_delivered_bytes(m_rival ? Total(m_rival->DeliveredBytes()) - m_rivalBytesBefore
                                             : 0);
    const NetworkCounters counters = testbed.GetNetwork().Counters();
    totals.set_retransmitted_bytes(static_cast<std::uint64_t>(counters.retransmittedBytes.Count()));
    totals.set_lost_packets(counters.lostPackets);
    totals.set_connection_fairness(m_settings.cold ? 0 : JainFairness(m_series->DeliveredBytes()));
    totals.set_mean_queueing_ns(m_queueing->MeanNs());
    m_trace->Write(record);
}

} // namespace geotrain
