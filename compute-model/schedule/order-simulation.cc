// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/order-simulation.h"

#include "schedule/checked-order.h"
#include "schedule/pipeline-ways.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

class Simulation
{
  public:
    Simulation(const ScheduleOrder& order,
               std::uint32_t microbatches,
               const ScheduleTimes& times,
               std::uint32_t pipelines)
        : m_ways(order, times, pipelines),
          m_checked(order, microbatches, pipelines),
          m_microbatches(microbatches),
          m_stages(order.StageCount()),
          m_perPipeline(m_checked.PerPipeline()),
          m_arrival(std::size_t{2} * m_stages * microbatches * pipelines, unknownTime),
          m_position(std::size_t{m_perPipeline} * pipelines, 0),
          m_free(std::size_t{m_perPipeline} * pipelines, 0),
          m_isInTime(pipelines > 1 || m_ways.AreShared())
    {
        for (std::uint32_t stage = 0; stage < m_stages; ++stage)
        {
            m_timing.push_back(times.Stage(stage));
            if (order.keepsLastActivations && stage + 1 == m_stages)
            {
                m_timing.back().recompute = Duration();
            }
        }
    }

    OrderTimeline Run()
    {
        m_timeline.spans.resize(m_position.size());
        for (std::uint32_t worker = 0; worker < m_position.size(); ++worker)
        {
            m_timeline.spans[worker].resize(m_checked.OrderOf(worker).size());
            m_toAdvance.push_back(worker);
        }
        AdvanceAll();
        while (!m_ready.empty())
        {
            const PipelineMessage message = m_ready.top();
            m_ready.pop();
            m_toAdvance.push_back(Carry(message));
            AdvanceAll();
        }
        RefuseDeadlock();
        return std::move(m_timeline);
    }

    /// Does the same for workers that deviate from the order, as a run's do (execution/run-ahead.h).
    OrderTimeline RunWithDeviations(const std::vector<std::uint32_t>& activationCap)
    {
        m_isInTime = true;
        m_deviators.resize(m_position.size());
        m_timeline.spans.resize(m_position.size());
        for (std::uint32_t worker = 0; worker < m_position.size(); ++worker)
        {
            const std::size_t operations = m_checked.OrderOf(worker).size();
            m_timeline.spans[worker].resize(operations);
            m_deviators[worker].done.assign(operations, false);
            m_deviators[worker].cap = activationCap[worker % m_perPipeline];
            m_wakes.emplace(0, worker);
        }
        while (!m_wakes.empty() || !m_ready.empty())
        {
            if (!m_wakes.empty() && (m_ready.empty() || m_wakes.top().first <= m_ready.top().at))
            {
                const auto [now, worker] = m_wakes.top();
                m_wakes.pop();
                Dispatch(worker, now);
                continue;
            }
            const PipelineMessage message = m_ready.top();
            m_ready.pop();
            const std::uint32_t receiver = Carry(message);
            m_wakes.emplace(
                ArrivalOf(message.pipeline, message.kind, message.stage, message.microbatch),
                receiver);
        }
        RefuseDeadlock();
        return std::move(m_timeline);
    }

  private:
    using Wake = std::pair<std::int64_t, std::uint32_t>;

    /// A Deviator is a worker that may run another operation than the next one of its order.
    struct Deviator
    {
        std::vector<bool> done; ///< by position
        std::uint32_t cap = 0;
        std::uint32_t held = 0;                ///< activations
        std::size_t nextForward = 0;           ///< no forward ahead of this position is left
        bool hasRecomputed = false;            ///< its last operation was a recomputation
        std::int64_t firstStart = unknownTime; ///< ns
    };

    std::int64_t&
    ArrivalOf(std::uint32_t pipeline, Kind kind, std::uint32_t stage, std::uint32_t microbatch)
    {
        const std::size_t ofKind = std::size_t{2} * pipeline + static_cast<std::size_t>(kind);
        return m_arrival[(ofKind * m_stages + stage) * m_microbatches + microbatch];
    }

    /// Returns when the operation's input from another stage is here, or `unknownTime`.
    std::int64_t InputAt(std::uint32_t worker, const Operation& operation)
    {
        const std::uint32_t stage = m_checked.StageOf(worker, operation);
        const bool comesDown = operation.kind == Kind::Forward && stage > 0;
        const bool comesUp = operation.kind == Kind::Backward && stage + 1 < m_stages;
        if (!comesDown && !comesUp)
        {
            return 0;
        }
        const std::uint32_t from = comesDown ? stage - 1 : stage + 1;
        return ArrivalOf(m_checked.PipelineOf(worker), operation.kind, from, operation.microbatch);
    }

    std::int64_t Cost(std::uint32_t worker, const Operation& operation) const
    {
        const std::uint32_t stage = m_checked.StageOf(worker, operation);
        const std::uint32_t pipeline = m_checked.PipelineOf(worker);
        const StageTiming& timing = m_timing[stage];
        switch (operation.kind)
        {
        case Kind::Forward:
            return timing.forward.ToNanoseconds();
        case Kind::WeightGradient:
            return timing.backwardWeight.ToNanoseconds();
        case Kind::Recompute:
            return timing.recompute.ToNanoseconds();
        case Kind::Backward:
            break;
        }
        std::int64_t cost = timing.backwardInput.ToNanoseconds();
        cost += m_checked.Comes(pipeline, Kind::WeightGradient, stage, operation.microbatch)
                    ? 0
                    : timing.backwardWeight.ToNanoseconds();
        cost += m_checked.Comes(pipeline, Kind::Recompute, stage, operation.microbatch)
                    ? 0
                    : timing.recompute.ToNanoseconds();
        return cost;
    }

    void AdvanceAll()
    {
        while (!m_toAdvance.empty())
        {
            const std::uint32_t worker = m_toAdvance.back();
            m_toAdvance.pop_back();
            Advance(worker);
        }
    }

    void Advance(std::uint32_t worker)
    {
        const StageOrder& order = m_checked.OrderOf(worker);
        for (std::size_t& position = m_position[worker]; position < order.size(); ++position)
        {
            const Operation& operation = order[position];
            std::int64_t input = InputAt(worker, operation);
            if (input != unknownTime && operation.overlapsNext && position + 1 < order.size())
            {
                const std::int64_t nextInput = InputAt(worker, order[position + 1]);
                input = nextInput == unknownTime ? unknownTime : std::max(input, nextInput);
            }
            if (input == unknownTime)
            {
                return;
            }
            const std::int64_t start = std::max(m_free[worker], input);
            m_free[worker] = start + Cost(worker, operation);
            m_timeline.spans[worker][position] = {Duration::Nanoseconds(start),
                                                  Duration::Nanoseconds(m_free[worker])};
            Send(worker, operation);
        }
    }

    bool IsHere(std::uint32_t worker, const Operation& operation, std::int64_t now)
    {
        const std::int64_t input = InputAt(worker, operation);
        return input != unknownTime && input <= now;
    }

    /// Returns whether a worker is about to recompute for a gradient that is late.
    bool IsLate(std::uint32_t worker, const Operation& operation, std::int64_t now)
    {
        const Deviator& deviator = m_deviators[worker];
        const Operation backward{Kind::Backward, operation.microbatch, operation.chunk};
        return operation.kind == Kind::Recompute && deviator.firstStart != unknownTime &&
               now > deviator.firstStart + operation.gradientExpected.ToNanoseconds() &&
               !IsHere(worker, backward, now);
    }

    /// Returns the position of the next forward, if its input is here and the worker may hold it.
    std::optional<std::size_t> ForwardAhead(std::uint32_t worker, std::int64_t now)
    {
        const StageOrder& order = m_checked.OrderOf(worker);
        Deviator& deviator = m_deviators[worker];
        std::size_t& next = deviator.nextForward;
        while (next < order.size() && (deviator.done[next] || order[next].kind != Kind::Forward))
        {
            ++next;
        }
        const bool mayRun = next < order.size() && !deviator.hasRecomputed &&
                            deviator.held < deviator.cap && IsHere(worker, order[next], now);
        return mayRun ? std::optional(next) : std::nullopt;
    }

    /// Runs what a worker runs at `now`, if it is free and has something to run.
    void Dispatch(std::uint32_t worker, std::int64_t now)
    {
        const StageOrder& order = m_checked.OrderOf(worker);
        Deviator& deviator = m_deviators[worker];
        std::size_t& next = m_position[worker];
        while (next < order.size() && deviator.done[next])
        {
            ++next;
        }
        if (m_free[worker] > now || next == order.size())
        {
            return;
        }
        const bool isHere = IsHere(worker, order[next], now);
        std::optional<std::size_t> position;
        if (!isHere || IsLate(worker, order[next], now))
        {
            position = ForwardAhead(worker, now);
        }
        if (!position && !isHere)
        {
            return;
        }
        RunAt(now, worker, position.value_or(next));
    }

    void RunAt(std::int64_t now, std::uint32_t worker, std::size_t position)
    {
        const Operation& operation = m_checked.OrderOf(worker)[position];
        Deviator& deviator = m_deviators[worker];
        deviator.firstStart = deviator.firstStart == unknownTime ? now : deviator.firstStart;
        deviator.done[position] = true;
        deviator.hasRecomputed = operation.kind == Kind::Recompute;
        deviator.held += operation.kind == Kind::Forward ? 1 : 0;
        deviator.held -= operation.kind == Kind::Backward ? 1 : 0;
        m_free[worker] = now + Cost(worker, operation);
        m_timeline.spans[worker][position] = {Duration::Nanoseconds(now),
                                              Duration::Nanoseconds(m_free[worker])};
        Send(worker, operation);
        m_wakes.emplace(m_free[worker], worker);
    }

    /// Sends a message. Where messages of several workers share ways or nodes, they are sent in the
    /// order in which they are ready; otherwise by their dependencies.
    void Send(std::uint32_t worker, const Operation& operation)
    {
        const std::uint32_t stage = m_checked.StageOf(worker, operation);
        const bool goesDown = operation.kind == Kind::Forward && stage + 1 < m_stages;
        const bool goesUp = operation.kind == Kind::Backward && stage > 0;
        if (!goesDown && !goesUp)
        {
            return;
        }
        const PipelineMessage message{m_free[worker],
                                      m_checked.PipelineOf(worker),
                                      stage,
                                      operation.microbatch,
                                      operation.kind};
        if (m_isInTime)
        {
            m_ready.push(message);
        }
        else
        {
            m_toAdvance.push_back(Carry(message));
        }
    }

    /// Carries a message, and returns its receiver.
    std::uint32_t Carry(const PipelineMessage& message)
    {
        ArrivalOf(message.pipeline, message.kind, message.stage, message.microbatch) =
            m_ways.Carry(message);
        return m_ways.ReceiverOf(message);
    }

    void RefuseDeadlock() const
    {
        for (std::uint32_t worker = 0; worker < m_position.size(); ++worker)
        {
            const StageOrder& order = m_checked.OrderOf(worker);
            if (m_position[worker] == order.size())
            {
                continue;
            }
            const Operation& operation = order[m_position[worker]];
            const std::uint32_t stage = m_checked.StageOf(worker, operation);
            const std::uint32_t from = operation.kind == Kind::Forward ? stage - 1 : stage + 1;
            m_checked.Refuse(worker,
                             operation,
                             "waits for ever for " +
                                 NameOf({operation.kind, operation.microbatch}, from) +
                                 ": the workers wait for each other");
        }
    }

    PipelineWays m_ways;
    CheckedOrder m_checked;
    std::uint32_t m_microbatches;
    std::uint32_t m_stages;      ///< virtual stages of a pipeline
    std::uint32_t m_perPipeline; ///< workers of a pipeline
    std::vector<StageTiming> m_timing;
    std::vector<std::int64_t> m_arrival; ///< ns, of a forward's or backward's message
    std::vector<std::size_t> m_position;
    std::vector<std::int64_t> m_free; ///< ns, by worker
    bool m_isInTime;                  ///< messages are carried in the order of their times
    std::vector<std::uint32_t> m_toAdvance;
    /// Messages to carry where m_isInTime, the first that is ready first.
    std::
        priority_queue<PipelineMessage, std::vector<PipelineMessage>, std::greater<PipelineMessage>>
            m_ready;
    std::vector<Deviator> m_deviators; ///< by worker; empty: all keep to the order
    /// When workers may have something to run, in ns, the first one first.
    std::priority_queue<Wake, std::vector<Wake>, std::greater<Wake>> m_wakes;
    OrderTimeline m_timeline;
};

} // namespace

OrderTimeline
SimulateOrder(const ScheduleOrder& order, std::uint32_t microbatches, const ScheduleTimes& times)
{
    return Simulation(order, microbatches, times, 1).Run();
}

OrderTimeline
SimulateOrder(const ScheduleOrder& order, const ScheduleRequest& request)
{
    const std::uint32_t pipelines = TakesTurns(request) ? request.cellSize : 1;
    return Simulation(order, request.microbatches, request.times, pipelines).Run();
}

OrderTimeline
SimulateDeviations(const ScheduleOrder& order, const ScheduleRequest& request)
{
    if (!order.deviates)
    {
        return SimulateOrder(order, request);
    }
    const std::uint32_t pipelines = TakesTurns(request) ? request.cellSize : 1;
    return Simulation(order, request.microbatches, request.times, pipelines)
        .RunWithDeviations(order.activationCap);
}

std::uint32_t
OrderTimeline::LongestWorker() const
{
    std::uint32_t longest = 0;
    Duration most;
    for (std::uint32_t worker = 0; worker < spans.size(); ++worker)
    {
        if (!spans[worker].empty() && spans[worker].back().end - spans[worker].front().start > most)
        {
            longest = worker;
            most = spans[worker].back().end - spans[worker].front().start;
        }
    }
    return longest;
}

Duration
OrderTimeline::LongestSpan() const
{
    const auto& longest = spans.at(LongestWorker());
    return longest.empty() ? Duration() : longest.back().end - longest.front().start;
}

Duration
OrderTimeline::Makespan() const
{
    Duration last;
    for (const auto& worker : spans)
    {
        last = worker.empty() ? last : std::max(last, worker.back().end);
    }
    return last;
}

double
BubbleRate(Duration cost, Duration work)
{
    return static_cast<double>((cost - work).ToNanoseconds()) /
           static_cast<double>(cost.ToNanoseconds());
}

} // namespace geotrain
