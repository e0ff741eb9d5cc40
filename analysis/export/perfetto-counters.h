// SPDX-License-Identifier: GPL-2.0-only
// Turns samples into the counters of a timeline: links and connections with a row each. A sampled
// value holds until the next sample of the same counter, but no longer than the time between two
// samples; where none follows, the counter goes to 0, since nothing was outstanding.
#pragma once

#include "export/perfetto-timeline.h"
#include "schema/trace.pb.h"

#include <optional>
#include <tuple>

namespace geotrain
{

/// PerfettoCounters are the counters of one job.
class PerfettoCounters
{
  public:
    /// Counters of the job go below `root`. Those of the whole run go to the top level, and only
    /// where the job `isFirst`, since each job sees the run's samples.
    PerfettoCounters(const trace::RunHeader& header,
                     PerfettoTimeline& timeline,
                     PerfettoTimeline::Track root,
                     bool isFirst);

    void Add(const trace::LinkSample& sample);
    void Add(const trace::FlowSample& sample);

    /// Adds a message to the throughput between its data centres, which is shown where links were
    /// not sampled. Its bytes are spread evenly over its sending.
    void Add(const trace::MessageSpan& message);
    void Add(const trace::TransferSpan& transfer);

    /// Passes all counters to the timeline.
    void Finish();

  private:
    using Track = PerfettoTimeline::Track;

    /// A Point is a value that holds for a time.
    struct Point
    {
        std::int64_t startNs = 0;
        std::int64_t holdNs = 0; ///< 0: as long as from sample to sample
        double value = 0;
    };

    using Points = std::vector<Point>;
    using Changes = std::vector<std::pair<std::int64_t, double>>; ///< times and changes of a rate

    /// A LinkRow holds the counters of a link. Rates hold over the interval before a sample.
    struct LinkRow
    {
        trace::LinkClass linkClass = trace::LINK_CLASS_UNSPECIFIED;
        Points throughput;
        Points utilization;
        Points dropped;
        Points queue;
    };

    /// A FlowRow holds the counters of a connection.
    struct FlowRow
    {
        Points rate;
        Points window;
        Points inFlight;
        Points roundTrip;
    };

    using NodePair = std::pair<std::uint32_t, std::uint32_t>;

    void Spread(NodePair nodes, std::uint64_t bytes, std::int64_t startNs, std::int64_t endNs);
    void FinishLinks();
    void FinishFlows();
    void FinishThroughput();
    void Write(Track counter, const Points& points);

    const trace::RunHeader& m_header;
    PerfettoTimeline& m_timeline;
    Track m_root;
    bool m_isFirst;
    std::map<std::string, LinkRow> m_links;
    /// By nodes, number of the flow (0: none), and connection.
    std::map<std::tuple<NodePair, std::uint32_t, std::uint32_t>, FlowRow> m_flows;
    std::map<std::pair<std::string, std::string>, Changes> m_sent; ///< in bit/s
    std::int64_t m_intervalNs = 0;              ///< time between two samples, as far as known
    std::optional<std::int64_t> m_flowSampleNs; ///< latest sample of a connection
};

} // namespace geotrain
