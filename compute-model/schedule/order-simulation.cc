// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/order-simulation.h"

#include "schedule/message-way.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>

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
    Simulation(const ScheduleOrder& order,
               std::uint32_t microbatches,
               const ScheduleTimes& times,
               std::uint32_t pipelines)
        : m_order(order),
          m_microbatches(microbatches),
          m_pipelines(pipelines),
          m_stages(order.StageCount()),
          m_perPipeline(static_cast<std::uint32_t>(order.stages.size())),
          m_homes(HomesOf(order)),
          m_arrival(std::size_t{2} * m_stages * microbatches * pipelines, unknownTime),
          m_comes(std::size_t{4} * m_stages * microbatches * pipelines, false),
          m_position(std::size_t{m_perPipeline} * pipelines, 0),
          m_down(std::size_t{m_perPipeline} * pipelines),
          m_up(std::size_t{m_perPipeline} * pipelines),
          m_sends(std::size_t{m_perPipeline} * pipelines, 0),
          m_receives(std::size_t{m_perPipeline} * pipelines, 0),
          m_free(std::size_t{m_perPipeline} * pipelines, 0),
          m_isInTime(pipelines > 1)
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
            m_isInTime = m_isInTime || m_hop.back().nodeOccupancy > Duration();
            AddLinks(m_hop.back().linksDown);
            AddLinks(m_hop.back().linksUp);
        }
    }

    OrderTimeline Run()
    {
        CheckOperations();
        m_timeline.spans.resize(m_position.size());
        for (std::uint32_t worker = 0; worker < m_position.size(); ++worker)
        {
            m_timeline.spans[worker].resize(OrderOf(worker).size());
            m_toAdvance.push_back(worker);
        }
        AdvanceAll();
        while (!m_ready.empty())
        {
            const Message message = m_ready.top();
            m_ready.pop();
            Carry(message);
            AdvanceAll();
        }
        RefuseDeadlock();
        return std::move(m_timeline);
    }

  private:
    /// A Message is an activation or a gradient that is ready to be sent.
    struct Message
    {
        std::int64_t at = 0; ///< ns
        std::uint32_t pipeline = 0;
        std::uint32_t stage = 0; ///< of the sender
        std::uint32_t microbatch = 0;
        Kind kind = Kind::Forward;

        bool operator>(const Message& other) const
        {
            return std::tie(at, pipeline, stage, microbatch) >
                   std::tie(other.at, other.pipeline, other.stage, other.microbatch);
        }
    };

    void AddLinks(const std::vector<SharedLink>& links)
    {
        for (const SharedLink& shared : links)
        {
            m_links.resize(std::max(m_links.size(), shared.link + 1), 0);
            m_isInTime = true;
        }
    }

    // Workers are counted through the pipelines.
    std::uint32_t PipelineOf(std::uint32_t worker) const
    {
        return worker / m_perPipeline;
    }

    const StageOrder& OrderOf(std::uint32_t worker) const
    {
        return m_order.OfPipeline(PipelineOf(worker))[worker % m_perPipeline];
    }

    std::uint32_t StageOf(std::uint32_t worker, const Operation& operation) const
    {
        return m_order.StageOf(worker % m_perPipeline, operation.chunk);
    }

    /// Returns an index under which no other pipeline's operation is, for kinds below `kinds`.
    std::size_t Index(std::size_t kinds,
                      std::uint32_t pipeline,
                      Kind kind,
                      std::uint32_t stage,
                      std::uint32_t microbatch) const
    {
        return ((kinds * pipeline + static_cast<std::size_t>(kind)) * m_stages + stage) *
                   m_microbatches +
               microbatch;
    }

    std::size_t ComesIndex(const Operation& operation, std::uint32_t worker) const
    {
        return Index(4,
                     PipelineOf(worker),
                     operation.kind,
                     StageOf(worker, operation),
                     operation.microbatch);
    }

    bool
    Comes(std::uint32_t pipeline, Kind kind, std::uint32_t stage, std::uint32_t microbatch) const
    {
        return m_comes[Index(4, pipeline, kind, stage, microbatch)];
    }

    std::int64_t&
    ArrivalOf(std::uint32_t pipeline, Kind kind, std::uint32_t stage, std::uint32_t microbatch)
    {
        return m_arrival[Index(2, pipeline, kind, stage, microbatch)];
    }

    void CheckOperations()
    {
        for (std::uint32_t worker = 0; worker < m_position.size(); ++worker)
        {
            for (const Operation& operation : OrderOf(worker))
            {
                if (operation.chunk >= ChunksOf(worker) || operation.microbatch >= m_microbatches)
                {
                    Refuse(worker, operation, "names a stage or microbatch that does not exist");
                }
                const std::size_t index = ComesIndex(operation, worker);
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

    std::size_t ChunksOf(std::uint32_t worker) const
    {
        const auto& stages = m_order.stagesOfWorker;
        return stages.empty() ? 1 : stages[worker % m_perPipeline].size();
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
        if (!m_comes[ComesIndex(before, worker)])
        {
            Refuse(worker,
                   operation,
                   "comes before " + geotrain::NameOf(before, StageOf(worker, before)) +
                       ", which it depends on");
        }
        Operation after = operation;
        after.kind = Kind::Backward;
        if (operation.kind == Kind::Recompute && m_comes[ComesIndex(after, worker)])
        {
            Refuse(worker, operation, "comes after its backward");
        }
    }

    void CheckComplete() const
    {
        for (std::uint32_t pipeline = 0; pipeline < m_pipelines; ++pipeline)
        {
            for (const Kind kind : {Kind::Forward, Kind::Backward})
            {
                for (std::uint32_t stage = 0; stage < m_stages; ++stage)
                {
                    for (std::uint32_t microbatch = 0; microbatch < m_microbatches; ++microbatch)
                    {
                        if (!Comes(pipeline, kind, stage, microbatch))
                        {
                            throw std::invalid_argument(
                                geotrain::NameOf({kind, microbatch}, stage) + " is missing");
                        }
                    }
                }
            }
        }
    }

    [[noreturn]] void
    Refuse(std::uint32_t worker, const Operation& operation, const std::string& rule) const
    {
        const std::uint32_t stage =
            operation.chunk < ChunksOf(worker) ? StageOf(worker, operation) : operation.chunk;
        throw std::invalid_argument("worker " + std::to_string(worker % m_perPipeline) + ": " +
                                    geotrain::NameOf(operation, stage) + " " + rule);
    }

    /// Returns when the operation's input from another stage is here, or `unknownTime`.
    std::int64_t InputAt(std::uint32_t worker, const Operation& operation)
    {
        const std::uint32_t stage = StageOf(worker, operation);
        const bool comesDown = operation.kind == Kind::Forward && stage > 0;
        const bool comesUp = operation.kind == Kind::Backward && stage + 1 < m_stages;
        if (!comesDown && !comesUp)
        {
            return 0;
        }
        const std::uint32_t from = comesDown ? stage - 1 : stage + 1;
        return ArrivalOf(PipelineOf(worker), operation.kind, from, operation.microbatch);
    }

    std::int64_t Cost(std::uint32_t worker, const Operation& operation) const
    {
        const std::uint32_t stage = StageOf(worker, operation);
        const std::uint32_t pipeline = PipelineOf(worker);
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
        cost += Comes(pipeline, Kind::WeightGradient, stage, operation.microbatch)
                    ? 0
                    : timing.backwardWeight.ToNanoseconds();
        cost += Comes(pipeline, Kind::Recompute, stage, operation.microbatch)
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
        const StageOrder& order = OrderOf(worker);
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

    /// Sends a message. Where messages of several workers share ways or nodes, they are sent in the
    /// order in which they are ready; otherwise by their dependencies.
    void Send(std::uint32_t worker, const Operation& operation)
    {
        const std::uint32_t stage = StageOf(worker, operation);
        const bool goesDown = operation.kind == Kind::Forward && stage + 1 < m_stages;
        const bool goesUp = operation.kind == Kind::Backward && stage > 0;
        if (!goesDown && !goesUp)
        {
            return;
        }
        const Message message{
            m_free[worker], PipelineOf(worker), stage, operation.microbatch, operation.kind};
        if (m_isInTime)
        {
            m_ready.push(message);
        }
        else
        {
            Carry(message);
        }
    }

    /// Carries a message, which waits until the one before it, from its worker to the same other
    /// one, has left the way, until its worker's and its receiver's nodes have room for it, and until
    /// those of other hops have left the WAN links.
    void Carry(const Message& message)
    {
        const bool goesDown = message.kind == Kind::Forward;
        const std::uint32_t boundary = goesDown ? message.stage : message.stage - 1;
        const Hop& hop = m_hop[boundary];
        const std::uint32_t owner = hop.takesTurns ? 0 : message.pipeline;
        const std::uint32_t from = m_homes[message.stage].worker;
        const std::uint32_t to = m_homes[goesDown ? message.stage + 1 : message.stage - 1].worker;
        // Wraps where a pipeline's last worker sends to its first one.
        const bool toNext = to == from + 1 || (to < from && to + 1 != from);
        MessageWay& way =
            (toNext ? m_down : m_up)[std::size_t{owner} * m_perPipeline + (toNext ? from : to)];
        const std::size_t first = std::size_t{owner} * m_perPipeline;
        std::int64_t& sends = m_sends[first + from];
        std::int64_t& receives = m_receives[first + to];
        const std::int64_t delay = hop.delay.ToNanoseconds();
        const bool takesNodes = hop.nodeOccupancy > Duration();
        std::int64_t start =
            takesNodes ? std::max({message.at, way.free, sends, receives - delay}) : message.at;
        for (const auto& [link, occupancy] : goesDown ? hop.linksDown : hop.linksUp)
        {
            start = std::max(start, m_links[link]);
            m_links[link] = std::max(m_links[link], message.at) + occupancy.ToNanoseconds();
        }
        ArrivalOf(message.pipeline, message.kind, message.stage, message.microbatch) =
            way.Carry(start, hop);
        if (takesNodes)
        {
            // While a message waits for its way, its nodes serve the other ways.
            const std::int64_t time = hop.nodeOccupancy.ToNanoseconds();
            sends = std::max(sends, message.at) + time;
            receives = std::max(receives, message.at + delay) + time;
        }
        m_toAdvance.push_back(message.pipeline * m_perPipeline + to);
    }

    void RefuseDeadlock() const
    {
        for (std::uint32_t worker = 0; worker < m_position.size(); ++worker)
        {
            const StageOrder& order = OrderOf(worker);
            if (m_position[worker] == order.size())
            {
                continue;
            }
            const Operation& operation = order[m_position[worker]];
            const std::uint32_t stage = StageOf(worker, operation);
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
    std::uint32_t m_pipelines;
    std::uint32_t m_stages;      ///< virtual stages of a pipeline
    std::uint32_t m_perPipeline; ///< workers of a pipeline
    std::vector<StageHome> m_homes;
    std::vector<StageTiming> m_timing;
    std::vector<Hop> m_hop;              ///< by the lower stage
    std::vector<std::int64_t> m_arrival; ///< ns, of a forward's or backward's message
    std::vector<bool> m_comes;
    std::vector<std::size_t> m_position;
    /// From each worker to the next one, by pipeline; turns are taken on pipeline 0's.
    std::vector<MessageWay> m_down;
    std::vector<MessageWay> m_up;         ///< likewise, to each worker from the next one
    std::vector<std::int64_t> m_sends;    ///< ns, until when a worker's nodes send
    std::vector<std::int64_t> m_receives; ///< ns, until when a worker's nodes receive
    std::vector<std::int64_t> m_links;    ///< ns, until when a WAN link that hops share is taken
    std::vector<std::int64_t> m_free;     ///< ns, by worker
    bool m_isInTime;                      ///< messages are carried in the order of their times
    std::vector<std::uint32_t> m_toAdvance;
    /// Messages to carry where m_isInTime, the first that is ready first.
    std::priority_queue<Message, std::vector<Message>, std::greater<Message>> m_ready;
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
