// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/just-in-time-scheduler.h"

#include "schedule/message-way.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

struct Worker
{
    std::int64_t free = 0; ///< ns
    std::uint32_t forwards = 0;
    std::uint32_t backwards = 0;
    bool hasRecomputed = false;             ///< its next backward is recomputed
    std::vector<std::int64_t> activationAt; ///< ns, by microbatch
    std::vector<std::int64_t> gradientAt;
    std::vector<std::int64_t> gradientExpected; ///< set when its sender starts
    MessageWay down;                            ///< its own way, where no turns are taken
    MessageWay up;
    std::int64_t firstStart = unknownTime;
    StageOrder order;
};

class JustInTimeScheduler
{
  public:
    JustInTimeScheduler(const ScheduleRequest& request,
                        const std::vector<std::uint32_t>& caps,
                        std::uint32_t pipelines)
        : m_request(request),
          m_caps(caps),
          m_pipelines(pipelines),
          m_workers(std::size_t{request.stages} * pipelines),
          m_down(request.stages),
          m_up(request.stages)
    {
        for (std::uint32_t stage = 0; stage < request.stages; ++stage)
        {
            m_timing.push_back(request.times.Stage(stage));
            m_hops.push_back(stage + 1 < request.stages ? request.times.HopAfter(stage) : Hop());
        }
        m_timing.back().recompute = Duration();
        for (std::uint32_t index = 0; index < m_workers.size(); ++index)
        {
            Worker& worker = m_workers[index];
            worker.activationAt.assign(request.microbatches, StageOf(index) == 0 ? 0 : unknownTime);
            worker.gradientAt.assign(request.microbatches, unknownTime);
            worker.gradientExpected.assign(request.microbatches, unknownTime);
            Push(0, Event::Type::WakeUp, index, {});
        }
    }

    ScheduleOrder Run()
    {
        while (!m_events.empty())
        {
            const Event event = m_events.top();
            m_events.pop();
            if (event.type == Event::Type::End)
            {
                OnEnd(event);
            }
            else if (m_workers[event.worker].free <= event.at)
            {
                Dispatch(event.worker, event.at);
            }
        }
        return Result();
    }

  private:
    /// An Event is the end of an operation, or the time from which a worker may go on.
    struct Event
    {
        enum class Type : std::uint8_t
        {
            End, ///< ends come before the wake-ups of the same instant
            WakeUp
        };

        std::int64_t at = 0; ///< ns
        std::uint32_t worker = 0;
        std::uint32_t microbatch = 0; ///< End: microbatch of the operation
        Type type = Type::WakeUp;
        Kind kind = Kind::Forward; ///< End: kind of the operation

        bool operator>(const Event& other) const
        {
            return std::tie(at, type, worker) > std::tie(other.at, other.type, other.worker);
        }
    };

    std::uint32_t StageOf(std::uint32_t index) const
    {
        return index % m_request.stages;
    }

    bool IsLast(std::uint32_t index) const
    {
        return StageOf(index) + 1 == m_request.stages;
    }

    void Push(std::int64_t at, Event::Type type, std::uint32_t worker, const Operation& operation)
    {
        m_events.push({at, worker, operation.microbatch, type, operation.kind});
    }

    void Dispatch(std::uint32_t index, std::int64_t now)
    {
        Worker& worker = m_workers[index];
        const std::uint32_t next = worker.backwards;
        const StageTiming& timing = m_timing[StageOf(index)];
        const bool hasBackward = next < worker.forwards;
        const bool recomputes = timing.recompute > Duration();
        if (hasBackward && (worker.hasRecomputed || !recomputes))
        {
            if (worker.gradientAt[next] != unknownTime && worker.gradientAt[next] <= now)
            {
                worker.hasRecomputed = false;
                Start(index, {Kind::Backward, worker.backwards++}, timing.Backward(), now);
                return;
            }
            if (worker.hasRecomputed)
            {
                return;
            }
        }
        if (hasBackward && recomputes && IsTimeToRecompute(worker, timing.recompute, now))
        {
            worker.hasRecomputed = true;
            Operation recompute{Kind::Recompute, next};
            recompute.gradientExpected = Duration::Nanoseconds(
                std::max<std::int64_t>(0, worker.gradientExpected[next] - worker.firstStart));
            Start(index, recompute, timing.recompute, now);
            return;
        }
        RunForward(index, now);
    }

    static bool IsTimeToRecompute(const Worker& worker, Duration time, std::int64_t now)
    {
        const std::int64_t expected = worker.gradientExpected[worker.backwards];
        return expected != unknownTime && now + time.ToNanoseconds() >= expected;
    }

    void RunForward(std::uint32_t index, std::int64_t now)
    {
        Worker& worker = m_workers[index];
        const bool isHere = worker.forwards < m_request.microbatches &&
                            worker.activationAt[worker.forwards] != unknownTime &&
                            worker.activationAt[worker.forwards] <= now;
        if (isHere && worker.forwards - worker.backwards < m_caps[StageOf(index)])
        {
            Start(index, {Kind::Forward, worker.forwards++}, m_timing[StageOf(index)].forward, now);
        }
    }

    void Start(std::uint32_t index, const Operation& operation, Duration time, std::int64_t now)
    {
        Worker& worker = m_workers[index];
        worker.firstStart = worker.firstStart == unknownTime ? now : worker.firstStart;
        worker.free = now + time.ToNanoseconds();
        worker.order.push_back(operation);
        Push(worker.free, Event::Type::End, index, operation);
        if (operation.kind == Kind::Backward && StageOf(index) > 0)
        {
            const Hop& hop = m_hops[StageOf(index) - 1];
            Expect(index - 1, operation.microbatch, worker.free + hop.Total().ToNanoseconds());
        }
    }

    void Expect(std::uint32_t index, std::uint32_t microbatch, std::int64_t at)
    {
        m_workers[index].gradientExpected[microbatch] = at;
        Push(at - m_timing[StageOf(index)].recompute.ToNanoseconds(),
             Event::Type::WakeUp,
             index,
             {});
    }

    void OnEnd(const Event& event)
    {
        const std::uint32_t index = event.worker;
        const std::uint32_t microbatch = event.microbatch;
        if (event.kind == Kind::Forward && IsLast(index))
        {
            m_workers[index].gradientAt[microbatch] = event.at;
        }
        else if (event.kind == Kind::Forward)
        {
            const std::int64_t at = Send(index, index + 1, event.at);
            m_workers[index + 1].activationAt[microbatch] = at;
            Push(at, Event::Type::WakeUp, index + 1, {});
        }
        else if (event.kind == Kind::Backward && StageOf(index) > 0)
        {
            const std::int64_t at = Send(index, index - 1, event.at);
            m_workers[index - 1].gradientAt[microbatch] = at;
            Expect(index - 1, microbatch, at);
            Push(at, Event::Type::WakeUp, index - 1, {});
        }
        Push(event.at, Event::Type::WakeUp, index, {});
    }

    /// Returns when a message that is ready at `now` is at the neighbour.
    std::int64_t Send(std::uint32_t from, std::uint32_t to, std::int64_t now)
    {
        const bool goesDown = to > from;
        const std::uint32_t boundary = StageOf(std::min(from, to));
        const Hop& hop = m_hops[boundary];
        MessageWay& own = goesDown ? m_workers[from].down : m_workers[from].up;
        MessageWay& ofCell = goesDown ? m_down[boundary] : m_up[boundary];
        return (hop.takesTurns ? ofCell : own).Carry(now, hop);
    }

    ScheduleOrder Result()
    {
        ScheduleOrder schedule;
        schedule.activationCap = m_caps;
        schedule.deviates = true;
        schedule.keepsLastActivations = true;
        for (std::uint32_t pipeline = 0; pipeline < m_pipelines; ++pipeline)
        {
            schedule.ofPipeline.emplace_back();
            for (std::uint32_t stage = 0; stage < m_request.stages; ++stage)
            {
                schedule.ofPipeline.back().push_back(
                    std::move(m_workers[pipeline * m_request.stages + stage].order));
            }
        }
        schedule.stages = schedule.ofPipeline.front();
        return schedule;
    }

    const ScheduleRequest& m_request;
    const std::vector<std::uint32_t>& m_caps;
    std::uint32_t m_pipelines;
    std::vector<Worker> m_workers; ///< pipeline after pipeline
    std::vector<StageTiming> m_timing;
    std::vector<Hop> m_hops;
    std::vector<MessageWay> m_down; ///< ways of the cell, by boundary
    std::vector<MessageWay> m_up;
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events;
};

} // namespace

ScheduleOrder
ScheduleJustInTime(const ScheduleRequest& request,
                   const std::vector<std::uint32_t>& caps,
                   std::uint32_t pipelines)
{
    if (std::count(caps.begin(), caps.end(), 0u) > 0)
    {
        throw std::invalid_argument("the memory cap must allow at least 1 activation");
    }
    return JustInTimeScheduler(request, caps, pipelines).Run();
}

} // namespace geotrain
