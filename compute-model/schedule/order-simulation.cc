// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/order-simulation.h"

#include "schedule/checked-order.h"
#include "schedule/message-way.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

/// A PipelineMessage is an activation, of a Forward, or a gradient, of a Backward, that is ready to be
/// sent.
struct PipelineMessage
{
    std::int64_t at = 0; ///< ns
    std::uint32_t pipeline = 0;
    std::uint32_t stage = 0; ///< of the sender
    std::uint32_t microbatch = 0;
    Kind kind = Kind::Forward;

    /// Returns whether it is ready later, ties by pipeline, stage and microbatch.
    bool operator>(const PipelineMessage& other) const
    {
        return std::tie(at, pipeline, stage, microbatch) >
               std::tie(other.at, other.pipeline, other.stage, other.microbatch);
    }
};

class Simulation
{
  public:
    Simulation(const ScheduleOrder& order,
               std::uint32_t microbatches,
               const ScheduleTimes& times,
               std::uint32_t pipelines)
        : m_homes(HomesOf(order)),
          m_checked(order, microbatches, pipelines),
          m_microbatches(microbatches),
          m_stages(order.StageCount()),
          m_perPipeline(m_checked.PerPipeline()),
          m_arrival(std::size_t{2} * m_stages * microbatches * pipelines, unknownTime),
          m_position(std::size_t{m_perPipeline} * pipelines, 0),
          m_free(std::size_t{m_perPipeline} * pipelines, 0),
          m_isInTime(pipelines > 1),
          m_down(m_position.size()),
          m_up(m_position.size())
    {
        for (std::uint32_t stage = 0; stage + 1 < m_stages; ++stage)
        {
            const bool isCrossed = m_homes[stage].worker != m_homes[stage + 1].worker;
            m_hops.push_back(isCrossed ? times.HopAfter(stage) : Hop());
        }
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

  private:
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

    /// Sends a message. Where pipelines share ways, messages are sent in the order in which they are
    /// ready; otherwise by their dependencies.
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

    /// Carries a message, which waits until the one before it, from its worker to the same other one,
    /// has left the way. Returns its receiver.
    std::uint32_t Carry(const PipelineMessage& message)
    {
        const bool goesDown = message.kind == Kind::Forward;
        const Hop& hop = m_hops[goesDown ? message.stage : message.stage - 1];
        const std::uint32_t from = m_homes[message.stage].worker;
        const std::uint32_t to = m_homes[goesDown ? message.stage + 1 : message.stage - 1].worker;
        // Wraps where a pipeline's last worker sends to its first one.
        const bool toNext = to == from + 1 || (to < from && to + 1 != from);
        const std::size_t pipeline = hop.takesTurns ? 0 : message.pipeline;
        MessageWay& way = (toNext ? m_down : m_up)[pipeline * m_perPipeline + (toNext ? from : to)];
        ArrivalOf(message.pipeline, message.kind, message.stage, message.microbatch) =
            way.Carry(message.at, hop);
        return message.pipeline * m_perPipeline + to;
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

    std::vector<StageHome> m_homes;
    std::vector<Hop> m_hops; ///< by the lower stage
    CheckedOrder m_checked;
    std::uint32_t m_microbatches;
    std::uint32_t m_stages;      ///< virtual stages of a pipeline
    std::uint32_t m_perPipeline; ///< workers of a pipeline
    std::vector<StageTiming> m_timing;
    std::vector<std::int64_t> m_arrival; ///< ns, of a forward's or backward's message
    std::vector<std::size_t> m_position;
    std::vector<std::int64_t> m_free; ///< ns, by worker
    bool m_isInTime;                  ///< messages are carried in the order of their times
    /// From each worker to the next one, by pipeline; turns are taken on pipeline 0's.
    std::vector<MessageWay> m_down;
    std::vector<MessageWay> m_up; ///< likewise, to each worker from the next one
    std::vector<std::uint32_t> m_toAdvance;
    /// Messages to carry where m_isInTime, the first that is ready first.
    std::
        priority_queue<PipelineMessage, std::vector<PipelineMessage>, std::greater<PipelineMessage>>
            m_ready;
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
