// SPDX-License-Identifier: GPL-2.0-only
#include "filling/rehearsal.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::size_t longestPeriod = 4; // iterations
// Repetitions are many, since congestion windows that grow slowly leave several iterations alike.
constexpr std::size_t repetitions = 32;

class PatternRecorder : public ExecutionObserver
{
  public:
    /// `mayStop` says that all iterations have the same instructions, so that they may be found to
    /// repeat.
    PatternRecorder(std::size_t workers, std::uint32_t most, bool mayStop)
        : m_began(workers),
          m_ended(workers),
          m_most(most),
          m_mayStop(mayStop)
    {
    }

    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override
    {
        const std::size_t iteration = m_ended[worker];
        if (iteration >= m_most)
        {
            return;
        }
        if (iteration == m_patterns.size())
        {
            m_patterns.emplace_back(m_began.size());
            m_workersLeft.push_back(m_began.size());
        }
        m_patterns[iteration][worker].push_back(
            {instruction.kind, start - m_began[worker], end - m_began[worker]});
        if (instruction.kind == InstructionKind::OptimizerStep)
        {
            m_began[worker] = end;
            ++m_ended[worker];
            if (--m_workersLeft[iteration] == 0)
            {
                EndIteration();
            }
        }
    }

    /// Returns whether the iterations have been found to repeat themselves.
    bool IsPeriodic() const
    {
        return m_period > 0;
    }

    Rehearsal Whole() const
    {
        return {{m_patterns.begin(), m_patterns.begin() + static_cast<std::ptrdiff_t>(m_whole)},
                m_period};
    }

  private:
    /// Takes note of an iteration that every worker has ended.
    void EndIteration()
    {
        ++m_whole;
        for (std::size_t period = 1; m_mayStop && period <= longestPeriod; ++period)
        {
            if (Repeats(period))
            {
                m_period = period;
                return;
            }
        }
    }

    bool Repeats(std::size_t period) const
    {
        if (m_whole < repetitions * period)
        {
            return false;
        }
        const auto end = m_patterns.begin() + static_cast<std::ptrdiff_t>(m_whole);
        const auto compared = static_cast<std::ptrdiff_t>((repetitions - 1) * period);
        return std::equal(
            end - compared, end, end - compared - static_cast<std::ptrdiff_t>(period));
    }

    std::vector<Instant> m_began;     ///< by worker
    std::vector<std::size_t> m_ended; ///< iterations ended, by worker
    std::size_t m_most;
    bool m_mayStop;
    std::vector<std::vector<IterationPattern>> m_patterns; ///< [iteration][worker]
    std::vector<std::size_t> m_workersLeft; ///< by iteration: workers that haven't ended it
    std::size_t m_whole = 0;
    std::size_t m_period = 0;
};

} // namespace

Rehearsal
Rehearse(const ExecutionPlan& plan,
         std::uint32_t iterations,
         Network& network,
         const PlanRunSettings& settings,
         Instant deadline)
{
    ExecutionPlan shortened = plan;
    shortened.iterations = std::min(plan.iterations, iterations);
    PlanRun run(shortened, network, settings);
    run.Prepare();
    PatternRecorder recorder(plan.workers.size(), iterations, shortened.iterations > 1);
    run.Observe(recorder);
    run.Run(deadline, [&recorder] { return recorder.IsPeriodic(); });
    return recorder.Whole();
}

} // namespace geotrain
