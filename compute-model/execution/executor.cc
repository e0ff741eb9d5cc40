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
      m_workersLeft(plan.iterations > 0 ? static_cast<std::uint32_t>(plan.workers.size()) : 0)
{
    for (WorkerIndex worker = 0; worker < plan.workers.size(); ++worker)
    {
        m_states[worker].arrivals.resize(plan.workers[worker].stream.size());
        for (const Instruction& in : plan.workers[worker].stream)
        {
            m_iterationsOfStream = std::max(m_iterationsOfStream, in.iteration + 1);
        }
    }
    m_workersInIteration.assign(std::size_t{plan.iterations} * m_iterationsOfStream,
                                static_cast<std::uint32_t>(plan.workers.size()));
    PairSendsWithReceives();
    NumberCollectives();
    PrepareDeviations();
}

void
Executor::PairSendsWithReceives()
{
    // Sender, receiver, payload, iteration, microbatch, stage of the receiver.
    using Key =
        std::tuple<WorkerIndex, WorkerIndex, Payload, std::uint32_t, std::uint32_t, std::uint32_t>;
    std::vector<std::pair<Key, std::uint32_t>> sends;
    std::vector<std::pair<Key, std::uint32_t>> receives;
    for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
    {
        const InstructionStream& stream = m_plan.workers[worker].stream;
        for (std::uint32_t position = 0; position < stream.size(); ++position)
        {
            const Instruction& in = stream[position];
            if (in.kind == InstructionKind::Receive)
            {
                receives.push_back(
                    {{in.peer, worker, in.payload, in.iteration, in.microbatch, in.stage},
                     position});
            }
            else if (in.kind == InstructionKind::Send)
            {
                const auto stage = in.payload == Payload::Activation ? in.stage + 1 : in.stage - 1;
                sends.push_back(
                    {{worker, in.peer, in.payload, in.iteration, in.microbatch, stage}, position});
            }
        }
    }
    std::sort(sends.begin(), sends.end());
    std::sort(receives.begin(), receives.end());
    m_receiveOfSend.resize(m_plan.workers.size());
    for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
    {
        m_receiveOfSend[worker].resize(m_plan.workers[worker].stream.size());
    }
    for (std::size_t index = 0; index < std::max(sends.size(), receives.size()); ++index)
    {
        const bool isSent = index < sends.size();
        const bool isReceived = index < receives.size();
        if (isReceived && index > 0 && receives[index].first == receives[index - 1].first)
        {
            Refuse(m_plan.workers[std::get<1>(receives[index].first)],
                   receives[index].second,
                   "receives the same message twice");
        }
        if (isSent && (!isReceived || sends[index].first < receives[index].first))
        {
            Refuse(m_plan.workers[std::get<0>(sends[index].first)],
                   sends[index].second,
                   "sends what nobody receives");
        }
        if (!isSent || receives[index].first < sends[index].first)
        {
            Refuse(m_plan.workers[std::get<1>(receives[index].first)],
                   receives[index].second,
                   "receives what nobody sends");
        }
        m_receiveOfSend[std::get<0>(sends[index].first)][sends[index].second] =
            receives[index].second;
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

const std::string&
Executor::Failure() const
{
    return m_failure;
}

void
Executor::Advance(WorkerIndex worker)
{
    WorkerState& state = m_states[worker];
    const InstructionStream& stream = m_plan.workers[worker].stream;
    const bool deviates = m_plan.workers[worker].activationCap > 0;
    while (!state.isComputing && state.iteration < m_plan.iterations)
    {
        if (state.position == stream.size())
        {
            EndStream(worker);
            continue;
        }
        if (deviates && m_deviations[worker].done[state.position])
        {
            ++state.position;
            continue;
        }
        if (deviates && IsGradientLate(worker) && RunForwardAhead(worker))
        {
            return;
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
        Send(worker, state.position);
        break;
    case InstructionKind::AllReduce:
    case InstructionKind::ReduceScatter:
    case InstructionKind::AllGather:
        state.collectives.push_back({state.position, m_clock.Now()});
        StartNextCollective(worker);
        break;
    case InstructionKind::OptimizerStep:
        if (!state.collectives.empty())
        {
            return false;
        }
        Compute(worker, state.position);
        return true;
    case InstructionKind::Bubble:
        PassBubble(worker, instruction);
        break;
    default:
        Compute(worker, state.position);
        return true;
    }
    ++state.position;
    return true;
}

std::uint32_t
Executor::IterationOf(WorkerIndex worker, const Instruction& instruction) const
{
    return m_states[worker].iteration * m_iterationsOfStream + instruction.iteration;
}

void
Executor::EndStream(WorkerIndex worker)
{
    WorkerState& state = m_states[worker];
    if (m_iterationsOfStream == 1)
    {
        EndIteration(state.iteration);
    }
    state.position = 0;
    state.bubbles = 0;
    ++state.iteration;
    if (m_plan.workers[worker].activationCap > 0)
    {
        Deviation& deviation = m_deviations[worker];
        std::fill(deviation.done.begin(), deviation.done.end(), false);
        deviation.firstCompute.reset();
        FindReadyForwards(worker);
    }
    if (state.iteration == m_plan.iterations && --m_workersLeft == 0)
    {
        m_clock.Stop();
    }
}

void
Executor::EndIteration(std::uint32_t iteration)
{
    if (--m_workersInIteration[iteration] == 0)
    {
        for (ExecutionObserver* observer : m_observers)
        {
            observer->IterationEnded(iteration, m_clock.Now());
        }
    }
}

void
Executor::Compute(WorkerIndex worker, std::size_t position)
{
    WorkerState& state = m_states[worker];
    state.isComputing = true;
    state.computing = position;
    if (m_plan.workers[worker].activationCap > 0)
    {
        NoteCompute(worker, position);
    }
    const Duration held = m_options.holdOf ? m_options.holdOf(worker) : Duration();
    if (held > Duration())
    {
        m_clock.Schedule(m_clock.Now() + held, [this, worker] { StartCompute(worker); });
        return;
    }
    StartCompute(worker);
}

void
Executor::StartCompute(WorkerIndex worker)
{
    WorkerState& state = m_states[worker];
    const Instruction& instruction = m_plan.workers[worker].stream[state.computing];
    const Duration duration =
        m_options.durationOf
            ? m_options.durationOf(
                  worker, state.iteration, PlannedPosition(worker), instruction.duration)
            : instruction.duration;
    state.computeStart = m_clock.Now();
    for (ExecutionObserver* observer : m_observers)
    {
        observer->InstructionStarted(
            worker, IterationOf(worker, instruction), instruction, state.computeStart);
    }
    m_clock.Schedule(state.computeStart + duration, [this, worker] { OnComputed(worker); });
}

/// Of what computes, in the stream without its Bubbles.
std::size_t
Executor::PlannedPosition(WorkerIndex worker) const
{
    const WorkerState& state = m_states[worker];
    const InstructionStream& stream = m_plan.workers[worker].stream;
    std::size_t bubbles = state.bubbles;
    for (std::size_t ahead = state.position; ahead < state.computing; ++ahead)
    {
        bubbles += stream[ahead].kind == InstructionKind::Bubble ? 1 : 0;
    }
    return state.computing - bubbles;
}

void
Executor::PassBubble(WorkerIndex worker, const Instruction& bubble)
{
    ++m_states[worker].bubbles;
    if (bubble.duration > Duration())
    {
        for (ExecutionObserver* observer : m_observers)
        {
            observer->BubbleReached(worker, IterationOf(worker, bubble), bubble, m_clock.Now());
        }
    }
}

void
Executor::OnComputed(WorkerIndex worker)
{
    WorkerState& state = m_states[worker];
    const std::size_t position = state.computing;
    const Instruction& instruction = m_plan.workers[worker].stream[position];
    const std::uint32_t iteration = IterationOf(worker, instruction);
    state.isComputing = false;
    for (ExecutionObserver* observer : m_observers)
    {
        observer->InstructionEnded(
            worker, iteration, instruction, state.computeStart, m_clock.Now());
    }
    state.position += position == state.position ? 1 : 0;
    if (m_plan.workers[worker].activationCap > 0)
    {
        NoteComputed(worker, position);
    }
    if (m_iterationsOfStream > 1 && instruction.kind == InstructionKind::OptimizerStep)
    {
        EndIteration(iteration);
    }
    Advance(worker);
}

void
Executor::PrepareDeviations()
{
    m_deviations.resize(m_plan.workers.size());
    for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
    {
        if (m_plan.workers[worker].activationCap == 0)
        {
            continue;
        }
        const InstructionStream& stream = m_plan.workers[worker].stream;
        Deviation& deviation = m_deviations[worker];
        deviation.done.resize(stream.size());
        deviation.releases.resize(stream.size());
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> lastBackward;
        for (std::size_t position = 0; position < stream.size(); ++position)
        {
            const Instruction& in = stream[position];
            if (in.kind == InstructionKind::Backward || in.kind == InstructionKind::WeightGradient)
            {
                lastBackward[{in.stage, in.microbatch}] = position;
            }
        }
        for (const auto& [microbatch, position] : lastBackward)
        {
            deviation.releases[position] = true;
        }
        FindReadyForwards(worker);
    }
}

/// At an iteration's start.
void
Executor::FindReadyForwards(WorkerIndex worker)
{
    Deviation& deviation = m_deviations[worker];
    deviation.ready.clear();
    for (std::size_t position = 0; position < deviation.done.size(); ++position)
    {
        if (IsForwardReady(worker, position))
        {
            deviation.ready.insert(position);
        }
    }
}

/// Whether a forward is at `position`, with its input here in this iteration.
bool
Executor::IsForwardReady(WorkerIndex worker, std::size_t position) const
{
    const InstructionStream& stream = m_plan.workers[worker].stream;
    if (position >= stream.size() || stream[position].kind != InstructionKind::Forward)
    {
        return false;
    }
    const bool hasInput = position > 0 && stream[position - 1].kind == InstructionKind::Receive &&
                          stream[position - 1].payload == Payload::Activation;
    const WorkerState& state = m_states[worker];
    return !hasInput || state.arrivals[position - 1] > state.iteration;
}

/// Whether the worker is about to recompute or to wait for an input that should be here by now.
bool
Executor::IsGradientLate(WorkerIndex worker) const
{
    const WorkerState& state = m_states[worker];
    const InstructionStream& stream = m_plan.workers[worker].stream;
    const Instruction& in = stream[state.position];
    if (in.kind == InstructionKind::Receive)
    {
        std::size_t before = state.position;
        while (before > 0 && stream[before - 1].kind == InstructionKind::Bubble)
        {
            --before;
        }
        const bool isRecomputed =
            before > 0 && stream[before - 1].kind == InstructionKind::Recompute;
        return !isRecomputed && state.arrivals[state.position] <= state.iteration;
    }
    std::size_t receive = state.position + 1;
    while (receive < stream.size() && stream[receive].kind == InstructionKind::Bubble)
    {
        ++receive;
    }
    const auto& start = m_deviations[worker].firstCompute;
    return in.kind == InstructionKind::Recompute && start && receive < stream.size() &&
           stream[receive].kind == InstructionKind::Receive &&
           state.arrivals[receive] <= state.iteration && m_clock.Now() > *start + in.expected;
}

/// False if there is no forward to run now.
bool
Executor::RunForwardAhead(WorkerIndex worker)
{
    const WorkerState& state = m_states[worker];
    Deviation& deviation = m_deviations[worker];
    if (deviation.activations >= m_plan.workers[worker].activationCap)
    {
        return false;
    }
    const auto next = deviation.ready.upper_bound(state.position);
    if (next == deviation.ready.end())
    {
        return false;
    }
    const std::size_t position = *next;
    const Instruction& before = m_plan.workers[worker].stream[position - 1];
    deviation.done[position] = true;
    deviation.done[position - 1] =
        deviation.done[position - 1] ||
        (before.kind == InstructionKind::Receive && before.payload == Payload::Activation);
    Compute(worker, position);
    return true;
}

void
Executor::NoteCompute(WorkerIndex worker, std::size_t position)
{
    Deviation& deviation = m_deviations[worker];
    deviation.firstCompute = deviation.firstCompute.value_or(m_clock.Now());
    const InstructionKind kind = m_plan.workers[worker].stream[position].kind;
    deviation.activations += kind == InstructionKind::Forward ? 1 : 0;
    deviation.ready.erase(position);
}

/// What runs ahead sends at once.
void
Executor::NoteComputed(WorkerIndex worker, std::size_t position)
{
    const InstructionStream& stream = m_plan.workers[worker].stream;
    Deviation& deviation = m_deviations[worker];
    deviation.activations -= deviation.releases[position] ? 1 : 0;
    const std::size_t next = position + 1;
    if (deviation.done[position] && next < stream.size() &&
        stream[next].kind == InstructionKind::Send)
    {
        Send(worker, next);
        deviation.done[next] = true;
    }
}

void
Executor::Send(WorkerIndex worker, std::size_t position)
{
    const Instruction& instruction = m_plan.workers[worker].stream[position];
    if (m_freeSlots.empty())
    {
        m_freeSlots.push_back(static_cast<std::uint32_t>(m_inFlight.size()));
        m_inFlight.emplace_back();
    }
    const std::uint32_t slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    m_inFlight[slot].receive = m_receiveOfSend[worker][position];
    Message& message = m_inFlight[slot].message;
    message.number = ++m_messages;
    message.iteration = IterationOf(worker, instruction);
    message.sender = worker;
    message.receiver = instruction.peer;
    message.source = m_plan.workers[worker].node;
    message.destination = m_plan.workers[instruction.peer].node;
    message.payload = instruction.payload;
    message.stage = instruction.stage;
    message.microbatch = instruction.microbatch;
    message.size = instruction.size;
    m_carrier.Send(message,
                   [this, slot](const MessageTimes& times, const std::string& failure)
                   { OnMessage(slot, times, failure); });
}

void
Executor::OnMessage(std::uint32_t slot, const MessageTimes& times, const std::string& failure)
{
    const Message& message = m_inFlight[slot].message;
    if (!failure.empty())
    {
        m_failure = std::string(NameOf(message.payload)) + " of microbatch " +
                    std::to_string(message.microbatch) + " from " +
                    m_plan.workers[message.sender].name + " to " +
                    m_plan.workers[message.receiver].name + " failed: " + failure;
        m_clock.Stop();
        return;
    }
    for (ExecutionObserver* observer : m_observers)
    {
        observer->MessageDelivered(message, times);
    }
    const WorkerIndex receiver = message.receiver;
    const std::size_t receive = m_inFlight[slot].receive;
    const WorkerState& state = m_states[receiver];
    // What comes for a later iteration is found at its start.
    if (++m_states[receiver].arrivals[receive] == state.iteration + 1 &&
        m_plan.workers[receiver].activationCap > 0 && IsForwardReady(receiver, receive + 1))
    {
        m_deviations[receiver].ready.insert(receive + 1);
    }
    m_freeSlots.push_back(slot);
    Advance(receiver);
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
    const std::size_t position = state.collectives.front().position;
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
    const std::size_t position = state.collectives.front().position;
    for (ExecutionObserver* observer : m_observers)
    {
        observer->CollectiveEnded(worker,
                                  IterationOf(worker, m_plan.workers[worker].stream[position]),
                                  m_plan.workers[worker].stream[position],
                                  state.collectives.front().joined,
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
