#include "metrics/run-tally.h"

#include "trace/trace-error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace geotrain
{

RunTally::RunTally(TraceReader& reader)
    : m_path(reader.Path()),
      m_header(reader.Header()),
      m_spans(static_cast<std::size_t>(m_header.workers_size()))
{
    m_fills.spans.resize(m_spans.size());
    while (const auto record = reader.Next())
    {
        Take(*record);
    }
    reader.RefuseTruncated();
    SortSpans();
    CheckFills();
}

void
RunTally::RequireMeasured() const
{
    if (MeasuredIterations() == 0)
    {
        Refuse("must hold a measured iteration that has ended");
    }
    if (Measured().endNs <= Measured().startNs)
    {
        Refuse("must hold measured iterations that take longer than 0 ns");
    }
}

const trace::RunHeader&
RunTally::Header() const
{
    return m_header;
}

const std::vector<trace::GpuSpan>&
RunTally::SpansOf(int worker) const
{
    return m_spans[static_cast<std::size_t>(worker)];
}

const FillTally&
RunTally::Fills() const
{
    return m_fills;
}

std::uint32_t
RunTally::MeasuredIterations() const
{
    std::uint32_t ended = 0;
    while (ended < m_header.measured_iterations() &&
           m_counters.count(m_header.warmup_iterations() + ended) > 0)
    {
        ++ended;
    }
    return ended;
}

MeasuredSpan
RunTally::Measured() const
{
    const std::uint32_t first = m_header.warmup_iterations();
    const std::uint32_t last = first + MeasuredIterations() - 1;
    return m_header.without_flush() ? SlowestUpdates(first, last) : SpanOf(first, last);
}

MeasuredSpan
RunTally::LastIteration() const
{
    if (MeasuredIterations() == 0)
    {
        return IterationInProgress();
    }
    const std::uint32_t last = m_header.warmup_iterations() + MeasuredIterations() - 1;
    return SpanOf(last, last);
}

const std::vector<trace::CollectiveSpan>&
RunTally::Collectives() const
{
    return m_collectives;
}

const FillJobTally&
RunTally::FillJobs() const
{
    return m_fillJobs;
}

trace::Counters
RunTally::CarriedIn(std::uint32_t iterations) const
{
    const std::uint32_t first = m_header.warmup_iterations();
    const trace::Counters& after = m_counters.at(first + iterations - 1);
    const trace::Counters before = CountersBefore(first);
    const auto since = [&](std::uint64_t (trace::Counters::*count)() const)
    {
        if ((after.*count)() < (before.*count)())
        {
            Refuse("counters must not fall from iteration to iteration");
        }
        return (after.*count)() - (before.*count)();
    };
    trace::Counters carried;
    carried.set_wan_payload_bytes(since(&trace::Counters::wan_payload_bytes));
    carried.set_intra_dc_payload_bytes(since(&trace::Counters::intra_dc_payload_bytes));
    carried.set_wan_wire_bytes(since(&trace::Counters::wan_wire_bytes));
    carried.set_retransmitted_bytes(since(&trace::Counters::retransmitted_bytes));
    carried.set_wan_packets(since(&trace::Counters::wan_packets));
    carried.set_intra_dc_packets(since(&trace::Counters::intra_dc_packets));
    carried.set_dropped_packets(since(&trace::Counters::dropped_packets));
    return carried;
}

WanMessages
RunTally::MessagesIn(std::uint32_t iterations) const
{
    WanMessages messages;
    struct Sent
    {
        double bits = 0;
        double seconds = 0;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Sent> pairs;
    // Sender, receiver, payload, stage, microbatch; the iteration and how long it took.
    using Key =
        std::tuple<std::uint32_t, std::uint32_t, trace::Payload, std::uint32_t, std::uint32_t>;
    std::map<Key, std::pair<std::uint32_t, double>> latest;
    for (const auto& message : m_wanMessages)
    {
        if (!IsMeasured(message.iteration(), iterations))
        {
            continue;
        }
        const auto seconds = [&](std::int64_t fromNs)
        { return static_cast<double>(message.delivered_ns() - fromNs) / 1e9; };
        const double completion = seconds(message.queued_ns());
        messages.completionSeconds.push_back(completion);
        auto& before = latest[{message.sender(),
                               message.receiver(),
                               message.payload(),
                               message.stage(),
                               message.microbatch()}];
        if (message.iteration() > 0 && before.first == message.iteration())
        {
            messages.changeSeconds.push_back(std::abs(completion - before.second));
        }
        before = {message.iteration() + 1, completion};
        Sent& sent = pairs[{message.source(), message.destination()}];
        sent.bits += 8 * static_cast<double>(message.bytes());
        sent.seconds += seconds(message.send_start_ns());
    }
    for (const auto& [pair, sent] : pairs)
    {
        messages.pairGoodputBps.push_back(sent.seconds > 0 ? sent.bits / sent.seconds : 0);
    }
    return messages;
}

const std::vector<trace::MessageSpan>&
RunTally::MessagesOverWan() const
{
    return m_wanMessages;
}

const std::vector<trace::LinkSample>&
RunTally::SamplesOfWan() const
{
    return m_wanSamples;
}

const std::vector<std::string>&
RunTally::Warnings() const
{
    return m_warnings;
}

bool
RunTally::Complete() const
{
    return m_complete;
}

std::int64_t
RunTally::SimulatedTimeNs() const
{
    return m_lastNs;
}

void
RunTally::Take(const trace::Record& record)
{
    switch (record.kind_case())
    {
    case trace::Record::kGpuSpan:
    {
        const auto& span = record.gpu_span();
        m_spans[span.worker()].push_back(span);
        m_lastNs = std::max(m_lastNs, span.end_ns());
        if (span.kind() == trace::GPU_WORK_OPTIMIZER_STEP)
        {
            auto& lastNs = m_lastStepNs.try_emplace(span.iteration(), span.end_ns()).first->second;
            lastNs = std::max(lastNs, span.end_ns());
        }
        break;
    }
    case trace::Record::kMessageSpan:
        if (record.message_span().crosses_wan())
        {
            m_wanMessages.push_back(record.message_span());
        }
        break;
    case trace::Record::kCollectiveSpan:
        m_collectives.push_back(record.collective_span());
        break;
    case trace::Record::kCounters:
        m_counters[record.counters().iteration()] = record.counters();
        DropOldSamples(record.counters().iteration());
        break;
    case trace::Record::kLinkSample:
        TakeSample(record.link_sample());
        break;
    case trace::Record::kWarning:
        m_warnings.push_back(record.warning().text());
        break;
    case trace::Record::kRunEnd:
        m_complete = record.run_end().finished();
        m_lastNs = record.run_end().simulated_time_ns();
        m_fills.end = record.run_end();
        break;
    default:
        TakeFill(record); // or a sample of a flow
        m_fillJobs.Take(record);
    }
}

void
RunTally::TakeFill(const trace::Record& record)
{
    if (record.has_fill_span())
    {
        const auto& span = record.fill_span();
        const bool isOnAll = span.kind() != trace::FILL_KIND_FILL_JOB;
        const double gpus = m_header.workers(static_cast<int>(span.worker())).gpus();
        m_fills.spans[span.worker()].push_back({span.start_ns(),
                                                span.end_ns(),
                                                span.useful_ns(),
                                                span.flops(),
                                                span.kind(),
                                                span.gpu(),
                                                isOnAll ? 1 : 1 / gpus});
        m_lastNs = std::max(m_lastNs, span.end_ns());
    }
    else if (record.has_request())
    {
        const auto& request = record.request();
        m_fills.requests.push_back({request.arrival_ns(),
                                    request.first_token_ns(),
                                    request.delivered_ns(),
                                    request.prompt_tokens(),
                                    request.outcome(),
                                    request.met_objective()});
    }
    else if (record.has_forecast_score())
    {
        m_fills.scores.push_back(record.forecast_score());
    }
    else if (record.has_training_hold())
    {
        const std::int64_t heldNs = record.training_hold().held_ns();
        m_fills.heldNs += heldNs;
        m_fills.longestHoldNs = std::max(m_fills.longestHoldNs, heldNs);
        ++m_fills.holds;
    }
}

void
RunTally::TakeSample(const trace::LinkSample& sample)
{
    if (sample.link_class() == trace::LINK_CLASS_WAN)
    {
        m_wanSamples.push_back(sample);
    }
}

/// The iteration that has just ended may be the last; what was sampled before it is not needed any
/// more.
void
RunTally::DropOldSamples(std::uint32_t ended)
{
    const auto before = ended > 0 ? m_lastStepNs.find(ended - 1) : m_lastStepNs.end();
    if (before != m_lastStepNs.end())
    {
        const auto isOld = [beganNs = before->second](const trace::LinkSample& sample)
        { return sample.time_ns() <= beganNs; };
        m_wanSamples.erase(std::remove_if(m_wanSamples.begin(), m_wanSamples.end(), isOld),
                           m_wanSamples.end());
    }
}

/// Spans of fillers must lie in the gaps of training, and on a GPU apart from each other.
void
RunTally::CheckFills()
{
    for (std::size_t worker = 0; worker < m_spans.size(); ++worker)
    {
        auto& fills = m_fills.spans[worker];
        std::stable_sort(fills.begin(),
                         fills.end(),
                         [](const FillTime& a, const FillTime& b)
                         { return a.startNs < b.startNs; });
        auto next = m_spans[worker].begin();
        std::map<std::uint32_t, std::int64_t> filledUntilNs; // by GPU
        std::int64_t latestNs = INT64_MIN;                   // of these
        std::int64_t busyUntilNs = INT64_MIN;                // all of the worker's GPUs
        for (const FillTime& fill : fills)
        {
            for (; next != m_spans[worker].end() && next->start_ns() <= fill.startNs; ++next)
            {
                busyUntilNs = std::max(busyUntilNs, next->end_ns());
            }
            const bool meetsNext = next != m_spans[worker].end() && next->start_ns() < fill.endNs;
            const bool isOnAll = fill.kind != trace::FILL_KIND_FILL_JOB;
            auto& untilNs = isOnAll ? busyUntilNs
                                    : filledUntilNs.try_emplace(fill.gpu, INT64_MIN).first->second;
            const bool meetsFill = fill.startNs < (isOnAll ? latestNs : untilNs);
            if (fill.startNs < busyUntilNs || meetsFill || meetsNext)
            {
                Refuse("worker " + std::to_string(worker) +
                       " must do one thing at a time, and fills a bubble while it works at " +
                       std::to_string(fill.startNs) + " ns");
            }
            untilNs = fill.endNs;
            latestNs = std::max(latestNs, fill.endNs);
        }
    }
}

void
RunTally::SortSpans()
{
    for (std::size_t worker = 0; worker < m_spans.size(); ++worker)
    {
        auto& spans = m_spans[worker];
        std::stable_sort(spans.begin(),
                         spans.end(),
                         [](const auto& a, const auto& b) {
                             return std::make_tuple(a.start_ns(), a.end_ns()) <
                                    std::make_tuple(b.start_ns(), b.end_ns());
                         });
        const auto overlap = std::adjacent_find(spans.begin(),
                                                spans.end(),
                                                [](const auto& a, const auto& b)
                                                { return b.start_ns() < a.end_ns(); });
        if (overlap != spans.end())
        {
            Refuse("worker " + std::to_string(worker) +
                   " must do one thing at a time, and does two at " +
                   std::to_string(overlap->end_ns()) + " ns");
        }
    }
}

bool
RunTally::IsMeasured(std::uint32_t iteration, std::uint32_t iterations) const
{
    const std::uint32_t first = m_header.warmup_iterations();
    return iteration >= first && iteration - first < iterations;
}

/// From the end of the iteration before `first` (0: none) to the end of `last`.
MeasuredSpan
RunTally::SpanOf(std::uint32_t first, std::uint32_t last) const
{
    return {first > 0 ? EndOfIteration(first - 1) : 0, EndOfIteration(last)};
}

/// From the update before `first` (0: none) to that of `last`, of the worker that takes longest for
/// them.
MeasuredSpan
RunTally::SlowestUpdates(std::uint32_t first, std::uint32_t last) const
{
    MeasuredSpan slowest;
    for (const auto& spans : m_spans)
    {
        MeasuredSpan updates;
        for (const auto& span : spans)
        {
            const bool isUpdate = span.kind() == trace::GPU_WORK_OPTIMIZER_STEP;
            if (isUpdate && span.iteration() + 1 == first)
            {
                updates.startNs = span.end_ns();
            }
            else if (isUpdate && span.iteration() == last)
            {
                updates.endNs = span.end_ns();
            }
        }
        const bool isSlower = updates.endNs - updates.startNs > slowest.endNs - slowest.startNs;
        slowest = isSlower ? updates : slowest;
    }
    return slowest;
}

std::int64_t
RunTally::EndOfIteration(std::uint32_t iteration) const
{
    const auto found = m_lastStepNs.find(iteration);
    if (found == m_lastStepNs.end())
    {
        Refuse("iteration " + std::to_string(iteration) + " must hold an optimiser step");
    }
    return found->second;
}

/// From the end of the last iteration that ended (0: none) to the last instant of the trace.
MeasuredSpan
RunTally::IterationInProgress() const
{
    const std::int64_t startNs =
        m_counters.empty() ? 0 : EndOfIteration(m_counters.rbegin()->first);
    if (m_lastNs <= startNs)
    {
        Refuse("must hold something that a GPU did in an iteration");
    }
    return {startNs, m_lastNs};
}

/// Of the iteration before `iteration`; all 0 before the first one.
trace::Counters
RunTally::CountersBefore(std::uint32_t iteration) const
{
    if (iteration == 0)
    {
        return {};
    }
    const auto found = m_counters.find(iteration - 1);
    if (found == m_counters.end())
    {
        Refuse("iteration " + std::to_string(iteration - 1) + " must hold counters");
    }
    return found->second;
}

void
RunTally::Refuse(const std::string& rule) const
{
    throw TraceError(m_path, rule);
}

} // namespace geotrain
