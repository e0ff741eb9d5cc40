// SPDX-License-Identifier: GPL-2.0-only
#include "runner/flows-workload.h"

#include "runner/flow-sender.h"
#include "runner/flows-header.h"
#include "runner/testbed.h"
#include "runner/unfinished-run.h"
#include "training-network/model/link-monitor.h"
#include "wan-topology/model/simulator-clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
SenderSettingsOf(const Experiment& experiment)
{
    FlowSenderSettings settings;
    const WanTopology& wan = experiment.testbed.wan;
    settings.chunk = Bytes::Of(
        std::llround(segmentsOfChunk * PayloadShareOf(wan) * static_cast<double>(wan.mtu.Count())));
    settings.seed = experiment.run.seed;
    return settings;
}

} // namespace

/// MeasuredFlows are the flows on a testbed.
class MeasuredFlows
{
  public:
    /// All must outlive this.
    MeasuredFlows(const Experiment& experiment, Testbed& testbed, RecordSink& trace)
        : m_experiment(experiment),
          m_transfer(*experiment.transfer),
          m_testbed(testbed),
          m_trace(trace),
          m_monitor(testbed.Packets().GetBearer().Links()),
          m_spread(DrawnDelays(m_transfer, experiment.run.seed)),
          m_times(TimesOf(m_transfer, experiment.run.seed))
    {
        m_clock.StartAtZero();
        const auto settings = SenderSettingsOf(experiment);
        m_flows.reserve(m_transfer.flows.size()); // their callbacks refer to them
        for (const auto& flow : m_transfer.flows)
        {
            MeasuredFlow& added = m_flows.emplace_back();
            added.number = static_cast<std::uint32_t>(m_flows.size());
            added.sender = FlowSender::Make(flow,
                                            settings,
                                            testbed.Packets().GetBearer(),
                                            m_clock,
                                            [this, &added](const SeriesMessage& message)
                                            { OnMessage(added, message); });
        }
    }

    /// Runs the warm-up, which is looked at as often as connections are sampled. Throws UnfinishedRun
    /// where it ended early.
    void WarmUp()
    {
        ScheduleEarlyStarts();
        if (!m_transfer.HasWarmUp())
        {
            return;
        }
        const EarlyEnd& early = m_testbed.Early();
        while (!IsWarm() && !early.IsCome() && m_clock.Now() < early.Deadline() &&
               FailedFlow() == nullptr)
        {
            const Instant next = m_clock.Now() + m_experiment.run.sampleInterval;
            Schedule(next, [] {}); // so that time goes on
            m_clock.RunUntil({}, next);
        }
        if (!IsWarm())
        {
            throw UnfinishedRun(WhyNotWarm());
        }
    }

    void BeginMeasurement()
    {
        m_origin = m_clock.Now();
        m_isMeasuring = true;
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
            if (sender.Flow().stop < m_transfer.duration || !m_experiment.jobs.empty())
            {
                Schedule(m_origin + sender.Flow().stop, [&sender] { sender.Stop(); });
            }
        }
        ScheduleSample();
    }

    /// Writes what the flows have carried.
    void WriteTotals()
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
            m_trace.Write(record);
            flow.sender->CheckConservation();
        }
    }

    /// Returns the measured time that has passed.
    Duration Passed() const
    {
        return m_isMeasuring ? m_clock.Now() - m_origin : Duration();
    }

    std::string Doing() const
    {
        return m_isMeasuring ? fmt::format("{:.3f} s of {:.3f} s of flows",
                                           Passed().ToSeconds(),
                                           m_transfer.duration.ToSeconds())
                             : fmt::format("{:.3f} s of warm-up", m_clock.Now().ToSeconds());
    }

  private:
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
        return failed != nullptr ? fmt::format("flow {} could not be warmed up: {}",
                                               failed->Flow().name,
                                               failed->Failure())
                                 : fmt::format("{}: flows were being warmed up",
                                               m_testbed.Early().Why(m_clock.Now()));
    }

    void ScheduleSample()
    {
        Schedule(m_clock.Now() + m_experiment.run.sampleInterval,
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
            m_testbed.WriteLinkSample(sample);
        }
        for (MeasuredFlow& flow : m_flows)
        {
            SampleFlow(flow, now);
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
            m_trace.Write(record);
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
        m_trace.Write(record);
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
        m_trace.Write(record);
    }

    Instant Measured(Instant ofFlows) const
    {
        return Instant() + (ofFlows - m_origin);
    }

    const Experiment& m_experiment;
    const TransferSection& m_transfer;
    Testbed& m_testbed;
    RecordSink& m_trace;
    ns3::LinkMonitor m_monitor;
    std::vector<Duration> m_spread; ///< drawn delay of each flow's start
    std::vector<FlowTimes> m_times;
    ns3::SimulatorClock m_clock; ///< of the flows
    Instant m_origin;            ///< on that clock: the beginning of the measurement
    bool m_isMeasuring = false;
    std::vector<MeasuredFlow> m_flows;
};

FlowsWorkload::FlowsWorkload(const Experiment& experiment)
    : m_experiment(experiment)
{
}

FlowsWorkload::~FlowsWorkload() = default;

std::string
FlowsWorkload::Name() const
{
    return m_experiment.jobs.empty() ? "" : "transfer";
}

/// Returns each pair once.
std::vector<NodePair>
FlowsWorkload::Pairs() const
{
    std::vector<NodePair> pairs;
    for (const auto& flow : m_experiment.transfer->flows)
    {
        const NodePair pair{flow.source, flow.destination};
        if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end())
        {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

void
FlowsWorkload::Describe(trace::RunHeader& header) const
{
    DescribeFlows(m_experiment, header);
}

void
FlowsWorkload::WarmUp(Testbed& testbed, RecordSink& trace)
{
    m_flows = std::make_unique<MeasuredFlows>(m_experiment, testbed, trace);
    m_flows->WarmUp();
}

void
FlowsWorkload::Begin(Testbed& /*testbed*/)
{
    m_flows->BeginMeasurement();
}

std::optional<Instant>
FlowsWorkload::End() const
{
    return Instant() + m_experiment.transfer->duration;
}

bool
FlowsWorkload::IsDone() const
{
    return m_flows->Passed() >= m_experiment.transfer->duration;
}

/// Returns when the first flow began and the last one stopped.
std::optional<WorkTimes>
FlowsWorkload::Times() const
{
    WorkTimes all{*End(), Instant(), Instant(), Instant()};
    for (const FlowTimes& flow : TimesOf(*m_experiment.transfer, m_experiment.run.seed))
    {
        all.begin = std::min(all.begin, Instant() + flow.start);
        all.end = std::max(all.end, Instant() + flow.stop);
    }
    return all;
}

double
FlowsWorkload::Progress() const
{
    return m_flows ? std::min(1.0,
                              m_flows->Passed().ToSeconds() /
                                  m_experiment.transfer->duration.ToSeconds())
                   : 0;
}

std::string
FlowsWorkload::Doing() const
{
    return m_flows ? m_flows->Doing() : "";
}

std::string
FlowsWorkload::WhoWaits() const
{
    return Doing();
}

void
FlowsWorkload::Finish(Testbed& /*testbed*/, trace::RunEnd& /*end*/)
{
    m_flows->WriteTotals();
}

} // namespace geotrain
