// SPDX-License-Identifier: GPL-2.0-only
#include "trace/trace-check.h"

#include "trace/job-view.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

namespace geotrain
{

namespace
{

/// Largest legal time of either sign, about 127 years; the difference of two such times fits into
/// 64 bits.
constexpr std::int64_t farthestNs = 4000000000000000000;

/// Names of jobs are parts of the names of files.
constexpr const char* lettersOfJobs =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-";

bool
InOrder(std::initializer_list<std::int64_t> timesNs)
{
    std::int64_t previousNs = -farthestNs;
    for (const std::int64_t timeNs : timesNs)
    {
        if (timeNs < previousNs || timeNs > farthestNs)
        {
            return false;
        }
        previousNs = timeNs;
    }
    return true;
}

bool
IsAmount(double value)
{
    return std::isfinite(value) && value >= 0;
}

template <typename List>
bool
Has(const List& list, std::uint32_t index)
{
    return index < static_cast<std::uint32_t>(list.size());
}

std::string
BrokenRuleOf(const trace::RunHeader& header, const trace::GpuSpan& span)
{
    if (!Has(header.workers(), span.worker()))
    {
        return "gpu_span.worker: must be a worker of the run header";
    }
    if (span.kind() == trace::GPU_WORK_UNSPECIFIED || !trace::GpuWork_IsValid(span.kind()))
    {
        return "gpu_span.kind: must be a known kind of work";
    }
    return InOrder({span.start_ns(), span.end_ns()}) ? "" : "gpu_span: must end after it starts";
}

std::string
BrokenRuleOf(const trace::RunHeader& header, const trace::MessageSpan& span)
{
    if (!Has(header.workers(), span.sender()) || !Has(header.workers(), span.receiver()))
    {
        return "message_span: sender and receiver must be workers of the run header";
    }
    if (!Has(header.nodes(), span.source()) || !Has(header.nodes(), span.destination()))
    {
        return "message_span: source and destination must be nodes of the run header";
    }
    if (span.payload() == trace::PAYLOAD_UNSPECIFIED || !trace::Payload_IsValid(span.payload()))
    {
        return "message_span.payload: must be a known payload";
    }
    if (!InOrder({0, span.propagation_ns()}) || !InOrder({0, span.serialisation_ns()}) ||
        !InOrder({0, span.window_ns()}))
    {
        return "message_span: propagation_ns, serialisation_ns and window_ns must be times >= 0";
    }
    const bool inOrder =
        InOrder(
            {span.queued_ns(), span.send_start_ns(), span.first_byte_ns(), span.delivered_ns()}) &&
        InOrder({span.send_start_ns(), span.sent_ns(), span.delivered_ns()});
    return inOrder
               ? ""
               : "message_span: queued, send start, first byte or sent, delivered must be in order";
}

std::string
BrokenRuleOf(const trace::RunHeader& header, const trace::CollectiveSpan& span)
{
    if (!Has(header.workers(), span.worker()))
    {
        return "collective_span.worker: must be a worker of the run header";
    }
    if (span.kind() == trace::COLLECTIVE_KIND_UNSPECIFIED ||
        !trace::CollectiveKind_IsValid(span.kind()))
    {
        return "collective_span.kind: must be a known collective";
    }
    return InOrder({span.joined_ns(), span.ended_ns()})
               ? ""
               : "collective_span: must end after it is joined";
}

std::string
BrokenRuleOf(const trace::RunHeader& header, const trace::FlowSample& sample)
{
    if (!Has(header.nodes(), sample.source()) || !Has(header.nodes(), sample.destination()))
    {
        return "flow_sample: source and destination must be nodes of the run header";
    }
    if (sample.flow_number() > static_cast<std::uint32_t>(header.transfers().flows_size()))
    {
        return "flow_sample.flow_number: must be of a flow of the run header";
    }
    return InOrder({sample.time_ns()}) && InOrder({0, sample.rtt_ns()})
               ? ""
               : "flow_sample: times must be within 127 years, rtt_ns >= 0";
}

std::string
BrokenRuleOf(const trace::LinkSample& sample)
{
    if (sample.link_class() == trace::LINK_CLASS_UNSPECIFIED ||
        !trace::LinkClass_IsValid(sample.link_class()))
    {
        return "link_sample.link_class: must be a known class of link";
    }
    if (!IsAmount(sample.utilization()))
    {
        return "link_sample.utilization: must be a number >= 0";
    }
    return InOrder({sample.time_ns()}) && InOrder({1, sample.interval_ns()}) &&
                   InOrder({0, sample.mean_queueing_ns()})
               ? ""
               : "link_sample: times must be within 127 years, interval_ns > 0";
}

std::string
BrokenRuleOf(const trace::RunHeader& header, const trace::FillSpan& span)
{
    if (!Has(header.workers(), span.worker()))
    {
        return "fill_span.worker: must be a worker of the run header";
    }
    if (span.kind() == trace::FILL_KIND_UNSPECIFIED || !trace::FillKind_IsValid(span.kind()))
    {
        return "fill_span.kind: must be a known kind of work";
    }
    if (span.gpu() >= header.workers(static_cast<int>(span.worker())).gpus())
    {
        return "fill_span.gpu: must be a GPU of the worker";
    }
    if (!InOrder({span.start_ns(), span.end_ns()}) ||
        !InOrder({0, span.useful_ns(), span.end_ns() - span.start_ns()}))
    {
        return "fill_span: must end after it starts, and be useful no longer than it takes";
    }
    return IsAmount(span.flops()) ? "" : "fill_span.flops: must be a number >= 0";
}

std::string
BrokenRuleOf(const trace::Request& request)
{
    if (request.outcome() == trace::REQUEST_OUTCOME_UNSPECIFIED ||
        !trace::RequestOutcome_IsValid(request.outcome()))
    {
        return "request.outcome: must be a known outcome";
    }
    const bool isServed = request.outcome() == trace::REQUEST_OUTCOME_SERVED;
    const bool inOrder =
        InOrder({request.arrival_ns(), request.decided_ns()}) &&
        (!isServed ||
         InOrder({request.decided_ns(), request.first_token_ns(), request.delivered_ns()}));
    return inOrder ? "" : "request: arrival, decision, first token, delivery must be in order";
}

std::string
BrokenRuleOf(const trace::ForecastScore& score)
{
    return InOrder({0, score.absolute_error_ns()}) && InOrder({0, score.largest_error_ns()})
               ? ""
               : "forecast_score: errors must be >= 0";
}

std::string
BrokenRuleOf(const trace::RunHeader& header, const trace::TrainingHold& hold)
{
    if (!Has(header.workers(), hold.worker()))
    {
        return "training_hold.worker: must be a worker of the run header";
    }
    return InOrder({hold.ready_ns()}) && InOrder({0, hold.held_ns()})
               ? ""
               : "training_hold: times must be within 127 years, held_ns >= 0";
}

std::string
BrokenRuleOf(const trace::RunHeader& header, const trace::Bubble& bubble)
{
    if (!Has(header.workers(), bubble.worker()))
    {
        return "bubble.worker: must be a worker of the run header";
    }
    return InOrder({bubble.reached_ns()}) && InOrder({bubble.start_ns()}) &&
                   InOrder({1, bubble.length_ns()})
               ? ""
               : "bubble: times must be within 127 years, length_ns > 0";
}

std::string
BrokenRuleOf(const trace::RunHeader& header, const trace::TransferSpan& span)
{
    if (span.flow_number() > static_cast<std::uint32_t>(header.transfers().flows_size()))
    {
        return "transfer_span.flow_number: must be of a flow of the run header";
    }
    if (!InOrder({span.start_ns(), span.first_byte_ns(), span.delivered_ns()}) ||
        !InOrder({span.start_ns(), span.sent_ns(), span.delivered_ns()}))
    {
        return "transfer_span: start, first byte or sent, delivered must be in order";
    }
    return IsAmount(span.connection_fairness())
               ? ""
               : "transfer_span.connection_fairness: must be a number >= 0";
}

std::string
BrokenRuleOf(const trace::TransferTotals& totals)
{
    return IsAmount(totals.connection_fairness()) && InOrder({0, totals.mean_queueing_ns()})
               ? ""
               : "transfer_totals: connection_fairness and mean_queueing_ns must be >= 0";
}

std::string
BrokenRuleOf(const trace::RunEnd& end)
{
    if (!InOrder({end.simulated_time_ns()}))
    {
        return "run_end.simulated_time_ns: must be within 127 years";
    }
    if (!IsAmount(end.iteration_time_alone_s()))
    {
        return "run_end.iteration_time_alone_s: must be a number >= 0";
    }
    std::string rule;
    for (int job = 0; job < end.jobs_size() && rule.empty(); ++job)
    {
        rule = BrokenRuleOf(end.jobs(job));
    }
    return rule;
}

std::string
BrokenRuleOfTransfers(const trace::RunHeader& header)
{
    const auto& transfers = header.transfers();
    if (!Has(header.nodes(), transfers.source()) || !Has(header.nodes(), transfers.destination()))
    {
        return "run_header.transfers: source and destination must be nodes of the run header";
    }
    for (const auto& flow : transfers.flows())
    {
        if (!Has(header.nodes(), flow.source()) || !Has(header.nodes(), flow.destination()) ||
            !InOrder({0, flow.start_ns(), flow.stop_ns()}) || !IsAmount(flow.capacity_bps()) ||
            std::any_of(flow.capacity_steps().begin(),
                        flow.capacity_steps().end(),
                        [](const auto& step) { return !IsAmount(step.bps()); }))
        {
            return "run_header.transfers.flows: nodes must be of the run header, and the stop after "
                   "the start";
        }
    }
    if (transfers.duration_ns() != 0)
    {
        return InOrder({1, transfers.duration_ns()}) && !transfers.flows().empty() &&
                       IsAmount(transfers.payload_share())
                   ? ""
                   : "run_header.transfers: duration_ns must be > 0, with flows";
    }
    return transfers.bytes() > 0 && transfers.messages() > 0 && transfers.connections() > 0
               ? ""
               : "run_header.transfers: bytes, messages and connections must be > 0";
}

std::string
BrokenRuleOfTraining(const trace::RunHeader& header)
{
    if (header.workers().empty())
    {
        return "run_header.workers: must not be empty";
    }
    if (header.measured_iterations() == 0 ||
        header.warmup_iterations() > UINT32_MAX - header.measured_iterations())
    {
        return "run_header.measured_iterations: must be > 0 and its sum with warmup_iterations < "
               "2^32";
    }
    return "";
}

/// Returns the rule that the header of a job breaks, as if the job ran alone.
std::string
BrokenRuleOfJob(const trace::RunHeader& header)
{
    for (const auto& node : header.nodes())
    {
        if (!IsAmount(node.nic_rate_bps()) || !IsAmount(node.wan_egress_bps()) ||
            !IsAmount(node.wan_ingress_bps()))
        {
            return "run_header.nodes: rates must be numbers >= 0";
        }
    }
    for (const auto& worker : header.workers())
    {
        if (!Has(header.nodes(), worker.node()))
        {
            return "run_header.workers: node must be a node of the run header";
        }
        if (worker.gpus() == 0 || !IsAmount(worker.peak_flops_per_gpu()))
        {
            return "run_header.workers: gpus must be > 0 and peak_flops_per_gpu a number >= 0";
        }
    }
    const std::string broken =
        header.has_transfers() ? BrokenRuleOfTransfers(header) : BrokenRuleOfTraining(header);
    if (!broken.empty())
    {
        return broken;
    }
    if (!InOrder({0, header.wan_conditions().round_trip_ns()}) ||
        !IsAmount(header.wan_conditions().loss()) ||
        !IsAmount(header.wan_conditions().cross_traffic_load()))
    {
        return "run_header.wan_conditions: must be numbers >= 0";
    }
    for (const auto& capacity : header.wan_capacities())
    {
        if (!IsAmount(capacity.bps()))
        {
            return "run_header.wan_capacities: bps must be a number >= 0";
        }
    }
    return IsAmount(header.wan_capacity_bps()) && IsAmount(header.model_flops_per_iteration())
               ? ""
               : "run_header: wan_capacity_bps and model_flops_per_iteration must be numbers >= 0";
}

} // namespace

std::string
BrokenRule(const trace::RunHeader& header)
{
    std::set<std::string> names;
    for (const auto& job : header.jobs())
    {
        const auto& name = job.job();
        if (name.empty() || name.find_first_not_of(lettersOfJobs) != std::string::npos ||
            !names.insert(name).second)
        {
            return "run_header.jobs: each must have a name of its own, of letters, digits and . _ "
                   "+ -";
        }
        if (job.nodes_size() > 0 || job.jobs_size() > 0)
        {
            return "run_header.jobs: nodes and jobs must be of the run only";
        }
    }
    if (header.jobs_size() > 0 && (header.workers_size() > 0 || header.has_transfers()))
    {
        return "run_header: workers and transfers must be of its jobs";
    }
    std::string rule;
    for (std::uint32_t job = 0; job < JobNames(header).size() && rule.empty(); ++job)
    {
        rule = BrokenRuleOfJob(HeaderOfJob(header, job));
    }
    return rule;
}

std::string
BrokenRule(const trace::RunHeader& header, const trace::Record& record)
{
    switch (record.kind_case())
    {
    case trace::Record::kGpuSpan:
        return BrokenRuleOf(header, record.gpu_span());
    case trace::Record::kMessageSpan:
        return BrokenRuleOf(header, record.message_span());
    case trace::Record::kCollectiveSpan:
        return BrokenRuleOf(header, record.collective_span());
    case trace::Record::kFlowSample:
        return BrokenRuleOf(header, record.flow_sample());
    case trace::Record::kLinkSample:
        return BrokenRuleOf(record.link_sample());
    case trace::Record::kFillSpan:
        return BrokenRuleOf(header, record.fill_span());
    case trace::Record::kRequest:
        return BrokenRuleOf(record.request());
    case trace::Record::kForecastScore:
        return BrokenRuleOf(record.forecast_score());
    case trace::Record::kTrainingHold:
        return BrokenRuleOf(header, record.training_hold());
    case trace::Record::kBubble:
        return BrokenRuleOf(header, record.bubble());
    case trace::Record::kTransferSpan:
        return BrokenRuleOf(header, record.transfer_span());
    case trace::Record::kFlowTotals:
        return record.flow_totals().flow_number() <=
                       static_cast<std::uint32_t>(header.transfers().flows_size())
                   ? ""
                   : "flow_totals.flow_number: must be of a flow of the run header";
    case trace::Record::kTransferTotals:
        return BrokenRuleOf(record.transfer_totals());
    case trace::Record::kCounters:
        return InOrder({record.counters().time_ns()})
                   ? ""
                   : "counters.time_ns: must be within 127 years";
    case trace::Record::kRunEnd:
        return BrokenRuleOf(record.run_end());
    default:
        return "";
    }
}

} // namespace geotrain
