#include "bubbles/rehearsal.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

class PatternRecorder : public ExecutionObserver
{
  public:
    explicit PatternRecorder(std::size_t workers)
        : m_began(workers),
          m_patterns(workers, std::vector<IterationPattern>(1))
    {
    }

    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override
    {
        m_patterns[worker].back().push_back(
            {instruction.kind, start - m_began[worker], end - m_began[worker]});
        if (instruction.kind == InstructionKind::OptimizerStep)
        {
            m_began[worker] = end;
            m_patterns[worker].emplace_back();
        }
    }

    /// The iterations that every worker has ended, `most` of them at most.
    Rehearsal Whole(std::size_t most) const
    {
        std::size_t whole = most;
        for (const auto& iterations : m_patterns)
        {
            whole = std::min(whole, iterations.size() - 1);
        }
        Rehearsal rehearsal(whole);
        for (std::size_t iteration = 0; iteration < whole; ++iteration)
        {
            for (const auto& iterations : m_patterns)
            {
                rehearsal[iteration].push_back(iterations[iteration]);
            }
        }
        return rehearsal;
    }

  private:
    std::vector<Instant> m_began;
    std::vector<std::vector<IterationPattern>> m_patterns; ///< [worker][iteration]
};

} // namespace

Rehearsal
Rehearse(const ExecutionPlan& plan,
         std::uint32_t iterations,
         Network& network,
         MessageCarrier& carrier,
         Instant deadline,
         ExecutorOptions options)
{
    ExecutionPlan shortened = plan;
    shortened.iterations = std::min(plan.iterations, iterations);
    PatternRecorder recorder(plan.workers.size());
    Executor executor(shortened, network, carrier, {&recorder}, std::move(options));
    executor.Run(deadline);
    return recorder.Whole(iterations);
}

} // namespace geotrain
