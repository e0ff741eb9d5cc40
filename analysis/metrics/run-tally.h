// SPDX-License-Identifier: GPL-2.0-only
// Gathers in one pass what the metrics need of a trace: GPU spans by worker, counters by iteration,
// messages, collectives, and the samples of WAN links in the last iterations. Other samples are
// skipped. An iteration has ended when the trace holds its Counters.
#pragma once

#include "metrics/fill-job-tally.h"
#include "metrics/fill-tally.h"
#include "metrics/gpu-time.h"
#include "metrics/run-summary.h"
#include "metrics/wan-messages.h"
#include "trace/trace-reader.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// A RunTally is the contents of one trace that the metrics need.
struct RunTally
{
    /// Reads `reader` to its end. Throws TraceError for a truncated trace or a worker that does two
    /// things at a time.
    explicit RunTally(TraceReader& reader);

    /// Throws TraceError unless a measured iteration has ended and took longer than 0.
    void RequireMeasured() const;

    /// Returns a worker's spans in order of time, without overlap.
    const std::vector<trace::GpuSpan>& SpansOf(int worker) const;

    /// Returns the number of measured iterations that ended; 0 where the run was killed before.
    std::uint32_t MeasuredIterations() const;

    /// Returns the number of measured iterations that were not simulated, and count as the last one that
    /// was.
    std::uint32_t RepeatedIterations() const;

    /// Returns the span of the measured iterations that ended; RequireMeasured() must hold. Without
    /// flush iterations overlap, and the span goes from update to update of the slowest worker.
    MeasuredSpan Measured() const;

    /// Returns the span of the last measured iteration that ended, from the end of the iteration
    /// before it (0 where there is none) to its own end. For a run that was killed before one
    /// ended, it is the part of the last iteration that the trace holds. Throws TraceError if that
    /// part is empty.
    MeasuredSpan LastIteration() const;

    /// Returns the span of the iteration before that one, which it repeats where RepeatedIterations() are
    /// more than 0. A run that ends before its work does lacks spans at its very end, and none here.
    MeasuredSpan RepeatedOne() const;

    /// Returns what the network carried in the measured iterations, repeated ones included.
    trace::Counters Carried() const;

    /// Returns the WAN messages of the measured iterations that ended.
    WanMessages Messages() const;

    /// Returns the messages that crossed the WAN, in the order of the trace.
    std::vector<trace::MessageSpan> MessagesOverWan() const;

    /// Returns what caused what. It refers to this.
    CausalHistory History() const;

    trace::RunHeader header;
    /// Work of fillers: spans in order of time, which overlap neither each other nor training's spans.
    FillTally fills;
    FillJobTally fillJobs;
    std::vector<trace::CollectiveSpan> collectives; ///< in the order of the trace
    /// Samples of WAN links in the order of the trace; they cover at least LastIteration().
    std::vector<trace::LinkSample> wanSamples;
    RunNotes notes;
    std::int64_t lastNs = 0; ///< last instant in the trace

  private:
    void Take(const trace::Record& record);
    void DropOldSamples(std::uint32_t ended);
    void SortSpans();
    MeasuredSpan IterationInProgress() const;
    MeasuredSpan SpanOf(std::uint32_t first, std::uint32_t last) const;
    MeasuredSpan SlowestUpdates(std::uint32_t first, std::uint32_t last) const;
    std::int64_t EndOfIteration(std::uint32_t iteration) const;
    trace::Counters CarriedIn(std::uint32_t first, std::uint32_t last) const;
    trace::Counters CountersBefore(std::uint32_t iteration) const;
    [[noreturn]] void Refuse(const std::string& rule) const;

    std::string m_path;
    std::vector<std::vector<trace::GpuSpan>> m_spans; ///< by worker
    /// End of an iteration's last optimiser step, by iteration.
    std::map<std::uint32_t, std::int64_t> m_lastStepNs;
    std::map<std::uint32_t, trace::Counters> m_counters; ///< by iteration
    std::vector<trace::MessageSpan> m_messages;
};

} // namespace geotrain
