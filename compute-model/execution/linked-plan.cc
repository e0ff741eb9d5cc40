// SPDX-License-Identifier: GPL-2.0-only
#include "execution/linked-plan.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

/// A MessageKey is sender, receiver, payload, iteration, microbatch and stage of the receiver.
using MessageKey =
    std::tuple<WorkerIndex, WorkerIndex, Payload, std::uint32_t, std::uint32_t, std::uint32_t>;

/// A MessageEnd is a message, and where it stands in the stream of its sender or receiver.
using MessageEnd = std::pair<MessageKey, std::uint32_t>;

WorkerIndex
SenderOf(const MessageEnd& end)
{
    return std::get<0>(end.first);
}

WorkerIndex
ReceiverOf(const MessageEnd& end)
{
    return std::get<1>(end.first);
}

MessageEnd
SendEnd(WorkerIndex worker, const Instruction& in, std::uint32_t position)
{
    const auto stage = in.payload == Payload::Activation ? in.stage + 1 : in.stage - 1;
    return {{worker, in.peer, in.payload, in.iteration, in.microbatch, stage}, position};
}

MessageEnd
ReceiveEnd(WorkerIndex worker, const Instruction& in, std::uint32_t position)
{
    return {{in.peer, worker, in.payload, in.iteration, in.microbatch, in.stage}, position};
}

/// Returns all Sends, or all Receives, of the plan in the order of their messages.
std::vector<MessageEnd>
EndsOf(const ExecutionPlan& plan, InstructionKind kind)
{
    std::vector<MessageEnd> ends;
    for (WorkerIndex worker = 0; worker < plan.workers.size(); ++worker)
    {
        const InstructionStream& stream = plan.workers[worker].stream;
        for (std::uint32_t position = 0; position < stream.size(); ++position)
        {
            if (stream[position].kind == kind)
            {
                ends.push_back(kind == InstructionKind::Send
                                   ? SendEnd(worker, stream[position], position)
                                   : ReceiveEnd(worker, stream[position], position));
            }
        }
    }
    std::sort(ends.begin(), ends.end());
    return ends;
}

[[noreturn]] void
Refuse(const ExecutionPlan::Worker& worker, std::size_t position, const std::string& rule)
{
    throw std::invalid_argument(worker.name + ", instruction " + std::to_string(position) + ": " +
                                rule);
}

/// Checks that every Send has its Receive and the reverse. Both are in the order of their messages.
void
CheckThatAllMatch(const ExecutionPlan& plan,
                  const std::vector<MessageEnd>& sends,
                  const std::vector<MessageEnd>& receives)
{
    for (std::size_t index = 0; index < std::max(sends.size(), receives.size()); ++index)
    {
        const bool isSent = index < sends.size();
        const bool isReceived = index < receives.size();
        if (isReceived && index > 0 && receives[index].first == receives[index - 1].first)
        {
            Refuse(plan.workers[ReceiverOf(receives[index])],
                   receives[index].second,
                   "receives the same message twice");
        }
        if (isSent && (!isReceived || sends[index].first < receives[index].first))
        {
            Refuse(plan.workers[SenderOf(sends[index])],
                   sends[index].second,
                   "sends what nobody receives");
        }
        if (!isSent || receives[index].first < sends[index].first)
        {
            Refuse(plan.workers[ReceiverOf(receives[index])],
                   receives[index].second,
                   "receives what nobody sends");
        }
    }
}

bool
IsMember(const ExecutionPlan& plan, std::uint32_t group, WorkerIndex worker)
{
    return group < plan.groups.size() &&
           std::count(plan.groups[group].begin(), plan.groups[group].end(), worker) == 1;
}

/// Holds kinds and sizes of the collectives that each member of a group joins, in its order.
using JoinedByMember = std::map<WorkerIndex, std::vector<std::pair<InstructionKind, std::int64_t>>>;

void
CheckThatMembersAgree(const ExecutionPlan& plan, std::vector<JoinedByMember> joined)
{
    for (std::size_t group = 0; group < plan.groups.size(); ++group)
    {
        for (const WorkerIndex member : plan.groups[group])
        {
            if (joined[group][member] != joined[group][plan.groups[group].front()])
            {
                throw std::invalid_argument("the members of group " + std::to_string(group) +
                                            " join different collectives");
            }
        }
    }
}

} // namespace

LinkedPlan::LinkedPlan(const ExecutionPlan& plan)
    : m_plan(plan)
{
    for (const auto& worker : plan.workers)
    {
        auto& bubbles = m_bubbles.emplace_back();
        for (std::size_t position = 0; position < worker.stream.size(); ++position)
        {
            const Instruction& in = worker.stream[position];
            m_iterationsPerPass = std::max(m_iterationsPerPass, in.iteration + 1);
            if (in.kind == InstructionKind::Bubble)
            {
                bubbles.push_back(position);
            }
        }
    }
    PairSendsWithReceives();
    NumberCollectives();
}

void
LinkedPlan::PairSendsWithReceives()
{
    const auto sends = EndsOf(m_plan, InstructionKind::Send);
    const auto receives = EndsOf(m_plan, InstructionKind::Receive);
    CheckThatAllMatch(m_plan, sends, receives);
    for (const auto& worker : m_plan.workers)
    {
        m_receiveOfSend.emplace_back(worker.stream.size());
    }
    for (std::size_t index = 0; index < sends.size(); ++index)
    {
        m_receiveOfSend[SenderOf(sends[index])][sends[index].second] = receives[index].second;
    }
}

/// Numbers the collectives: the n-th one of a group in a member's stream is the n-th of every
/// member's.
void
LinkedPlan::NumberCollectives()
{
    std::vector<JoinedByMember> joined(m_plan.groups.size());
    for (WorkerIndex worker = 0; worker < m_plan.workers.size(); ++worker)
    {
        const InstructionStream& stream = m_plan.workers[worker].stream;
        auto& ordinals = m_ordinalOfCollective.emplace_back(stream.size());
        for (std::size_t position = 0; position < stream.size(); ++position)
        {
            const Instruction& in = stream[position];
            if (!IsCollective(in.kind))
            {
                continue;
            }
            if (!IsMember(m_plan, in.group, worker))
            {
                Refuse(m_plan.workers[worker], position, "joins a group that it is not in");
            }
            auto& mine = joined[in.group][worker];
            ordinals[position] = static_cast<std::uint32_t>(mine.size());
            mine.emplace_back(in.kind, in.size.Count());
            m_collectivesPerGroup =
                std::max(m_collectivesPerGroup, static_cast<std::uint32_t>(mine.size()));
        }
    }
    CheckThatMembersAgree(m_plan, std::move(joined));
}

const ExecutionPlan&
LinkedPlan::Plan() const
{
    return m_plan;
}

const InstructionStream&
LinkedPlan::StreamOf(WorkerIndex worker) const
{
    return m_plan.workers[worker].stream;
}

std::uint32_t
LinkedPlan::IterationsPerPass() const
{
    return m_iterationsPerPass;
}

std::uint32_t
LinkedPlan::Iterations() const
{
    return m_plan.iterations * m_iterationsPerPass;
}

std::uint32_t
LinkedPlan::IterationOf(std::uint32_t pass, const Instruction& instruction) const
{
    return pass * m_iterationsPerPass + instruction.iteration;
}

std::size_t
LinkedPlan::PlannedPosition(WorkerIndex worker, std::size_t position) const
{
    const auto& bubbles = m_bubbles[worker];
    const auto before = std::lower_bound(bubbles.begin(), bubbles.end(), position);
    return position - static_cast<std::size_t>(before - bubbles.begin());
}

std::size_t
LinkedPlan::ReceiveOf(WorkerIndex sender, std::size_t send) const
{
    return m_receiveOfSend[sender][send];
}

CollectiveRequest
LinkedPlan::CollectiveAt(WorkerIndex worker, std::size_t position, std::uint32_t pass) const
{
    const Instruction& instruction = StreamOf(worker)[position];
    CollectiveRequest request = m_plan.RequestOf(instruction);
    request.number =
        (std::uint64_t{pass} * m_plan.groups.size() + instruction.group) * m_collectivesPerGroup +
        m_ordinalOfCollective[worker][position];
    return request;
}

std::uint32_t
LinkedPlan::MemberAt(WorkerIndex worker, std::size_t position) const
{
    const auto& group = m_plan.groups[StreamOf(worker)[position].group];
    return static_cast<std::uint32_t>(std::find(group.begin(), group.end(), worker) -
                                      group.begin());
}

} // namespace geotrain
