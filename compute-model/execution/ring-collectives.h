// SPDX-License-Identifier: GPL-2.0-only
// Ring collectives over striped messages (Patarasuk and Yuan, JPDC 2009). With n members, a
// reduce-scatter or an all-gather takes n-1 steps and an all-reduce 2(n-1). In each step every
// member sends one n-th of the vector to its successor. A member may start when it has joined; step
// k waits for the predecessor's step k-1. The time of the reduction itself is left out, which is
// small beside the transfer.
#pragma once

#include "execution/collectives.h"
#include "execution/message-layer.h"

#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// RingCollectives run each collective in a ring of its members.
class RingCollectives : public Collectives
{
  public:
    /// Makes rings over `alike` groups of members that do the same at the same time. The members of
    /// a request are those of one group, which stands for all. Its last member sends to its first
    /// one, as it would to the next group's. `layer` must outlive this.
    explicit RingCollectives(MessageLayer& layer, std::uint32_t alike = 1);

    /// Cancels all rings.
    ~RingCollectives() override;
    RingCollectives(const RingCollectives&) = delete;
    RingCollectives& operator=(const RingCollectives&) = delete;

    /// Ends at once for a group of one. A failed message fails its ring.
    CollectiveHandle Join(const CollectiveRequest& request,
                          std::uint32_t member,
                          CollectiveCallback callback) override;

    void Cancel(CollectiveHandle collective) override;

  private:
    /// A Member is how far one member of a ring is.
    struct Member
    {
        std::uint32_t stepsSent = 0;
        std::uint32_t stepsReceived = 0;
        CollectiveCallback callback;  ///< set from when the member has joined until it is called
        Clock::EventNumber check = 0; ///< scheduled at the join, where others had done its steps
    };

    /// A Ring is one collective in progress.
    struct Ring
    {
        CollectiveRequest request;
        std::uint32_t steps = 0;
        std::uint32_t membersLeft = 0; ///< members that were not called back
        std::vector<Member> members;
        std::vector<MessageHandle> sends;
        std::string failure; ///< empty if it has not failed
    };

    Ring& RingOf(const CollectiveRequest& request);
    std::uint32_t MembersOf(const CollectiveRequest& request) const;
    void SendDueSteps(Ring& ring, std::uint32_t member);
    void OnStepEvent(std::uint64_t number, std::uint32_t successor, const TransferEvent& event);
    void CallIfOver(std::uint64_t number, std::uint32_t member, Instant at);
    void Fail(std::uint64_t number, const TransferEvent& event);
    void CancelEvents(const Ring& ring);

    MessageLayer& m_layer;
    std::uint32_t m_alike;
    std::map<std::uint64_t, Ring> m_rings; ///< by the number of the request
};

/// Returns the bytes of the piece that `member` of `members` sends in `step` of an all-reduce of
/// `size`.
Bytes RingPiece(Bytes size, std::uint32_t members, std::uint32_t member, std::uint32_t step);

} // namespace geotrain
