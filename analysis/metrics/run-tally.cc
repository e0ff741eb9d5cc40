// SPDX-License-Identifier: GPL-2.0-only
// Takes the records of a trace apart, and checks what a trace must hold for a summary.
#include "metrics/run-tally.h"

#include "trace/trace-error.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace geotrain
{

namespace
{

/// Returns the counts that are set: all fields but the time, and the number of the iteration.
std::vector<const google::protobuf::FieldDescriptor*>
CountsOf(const trace::Counters& counters)
{
    std::vector<const google::protobuf::FieldDescriptor*> counts;
    counters.GetReflection()->ListFields(counters, &counts);
    const auto isOther = [](const auto* field)
    { return field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_UINT64; };
    counts.erase(std::remove_if(counts.begin(), counts.end(), isOther), counts.end());
    return counts;
}

} // namespace

RunTally::RunTally(TraceReader& reader)
    : header(reader.Header()),
      m_path(reader.Path()),
      m_spans(static_cast<std::size_t>(header.workers_size()))
{
    fills.spans.resize(m_spans.size());
    while (const auto record = reader.Next())
    {
        Take(*record);
    }
    reader.RefuseTruncated();
    SortSpans();
    if (const auto clash = fills.SortAndFindClash(m_spans))
    {
        Refuse("worker " + std::to_string(clash->worker) +
               " must do one thing at a time, but fills a bubble while it works at " +
               std::to_string(clash->atNs) + " ns");
    }
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

const std::vector<trace::GpuSpan>&
RunTally::SpansOf(int worker) const
{
    return m_spans[static_cast<std::size_t>(worker)];
}

std::uint32_t
RunTally::MeasuredIterations() const
{
    std::uint32_t ended = 0;
    while (ended < header.measured_iterations() &&
           m_counters.count(header.warmup_iterations() + ended) > 0)
    {
        ++ended;
    }
    return ended;
}

std::uint32_t
RunTally::RepeatedIterations() const
{
    return fills.end.repeated_iterations();
}

MeasuredSpan
RunTally::Measured() const
{
    const std::uint32_t first = header.warmup_iterations();
    const std::uint32_t last = first + MeasuredIterations() - 1;
    return header.without_flush() ? SlowestUpdates(first, last) : SpanOf(first, last);
}

MeasuredSpan
RunTally::LastIteration() const
{
    if (MeasuredIterations() == 0)
    {
        return IterationInProgress();
    }
    const std::uint32_t last = header.warmup_iterations() + MeasuredIterations() - 1;
    return SpanOf(last, last);
}

MeasuredSpan
RunTally::RepeatedOne() const
{
    const std::uint32_t repeated = header.warmup_iterations() + MeasuredIterations() - 2;
    return SpanOf(repeated, repeated);
}

trace::Counters
RunTally::Carried() const
{
    const std::uint32_t first = header.warmup_iterations();
    const std::uint32_t last = first + MeasuredIterations() - 1;
    trace::Counters carried = CarriedIn(first, last);
    const trace::Counters inLast = CarriedIn(last, last);
    const auto& in = *carried.GetReflection();
    for (const auto* count : CountsOf(RepeatedIterations() > 0 ? inLast : trace::Counters()))
    {
        in.SetUInt64(&carried,
                     count,
                     in.GetUInt64(carried, count) +
                         RepeatedIterations() * in.GetUInt64(inLast, count));
    }
    return carried;
}

/// Returns what the network carried from the beginning of iteration `first` to the end of `last`.
trace::Counters
RunTally::CarriedIn(std::uint32_t first, std::uint32_t last) const
{
    const trace::Counters& after = m_counters.at(last);
    const trace::Counters before = CountersBefore(first);
    trace::Counters carried = after;
    const auto& in = *after.GetReflection();
    for (const auto* count : CountsOf(before))
    {
        if (in.GetUInt64(after, count) < in.GetUInt64(before, count))
        {
            Refuse("counters must not fall from iteration to iteration");
        }
        in.SetUInt64(&carried, count, in.GetUInt64(after, count) - in.GetUInt64(before, count));
    }
    return carried;
}

WanMessages
RunTally::Messages() const
{
    return TallyWanMessages(MessagesOverWan(), header.warmup_iterations(), MeasuredIterations());
}

std::vector<trace::MessageSpan>
RunTally::MessagesOverWan() const
{
    std::vector<trace::MessageSpan> messages;
    std::copy_if(m_messages.begin(),
                 m_messages.end(),
                 std::back_inserter(messages),
                 [](const auto& message) { return message.crosses_wan(); });
    return messages;
}

CausalHistory
RunTally::History() const
{
    return {m_spans, m_messages, collectives};
}

void
RunTally::Take(const trace::Record& record)
{
    notes.Take(record);
    switch (record.kind_case())
    {
    case trace::Record::kGpuSpan:
    {
        const auto& span = record.gpu_span();
        m_spans[span.worker()].push_back(span);
        lastNs = std::max(lastNs, span.end_ns());
        if (span.kind() == trace::GPU_WORK_OPTIMIZER_STEP)
        {
            auto& stepNs = m_lastStepNs.try_emplace(span.iteration(), span.end_ns()).first->second;
            stepNs = std::max(stepNs, span.end_ns());
        }
        break;
    }
    case trace::Record::kMessageSpan:
        m_messages.push_back(record.message_span());
        break;
    case trace::Record::kCollectiveSpan:
        collectives.push_back(record.collective_span());
        break;
    case trace::Record::kCounters:
        m_counters[record.counters().iteration()] = record.counters();
        DropOldSamples(record.counters().iteration());
        break;
    case trace::Record::kLinkSample:
        if (record.link_sample().link_class() == trace::LINK_CLASS_WAN)
        {
            wanSamples.push_back(record.link_sample());
        }
        break;
    case trace::Record::kRunEnd:
        lastNs = record.run_end().simulated_time_ns();
        fills.end = record.run_end();
        break;
    default:
        // Other records are those of fillers, and samples of flows, which are not needed.
        lastNs = std::max(lastNs, fills.Take(record, header));
        fillJobs.Take(record);
    }
}

/// Drops the samples before the iteration that has just ended: it may be the last one, and only the
/// last one's samples are needed.
void
RunTally::DropOldSamples(std::uint32_t ended)
{
    const auto before = ended > 0 ? m_lastStepNs.find(ended - 1) : m_lastStepNs.end();
    if (before != m_lastStepNs.end())
    {
        const auto isOld = [beganNs = before->second](const trace::LinkSample& sample)
        { return sample.time_ns() <= beganNs; };
        wanSamples.erase(std::remove_if(wanSamples.begin(), wanSamples.end(), isOld),
                         wanSamples.end());
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
                   " must do one thing at a time, but does two at " +
                   std::to_string(overlap->end_ns()) + " ns");
        }
    }
}

/// Returns the span from the end of the iteration before `first` (0: none) to the end of `last`.
MeasuredSpan
RunTally::SpanOf(std::uint32_t first, std::uint32_t last) const
{
    return {first > 0 ? EndOfIteration(first - 1) : 0, EndOfIteration(last)};
}

/// Returns the span from the update before `first` (0: none) to the update of `last`, on the worker
/// for which it is longest.
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

/// Returns the span from the end of the last iteration that ended (0: none) to the last instant of
/// the trace.
MeasuredSpan
RunTally::IterationInProgress() const
{
    const std::int64_t startNs =
        m_counters.empty() ? 0 : EndOfIteration(m_counters.rbegin()->first);
    if (lastNs <= startNs)
    {
        Refuse("must hold at least one span of a GPU in an iteration");
    }
    return {startNs, lastNs};
}

/// Returns the counters of the iteration before `iteration`; all 0 before the first one.
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
