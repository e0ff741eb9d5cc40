// What filled training's bubbles, gathered from a trace: compact, since a run may serve millions of
// requests.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// A FillSpan of one worker.
struct FillTime
{
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::int64_t usefulNs = 0;
    double flops = 0;
    trace::FillKind kind = trace::FILL_KIND_UNSPECIFIED;
    std::uint32_t gpu = 0; ///< of the worker; fill jobs only
    double share = 1;      ///< of the worker's GPUs that it is on
};

/// A Request that ended.
struct ServedRequest
{
    std::int64_t arrivalNs = 0;
    std::int64_t firstTokenNs = 0;
    std::int64_t deliveredNs = 0;
    std::uint32_t promptTokens = 0;
    trace::RequestOutcome outcome = trace::REQUEST_OUTCOME_UNSPECIFIED;
    bool metObjective = false;
};

struct FillTally
{
    std::vector<std::vector<FillTime>> spans; ///< by worker, in order of time
    std::vector<ServedRequest> requests;
    std::vector<trace::ForecastScore> scores; ///< by iteration that ended
    std::int64_t heldNs = 0;                  ///< of training instructions, summed
    std::int64_t longestHoldNs = 0;
    std::uint64_t holds = 0;
    trace::RunEnd end; ///< empty where the run has none

    bool IsEmpty() const
    {
        return requests.empty() && scores.empty();
    }
};

} // namespace geotrain
