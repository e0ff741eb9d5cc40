// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/flow-metrics.h"

#include "metrics/response-time.h"
#include "metrics/size-classes.h"
#include "metrics/statistics.h"
#include "trace/trace-error.h"

#include <algorithm>
#include <numeric>

namespace geotrain
{

namespace
{

constexpr std::size_t mostNamedGroups = 32; // with metrics of their own

double
MeanFairShare(const trace::TransferFlow& flow, std::int64_t stop)
{
    double sum = 0;
    for (int i = 0; i < flow.fair_shares_size(); ++i)
    {
        const bool isLast = i + 1 == flow.fair_shares_size();
        const std::int64_t end = isLast ? stop : std::min(stop, flow.fair_shares(i + 1).from_ns());
        const std::int64_t begin = flow.fair_shares(i).from_ns();
        sum += flow.fair_shares(i).bps() * std::max(0.0, SecondsOf(end - begin));
    }
    return Ratio(sum, SecondsOf(stop - flow.start_ns()));
}

/// Returns the sums of what packets waited at the links of the path, while the flow was there.
std::vector<double>
QueueOf(const FlowTally& tally, const trace::TransferFlow& flow, std::int64_t stop)
{
    std::vector<double> sums;
    for (const auto& name : flow.links())
    {
        std::size_t place = 0;
        for (const auto& point : tally.links.at(name).points)
        {
            if (point.timeNs <= flow.start_ns() || point.timeNs > stop)
            {
                continue;
            }
            sums.resize(std::max(sums.size(), place + 1));
            sums[place++] += point.queueSeconds;
        }
    }
    std::sort(sums.begin(), sums.end());
    return sums;
}

FlowResults
ResultsOfFlow(const FlowTally& tally, std::size_t number)
{
    const auto& flow = tally.Flow(number);
    const auto& series = tally.flows[number];
    FlowResults results;
    const std::int64_t stop = std::min(flow.stop_ns(), tally.endNs);
    results.seconds = std::max(0.0, SecondsOf(stop - flow.start_ns()));
    const bool isSteady = flow.message_bytes() == 0;
    const auto& messages = series.completionBytes;
    const double bytes =
        isSteady ? series.BytesAt(stop) : std::accumulate(messages.begin(), messages.end(), 0.0);
    results.goodputBps = Ratio(8 * bytes, results.seconds);
    results.fairShareBps = MeanFairShare(flow, stop);
    results.bottleneck = tally.BottleneckOf(number);
    results.queueSeconds = QueueOf(tally, flow, stop);
    if (isSteady && flow.joins())
    {
        results.convergenceSeconds = ConvergenceOfJoin(flow, series, stop);
    }
    if (isSteady)
    {
        results.afterLeaves = ConvergenceAfterLeaves(tally, number);
    }
    return results;
}

/// Returns each message's completion time over half a round trip and its bytes at the path's capacity: 1
/// were a message alone at the full rate from its first byte on.
std::vector<double>
SlowdownsOf(const FlowTally& tally)
{
    std::vector<double> slowdowns;
    for (std::size_t i = 0; i < tally.flows.size(); ++i)
    {
        const trace::TransferFlow& flow = tally.Flow(i);
        const FlowSeries& series = tally.flows[i];
        for (std::size_t message = 0; message < series.completionSeconds.size(); ++message)
        {
            const double atFullRate =
                SecondsOf(flow.round_trip_ns()) / 2 +
                Ratio(8 * series.completionBytes[message], flow.capacity_bps());
            slowdowns.push_back(Ratio(series.completionSeconds[message], atFullRate));
        }
    }
    return slowdowns;
}

/// FlowSummary collects the metrics of one run.
class FlowSummary
{
  public:
    explicit FlowSummary(const FlowTally& tally)
        : m_tally(tally),
          m_results(ResultsOf(tally))
    {
        m_summary.header = tally.header;
        static_cast<RunNotes&>(m_summary) = tally.notes;
    }

    Summary Make()
    {
        AddMessages();
        AddCarried();
        AddBottleneck();
        AddFairness();
        AddGroups();
        Add("simulated_time", SecondsOf(m_tally.endNs), "s");
        Add("warnings", static_cast<double>(m_summary.warnings.size()), "");
        return m_summary;
    }

  private:
    void Add(const std::string& name, double value, const std::string& unit)
    {
        m_summary.metrics.push_back({name, value, unit});
    }

    bool IsSteady(std::size_t flow) const
    {
        return m_tally.Flow(flow).message_bytes() == 0;
    }

    void AddMessages()
    {
        std::vector<double> all;
        double started = 0;
        for (const auto& flow : m_tally.flows)
        {
            all.insert(all.end(), flow.completionSeconds.begin(), flow.completionSeconds.end());
            started += static_cast<double>(flow.startedMessages);
        }
        if (all.empty())
        {
            return;
        }
        Add("completion_time_p50", Percentile(all, 50), "s");
        Add("completion_time_p99", Percentile(all, 99), "s");
        Add("completion_time_mean", MeanOfSamples(all), "s");
        const std::vector<double> slowdowns = SlowdownsOf(m_tally);
        Add("message_slowdown_p50", Percentile(slowdowns, 50), "");
        Add("message_slowdown_p99", Percentile(slowdowns, 99), "");
        Add("messages", static_cast<double>(all.size()), "");
        const auto bySize = CompletionBySize(m_tally);
        m_summary.metrics.insert(m_summary.metrics.end(), bySize.begin(), bySize.end());
        m_summary.completionTimes =
            DistributionOf(all, std::max(all.size(), static_cast<std::size_t>(started)));
    }

    void AddCarried()
    {
        double delivered = 0;
        double again = 0;
        for (const auto& flow : m_tally.flows)
        {
            delivered += flow.deliveredBytes;
            again += flow.retransmittedBytes;
        }
        const double goodput = 8 * delivered / SecondsOf(m_tally.endNs);
        Add("goodput", goodput, "bps");
        const double capacity = CapacityOfWan(m_summary.header).MeanIn(0, SecondsOf(m_tally.endNs));
        Add("goodput_over_capacity", Ratio(goodput, capacity), "");
        Add("retransmitted_share", Ratio(again, delivered), "");
    }

    void AddBottleneck()
    {
        const auto& links = m_tally.links;
        const auto bottleneck =
            std::max_element(links.begin(),
                             links.end(),
                             [](const auto& a, const auto& b)
                             { return a.second.Utilization() < b.second.Utilization(); });
        std::vector<double> queue;
        for (const auto& point : bottleneck->second.points)
        {
            queue.push_back(point.queueSeconds);
        }
        if (queue.empty())
        {
            return;
        }
        Add("bottleneck_utilization", bottleneck->second.Utilization(), "");
        Add("mean_queueing_delay", MeanOfSamples(queue), "s");
        Add("queue_delay_p50", Percentile(queue, 50), "s");
        Add("queue_delay_p95", Percentile(queue, 95), "s");
        Add("queue_delay_p99", Percentile(queue, 99), "s");
    }

    void AddFairness()
    {
        std::vector<double> shares;
        std::vector<double> converged;
        double joins = 0;
        for (std::size_t i = 0; i < m_results.size(); ++i)
        {
            if (IsSteady(i) && m_results[i].fairShareBps > 0)
            {
                shares.push_back(m_results[i].goodputBps / m_results[i].fairShareBps);
            }
            joins += IsSteady(i) && m_tally.Flow(i).joins() ? 1 : 0;
            if (m_results[i].convergenceSeconds)
            {
                converged.push_back(*m_results[i].convergenceSeconds);
            }
        }
        if (shares.size() > 1)
        {
            Add("jain_index", JainFairness(shares), "");
        }
        if (joins > 0)
        {
            Add("joins_converged", static_cast<double>(converged.size()) / joins, "");
        }
        if (!converged.empty())
        {
            Add("convergence_time", MeanOfSamples(converged), "s");
        }
        AddLeaves();
        if (const auto response = ResponseSeconds(m_tally))
        {
            Add("response_time", *response, "s");
        }
    }

    void AddLeaves()
    {
        std::vector<double> converged;
        double changes = 0;
        for (const auto& results : m_results)
        {
            const auto& seconds = results.afterLeaves.seconds;
            changes += static_cast<double>(results.afterLeaves.changes);
            converged.insert(converged.end(), seconds.begin(), seconds.end());
        }
        if (changes > 0)
        {
            Add("leaves_converged", static_cast<double>(converged.size()) / changes, "");
        }
        if (!converged.empty())
        {
            Add("leave_convergence_time", MeanOfSamples(converged), "s");
        }
    }

    /// Adds metrics of each group of flows that are alike, where there are several.
    void AddGroups()
    {
        std::vector<std::string> groups;
        double steady = 0;
        for (std::size_t i = 0; i < m_results.size(); ++i)
        {
            const auto& name = m_tally.Flow(i).group();
            if (std::find(groups.begin(), groups.end(), name) == groups.end())
            {
                groups.push_back(name);
            }
            steady += IsSteady(i) ? m_tally.flows[i].deliveredBytes : 0;
        }
        for (std::size_t i = 0; i < std::min(groups.size(), mostNamedGroups); ++i)
        {
            AddGroup(groups[i], steady);
        }
    }

    void AddGroup(const std::string& group, double allSteadyBytes)
    {
        double goodput = 0;
        double bytes = 0;
        double again = 0;
        bool isSteady = true;
        std::vector<double> roundTrips;
        std::vector<double> completions;
        for (std::size_t i = 0; i < m_results.size(); ++i)
        {
            if (m_tally.Flow(i).group() != group)
            {
                continue;
            }
            const auto& flow = m_tally.flows[i];
            isSteady = IsSteady(i);
            goodput += m_results[i].goodputBps;
            bytes += flow.deliveredBytes;
            again += flow.retransmittedBytes;
            roundTrips.insert(
                roundTrips.end(), flow.roundTripSeconds.begin(), flow.roundTripSeconds.end());
            completions.insert(
                completions.end(), flow.completionSeconds.begin(), flow.completionSeconds.end());
        }
        Add("goodput_" + group, goodput, "bps");
        if (isSteady)
        {
            Add("share_" + group, Ratio(bytes, allSteadyBytes), "");
        }
        Add("retransmitted_share_" + group, Ratio(again, bytes), "");
        if (!roundTrips.empty())
        {
            Add("rtt_p50_" + group, Percentile(roundTrips, 50), "s");
            Add("rtt_p95_" + group, Percentile(roundTrips, 95), "s");
        }
        if (!completions.empty())
        {
            Add("completion_time_p50_" + group, Percentile(completions, 50), "s");
            Add("completion_time_p99_" + group, Percentile(completions, 99), "s");
        }
    }

    const FlowTally& m_tally;
    std::vector<FlowResults> m_results;
    Summary m_summary;
};

} // namespace

std::vector<FlowResults>
ResultsOf(const FlowTally& tally)
{
    std::vector<FlowResults> results;
    for (std::size_t flow = 0; flow < tally.flows.size(); ++flow)
    {
        results.push_back(ResultsOfFlow(tally, flow));
    }
    return results;
}

Summary
SummarizeFlows(TraceReader& reader)
{
    const FlowTally tally(reader);
    if (tally.endNs <= 0)
    {
        throw TraceError(reader.Path(), "must hold flows that were measured for some time");
    }
    return FlowSummary(tally).Make();
}

} // namespace geotrain
