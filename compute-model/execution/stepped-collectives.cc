// SPDX-License-Identifier: GPL-2.0-only
#include "execution/stepped-collectives.h"

#include "execution/node-order.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns the shape of all groups that do the same; a group of one takes no steps.
GroupShape
ShapeOfAll(const CollectiveRequest& request)
{
    GroupShape shape = ShapeOf(request.members);
    shape.members *= shape.members == 1 ? 1 : request.alike;
    return shape;
}

Bytes
ShareOf(Bytes size, double share)
{
    return share == 1 ? size : Bytes::Of(std::llround(static_cast<double>(size.Count()) * share));
}

} // namespace

SteppedCollectives::SteppedCollectives(MessageLayer& layer)
    : m_layer(layer)
{
}

SteppedCollectives::~SteppedCollectives()
{
    for (const auto& [number, run] : m_runs)
    {
        CancelEvents(run);
    }
}

SteppedCollectives::Run&
SteppedCollectives::RunOf(const CollectiveRequest& request)
{
    const auto [found, isNew] = m_runs.try_emplace(request.number);
    Run& run = found->second;
    if (isNew)
    {
        const auto members = static_cast<std::uint32_t>(request.members.size());
        run.request = request;
        run.shape = ShapeOfAll(request);
        run.steps = request.algorithm->Steps(request.kind, run.shape);
        for (const NodeIndex node : request.members)
        {
            run.receiving[node] += run.steps > 0 ? 1 : 0;
        }
        run.membersLeft = members;
        run.members.resize(members);
    }
    return run;
}

/// Returns whether a member's part is done, or the collective has failed.
bool
SteppedCollectives::IsOver(const Run& run, std::uint32_t member)
{
    return !run.failure.empty() || run.receiving.at(run.request.members[member]) == 0;
}

CollectiveHandle
SteppedCollectives::Join(const CollectiveRequest& request,
                         std::uint32_t member,
                         CollectiveCallback callback)
{
    if (IsInNetwork(request.kind))
    {
        throw std::logic_error("members by themselves neither pull nor push");
    }
    Run& run = RunOf(request);
    Member& self = run.members[member];
    self.callback = std::move(callback);
    if (run.failure.empty())
    {
        SendDueSteps(run, member);
    }
    if (IsOver(run, member))
    {
        // The others had done this member's part before it joined (reduce-scatter, all-gather), or
        // the collective has failed.
        Clock& clock = m_layer.GetClock();
        const Instant now = clock.Now();
        self.check = clock.Schedule(
            now, [this, number = request.number, member, now] { CallIfOver(number, member, now); });
    }
    return {request.number};
}

void
SteppedCollectives::SendDueSteps(Run& run, std::uint32_t member)
{
    Member& self = run.members[member];
    const CollectiveRequest& request = run.request;
    while (self.callback && self.stepsSent < run.steps &&
           (request.algorithm->sendsAtOnce || self.stepsSent <= self.stepsReceived))
    {
        const std::uint32_t step = self.stepsSent++;
        const CollectiveStep own = request.algorithm->stepOf(request.kind, run.shape, member, step);
        const auto to =
            static_cast<std::uint32_t>((member + own.distance) % request.members.size());
        const bool staysInNode = request.members[member] == request.members[to];
        Bytes part = own.SizeOf(request.size, run.shape.members);
        if (request.algorithm->sendsAtOnce)
        {
            // A GPU copies to others of its node one after another: each ends after those before.
            self.copied += staysInNode ? part : Bytes();
            part = staysInNode ? self.copied : ShareOf(part, request.betweenNodes);
        }
        // A vector of fewer bytes than members still sends one byte per step.
        run.sends.push_back(
            m_layer.Send(request.members[member],
                         request.members[to],
                         std::max(Bytes::Of(1), part),
                         [this, number = request.number, to, step](const auto& event)
                         { OnStepEvent(number, to, step, event); }));
    }
}

void
SteppedCollectives::OnStepEvent(std::uint64_t number,
                                std::uint32_t receiver,
                                std::uint32_t step,
                                const TransferEvent& event)
{
    if (event.kind == TransferEvent::Kind::Failed)
    {
        Fail(number, event);
    }
    else if (event.kind == TransferEvent::Kind::Delivered)
    {
        Run& run = m_runs.at(number);
        Member& member = run.members[receiver];
        if (run.request.algorithm->hasOneSender || step == member.stepsReceived)
        {
            ++member.stepsReceived;
        }
        else
        {
            member.early.insert(step);
        }
        while (member.early.erase(member.stepsReceived) > 0)
        {
            ++member.stepsReceived;
        }
        SendDueSteps(run, receiver);
        const NodeIndex node = run.request.members[receiver];
        if (member.stepsReceived == run.steps && --run.receiving.at(node) == 0)
        {
            CallNode(number, node, event.at);
        }
    }
}

/// Calls the members of a node back, all of which have received all steps.
void
SteppedCollectives::CallNode(std::uint64_t number, NodeIndex node, Instant at)
{
    const std::vector<NodeIndex> nodes = m_runs.at(number).request.members;
    for (std::uint32_t member = 0; member < nodes.size(); ++member)
    {
        if (nodes[member] == node)
        {
            CallIfOver(number, member, at);
        }
    }
}

/// Calls a member back that has joined, once its part is done or the collective has failed.
void
SteppedCollectives::CallIfOver(std::uint64_t number, std::uint32_t member, Instant at)
{
    const auto found = m_runs.find(number);
    if (found == m_runs.end() || !found->second.members[member].callback)
    {
        return;
    }
    Run& run = found->second;
    if (!IsOver(run, member))
    {
        return;
    }
    const CollectiveCallback callback = std::exchange(run.members[member].callback, nullptr);
    const std::string failure = run.failure;
    if (--run.membersLeft == 0)
    {
        m_runs.erase(found);
    }
    callback(at, failure);
}

/// Fails a collective, which stays known until all its members have joined and were told.
void
SteppedCollectives::Fail(std::uint64_t number, const TransferEvent& event)
{
    Run& run = m_runs.at(number);
    run.failure = event.reason.empty() ? "failed" : event.reason;
    CancelEvents(run);
    const auto members = static_cast<std::uint32_t>(run.members.size());
    for (std::uint32_t member = 0; member < members; ++member)
    {
        CallIfOver(number, member, event.at);
    }
}

void
SteppedCollectives::CancelEvents(const Run& run)
{
    for (const MessageHandle send : run.sends)
    {
        m_layer.Cancel(send);
    }
    for (const Member& member : run.members)
    {
        if (member.check > 0)
        {
            m_layer.GetClock().Cancel(member.check);
        }
    }
}

void
SteppedCollectives::Cancel(CollectiveHandle collective)
{
    const auto found = m_runs.find(collective.number);
    if (found != m_runs.end())
    {
        CancelEvents(found->second);
        m_runs.erase(found);
    }
}

} // namespace geotrain
