// SPDX-License-Identifier: GPL-2.0-only
// Keeps the Bubble instructions of a plan's streams: PipeFill's pipeline bubble instruction (Arfeen
// et al., arXiv 2410.07192). One stands before everything that its worker may have to wait for:
// before the receives of a computation, before the optimiser's step where that waits for
// collectives, and before every computation of a worker that deviates from its order. It holds the
// forecast for the iteration that the worker is in. The forecast is written anew when the iteration
// begins and when training runs earlier or later than expected. A length of 0 means that no idle
// time is expected. Training doesn't see Bubbles: an executor steps over one at once, and what
// follows ends it.
#pragma once

#include "filling/bubble.h"
#include "execution/execution-plan.h"

#include <vector>

namespace geotrain
{

/// BubbleInstructions inserts Bubbles into a plan and rewrites them in place.
class BubbleInstructions
{
  public:
    /// Inserts Bubbles of length 0 into the streams of `plan`, which must outlive this and must
    /// have no executor yet.
    explicit BubbleInstructions(ExecutionPlan& plan);

    /// Writes the forecast for `iteration` of `worker`, which began at `began`. Places without a
    /// bubble get the length 0. Bubbles of later iterations, and bubbles before a computation that
    /// waits for nothing, are left out.
    void Write(WorkerIndex worker,
               std::uint32_t iteration,
               Instant began,
               const std::vector<Bubble>& bubbles);

    /// Returns what the stream of `worker` says of that iteration: the Bubbles that have a length,
    /// in order of time, without bounds.
    std::vector<Bubble> Read(WorkerIndex worker, std::uint32_t iteration, Instant began) const;

  private:
    struct Place
    {
        std::size_t position = 0; ///< index in the stream
        std::uint32_t endsWith = 0;
    };

    /// Places are those of one iteration; a stream without flush holds several iterations.
    using Places = std::vector<Place>;

    static std::vector<Places> Insert(ExecutionPlan::Worker& worker);
    const Places& PlacesOf(WorkerIndex worker, std::uint32_t iteration) const;

    ExecutionPlan& m_plan;
    std::vector<std::vector<Places>> m_places; ///< by worker
};

} // namespace geotrain
