// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/zero-bubble-rounds.h"

#include "schedule/cap-ladder.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

/// RoundsBuilder is a worker as the rounds build its order. Times are nanoseconds.
struct RoundsBuilder
{
    std::int64_t forward = 0;
    std::int64_t backward = 0;
    std::int64_t weight = 0;
    std::uint32_t forwards = 0;
    std::uint32_t backwards = 0;
    std::uint32_t weights = 0;
    std::int64_t end = 0;
    std::int64_t bubble = 0;              ///< since its first forward
    std::vector<std::int64_t> forwardEnd; ///< by microbatch
    std::vector<std::int64_t> backwardEnd;
    StageOrder order;

    /// Returns the activations held, in halves.
    std::uint32_t Halves(std::uint32_t kept) const
    {
        return 2 * forwards - (2 - kept) * backwards - kept * weights;
    }

    bool HasWeight() const
    {
        return weights < backwards;
    }
};

class Rounds
{
  public:
    Rounds(const ScheduleRequest& request,
           std::uint32_t cap,
           HeldForWeights held,
           const RoundChoices& choices)
        : m_choices(choices),
          m_microbatches(request.microbatches),
          m_cap(cap),
          m_kept(static_cast<std::uint32_t>(held)),
          m_workers(request.stages)
    {
        for (std::uint32_t stage = 0; stage < request.stages; ++stage)
        {
            const StageTiming timing = request.times.Stage(stage);
            m_workers[stage].forward = timing.forward.ToNanoseconds();
            m_workers[stage].backward = (timing.recompute + timing.backwardInput).ToNanoseconds();
            m_workers[stage].weight = timing.backwardWeight.ToNanoseconds();
            m_hops.push_back(stage + 1 < request.stages
                                 ? request.times.HopAfter(stage).Total().ToNanoseconds()
                                 : 0);
        }
    }

    std::optional<ScheduleOrder> Build()
    {
        WarmUp();
        for (std::uint32_t round = 1; round < m_microbatches && m_fits; ++round)
        {
            RoundOfForwards();
            RoundOfBackwards();
        }
        if (!m_fits)
        {
            return std::nullopt;
        }
        ScheduleOrder schedule;
        for (std::size_t worker = 0; worker < m_workers.size(); ++worker)
        {
            while (m_workers[worker].HasWeight())
            {
                Put(worker, Kind::WeightGradient);
            }
            schedule.stages.push_back(std::move(m_workers[worker].order));
            schedule.activationCap.push_back(m_cap);
        }
        return schedule;
    }

  private:
    /// Returns when the input of the worker's next forward or backward is here; 0 where it needs
    /// none.
    std::int64_t InputAt(std::size_t worker, Kind kind) const
    {
        if (kind == Kind::Forward && worker > 0)
        {
            return m_workers[worker - 1].forwardEnd[m_workers[worker].forwards] +
                   m_hops[worker - 1];
        }
        if (kind == Kind::Backward && worker + 1 < m_workers.size())
        {
            return m_workers[worker + 1].backwardEnd[m_workers[worker].backwards] + m_hops[worker];
        }
        return 0;
    }

    void Put(std::size_t index, Kind kind)
    {
        RoundsBuilder& worker = m_workers[index];
        const std::int64_t start = std::max(worker.end, InputAt(index, kind));
        worker.bubble += worker.forwards > 0 ? start - worker.end : 0;
        switch (kind)
        {
        case Kind::Forward:
            worker.end = start + worker.forward;
            worker.forwardEnd.push_back(worker.end);
            worker.order.push_back({kind, worker.forwards++});
            break;
        case Kind::Backward:
            worker.end = start + worker.backward;
            worker.backwardEnd.push_back(worker.end);
            worker.order.push_back({kind, worker.backwards++});
            break;
        default:
            worker.end = start + worker.weight;
            worker.order.push_back({kind, worker.weights++});
            break;
        }
        m_largestBubble = std::max(m_largestBubble, worker.bubble);
    }

    void WarmUp()
    {
        for (std::size_t worker = 0; worker < m_workers.size(); ++worker)
        {
            Put(worker, Kind::Forward);
        }
        const auto extra = m_choices.warmUp.empty() ? ExtraForwards() : GivenForwards();
        for (std::size_t worker = 0; worker < m_workers.size(); ++worker)
        {
            for (std::uint32_t count = 0; count < extra[worker]; ++count)
            {
                Put(worker, Kind::Forward);
            }
        }
        for (std::size_t worker = m_workers.size(); worker-- > 0;)
        {
            Put(worker, Kind::Backward);
        }
    }

    /// Returns by worker the forwards beyond the first that end before its first backward can
    /// start, or, by choice, start before it. Each worker runs more of them than the next, or it
    /// would wait for them.
    std::vector<std::uint32_t> ExtraForwards() const
    {
        std::vector<std::uint32_t> extra(m_workers.size(), 0);
        std::int64_t gradientAt = m_workers.back().forwardEnd.front() + m_workers.back().backward;
        for (std::size_t index = m_workers.size() - 1; index-- > 0;)
        {
            const RoundsBuilder& worker = m_workers[index];
            gradientAt += m_hops[index];
            std::int64_t end = worker.end;
            while (1 + extra[index] < std::min(m_microbatches, m_cap) &&
                   (m_choices.forwardMayDelayFirstBackward ? end < gradientAt
                                                           : end + worker.forward <= gradientAt))
            {
                end += worker.forward;
                ++extra[index];
            }
            gradientAt = std::max(end, gradientAt) + worker.backward;
        }
        for (std::size_t index = 1; index < m_workers.size(); ++index)
        {
            if (extra[index] > 0 && extra[index] >= extra[index - 1] &&
                1 + extra[index] < m_microbatches)
            {
                extra[index] = extra[index - 1] > 0 ? extra[index - 1] - 1 : 0;
            }
        }
        return extra;
    }

    std::vector<std::uint32_t> GivenForwards() const
    {
        std::vector<std::uint32_t> extra;
        for (const std::uint32_t forwards : m_choices.warmUp)
        {
            extra.push_back(std::min({forwards, m_cap, m_microbatches}) - 1);
        }
        return extra;
    }

    void RoundOfForwards()
    {
        std::vector<bool> runs(m_workers.size(), false);
        for (std::size_t worker = 0; worker < m_workers.size(); ++worker)
        {
            runs[worker] = m_workers[worker].forwards < m_microbatches && IsForwardUseful(worker);
        }
        for (std::size_t worker = m_workers.size() - 1; worker-- > 0;)
        {
            runs[worker] = runs[worker] &&
                           (runs[worker + 1] || m_workers[worker + 1].forwards >= m_microbatches);
        }
        for (std::size_t worker = 0; worker < m_workers.size() && m_fits; ++worker)
        {
            if (runs[worker])
            {
                MakeRoom(worker);
                FillGap(worker, Kind::Forward);
                PutIfFits(worker);
            }
        }
    }

    /// Returns whether a forward is useful. With backwards preferred it is not where the next
    /// worker has forwards enough and could be given a gradient first.
    bool IsForwardUseful(std::size_t index) const
    {
        if (!m_choices.prefersBackward || index + 1 == m_workers.size() ||
            m_workers[index].forwards < m_workers[index + 1].forwards + 2)
        {
            return true;
        }
        const RoundsBuilder& worker = m_workers[index];
        const RoundsBuilder& next = m_workers[index + 1];
        const std::int64_t gradientAt = next.end + next.forward + next.backward + m_hops[index];
        if (worker.end >= gradientAt)
        {
            return false;
        }
        const std::uint32_t halves = worker.Halves(m_kept) + 2;
        const std::uint32_t over =
            halves > 2 * m_cap ? (halves - 2 * m_cap + m_kept - 1) / m_kept : 0;
        const std::int64_t weights =
            worker.weight * std::min(over, worker.backwards - worker.weights);
        return worker.end + worker.forward + weights <= gradientAt ||
               gradientAt - worker.end > m_largestBubble - worker.bubble;
    }

    void RoundOfBackwards()
    {
        for (std::size_t worker = m_workers.size(); worker-- > 0;)
        {
            FillGap(worker, Kind::Backward);
            while (worker == 0 && m_workers[0].forwards == m_microbatches &&
                   m_workers[0].HasWeight())
            {
                Put(0, Kind::WeightGradient);
            }
            Put(worker, Kind::Backward);
        }
    }

    bool HasRoom(std::size_t worker) const
    {
        return m_workers[worker].Halves(m_kept) + 2 <= 2 * m_cap;
    }

    void MakeRoom(std::size_t worker)
    {
        while (!HasRoom(worker) && m_workers[worker].HasWeight())
        {
            Put(worker, Kind::WeightGradient);
        }
    }

    void PutIfFits(std::size_t worker)
    {
        m_fits = HasRoom(worker);
        if (m_fits)
        {
            Put(worker, Kind::Forward);
        }
    }

    void FillGap(std::size_t index, Kind kind)
    {
        RoundsBuilder& worker = m_workers[index];
        const std::int64_t input = InputAt(index, kind);
        while (worker.HasWeight() && worker.end + worker.weight <= input)
        {
            Put(index, Kind::WeightGradient);
        }
        const std::int64_t gap = input - worker.end;
        if (worker.HasWeight() && gap > 0 &&
            (gap > m_largestBubble - worker.bubble || m_choices.fillsSmallGaps))
        {
            Put(index, Kind::WeightGradient);
        }
    }

    RoundChoices m_choices;
    std::uint32_t m_microbatches;
    std::uint32_t m_cap;
    std::uint32_t m_kept; ///< halves of an activation between a backward and its weight gradient
    std::vector<RoundsBuilder> m_workers;
    std::vector<std::int64_t> m_hops; ///< ns, by the lower worker
    std::int64_t m_largestBubble = 0;
    bool m_fits = true;
};

} // namespace

std::uint32_t
LadderPart(const ScheduleRequest& request)
{
    return TakesTurns(request) ? 8 : 4;
}

OrderSearch::Goal
GoalOfZeroBubble(const ScheduleRequest& request)
{
    return TakesTurns(request) ? OrderSearch::Goal::Makespan : OrderSearch::Goal::Span;
}

std::optional<ScheduleOrder>
ScheduleInRounds(const ScheduleRequest& request,
                 std::uint32_t cap,
                 HeldForWeights held,
                 const RoundChoices& choices)
{
    return Rounds(request, cap, held, choices).Build();
}

void
ConsiderRounds(OrderSearch& search,
               const ScheduleRequest& request,
               std::uint32_t cap,
               HeldForWeights held)
{
    std::vector<std::uint32_t> limits{cap, cap - cap / 8, cap - cap / 4, cap - cap / 2};
    for (const std::uint32_t rung : CapLadder(cap, request.stages, LadderPart(request)))
    {
        if (std::count(limits.begin(), limits.end(), rung) == 0)
        {
            limits.push_back(rung);
        }
    }
    for (const std::uint32_t limit : limits)
    {
        for (unsigned choice = 0; choice < 8; ++choice)
        {
            search.Consider(
                [=](const ScheduleRequest& asked)
                {
                    auto order =
                        ScheduleInRounds(asked,
                                         limit,
                                         held,
                                         {(choice & 4) != 0, (choice & 2) != 0, (choice & 1) != 0});
                    if (order)
                    {
                        order->activationCap.assign(asked.stages, cap);
                    }
                    return order;
                });
        }
    }
}

} // namespace geotrain
