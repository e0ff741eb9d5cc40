// SPDX-License-Identifier: GPL-2.0-only
// Describes an algorithm by which the members of a group reduce or gather a vector of n equal parts
// in steps, where n is the number of members. A row of the catalogue (collective-catalogue.h) is all
// that message layer, warm-ups, analytic times and planner know of it.
#pragma once

#include "units/bytes.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

struct ExecutionPlan;

/// CollectiveKind is the operation of a collective.
enum class CollectiveKind : std::uint8_t
{
    AllReduce,
    ReduceScatter,
    AllGather,
    Pull, ///< all members receive the vector from an in-network optimizer
    Push, ///< the sum of the members' vectors goes to an in-network optimizer
    AllToAll ///< each member has a vector, and sends each of the others that one's part of it
};

/// Returns whether an in-network optimizer carries it, and no steps between members.
inline bool
IsInNetwork(CollectiveKind kind)
{
    return kind == CollectiveKind::Pull || kind == CollectiveKind::Push;
}

/// A GroupShape says how the members of a group are on nodes. Those of a node are side by side.
struct GroupShape
{
    /// Makes the shape of a group whose members have nodes of their own, or `onEachNode` share one.
    GroupShape(std::uint32_t count, std::uint32_t onEachNode = 1)
        : members(count),
          perNode(onEachNode)
    {
    }

    std::uint32_t members;
    std::uint32_t perNode; ///< members on each node; 0 where the nodes have unequal numbers
};

/// A CollectiveStep is what a member sends in one step.
struct CollectiveStep
{
    std::uint32_t distance = 0; ///< members from the sender to the receiver, below n
    std::uint32_t first = 0;    ///< part with which the message begins
    std::uint32_t parts = 0;    ///< number of parts
    bool staysInNode = false;   ///< all messages of the step stay inside nodes

    /// Returns the bytes of these parts of a vector of `size`.
    Bytes SizeOf(Bytes size, std::uint32_t members) const;
};

/// A CollectiveAlgorithm is a row of the catalogue.
struct CollectiveAlgorithm
{
    const char* name;
    const char* description; ///< for lists

    /// Returns the steps of a reduce-scatter or of an all-gather. An all-reduce is the one after the
    /// other.
    std::uint32_t (*halfSteps)(GroupShape shape);

    /// Returns what `member` sends in `step`, from 0. The number of parts is the same for all
    /// members, and so is the distance but in steps that stay in nodes.
    CollectiveStep (*stepOf)(CollectiveKind kind,
                             GroupShape shape,
                             std::uint32_t member,
                             std::uint32_t step);

    /// All messages of a member come from one other, so that they need only be counted.
    bool hasOneSender;

    /// Makes other collectives of a plan's all-reduces that span data centres; nullptr where they
    /// run as they are.
    void (*rewrite)(ExecutionPlan& plan, const std::vector<std::uint32_t>& dataCenterOfNode);

    /// A member sends all steps when it joins, and not one after another.
    bool sendsAtOnce = false;

    /// Returns the steps of a collective, in each of which all members send.
    std::uint32_t Steps(CollectiveKind kind, GroupShape shape) const;

    /// Returns the different distances over which a member sends in steps that may leave its node, in
    /// ascending order.
    std::vector<std::uint32_t> Distances(CollectiveKind kind, GroupShape shape) const;
};

} // namespace geotrain
