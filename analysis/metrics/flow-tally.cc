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
    const double end = points.empty() ? 0 : static_cast<double>(points.back().timeNs) / 1e9;
    const double mean = capacity.MeanIn(end - seconds, end);
    return seconds > 0 && mean > 0 ? bits / seconds / mean : 0;
}

FlowTally::FlowTally(TraceReader& reader)
    : header(reader.Header()),
      flows(static_cast<std::size_t>(header.transfers().flows_size()))
{
    for (const auto& flow : header.transfers().flows())
    {
        for (const auto& link : flow.links())
        {
            links[link];
        }
    }
    for (const auto& [name, capacity] : CapacitiesOfLinks(header))
    {
        const auto link = links.find(name);
        if (link != links.end())
        {
            link->second.capacity = capacity;
        }
    }
    while (const auto record = reader.Next())
    {
        Take(*record);
    }
    reader.RefuseTruncated();
}

const trace::TransferFlow&
FlowTally::Flow(std::size_t flow) const
{
    return header.transfers().flows(static_cast<int>(flow));
}

const std::string&
FlowTally::BottleneckOf(std::size_t flow) const
{
    const auto& path = Flow(flow).links();
    return *std::max_element(path.begin(),
                             path.end(),
                             [this](const std::string& a, const std::string& b)
                             { return links.at(a).Utilization() < links.at(b).Utilization(); });
}

void
FlowTally::Take(const trace::Record& record)
{
    notes.Take(record);
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
        flows[span.flow_number() - 1].completionSeconds.push_back(
            static_cast<double>(span.delivered_ns() - span.start_ns()) / 1e9);
        flows[span.flow_number() - 1].completionBytes.push_back(static_cast<double>(span.bytes()));
    }
    else if (record.has_flow_totals() && record.flow_totals().flow_number() > 0)
    {
        const auto& totals = record.flow_totals();
        auto& flow = flows[totals.flow_number() - 1];
        flow.deliveredBytes = static_cast<double>(totals.delivered_bytes());
        flow.retransmittedBytes = static_cast<double>(totals.retransmitted_bytes());
        flow.startedMessages = totals.started_messages();
    }
    else if (record.has_run_end())
    {
        endNs = record.run_end().simulated_time_ns();
    }
}

void
FlowTally::Take(const trace::FlowSample& sample)
{
    auto& flow = flows[sample.flow_number() - 1];
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
    endNs = std::max(endNs, sample.time_ns());
}

void
FlowTally::Take(const trace::LinkSample& sample)
{
    const auto link = links.find(sample.link());
    if (link != links.end())
    {
        link->second.points.push_back({sample.time_ns(),
                                       static_cast<double>(sample.interval_ns()) / 1e9,
                                       static_cast<double>(sample.bits()),
                                       static_cast<double>(sample.mean_queueing_ns()) / 1e9});
    }
}

} // namespace geotrain
