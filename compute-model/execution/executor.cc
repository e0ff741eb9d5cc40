#include "execution/executor.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

const char*
NameOf(Payload payload)
{
    return payload == Payload::Activation ? "activation" : "gradient";
}

CollectiveKind
CollectiveKindOf(InstructionKind kind)
{
    switch (kind)
    {
    case InstructionKind::ReduceScatter:
        return CollectiveKind::ReduceScatter;
    case InstructionKind::AllGather:
        return CollectiveKind::AllGather;
    default:
        return CollectiveKind::AllReduce;
    }
}

[[noreturn]] void
Refuse(const ExecutionPlan::Worker& worker, std::size_t position, const std::string& rule)
{
    throw std::invalid_argument(worker.name + ", instruction " + std::to_string(position) + ": " +
                                rule);
}

} // namespace

Executor::Executor(const ExecutionPlan& plan,
                   Network& network,
                   MessageCarrier& carrier,
                   std::vector<ExecutionObserver*> observers,
                   ExecutorOptions options)
    : m_plan(plan),
      m_network(network),
      m_clock(network.GetClock()),
      m_carrier(carrier),
      m_observers(std::move(observers)),
      m_options(std::move(options)),
      m_states(plan.workers.size()),
      m_workersInIteration(plan.iterations, static_cast<std::uint32_t>(plan.workers.size())),
      m_workersLeft(plan.iterations > 0 ? static_cast<std::uint32_t>(plan.workers.size()) : 0)
{
    for (WorkerIndex worker = 0; worker < plan.workers.size(); ++worker)
    {
        m_states[worker].collectiveJoined.resize(plan.workers[worker].stream.size());
        m_states[worker].arrivals.resize(plan.workers[worker].stream.size());
    }
    PairSendsWithReceives();
    NumberCollectives();
}

void
Executor::PairSendsWithReceives()
{
    // Sender, receiver, payload, microbatch, stage of the receiver.
    using Key = std::tuple<WorkerIndex, WorkerIndex, Payload, std::uint32_t, std::uint32_t>;
    std::map<Key, std::size_t> receives;
    for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
    {
        const InstructionStream& stream = m_plan.workers[worker].stream;
        for (std::size_t position = 0; position < stream.size(); ++position)
        {
            const Instruction& in = stream[position];
            if (in.kind == InstructionKind::Receive &&
                !receives
                     .emplace(Key{in.peer, worker, in.payload, in.microbatch, in.stage}, position)
                     .second)
            {
                Refuse(m_plan.workers[worker], position, "receives the same message twice");
            }
        }
    }
    m_receiveOfSend.resize(m_plan.workers.size());
    for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
    {
        const InstructionStream& stream = m_plan.workers[worker].stream;
        m_receiveOfSend[worker].resize(stream.size());
        for (std::size_t position = 0; position < stream.size(); ++position)
        {
            const Instruction& in = stream[position];
            if (in.kind != InstructionKind::Send)
            {
                continue;
            }
            const auto stage = in.payload == Payload::Activation ? in.stage + 1 : in.stage - 1;
            const auto found =
                receives.find(Key{worker, in.peer, in.payload, in.microbatch, stage});
            if (found == receives.end())
            {
                Refuse(m_plan.workers[worker], position, "sends what nobody receives");
            }
            m_receiveOfSend[worker][position] = found->second;
            receives.erase(found);
        }
    }
    if (!receives.empty())
    {
        const auto& [key, position] = *receives.begin();
        Refuse(m_plan.workers[std::get<1>(key)], position, "receives what nobody sends");
    }
}

void
Executor::NumberCollectives()
{
    // The n-th collective of a group in one member's stream is the n-th of every other member's.
    std::vector<std::map<WorkerIndex, std::vector<std::pair<InstructionKind, std::int64_t>>>>
        joined(m_plan.groups.size());
    m_ordinalOfCollective.resize(m_plan.workers.size());
    for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
    {
        const InstructionStream& stream = m_plan.workers[worker].stream;
        m_ordinalOfCollective[worker].resize(stream.size());
        for (std::size_t position = 0; position < stream.size(); ++position)
        {
            const Instruction& in = stream[position];
            if (!IsCollective(in.kind))
            {
                continue;
            }
            if (in.group >= m_plan.groups.size() || std::count(m_plan.groups[in.group].begin(),
                                                               m_plan.groups[in.group].end(),
                                                               worker) != 1)
            {
                Refuse(m_plan.workers[worker], position, "joins a group that it is not in");
            }
            auto& mine = joined[in.group][worker];
            m_ordinalOfCollective[worker][position] = static_cast<std::uint32_t>(mine.size());
            mine.emplace_back(in.kind, in.size.Count());
            m_collectivesPerGroup =
                std::max(m_collectivesPerGroup, static_cast<std::uint32_t>(mine.size()));
        }
    }
    for (std::size_t group = 0; group < m_plan.groups.size(); ++group)
    {
        for (const WorkerIndex member : m_plan.groups[group])
        {
            if (joined[group][member] != joined[group][m_plan.groups[group].front()])
            {
                throw std::invalid_argument("the members of group " + std::to_string(group) +
                                            " join different collectives");
            }
        }
    }
}

void
Executor::Run(Instant deadline)
{
    for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
    {
        m_clock.Schedule(m_clock.Now(), [this, worker] { Advance(worker); });
    }
    if (!IsDone())
    {
        m_clock.Run(deadline);
    }
}

bool
Executor::IsDone() const
{
    return m_workersLeft == 0;
}

void
Executor::Advance(WorkerIndex worker)
{
    WorkerState& state = m_states[worker];
    const InstructionStream& stream = m_plan.workers[worker].stream;
    while (!state.isComputing && state.iteration < m_plan.iterations)
    {
        if (state.position == stream.size())
        {
            EndIteration(worker);
            continue;
        }
        if (!Step(worker, stream[state.position]))
        {
            return;
        }
    }
}

/// False if the instruction has to wait.
bool
Executor::Step(WorkerIndex worker, const Instruction& instruction)
{
    WorkerState& state = m_states[worker];
    switch (instruction.kind)
    {
    case InstructionKind::Receive:
        if (state.arrivals[state.position] <= state.iteration)
        {
            return false;
        }
        break;
    case InstructionKind::Send:
        Send(worker, instruction);
        break;
    case InstructionKind::AllReduce:
    case InstructionKind::ReduceScatter:
    case InstructionKind::AllGather:
        state.collectives.push_back(state.position);
        state.collectiveJoined[state.position] = m_clock.Now();
        StartNextCollective(worker);
        break;
    case InstructionKind::OptimizerStep:
        if (!state.collectives.empty())
        {
            return false;
        }
        Compute(worker, instruction);
        return true;
    case InstructionKind::Bubble:
        break;
    default:
        Compute(worker, instruction);
        return true;
    }
    ++state.position;
    return true;
}

void
Executor::EndIteration(WorkerIndex worker)
{
    WorkerState& state = m_states[worker];
    if (--m_workersInIteration[state.iteration] == 0)
    {
        for (ExecutionObserver* observer : m_observers)
        {
            observer->IterationEnded(state.iteration, m_clock.Now());
        }
    }
    state.position = 0;
    ++state.iteration;
    if (state.iteration == m_plan.iterations && --m_workersLeft == 0)
    {
        m_clock.Stop();
    }
}

void
Executor::Compute(WorkerIndex worker, const Instruction& instruction)
{
    WorkerState& state = m_states[worker];
    const Instant start = m_clock.Now();
    const Duration duration =
        m_options.durationOf
            ? m_options.durationOf(worker, state.iteration, state.position, instruction.duration)
            : instruction.duration;
    state.isComputing = true;
    for (ExecutionObserver* observer : m_observers)
    {
        observer->InstructionStarted(worker, state.iteration, instruction, start);
    }
    m_clock.Schedule(start + duration,
                     [this, worker, &instruction, start]
                     {
                         WorkerState& self = m_states[worker];
                         self.isComputing = false;
                         for (ExecutionObserver* observer : m_observers)
                         {
                             observer->InstructionEnded(
                                 worker, self.iteration, instruction, start, m_clock.Now());
                         }
                         ++self.position;
                         Advance(worker);
                     });
}

void
Executor::Send(WorkerIndex worker, const Instruction& instruction)
{
    const WorkerState& state = m_states[worker];
    Message message;
    message.number = ++m_messages;
    message.iteration = state.iteration;
    message.sender = worker;
    message.receiver = instruction.peer;
    message.source = m_plan.workers[worker].node;
    message.destination = m_plan.workers[instruction.peer].node;
    message.payload = instruction.payload;
    message.stage = instruction.stage;
    message.microbatch = instruction.microbatch;
    message.size = instruction.size;
    const std::size_t receive = m_receiveOfSend[worker][state.position];
    m_carrier.Send(message,
                   [this, message, receive](const MessageTimes& times, const std::string& failure)
                   {
                       if (!failure.empty())
                       {
                           m_failure = std::string(NameOf(message.payload)) + " of microbatch " +
                                       std::to_string(message.microbatch) + " from " +
                                       m_plan.workers[message.sender].name + " to " +
                                       m_plan.workers[message.receiver].name +
                                       " failed: " + failure;
                           m_clock.Stop();
                           return;
                       }
                       for (ExecutionObserver* observer : m_observers)
                       {
                           observer->MessageDelivered(message, times);
                       }
                       ++m_states[message.receiver].arrivals[receive];
                       Advance(message.receiver);
                   });
}

void
Executor::StartNextCollective(WorkerIndex worker)
{
    WorkerState& state = m_states[worker];
    if (state.collectiveRuns || state.collectives.empty())
    {
        return;
    }
    state.collectiveRuns = true;
    const std::size_t position = state.collectives.front();
    const Instruction& instruction = m_plan.workers[worker].stream[position];
    const auto& group = m_plan.groups[instruction.group];
    CollectiveRequest request;
    request.number = (std::uint64_t{state.iteration} * m_plan.groups.size() + instruction.group) *
                         m_collectivesPerGroup +
                     m_ordinalOfCollective[worker][position];
    request.kind = CollectiveKindOf(instruction.kind);
    request.size = instruction.size;
    for (const WorkerIndex member : group)
    {
        request.members.push_back(m_plan.workers[member].node);
    }
    const auto self = std::find(group.begin(), group.end(), worker) - group.begin();
    JoinCollective(request,
                   static_cast<std::uint32_t>(self),
                   [this, worker](Instant at) { OnCollectiveEnded(worker, at); });
}

void
Executor::JoinCollective(const CollectiveRequest& request,
                         std::uint32_t member,
                         CollectiveCallback callback)
{
    const auto time =
        m_options.collectiveTime ? m_options.collectiveTime(request) : std::optional<Duration>();
    if (!time)
    {
        m_network.JoinCollective(request, member, std::move(callback));
        return;
    }
    CollectiveWait& wait = m_timedCollectives[request.number];
    wait.callbacks.push_back(std::move(callback));
    if (++wait.joined < request.members.size())
    {
        return;
    }
    const Instant end = m_clock.Now() + *time;
    m_clock.Schedule(end,
                     [callbacks = std::move(wait.callbacks), end]
                     {
                         for (const CollectiveCallback& ended : callbacks)
                         {
                             ended(end);
                         }
                     });
    m_timedCollectives.erase(request.number);
}

void
Executor::OnCollectiveEnded(WorkerIndex worker, Instant at)
{
    WorkerState& state = m_states[worker];
    const std::size_t position = state.collectives.front();
    for (ExecutionObserver* observer : m_observers)
    {
        observer->CollectiveEnded(worker,
                                  state.iteration,
                                  m_plan.workers[worker].stream[position],
                                  state.collectiveJoined[position],
                                  at);
    }
    state.collectives.pop_front();
    state.collectiveRuns = false;
    StartNextCollective(worker);
    Advance(worker);
}

std::string
Executor::WaitOf(WorkerIndex worker) const
{
    const WorkerState& state = m_states[worker];
    const Instruction& in = m_plan.workers[worker].stream[state.position];
    if (state.isComputing)
    {
        return "computes (the deadline came first)";
    }
    if (in.kind == InstructionKind::Receive)
    {
        return std::string("waits for the ") + NameOf(in.payload) + " of microbatch " +
               std::to_string(in.microbatch) + " from " + m_plan.workers[in.peer].name;
    }
    return "waits for its collectives";
}

std::string
Executor::WhoWaitsForWhat() const
{
    std::string report = m_failure.empty() ? "" : m_failure + "\n";
    for (WorkerIndex worker = 0; worker < m_plan.workers.size() && !IsDone(); ++worker)
    {
        const WorkerState& state = m_states[worker];
        if (state.iteration < m_plan.iterations)
        {
            report += m_plan.workers[worker].name + ": iteration " +
                      std::to_string(state.iteration) + ", " + WaitOf(worker) + "\n";
        }
    }
    return report;
}

} // namespace geotrain
