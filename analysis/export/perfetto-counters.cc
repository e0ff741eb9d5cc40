// SPDX-License-Identifier: GPL-2.0-only
#include "export/perfetto-counters.h"

#include "export/name-columns.h"

#include <algorithm>

namespace geotrain
{

namespace
{

using perfetto::protos::CounterDescriptor;

constexpr double nsPerSecond = 1e9;

CounterDescriptor
UnitNamed(const std::string& name)
{
    CounterDescriptor unit;
    unit.set_unit_name(name);
    return unit;
}

CounterDescriptor
UnitOfBytes()
{
    CounterDescriptor unit;
    unit.set_unit(CounterDescriptor::UNIT_SIZE_BYTES);
    return unit;
}

} // namespace

PerfettoCounters::PerfettoCounters(const trace::RunHeader& header,
                                   PerfettoTimeline& timeline,
                                   PerfettoTimeline::Track root,
                                   bool isFirst)
    : m_header(header),
      m_timeline(timeline),
      m_root(root),
      m_isFirst(isFirst)
{
}

void
PerfettoCounters::Add(const trace::LinkSample& sample)
{
    auto& link = m_links[sample.link()];
    link.linkClass = sample.link_class();
    m_intervalNs = sample.interval_ns();
    const std::int64_t holdNs = sample.interval_ns();
    const std::int64_t beginNs = sample.time_ns() - holdNs;
    const double seconds = static_cast<double>(holdNs) / nsPerSecond;
    link.throughput.push_back({beginNs, holdNs, static_cast<double>(sample.bits()) / seconds});
    link.utilization.push_back({beginNs, holdNs, 100 * sample.utilization()});
    link.dropped.push_back(
        {beginNs, holdNs, static_cast<double>(sample.dropped_packets()) / seconds});
    link.queue.push_back({sample.time_ns(), holdNs, static_cast<double>(sample.queue_bytes())});
}

void
PerfettoCounters::Add(const trace::FlowSample& sample)
{
    if (sample.flow_number() == 0 && !m_isFirst)
    {
        return;
    }
    const std::int64_t timeNs = sample.time_ns();
    if (m_flowSampleNs && timeNs > *m_flowSampleNs && m_links.empty())
    {
        const std::int64_t gapNs = timeNs - *m_flowSampleNs;
        m_intervalNs = m_intervalNs > 0 ? std::min(gapNs, m_intervalNs) : gapNs;
    }
    m_flowSampleNs = timeNs;
    auto& flow = m_flows[{
        {sample.source(), sample.destination()}, sample.flow_number(), sample.connection()}];
    const auto inFlight = static_cast<double>(sample.in_flight_bytes());
    const auto rttNs = static_cast<double>(sample.rtt_ns());
    const std::int64_t holdNs = m_links.empty() ? 0 : m_intervalNs;
    flow.rate.push_back({timeNs, holdNs, rttNs > 0 ? 8 * inFlight / rttNs * nsPerSecond : 0});
    flow.window.push_back({timeNs, holdNs, static_cast<double>(sample.cwnd_bytes())});
    flow.inFlight.push_back({timeNs, holdNs, inFlight});
    flow.roundTrip.push_back({timeNs, holdNs, rttNs / 1e6});
}

void
PerfettoCounters::Add(const trace::MessageSpan& message)
{
    Spread({message.source(), message.destination()},
           message.bytes(),
           message.send_start_ns(),
           message.sent_ns());
}

void
PerfettoCounters::Add(const trace::TransferSpan& transfer)
{
    const auto& transfers = m_header.transfers();
    const NodePair nodes =
        transfer.flow_number() == 0
            ? NodePair(transfers.source(), transfers.destination())
            : NodePair(transfers.flows(static_cast<int>(transfer.flow_number()) - 1).source(),
                       transfers.flows(static_cast<int>(transfer.flow_number()) - 1).destination());
    Spread(nodes, transfer.bytes(), transfer.start_ns(), transfer.sent_ns());
}

void
PerfettoCounters::Spread(NodePair nodes,
                         std::uint64_t bytes,
                         std::int64_t startNs,
                         std::int64_t endNs)
{
    const auto& from = m_header.nodes(static_cast<int>(nodes.first)).data_centre();
    const auto& to = m_header.nodes(static_cast<int>(nodes.second)).data_centre();
    if (from == to || endNs <= startNs || !m_links.empty())
    {
        return;
    }
    const double rate =
        8 * static_cast<double>(bytes) / static_cast<double>(endNs - startNs) * nsPerSecond;
    auto& changes = m_sent[{from, to}];
    changes.emplace_back(startNs, rate);
    changes.emplace_back(endNs, -rate);
}

void
PerfettoCounters::Finish()
{
    if (m_links.empty())
    {
        FinishThroughput();
    }
    else if (m_isFirst)
    {
        FinishLinks();
    }
    FinishFlows();
}

void
PerfettoCounters::FinishLinks()
{
    const Track all = m_timeline.AddTrack("Links", PerfettoTimeline::topLevel);
    for (const auto linkClass : {trace::LINK_CLASS_WAN, trace::LINK_CLASS_INTRA_DC})
    {
        const bool wan = linkClass == trace::LINK_CLASS_WAN;
        const Track group = m_timeline.AddTrack(wan ? "WAN" : "inside data centres", all);
        for (const auto& [name, link] : m_links)
        {
            if (link.linkClass != linkClass)
            {
                continue;
            }
            const Track row = m_timeline.AddTrack(name, group);
            Write(m_timeline.AddCounter("throughput", row, UnitNamed("bit/s")), link.throughput);
            Write(m_timeline.AddCounter("utilization", row, UnitNamed("%")), link.utilization);
            Write(m_timeline.AddCounter("queue", row, UnitOfBytes()), link.queue);
            Write(m_timeline.AddCounter("dropped", row, UnitNamed("packets/s")), link.dropped);
        }
    }
}

void
PerfettoCounters::FinishFlows()
{
    std::map<Track, Track> groups; // by what they are below
    std::map<NodePair, Track> pairs;
    for (const auto& [key, flow] : m_flows)
    {
        const auto& [nodes, number, connection] = key;
        const auto name = ConnectionName(m_header, nodes.first, nodes.second, connection);
        const Track root = number == 0 ? PerfettoTimeline::topLevel : m_root;
        auto& all = groups[root];
        all = all == 0 ? m_timeline.AddTrack("Flows", root) : all;
        auto& pair = pairs[nodes];
        pair = pair == 0 ? m_timeline.AddTrack(name.substr(0, name.rfind(" #")), all) : pair;
        const Track row =
            m_timeline.AddTrack(NameInFlow(m_header, number, connection).value_or(name), pair);
        Write(m_timeline.AddCounter("rate, in flight / RTT", row, UnitNamed("bit/s")), flow.rate);
        Write(m_timeline.AddCounter("congestion window", row, UnitOfBytes()), flow.window);
        Write(m_timeline.AddCounter("in flight", row, UnitOfBytes()), flow.inFlight);
        Write(m_timeline.AddCounter("RTT", row, UnitNamed("ms")), flow.roundTrip);
    }
}

void
PerfettoCounters::FinishThroughput()
{
    if (m_sent.empty())
    {
        return;
    }
    const Track all = m_timeline.AddTrack("Links", m_root);
    for (auto& [ends, changes] : m_sent)
    {
        const Track row = m_timeline.AddTrack(ends.first + " -> " + ends.second, all);
        const Track counter =
            m_timeline.AddCounter("throughput, of messages", row, UnitNamed("bit/s"));
        std::sort(changes.begin(), changes.end());
        double rate = 0;
        int sending = 0;
        for (std::size_t i = 0; i < changes.size(); ++i)
        {
            rate += changes[i].second;
            sending += changes[i].second > 0 ? 1 : -1;
            if (i + 1 == changes.size() || changes[i + 1].first > changes[i].first)
            {
                rate = sending == 0 ? 0 : rate; // without what rounding leaves
                m_timeline.AddValue(counter, changes[i].first, rate);
            }
        }
    }
}

/// Writes the points, without those that change nothing, and a zero where none follows in time.
void
PerfettoCounters::Write(Track counter, const Points& points)
{
    std::optional<double> last;
    const auto write = [&](std::int64_t timeNs, double value)
    {
        if (last != value)
        {
            m_timeline.AddValue(counter, timeNs, value);
            last = value;
        }
    };
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        const auto& point = points[i];
        write(point.startNs, point.value);
        const std::int64_t holdNs = point.holdNs > 0 ? point.holdNs : m_intervalNs;
        const std::int64_t idleNs = point.startNs + holdNs;
        if (i + 1 == points.size() || points[i + 1].startNs > idleNs + holdNs / 2)
        {
            write(idleNs, 0);
        }
    }
}

} // namespace geotrain
