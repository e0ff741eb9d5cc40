// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/metric-names.h"

#include "metrics/size-classes.h"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace geotrain
{

namespace
{

constexpr const char* analyticPrefix = "analytic_";

/// A MetricRow is a metric with a sentence that says what it is; or, where it has percentiles, a
/// metric of each, NAME_p50 and so on, and what is measured.
struct MetricRow
{
    const char* name;
    const char* meaning;
    std::vector<int> percentiles{};
};

const std::vector<MetricRow> metricRows{
    {"bottleneck_utilization",
     "Bits that the most used link of the flows sent / its rate times the time."},
    {"bubble_fill_share", "Share of the bubbles in which fillers did useful work."},
    {"bubble_lost_share", "Share of the bubbles in which fillers did work that was of no use."},
    {"completion_time_mean", "Mean time from the start of a message to its last byte's delivery."},
    {"completion_time", "time from the start of a message to its last byte's delivery", {50, 99}},
    {"convergence_time", "Mean time from a flow's start until it keeps its fair share."},
    {"decode_gpus", "GPUs that decode what was prefilled in bubbles."},
    {"decode_time_per_token", "Mean time of a decoded token over all requests."},
    {"decode_utilization", "Share of the decode nodes' time in which they decode."},
    {"dedicated_gpus", "Fewest GPUs of their own that would serve as many requests as soon."},
    {"dedicated_served", "Requests that these dedicated GPUs would serve."},
    {"dedicated_ttft", "time to first token on these dedicated GPUs", {50, 90, 99}},
    {"dropped_packets", "Packets lost, per iteration; of several jobs, in the run."},
    {"fill_job_completion", "time from a fill job's arrival to its end", {50, 90}},
    {"fill_job_deadlines_met", "Share of the fill jobs with a deadline that ended by it."},
    {"fill_job_discarded", "Share of the bubbles that interrupted pieces of fill jobs wasted."},
    {"fill_job_flops_per_gpu", "FLOP/s of fill jobs per allocated GPU."},
    {"fill_job_gain", "FLOPs of fill jobs / model FLOPs of training."},
    {"fill_job_gpus_worth", "GPUs of their own that would do the same fill jobs."},
    {"fill_job_share", "Share of the bubbles that fill jobs used."},
    {"fill_jobs_ended", "Fill jobs that ended during the run."},
    {"fill_jobs_refused", "Fill jobs that were refused."},
    {"fill_lost_share", "Share of GPU time in which fillers did work that was of no use."},
    {"fill_utilization", "Share of GPU time in which prefills and fill jobs did useful work."},
    {"forecast_bubbles", "Bubbles that were forecast or found."},
    {"forecast_early_ends", "Bubbles that ended before the bound that strict fillers keep."},
    {"forecast_error_max", "Largest distance of a bubble's end from its forecast."},
    {"forecast_error_mean", "Mean distance of a bubble's end from its forecast."},
    {"forecast_misses", "Bubbles whose start or end was off by more than the guard."},
    {"goodput", "Payload delivered per second of the time in which some was on its way."},
    {"goodput_over_capacity", "Goodput / what the path's caps, NICs and links allow."},
    {"gpu_utilization", "Share of GPU time in which training computes."},
    {"idle_all_reduce", "Share of GPU time idle for a collective."},
    {"idle_fill_drain", "Share of GPU time idle while the pipeline fills and drains."},
    {"idle_forward_backward",
     "Share of GPU time idle while a pipeline turns from forwards to backwards."},
    {"idle_imbalance", "Share of GPU time idle for a neighbour's compute."},
    {"idle_local", "Share of GPU time idle for a message inside a data centre."},
    {"idle_wan", "Share of GPU time idle for a message over the WAN: the sum of its parts."},
    {"idle_wan_propagation", "Share of GPU time idle for a WAN message's one-way delay."},
    {"idle_wan_congestion",
     "Share of GPU time idle for a WAN message's queues, windows and losses."},
    {"idle_wan_serialisation",
     "Share of GPU time idle for a WAN message's bytes at its path's rate."},
    {"idle_wan_turn", "Share of GPU time idle for a WAN message's turn under temporal sharing."},
    {"idle_wan_window", "Share of GPU time idle for a WAN message since its windows are small."},
    {"in_time_share", "Share of all requests whose first token was in time."},
    {"intra_dc_bytes", "Payload carried inside data centres, per iteration."},
    {"iteration_time", "Mean time of a measured training iteration."},
    {"iteration_time_without", "The iteration time without prefills."},
    {"jain_index", "Fairness between connections or flows: 1 is fair, 1/n is one alone."},
    {"jain_index_rival", "Fairness between messages and their rival: 1 is fair, 1/2 is one alone."},
    {"job_fairness", "Fairness between the jobs' slow-downs: 1 is fair, 1/n is one spared alone."},
    {"joins_converged", "Share of the flows that began in the run and reached their fair share."},
    {"kv_bytes", "KV caches that came to decode nodes."},
    {"kv_nics", "NICs that carry nothing but KV caches, at both ends."},
    {"kv_packets", "Packets sent for KV caches on NICs of their own."},
    {"kv_transfer", "time from a prefill's end until its KV cache can be decoded", {50, 90, 99}},
    {"leave_convergence_time", "Mean time from a flow's leave until another keeps its new share."},
    {"leaves_converged", "Share of the flows that reached their new share after another left."},
    {"mean_queueing_delay", "Mean wait of a packet in the queues of the path."},
    {"memory_peak_bytes", "The most memory that training and serving take on one GPU."},
    {"message_slowdown",
     "completion time over half a round trip and the bytes at the path's capacity",
     {50, 99}},
    {"messages", "Messages that were delivered."},
    {"met_objective_share", "Share of the served requests whose first token was in time."},
    {"mfu", "Model FLOPs without recomputation / what the GPUs could do at their peak."},
    {"offline_tokens_per_second", "Prompt tokens of offline prefills per second."},
    {"offline_utilization", "Share of GPU time in which offline prefills compute."},
    {"packets_intra_dc",
     "Packets inside data centres, per iteration; of several jobs, in the run."},
    {"packets_wan", "Packets sent on WAN links, per iteration; of several jobs, in the run."},
    {"prefill_activation_bytes", "Activations that went from stage to stage of prefills."},
    {"prefill_tokens_per_second", "Prompt tokens of requests prefilled per second."},
    {"prefill_tokens_per_second_per_gpu",
     "Prompt tokens prefilled per second and serving GPU, offline ones too."},
    {"promise_kept_share",
     "Share of the promised times to first token that were kept, of those that fell due."},
    {"queue_delay", "wait of a packet before the bottleneck's wire", {50, 95, 99}},
    {"refused_share", "Requests refused / requests served or refused."},
    {"repeated_iterations",
     "Measured iterations that were not simulated: they count as the last one that was."},
    {"requests", "Requests that arrived during the run."},
    {"requests_served", "Requests whose prefill ended during the run."},
    {"requests_served_share", "Share of the requests whose prefill ended during the run."},
    {"requests_too_late", "Requests refused since they could not meet their objective."},
    {"requests_too_long", "Requests refused since their prompt is too long."},
    {"requests_unfinished", "Requests whose prefill had not ended when training did."},
    {"response_time", "Mean time from a change of a flow's fair share until its goodput follows."},
    {"retransmitted_bytes", "Payload sent again, per iteration; of several jobs, in the run."},
    {"retransmitted_share", "Payload sent again / payload delivered."},
    {"rival_goodput_over_capacity", "Goodput of the rival / what the path allows."},
    {"simulated_time", "Simulated time at the end of the run."},
    {"slowdown", "Iteration time / iteration time of the job alone on the same testbed."},
    {"tokens_per_gpu", "Tokens that training processes per second and GPU."},
    {"total_utilization",
     "Share of GPU time in which training computes or fillers do useful work."},
    {"total_utilization_all_gpus",
     "Total utilisation over decode GPUs too, with their time in use."},
    {"training_delay", "Iteration time less the iteration time without prefills."},
    {"training_delay_share", "Training delay / the iteration time without prefills."},
    {"training_held", "Sum of the times for which training waited for fillers."},
    {"training_held_max", "Longest time for which training waited for a filler."},
    {"training_held_stops", "Part of training_held that stopping fillers cost."},
    {"training_held_work", "Part of training_held for which kernels or operators went on."},
    {"training_holds", "How often training waited for a filler."},
    {"training_slowdown", "Share of time for which the most delayed worker waited for fillers."},
    {"ttft_long", "time to first token over all requests of more than 2,048 tokens", {50, 90, 99}},
    {"ttft_medium", "time to first token over all requests of 513 to 2,048 tokens", {50, 90, 99}},
    {"ttft", "time to first token over all requests, served or not", {50, 90, 99}},
    {"ttft_short", "time to first token over all requests of up to 512 tokens", {50, 90, 99}},
    {"wan_bytes", "Payload that crossed the WAN, per iteration; of several jobs, in the run."},
    {"wan_fairness", "Fairness of the mean goodputs of node pairs: 1 is fair, 1/n is one alone."},
    {"wan_message_jitter", "Mean change of a message's time over the WAN between iterations."},
    {"wan_message", "time that a pipeline message takes over the WAN", {50, 99}},
    {"wan_utilization", "Wire bits over the WAN / its usable capacity times the time."},
    {"warnings", "Reasons to look before you trust this result."},
};

/// Metrics of one flow, which end in its name.
const std::vector<MetricRow> flowRows{
    {"goodput_", "Goodput of the flows"},
    {"share_", "Share of all steady flows' payload that was delivered by the flows"},
    {"retransmitted_share_", "Payload sent again / payload delivered, of the flows"},
    {"rtt_p50_", "Median round trip of the flows"},
    {"rtt_p95_", "95th percentile of the round trips of the flows"},
    {"completion_time_p50_", "Median time of a message of the flows"},
    {"completion_time_p99_", "99th percentile of the time of a message of the flows"},
};

bool
HasName(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string
PercentileName(const MetricRow& row, int percent)
{
    return fmt::format("{}_p{}", row.name, percent);
}

std::string
PercentileMeaning(const MetricRow& row, int percent)
{
    return percent == 50 ? fmt::format("Median {}.", row.meaning)
                         : fmt::format("{}th percentile of the {}.", percent, row.meaning);
}

} // namespace

const std::vector<std::string>&
MetricNames()
{
    static const auto names = []
    {
        std::vector<std::string> all;
        for (const auto& row : metricRows)
        {
            if (row.percentiles.empty())
            {
                all.emplace_back(row.name);
            }
            for (const int percent : row.percentiles)
            {
                all.push_back(PercentileName(row, percent));
            }
        }
        std::sort(all.begin(), all.end());
        return all;
    }();
    return names;
}

std::string
MeaningOf(const std::string& name)
{
    for (const auto& row : metricRows)
    {
        if (row.percentiles.empty() && name == row.name)
        {
            return row.meaning;
        }
        for (const int percent : row.percentiles)
        {
            if (name == PercentileName(row, percent))
            {
                return PercentileMeaning(row, percent);
            }
        }
    }
    if (HasName(SizeClassMetricNames(), name))
    {
        const auto ofClass = name.find(name.find("_above_") < name.size() ? "_above_" : "_to_");
        std::string sizes = name.substr(ofClass);
        std::replace(sizes.begin(), sizes.end(), '_', ' ');
        return fmt::format("{} Messages{} alone.", MeaningOf(name.substr(0, ofClass)), sizes);
    }
    for (const auto& row : flowRows)
    {
        if (boost::starts_with(name, row.name))
        {
            return fmt::format("{} {}.", row.meaning, name.substr(std::string(row.name).size()));
        }
    }
    return boost::starts_with(name, analyticPrefix)
               ? "1: this part was computed instead of simulated."
               : "";
}

const std::vector<std::string>&
MainMetricNames()
{
    static const std::vector<std::string> names{"iteration_time",
                                                "slowdown",
                                                "job_fairness",
                                                "completion_time_p50",
                                                "completion_time_p99",
                                                "goodput",
                                                "goodput_over_capacity",
                                                "retransmitted_share",
                                                "mean_queueing_delay",
                                                "jain_index",
                                                "convergence_time",
                                                "leave_convergence_time",
                                                "response_time",
                                                "gpu_utilization",
                                                "fill_utilization",
                                                "total_utilization",
                                                "total_utilization_all_gpus",
                                                "requests_served_share",
                                                "ttft_p50",
                                                "ttft_p99",
                                                "promise_kept_share",
                                                "mfu",
                                                "idle_wan",
                                                "wan_utilization"};
    return names;
}

const std::vector<std::string>&
FlowMetricPrefixes()
{
    static const auto prefixes = []
    {
        std::vector<std::string> all;
        std::transform(flowRows.begin(),
                       flowRows.end(),
                       std::back_inserter(all),
                       [](const MetricRow& row) { return row.name; });
        return all;
    }();
    return prefixes;
}

bool
IsShare(const std::string& name)
{
    constexpr const char* starts[] = {"idle_", "share_", "retransmitted_share_"};
    constexpr const char* ends[] = {
        "utilization", "utilization_all_gpus", "_share", "_over_capacity", "_converged"};
    const auto begins = [&](const char* start) { return boost::starts_with(name, start); };
    const auto isEnd = [&](const char* end) { return boost::ends_with(name, end); };
    return name == "mfu" || std::any_of(std::begin(starts), std::end(starts), begins) ||
           std::any_of(std::begin(ends), std::end(ends), isEnd);
}

double
LargestOf(const std::string& name)
{
    const bool isIndex =
        boost::starts_with(name, "jain_index") || name == "wan_fairness" || name == "job_fairness";
    return isIndex || IsShare(name) ? 1 : std::numeric_limits<double>::infinity();
}

bool
IsMetricName(const std::string& name, const std::vector<std::string>& flows)
{
    const auto isOfFlow = [&](const std::string& prefix)
    { return boost::starts_with(name, prefix) && HasName(flows, name.substr(prefix.size())); };
    const auto& prefixes = FlowMetricPrefixes();
    return HasName(MetricNames(), name) || HasName(SizeClassMetricNames(), name) ||
           boost::starts_with(name, analyticPrefix) ||
           std::any_of(prefixes.begin(), prefixes.end(), isOfFlow);
}

} // namespace geotrain
