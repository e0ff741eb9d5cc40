// SPDX-License-Identifier: GPL-2.0-only
// Collective operations of the workers of a job. The message layer makes rings of its own sends
// (ring-collectives.h). A network or an element that does a collective better, such as an optimizer
// inside the network, supplies another implementation.
#pragma once

#include "execution/network.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// CollectiveKind is the operation of a collective.
enum class CollectiveKind : std::uint8_t
{
    AllReduce,
    ReduceScatter,
    AllGather,
    Pull, ///< all members receive the vector from an in-network optimizer
    Push  ///< the sum of the members' vectors goes to an in-network optimizer
};

/// Returns whether an in-network optimizer carries it, and no ring.
inline bool
IsInNetwork(CollectiveKind kind)
{
    return kind == CollectiveKind::Pull || kind == CollectiveKind::Push;
}

/// A CollectiveRequest says what a collective does, and among whom.
struct CollectiveRequest
{
    std::uint64_t number = 0; ///< the same for all members of one collective, and of no other
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::vector<NodeIndex> members; ///< in ring order; a node may stand for several workers
    Bytes size;                     ///< bytes of the whole vector that is reduced or gathered
};

/// A CollectiveHandle names a collective that was joined. All members of it have the same handle.
struct CollectiveHandle
{
    std::uint64_t number = 0; ///< number of its request
};

/// Is called when a collective has ended for a member. `failure` is empty if the result is there.
using CollectiveCallback = std::function<void(Instant at, const std::string& failure)>;

/// Collectives run the collectives of one job.
class Collectives
{
  public:
    virtual ~Collectives() = default;

    /// Joins a collective for `member` (an index into request.members), whose input is ready.
    /// `callback` is called once, after Join has returned: when the member's result is there, or
    /// when the collective has failed. A collective that fails tells all its members; those that
    /// join later are told when they join.
    virtual CollectiveHandle
    Join(const CollectiveRequest& request, std::uint32_t member, CollectiveCallback callback) = 0;

    /// Ends the collective for all its members. No callback of it is called any more, and what it
    /// has on the way is cancelled. A collective that has ended is ignored.
    virtual void Cancel(CollectiveHandle collective) = 0;
};

} // namespace geotrain
