// SPDX-License-Identifier: GPL-2.0-only
#include "runner/transfer-scenario-run.h"

#include "metrics/statistics.h"
#include "runner/message-series.h"
#include "runner/packet-run-network.h"
#include "runner/trace-header.h"
#include "units/random-stream.h"
#include "wan/wan-paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace geotrain
{

namespace
{

MessageSeriesSettings
SeriesOf(const LoadedScenario& scenario)
{
    const TransferSection& transfer = *scenario.transfer;
    MessageSeriesSettings series;
    series.source = transfer.source;
    series.destination = transfer.destination;
    series.size = transfer.size;
    series.chunk = scenario.transport.chunk;
    series.connections = scenario.transport.connections;
    series.messages = transfer.messages;
    series.gap = transfer.gap;
    series.cold = transfer.cold;
    return series;
}

PacketNetworkSettings
NetworkOf(const LoadedScenario& scenario)
{
    auto settings = SettingsOf(scenario);
    if (scenario.transfer->cold)
    {
        settings.wanConnections *= scenario.transfer->messages;
    }
    return settings;
}

std::uint64_t
Total(const std::vector<double>& bytes)
{
    return static_cast<std::uint64_t>(
        std::llround(std::accumulate(bytes.begin(), bytes.end(), 0.0)));
}

/// PathQueueing measures how long packets queue on each link of the messages' path since Begin().
class PathQueueing
{
  public:
    PathQueueing(const LoadedScenario& scenario, const ns3::WanLinks& links)
        : m_links(links)
    {
        const auto& topology = scenario.cluster.wan;
        const auto path =
            WanPaths(topology).SitePath(topology.SiteOf(scenario.transfer->source),
                                        topology.SiteOf(scenario.transfer->destination));
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

void
WriteSpan(TraceWriter& writer, Bytes size, const SeriesMessage& message)
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

/// TransferSimulation is one simulation: the networks, the series, its rival and the trace.
class TransferSimulation
{
  public:
    TransferSimulation(const LoadedScenario& scenario, const RunOptions& options, EarlyEnd& early)
        : m_scenario(scenario),
          m_options(options),
          m_early(early),
          m_settings(SeriesOf(scenario)),
          m_packets(scenario, NetworkOf(scenario)),
          m_writer((options.folder / "trace.pb").string(),
                   MakeTransferHeader(scenario, options.variant)),
          m_series(m_packets.Get(),
                   m_settings,
                   [this](const SeriesMessage& message) { OnMessage(message); })
    {
    }

    std::string Run()
    {
        auto& clock = m_packets.Get().GetClock();
        clock.SetWatch([this] { return m_early.HasCome([this] { return Doing(); }); });
        AddRival();
        Warm(m_packets.Get(), m_settings);
        WarmUp();
        m_packets.Begin(m_scenario, m_writer);
        const PathQueueing queueing(m_scenario, m_packets.Links());
        BeginLater(m_series, "transfer-start");
        if (m_rival && !m_scenario.transfer->HasWarmUp())
        {
            BeginLater(*m_rival, "rival-start");
        }
        m_rivalBytesBefore = m_rival ? Total(m_rival->DeliveredBytes()) : 0;
        clock.RunUntil([this] { return IsOver(); }, Instant() + m_scenario.run.deadline);
        WriteTotals(queueing.MeanNs());
        WriteDoubt(m_packets, m_writer);
        trace::RunEnd end;
        end.set_simulated_time_ns(clock.Now().ToNanoseconds());
        end.set_finished(IsDone());
        m_writer.Finish(end);
        if (!IsDone())
        {
            return Report(clock.Now());
        }
        m_packets.CheckConservation();
        return "";
    }

  private:
    void AddRival()
    {
        const std::string& rival = m_scenario.transfer->rival;
        if (rival.empty())
        {
            return;
        }
        auto network = SettingsOf(m_scenario);
        network.congestionControl = rival;
        auto series = m_settings;
        series.cold = false;
        series.messages = 0;
        series.gap = Duration();
        Network& rivals = m_packets.AddRival(network);
        Warm(rivals, series);
        m_rival = std::make_unique<MessageSeries>(rivals, series, nullptr);
    }

    void Warm(Network& network, const MessageSeriesSettings& series)
    {
        try
        {
            network.Prepare(series.cold
                                ? std::vector<Network::WarmUp>{}
                                : std::vector<Network::WarmUp>{
                                      {series.source,
                                       series.destination,
                                       std::max(series.size, m_scenario.transfer->warmUpBytes)}});
        }
        catch (const std::runtime_error& failed)
        {
            FailWarming(failed.what());
        }
    }

    /// Lets the series begin after a time that is drawn up to start_spread.
    void BeginLater(MessageSeries& series, const char* stream)
    {
        const double spread = m_scenario.transfer->startSpread.ToSeconds();
        if (spread == 0)
        {
            series.Begin();
            return;
        }
        RandomStream starts(m_scenario.run.seed, stream, "");
        auto& clock = m_packets.Get().GetClock();
        clock.Schedule(clock.Now() + Duration::Seconds(starts.Uniform() * spread),
                       [&series] { series.Begin(); });
    }

    /// Sends messages that are counted nowhere until the warm-up has had its time. Warm() has sent
    /// its bytes.
    void WarmUp()
    {
        const auto& transfer = *m_scenario.transfer;
        if (!transfer.HasWarmUp())
        {
            return;
        }
        if (m_rival)
        {
            m_rival->Begin();
        }
        auto& clock = m_packets.Get().GetClock();
        auto settings = m_settings;
        settings.messages = 1;
        while (clock.Now() - Instant() < transfer.warmUpTime)
        {
            MessageSeries message(m_packets.Get(), settings, nullptr);
            message.Begin();
            clock.RunUntil(
                [&] {
                    return message.DeliveredMessages() == 1 || m_early.IsCome() ||
                           !message.Failure().empty();
                },
                Instant() + m_scenario.run.deadline);
            if (message.DeliveredMessages() == 0)
            {
                FailWarming(message.Failure());
            }
            clock.Schedule(clock.Now() + settings.gap, [] {}); // so that time goes on
            clock.RunUntil({}, clock.Now() + settings.gap);
        }
        m_packets.CountFromNow();
    }

    [[noreturn]] void FailWarming(const std::string& reason)
    {
        m_writer.Finish(trace::RunEnd());
        const bool isOfConnection = !m_early.IsCome() && !reason.empty();
        throw UnfinishedRun(isOfConnection ? "the connections could not be warmed: " + reason
                                           : m_early.Why(m_packets.Get().GetClock().Now()) +
                                                 ": connections were being warmed");
    }

    std::string Doing()
    {
        return fmt::format("{:.3f} s simulated, {} of {} messages delivered",
                           m_packets.Get().GetClock().Now().ToSeconds(),
                           m_series.DeliveredMessages(),
                           m_settings.messages);
    }

    void OnMessage(const SeriesMessage& message)
    {
        WriteSpan(m_writer, m_settings.size, message);
        if (m_options.progress)
        {
            m_options.progress(static_cast<double>(message.number) / m_settings.messages);
        }
    }

    void WriteTotals(std::int64_t meanQueueingNs)
    {
        trace::Record record;
        auto& totals = *record.mutable_transfer_totals();
        totals.set_delivered_bytes(Total(m_series.DeliveredBytes()));
        totals.set_rival_delivered_bytes(
            m_rival ? Total(m_rival->DeliveredBytes()) - m_rivalBytesBefore : 0);
        const NetworkCounters counters = m_packets.Get().Counters();
        totals.set_retransmitted_bytes(
            static_cast<std::uint64_t>(counters.retransmittedBytes.Count()));
        totals.set_lost_packets(counters.lostPackets);
        totals.set_connection_fairness(m_settings.cold ? 0
                                                       : JainFairness(m_series.DeliveredBytes()));
        totals.set_mean_queueing_ns(meanQueueingNs);
        m_writer.Write(record);
    }

    bool IsDone() const
    {
        return m_series.DeliveredMessages() == m_settings.messages;
    }

    bool IsOver() const
    {
        return IsDone() || m_early.IsCome() || !m_series.Failure().empty() ||
               (m_rival && !m_rival->Failure().empty());
    }

    std::string Report(Instant end) const
    {
        const auto reason = m_early.Why(end);
        return fmt::format("{}: {} of {} messages were delivered{}{}",
                           reason,
                           m_series.DeliveredMessages(),
                           m_settings.messages,
                           m_series.Failure().empty() ? "" : ": ",
                           m_series.Failure());
    }

    const LoadedScenario& m_scenario;
    const RunOptions& m_options;
    EarlyEnd& m_early;
    MessageSeriesSettings m_settings;
    PacketRunNetwork m_packets;
    TraceWriter m_writer;
    MessageSeries m_series;
    std::unique_ptr<MessageSeries> m_rival;
    std::uint64_t m_rivalBytesBefore = 0; ///< that the rival had delivered at time 0
};

} // namespace

std::string
SimulateTransfer(const LoadedScenario& scenario, const RunOptions& options, EarlyEnd& early)
{
    return TransferSimulation(scenario, options, early).Run();
}

} // namespace geotrain
