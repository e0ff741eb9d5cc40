// The Bubble instructions of a plan's streams: PipeFill's pipeline bubble instruction (Arfeen et al., arXiv 2410.07192).
// One stands before everything that its worker may have to wait for: before the receives of a computation, before the
// optimiser's step where that waits for collectives, and before every computation of a worker that deviates from its
// order. What it says is the forecast of the iteration that the worker is in, written anew when that begins and when
// training runs earlier or later than was expected; one of length 0 expects no idle time. Training doesn't see them: an
// executor steps over a Bubble at once, and what follows ends it.
#pragma once

#include "filling/bubble.h"
#include "execution/execution-plan.h"

#include <vector>

namespace geotrain
{

/// An idle span as a stream has it.
struct StreamBubble
{
    Instant start;
    Instant end;
    Bytes freeMemory; ///< of one GPU
    std::uint32_t endsWith =
        0; ///< position, among the iteration's computations, of the one that ends it
};

class BubbleInstructions
{
  public:
    /// Puts Bubbles of length 0 into the streams of `plan`, which must outlive this and have no executor yet.
    explicit BubbleInstructions(ExecutionPlan& plan);

    /// Writes what is forecast of `iteration` of `worker`, which began at `began`: places without a bubble get the length
    /// 0. Bubbles of iterations ahead, and any before a computation that waits for nothing, are left out.
    void Write(WorkerIndex worker,
               std::uint32_t iteration,
               Instant began,
               const std::vector<Bubble>& bubbles);

    /// What the stream of `worker` says of that iteration: the Bubbles that have a length, in order of time.
    std::vector<StreamBubble>
    Read(WorkerIndex worker, std::uint32_t iteration, Instant began) const;

  private:
    struct Place
    {
        std::size_t position = 0; ///< in the stream
        std::uint32_t endsWith = 0;
    };

    /// Of one iteration: a stream without flush holds several.
    using Places = std::vector<Place>;

    static std::vector<Places> Insert(ExecutionPlan::Worker& worker);
    const Places& PlacesOf(WorkerIndex worker, std::uint32_t iteration) const;

    ExecutionPlan& m_plan;
    std::vector<std::vector<Places>> m_places; ///< by worker
};

} // namespace geotrain
