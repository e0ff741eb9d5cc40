// SPDX-License-Identifier: GPL-2.0-only
// Lets a worker leave the order of its stream. The executor asks the worker's policy before each
// instruction, and tells it of the worker's progress. A worker without a policy runs its stream in
// order.
#pragma once

#include "units/duration.h"

#include <cstddef>
#include <optional>

namespace geotrain
{

/// An OrderPolicy decides for one worker what runs out of order.
class OrderPolicy
{
  public:
    virtual ~OrderPolicy() = default;

    /// Tells that a pass over the stream begins, or begins again.
    virtual void BeginPass() = 0;

    /// Returns whether the instruction at `position` was already run in this pass, ahead of its
    /// turn.
    virtual bool IsDone(std::size_t position) const = 0;

    /// Returns the position of a later compute instruction that the worker begins now instead of
    /// the one at `position`, if any.
    virtual std::optional<std::size_t> Instead(std::size_t position, Instant now) = 0;

    /// Tells that the message of the Receive at `receive` is here in this pass.
    virtual void InputArrived(std::size_t receive) = 0;

    virtual void ComputeBegan(std::size_t position, Instant now) = 0;

    /// Tells that the compute instruction at `position` has ended. Returns the position of a Send
    /// that leaves at once, ahead of its turn, if any.
    virtual std::optional<std::size_t> ComputeEnded(std::size_t position) = 0;
};

} // namespace geotrain
