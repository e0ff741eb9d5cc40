// SPDX-License-Identifier: GPL-2.0-only
// Gathers the work of fillers from a trace. It keeps little per request, since a run may serve
// millions of them.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// A FillTime is a FillSpan of one worker.
struct FillTime
{
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::int64_t usefulNs = 0;
    double flops = 0;
    trace::FillKind kind = trace::FILL_KIND_UNSPECIFIED;
    std::uint32_t gpu = 0; ///< the worker's GPU; fill jobs only
    double share = 1;      ///< share of the worker's GPUs on which it runs
    bool isOffline = false;
};

/// A ServedRequest is a Request that ended.
struct ServedRequest
{
    std::int64_t arrivalNs = 0;
    std::int64_t firstTokenNs = 0;
    std::int64_t deliveredNs = 0;
    std::uint32_t promptTokens = 0;
    trace::RequestOutcome outcome = trace::REQUEST_OUTCOME_UNSPECIFIED;
    bool metObjective = false;
    std::int64_t promisedNs = 0; ///< forecast of the first token; 0: none
};

/// A FillTally holds everything that filled the bubbles of a run.
struct FillTally
{
    std::vector<std::vector<FillTime>> spans; ///< by worker, in order of time
    std::vector<ServedRequest> requests;
    std::vector<ServedRequest> offline;       ///< prefills of batch inference that ended
    std::vector<trace::ForecastScore> scores; ///< per iteration that ended
    std::int64_t heldNs = 0;                  ///< sum of the delays of training instructions
    std::int64_t stopNs = 0;                  ///< part of it that stopping fillers costs
    std::int64_t longestHoldNs = 0;           ///< longest of these delays
    std::uint64_t holds = 0;                  ///< number of these delays
    trace::RunEnd end;                        ///< empty where the trace has no RunEnd

    /// A Clash is a moment at which a worker does two things at a time.
    struct Clash
    {
        std::size_t worker = 0;
        std::int64_t atNs = 0;
    };

    /// Adds what a record says of fillers; `spans` must have a place for each worker. Returns the
    /// end of the record's span in ns, or 0 where the record has none.
    std::int64_t Take(const trace::Record& record, const trace::RunHeader& header);

    /// Sorts `spans` by time and checks them: they must lie in the gaps of `training`'s sorted
    /// spans, and must not overlap on a GPU. Returns the first clash, if any.
    std::optional<Clash> SortAndFindClash(const std::vector<std::vector<trace::GpuSpan>>& training);

    /// Returns whether the run has neither requests nor a forecast.
    bool IsEmpty() const
    {
        return requests.empty() && scores.empty();
    }

  private:
    std::optional<std::int64_t> FirstClash(std::size_t worker,
                                           const std::vector<trace::GpuSpan>& training) const;
};

} // namespace geotrain
