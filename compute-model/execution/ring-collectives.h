// SPDX-License-Identifier: GPL-2.0-only
// Ring collectives over striped messages (Patarasuk and Yuan, JPDC 2009): with n members a
// reduce-scatter or an all-gather takes n-1 steps and an all-reduce 2(n-1); in each step every
// member sends one n-th of the vector to its successor. A member may start when it has joined; step
// k waits for the predecessor's k-1. The time of the reduction itself is left out: it is small
// beside the transfer.
#pragma once

#include "execution/collectives.h"
#include "execution/message-layer.h"

#include <map>
#include <string>
#include <vector>

namespace geotrain
{

class RingCollectives : public Collectives
{
  public:
    /// A ring goes through `alike` groups of members that do the same at the same time. The members
    /// of a request are those of one group, of which the last sends to the first as it would to the
    /// next group's. `layer` must outlive this.
    explicit RingCollectives(MessageLayer& layer, std::uint32_t alike = 1);

    /// Cancels all rings.
    ~RingCollectives() override;
    RingCollectives(const RingCollectives&) = delete;
    RingCollectives& operator=(const RingCollectives&) = delete;

    /// A group of one ends at once. A failed message fails its ring.
    CollectiveHandle Join(const CollectiveRequest& request,
                          std::uint32_t member,
                          CollectiveCallback callback) override;

    void Cancel(CollectiveHandle collective) override;

  private:
    struct Member
    {
        std::uint32_t stepsSent = 0;
        std::uint32_t stepsReceived = 0;
        CollectiveCallback callback;  ///< from when it has joined until it is called
        Clock::EventNumber check = 0; ///< scheduled when it joined, where others had done its steps
    };

    struct Ring
    {
        CollectiveRequest request;
        std::uint32_t steps = 0;
        std::uint32_t membersLeft = 0; ///< that were not called back
        std::vector<Member> members;
        std::vector<MessageHandle> sends;
        std::string failure; ///< empty: it has not failed
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
    std::map<std::uint64_t, Ring> m_rings; ///< by number of the request
};

/// The bytes of the piece that `member` of `members` sends in `step` of an all-reduce of `size`.
Bytes RingPiece(Bytes size, std::uint32_t members, std::uint32_t member, std::uint32_t step);

} // namespace geotrain
