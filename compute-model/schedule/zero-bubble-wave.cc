// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/zero-bubble-wave.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

// These are the ways of a microbatch: its forward goes down the workers (chunk 0) and up again
// (chunk 1), its backward goes down (chunk 1) and up (chunk 0).
constexpr std::size_t forwardDown = 0;
constexpr std::size_t forwardUp = 1;
constexpr std::size_t backwardDown = 2;
constexpr std::size_t backwardUp = 3;

bool
GoesDown(std::size_t leg)
{
    return leg % 2 == 0;
}

Operation
OperationOf(std::size_t leg, std::uint32_t microbatch)
{
    const Kind kind = leg <= forwardUp ? Kind::Forward : Kind::Backward;
    return {kind, microbatch, leg == forwardDown || leg == backwardUp ? 0u : 1u};
}

/// WaveBuilder is a worker as the rounds build its order. Times are nanoseconds.
struct WaveBuilder
{
    std::array<std::uint32_t, 4> count = {0, 0, 0, 0}; ///< by leg
    std::array<std::vector<std::int64_t>, 4> end;      ///< by leg and microbatch
    std::deque<Operation> weightsLeft;
    std::int64_t free = 0;
    std::int64_t bubble = 0; ///< since its first forward
    std::uint32_t held = 0;  ///< activations
    StageOrder order;

    std::uint32_t Forwards() const
    {
        return count[forwardDown] + count[forwardUp];
    }
};

class Waves
{
  public:
    Waves(const ScheduleRequest& request, std::uint32_t cap, const WaveChoices& choices)
        : m_request(request),
          m_choices(choices),
          m_microbatches(request.microbatches),
          m_cap(cap),
          m_workers(request.stages)
    {
        for (WaveBuilder& worker : m_workers)
        {
            for (auto& end : worker.end)
            {
                end.assign(m_microbatches, unknownTime);
            }
        }
        for (const std::int64_t bubble : choices.allowedBubbles)
        {
            m_largestAllowed = std::max(m_largestAllowed, bubble);
        }
    }

    std::optional<WaveSchedule> Build()
    {
        FirstWave();
        EvenOut();
        for (std::uint32_t round = 0; round < 2 * m_microbatches && m_fits; ++round)
        {
            RoundOfBackwards();
            RoundOfForwards();
        }
        WaveSchedule result;
        for (std::size_t index = 0; index < m_workers.size() && m_fits; ++index)
        {
            WaveBuilder& worker = m_workers[index];
            while (!worker.weightsLeft.empty())
            {
                PutWeight(index);
            }
            result.order.stages.push_back(std::move(worker.order));
            result.bubbles.push_back(worker.bubble);
        }
        result.order.stagesOfWorker = WaveStages(m_request.stages);
        result.order.activationCap.assign(m_request.stages, m_cap);
        return m_fits ? std::optional(std::move(result)) : std::nullopt;
    }

  private:
    std::uint32_t StageOf(std::size_t worker, std::uint32_t chunk) const
    {
        const auto index = static_cast<std::uint32_t>(worker);
        return chunk == 0 ? index : 2 * m_request.stages - 1 - index;
    }

    std::int64_t Cost(std::size_t worker, const Operation& operation) const
    {
        const StageTiming timing = m_request.times.Stage(StageOf(worker, operation.chunk));
        switch (operation.kind)
        {
        case Kind::Forward:
            return timing.forward.ToNanoseconds();
        case Kind::Backward:
            return (timing.recompute + timing.backwardInput).ToNanoseconds();
        default:
            return timing.backwardWeight.ToNanoseconds();
        }
    }

    std::int64_t HopBetween(std::size_t upper, std::uint32_t chunk) const
    {
        const std::uint32_t stage = std::min(StageOf(upper, chunk), StageOf(upper + 1, chunk));
        return m_request.times.HopAfter(stage).Total().ToNanoseconds();
    }

    /// Returns when the next microbatch of the leg is here; 0 where it comes from the worker
    /// itself, `unknownTime` where it has not been sent.
    std::int64_t InputAt(std::size_t worker, std::size_t leg) const
    {
        const bool isAtTurn = GoesDown(leg) ? worker == 0 : worker + 1 == m_workers.size();
        if (isAtTurn)
        {
            return 0;
        }
        const std::size_t from = GoesDown(leg) ? worker - 1 : worker + 1;
        const std::int64_t end = m_workers[from].end[leg][m_workers[worker].count[leg]];
        const std::uint32_t chunk = OperationOf(leg, 0).chunk;
        return end == unknownTime ? unknownTime : end + HopBetween(std::min(worker, from), chunk);
    }

    bool CanPut(std::size_t index, std::size_t leg) const
    {
        const WaveBuilder& worker = m_workers[index];
        const std::uint32_t microbatch = worker.count[leg];
        const bool isForward = leg <= forwardUp;
        return microbatch < m_microbatches && InputAt(index, leg) != unknownTime &&
               (leg == forwardDown || worker.end[leg - 1][microbatch] != unknownTime) &&
               (!isForward || worker.held < m_cap);
    }

    void Put(std::size_t index, std::size_t leg)
    {
        m_fits = m_fits && CanPut(index, leg);
        if (!m_fits)
        {
            return;
        }
        WaveBuilder& worker = m_workers[index];
        const Operation operation = OperationOf(leg, worker.count[leg]);
        const std::int64_t start = std::max(worker.free, InputAt(index, leg));
        worker.bubble += worker.count[forwardDown] > 0 ? start - worker.free : 0;
        m_largestBubble = std::max(m_largestBubble, worker.bubble);
        worker.free = start + Cost(index, operation);
        worker.end[leg][worker.count[leg]++] = worker.free;
        worker.order.push_back(operation);
        if (operation.kind == Kind::Forward)
        {
            ++worker.held;
            return;
        }
        worker.weightsLeft.push_back({Kind::WeightGradient, operation.microbatch, operation.chunk});
    }

    void PutWeight(std::size_t index)
    {
        WaveBuilder& worker = m_workers[index];
        const Operation weight = worker.weightsLeft.front();
        worker.weightsLeft.pop_front();
        worker.free += Cost(index, weight);
        --worker.held;
        worker.order.push_back(weight);
    }

    /// Runs the first microbatch down and up. A worker fills the wait with forwards that all
    /// workers above it run too.
    void FirstWave()
    {
        for (std::size_t worker = 0; worker < m_workers.size(); ++worker)
        {
            Put(worker, forwardDown);
        }
        Put(m_workers.size() - 1, forwardUp);
        for (std::size_t index = m_workers.size() - 1; index-- > 0 && m_fits;)
        {
            const std::int64_t input = InputAt(index, forwardUp);
            const WaveBuilder& worker = m_workers[index];
            while (m_fits && worker.held + 2 + 2 * index <= m_cap &&
                   worker.free + Cost(index, OperationOf(forwardDown, 0)) <= input &&
                   worker.count[forwardDown] + index < m_microbatches)
            {
                for (std::size_t above = 0; above <= index; ++above)
                {
                    Put(above, forwardDown);
                }
            }
            Put(index, forwardUp);
        }
    }

    /// Gives every worker as many forwards as the one above it, of the two chunks in turn.
    void EvenOut()
    {
        std::size_t leg = forwardDown;
        for (std::size_t index = 1; index < m_workers.size(); ++index)
        {
            const WaveBuilder& worker = m_workers[index];
            const WaveBuilder& above = m_workers[index - 1];
            while (m_fits && (worker.Forwards() < above.Forwards() ||
                              (worker.count[forwardUp] <= above.count[forwardUp] &&
                               above.count[forwardUp] < m_microbatches)))
            {
                for (std::size_t below = m_workers.size(); below-- > index;)
                {
                    if (m_workers[below].count[leg] < m_microbatches)
                    {
                        Put(below, leg);
                    }
                }
                leg = leg == forwardDown ? forwardUp : forwardDown;
            }
        }
    }

    void RoundOfBackwards()
    {
        std::vector<std::size_t> legs;
        for (std::size_t worker = 0; worker < m_workers.size(); ++worker)
        {
            legs.push_back(BackwardLeg(worker));
        }
        for (std::size_t worker = m_workers.size(); worker-- > 0;)
        {
            if (legs[worker] == backwardUp)
            {
                PutBackward(worker, backwardUp);
            }
        }
        for (std::size_t worker = 0; worker < m_workers.size(); ++worker)
        {
            if (legs[worker] == backwardDown)
            {
                PutBackward(worker, backwardDown);
            }
        }
    }

    std::size_t BackwardLeg(std::size_t index) const
    {
        const WaveBuilder& worker = m_workers[index];
        if (worker.count[backwardUp] >= worker.count[backwardDown])
        {
            return backwardDown;
        }
        const bool isHere = InputAt(index, backwardUp) != unknownTime;
        return isHere || worker.count[backwardDown] >= m_microbatches ? backwardUp : backwardDown;
    }

    void PutBackward(std::size_t index, std::size_t leg)
    {
        const std::int64_t input = InputAt(index, leg);
        FillGap(index, input, leg == backwardUp || m_choices.fillsBeforeBackwards);
        Put(index, leg);
    }

    void RoundOfForwards()
    {
        for (std::size_t index = 0; index < m_workers.size() && m_fits; ++index)
        {
            const auto leg = ForwardLeg(index);
            if (!leg)
            {
                continue;
            }
            WaveBuilder& worker = m_workers[index];
            while (worker.held >= m_cap && !worker.weightsLeft.empty())
            {
                PutWeight(index);
            }
            FillGap(index, InputAt(index, *leg), m_choices.fillsBeforeForwards);
            Put(index, *leg);
        }
    }

    std::optional<std::size_t> ForwardLeg(std::size_t index) const
    {
        const WaveBuilder& worker = m_workers[index];
        if (worker.count[forwardUp] >= m_microbatches)
        {
            return std::nullopt;
        }
        if (worker.count[forwardUp] >= worker.count[forwardDown])
        {
            return forwardDown;
        }
        if (InputAt(index, forwardUp) != unknownTime)
        {
            return forwardUp;
        }
        const bool canGoDown = worker.count[forwardDown] < m_microbatches &&
                               InputAt(index, forwardDown) != unknownTime;
        return canGoDown ? std::optional(forwardDown) : std::nullopt;
    }

    void FillGap(std::size_t index, std::int64_t input, bool fillsSmallGaps)
    {
        WaveBuilder& worker = m_workers[index];
        while (!worker.weightsLeft.empty() &&
               input >= worker.free + Cost(index, worker.weightsLeft.front()))
        {
            PutWeight(index);
        }
        const std::int64_t own = m_choices.allowedBubbles.empty()
                                     ? 0
                                     : m_largestAllowed - m_choices.allowedBubbles[index];
        const std::int64_t allowed = std::max(m_largestBubble, own) - worker.bubble;
        if (!worker.weightsLeft.empty() && fillsSmallGaps && input - worker.free > allowed)
        {
            PutWeight(index);
        }
    }

    const ScheduleRequest& m_request;
    const WaveChoices& m_choices;
    std::uint32_t m_microbatches;
    std::uint32_t m_cap;
    std::vector<WaveBuilder> m_workers;
    std::int64_t m_largestBubble = 0;
    std::int64_t m_largestAllowed = 0;
    bool m_fits = true;
};

} // namespace

std::optional<WaveSchedule>
ScheduleInWaves(const ScheduleRequest& request, std::uint32_t cap, const WaveChoices& choices)
{
    return Waves(request, cap, choices).Build();
}

} // namespace geotrain
