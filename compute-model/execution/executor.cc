// SPDX-License-Identifier: GPL-2.0-only
#include "execution/executor.h"

#include "execution/executor-report.h"

#include <utility>

namespace geotrain
{

Executor::Executor(const ExecutionPlan& plan,
                   const JobCarriers& carriers,
                   std::vector<ExecutionObserver*> observers,
                   ExecutorOptions options)
    : m_plan(plan),
      m_clock(carriers.clock),
      m_observers(std::move(observers)),
      m_options(std::move(options)),
      m_messages(m_plan,
                 carriers.messages,
                 [this](const Message& message,
                        std::size_t receive,
                        const MessageTimes& times,
                        const std::string& failure)
                 { OnMessage(message, receive, times, failure); }),
      m_workersInIteration(m_plan.Iterations(), static_cast<std::uint32_t>(plan.workers.size())),
      m_workersLeft(plan.iterations > 0 ? static_cast<std::uint32_t>(plan.workers.size()) : 0)
{
    m_workers.reserve(plan.workers.size());
    for (WorkerIndex index = 0; index < plan.workers.size(); ++index)
    {
        m_workers.emplace_back(m_plan,
                               index,
                               CollectiveQueue::Carrier{m_clock, carriers.collectives},
                               [this, index](const CollectiveQueue::Joined& joined,
                                             Instant at,
                                             const std::string& failure)
                               { OnCollectiveEnded(index, joined, at, failure); });
    }
}

Executor::~Executor()
{
    Cancel();
}

void
Executor::Begin()
{
    for (WorkerIndex index = 0; index < m_workers.size(); ++index)
    {
        m_workers[index].event = m_clock.Schedule(m_clock.Now(), [this, index] { Advance(index); });
    }
}

void
Executor::Run(Instant deadline, const Clock::Predicate& orWhen)
{
    Begin();
    m_clock.RunUntil([this, &orWhen] { return IsOver() || (orWhen && orWhen()); }, deadline);
}

void
Executor::Cancel()
{
    m_isCancelled = m_isCancelled || !IsDone();
    m_messages.Cancel();
    for (WorkerProgress& worker : m_workers)
    {
        m_clock.Cancel(worker.event);
        for (CollectiveQueue& lane : worker.lanes)
        {
            lane.Cancel();
        }
    }
}

bool
Executor::IsDone() const
{
    return m_workersLeft == 0;
}

bool
Executor::IsOver() const
{
    return IsDone() || m_isCancelled || !m_failure.empty();
}

const std::string&
Executor::Failure() const
{
    return m_failure;
}

void
Executor::Advance(WorkerIndex index)
{
    WorkerProgress& worker = m_workers[index];
    const InstructionStream& stream = m_plan.StreamOf(index);
    while (!worker.isComputing && worker.pass < m_plan.Plan().iterations && !IsOver())
    {
        if (worker.position == stream.size())
        {
            EndPass(index);
        }
        else if (worker.policy && worker.policy->IsDone(worker.position))
        {
            ++worker.position;
        }
        else if (LeaveOrder(index) || !Step(index, stream[worker.position]))
        {
            return;
        }
    }
}

/// Makes the worker leave its stream's order. Returns false if it goes on in that order.
bool
Executor::LeaveOrder(WorkerIndex index)
{
    const WorkerProgress& worker = m_workers[index];
    const auto instead = worker.policy ? worker.policy->Instead(worker.position, m_clock.Now())
                                       : std::optional<std::size_t>();
    if (instead)
    {
        Compute(index, *instead);
    }
    return instead.has_value();
}

/// Runs the instruction at the worker's position. Returns false if the worker has to wait.
bool
Executor::Step(WorkerIndex index, const Instruction& instruction)
{
    WorkerProgress& worker = m_workers[index];
    switch (instruction.kind)
    {
    case InstructionKind::Receive:
        if (!worker.inbox.IsHere(worker.position))
        {
            return false;
        }
        break;
    case InstructionKind::Send:
        m_messages.Send(index, worker.position, worker.pass);
        break;
    case InstructionKind::AllReduce:
    case InstructionKind::ReduceScatter:
    case InstructionKind::AllGather:
    case InstructionKind::Pull:
    case InstructionKind::Push:
    case InstructionKind::AllToAll:
        worker.LaneAt(LaneOf(instruction.kind)).Join(worker.position, worker.pass);
        break;
    case InstructionKind::Await:
        if (worker.LaneAt(instruction.lane).Size() > instruction.microbatch)
        {
            return false;
        }
        break;
    case InstructionKind::OptimizerStep:
        if (!worker.LaneAt(Lane::Collective).IsEmpty())
        {
            return false;
        }
        Compute(index, worker.position);
        return true;
    case InstructionKind::Bubble:
        if (instruction.duration > Duration())
        {
            Tell(&ExecutionObserver::BubbleReached,
                 index,
                 m_plan.IterationOf(worker.pass, instruction),
                 instruction,
                 m_clock.Now());
        }
        break;
    default:
        Compute(index, worker.position);
        return true;
    }
    ++worker.position;
    return true;
}

void
Executor::EndPass(WorkerIndex index)
{
    WorkerProgress& worker = m_workers[index];
    if (m_plan.IterationsPerPass() == 1)
    {
        EndIteration(worker.pass);
    }
    worker.BeginNextPass();
    m_workersLeft -= worker.pass == m_plan.Plan().iterations ? 1 : 0;
}

void
Executor::EndIteration(std::uint32_t iteration)
{
    if (--m_workersInIteration[iteration] == 0)
    {
        Tell(&ExecutionObserver::IterationEnded, iteration, m_clock.Now());
    }
}

void
Executor::Compute(WorkerIndex index, std::size_t position)
{
    WorkerProgress& worker = m_workers[index];
    worker.isComputing = true;
    worker.computing = position;
    if (worker.policy)
    {
        worker.policy->ComputeBegan(position, m_clock.Now());
    }
    const Instruction& instruction = m_plan.StreamOf(index)[position];
    const Duration data =
        instruction.kind == InstructionKind::Forward ? instruction.expected : Duration();
    const Duration held = data + (m_options.holdOf ? m_options.holdOf(index) : Duration());
    if (held > Duration())
    {
        worker.event =
            m_clock.Schedule(m_clock.Now() + held, [this, index] { StartCompute(index); });
        return;
    }
    StartCompute(index);
}

void
Executor::StartCompute(WorkerIndex index)
{
    WorkerProgress& worker = m_workers[index];
    const Instruction& instruction = m_plan.StreamOf(index)[worker.computing];
    const Duration duration =
        m_options.durationOf ? m_options.durationOf(index,
                                                    worker.pass,
                                                    m_plan.PlannedPosition(index, worker.computing),
                                                    instruction.duration)
                             : instruction.duration;
    worker.computeStart = m_clock.Now();
    if (m_plan.Plan().contention.IsThere())
    {
        worker.LaneAt(Lane::Collective).SetComputing(true);
    }
    Tell(&ExecutionObserver::InstructionStarted,
         index,
         m_plan.IterationOf(worker.pass, instruction),
         instruction,
         worker.computeStart);
    worker.event =
        m_clock.Schedule(worker.computeStart + duration, [this, index] { OnComputed(index); });
}

void
Executor::OnComputed(WorkerIndex index)
{
    WorkerProgress& worker = m_workers[index];
    const std::size_t position = worker.computing;
    const Instruction& instruction = m_plan.StreamOf(index)[position];
    const std::uint32_t iteration = m_plan.IterationOf(worker.pass, instruction);
    worker.isComputing = false;
    Tell(&ExecutionObserver::InstructionEnded,
         index,
         iteration,
         instruction,
         worker.computeStart,
         m_clock.Now());
    if (m_plan.Plan().contention.IsThere())
    {
        worker.LaneAt(Lane::Collective).SetComputing(false);
    }
    worker.position += position == worker.position ? 1 : 0;
    const auto send =
        worker.policy ? worker.policy->ComputeEnded(position) : std::optional<std::size_t>();
    if (send)
    {
        m_messages.Send(index, *send, worker.pass);
    }
    if (m_plan.IterationsPerPass() > 1 && instruction.kind == InstructionKind::OptimizerStep)
    {
        EndIteration(iteration);
    }
    Advance(index);
}

void
Executor::OnMessage(const Message& message,
                    std::size_t receive,
                    const MessageTimes& times,
                    const std::string& failure)
{
    if (IsOver())
    {
        return;
    }
    if (!failure.empty())
    {
        m_failure = NameOfMessage(m_plan.Plan(), message) + " failed: " + failure;
        return;
    }
    Tell(&ExecutionObserver::MessageDelivered, message, times);
    // A message of a later pass is found when that pass begins.
    WorkerProgress& receiver = m_workers[message.receiver];
    if (receiver.inbox.Put(receive) && receiver.policy)
    {
        receiver.policy->InputArrived(receive);
    }
    Advance(message.receiver);
}

void
Executor::OnCollectiveEnded(WorkerIndex index,
                            const CollectiveQueue::Joined& joined,
                            Instant at,
                            const std::string& failure)
{
    if (IsOver())
    {
        return;
    }
    const Instruction& instruction = m_plan.StreamOf(index)[joined.position];
    if (!failure.empty())
    {
        m_failure = NameOfCollective(m_plan.Plan(), instruction) + " failed: " + failure;
        return;
    }
    Tell(&ExecutionObserver::CollectiveEnded,
         index,
         m_plan.IterationOf(joined.pass, instruction),
         instruction,
         joined.at,
         at);
    m_workers[index].LaneAt(LaneOf(instruction.kind)).StartNext();
    Advance(index);
}

std::string
Executor::WhoWaitsForWhat() const
{
    const ExecutionPlan& plan = m_plan.Plan();
    std::vector<std::string> lines;
    for (WorkerIndex index = 0; index < m_workers.size() && !IsDone(); ++index)
    {
        const WorkerProgress& worker = m_workers[index];
        if (worker.pass < plan.iterations)
        {
            lines.push_back(
                plan.workers[index].name + ": iteration " + std::to_string(worker.pass) + ", " +
                WaitOf(plan, m_plan.StreamOf(index)[worker.position], worker.isComputing));
        }
    }
    return (m_failure.empty() ? "" : m_failure + "\n") + LinesTogether(lines);
}

} // namespace geotrain
