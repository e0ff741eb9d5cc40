// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/order-simulation.h"

#include "schedule/way.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

const char*
NameOf(Kind kind)
{
    switch (kind)
    {
    case Kind::Forward:
        return "forward";
    case Kind::Backward:
        return "backward";
    case Kind::WeightGradient:
        return "weight gradient";
    case Kind::Recompute:
        return "recomputation";
    }
    return "";
}

class Simulation
{
  public:
    Simulation(const ScheduleOrder& order, std::uint32_t microbatches, const ScheduleTimes& times)
        : m_order(order),
          m_microbatches(microbatches),
          m_stages(order.StageCount()),
          m_homes(HomesOf(order)),
          m_arrival(std::size_t{2} * m_stages * microbatches, unknownTime),
          m_comes(std::size_t{4} * m_stages * microbatches, false),
          m_position(order.stages.size(), 0),
          m_down(m_stages),
          m_up(m_stages),
          m_free(order.stages.size(), 0)
    {
        for (std::uint32_t stage = 0; stage < m_stages; ++stage)
        {
            m_timing.push_back(times.Stage(stage));
            if (order.keepsLastActivations && stage + 1 == m_stages)
            {
                m_timing.back().recompute = Duration();
            }
            const bool isCrossed =
                stage + 1 < m_stages && m_homes[stage].worker != m_homes[stage + 1].worker;
            m_hop.push_back(isCrossed ? times.HopAfter(stage) : Hop());
        }
    }

    OrderTimeline Run()
    {
        CheckOperations();
        m_timeline.spans.resize(m_order.stages.size());
        for (std::uint32_t worker = 0; worker < m_order.stages.size(); ++worker)
        {
            m_timeline.spans[worker].resize(m_order.stages[worker].size());
            m_toAdvance.push_back(worker);
        }
        while (!m_toAdvance.empty())
        {
            const std::uint32_t worker = m_toAdvance.back();
            m_toAdvance.pop_back();
            Advance(worker);
        }
        RefuseDeadlock();
        return std::move(m_timeline);
    }

  private:
    std::size_t Index(Kind kind, std::uint32_t stage, std::uint32_t microbatch) const
    {
        return (static_cast<std::size_t>(kind) * m_stages + stage) * m_microbatches + microbatch;
    }

    std::size_t Index(const Operation& operation, std::uint32_t worker) const
    {
        return Index(
            operation.kind, m_order.StageOf(worker, operation.chunk), operation.microbatch);
    }

    void CheckOperations()
    {
        for (std::uint32_t worker = 0; worker < m_order.stages.size(); ++worker)
        {
            const std::size_t chunks =
                m_order.stagesOfWorker.empty() ? 1 : m_order.stagesOfWorker[worker].size();
            for (const Operation& operation : m_order.stages[worker])
            {
                if (operation.chunk >= chunks || operation.microbatch >= m_microbatches)
                {
                    Refuse(worker, operation, "names a stage or microbatch that does not exist");
                }
                const std::size_t index = Index(operation, worker);
                if (m_comes[index])
                {
                    Refuse(worker, operation, "comes twice");
                }
                CheckOwnInputs(worker, operation);
                m_comes[index] = true;
            }
        }
        CheckComplete();
    }

    /// Checks that a worker's own order has the forward before the backward, and that before the
    /// weight gradient.
    void CheckOwnInputs(std::uint32_t worker, const Operation& operation) const
    {
        Operation before = operation;
        if (operation.kind == Kind::Forward)
        {
            return;
        }
        before.kind = operation.kind == Kind::WeightGradient ? Kind::Backward : Kind::Forward;
        if (!m_comes[Index(before, worker)])
        {
            Refuse(worker,
                   operation,
                   "comes before " +
                       geotrain::NameOf(before, m_order.StageOf(worker, before.chunk)) +
                       ", which it depends on");
        }
        Operation after = operation;
        after.kind = Kind::Backward;
        if (operation.kind == Kind::Recompute && m_comes[Index(after, worker)])
        {
            Refuse(worker, operation, "comes after its backward");
        }
    }

    void CheckComplete() const
    {
        for (const Kind kind : {Kind::Forward, Kind::Backward})
        {
            for (std::uint32_t stage = 0; stage < m_stages; ++stage)
            {
                for (std::uint32_t microbatch = 0; microbatch < m_microbatches; ++microbatch)
                {
                    if (!m_comes[Index(kind, stage, microbatch)])
                    {
                        throw std::invalid_argument(geotrain::NameOf({kind, microbatch}, stage) +
                                                    " is missing");
                    }
                }
            }
        }
    }

    [[noreturn]] void
    Refuse(std::uint32_t worker, const Operation& operation, const std::string& rule) const
    {
        const std::uint32_t stage =
            operation.chunk <
                    (m_order.stagesOfWorker.empty() ? 1 : m_order.stagesOfWorker[worker].size())
                ? m_order.StageOf(worker, operation.chunk)
                : operation.chunk;
        throw std::invalid_argument("worker " + std::to_string(worker) + ": " +
                                    geotrain::NameOf(operation, stage) + " " + rule);
    }

    /// Returns when the operation's input from another stage is here, or `unknownTime`.
    std::int64_t InputAt(Kind kind, std::uint32_t stage, std::uint32_t microbatch) const
    {
        const bool comesDown = kind == Kind::Forward && stage > 0;
        const bool comesUp = kind == Kind::Backward && stage + 1 < m_stages;
        if (!comesDown && !comesUp)
        {
            return 0;
        }
        const std::uint32_t from = comesDown ? stage - 1 : stage + 1;
        return m_arrival[Index(kind, from, microbatch)];
    }

    std::int64_t Cost(const Operation& operation, std::uint32_t stage) const
    {
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
        cost += m_comes[Index(Kind::WeightGradient, stage, operation.microbatch)]
                    ? 0
                    : timing.backwardWeight.ToNanoseconds();
        cost += m_comes[Index(Kind::Recompute, stage, operation.microbatch)]
                    ? 0
                    : timing.recompute.ToNanoseconds();
        return cost;
    }

    void Advance(std::uint32_t worker)
    {
        const StageOrder& order = m_order.stages[worker];
        for (std::size_t& position = m_position[worker]; position < order.size(); ++position)
        {
            const Operation& operation = order[position];
            const std::uint32_t stage = m_order.StageOf(worker, operation.chunk);
            std::int64_t input = InputAt(operation.kind, stage, operation.microbatch);
            if (input != unknownTime && operation.overlapsNext && position + 1 < order.size())
            {
                const Operation& next = order[position + 1];
                const std::int64_t nextInput =
                    InputAt(next.kind, m_order.StageOf(worker, next.chunk), next.microbatch);
                input = nextInput == unknownTime ? unknownTime : std::max(input, nextInput);
            }
            if (input == unknownTime)
            {
                return;
            }
            const std::int64_t start = std::max(m_free[worker], input);
            m_free[worker] = start + Cost(operation, stage);
            m_timeline.spans[worker][position] = {Duration::Nanoseconds(start),
                                                  Duration::Nanoseconds(m_free[worker])};
            Send(operation, stage, m_free[worker]);
        }
    }

    /// Sends a message, which waits until the one before it, on its boundary and in its direction,
    /// has left the way.
    void Send(const Operation& operation, std::uint32_t stage, std::int64_t end)
    {
        const bool goesDown = operation.kind == Kind::Forward && stage + 1 < m_stages;
        const bool goesUp = operation.kind == Kind::Backward && stage > 0;
        if (!goesDown && !goesUp)
        {
            return;
        }
        const std::uint32_t boundary = goesDown ? stage : stage - 1;
        Way& way = goesDown ? m_down[boundary] : m_up[boundary];
        m_arrival[Index(operation.kind, stage, operation.microbatch)] =
            way.Carry(end, m_hop[boundary]);
        m_toAdvance.push_back(m_homes[goesDown ? stage + 1 : stage - 1].worker);
    }

    void RefuseDeadlock() const
    {
        for (std::uint32_t worker = 0; worker < m_order.stages.size(); ++worker)
        {
            if (m_position[worker] == m_order.stages[worker].size())
            {
                continue;
            }
            const Operation& operation = m_order.stages[worker][m_position[worker]];
            const std::uint32_t stage = m_order.StageOf(worker, operation.chunk);
            const std::uint32_t from = operation.kind == Kind::Forward ? stage - 1 : stage + 1;
            Refuse(worker,
                   operation,
                   "waits for ever for " +
                       geotrain::NameOf({operation.kind, operation.microbatch}, from) +
                       ": the workers wait for each other");
        }
    }

    const ScheduleOrder& m_order;
    std::uint32_t m_microbatches;
    std::uint32_t m_stages;
    std::vector<StageHome> m_homes;
    std::vector<StageTiming> m_timing;
    std::vector<Hop> m_hop;              ///< by the lower stage
    std::vector<std::int64_t> m_arrival; ///< ns, of a forward's or backward's message
    std::vector<bool> m_comes;
    std::vector<std::size_t> m_position;
    std::vector<Way> m_down;          ///< by boundary
    std::vector<Way> m_up;            ///< by boundary
    std::vector<std::int64_t> m_free; ///< ns, by worker
    std::vector<std::uint32_t> m_toAdvance;
    OrderTimeline m_timeline;
};

} // namespace

std::string
NameOf(const Operation& operation, std::uint32_t stage)
{
    return std::string("the ") + NameOf(operation.kind) + " of microbatch " +
           std::to_string(operation.microbatch) + " in stage " + std::to_string(stage);
}

OrderTimeline
SimulateOrder(const ScheduleOrder& order, std::uint32_t microbatches, const ScheduleTimes& times)
{
    return Simulation(order, microbatches, times).Run();
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
