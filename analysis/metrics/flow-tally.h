// SPDX-License-Identifier: GPL-2.0-only
// Gathers in one pass what the metrics and figures need of a run of flows: what each flow had
// delivered at which time, its round trips and messages, and what each WAN link on the flows' paths
// did.
#pragma once

#include "metrics/capacity-curve.h"
#include "metrics/run-summary.h"
#include "trace/trace-reader.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// A DeliveredPoint is what a flow had delivered since time 0 at a time.
struct DeliveredPoint
{
    std::int64_t timeNs = 0;
    double bytes = 0;
};

/// A FlowSeries is what the trace says of one flow.
struct FlowSeries
{
    std::vector<DeliveredPoint> delivered; ///< in the order of time; none for short connections
    std::vector<double> roundTripSeconds;  ///< of all connections' samples
    std::vector<double> completionSeconds; ///< of messages that were delivered
    std::vector<double> completionBytes;   ///< of the same messages
    double deliveredBytes = 0;             ///< in all
    double retransmittedBytes = 0;
    std::uint64_t startedMessages = 0;

    /// Returns what was delivered until a time, between two points in proportion to the time.
    double BytesAt(std::int64_t timeNs) const;
};

/// A LinkPoint is a link over the interval that ends at a time.
struct LinkPoint
{
    std::int64_t timeNs = 0;
    double seconds = 0;      ///< of the interval
    double bits = 0;         ///< sent in the interval
    double queueSeconds = 0; ///< mean waiting time of the packets that came in the interval
};

/// A LinkSeries is a directed WAN link.
struct LinkSeries
{
    CapacityCurve capacity;
    std::vector<LinkPoint> points;

    /// Returns the sent bits as a share of what the capacity allows meanwhile; 0 without points.
    double Utilization() const;
};

/// A FlowTally is the contents of the trace of a run of flows.
struct FlowTally
{
    /// Reads `reader` to its end. Throws TraceError for a truncated trace.
    explicit FlowTally(TraceReader& reader);

    const trace::TransferFlow& Flow(std::size_t flow) const;

    /// Returns the link of `flow`'s path with the highest utilisation.
    const std::string& BottleneckOf(std::size_t flow) const;

    trace::RunHeader header;
    std::vector<FlowSeries> flows;           ///< in the order of the header
    std::map<std::string, LinkSeries> links; ///< those that some flow's data crosses, by name
    RunNotes notes;
    std::int64_t endNs = 0; ///< of the measured time

  private:
    void Take(const trace::Record& record);
    void Take(const trace::FlowSample& sample);
    void Take(const trace::LinkSample& sample);
};

} // namespace geotrain
