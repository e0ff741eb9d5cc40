// SPDX-License-Identifier: GPL-2.0-only
// Lets a worker leave the order of its stream: what the executor asks before each instruction of a
// worker that has such a policy, and what it tells of the worker's progress. A worker without a
// policy runs its stream in order.
#pragma once

#include "units/duration.h"

#include <cstddef>
#include <optional>

namespace geotrain
{

class OrderPolicy
{
  public:
    virtual ~OrderPolicy() = default;

    /// A pass over the stream begins, or begins again.
    virtual void BeginPass() = 0;

    /// Whether the instruction at `position` was already run in this pass, ahead of its turn.
    virtual bool IsDone(std::size_t position) const = 0;

    /// Position of the later compute instruction that the worker begins now instead of the one at
    /// `position`, if any.
    virtual std::optional<std::size_t> Instead(std::size_t position, Instant now) = 0;

    /// The message of the Receive at `receive` is here in this pass.
    virtual void InputArrived(std::size_t receive) = 0;

    virtual void ComputeBegan(std::size_t position, Instant now) = 0;

    /// The compute instruction at `position` has ended. Returns the position of a Send that leaves
    /// at once, ahead of its turn, if any.
    virtual std::optional<std::size_t> ComputeEnded(std::size_t position) = 0;
};

} // namespace geotrain
