// SPDX-License-Identifier: GPL-2.0-only
// Collective operations of the workers of a job. Members make them of messages
// (stepped-collectives.h). A network or an element that does a collective better, such as an
// optimizer inside the network, supplies another implementation.
#pragma once

#include "execution/network.h"
#include "execution/ring-collective.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// A CollectiveRequest says what a collective does, and among whom.
struct CollectiveRequest
{
    std::uint64_t number = 0; ///< the same for all members of one collective, and of no other
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::vector<NodeIndex> members; ///< in ring order; a node may stand for several workers
    Bytes size;                     ///< bytes of the whole vector that is reduced or gathered
    const CollectiveAlgorithm* algorithm = &ringCollective; ///< where members do it themselves
    /// Groups that do the same at the same time, of which `members` are one that stands for all. Its
    /// last member sends to its first one, as it would to the next group's.
    std::uint32_t alike = 1;
    /// Share of an AllToAll's bytes that are sent where the receiver is on another node.
    double betweenNodes = 1;
};

/// Returns the algorithm of a request.
using CollectiveChoice = std::function<const CollectiveAlgorithm&(const CollectiveRequest&)>;

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
