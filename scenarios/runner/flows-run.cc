// SPDX-License-Identifier: GPL-2.0-only
// Two clocks run: the flows have one that begins with the warm-up, and the network's own begins
// with the measurement, so that links, cross traffic and the trace count from there.
#include "runner/flows-run.h"

#include "runner/fair-shares.h"
#include "runner/flow-sender.h"
#include "runner/packet-run-network.h"
#include "runner/trace-header.h"
#include "training-network/model/link-monitor.h"
#include "wan-topology/model/simulator-clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace geotrain
{

namespace
{

constexpr double segmentsOfChunk = 64; // a few, so that a flow stops soon

std::uint64_t
CountOfBytes(Bytes size)
{
    return static_cast<std::uint64_t>(size.Count());
}

FlowSenderSettings
SenderSettingsOf(const LoadedScenario& scenario)
{
    FlowSenderSettings settings;
    settings.transport.slowStartAfterIdle = scenario.transport.slowStartAfterIdle;
    settings.transport.tcp = scenario.transport.tcp;
    const WanTopology& wan = scenario.cluster.wan;
    settings.chunk = Bytes::Of(
        std::llround(segmentsOfChunk * PayloadShareOf(wan) * static_cast<double>(wan.mtu.Count())));
    settings.seed = scenario.run.seed;
    return settings;
}

/// A MeasuredFlow is a flow with what it had done at time 0.
struct MeasuredFlow
{
    std::unique_ptr<FlowSender> sender;
    std::uint32_t number = 0; ///< in the trace, from 1
    Bytes deliveredBefore;
    std::vector<ns3::FlowState> statesBefore;
    std::uint64_t messagesBefore = 0;
    bool isFailureTold = false;

    /// Returns what the connection had carried at time 0; nothing where it was opened later.
    ns3::FlowState Before(std::size_t connection) const
    {
        return connection < statesBefore.size() ? statesBefore[connection] : ns3::FlowState();
    }

    Bytes Retransmitted() const
    {
        Bytes sum;
        const auto states = sender->States();
        for (std::size_t i = 0; i < states.size(); ++i)
        {
            sum += states[i].retransmittedBytes - Before(i).retransmittedBytes;
        }
        return sum;
    }
};

/// FlowsSimulation is one simulation.
class FlowsSimulation
{
  public:
    FlowsSimulation(const LoadedScenario& scenario, const RunOptions& options, EarlyEnd& early)
        : m_scenario(scenario),
          m_transfer(*scenario.transfer),
          m_options(options),
          m_early(early),
          m_packets(scenario),
          m_writer((options.folder / "trace.pb").string(),
                   MakeTransferHeader(scenario, options.variant)),
          m_monitor(m_packets.Links()),
          m_spread(DrawnDelays(scenario)),
          m_times(TimesOf(scenario))
    {
        m_clock.StartAtZero();
        const auto settings = SenderSettingsOf(scenario);
        for (const auto& flow : m_transfer.flows)
        {
            const std::size_t index = m_flows.size();
            m_flows.emplace_back();
            m_flows.back().number = static_cast<std::uint32_t>(index + 1);
            m_flows.back().sender = FlowSender::Make(flow,
                                                     settings,
                                                     m_packets.GetBearer(),
                                                     m_clock,
                                                     [this, index](const SeriesMessage& message)
                                                     { OnMessage(m_flows[index], message); });
        }
    }

    std::string Run()
    {
        auto& measured = m_packets.Get().GetClock();
        measured.SetWatch([this] { return m_early.HasCome([this] { return Doing(); }); });
        ScheduleEarlyStarts();
        if (m_transfer.HasWarmUp() && !WarmUp())
        {
            m_writer.Finish(trace::RunEnd());
            return WhyNotWarm();
        }
        BeginMeasurement();
        measured.RunUntil([this] { return m_early.IsCome(); }, Instant() + m_transfer.duration);
        const bool isDone = !m_early.IsCome();
        EndMeasurement(isDone);
        return isDone ? ""
                      : fmt::format("{}: {:.3f} s of {:.3f} s were simulated",
                                    m_early.Why(measured.Now()),
                                    measured.Now().ToSeconds(),
                                    m_transfer.duration.ToSeconds());
    }

  private:
    void Schedule(Instant at, std::function<void()> action)
    {
        m_clock.Schedule(at, std::move(action));
    }

    void ScheduleEarlyStarts()
    {
        for (std::size_t i = 0; i < m_flows.size(); ++i)
        {
            auto& sender = *m_flows[i].sender;
            if (!sender.Flow().start)
            {
                Schedule(Instant() + m_spread[i], [&sender] { sender.Begin(); });
            }
        }
    }

    bool IsWarm() const
    {
        return m_clock.Now() - Instant() >= m_transfer.warmUpTime &&
               std::all_of(m_flows.begin(),
                           m_flows.end(),
                           [this](const MeasuredFlow& flow)
                           {
                               const auto& sender = *flow.sender;
                               return sender.Flow().start ||
                                      (sender.HasBegun() &&
                                       (!sender.Flow().IsSteady() ||
                                        m_transfer.warmUpBytes <= sender.Delivered()));
                           });
    }

    const FlowSender* FailedFlow() const
    {
        for (const auto& flow : m_flows)
        {
            if (!flow.sender->Failure().empty())
            {
                return flow.sender.get();
            }
        }
        return nullptr;
    }

    std::string WhyNotWarm() const
    {
        const FlowSender* failed = FailedFlow();
        return failed != nullptr
                   ? fmt::format("flow {} could not be warmed up: {}",
                                 failed->Flow().name,
                                 failed->Failure())
                   : fmt::format("{}: flows were being warmed up", m_early.Why(m_clock.Now()));
    }

    /// Runs the warm-up, which is looked at as often as connections are sampled. Returns false where
    /// it ended early.
    bool WarmUp()
    {
        const Instant deadline = Instant() + m_scenario.run.deadline;
        while (!IsWarm() && !m_early.IsCome() && m_clock.Now() < deadline &&
               FailedFlow() == nullptr)
        {
            const Instant next = m_clock.Now() + m_scenario.run.sampleInterval;
            Schedule(next, [] {}); // so that time goes on
            m_clock.RunUntil({}, next);
        }
        return IsWarm();
    }

    void BeginMeasurement()
    {
        m_packets.Get().Prepare({}); // the network's clock now reads 0
        m_origin = m_clock.Now();
        m_isMeasuring = true;
        m_packets.Begin(m_scenario, m_writer);
        m_monitor.Begin(Instant());
        for (std::size_t i = 0; i < m_flows.size(); ++i)
        {
            MeasuredFlow& flow = m_flows[i];
            auto& sender = *flow.sender;
            flow.deliveredBefore = sender.Delivered();
            flow.statesBefore = sender.States();
            flow.messagesBefore = sender.StartedMessages();
            if (sender.Flow().start)
            {
                Schedule(m_origin + m_times[i].start, [&sender] { sender.Begin(); });
            }
            if (sender.Flow().stop < m_transfer.duration)
            {
                Schedule(m_origin + sender.Flow().stop, [&sender] { sender.Stop(); });
            }
        }
        ScheduleSample();
    }

    void ScheduleSample()
    {
        Schedule(m_clock.Now() + m_scenario.run.sampleInterval,
                 [this]
                 {
                     Sample();
                     ScheduleSample();
                 });
    }

    void Sample()
    {
        const Instant now = Measured(m_clock.Now());
        for (const ns3::LinkSample& sample : m_monitor.End(now))
        {
            m_packets.WriteLinkSample(sample);
        }
        for (MeasuredFlow& flow : m_flows)
        {
            SampleFlow(flow, now);
        }
        if (m_options.progress)
        {
            m_options.progress(
                std::min(1.0, (now - Instant()).ToSeconds() / m_transfer.duration.ToSeconds()));
        }
    }

    void SampleFlow(MeasuredFlow& flow, Instant now)
    {
        const auto& sender = *flow.sender;
        if (!sender.Failure().empty() && !flow.isFailureTold)
        {
            flow.isFailureTold = true;
            trace::Record record;
            record.mutable_warning()->set_text(fmt::format(
                "a connection of flow {} gave up: {}", sender.Flow().name, sender.Failure()));
            m_writer.Write(record);
        }
        if (!sender.HasBegun() || sender.Flow().cold)
        {
            return; // short connections are told by their messages alone
        }
        const auto states = sender.States();
        for (std::size_t i = 0; i < states.size(); ++i)
        {
            WriteSample(flow, i, states[i], now);
        }
    }

    void WriteSample(const MeasuredFlow& flow,
                     std::size_t connection,
                     const ns3::FlowState& state,
                     Instant now)
    {
        const auto before = flow.Before(connection);
        trace::Record record;
        auto& sample = *record.mutable_flow_sample();
        sample.set_time_ns(now.ToNanoseconds());
        sample.set_source(flow.sender->Flow().source);
        sample.set_destination(flow.sender->Flow().destination);
        sample.set_connection(static_cast<std::uint32_t>(connection));
        sample.set_cwnd_bytes(CountOfBytes(state.congestionWindow));
        sample.set_rtt_ns(state.outstanding ? state.roundTripTime.GetNanoSeconds() : 0);
        sample.set_in_flight_bytes(CountOfBytes(state.inFlight));
        sample.set_retransmitted_bytes(
            CountOfBytes(state.retransmittedBytes - before.retransmittedBytes));
        sample.set_flow_number(flow.number);
        sample.set_delivered_bytes(
            CountOfBytes(state.acknowledgedBytes - before.acknowledgedBytes));
        m_writer.Write(record);
    }

    /// Writes the message, unless it began before the measurement.
    void OnMessage(const MeasuredFlow& flow, const SeriesMessage& message)
    {
        if (!m_isMeasuring || message.start < m_origin)
        {
            return;
        }
        trace::Record record;
        auto& span = *record.mutable_transfer_span();
        span.set_number(message.number - flow.messagesBefore);
        span.set_bytes(CountOfBytes(message.size));
        span.set_start_ns(Measured(message.start).ToNanoseconds());
        span.set_first_byte_ns(Measured(message.firstByte).ToNanoseconds());
        span.set_sent_ns(Measured(message.sent).ToNanoseconds());
        span.set_delivered_ns(Measured(message.delivered).ToNanoseconds());
        span.set_connection_fairness(1);
        span.set_flow_number(flow.number);
        m_writer.Write(record);
    }

    void EndMeasurement(bool isDone)
    {
        for (const MeasuredFlow& flow : m_flows)
        {
            trace::Record record;
            auto& totals = *record.mutable_flow_totals();
            totals.set_flow_number(flow.number);
            totals.set_delivered_bytes(
                CountOfBytes(flow.sender->Delivered() - flow.deliveredBefore));
            totals.set_retransmitted_bytes(CountOfBytes(flow.Retransmitted()));
            totals.set_started_messages(flow.sender->StartedMessages() - flow.messagesBefore);
            m_writer.Write(record);
            flow.sender->CheckConservation();
        }
        WriteDoubt(m_packets, m_writer);
        const Instant end = Instant() + m_transfer.duration;
        trace::RunEnd record;
        record.set_simulated_time_ns(
            std::min(m_packets.Get().GetClock().Now(), end).ToNanoseconds());
        record.set_finished(isDone);
        m_writer.Finish(record);
    }

    Instant Measured(Instant ofFlows) const
    {
        return Instant() + (ofFlows - m_origin);
    }

    std::string Doing() const
    {
        const double seconds = m_clock.Now().ToSeconds();
        return m_isMeasuring ? fmt::format("{:.3f} s of {:.3f} s simulated",
                                           Measured(m_clock.Now()).ToSeconds(),
                                           m_transfer.duration.ToSeconds())
                             : fmt::format("{:.3f} s of warm-up simulated", seconds);
    }

    const LoadedScenario& m_scenario;
    const TransferSection& m_transfer;
    const RunOptions& m_options;
    EarlyEnd& m_early;
    PacketRunNetwork m_packets;
    TraceWriter m_writer;
    ns3::LinkMonitor m_monitor;
    std::vector<Duration> m_spread; ///< drawn delay of each flow's start
    std::vector<FlowTimes> m_times;
    ns3::SimulatorClock m_clock; ///< of the flows
    Instant m_origin;            ///< on that clock: the beginning of the measurement
    bool m_isMeasuring = false;
    std::vector<MeasuredFlow> m_flows;
};

} // namespace

std::string
SimulateFlows(const LoadedScenario& scenario, const RunOptions& options, EarlyEnd& early)
{
    return FlowsSimulation(scenario, options, early).Run();
}

} // namespace geotrain
