// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/summary.h"

#include "metrics/capacity-curve.h"
#include "metrics/critical-path.h"
#include "metrics/fill-metrics.h"
#include "metrics/flow-metrics.h"
#include "metrics/gpu-time.h"
#include "metrics/metric-names.h"
#include "metrics/run-tally.h"
#include "metrics/statistics.h"
#include "metrics/transfer-metrics.h"
#include "trace/csv-cell.h"
#include "trace/job-view.h"
#include "trace/result-file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace geotrain
{

namespace
{

/// IdleMetric is an idle share of summary.csv: the time that it counts.
struct IdleMetric
{
    const char* name;
    std::int64_t GpuTime::*part;
};

/// Causes of idle time; with total_utilization and idle_wan they add to 1.
constexpr std::array<IdleMetric, 5> idleMetrics = {{
    {"idle_fill_drain", &GpuTime::idleFillDrainNs},
    {"idle_forward_backward", &GpuTime::idleForwardBackwardNs},
    {"idle_imbalance", &GpuTime::idleImbalanceNs},
    {"idle_local", &GpuTime::idleLocalNs},
    {"idle_all_reduce", &GpuTime::idleAllReduceNs},
}};

/// Parts of idle_wan.
constexpr std::array<IdleMetric, 5> wanMetrics = {{
    {"idle_wan_propagation", &GpuTime::idleWanPropagationNs},
    {"idle_wan_serialisation", &GpuTime::idleWanSerialisationNs},
    {"idle_wan_window", &GpuTime::idleWanWindowNs},
    {"idle_wan_congestion", &GpuTime::idleWanCongestionNs},
    {"idle_wan_turn", &GpuTime::idleWanTurnNs},
}};

/// AllocatedTime holds GPU-seconds summed over all workers.
struct AllocatedTime
{
    double total = 0;
    double work = 0;
    double fill = 0;
    std::array<double, idleMetrics.size()> idle{};
    std::array<double, wanMetrics.size()> wan{};
    double peakFlops = 0; ///< FLOPs that `total` could have done at the peak
};

/// Adds what a span holds, `times` times.
void
Allocate(const RunTally& tally,
         const CausalHistory& history,
         MeasuredSpan measured,
         double times,
         AllocatedTime& sum)
{
    const GpuTimeSplit split(history, measured, tally.header.without_flush());
    for (int index = 0; index < tally.header.workers_size(); ++index)
    {
        const auto& worker = tally.header.workers(index);
        const auto number = static_cast<std::uint32_t>(index);
        const GpuTime time = split.Of(number, tally.fills.spans[number]);
        const double gpuSeconds = 1e-9 * worker.gpus() * times;
        const double total = measured.Seconds() * worker.gpus() * times;
        sum.total += total;
        sum.work += gpuSeconds * static_cast<double>(time.workNs);
        sum.fill += gpuSeconds * static_cast<double>(time.fillNs);
        for (std::size_t i = 0; i < idleMetrics.size(); ++i)
        {
            sum.idle[i] += gpuSeconds * static_cast<double>(time.*idleMetrics[i].part);
        }
        for (std::size_t i = 0; i < wanMetrics.size(); ++i)
        {
            sum.wan[i] += gpuSeconds * static_cast<double>(time.*wanMetrics[i].part);
        }
        sum.peakFlops += total * worker.peak_flops_per_gpu();
    }
}

/// MeasuredTime is the time of all measured iterations, with that of repeated ones after the trace's.
struct MeasuredTime
{
    double fromSeconds = 0;
    double seconds = 0;
};

MeasuredTime
TimeOf(MeasuredSpan span)
{
    return {static_cast<double>(span.startNs) / 1e9, span.Seconds()};
}

/// Adds the idle shares. The parts of idle_wan are left out where the trace can't tell them.
void
AddIdleMetrics(Summary& summary, const AllocatedTime& time, bool hasParts)
{
    auto& metrics = summary.metrics;
    for (std::size_t i = 0; i < idleMetrics.size(); ++i)
    {
        metrics.push_back({idleMetrics[i].name, time.idle[i] / time.total, ""});
    }
    const double wan = std::accumulate(time.wan.begin(), time.wan.end(), 0.0);
    metrics.push_back({"idle_wan", wan / time.total, ""});
    for (std::size_t i = 0; i < wanMetrics.size() && hasParts; ++i)
    {
        metrics.push_back({wanMetrics[i].name, time.wan[i] / time.total, ""});
    }
}

void
AddGpuMetrics(Summary& summary, const AllocatedTime& time)
{
    auto& metrics = summary.metrics;
    metrics.push_back({"gpu_utilization", time.work / time.total, ""});
    metrics.push_back({"fill_utilization", time.fill / time.total, ""});
    metrics.push_back({"total_utilization", (time.work + time.fill) / time.total, ""});
    if (time.peakFlops > 0)
    {
        const double flops = summary.header.model_flops_per_iteration() * summary.iterations;
        metrics.push_back({"mfu", flops / time.peakFlops, ""});
    }
}

/// Adds what is told of workers that hold no whole model: tokens, and what all of them received and
/// sent, each byte once.
void
AddLayeredMetrics(Summary& summary, const RunTally& tally, MeasuredTime measured)
{
    const double tokens = summary.header.tokens_per_iteration();
    if (!(tokens > 0))
    {
        return;
    }
    summary.metrics.push_back(
        {"tokens_per_gpu",
         tokens * summary.iterations / measured.seconds / GpusOf(summary.header),
         "1/s"});
    const auto bytes = static_cast<double>(tally.Carried().intra_dc_payload_bytes());
    summary.metrics.push_back({"intra_dc_bytes", bytes / summary.iterations, ""});
}

/// Adds what the network carried in a time, per one of `iterations`.
void
AddNetworkMetrics(Summary& summary,
                  const trace::Counters& carried,
                  MeasuredTime time,
                  std::uint32_t iterations)
{
    const auto perIteration = [&](std::uint64_t count)
    { return static_cast<double>(count) / iterations; };
    if (carried.has_lost_packets())
    {
        summary.lostPackets = carried.lost_packets();
    }
    auto& metrics = summary.metrics;
    metrics.push_back({"wan_bytes", perIteration(carried.wan_payload_bytes()), ""});
    const double from = time.fromSeconds;
    const double capacityBits =
        CapacityOfWan(summary.header).MeanIn(from, from + time.seconds) * time.seconds;
    const double wireBits = 8 * static_cast<double>(carried.wan_wire_bytes());
    metrics.push_back({"wan_utilization", capacityBits > 0 ? wireBits / capacityBits : 0, ""});
    const bool hasPackets = !summary.header.without_packets();
    if (hasPackets && summary.header.congestion_control().empty())
    {
        return; // an older trace without packets
    }
    metrics.push_back({"retransmitted_bytes", perIteration(carried.retransmitted_bytes()), ""});
    if (!hasPackets)
    {
        return;
    }
    metrics.push_back({"packets_wan", perIteration(carried.wan_packets()), ""});
    metrics.push_back({"packets_intra_dc", perIteration(carried.intra_dc_packets()), ""});
    metrics.push_back({"dropped_packets", perIteration(carried.dropped_packets()), ""});
}

void
AddMessageMetrics(Summary& summary, const RunTally& tally)
{
    const WanMessages messages = tally.Messages();
    if (messages.completionSeconds.empty())
    {
        return;
    }
    auto& metrics = summary.metrics;
    metrics.push_back({"wan_message_p50", Percentile(messages.completionSeconds, 50), "s"});
    metrics.push_back({"wan_message_p99", Percentile(messages.completionSeconds, 99), "s"});
    if (!messages.changeSeconds.empty())
    {
        const auto& changes = messages.changeSeconds;
        metrics.push_back({"wan_message_jitter",
                           std::accumulate(changes.begin(), changes.end(), 0.0) /
                               static_cast<double>(changes.size()),
                           "s"});
    }
    metrics.push_back({"wan_fairness", JainFairness(messages.pairGoodputBps), ""});
}

void
AddFillJobMetrics(Summary& summary,
                  const RunTally& tally,
                  const AllocatedTime& time,
                  MeasuredSpan measured)
{
    if (tally.fillJobs.IsEmpty())
    {
        return;
    }
    const FillJobTotals totals = tally.fillJobs.TotalsIn(measured);
    const double gpus = time.total / measured.Seconds();
    const double bubbles = time.total - time.work;
    const double mainFlops = summary.header.model_flops_per_iteration() * summary.iterations;
    auto& metrics = summary.metrics;
    metrics.push_back({"fill_job_flops_per_gpu", totals.flops / time.total, "FLOP/s"});
    metrics.push_back({"fill_job_gain", Ratio(totals.flops, mainFlops), ""});
    metrics.push_back({"fill_job_share", Ratio(totals.usefulSeconds, bubbles), ""});
    metrics.push_back({"fill_job_discarded", Ratio(totals.discardedSeconds, bubbles), ""});
    metrics.push_back({"fill_job_gpus_worth", gpus * totals.dedicatedSeconds / time.total, ""});
    metrics.push_back({"training_slowdown", totals.slowdown, ""});
    const FillJobOutcomes outcomes = tally.fillJobs.Outcomes();
    metrics.push_back(
        {"fill_jobs_ended", static_cast<double>(outcomes.completionSeconds.size()), ""});
    metrics.push_back({"fill_jobs_refused", static_cast<double>(outcomes.refused), ""});
    if (!outcomes.completionSeconds.empty())
    {
        const auto& seconds = outcomes.completionSeconds;
        metrics.push_back({"fill_job_completion_p50", Percentile(seconds, 50), "s"});
        metrics.push_back({"fill_job_completion_p90", Percentile(seconds, 90), "s"});
    }
    if (outcomes.deadlines > 0)
    {
        metrics.push_back(
            {"fill_job_deadlines_met", Ratio(outcomes.deadlinesMet, outcomes.deadlines), ""});
    }
}

bool
IsMain(const Metric& metric)
{
    const auto& main = MainMetricNames();
    return std::find(main.begin(), main.end(), metric.name) != main.end();
}

} // namespace

Summary
Summarize(TraceReader& reader)
{
    if (reader.Header().transfers().flows_size() > 0)
    {
        return SummarizeFlows(reader);
    }
    if (reader.Header().has_transfers())
    {
        return SummarizeTransfers(reader);
    }
    return Summarize(RunTally(reader));
}

Summary
Summarize(const RunTally& tally)
{
    tally.RequireMeasured();
    Summary summary;
    summary.header = tally.header;
    static_cast<RunNotes&>(summary) = tally.notes;
    const std::uint32_t repeated = tally.RepeatedIterations();
    summary.iterations = tally.MeasuredIterations() + repeated;
    const MeasuredSpan measured = tally.Measured();
    MeasuredTime all = TimeOf(measured);
    all.seconds += repeated * tally.LastIteration().Seconds();

    const double iterationTime = all.seconds / summary.iterations;
    summary.metrics.push_back({"iteration_time", iterationTime, "s"});
    if (const double alone = tally.fills.end.iteration_time_alone_s(); alone > 0)
    {
        summary.metrics.push_back({"slowdown", iterationTime / alone, ""});
    }
    const CausalHistory history = tally.History();
    AllocatedTime time;
    Allocate(tally, history, measured, 1, time);
    if (repeated > 0)
    {
        const MeasuredSpan one = tally.RepeatedOne();
        Allocate(tally, history, one, (all.seconds - measured.Seconds()) / one.Seconds(), time);
    }
    AddGpuMetrics(summary, time);
    AddIdleMetrics(summary, time, history.KnowsPartsOfWan());
    summary.criticalPath = PathTimes(CriticalPath(history, tally.LastIteration()));
    AddFillJobMetrics(summary, tally, time, measured);
    AddLayeredMetrics(summary, tally, all);
    AddNetworkMetrics(summary, tally.Carried(), all, summary.iterations);
    AddMessageMetrics(summary, tally);
    AddFillMetrics(summary, tally);
    summary.metrics.push_back({"simulated_time", static_cast<double>(tally.lastNs) / 1e9, "s"});
    if (tally.fills.end.has_repeated_iterations())
    {
        summary.metrics.push_back({"repeated_iterations", static_cast<double>(repeated), ""});
    }
    for (const auto& part : summary.header.analytic_parts())
    {
        summary.metrics.push_back({"analytic_" + part, 1, ""});
    }
    summary.metrics.push_back({"warnings", static_cast<double>(summary.warnings.size()), ""});
    return summary;
}

Summary
SummarizeRun(const std::string& trace)
{
    TraceReader first(trace);
    std::vector<Summary> jobs{Summarize(first)};
    for (std::uint32_t job = 1; job < JobNames(first.HeaderOfRun()).size(); ++job)
    {
        TraceReader reader(trace, job);
        jobs.push_back(Summarize(reader));
    }
    return JoinSummaries(first.HeaderOfRun(), first.EndOfRun(), std::move(jobs));
}

Summary
JoinSummaries(const trace::RunHeader& header, const trace::RunEnd& end, std::vector<Summary> jobs)
{
    if (header.jobs().empty())
    {
        return std::move(jobs.front());
    }
    Summary run;
    run.header = header;
    static_cast<RunNotes&>(run) = jobs.front();
    run.complete = end.finished();
    const double seconds = static_cast<double>(end.simulated_time_ns()) / 1e9;
    run.metrics.push_back({"simulated_time", seconds, "s"});
    if (end.has_carried())
    {
        AddNetworkMetrics(run, end.carried(), TimeOf({0, end.simulated_time_ns()}), 1);
    }
    std::vector<double> speeds;
    for (const auto& job : jobs)
    {
        if (const auto slowdown = job.Find("slowdown"))
        {
            speeds.push_back(1 / *slowdown);
        }
    }
    if (speeds.size() > 1)
    {
        run.metrics.push_back({"job_fairness", JainFairness(speeds), ""});
    }
    run.metrics.push_back({"warnings", static_cast<double>(run.warnings.size()), ""});
    run.jobs = std::move(jobs);
    return run;
}

std::vector<const Summary*>
PartsOf(const Summary& summary)
{
    std::vector<const Summary*> parts{&summary};
    for (const auto& job : summary.jobs)
    {
        parts.push_back(&job);
    }
    return parts;
}

std::vector<DistributionStep>
Pooled(const std::vector<Summary>& seeds, std::vector<DistributionStep> Summary::*distribution)
{
    std::vector<DistributionStep> steps; // with the rise of each step in place of its share
    for (const auto& summary : seeds)
    {
        double below = 0;
        for (const auto& [value, share] : summary.*distribution)
        {
            steps.push_back({value, (share - below) / static_cast<double>(seeds.size())});
            below = share;
        }
    }
    std::stable_sort(
        steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    double below = 0;
    for (auto& step : steps)
    {
        below += step.share;
        step.share = below;
    }
    return steps;
}

void
WriteSummaryCsv(const Summary& summary, const std::filesystem::path& path)
{
    std::string text = "metric,value,unit,job,meaning\n";
    for (const auto* part : PartsOf(summary))
    {
        auto metrics = part->metrics;
        std::stable_partition(metrics.begin(), metrics.end(), IsMain);
        for (const auto& metric : metrics)
        {
            text += fmt::format("{},{},{},{},{}\n",
                                metric.name,
                                metric.value,
                                metric.unit,
                                part->header.job(),
                                CsvCell(MeaningOf(metric.name)));
        }
    }
    WriteIntoPlace(path, text);
}

} // namespace geotrain
