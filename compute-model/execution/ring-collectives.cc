// SPDX-License-Identifier: GPL-2.0-only
#include "execution/ring-collectives.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace geotrain
{

Bytes
RingPiece(Bytes size, std::uint32_t members, std::uint32_t member, std::uint32_t step)
{
    // Piece j is [j size / n, (j + 1) size / n). Member i sends piece i - k in step k of the
    // reduce-scatter, and goes on with piece i + 1 - k' in step k' of the all-gather, which is the
    // same modulo n.
    const std::uint32_t piece = (member + 2 * members - step % members) % members;
    const auto begin = static_cast<WideInteger>(size.Count()) * piece / members;
    const auto end = static_cast<WideInteger>(size.Count()) * (piece + 1) / members;
    return Bytes::Of(static_cast<std::int64_t>(end - begin));
}

RingCollectives::RingCollectives(MessageLayer& layer, std::uint32_t alike)
    : m_layer(layer),
      m_alike(alike)
{
}

RingCollectives::~RingCollectives()
{
    for (const auto& [number, ring] : m_rings)
    {
        CancelEvents(ring);
    }
}

/// Returns the members of all groups; a group of one has no ring.
std::uint32_t
RingCollectives::MembersOf(const CollectiveRequest& request) const
{
    const auto members = static_cast<std::uint32_t>(request.members.size());
    return members == 1 ? 1 : members * m_alike;
}

RingCollectives::Ring&
RingCollectives::RingOf(const CollectiveRequest& request)
{
    const auto [found, isNew] = m_rings.try_emplace(request.number);
    Ring& ring = found->second;
    if (isNew)
    {
        const auto members = static_cast<std::uint32_t>(request.members.size());
        const std::uint32_t rounds = request.kind == CollectiveKind::AllReduce ? 2 : 1;
        ring.request = request;
        ring.steps = rounds * (MembersOf(request) - 1);
        ring.membersLeft = members;
        ring.members.resize(members);
    }
    return ring;
}

CollectiveHandle
RingCollectives::Join(const CollectiveRequest& request,
                      std::uint32_t member,
                      CollectiveCallback callback)
{
    if (request.kind == CollectiveKind::Pull || request.kind == CollectiveKind::Push)
    {
        throw std::logic_error("a ring neither pulls nor pushes");
    }
    Ring& ring = RingOf(request);
    Member& self = ring.members[member];
    self.callback = std::move(callback);
    if (ring.failure.empty())
    {
        SendDueSteps(ring, member);
    }
    if (self.stepsReceived == ring.steps || !ring.failure.empty())
    {
        // The others had done this member's part before it joined (reduce-scatter, all-gather), or
        // the ring has failed.
        Clock& clock = m_layer.GetClock();
        const Instant now = clock.Now();
        self.check = clock.Schedule(
            now, [this, number = request.number, member, now] { CallIfOver(number, member, now); });
    }
    return {request.number};
}

void
RingCollectives::SendDueSteps(Ring& ring, std::uint32_t member)
{
    Member& self = ring.members[member];
    const auto successor = static_cast<std::uint32_t>((member + 1) % ring.members.size());
    const std::uint64_t number = ring.request.number;
    while (self.callback && self.stepsSent < ring.steps && self.stepsSent <= self.stepsReceived)
    {
        // A vector of fewer bytes than members still sends one byte per step.
        const Bytes piece =
            std::max(Bytes::Of(1),
                     RingPiece(ring.request.size, MembersOf(ring.request), member, self.stepsSent));
        ++self.stepsSent;
        ring.sends.push_back(m_layer.Send(ring.request.members[member],
                                          ring.request.members[successor],
                                          piece,
                                          [this, number, successor](const TransferEvent& event)
                                          { OnStepEvent(number, successor, event); }));
    }
}

void
RingCollectives::OnStepEvent(std::uint64_t number,
                             std::uint32_t successor,
                             const TransferEvent& event)
{
    if (event.kind == TransferEvent::Kind::Failed)
    {
        Fail(number, event);
    }
    else if (event.kind == TransferEvent::Kind::Delivered)
    {
        Ring& ring = m_rings.at(number);
        ++ring.members[successor].stepsReceived;
        SendDueSteps(ring, successor);
        CallIfOver(number, successor, event.at);
    }
}

/// Calls a member back that has joined, once its part is done or the ring has failed.
void
RingCollectives::CallIfOver(std::uint64_t number, std::uint32_t member, Instant at)
{
    const auto found = m_rings.find(number);
    if (found == m_rings.end() || !found->second.members[member].callback)
    {
        return;
    }
    Ring& ring = found->second;
    if (ring.failure.empty() && ring.members[member].stepsReceived < ring.steps)
    {
        return;
    }
    const CollectiveCallback callback = std::exchange(ring.members[member].callback, nullptr);
    const std::string failure = ring.failure;
    if (--ring.membersLeft == 0)
    {
        m_rings.erase(found);
    }
    callback(at, failure);
}

/// Fails a ring, which stays known until all its members have joined and were told.
void
RingCollectives::Fail(std::uint64_t number, const TransferEvent& event)
{
    Ring& ring = m_rings.at(number);
    ring.failure = event.reason.empty() ? "failed" : event.reason;
    CancelEvents(ring);
    const auto members = static_cast<std::uint32_t>(ring.members.size());
    for (std::uint32_t member = 0; member < members; ++member)
    {
        CallIfOver(number, member, event.at);
    }
}

void
RingCollectives::CancelEvents(const Ring& ring)
{
    for (const MessageHandle send : ring.sends)
    {
        m_layer.Cancel(send);
    }
    for (const Member& member : ring.members)
    {
        if (member.check > 0)
        {
            m_layer.GetClock().Cancel(member.check);
        }
    }
}

void
RingCollectives::Cancel(CollectiveHandle collective)
{
    const auto found = m_rings.find(collective.number);
    if (found != m_rings.end())
    {
        CancelEvents(found->second);
        m_rings.erase(found);
    }
}

} // namespace geotrain
