// SPDX-License-Identifier: GPL-2.0-only
// Collective operations of the workers of a job. The message layer has rings over its own sends
// (ring-collectives.h); a network or an element that does a collective better, such as an optimizer
// inside the network, supplies another implementation.
#pragma once

#include "execution/network.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

enum class CollectiveKind : std::uint8_t
{
    AllReduce,
    ReduceScatter,
    AllGather
};

struct CollectiveRequest
{
    std::uint64_t number = 0; ///< the same for all members of one collective, and of no other
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::vector<NodeIndex> members; ///< in ring order; a node may stand for several workers
    Bytes size;                     ///< of the whole vector that is reduced or gathered
};

/// Names a collective that was joined: all members of it have the same.
struct CollectiveHandle
{
    std::uint64_t number = 0; ///< of its request
};

/// `failure` is empty when the member's result is there.
using CollectiveCallback = std::function<void(Instant at, const std::string& failure)>;

class Collectives
{
  public:
    virtual ~Collectives() = default;

    /// `member` (an index into request.members) has its input ready. `callback` is called once,
    /// after Join has returned: when the member's result is there, or when the collective has
    /// failed. A collective that fails tells all its members, those that join later when they do.
    virtual CollectiveHandle
    Join(const CollectiveRequest& request, std::uint32_t member, CollectiveCallback callback) = 0;

    /// The collective ends for all its members, and is forgotten: no callback of it comes any more,
    /// and what it has on the way is cancelled. One that has ended is ignored.
    virtual void Cancel(CollectiveHandle collective) = 0;
};

} // namespace geotrain
