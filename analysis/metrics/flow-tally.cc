// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/flow-tally.h"

#include <algorithm>

namespace geotrain
{

double
FlowSeries::BytesAt(std::int64_t timeNs) const
{
    const auto after = std::lower_bound(delivered.begin(),
                                        delivered.end(),
                                        timeNs,
                                        [](const DeliveredPoint& point, std::int64_t time)
                                        { return point.timeNs < time; });
    if (after == delivered.end())
    {
        return delivered.empty() ? 0 : delivered.back().bytes;
    }
    const DeliveredPoint before = after == delivered.begin() ? DeliveredPoint{} : *(after - 1);
    const auto span = static_cast<double>(after->timeNs - before.timeNs);
    const double share = span > 0 ? static_cast<double>(timeNs - before.timeNs) / span : 1;
    return before.bytes + std::max(0.0, share) * (after->bytes - before.bytes);
}

double
LinkSeries::Utilization() const
{
    double bits = 0;
    double seconds = 0;
    for (const auto& point : points)
    {
        bits += point.bits;
        seconds += point.seconds;
    }
    return seconds > 0 && capacityBps > 0 ? bits / seconds / capacityBps : 0;
}

FlowTally::FlowTally(TraceReader& reader)
    : m_header(reader.Header()),
      m_flows(static_cast<std::size_t>(m_header.transfers().flows_size()))
{
    for (const auto& flow : m_header.transfers().flows())
    {
        for (const auto& link : flow.links())
        {
            m_links[link];
        }
    }
    for (const auto& capacity : m_header.wan_capacities())
    {
        const auto link = m_links.find(capacity.name());
        if (link != m_links.end())
        {
            link->second.capacityBps = capacity.bps();
        }
    }
    while (const auto record = reader.Next())
    {
        Take(*record);
    }
    reader.RefuseTruncated();
}

const trace::RunHeader&
FlowTally::Header() const
{
    return m_header;
}

const trace::TransferFlow&
FlowTally::Flow(std::size_t flow) const
{
    return m_header.transfers().flows(static_cast<int>(flow));
}

const std::vector<FlowSeries>&
FlowTally::Flows() const
{
    return m_flows;
}

const std::map<std::string, LinkSeries>&
FlowTally::Links() const
{
    return m_links;
}

const std::string&
FlowTally::BottleneckOf(std::size_t flow) const
{
    const auto& links = Flow(flow).links();
    return *std::max_element(links.begin(),
                             links.end(),
                             [this](const std::string& a, const std::string& b)
                             { return m_links.at(a).Utilization() < m_links.at(b).Utilization(); });
}

const std::vector<std::string>&
FlowTally::Warnings() const
{
    return m_warnings;
}

const trace::Warning&
FlowTally::Doubt() const
{
    return m_doubt;
}

std::int64_t
FlowTally::EndNs() const
{
    return m_endNs;
}

bool
FlowTally::IsComplete() const
{
    return m_isComplete;
}

void
FlowTally::Take(const trace::Record& record)
{
    if (record.has_flow_sample() && record.flow_sample().flow_number() > 0)
    {
        Take(record.flow_sample());
    }
    else if (record.has_link_sample())
    {
        Take(record.link_sample());
    }
    else if (record.has_transfer_span() && record.transfer_span().flow_number() > 0)
    {
        const auto& span = record.transfer_span();
        m_flows[span.flow_number() - 1].completionSeconds.push_back(
            static_cast<double>(span.delivered_ns() - span.start_ns()) / 1e9);
        m_flows[span.flow_number() - 1].completionBytes.push_back(
            static_cast<double>(span.bytes()));
    }
    else if (record.has_flow_totals() && record.flow_totals().flow_number() > 0)
    {
        const auto& totals = record.flow_totals();
        auto& flow = m_flows[totals.flow_number() - 1];
        flow.deliveredBytes = static_cast<double>(totals.delivered_bytes());
        flow.retransmittedBytes = static_cast<double>(totals.retransmitted_bytes());
        flow.startedMessages = totals.started_messages();
    }
    else if (record.has_warning())
    {
        m_warnings.push_back(record.warning().text());
        m_doubt = record.warning().untrusted() ? record.warning() : m_doubt;
    }
    else if (record.has_run_end())
    {
        m_endNs = record.run_end().simulated_time_ns();
        m_isComplete = record.run_end().finished();
    }
}

void
FlowTally::Take(const trace::FlowSample& sample)
{
    auto& flow = m_flows[sample.flow_number() - 1];
    auto& points = flow.delivered;
    if (points.empty() || points.back().timeNs != sample.time_ns())
    {
        points.push_back({sample.time_ns(), 0});
    }
    points.back().bytes += static_cast<double>(sample.delivered_bytes());
    if (sample.rtt_ns() > 0)
    {
        flow.roundTripSeconds.push_back(static_cast<double>(sample.rtt_ns()) / 1e9);
    }
    m_endNs = std::max(m_endNs, sample.time_ns());
}

void
FlowTally::Take(const trace::LinkSample& sample)
{
    const auto link = m_links.find(sample.link());
    if (link != m_links.end())
    {
        link->second.points.push_back({sample.time_ns(),
                                       static_cast<double>(sample.interval_ns()) / 1e9,
                                       static_cast<double>(sample.bits()),
                                       static_cast<double>(sample.mean_queueing_ns()) / 1e9});
    }
}

} // namespace geotrain
