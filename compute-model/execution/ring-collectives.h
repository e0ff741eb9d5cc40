// Ring collectives over striped transfers (Patarasuk and Yuan, JPDC 2009): with n members a reduce-scatter
// or an all-gather takes n-1 steps and an all-reduce 2(n-1); in each step every member sends one n-th of the
// vector to its successor. A member may start when it has joined; step k waits for the predecessor's k-1.
// The time of the reduction itself is left out: it is small beside the transfer.
#pragma once

#include "execution/network.h"

#include <map>
#include <vector>

namespace geotrain
{

class RingCollectives
{
  public:
    /// A ring goes through `alike` groups of members that do the same at the same time. The members of a
    /// request are those of one group, of which the last sends to the first as it would to the next group's.
    explicit RingCollectives(Network& network, std::uint32_t alike = 1);

    /// See Network::JoinCollective. A group of one ends at once. A failed transfer stalls the ring.
    void Join(const CollectiveRequest& request, std::uint32_t member, CollectiveCallback callback);

  private:
    struct Member
    {
        bool joined = false;
        std::uint32_t stepsSent = 0;
        std::uint32_t stepsReceived = 0;
        CollectiveCallback callback;
    };

    struct Ring
    {
        CollectiveRequest request;
        std::uint32_t steps = 0;
        std::uint32_t membersLeft = 0;
        std::vector<Member> members;
    };

    Ring& RingOf(const CollectiveRequest& request);
    void SendDueSteps(Ring& ring, std::uint32_t member);
    void OnStepReceived(std::uint64_t number, std::uint32_t member, Instant at);
    void EndIfComplete(Ring& ring, std::uint32_t member, Instant at);

    std::uint32_t MembersOf(const Ring& ring) const;

    Network& m_network;
    std::uint32_t m_alike;
    std::map<std::uint64_t, Ring> m_rings;
};

/// The bytes of the piece that `member` of `members` sends in `step` of an all-reduce of `size`.
Bytes RingPiece(Bytes size, std::uint32_t members, std::uint32_t member, std::uint32_t step);

} // namespace geotrain
