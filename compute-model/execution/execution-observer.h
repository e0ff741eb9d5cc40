// SPDX-License-Identifier: GPL-2.0-only
// What an executor tells those who watch it: trace writers, metrics and bubble fillers.
#pragma once

#include "execution/instruction.h"
#include "execution/network.h"

namespace geotrain
{

/// A Message is a pipeline message: an activation or a gradient of one microbatch.
struct Message
{
    std::uint64_t number = 0; ///< number in the order of sending, from 1
    std::uint32_t iteration = 0;
    WorkerIndex sender = 0;
    WorkerIndex receiver = 0;
    NodeIndex source = 0;
    NodeIndex destination = 0;
    Payload payload = Payload::Activation;
    std::uint32_t stage = 0; ///< the sender's stage
    std::uint32_t microbatch = 0;
    Bytes size;
};

/// MessageTimes are the instants of a message's way.
struct MessageTimes
{
    Instant queued;    ///< when the sender handed it over
    Instant sendStart; ///< when the network got it: under temporal sharing, at its turn
    Instant firstByte; ///< when its first payload byte was at the receiving side
    Instant sent;      ///< when its last payload byte was on the wire for the first time
    Instant delivered; ///< when it was whole at the receiver
};

/// An ExecutionObserver is told what an executor does.
class ExecutionObserver
{
  public:
    virtual ~ExecutionObserver() = default;

    virtual void InstructionStarted(WorkerIndex /*worker*/,
                                    std::uint32_t /*iteration*/,
                                    const Instruction& /*instruction*/,
                                    Instant /*start*/)
    {
    }

    /// Tells that a compute instruction has ended. Waits of Receive and OptimizerStep show as gaps
    /// between these.
    virtual void InstructionEnded(WorkerIndex /*worker*/,
                                  std::uint32_t /*iteration*/,
                                  const Instruction& /*instruction*/,
                                  Instant /*start*/,
                                  Instant /*end*/)
    {
    }

    /// Tells that a worker has come to a Bubble with a length: idle time is forecast here.
    virtual void BubbleReached(WorkerIndex /*worker*/,
                               std::uint32_t /*iteration*/,
                               const Instruction& /*bubble*/,
                               Instant /*now*/)
    {
    }

    virtual void MessageDelivered(const Message& /*message*/, const MessageTimes& /*times*/)
    {
    }

    /// Tells that `worker` joined a collective at `joined` and had its result at `ended`.
    virtual void CollectiveEnded(WorkerIndex /*worker*/,
                                 std::uint32_t /*iteration*/,
                                 const Instruction& /*instruction*/,
                                 Instant /*joined*/,
                                 Instant /*ended*/)
    {
    }

    /// Tells that every worker has ended the iteration's last instruction.
    virtual void IterationEnded(std::uint32_t /*iteration*/, Instant /*end*/)
    {
    }
};

} // namespace geotrain
