// SPDX-License-Identifier: GPL-2.0-only
// Ring collectives (Patarasuk and Yuan, JPDC 2009). With n members, a reduce-scatter or an all-gather
// takes n-1 steps and an all-reduce 2(n-1). In each step every member sends one n-th of the vector to
// its successor.
#pragma once

#include "execution/stepped-collectives.h"

namespace geotrain
{

/// RingCollectives run each collective in a ring of its members.
class RingCollectives : public SteppedCollectives
{
  public:
    /// Makes rings over `alike` groups of members that do the same at the same time. The members of
    /// a request are those of one group, which stands for all. Its last member sends to its first
    /// one, as it would to the next group's. `layer` must outlive this.
    explicit RingCollectives(MessageLayer& layer, std::uint32_t alike = 1);

  private:
    std::uint32_t StepsOf(const CollectiveRequest& request) const override;
    Step StepOf(const CollectiveRequest& request,
                std::uint32_t member,
                std::uint32_t step) const override;
    std::uint32_t MembersOf(const CollectiveRequest& request) const;

    std::uint32_t m_alike;
};

/// Returns the bytes of the piece that `member` of `members` sends in `step` of an all-reduce of
/// `size`.
Bytes RingPiece(Bytes size, std::uint32_t members, std::uint32_t member, std::uint32_t step);

} // namespace geotrain
