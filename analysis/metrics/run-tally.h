// SPDX-License-Identifier: GPL-2.0-only
// Gathers in one pass what the metrics need of a trace: GPU spans by worker, counters by iteration,
// WAN messages, collectives, and the last iterations' samples of WAN links. Other samples are
// skipped. An iteration has ended when its Counters are there.
#pragma once

#include "metrics/fill-job-tally.h"
#include "metrics/fill-tally.h"
#include "metrics/gpu-time.h"
#include "metrics/wan-messages.h"
#include "trace/trace-reader.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// RunTally holds what one trace says.
class RunTally
{
  public:
    /// Reads `reader` to its end. Throws TraceError for a truncated trace or a worker that does two
    /// things at a time.
    explicit RunTally(TraceReader& reader);

    /// Throws TraceError unless a measured iteration has ended and took longer than 0.
    void RequireMeasured() const;

    const trace::RunHeader& Header() const;

    /// Returns a worker's spans in order of time, without overlap.
    const std::vector<trace::GpuSpan>& SpansOf(int worker) const;

    /// Returns what filled the bubbles. Spans are in order of time; they overlap neither each other
    /// nor training's.
    const FillTally& Fills() const;

    /// Returns the number of measured iterations that ended; 0 where the run was killed before.
    std::uint32_t MeasuredIterations() const;

    /// Returns the span of the measured iterations that ended; RequireMeasured() must hold. Without
    /// flush, iterations overlap: then it is the slowest worker's, from update to update.
    MeasuredSpan Measured() const;

    /// Returns the span of the last measured iteration that ended, from the end of the one before
    /// (0: none) to its own. For a run that was killed before, it is what there is of its last
    /// iteration. Throws TraceError if that is nothing.
    MeasuredSpan LastIteration() const;

    /// Returns the collectives in the order of the trace.
    const std::vector<trace::CollectiveSpan>& Collectives() const;

    const FillJobTally& FillJobs() const;

    /// Returns what the network carried in the first `iterations` measured iterations, at least 1.
    trace::Counters CarriedIn(std::uint32_t iterations) const;

    WanMessages MessagesIn(std::uint32_t iterations) const;

    /// Returns the messages that crossed the WAN, in the order of the trace.
    const std::vector<trace::MessageSpan>& MessagesOverWan() const;

    /// Returns the samples of WAN links in the order of the trace; at least those of
    /// LastIteration().
    const std::vector<trace::LinkSample>& SamplesOfWan() const;

    const std::vector<std::string>& Warnings() const;

    bool Complete() const;

    /// Returns the last instant that the trace mentions.
    std::int64_t SimulatedTimeNs() const;

  private:
    void Take(const trace::Record& record);
    void TakeSample(const trace::LinkSample& sample);
    void DropOldSamples(std::uint32_t ended);
    void SortSpans();
    MeasuredSpan IterationInProgress() const;
    MeasuredSpan SpanOf(std::uint32_t first, std::uint32_t last) const;
    MeasuredSpan SlowestUpdates(std::uint32_t first, std::uint32_t last) const;
    std::int64_t EndOfIteration(std::uint32_t iteration) const;
    trace::Counters CountersBefore(std::uint32_t iteration) const;
    [[noreturn]] void Refuse(const std::string& rule) const;

    std::string m_path;
    trace::RunHeader m_header;
    std::vector<std::vector<trace::GpuSpan>> m_spans; ///< by worker
    FillTally m_fills;
    /// End of an iteration's last optimiser step, by iteration.
    std::map<std::uint32_t, std::int64_t> m_lastStepNs;
    std::map<std::uint32_t, trace::Counters> m_counters; ///< by iteration
    std::vector<trace::CollectiveSpan> m_collectives;
    std::vector<trace::MessageSpan> m_wanMessages;
    std::vector<trace::LinkSample> m_wanSamples;
    FillJobTally m_fillJobs;
    std::vector<std::string> m_warnings;
    std::int64_t m_lastNs = 0;
    bool m_complete = false;
};

} // namespace geotrain
