// SPDX-License-Identifier: GPL-2.0-only
#include "execution/ring-collectives.h"

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
    : SteppedCollectives(layer, true),
      m_alike(alike)
{
}

/// Returns the members of all groups; a group of one has no ring.
std::uint32_t
RingCollectives::MembersOf(const CollectiveRequest& request) const
{
    const auto members = static_cast<std::uint32_t>(request.members.size());
    return members == 1 ? 1 : members * m_alike;
}

std::uint32_t
RingCollectives::StepsOf(const CollectiveRequest& request) const
{
    const std::uint32_t rounds = request.kind == CollectiveKind::AllReduce ? 2 : 1;
    return rounds * (MembersOf(request) - 1);
}

SteppedCollectives::Step
RingCollectives::StepOf(const CollectiveRequest& request,
                        std::uint32_t member,
                        std::uint32_t step) const
{
    const auto successor = static_cast<std::uint32_t>((member + 1) % request.members.size());
    return {successor, RingPiece(request.size, MembersOf(request), member, step)};
}

} // namespace geotrain
