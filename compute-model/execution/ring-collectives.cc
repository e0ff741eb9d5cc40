#include "execution/ring-collectives.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

Bytes
RingPiece(Bytes size, std::uint32_t members, std::uint32_t member, std::uint32_t step)
{
    // Piece j is [j size / n, (j + 1) size / n). Member i sends piece i - k in step k of the reduce-scatter,
    // and goes on with piece i + 1 - k' in step k' of the all-gather, which is the same modulo n.
    const std::uint32_t piece = (member + 2 * members - step % members) % members;
    const auto begin = static_cast<WideInteger>(size.Count()) * piece / members;
    const auto end = static_cast<WideInteger>(size.Count()) * (piece + 1) / members;
    return Bytes::Of(static_cast<std::int64_t>(end - begin));
}

RingCollectives::RingCollectives(Network& network)
    : m_network(network)
{
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
        ring.steps = rounds * (members - 1);
        ring.membersLeft = members;
        ring.members.resize(members);
    }
    return ring;
}

void
RingCollectives::Join(const CollectiveRequest& request,
                      std::uint32_t member,
                      CollectiveCallback callback)
{
    Clock& clock = m_network.GetClock();
    if (request.members.size() == 1)
    {
        const Instant now = clock.Now();
        clock.Schedule(now, [callback = std::move(callback), now] { callback(now); });
        return;
    }
    Ring& ring = RingOf(request);
    ring.members[member].joined = true;
    ring.members[member].callback = std::move(callback);
    SendDueSteps(ring, member);
    if (ring.members[member].stepsReceived == ring.steps)
    {
        // The others were done with this member's part before it joined (reduce-scatter, all-gather).
        const Instant now = clock.Now();
        clock.Schedule(now,
                       [this, number = request.number, member, now]
                       { EndIfComplete(m_rings.at(number), member, now); });
    }
}

void
RingCollectives::SendDueSteps(Ring& ring, std::uint32_t member)
{
    Member& self = ring.members[member];
    const auto count = static_cast<std::uint32_t>(ring.members.size());
    const std::uint32_t successor = (member + 1) % count;
    const std::uint64_t number = ring.request.number;
    while (self.joined && self.stepsSent < ring.steps && self.stepsSent <= self.stepsReceived)
    {
        // A vector of fewer bytes than members still sends one byte a step.
        const Bytes piece =
            std::max(Bytes::Of(1), RingPiece(ring.request.size, count, member, self.stepsSent));
        ++self.stepsSent;
        m_network.SendStriped(ring.request.members[member],
                              ring.request.members[successor],
                              piece,
                              [this, number, successor](const TransferEvent& event)
                              {
                                  if (event.kind == TransferEvent::Kind::Delivered)
                                  {
                                      OnStepReceived(number, successor, event.at);
                                  }
                              });
    }
}

void
RingCollectives::OnStepReceived(std::uint64_t number, std::uint32_t member, Instant at)
{
    Ring& ring = m_rings.at(number);
    ++ring.members[member].stepsReceived;
    SendDueSteps(ring, member);
    EndIfComplete(ring, member, at);
}

void
RingCollectives::EndIfComplete(Ring& ring, std::uint32_t member, Instant at)
{
    Member& self = ring.members[member];
    if (!self.joined || self.stepsReceived < ring.steps)
    {
        return;
    }
    const CollectiveCallback callback = std::move(self.callback);
    if (--ring.membersLeft == 0)
    {
        m_rings.erase(ring.request.number);
    }
    callback(at);
}

} // namespace geotrain
